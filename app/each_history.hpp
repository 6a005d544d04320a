// Reads an input and hands its histories over one by one, as every command that takes files does.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "app/inputs.hpp"
#include "app/interrupt.hpp"
#include "app/origin.hpp"
#include "app/progress.hpp"
#include "linchpin/history.hpp"

namespace linchpin::app {

/// Calls `found(origin, history)` for each history of `file` that could be read and `failed(origin, error)` for the
/// others, until an interrupt. Only one history at a time is kept once it has been handed over.
/// @return whether all were handed over: false after an interrupt, also one while the input was being read
template <class Found, class Failed>
bool for_each_history(const std::string& file, const ReadOptions& options, Progress& progress,
                      const InterruptWatch& interrupt, Found found, Failed failed) {
  progress.begin("reading " + file);
  auto histories = read_histories(file, interrupt.reading(options));
  progress.end();
  if (!histories) {
    if (histories.error().code == ErrorCode::interrupted) return false;
    failed(Origin{.file = file}, histories.error());
    return true;
  }
  const bool several = histories->size() > 1;
  for (std::size_t index = 0; index < histories->size(); ++index) {
    if (interrupt.interrupted()) return false;
    Result<History>& history = (*histories)[index];
    const Origin origin{.file = file, .index = index, .one_of_several = several};
    if (history) {
      found(origin, std::as_const(*history));
      history = Error{};  // its memory is wanted for the next
    } else {
      failed(origin, history.error());
    }
  }
  return true;
}

}  // namespace linchpin::app

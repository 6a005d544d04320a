// From a recording in memory to a history, for programs that link the library: record, then check on the spot.
//
//   auto history = linchpin::history_of(recorder);
//   auto verdict = linchpin::check(*history);
#pragma once

#include "linchpin/error.hpp"
#include "linchpin/history.hpp"
#include "linchpin/record.hpp"

namespace linchpin {

/// The recording so far, in the order of the calls: what `Recorder::write` would write. O(n log threads).
/// Errors: as of Recorder::write; unknown_type: a type that cannot be parsed.
[[nodiscard]] Result<History> history_of(const Recorder& recorder, Loss loss = Loss::refused);

}  // namespace linchpin

// What the operations of the engine's latest schedule did, as a history.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "explore/runtime/engine.hpp"
#include "explore/subject.hpp"
#include "linchpin/error.hpp"
#include "linchpin/history.hpp"

namespace linchpin::explorer {

/// What the history's times count.
enum class Ticks : std::uint8_t {
  events,  ///< calls and responses
  steps,   ///< of the trace, from 1; operations of the prefix come before, with none or negative ones
};

/// Its operations, by their calls: those of the history.
[[nodiscard]] std::vector<const OperationRecord*> operations_called();

/// Which of them come before which: bits, by their places among operations_called(). Of more than 64: nothing.
[[nodiscard]] std::optional<std::vector<std::uint64_t>> operations_before();

/// Who runs when: an annotation for each stretch of steps of one thread. Steps are counted from 0 here, and from 1
/// there.
void annotate_turns(HistoryBuilder& builder, std::size_t steps, const std::function<unsigned(std::size_t)>& thread_of);

[[nodiscard]] Result<History> recorded_history(const ContainerSubject& container, Ticks ticks);

}  // namespace linchpin::explorer

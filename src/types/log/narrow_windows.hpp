// Refutes append-only logs by two moments between which too few or too many appends ran.
#pragma once

#include <optional>

#include "core/budget.hpp"
#include "types/log/once_written.hpp"
#include "types/log/reading.hpp"

namespace linchpin::types::log_ {

/// Of the contradictions that are found, the one of the fewest operations. @pre reading.operations.part is set
[[nodiscard]] std::optional<Contradiction> find_narrow_window(const Reading& reading, core::Budget& budget);

}  // namespace linchpin::types::log_

// Recordings of which the texts stand for values: recorders know no lists, stores return them.
#pragma once

#include "linchpin/error.hpp"
#include "linchpin/history.hpp"

namespace linchpin::stress_plan {

/// The same history, in which each argument and result that is a text is the value that it says in the native notation.
/// O(n). Errors: syntax: a text that is none; its message names the operation. @pre the recording has one object
[[nodiscard]] Result<History> read_notation(const History& recorded);

}  // namespace linchpin::stress_plan

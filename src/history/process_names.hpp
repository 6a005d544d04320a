// How a ProcessId tells a number from a name.
#pragma once

#include "linchpin/history.hpp"

namespace linchpin::history {

/// Set in the id of a process that has a name; the other bits index the history's table of names.
inline constexpr ProcessId kNamedProcess = 0x80000000U;

}  // namespace linchpin::history

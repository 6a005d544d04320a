// How a ProcessId tells a number from a name.
#pragma once

#include <string>

#include "linchpin/history.hpp"

namespace linchpin::history {

/// Set in the id of a process that has a name; the other bits index the history's table of names.
inline constexpr ProcessId kNamedProcess = 0x80000000U;

/// A state's description as people read it: specifications know processes by their ids ("held by process 2147483648"),
/// the history by their names.
[[nodiscard]] std::string with_process_names(const History& history, std::string description);

}  // namespace linchpin::history

// What values of options are called: on the command line, in tokens, certificates and JSON.
#pragma once

#include <array>
#include <string_view>

#include "linchpin/explore.hpp"

namespace linchpin::explorer {

inline constexpr std::array<std::string_view, 2> kMemoryNames = {"sc", "c++20"};
inline constexpr std::array<std::string_view, 2> kOrderNames = {"real-time", "happens-before"};
inline constexpr std::array<std::string_view, 3> kReuseNames = {"none", "lifo", "fifo"};
inline constexpr std::array<std::string_view, 2> kSwitchingNames = {"fibers", "threads"};
inline constexpr std::array<std::string_view, 6> kStrategyNames = {"bounded", "random",     "pct",
                                                                   "dpor",    "exhaustive", "hitting"};

[[nodiscard]] constexpr std::string_view name_of(ExploreMemory memory) {
  return kMemoryNames[static_cast<std::size_t>(memory)];
}
[[nodiscard]] constexpr std::string_view name_of(ExploreOrder order) {
  return kOrderNames[static_cast<std::size_t>(order)];
}
[[nodiscard]] constexpr std::string_view name_of(ExploreReuse reuse) {
  return kReuseNames[static_cast<std::size_t>(reuse)];
}
[[nodiscard]] constexpr std::string_view name_of(ExploreStrategy strategy) {
  return kStrategyNames[static_cast<std::size_t>(strategy)];
}

}  // namespace linchpin::explorer

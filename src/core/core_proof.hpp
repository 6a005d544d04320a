// Whether a core proves anything. That it is not linearizable on its own is not enough: a read of a value is not, where
// the write is left out. It proves that the history is a violation if it stays one with all that may matter beside it.
// Tests: every core of the monitors' tests is held to this by code of the tests' own (tests/support/cross_check.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "history/subhistory.hpp"

namespace linchpin::core {

/// The core with all operations that may matter before its last one returned: all but the pure ones, and those that
/// were called later. Without these a linearizable history stays so. Ascending. O(n). @pre `core` is ascending
[[nodiscard]] inline std::vector<std::uint32_t> with_what_may_matter(const history::Subhistory& part,
                                                                     const std::vector<std::uint32_t>& core) {
  history::Rank end = 0;
  for (const std::uint32_t i : core) {
    if (!part.pending(i)) end = std::max(end, part.response[i]);
  }
  std::vector<std::uint32_t> kept;
  auto next = core.begin();
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    const bool in_core = next != core.end() && *next == i;
    if (in_core) ++next;
    if (in_core || (part.call[i] < end && !part.specification->pure(part.view(i)))) kept.push_back(i);
  }
  return kept;
}

/// @pre the part is a violation
/// @param violates  (const history::Subhistory&) -> bool, false also where it does not know
template <class Violates>
[[nodiscard]] bool core_proves(const history::Subhistory& part, const std::vector<std::uint32_t>& core,
                               Violates&& violates) {
  if (core.size() == part.size()) return true;  // it is what is to be proven
  if (core.empty() || !violates(history::restrict(part, core))) return false;
  const std::vector<std::uint32_t> more = with_what_may_matter(part, core);
  return more.size() == core.size() || violates(history::restrict(part, more));
}

}  // namespace linchpin::core

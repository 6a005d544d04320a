// What has to stay a violation if a core is one of the whole history: a core alone may be a violation only because
// something is left out of it that it needs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "history/subhistory.hpp"

namespace linchpin::test {

/// The core with all operations that may have made a difference before it ended: what is left out are other pure
/// operations and those that were called later. Leaving these out keeps a linearizable history so, and a violation that
/// the core shows a violation. @pre `core` is ascending
inline std::vector<std::uint32_t> what_a_core_may_need(const history::Subhistory& part,
                                                       const std::vector<std::uint32_t>& core) {
  history::Rank end = 0;
  for (const std::uint32_t local : core) {
    if (!part.pending(local)) end = std::max(end, part.response[local]);
  }
  std::vector<std::uint32_t> kept;
  for (std::uint32_t local = 0; local < part.size(); ++local) {
    const bool in_core = std::binary_search(core.begin(), core.end(), local);
    const bool matters = part.call[local] < end && !part.specification->pure(part.view(local));
    if (in_core || matters) kept.push_back(local);
  }
  return kept;
}

}  // namespace linchpin::test

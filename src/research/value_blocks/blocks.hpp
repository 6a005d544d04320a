// Value blocks: section 2.5.1 and Figures 12 to 14 of the thesis (execution.hpp).
//
// Blocks are gone through from left to right; the chains of one block may come in any order. A chain may be in several.
#pragma once

#include <vector>

#include "research/value_blocks/intervals.hpp"

namespace linchpin::research::value_blocks {

using Block = std::vector<std::size_t>;  ///< chains, by index

/// Figure 14, with the intervals of whole chains. O(n^3).
///
/// Mended: Figure 12 appends a forward block once for each reverse interval that it looks at, and Figure 13 appends a
/// variable that it does not have and keeps the initial interval, which the text deletes.
[[nodiscard]] std::vector<Block> make_blocks(const std::vector<Interval>& intervals);

}  // namespace linchpin::research::value_blocks

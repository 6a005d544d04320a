// Resolvers of false CASes: sections 2.5.2 and 2.5.3, Figures 16, 17 and 19 of the thesis (execution.hpp).
//
// A resolver of a false CAS is a value that may be in memory when it takes effect, other than the one that it found
// missing.
#pragma once

#include <vector>

#include "research/value_blocks/blocks.hpp"
#include "research/value_blocks/chains.hpp"

namespace linchpin::research::value_blocks {

/// Of what values of a chain resolve a false CAS the text and Figure 16 say different things.
enum class Chains : std::uint8_t {
  as_described,  ///< from the first one on that is not force-overridden: whose successor did not certainly come before
  as_printed,  ///< from the latest one on whose earliest operation starts before the false CAS returns; and all writes
};

/// Values that resolve each false CAS, ascending; by their order in the execution. Figure 16, in which the assignment
/// to `resolvers` is taken to stand after the loop over blocks, and Figure 17.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> resolvers(const Execution& execution,
                                                                const std::vector<Chain>& chains,
                                                                const std::vector<Interval>& intervals,
                                                                const std::vector<Block>& blocks, Chains reading);

/// Figure 19: false CASes before whose start equally many writes have returned see one value. Leaves each with what all
/// of its group have in common. @return a false CAS that is left with nothing, by its order in the execution
[[nodiscard]] std::optional<std::size_t> exclusion_check(const Execution& execution,
                                                         std::vector<std::vector<std::uint32_t>>& resolvers);

}  // namespace linchpin::research::value_blocks

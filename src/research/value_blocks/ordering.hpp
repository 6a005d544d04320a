// The order of the operations: section 2.6 of the thesis (execution.hpp).
#pragma once

#include <vector>

#include "research/value_blocks/chains.hpp"

namespace linchpin::research::value_blocks {

/// All calls in the order in which they take effect, if every check has passed and passed rightly.
/// @param resolved_by  for each false CAS, by their order in the execution, the value in memory at its moment
[[nodiscard]] std::vector<std::uint32_t> order(Execution execution, const std::vector<Chain>& chains,
                                               const std::vector<std::uint32_t>& resolved_by);

}  // namespace linchpin::research::value_blocks

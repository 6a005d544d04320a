// True CASes: section 2.4 and Figures 7 and 9 of the thesis (execution.hpp).
//
// A true CAS reads one value and writes another with nothing in between, so true CASes join values to chains. A chain
// then counts as one value.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "research/value_blocks/execution.hpp"

namespace linchpin::research::value_blocks {

/// Values in the order in which they have to be in memory, one directly after the other; mostly one.
using Chain = std::vector<std::uint32_t>;

/// Why an execution is not linearizable, with calls that are not linearizable on their own.
struct Fault {
  std::vector<std::uint32_t> calls;
  std::string sentence;
};

/// Section 2.4.1: two true CASes from one value, or a loop.
[[nodiscard]] std::optional<Fault> true_cas_fault(const history::Subhistory& part, const Execution& execution);

/// Figure 7, and the groups that follow from it; values that no true CAS mentions are chains of one. Values on which
/// there is no call are left out. @pre true_cas_fault finds nothing
[[nodiscard]] std::vector<Chain> make_chains(const Execution& execution);

/// Figure 9, the intra-group check: two neighbouring values of the chain, the first of which is not all done before the
/// second has to begin; their places.
///
/// Only neighbours are compared, as printed, and that is not enough: write(1) in [7,10], 1 -> 2 in [5,8], 2 -> 3 in
/// [4,9] and a read of 3 in [3,6] pass, though the read returned before 1 was written (docs/papers).
[[nodiscard]] std::optional<std::size_t> intra_group_check(const Execution& execution, const Chain& chain);

/// The calls on all values of the chain.
[[nodiscard]] std::vector<std::uint32_t> calls_of(const Execution& execution, const Chain& chain);

}  // namespace linchpin::research::value_blocks

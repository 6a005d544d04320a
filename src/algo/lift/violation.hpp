// What the lift of a monitor says when no choice of equal values is left.
#pragma once

#include <cstdint>
#include <vector>

#include "algo/lift/choices.hpp"
#include "algo/lift/lift.hpp"
#include "algo/lift/matching.hpp"

namespace linchpin::algo {

/// What a learned nogood was about.
struct LiftLeaf {
  std::vector<std::uint32_t> values;  ///< by their numbers in the matching
  std::vector<std::uint32_t> others;  ///< operations that found nothing, or something missing
};

/// An operation that no addition explains. Core: all operations of its value.
[[nodiscard]] core::Outcome violation_of(const history::Subhistory& part, const LiftHistory& read,
                                         const Matching& matching, const Matching::Fault& fault);

/// All choices refuted. Core: all operations of the values that the refutation rests on, what found nothing where it
/// does, and every removal that lost its result; everything where such a removal returned.
[[nodiscard]] core::Outcome violation_of(const history::Subhistory& part, const LiftHistory& read,
                                         const Matching& matching, const Choices::Refutation& refutation,
                                         const std::vector<LiftLeaf>& leaves);

}  // namespace linchpin::algo

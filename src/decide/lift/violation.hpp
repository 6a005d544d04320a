// What the lift of a monitor says when no choice of equal values is left.
#pragma once

#include <cstdint>
#include <vector>

#include "core/lift.hpp"
#include "decide/lift/choices.hpp"
#include "decide/lift/matching.hpp"

namespace linchpin::decide::lift {

/// What a learned nogood was about.
struct LiftLeaf {
  std::vector<std::uint32_t> values;  ///< by their numbers in the matching
  std::vector<std::uint32_t> others;  ///< operations that found nothing, or something missing
};

/// An operation that no addition explains. Core: all operations of its value.
[[nodiscard]] core::Outcome violation_of(const history::Subhistory& part, const core::LiftHistory& read,
                                         const Matching& matching, const Matching::Fault& fault);

/// Something was left where an operation found nothing. Core: the additions that are too many, the removals that can
/// have taken one of them, and that operation; everything where a removal returned and lost its result.
[[nodiscard]] core::Outcome violation_of(const history::Subhistory& part, const core::LiftHistory& read,
                                         const Matching& matching, const Matching::Remainder& remainder);

/// All choices refuted. Core: all operations of the values that the refutation rests on, what found nothing where it
/// does, and every removal that lost its result; everything where such a removal returned.
[[nodiscard]] core::Outcome violation_of(const history::Subhistory& part, const core::LiftHistory& read,
                                         const Matching& matching, const Choices::Refutation& refutation,
                                         const std::vector<LiftLeaf>& leaves);

}  // namespace linchpin::decide::lift

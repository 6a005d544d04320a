// The smallest d whose strong d-hitting family holds a witness of linearizability: of a whole part, or segment by
// segment between quiet points, with its witness.
//
// By segment: at a quiet point no operation is open, and what was before matters only through the state. A part has the
// depth d by segment when each segment has a schedule in its own strong d-hitting family such that they make a witness
// one after the other. All states that can be reached so are carried from segment to segment, for d = 1, 2, ...
// Source: B. Kulahcioglu Ozkan, R. Majumdar, F. Niksic, PPoPP 2019, section 4; segments are ours.
// Compare: strong_hitting.hpp, whose linearizability depth can be greater. Tests: witness_search_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/budget.hpp"
#include "history/subhistory.hpp"
#include "research/schedules/family_size.hpp"
#include "research/schedules/poset.hpp"
#include "research/schedules/state_sets.hpp"

namespace linchpin::research {

struct SegmentDepth {
  std::uint32_t first = 0;  ///< local indices [first, last)
  std::uint32_t last = 0;
  std::uint32_t depth = 0;  ///< of the schedule that the witness takes here
};

struct WitnessDepth {
  std::optional<std::uint32_t> depth;  ///< nothing: no family up to `searched` holds a witness
  std::uint32_t searched = 0;          ///< families up to this d were searched to their end, or to the witness
  std::vector<std::uint64_t> tried;    ///< by d - 1: schedules tried, each to a wrong result or to its end
  std::vector<std::uint32_t> witness;  ///< what took effect, in order, as local indices
  std::vector<SegmentDepth> segments;  ///< where it went by segment
};

/// d = 1, ..., most, until a witness is found or the budget is spent.
[[nodiscard]] WitnessDepth witness_depth(const history::Subhistory& part, const OperationPoset& poset, Family family,
                                         std::uint32_t most, core::Budget& budget);

/// The same by segment.
[[nodiscard]] WitnessDepth witness_depth_by_segment(const history::Subhistory& part, std::uint32_t most,
                                                    core::Budget& budget);

/// Local indices at which a segment begins: 0 and the quiet points, none for an empty part.
[[nodiscard]] std::vector<std::uint32_t> segment_starts(const history::Subhistory& part);

/// Whether the operations in this order, pending ones left out as needed, are legal from the initial state.
[[nodiscard]] bool is_witness(StateSets& sets, const Schedule& schedule);

}  // namespace linchpin::research

// Coordinates for the stack monitor: the gaps between events, thinned out to what elimination can tell apart.
//
// Only values with a cover take part: the operations of a coreless value fit on top of any stack, all in one gap. The
// starts and ends of the m covers are 2m endpoints in the order of their ranks; *segment* s lies after s endpoints, so
// that the set of covers is constant in it. Values are numbered k = 0, 1, ... by the start of their cover.
#pragma once

#include <cstdint>
#include <vector>

#include "algo/container.hpp"
#include "base/none.hpp"
#include "base/numbered_subset.hpp"

namespace linchpin::types {

class StackSegments {
 public:
  std::uint32_t values = 0;                  ///< m
  std::vector<algo::ValueNumber> value_of;   ///< by k
  algo::ByValue<std::uint32_t> number;       ///< k; kNone: coreless or absent
  std::vector<std::uint32_t> start;          ///< by k: position of the endpoint at which the cover starts
  std::vector<std::uint32_t> end;            ///< by k: where it ends; the cover is segments start + 1 .. end
  std::vector<std::uint32_t> push_first;     ///< by k: the push may act in segments push_first .. start
  std::vector<std::uint32_t> pop_last;       ///< by k: the pop may act in segments end + 1 .. pop_last
  std::vector<std::uint32_t> starts_before;  ///< by segment: cover starts among the endpoints before it
  std::vector<std::int32_t> endpoint;        ///< by position: k where a cover starts, ~k where one ends
  std::uint32_t completion = 0;  ///< segments beyond hold only removes after every event; 2m + 1 if none are needed

  [[nodiscard]] std::uint32_t count() const { return 2 * values + 1; }
  /// The segment in which a gap 0 .. ranks lies.
  [[nodiscard]] std::uint32_t of_gap(std::uint32_t gap) const {
    return gap == ranks_.number() ? 2 * values : endpoint_ranks_.below(gap + 1);
  }

  StackSegments(const algo::ContainerHistory& history, const algo::ContainerValues& container);

 private:
  history::Rank ranks_;
  base::NumberedSubset endpoint_ranks_;
};

}  // namespace linchpin::types

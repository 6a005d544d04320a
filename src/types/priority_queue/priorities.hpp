// Numbers the priorities of a priority queue history: 0 for the best class of equal ones, and so on.
#pragma once

#include <cstdint>
#include <vector>

#include "algo/container.hpp"
#include "history/subhistory.hpp"

namespace linchpin::types {

/// By dense value: the class of its priority, 0 the best; the last argument of an insert is the priority. Values that
/// nobody adds get class 0. O(n) for integers in a range that is small for their number, else O(n log n).
[[nodiscard]] std::vector<std::uint32_t> priority_classes(const history::Subhistory& part,
                                                          const algo::ContainerHistory& history, bool largest_first);

/// The classes of a part's values.
[[nodiscard]] std::vector<std::uint32_t> priority_classes(const algo::ContainerPart& part, std::uint32_t values,
                                                          const std::vector<std::uint32_t>& whole);

}  // namespace linchpin::types

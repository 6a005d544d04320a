// How many distinct schedules a family has. Two schedules count as one where their 64-bit fingerprints agree.
#pragma once

#include <cstdint>
#include <vector>

#include "core/budget.hpp"
#include "research/schedules/poset.hpp"

namespace linchpin::research {

/// Which construction of strong d-hitting families.
enum class Family : std::uint8_t {
  enumerated,  ///< enumeration.hpp: the schedules of the closed form, with at most d - 1 delays
  published,   ///< published.hpp: Algorithm 1
};

/// The sizes for d = 1, ..., most; fewer where a family has more than `limit` schedules or the budget is spent.
/// Cost: that of making the schedules; 8 bytes a schedule.
[[nodiscard]] std::vector<std::uint64_t> family_sizes(const OperationPoset& poset, Family family, std::uint32_t most,
                                                      std::uint64_t limit, core::Budget& budget);

/// A fingerprint of a sequence of operations that depends on their order.
[[nodiscard]] std::uint64_t fingerprint(const Schedule& schedule);

}  // namespace linchpin::research

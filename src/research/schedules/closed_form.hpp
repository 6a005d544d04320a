// The schedule of an index (chain, x_1 ... x_{d-1}) as one stable sort.
//
// Give each operation y the key (level, count): the level is the greatest j >= 1 with x_j <= y in the poset, or 0; the
// count is how many operations of the chain are <= y. The order of the calls, sorted stably by this key, strongly hits
// (x_0, x_1, ..., x_{d-1}) for every x_0 of the chain: both parts of the key are monotone along happens-before, so it
// is a linear extension; what stands at or after x_i has at least x_i's level, which is at least i; what stands at or
// after x_0 on level 0 has at least its count, so it is above x_0. The schedule need not be Algorithm 1's.
// Cost: O(n d) a schedule. Source: ours. Compare: published.hpp, enumeration.hpp. Tests: schedules_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "research/schedules/poset.hpp"

namespace linchpin::research {

/// Makes schedules one after the other; holds what it needs in between.
class ClosedForm {
 public:
  explicit ClosedForm(const OperationPoset& poset) : poset_(poset), key_(poset.size()) {}

  /// Writes the schedule of the index into `schedule`.
  void schedule(std::uint32_t chain, std::span<const std::uint32_t> tuple, Schedule& schedule);

 private:
  const OperationPoset& poset_;
  std::vector<std::uint32_t> key_;     // by operation: level and count as one number
  std::vector<std::uint32_t> starts_;  // by key: where its operations begin
  std::vector<std::uint32_t> members_;
};

}  // namespace linchpin::research

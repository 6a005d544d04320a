// Executes a bag in place, for witnesses of any length: O(1) a step.
//
// Possible as long as every operation leaves one state. Where a lost result leaves open which of several values was
// taken, all possible states are kept from there on, as for any nondeterministic type. Tests: bag_test.cpp.
#pragma once

#include <memory>
#include <span>

#include "types/bag/specification.hpp"
#include "types/executed.hpp"

namespace linchpin::types {

class BagReplay final : public Replay {
 public:
  bool step(const Operation& operation) override;
  std::size_t steps(std::span<const Operation> operations) override;

 private:
  bool step_in_place(const Operation& operation);
  bool take(const Operation& operation);

  MemberCounts inside_;
  std::unique_ptr<Replay> states_;  // where all states are kept
};

}  // namespace linchpin::types

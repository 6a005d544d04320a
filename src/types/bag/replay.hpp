// Executes a bag in place, for witnesses of any length: O(1) a step.
//
// Possible as long as every operation leaves one state. Where a lost result leaves open which of several values was
// taken, all possible states are kept from there on, as for any nondeterministic type. Tests: bag_test.cpp.
#pragma once

#include "types/bag/specification.hpp"
#include "types/executed.hpp"
#include "types/replay_from.hpp"

namespace linchpin::types {

class BagReplay final : public ReplayInPlaceAtFirst {
 private:
  bool step_in_place(const Operation& operation) override;
  bool take(const Operation& operation);

  MemberCounts inside_;
};

}  // namespace linchpin::types

// Executes a bag in place, for witnesses of any length: O(1) a step.
//
// Possible as long as every operation leaves one state. Where a lost result leaves open which of several values was
// taken, all possible states are kept from there on, as for any nondeterministic type. Tests: bag_test.cpp.
#pragma once

#include <memory>

#include <absl/container/flat_hash_map.h>

#include "types/bag/specification.hpp"

namespace linchpin::types {

class BagReplay final : public Replay {
 public:
  bool step(const Operation& operation) override;

 private:
  struct Inside {
    Value value;
    std::size_t count = 0;
  };
  using Contents = absl::flat_hash_map<std::uint64_t, Inside>;  // by the value's bits

  bool take(const Operation& operation);
  void remove_one(Contents::iterator at);
  /// From here on all states are kept, those after what is inside now.
  void keep_states();

  Contents inside_;
  std::size_t size_ = 0;
  std::unique_ptr<Replay> states_;
};

}  // namespace linchpin::types

// Executes a priority queue in place, for witnesses of any length: O(log n) a step.
//
// Priorities in a tree, and what each has in it: a queue where the oldest goes first, else a sorted list. That is
// possible as long as every operation leaves one state. Where a lost result leaves a choice among equals, and from the
// first where priorities are only partially ordered, all possible states are kept, as for any nondeterministic type.
// Tests: priority_queue_test.cpp.
#pragma once

#include <deque>
#include <map>
#include <memory>

#include "types/priority_queue/specification.hpp"

namespace linchpin::types {

class PriorityQueueReplay final : public Replay {
 public:
  explicit PriorityQueueReplay(PriorityQueue specification);
  bool step(const Operation& operation) override;

 private:
  struct GoesFirst {
    const PriorityQueueReplay* replay;
    bool operator()(Value left, Value right) const;
  };
  using Equals = std::deque<Value>;  // by age, or ascending by bits

  bool insert(const Operation& operation);
  bool remove_first(const Operation& operation);
  /// From here on all states are kept, those after what is inside now.
  void keep_states();

  PriorityQueue specification_;
  const ValuePool* pool_ = nullptr;  // of the operations
  std::map<Value, Equals, GoesFirst> inside_;
  std::size_t size_ = 0;
  std::unique_ptr<Replay> states_;
};

}  // namespace linchpin::types

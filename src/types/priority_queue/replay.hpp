// Executes a priority queue in place, for witnesses of any length: O(log n) a step.
//
// What is inside lies in a tree, by priority, and by age or value among equals. That is possible as long as every
// operation leaves one state. Where a lost result leaves a choice among equals, and from the first where priorities are
// only partially ordered, all possible states are kept, as for any nondeterministic type. Tests:
// priority_queue_test.cpp.
#pragma once

#include <cstdint>
#include <type_traits>

#include <absl/container/btree_set.h>

#include "types/priority_queue/specification.hpp"
#include "types/replay_from.hpp"

namespace linchpin::types {

class PriorityQueueReplay final : public ReplayInPlaceAtFirst {
 public:
  explicit PriorityQueueReplay(PriorityQueue specification);

 private:
  struct Entry {
    Value priority;
    std::uint64_t place;  // among equal priorities: its age where the oldest goes first, else the value's bits
    Value value;
  };
  struct GoesFirst {
    using absl_btree_prefer_linear_node_search = std::true_type;  // a node has ten: its branches are foreseen better
    const PriorityQueueReplay* replay;
    bool smallest;  // of integers
    bool operator()(const Entry& left, const Entry& right) const;
  };
  using Entries = absl::btree_multiset<Entry, GoesFirst>;

  bool step_in_place(const Operation& operation) override;
  bool insert(const Operation& operation);
  /// An entry of the first priority that the operation's result shows; the end where there is none.
  [[nodiscard]] Entries::const_iterator shown_first(const Operation& operation) const;
  bool remove_first(const Operation& operation);
  /// From here on all states are kept, those after what is inside now.
  void keep_states();

  PriorityQueue specification_;
  const ValuePool* pool_ = nullptr;  // of the operations
  Entries inside_;
  std::uint64_t inserted_ = 0;
};

}  // namespace linchpin::types

// Executes a priority queue in place, for witnesses of any length: O(log n) a step.
//
// Priorities in a tree, and what each has in it: a queue where the oldest goes first, else a sorted list. That is
// possible as long as every operation leaves one state. Where a lost result leaves a choice among equals, and from the
// first where priorities are only partially ordered, all possible states are kept, as for any nondeterministic type.
// Tests: priority_queue_test.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>

#include <absl/container/btree_map.h>
#include <absl/container/inlined_vector.h>

#include "types/priority_queue/specification.hpp"

namespace linchpin::types {

class PriorityQueueReplay final : public Replay {
 public:
  explicit PriorityQueueReplay(PriorityQueue specification);
  bool step(const Operation& operation) override;

 private:
  struct GoesFirst {
    const PriorityQueueReplay* replay;
    bool smallest;  // of integers
    bool operator()(Value left, Value right) const;
  };
  /// The values of one priority, mostly one: by age, or ascending by bits. The first leaves in O(1), in the long run.
  class Equals {
   public:
    using Values = absl::InlinedVector<Value, 2>;
    [[nodiscard]] Values::const_iterator begin() const { return values_.begin() + left_; }
    [[nodiscard]] Values::const_iterator end() const { return values_.end(); }
    [[nodiscard]] bool empty() const { return begin() == end(); }
    void insert(Values::const_iterator at, Value value) { values_.insert(at, value); }
    void erase(Values::const_iterator gone) {
      if (gone != begin()) {
        values_.erase(gone);
      } else if (++left_ > std::ptrdiff_t{kFew} && 2 * left_ > static_cast<std::ptrdiff_t>(values_.size())) {
        values_.erase(values_.begin(), begin());
        left_ = 0;
      }
    }

   private:
    static constexpr int kFew = 16;
    Values values_;
    std::ptrdiff_t left_ = 0;  // as many at the beginning are there no more
  };

  bool insert(const Operation& operation);
  bool remove_first(const Operation& operation);
  /// From here on all states are kept, those after what is inside now.
  void keep_states();

  PriorityQueue specification_;
  const ValuePool* pool_ = nullptr;  // of the operations
  absl::btree_map<Value, Equals, GoesFirst> inside_;
  std::size_t size_ = 0;
  std::unique_ptr<Replay> states_;
};

}  // namespace linchpin::types

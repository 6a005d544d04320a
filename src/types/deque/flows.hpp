// The values of a deque that are pushed at one end and popped at the other, beside two stacks of all others.
//
// Two values that are both inside at some time exclude or demand something of each other, by the ends of their push and
// pop (F front, B back):
//   FF, FF or BB, BB   nested, as in a stack
//   FF, BB             nothing
//   FB, FB or BF, BF   first in, first out
//   FB, BF             never both inside
//   FF, and FB or BF   no push of FB, no pop of BF while the FF value is inside; BB likewise, of the other two
// So a deque is a front stack, a back stack and a queue whose direction may turn when it is empty; each operation of
// the queue finds the stack at its end empty.
//
// Idea. A stack may be taken to be empty at all gaps outside the covers of its values at once, and is certainly not
// empty inside one (docs/design/monitors.md, flushing). So each push and pop of a flow has a first and a last gap, in
// the gaps that its end leaves open. A flow whose last gap of the push comes before the first gap of the pop certainly
// stays inside in between, which closes these gaps to the other direction. That moves other bounds, and so on until
// nothing changes. Then flows fit iff no two of opposite directions certainly stay at one time, and in each direction
// no value must be pushed before another one and popped after it.
//
// Cost: O(n) a round; two or three rounds in all histories met. Proof: docs/design/monitors.md, deques. Source: own.
// Tests: deque_monitor_test.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "algo/bitset.hpp"
#include "algo/container.hpp"
#include "core/budget.hpp"

namespace linchpin::types::deque {

/// The gaps of a push and a pop; `part` is the number of empty answers before it.
struct Flow {
  algo::ValueNumber value = 0;
  algo::Gaps push, pop;
  std::uint32_t part = 0;
  /// Certainly inside between the last gap of its push and the first of its pop.
  [[nodiscard]] bool certainly_stays() const { return push.last < pop.first; }
};

/// An operation that found the deque empty, and the gap at which it did.
struct Cut {
  std::uint32_t gap = 0;
  std::uint32_t operation = 0;
};

class Flows {
 public:
  enum class Fault : std::uint8_t { none, no_gap, crossed, overtaken, spent };

  /// Of the direction from the front (0) or from the back (1).
  void add(std::uint32_t from_back, const Flow& flow) { flows_[from_back].push_back(flow); }
  [[nodiscard]] bool empty() const { return flows_[0].empty() && flows_[1].empty(); }

  /// Finds the bounds, or why there are none.
  /// @param open  by end: the gaps at which its stack may be empty
  /// @param cuts  ascending
  Fault settle(std::array<algo::Bitset, 2> open, const std::vector<Cut>& cuts, core::Budget& budget);

  /// After a fault: gaps about which the values are that show it.
  [[nodiscard]] algo::Gaps place() const { return place_; }

  /// A step of a flow, in a gap.
  struct Step {
    std::uint32_t gap = 0;
    algo::ValueNumber value = 0;
    bool pops = false, at_back = false;
    std::uint32_t part = 0;
  };
  /// After no fault: the steps of a linearization, in order.
  [[nodiscard]] std::vector<Step> linearize() const;

 private:
  bool tighten(std::uint32_t from_back, Flow& flow);
  bool crossed();
  bool overtaken(const std::vector<Flow>& flows);

  std::uint32_t gaps_ = 0;
  std::array<std::vector<Flow>, 2> flows_;
  std::array<algo::Bitset, 2> push_gaps_, pop_gaps_;  // by direction
  algo::Gaps place_;
};

}  // namespace linchpin::types::deque

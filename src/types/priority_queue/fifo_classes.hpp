// First in, first out among values of equal priority.
//
// Let G be the gaps outside all covers of strictly better classes. For an operation o (remove or look) of the class,
// first(o) and last(o) are the first and last gap of G in its interval; F(v) = greatest first(o), L(v) = least last(o)
// over the removes and looks of v. Then u must come before v in the class's queue if (A) u's add certainly comes before
// v's, ra(u) < add_call(v), or (B) L(u) < F(v). A class can be ordered iff these relations have no cycle. (Only order
// matters for a queue that is never asked whether it is empty, so removes may be snapped to gaps of G; classes do not
// interact beyond G.) Removes alone make cycles of two, looks also of three.
//
// Elimination: v may come next when add_call(v) <= the least ra of the rest and F(v) <= the least L of the others. Both
// bounds only grow, so monotone pointers do: O(c log c) for a class of c values. When nobody may come next, everybody
// has a predecessor among three values (least ra, least and second least L), and following them finds the cycle.
//
// Witness. Let E be the gaps of G that no cover of the class contains. A coreless value with such a gap in [ip, ra)
// comes and goes there at once. Every other value lies between two neighbouring gaps of E, its block; its operations
// are clipped to the block, the block is ordered by itself, adds are placed greedily in this order, and then looks and
// removes at gaps of G. Where a gap is an end of a block, the block on its left acts before the flush point.
// Tests: priority_queue_monitor_test.cpp, by replay.
#pragma once

#include <cstdint>
#include <vector>

#include "types/priority_queue/check.hpp"

namespace linchpin::types {

class FifoClasses {
 public:
  FifoClasses(PriorityQueueCheck& check, bool record_witness);

  /// Whether the class order_[first, last) can be ordered, with its better classes closed; else notes the cycle.
  bool order(std::uint32_t first, std::uint32_t last);
  /// Places the operations of the class, which is closed now. False should not happen; there is no witness then.
  bool place(std::uint32_t first, std::uint32_t last);

 private:
  /// One value in the ordering.
  struct Member {
    algo::ValueNumber value = 0;
    std::uint32_t add_first = 0, add_last = 0;          // gaps of the add
    std::uint32_t latest_first = 0, earliest_last = 0;  // F and L
    std::uint32_t block = 0, block_end = 0;             // gaps of E around it
  };
  /// Sorts the members into a legal order, in place; false with `cycle` filled where there is none.
  static bool sort(std::vector<Member>& members, std::vector<algo::ValueNumber>& cycle);
  bool place_block(std::vector<Member>& block);

  PriorityQueueCheck& check_;
  bool record_witness_;
  std::vector<Member> members_;
  std::vector<std::uint32_t> first_, last_;  // by operation, for the witness
};

}  // namespace linchpin::types

// Whether the steals of a work-stealing deque fit its owner's program: one pass.
//
// The owner's operations follow each other, at the back; thieves take at the front. So all orders are given: the values
// that the owner pops nest in its program, and all others leave at the front in the order of their pushes. What is left
// is time, and the earliest times decide. Along the program, with `owner` the gap of the owner's operation and `thief`
// that of the last steal:
//   each operation of the owner     owner = max(owner, its call); where it found nothing, also thief
//   push of a value that is stolen  thief = max(thief, call of the steal, owner)
//   push of a value nobody took, before a stolen one or an empty answer of the owner
//                                   thief = max(thief, call of the first pending steal that is left, owner)
// Each has to be before the response. No value that is stolen or stays, and no empty answer of the owner, may be in the
// program between the push and the pop of a value that the owner pops. Pending steals are interchangeable but for their
// calls, and values leave in the order of the program: the first called takes the first.
//
// Whoever else found the deque empty needs a gap outside the covers of all values, and is an answer at the first one
// (docs/design/monitors.md, flushing); values whose last call is later come after it. Not together with both pending
// steals and values that nobody took.
// Cost O(n). Source: own; the deque is Chase and Lev's (2005). Tests: work_stealing_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "algo/container.hpp"
#include "base/none.hpp"

namespace linchpin::types::deque {

class Steals {
 public:
  enum class Result : std::uint8_t {
    linearizable,
    value_fault,
    stuck,          ///< the owner popped a value over which another one was that leaves at the front
    not_nested,     ///< the owner's own pushes and pops are no stack
    not_empty,      ///< the owner found it empty with its own value inside
    owner_late,     ///< the owner found it empty before the last value could be stolen
    out_of_order,   ///< a steal returned before a value in front could be stolen
    not_taken,      ///< nobody can have taken a value that was in front
    covered_empty,  ///< a thief found it empty, and it was not
  };

  /// Keeps references, and marks in the history what does not matter.
  /// @param at_back  by operation: 0 or 1
  Steals(algo::ContainerHistory& history, std::span<const std::uint8_t> at_back)
      : history_(history), at_back_(at_back) {}

  Result run(bool record_witness);

  /// After linearizable with `record_witness`: what took effect, in order.
  [[nodiscard]] const std::vector<std::uint32_t>& witness() const { return order_; }
  /// After a violation: operations that are not linearizable on their own, not yet shrunk.
  [[nodiscard]] std::vector<std::uint32_t> core() const;

  [[nodiscard]] const std::optional<algo::ValueFault>& fault() const { return fault_; }
  [[nodiscard]] const algo::ContainerValues& container() const { return container_; }
  /// After another violation: the operation that is not possible.
  [[nodiscard]] std::uint32_t blocked() const { return blocked_; }
  /// The value in the way; none: there is none.
  [[nodiscard]] algo::ValueNumber in_the_way() const { return in_the_way_; }

 private:
  /// An operation that took effect, and where it stands: by gap, then by `order` (of the program).
  struct Placed {
    std::uint32_t gap = 0;
    std::uint64_t order = 0;
    std::uint32_t operation = 0;
  };
  struct Cut {
    std::uint32_t gap = 0;
    std::uint32_t operation = 0;
  };

  [[nodiscard]] bool owners(algo::ValueNumber value) const;
  void read_program();
  bool nests();
  bool place_empties();
  Result place_all(bool record);
  Result fail(Result result, std::uint32_t blocked, algo::ValueNumber in_the_way = algo::ValueNumber::none());

  algo::ContainerHistory& history_;
  std::span<const std::uint8_t> at_back_;
  algo::ContainerValues container_;
  std::optional<algo::ValueFault> fault_;
  std::vector<std::uint32_t> program_;  // the owner's operations
  std::vector<std::uint32_t> pending_;  // steals of unknown result, by call
  std::size_t last_known_ = 0;          // values before it in the program have left at some time
  std::vector<Cut> cuts_;               // what thieves found empty, by gap
  std::uint32_t blocked_ = kNone;
  algo::ValueNumber in_the_way_ = algo::ValueNumber::none();
  std::vector<std::uint32_t> order_;
  std::vector<algo::ValueNumber> suspects_;  // values of the core, besides that of `blocked_`
  Result result_ = Result::linearizable;
};

}  // namespace linchpin::types::deque

// A search for queues whose values are counted, in which each add says at once which value it puts in.
//
// Depth first over the events. What takes effect does so just before the response of an operation x that has not taken
// effect yet; tests that hold take effect at once, since they change nothing. Before the response of x:
//
//   remove the front, if its remove is open
//   add an open value, unless another open value must leave before it, or another one is as good in all three of: must
//   enter by, may leave from, must leave by (values that nobody looked at). If both roles were exchanged, nothing else
//   would see a difference.
//
// Reasons. All points as late as possible: a remove other than x needs, later before the same response, a test that is
// met, or an add that fills the queue, or x is a remove. An add other than x needs a test that is met, or x is an add,
// or x removes the value added last. Without one it could have waited, and the branch is dropped.
//
// A node is (event, what took effect, the values inside in order, which reasons are owed), kept as 128 bits in a memo.
// Exact. Cost: exponential in what overlaps at worst. Source: docs/design/search.md, section on counted queues.
#pragma once

#include <cstdint>
#include <vector>

#include "types/queue/counted.hpp"
#include "types/queue/counted_parts.hpp"
#include "types/queue/depth_first.hpp"

namespace linchpin::types::queue {

struct EarlyBindingFrame {
  Moment event;
  std::uint32_t x;
  bool remove_owes, add_owes;  // reasons
  std::uint32_t moves, next;   // places in moves_
  std::size_t order;
  std::size_t inside;
  std::size_t head;
  std::size_t used;
  SearchKey key;
};

class EarlyBinding : public DepthFirst<EarlyBinding, EarlyBindingFrame> {
 public:
  /// What is tried first where x is not inside: its own add, or the value that leaves first.
  enum class First : std::uint8_t { own, leaving };

  EarlyBinding(const history::Subhistory& part, const CountedHistory& history, First first);

  [[nodiscard]] bool may_grow(core::Budget& budget) const { return met_.may_grow(budget); }

  /// What took effect, in order.
  [[nodiscard]] const std::vector<std::uint32_t>& order() const { return order_; }
  /// The farthest event that was reached.
  [[nodiscard]] Moment farthest() const { return farthest_; }

 private:
  using Frame = EarlyBindingFrame;
  friend class DepthFirst<EarlyBinding, EarlyBindingFrame>;

  static constexpr std::uint32_t kRemoveFront = 0xfffffffeU;

  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(inside_.size() - head_); }
  [[nodiscard]] const CountedValue& value_of(std::uint32_t op) const { return history_.values[history_.value[op]]; }
  [[nodiscard]] bool is_test(std::uint32_t op) const {
    return history_.act[op] == ActKind::count || history_.act[op] == ActKind::look;
  }
  [[nodiscard]] bool holds(std::uint32_t op) const;
  [[nodiscard]] bool may_remove() const;

  void take(std::uint32_t op);
  void add(ValueNumber value);
  void remove_front();
  void meet_tests();

  bool reach_response();
  void open(std::uint32_t op);
  void undo_events(Moment to);
  void undo_to(const Frame& frame);
  void enter();
  bool follow(Frame& frame, std::uint32_t move);

  void list_moves(std::uint32_t x);
  void list_adds();
  [[nodiscard]] bool as_good(ValueNumber a, ValueNumber b) const;
  [[nodiscard]] int direction_of_tests(std::int64_t open_adds) const;
  void push(std::uint32_t move) { moves_.push_back(move); }

  const history::Subhistory& part_;
  const CountedHistory& history_;
  First first_;

  UndoList adds_, tests_;  // open ones, those that took effect among them
  std::vector<std::uint8_t> done_;
  std::vector<std::uint32_t> order_;
  std::vector<ValueNumber> inside_;  // values in the order of their adds; from head_ on they are there
  std::size_t head_ = 0;
  std::size_t used_ = 0;  // pending removes
  SearchKey key_;
  Moment event_ = 0;  // the next
  bool remove_owes_ = false, add_owes_ = false;

  std::vector<ValueNumber> candidates_;
  MetKeys met_;
  Moment farthest_ = 0;
};

}  // namespace linchpin::types::queue

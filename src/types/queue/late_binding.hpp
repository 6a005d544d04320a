// A search for queues whose values are counted, in which an add is only a moment: which value it put in is chosen when
// it leaves.
//
// So orders of values are not fixed long before they matter. Windows are narrowed first. What is kept true: the moments
// in the queue can be matched to values that may have entered then and have not left, with every value that is due by
// now among them (earliest deadline first). Before the response of x, with moment t:
//
//   a new moment t; or the front moment gets a value whose remove is open, which leaves, the rest still matching: only
//   values that are least in (must enter by, must leave by), by exchange of roles.
//   If x is an add, and the matching serves all that is due, nothing needs to be done. But another open value that
//   enters later and leaves sooner may want a moment before x's: then it is tried to go on, and to do more. A quick
//   search goes on always: it finds linearizations, and proves nothing.
//
// Reasons are those of early binding (early_binding.hpp), but at moments at which several windows end nothing is owed.
// No looks at values, no pending removes. Exact, but for the quick form. Source: docs/design/search.md.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "types/queue/counted.hpp"
#include "types/queue/counted_parts.hpp"
#include "types/queue/depth_first.hpp"

namespace linchpin::types::queue {

struct LateBindingFrame {
  std::size_t event;
  std::uint32_t x;
  bool remove_owes, add_owes;
  std::uint32_t moves, next;
  std::size_t trail;
  SearchKey key;
};

class LateBinding : public DepthFirst<LateBinding, LateBindingFrame> {
 public:
  /// @param history  its windows narrowed; no value is looked at, no remove is pending
  LateBinding(const history::Subhistory& part, const CountedHistory& history, bool quick);

  [[nodiscard]] bool may_grow(core::Budget& budget) const { return met_.may_grow(budget); }

  /// A linearization, when found.
  [[nodiscard]] std::vector<std::uint32_t> order() const;

 private:
  using Frame = LateBindingFrame;
  friend class DepthFirst<LateBinding, LateBindingFrame>;

  static constexpr std::uint32_t kNewMoment = 0xfffffffeU;
  static constexpr std::uint32_t kGoOn = 0xfffffffdU;

  struct WindowEnd {
    Moment moment;
    std::uint8_t side;  // at one moment: calls, then responses of removes and tests, then those of adds
    std::uint32_t op;
  };
  enum class Step : std::uint8_t { opened, closed, took, added, removed };
  struct Trace {
    Step step;
    std::uint32_t what;  // operation; for removed the value
  };
  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(moments_.size() - head_); }
  [[nodiscard]] const CountedValue& value_of(std::uint32_t op) const { return history_.values[history_.value[op]]; }
  [[nodiscard]] bool is(std::uint32_t op, ActKind act) const { return history_.act[op] == act; }
  [[nodiscard]] bool holds(std::uint32_t op) const { return history_.range[op].holds(count()); }
  /// The end of the window of x, at whose response the search stands.
  [[nodiscard]] Moment deadline(std::size_t event) const { return events_[event].moment; }
  [[nodiscard]] bool several_end(std::size_t event) const;

  void sort_events();
  void open(std::uint32_t op);
  void close(std::uint32_t op);
  void take(std::uint32_t op);
  void meet_tests();
  void undo_to(const Frame& frame);

  template <class Serve>
  bool match(std::size_t from, std::uint32_t without, Moment due, Serve serve) const;
  [[nodiscard]] bool matches(std::size_t from, std::uint32_t without, Moment due) const;
  [[nodiscard]] bool has_rival(std::uint32_t add, Moment now) const;

  bool reach_response();
  void enter();
  bool follow(const Frame& frame, std::uint32_t move);
  void list_moves(std::uint32_t x);
  void list_leaving(Moment now);
  [[nodiscard]] int direction_of_tests(std::int64_t open_adds, std::int64_t removable) const;

  const history::Subhistory& part_;
  const CountedHistory& history_;
  bool quick_;
  std::vector<WindowEnd> events_;

  UndoList adds_;     // called, of values that have not left
  UndoList removes_;  // open, of values that have not left
  UndoList tests_;    // open
  std::vector<std::uint8_t> done_;
  std::vector<Moment> moments_;  // of adds, in order; from head_ on they are inside
  std::size_t head_ = 0;
  std::vector<Trace> trail_;
  SearchKey key_;
  std::size_t event_ = 0;
  std::size_t gone_on_ = SIZE_MAX;  // the event at which it was chosen to go on
  bool remove_owes_ = false, add_owes_ = false;

  std::vector<ValueNumber> leaving_, least_;
  mutable std::vector<std::pair<Moment, std::uint32_t>> heap_;
  MetKeys met_;
};

}  // namespace linchpin::types::queue

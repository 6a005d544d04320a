// Runs the automata of a type online: over events as they happen, with memory that does not grow with their number.
//
//   OnlineWatch watch(specification, pool);
//   watch.call_add(watch.value(name), priority);  ...
//   if (const auto alarm = watch.return_remove(value)) ...   // alarm->automaton accepts at this event
//
// A remove is reported with its value when it is called, which the reader of finished operations knows. What is
// remembered: the values that are in the container or on their way, with what order_watch.hpp says of each type.
// An execution in which no value is added while an equal one is there is refuted at some event iff it is not
// linearizable; removes that never return may be left out, and then an alarm is certain only if it is `of_one_value`.
// After an alarm that is not, the watch may go on.
// Not re-entrant. Tests: tests/cross/automata_test.cpp.
#pragma once

#include <memory>
#include <optional>

#include "research/automata/online/order_watch.hpp"
#include "research/automata/online/values.hpp"

namespace linchpin::automata {

class OnlineWatch {
 public:
  /// @pre family_of(specification) is not null. `pool` holds the priorities; both outlive the watch.
  OnlineWatch(const Specification& specification, const ValuePool& pool);

  [[nodiscard]] Slot value(const ValueName& name) { return values_.find(name); }

  /// `priority` is not looked at where the type has none.
  std::optional<Alarm> call_add(Slot value, Value priority);
  void return_add(Slot value);
  void call_remove(Slot value);
  std::optional<Alarm> return_remove(Slot value);
  /// A remove that finds nothing; what it gives is for `return_empty`.
  [[nodiscard]] Moment call_empty();
  std::optional<Alarm> return_empty(Moment called);

  /// Forgets the priorities of values that are forgotten: replaces each of the others by what `moved` makes of it,
  /// which is in `pool`; the old pool is no longer needed. O(n log n) for n values.
  template <class Moved>
  void move_priorities(Moved&& moved, const ValuePool& pool) {
    for (Slot slot = 0; slot < values_.slots(); ++slot) values_[slot].priority = moved(values_[slot].priority);
    order_->priorities_moved(pool);
  }

  [[nodiscard]] Moment events() const { return now_; }
  [[nodiscard]] std::size_t values() const { return values_.size(); }
  [[nodiscard]] std::size_t runs() const { return order_->runs(); }
  [[nodiscard]] bool gave_up() const { return order_->gave_up(); }

 private:
  void note_nothing() {
    if (in_ == 0) last_nothing_ = now_;
  }
  void forget_if_finished(Slot value) {
    if (values_[value].finished()) values_.forget(value);
  }

  OnlineValues values_;
  std::unique_ptr<OrderWatch> order_;
  Moment now_ = 0;
  Moment last_nothing_ = 0;  // the last event after which nothing was in
  std::size_t in_ = 0;
};

}  // namespace linchpin::automata

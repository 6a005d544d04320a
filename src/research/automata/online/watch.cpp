#include "research/automata/online/watch.hpp"

#include "research/automata/execution.hpp"
#include "types/priority_queue/specification.hpp"
#include "types/queue/specification.hpp"

namespace linchpin::automata {

namespace {

std::unique_ptr<OrderWatch> order_watch(const Specification& specification, const OnlineValues& values,
                                        const ValuePool& pool) {
  if (specification.get_if<types::PriorityQueue>() != nullptr) return watch_priority_order(values, specification, pool);
  return specification.get_if<types::Queue>() != nullptr ? watch_queue_order(values) : watch_stack_order(values);
}

Alarm about_one(std::string_view automaton, const OnlineValue& value) {
  return {.automaton = std::string(automaton), .values = {{"b", value.name.to_text()}}, .of_one_value = true};
}

}  // namespace

OnlineWatch::OnlineWatch(const Specification& specification, const ValuePool& pool)
    : order_(order_watch(specification, values_, pool)) {}

std::optional<Alarm> OnlineWatch::call_add(Slot value, Value priority) {
  OnlineValue& added = values_[value];
  const bool again = added.add_called != 0;
  ++now_;
  if (again) {
    Alarm alarm = about_one("added-twice", added);
    alarm.precondition = true;
    return alarm;
  }
  added.add_called = now_;
  added.priority = priority;
  order_->add_called(value);
  note_nothing();
  return std::nullopt;
}

void OnlineWatch::return_add(Slot value) {
  OnlineValue& added = values_[value];
  added.add_returned = ++now_;
  if (added.remove_called == 0) {
    added.in = true;
    ++in_;
  }
  order_->add_returned(value);
  note_nothing();
  forget_if_finished(value);
}

void OnlineWatch::call_remove(Slot value) {
  OnlineValue& removed = values_[value];
  ++removed.removes_open;
  ++now_;
  if (removed.remove_called == 0) {
    removed.remove_called = now_;
    const bool was_in = removed.in;
    if (was_in) --in_;
    removed.in = false;
    order_->remove_called(value, was_in);
  }
  note_nothing();
}

std::optional<Alarm> OnlineWatch::return_remove(Slot value) {
  OnlineValue& removed = values_[value];
  ++now_;
  note_nothing();
  // One of the three accepts: the add is called yet or never, or all of the value was forgotten since.
  if (removed.add_called == 0) {
    return about_one("removed-before-added, removed-never-added or removed-twice", removed);
  }
  if (removed.removes_returned > 0) return about_one("removed-twice", removed);
  ++removed.removes_returned;
  --removed.removes_open;
  auto alarm = order_->remove_returned(value);
  forget_if_finished(value);
  return alarm;
}

Moment OnlineWatch::call_empty() {
  ++now_;
  note_nothing();
  return now_;
}

std::optional<Alarm> OnlineWatch::return_empty(Moment called) {
  const bool covered = last_nothing_ < called;
  ++now_;
  note_nothing();
  if (!covered) return std::nullopt;
  return Alarm{.automaton = "empty", .values = {}};
}

}  // namespace linchpin::automata

#include "types/priority_queue/replay.hpp"

#include <iterator>
#include <limits>
#include <utility>

namespace linchpin::types {

namespace {

constexpr std::uint64_t kLast = std::numeric_limits<std::uint64_t>::max();  // among equal priorities

}  // namespace

std::unique_ptr<Replay> PriorityQueue::make_replay() const { return std::make_unique<PriorityQueueReplay>(*this); }

bool PriorityQueueReplay::GoesFirst::operator()(const Entry& left, const Entry& right) const {
  if (left.priority == right.priority) return left.place < right.place;
  if (left.priority.is_integer() && right.priority.is_integer()) {  // most are, and the order is total here
    return (left.priority.integer() < right.priority.integer()) == smallest;
  }
  const auto order = replay->specification_.order.extended(left.priority, right.priority, *replay->pool_);
  return order != 0 ? order < 0 : left.place < right.place;
}

PriorityQueueReplay::PriorityQueueReplay(PriorityQueue specification)
    : specification_(std::move(specification)),
      inside_(GoesFirst{this, specification_.order.kind() == PriorityOrder::Kind::smallest}) {
  if (!specification_.order.total()) keep_states();
}

void PriorityQueueReplay::keep_states() {
  PriorityQueue::State state;
  for (const Entry& entry : inside_) state.push_back({entry.priority, entry.value});
  keep_states_from(specification_, std::move(state));
}

bool PriorityQueueReplay::step_in_place(const Operation& operation) {
  pool_ = operation.pool;
  switch (operation.method) {
    case PriorityQueue::kInsert: return insert(operation);
    case PriorityQueue::kPoll: return remove_first(operation);
    case PriorityQueue::kPeek:
      return inside_.empty() ? operation.returns(Value::nil()) : shown_first(operation) != inside_.end();
    case PriorityQueue::kSize: return returns_number(operation, static_cast<std::int64_t>(inside_.size()));
    default: return operation.returns(inside_.empty());
  }
}

bool PriorityQueueReplay::insert(const Operation& operation) {
  if (specification_.full(inside_.size())) return says_false(operation) || operation.result_unknown();
  if (specification_.refused(operation) || !operation.acknowledged(0)) return false;
  const Value value = operation.argument(0);
  inside_.insert({.priority = operation.arguments.back(),
                  .place = specification_.fifo_ties ? inserted_++ : value.bits(),
                  .value = value});
  return true;
}

PriorityQueueReplay::Entries::const_iterator PriorityQueueReplay::shown_first(const Operation& operation) const {
  const auto first = inside_.begin();
  if (first == inside_.end() || operation.returns(first->value)) return first;
  if (specification_.fifo_ties) return inside_.end();
  return inside_.find({.priority = first->priority, .place = operation.result.bits(), .value = {}});
}

bool PriorityQueueReplay::remove_first(const Operation& operation) {
  if (inside_.empty()) return operation.returns(Value::nil());
  if (operation.result_unknown() && !specification_.fifo_ties) {
    const auto first = inside_.begin();
    const auto last = std::prev(inside_.upper_bound({.priority = first->priority, .place = kLast, .value = {}}));
    if (last->value != first->value) {
      keep_states();
      return step_states(operation);
    }
  }
  const auto gone = shown_first(operation);
  if (gone == inside_.end()) return false;
  inside_.erase(gone);
  return true;
}

}  // namespace linchpin::types

#include "types/priority_queue/replay.hpp"

#include <algorithm>
#include <utility>

#include "types/replay_from.hpp"

namespace linchpin::types {

namespace {

constexpr auto kByBits = [](Value left, Value right) { return left.bits() < right.bits(); };

}  // namespace

std::unique_ptr<Replay> PriorityQueue::make_replay() const { return std::make_unique<PriorityQueueReplay>(*this); }

bool PriorityQueueReplay::GoesFirst::operator()(Value left, Value right) const {
  if (left.is_integer() && right.is_integer()) {  // most are, and the order is total here
    return smallest ? left.integer() < right.integer() : right.integer() < left.integer();
  }
  if (left == right) return false;
  return replay->specification_.order.extended(left, right, *replay->pool_) < 0;
}

PriorityQueueReplay::PriorityQueueReplay(PriorityQueue specification)
    : specification_(std::move(specification)),
      inside_(GoesFirst{this, specification_.order.kind() == PriorityOrder::Kind::smallest}) {
  if (!specification_.order.total()) keep_states();
}

void PriorityQueueReplay::keep_states() {
  PriorityQueue::State state;
  for (const auto& [priority, values] : inside_) {
    for (const Value value : values) state.push_back({priority, value});
  }
  states_ = replay_from(specification_, std::move(state));
}

bool PriorityQueueReplay::step(const Operation& operation) {
  pool_ = operation.pool;
  if (states_ != nullptr) return states_->step(operation);
  switch (operation.method) {
    case PriorityQueue::kInsert: return insert(operation);
    case PriorityQueue::kPoll: return remove_first(operation);
    case PriorityQueue::kPeek: {
      if (inside_.empty()) return operation.returns(Value::nil());
      const Equals& first = inside_.begin()->second;
      const auto shown = specification_.fifo_ties ? first.begin() + 1 : first.end();
      return std::any_of(first.begin(), shown, [&](Value value) { return operation.returns(value); });
    }
    case PriorityQueue::kSize: return returns_number(operation, static_cast<std::int64_t>(size_));
    default: return operation.returns(inside_.empty());
  }
}

bool PriorityQueueReplay::insert(const Operation& operation) {
  if (!operation.acknowledged(0)) return false;
  Equals& equals = inside_[operation.arguments.back()];
  const Value value = operation.argument(0);
  const auto at =
      specification_.fifo_ties ? equals.end() : std::upper_bound(equals.begin(), equals.end(), value, kByBits);
  equals.insert(at, value);
  ++size_;
  return true;
}

bool PriorityQueueReplay::remove_first(const Operation& operation) {
  if (inside_.empty()) return operation.returns(Value::nil());
  Equals& equals = inside_.begin()->second;
  auto gone = equals.begin();
  if (specification_.fifo_ties) {
    if (!operation.returns(*gone)) return false;
  } else if (operation.result_unknown()) {
    if (*equals.begin() != *(equals.end() - 1)) {
      keep_states();
      return states_->step(operation);
    }
  } else {
    gone = std::lower_bound(equals.begin(), equals.end(), operation.result, kByBits);
    if (gone == equals.end() || *gone != operation.result) return false;
  }
  equals.erase(gone);
  if (equals.empty()) inside_.erase(inside_.begin());
  --size_;
  return true;
}

}  // namespace linchpin::types

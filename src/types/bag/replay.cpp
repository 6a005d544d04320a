#include "types/bag/replay.hpp"

#include "types/replay_from.hpp"

namespace linchpin::types {

std::unique_ptr<Replay> Bag::make_replay() { return std::make_unique<BagReplay>(); }

bool BagReplay::step(const Operation& operation) {
  return states_ == nullptr ? step_in_place(operation) : states_->step(operation);
}

std::size_t BagReplay::steps(std::span<const Operation> operations) {
  std::size_t legal = 0;
  while (legal < operations.size() && BagReplay::step(operations[legal])) ++legal;
  return legal;
}

bool BagReplay::step_in_place(const Operation& operation) {
  switch (operation.method) {
    case Bag::kAdd:
      if (!operation.acknowledged(0)) return false;
      inside_.add(operation.argument(0));
      return true;
    case Bag::kRemove: return fits_outcome(operation, inside_.take(operation.argument(0)));
    case Bag::kTake: return take(operation);
    case Bag::kContains: return operation.returns(inside_.contains(operation.argument(0)));
    case Bag::kSize: return returns_number(operation, static_cast<std::int64_t>(inside_.size()));
    case Bag::kIsEmpty: return operation.returns(inside_.empty());
    default:
      if (!operation.acknowledged()) return false;
      inside_.clear();
      return true;
  }
}

bool BagReplay::take(const Operation& operation) {
  if (inside_.empty()) return operation.returns(Value::nil());
  if (!operation.result_unknown()) return inside_.take(operation.result);
  if (inside_.distinct() == 1) return inside_.take(inside_.only());
  states_ = replay_from(Bag{}, inside_.sorted());  // which was taken is open: from here on all states are kept
  return states_->step(operation);
}

}  // namespace linchpin::types

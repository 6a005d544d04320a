#include "types/bag/replay.hpp"

namespace linchpin::types {

std::unique_ptr<Replay> Bag::make_replay() { return std::make_unique<BagReplay>(); }

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
  keep_states_from(Bag{}, inside_.sorted());  // which was taken is open
  return step_states(operation);
}

}  // namespace linchpin::types

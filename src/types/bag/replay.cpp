#include "types/bag/replay.hpp"

#include <algorithm>
#include <utility>

#include "types/replay_from.hpp"

namespace linchpin::types {

std::unique_ptr<Replay> Bag::make_replay() { return std::make_unique<BagReplay>(); }

void BagReplay::keep_states() {
  Bag::State state;
  for (const auto& [bits, inside] : inside_) state.insert(state.end(), inside.count, inside.value);
  std::sort(state.begin(), state.end(), [](Value left, Value right) { return left.bits() < right.bits(); });
  states_ = replay_from(Bag{}, std::move(state));
}

bool BagReplay::step(const Operation& operation) {
  if (states_ != nullptr) return states_->step(operation);
  switch (operation.method) {
    case Bag::kAdd: {
      if (!operation.acknowledged(0)) return false;
      Inside& inside = inside_[operation.argument(0).bits()];
      inside.value = operation.argument(0);
      ++inside.count;
      ++size_;
      return true;
    }
    case Bag::kRemove: {
      const auto at = inside_.find(operation.argument(0).bits());
      if (!fits_outcome(operation, at != inside_.end())) return false;
      if (at != inside_.end()) remove_one(at);
      return true;
    }
    case Bag::kTake: return take(operation);
    case Bag::kContains: return operation.returns(inside_.contains(operation.argument(0).bits()));
    case Bag::kSize: return returns_number(operation, static_cast<std::int64_t>(size_));
    case Bag::kIsEmpty: return operation.returns(size_ == 0);
    default:
      if (!operation.acknowledged()) return false;
      inside_.clear();
      size_ = 0;
      return true;
  }
}

bool BagReplay::take(const Operation& operation) {
  if (inside_.empty()) return operation.returns(Value::nil());
  if (operation.result_unknown()) {
    if (inside_.size() > 1) {
      keep_states();
      return states_->step(operation);
    }
    remove_one(inside_.begin());
    return true;
  }
  const auto at = inside_.find(operation.result.bits());
  if (at == inside_.end()) return false;
  remove_one(at);
  return true;
}

void BagReplay::remove_one(Contents::iterator at) {
  if (--at->second.count == 0) inside_.erase(at);
  --size_;
}

}  // namespace linchpin::types

// Models of the containers without an order: set, bag.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <utility>
#include <vector>

#include "generate/models/sequences.hpp"
#include "types/bag/specification.hpp"
#include "types/set/specification.hpp"

namespace linchpin::generate {

/// Elements from a universe of V values, or new ones for each add. Where operations that find nothing to do are to be
/// avoided, add takes an absent element and remove a present one.
class SetModel final : public Model {
 public:
  using Type = types::Set;
  static constexpr std::array<Weighted, 7> methods{{{Type::kAdd, 1},
                                                    {Type::kRemove, 1},
                                                    {Type::kContains, 0, true},
                                                    {Type::kRead, 0, true},
                                                    {Type::kSize, 0, true},
                                                    {Type::kIsEmpty, 0, true},
                                                    {Type::kClear, 0}}};
  SetModel(const Type&, bool empties) : empties_(empties) {}

  bool enabled(std::uint16_t method, ProcessId) const override {
    if (empties_) return true;
    if (method == Type::kRemove) return !members_.empty();
    return method != Type::kAdd || universe_ == 0 || members_.size() < universe_;
  }

  void prepare(Step& step, Draw& draw) override {
    universe_ = draw.universe();
    if (step.method > Type::kContains) return;
    const bool add = step.method == Type::kAdd;
    if (draw.unique()) {
      const bool present = step.method == Type::kRemove || (step.method == Type::kContains && draw.random.chance(0.5));
      step.takes({add ? draw.value() : present && !members_.empty() ? member(draw) : draw.known_value()});
      return;
    }
    Value element = draw.value();
    if (!empties_ && step.method == Type::kRemove) element = member(draw);
    if (!empties_ && add) {
      // Few draws are needed unless the set is nearly full; then the next absent one will do.
      for (int tries = 0; where_.contains(element.bits()) && tries < 16; ++tries) element = draw.value();
      while (where_.contains(element.bits())) {
        element = Value::integer(element.integer() % static_cast<std::int64_t>(universe_) + 1);
      }
    }
    step.takes({element});
  }

  void apply(Step& step, ProcessId, Draw&, ValuePool& pool) override {
    switch (step.method) {
      case Type::kAdd: {
        const bool added = where_.try_emplace(step.arguments[0].bits(), members_.size()).second;
        if (added) members_.push_back(step.arguments[0]);
        step.result = Value::boolean(added);
        return;
      }
      case Type::kRemove: {
        const auto found = where_.find(step.arguments[0].bits());
        step.result = Value::boolean(found != where_.end());
        if (found == where_.end()) return;
        const std::size_t place = found->second;
        where_.erase(found);
        if (place + 1 < members_.size()) {
          members_[place] = members_.back();
          where_[members_[place].bits()] = place;
        }
        members_.pop_back();
        return;
      }
      case Type::kContains: step.result = Value::boolean(where_.contains(step.arguments[0].bits())); return;
      case Type::kRead: step.result = pool.list(members_); return;
      case Type::kSize: step.result = number(members_.size()); return;
      case Type::kIsEmpty: step.result = Value::boolean(members_.empty()); return;
      default: members_.clear(); where_.clear();
    }
  }

 private:
  Value member(Draw& draw) { return members_[draw.random.below(members_.size())]; }

  bool empties_;
  std::uint64_t universe_ = 0;
  std::vector<Value> members_;
  absl::flat_hash_map<std::uint64_t, std::size_t> where_;  // value's bits to its place among the members
};

class BagModel final : public Model {
 public:
  using Type = types::Bag;
  static constexpr std::array<Weighted, 7> methods{{{Type::kAdd, 1},
                                                    {Type::kRemove, 0},
                                                    {Type::kTake, 1},
                                                    {Type::kContains, 0, true},
                                                    {Type::kSize, 0, true},
                                                    {Type::kIsEmpty, 0, true},
                                                    {Type::kClear, 0}}};
  BagModel(const Type&, bool empties) : empties_(empties) {}

  bool enabled(std::uint16_t method, ProcessId) const override {
    return empties_ || !members_.empty() || (method != Type::kTake && method != Type::kRemove);
  }
  void prepare(Step& step, Draw& draw) override {
    if (step.method == Type::kAdd) step.takes({draw.value()});
    if (step.method == Type::kRemove) {
      place_ = members_.empty() ? 0 : draw.random.below(members_.size());
      step.takes({members_.empty() ? draw.known_value() : members_[place_]});
    }
    if (step.method == Type::kContains) {
      const bool present = !members_.empty() && draw.random.chance(0.5);
      step.takes({present ? members_[draw.random.below(members_.size())] : draw.known_value()});
    }
  }
  void apply(Step& step, ProcessId, Draw& draw, ValuePool&) override {
    switch (step.method) {
      case Type::kAdd:
        members_.push_back(step.arguments[0]);
        ++count_[step.arguments[0].bits()];
        return;
      case Type::kRemove:
        step.result = Value::boolean(!members_.empty());
        if (!members_.empty()) take(place_);
        return;
      case Type::kTake:
        step.result = members_.empty() ? Value::nil() : take(draw.random.below(members_.size()));
        return;
      case Type::kContains: step.result = Value::boolean(count_.contains(step.arguments[0].bits())); return;
      case Type::kSize: step.result = number(members_.size()); return;
      case Type::kIsEmpty: step.result = Value::boolean(members_.empty()); return;
      default: members_.clear(); count_.clear();
    }
  }

 private:
  Value take(std::size_t place) {
    const Value value = std::exchange(members_[place], members_.back());
    members_.pop_back();
    const auto found = count_.find(value.bits());
    if (--found->second == 0) count_.erase(found);
    return value;
  }

  bool empties_;
  std::size_t place_ = 0;  // of the value that a prepared remove names
  std::vector<Value> members_;
  absl::flat_hash_map<std::uint64_t, std::size_t> count_;  // by the value's bits
};

}  // namespace linchpin::generate

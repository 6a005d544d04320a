// Models of priority queues.
//
// Where any order among equals will do and priorities are totally ordered, values are their own priorities, unless
// --priorities asks for a number of them. Else an insertion takes a priority beside its value: one of the elements of a
// relation, a pair of numbers where priorities are compared by components, or a number. Which of several values that
// may be polled is polled is left to chance, so that no one order of priorities explains it all.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <memory>
#include <queue>
#include <string_view>
#include <tuple>
#include <vector>

#include "generate/model.hpp"
#include "generate/models/sequences.hpp"
#include "history/text_notation.hpp"
#include "types/priority_queue/specification.hpp"

namespace linchpin::generate {

/// What is inside, and what may leave next.
class Priorities {
 public:
  Priorities() = default;
  Priorities(const Priorities&) = delete;
  Priorities& operator=(const Priorities&) = delete;
  virtual ~Priorities() = default;
  /// The arguments of an insertion.
  virtual void prepare(Step& step, Draw& draw, ValuePool& pool) = 0;
  virtual void insert(const Step& step, const ValuePool& pool) = 0;
  /// @pre not empty
  virtual Value poll(Draw& draw) = 0;
  [[nodiscard]] virtual Value peek() const = 0;
  [[nodiscard]] virtual std::size_t size() const = 0;
};

/// Values are their own priorities, so that the order among equal ones cannot be seen.
class OwnPriorities final : public Priorities {
 public:
  explicit OwnPriorities(bool largest_first) : sign_(largest_first ? 1 : -1) {}
  void prepare(Step& step, Draw& draw, ValuePool& /*pool*/) override { step.takes({draw.value()}); }
  void insert(const Step& step, const ValuePool& /*pool*/) override {
    priorities_.push(sign_ * step.arguments[0].integer());
  }
  Value poll(Draw& /*draw*/) override {
    const Value best = peek();
    priorities_.pop();
    return best;
  }
  [[nodiscard]] Value peek() const override { return Value::integer(sign_ * priorities_.top()); }
  [[nodiscard]] std::size_t size() const override { return priorities_.size(); }

 private:
  std::int64_t sign_;  // the largest of sign * priority is best
  std::priority_queue<std::int64_t> priorities_;
};

/// Numbers, or pairs of numbers compared by components. What has the least first number, the least second one or the
/// least sum has nothing before it. Equal ones leave in the order of insertion.
class DrawnPriorities final : public Priorities {
 public:
  DrawnPriorities(const types::PriorityOrder& order, std::uint64_t priorities)
      : pairs_(!order.total()),
        sign_(order.kind() == types::PriorityOrder::Kind::smallest ||
                      order.kind() == types::PriorityOrder::Kind::componentwise
                  ? 1
                  : -1),
        priorities_(priorities) {}

  void prepare(Step& step, Draw& draw, ValuePool& pool) override {
    const Value first = drawn(draw);
    step.takes({draw.value(), pairs_ ? pool.list({first, drawn(draw)}) : first});
  }
  void insert(const Step& step, const ValuePool& pool) override {
    const Value priority = step.arguments[1];
    const std::int64_t first = sign_ * (pairs_ ? pool.elements_of(priority)[0] : priority).integer();
    const std::int64_t second = pairs_ ? sign_ * pool.elements_of(priority)[1].integer() : 0;
    const std::array keys{Key{first, second, inserted_}, Key{second, first, inserted_},
                          Key{first + second, first, inserted_}};
    for (std::size_t i = 0; i < orders(); ++i) inside_[i].emplace(keys[i], Entry{keys, step.arguments[0]});
    ++inserted_;
  }
  Value poll(Draw& draw) override {
    const Entry taken = inside_[orders() == 1 ? 0 : draw.random.below(orders())].begin()->second;
    for (std::size_t i = 0; i < orders(); ++i) inside_[i].erase(taken.keys[i]);
    return taken.value;
  }
  [[nodiscard]] Value peek() const override { return inside_[0].begin()->second.value; }
  [[nodiscard]] std::size_t size() const override { return inside_[0].size(); }

 private:
  using Key = std::tuple<std::int64_t, std::int64_t, std::uint64_t>;  // the last: when it was inserted
  struct Entry {
    std::array<Key, 3> keys;
    Value value;
  };
  [[nodiscard]] std::size_t orders() const { return pairs_ ? 3 : 1; }
  [[nodiscard]] Value drawn(Draw& draw) const {
    return Value::integer(static_cast<std::int64_t>(1 + draw.random.below(priorities_)));
  }

  bool pairs_;
  std::int64_t sign_;
  std::uint64_t priorities_;
  std::uint64_t inserted_ = 0;
  std::array<std::map<Key, Entry>, 3> inside_;
};

/// The elements of a relation. Equal ones leave in the order of insertion.
class RelatedPriorities final : public Priorities {
 public:
  RelatedPriorities(const types::PriorityOrder& order, ValuePool& pool)
      : order_(order), inside_(order.elements().size()) {
    for (std::string_view element : order.elements()) values_.push_back(*history::parse_value(element, pool));
  }

  void prepare(Step& step, Draw& draw, ValuePool& /*pool*/) override {
    step.takes({draw.value(), values_[draw.random.below(values_.size())]});
  }
  void insert(const Step& step, const ValuePool& pool) override {
    inside_[order_.element(step.arguments[1], pool)].push_back(step.arguments[0]);
    ++size_;
  }
  Value poll(Draw& draw) override {
    const std::vector<std::size_t> first = firsts();
    std::deque<Value>& taken = inside_[first[draw.random.below(first.size())]];
    const Value value = taken.front();
    taken.pop_front();
    --size_;
    return value;
  }
  [[nodiscard]] Value peek() const override { return inside_[firsts().front()].front(); }
  [[nodiscard]] std::size_t size() const override { return size_; }

 private:
  /// The elements inside that no other inside goes before.
  [[nodiscard]] std::vector<std::size_t> firsts() const {
    std::vector<std::size_t> first;
    for (std::size_t i = 0; i < inside_.size(); ++i) {
      const auto goes_before = [&](std::size_t other) { return order_.element_before(other, i); };
      if (!inside_[i].empty() && std::none_of(first.begin(), first.end(), goes_before)) first.push_back(i);
    }
    return first;
  }

  types::PriorityOrder order_;
  std::vector<Value> values_;              // by element
  std::vector<std::deque<Value>> inside_;  // by element
  std::size_t size_ = 0;
};

class PriorityQueueModel final : public Model {
 public:
  using Type = types::PriorityQueue;
  static constexpr std::array<Weighted, 5> methods{{{Type::kInsert, 1},
                                                    {Type::kPoll, 1},
                                                    {Type::kPeek, 0, true},
                                                    {Type::kSize, 0, true},
                                                    {Type::kIsEmpty, 0, true}}};

  PriorityQueueModel(const Type& type, const Plan& plan, ValuePool& pool)
      : type_(type), pool_(pool), empties_(plan.empties) {
    if (type.order.kind() == types::PriorityOrder::Kind::relation) {
      inside_ = std::make_unique<RelatedPriorities>(type.order, pool);
    } else if (!type.order.total() || type.fifo_ties || plan.priorities) {
      // Few numbers, so that many are equal; more for pairs, which are equal only where both numbers are.
      inside_ = std::make_unique<DrawnPriorities>(type.order, plan.priorities.value_or(type.order.total() ? 16 : 1000));
    } else {
      inside_ = std::make_unique<OwnPriorities>(type.order.kind() == types::PriorityOrder::Kind::largest);
    }
  }

  bool enabled(std::uint16_t method, ProcessId) const override {
    return empties_ || inside_->size() > 0 || (method != Type::kPoll && method != Type::kPeek);
  }
  void prepare(Step& step, Draw& draw) override {
    if (step.method == Type::kInsert) inside_->prepare(step, draw, pool_);
  }
  void apply(Step& step, ProcessId, Draw& draw, ValuePool& pool) override {
    const bool empty = inside_->size() == 0;
    switch (step.method) {
      case Type::kInsert: {
        const bool full = type_.full(inside_->size());
        if (type_.capacity) step.result = Value::boolean(!full);
        if (!full) inside_->insert(step, pool);
        return;
      }
      case Type::kPoll: step.result = empty ? Value::nil() : inside_->poll(draw); return;
      case Type::kPeek: step.result = empty ? Value::nil() : inside_->peek(); return;
      case Type::kSize: step.result = number(inside_->size()); return;
      default: step.result = Value::boolean(empty);
    }
  }

 private:
  Type type_;
  std::unique_ptr<Priorities> inside_;
  ValuePool& pool_;
  bool empties_;
};

}  // namespace linchpin::generate

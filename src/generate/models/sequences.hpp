// Models of the containers that keep an order: queue, stack, deque. Priority queues: priority_queue.hpp.
#pragma once

#include <deque>
#include <vector>

#include "generate/model.hpp"
#include "types/deque/specification.hpp"
#include "types/queue/specification.hpp"
#include "types/stack/specification.hpp"

namespace linchpin::generate {

inline Value number(std::size_t count) { return Value::integer(static_cast<std::int64_t>(count)); }

class QueueModel final : public Model {
 public:
  using Type = types::Queue;
  static constexpr std::array<Weighted, 5> methods{{{Type::kEnqueue, 1},
                                                    {Type::kDequeue, 1},
                                                    {Type::kPeek, 0, true},
                                                    {Type::kSize, 0, true},
                                                    {Type::kIsEmpty, 0, true}}};
  QueueModel(const Type& type, bool empties) : capacity_(type.capacity), empties_(empties) {}

  bool enabled(std::uint16_t method, ProcessId) const override {
    return empties_ || !values_.empty() || (method != Type::kDequeue && method != Type::kPeek);
  }
  void prepare(Step& step, Draw& draw) override {
    if (step.method == Type::kEnqueue) step.takes({draw.value()});
  }
  void apply(Step& step, ProcessId, Draw&, ValuePool&) override {
    switch (step.method) {
      case Type::kEnqueue:
        if (capacity_) {
          const bool full = static_cast<std::int64_t>(values_.size()) >= *capacity_;
          step.result = Value::boolean(!full);
          if (full) return;
        }
        values_.push_back(step.arguments[0]);
        return;
      case Type::kDequeue:
        step.result = front();
        if (!values_.empty()) values_.pop_front();
        return;
      case Type::kPeek: step.result = front(); return;
      case Type::kSize: step.result = number(values_.size()); return;
      default: step.result = Value::boolean(values_.empty());
    }
  }

 private:
  [[nodiscard]] Value front() const { return values_.empty() ? Value::nil() : values_.front(); }
  std::optional<std::int64_t> capacity_;
  bool empties_;
  std::deque<Value> values_;
};

class StackModel final : public Model {
 public:
  using Type = types::Stack;
  static constexpr std::array<Weighted, 5> methods{
      {{Type::kPush, 1}, {Type::kPop, 1}, {Type::kPeek, 0, true}, {Type::kSize, 0, true}, {Type::kIsEmpty, 0, true}}};
  StackModel(const Type& type, bool empties) : heights_(type.heights), empties_(empties) {}

  bool enabled(std::uint16_t method, ProcessId) const override {
    return empties_ || !values_.empty() || (method != Type::kPop && method != Type::kPeek);
  }
  void prepare(Step& step, Draw& draw) override {
    if (step.method == Type::kPush) step.takes({draw.value()});
  }
  void apply(Step& step, ProcessId, Draw&, ValuePool& pool) override {
    const std::size_t before = values_.size();
    switch (step.method) {
      case Type::kPush:
        values_.push_back(step.arguments[0]);
        if (heights_ != Type::Heights::no) step.result = shown(before);
        return;
      case Type::kPop:
        step.result = top();
        if (before > 0) values_.pop_back();
        if (heights_ != Type::Heights::no) step.result = pool.list({step.result, shown(before)});
        return;
      case Type::kPeek: step.result = top(); return;
      case Type::kSize: step.result = number(before); return;
      default: step.result = Value::boolean(values_.empty());
    }
  }

 private:
  [[nodiscard]] Value top() const { return values_.empty() ? Value::nil() : values_.back(); }
  [[nodiscard]] Value shown(std::size_t before) const {
    return number(heights_ == Type::Heights::before ? before : values_.size());
  }
  Type::Heights heights_;
  bool empties_;
  std::vector<Value> values_;
};

/// With a capacity, pushes tell whether there was room. With work-stealing=yes one process is the owner, and works at
/// the back; all others steal at the front, or give up. An owner that crashed has a successor: the one who asks when
/// nobody has done anything for long.
class DequeModel final : public Model {
 public:
  using Type = types::Deque;
  static constexpr std::array<Weighted, 8> methods{{{Type::kPushFront, 1},
                                                    {Type::kPushBack, 1},
                                                    {Type::kPopFront, 1},
                                                    {Type::kPopBack, 1},
                                                    {Type::kPeekFront, 0, true},
                                                    {Type::kPeekBack, 0, true},
                                                    {Type::kSize, 0, true},
                                                    {Type::kIsEmpty, 0, true}}};
  DequeModel(const Specification& specification, const Plan& plan)
      : stealing_(specification.get_if<types::WorkStealingDeque>() != nullptr),
        empties_(plan.empties),
        pushes_at_front_(!stealing_ || plan.all_methods),
        patience_(kPatience * plan.processes) {
    if (const auto* const bounded = specification.get_if<types::BoundedDeque>()) capacity_ = bounded->capacity;
  }

  bool enabled(std::uint16_t method, ProcessId process) const override {
    if (stealing_ && !may_call(method, process)) return false;
    return empties_ || !values_.empty() || method < Type::kPopFront || method > Type::kPeekBack;
  }
  void prepare(Step& step, Draw& draw) override {
    if (step.method <= Type::kPushBack) step.takes({draw.value()});
  }
  void apply(Step& step, ProcessId process, Draw& draw, ValuePool&) override {
    refused_ = 0;
    if (stealing_ && (step.method == Type::kPushBack || step.method == Type::kPopBack)) owner_ = process;
    if (stealing_ && step.method == Type::kPopFront && draw.random.below(kGiveUp) == 0) {
      step.result = Value::boolean(false);
      return;
    }
    const bool empty = values_.empty();
    if (capacity_ && step.method <= Type::kPushBack) {
      const bool full = static_cast<std::int64_t>(values_.size()) >= *capacity_;
      step.result = Value::boolean(!full);
      if (full) return;
    }
    switch (step.method) {
      case Type::kPushFront: values_.push_front(step.arguments[0]); return;
      case Type::kPushBack: values_.push_back(step.arguments[0]); return;
      case Type::kPopFront:
      case Type::kPeekFront:
        step.result = empty ? Value::nil() : values_.front();
        if (step.method == Type::kPopFront && !empty) values_.pop_front();
        return;
      case Type::kPopBack:
      case Type::kPeekBack:
        step.result = empty ? Value::nil() : values_.back();
        if (step.method == Type::kPopBack && !empty) values_.pop_back();
        return;
      case Type::kSize: step.result = number(values_.size()); return;
      default: step.result = Value::boolean(empty);
    }
  }

 private:
  static constexpr std::uint64_t kPatience = 16;  // questions of each process
  static constexpr std::uint64_t kGiveUp = 16;    // one steal of so many

  bool may_call(std::uint16_t method, ProcessId process) const {
    const bool owns = owner_ == kNoProcess || owner_ == process || refused_ > patience_;
    bool may = method != Type::kPushFront || pushes_at_front_;
    if (method == Type::kPushBack || method == Type::kPopBack) may = owns;
    if (method == Type::kPopFront) may = owner_ != process;
    if (!may || values_.empty()) ++refused_;
    return may;
  }

  std::optional<std::int64_t> capacity_;
  bool stealing_, empties_, pushes_at_front_;
  std::uint64_t patience_;
  mutable std::uint64_t refused_ = 0;  // since something took effect
  ProcessId owner_ = kNoProcess;
  std::deque<Value> values_;
};

}  // namespace linchpin::generate

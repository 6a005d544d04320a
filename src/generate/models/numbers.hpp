// Models of locks, counts and logs: mutex, semaphore, counter, log.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "generate/models/sequences.hpp"
#include "types/counter/specification.hpp"
#include "types/log/specification.hpp"
#include "types/mutex/specification.hpp"
#include "types/semaphore/specification.hpp"

namespace linchpin::generate {

/// Only the process that acquired releases, with and without the type's option `owner`. A client that crashes leaves no
/// lock behind: its acquire is lost, its release takes effect. A lock that is held at first is released by anybody.
class MutexModel final : public Model {
 public:
  using Type = types::MutexMethods;
  static constexpr std::array<Weighted, 4> methods{
      {{Type::kAcquire, 1}, {Type::kRelease, 1}, {Type::kTryAcquire, 0}, {Type::kIsHeld, 0, true}}};
  MutexModel(const Specification& specification, const Plan&) {
    const auto* const without_owners = specification.get_if<types::Mutex>();
    if (without_owners != nullptr && without_owners->held_at_first) holder_ = kNobodyHere;
  }

  bool enabled(std::uint16_t method, ProcessId process) const override {
    if (method == Type::kAcquire) return holder_ == kNoProcess;
    return method != Type::kRelease || holder_ == process || holder_ == kNobodyHere;
  }
  void prepare(Step&, Draw&) override {}
  void apply(Step& step, ProcessId process, Draw&, ValuePool&) override {
    const bool held = holder_ != kNoProcess;
    switch (step.method) {
      case Type::kAcquire: holder_ = process; return;
      case Type::kRelease: holder_ = kNoProcess; return;
      case Type::kTryAcquire:
        step.result = Value::boolean(!held);
        if (!held) holder_ = process;
        return;
      default: step.result = Value::boolean(held);
    }
  }
  Fate fate(std::uint16_t method) const override {
    return method == Type::kRelease ? Fate::takes_effect : Fate::is_lost;
  }

 private:
  static constexpr ProcessId kNobodyHere = kNoProcess - 1;  // acquired before the history began

  ProcessId holder_ = kNoProcess;
};

class SemaphoreModel final : public Model {
 public:
  using Type = types::Semaphore;
  static constexpr std::array<Weighted, 3> methods{
      {{Type::kIncrement, 1}, {Type::kDecrement, 1}, {Type::kCount, 0, true}}};
  SemaphoreModel(const Type& type, bool empties) : count_(type.initial_value), empties_(empties) {}

  bool enabled(std::uint16_t method, ProcessId) const override {
    return empties_ || count_ > 0 || method != Type::kDecrement;
  }
  void prepare(Step&, Draw&) override {}
  void apply(Step& step, ProcessId, Draw&, ValuePool&) override {
    switch (step.method) {
      case Type::kIncrement: ++count_; return;
      case Type::kDecrement:
        step.result = Value::boolean(count_ > 0);
        if (count_ > 0) --count_;
        return;
      default: step.result = Value::integer(count_);
    }
  }

 private:
  std::int64_t count_;
  bool empties_;
};

/// Amounts are 1, or drawn where the method must say how much; where all methods are asked for, half of those that may
/// say how much do so.
class CounterModel final : public Model {
 public:
  using Type = types::Counter;
  static constexpr std::array<Weighted, 8> methods{{{Type::kAdd, 0},
                                                    {Type::kIncrement, 1},
                                                    {Type::kDecrement, 0},
                                                    {Type::kFetchAndAdd, 1},
                                                    {Type::kFetchAndSubtract, 0},
                                                    {Type::kAddAndGet, 0},
                                                    {Type::kSubtractAndGet, 0},
                                                    {Type::kRead, 1, true}}};
  CounterModel(const Type& type, const Plan& plan, ValuePool&)
      : count_(type.initial_value), says_amounts_(plan.all_methods) {}

  void prepare(Step& step, Draw& draw) override {
    const bool may_say = says_amounts_ && step.method != Type::kRead && step.method != Type::kAdd;
    if (step.method == Type::kAdd || (may_say && draw.random.chance(0.5))) step.takes({draw.value()});
  }
  void apply(Step& step, ProcessId, Draw&, ValuePool&) override {
    const std::int64_t before = count_;
    const std::int64_t amount = step.count > 0 ? step.arguments[0].integer() : 1;
    switch (step.method) {
      case Type::kAdd: count_ += amount; return;
      case Type::kIncrement: count_ += amount; return;
      case Type::kDecrement: count_ -= amount; return;
      case Type::kFetchAndAdd:
      case Type::kFetchAndSubtract:
        count_ += step.method == Type::kFetchAndAdd ? amount : -amount;
        step.result = Value::integer(before);
        return;
      case Type::kAddAndGet:
      case Type::kSubtractAndGet:
        count_ += step.method == Type::kAddAndGet ? amount : -amount;
        step.result = Value::integer(count_);
        return;
      default: step.result = Value::integer(before);
    }
  }

 private:
  std::int64_t count_;
  bool says_amounts_;
};

class LogModel final : public Model {
 public:
  using Type = types::Log;
  static constexpr std::array<Weighted, 5> methods{
      {{Type::kAppend, 2}, {Type::kRead, 0, true}, {Type::kGet, 1, true}, {Type::kPut, 0}, {Type::kLength, 0, true}}};
  LogModel(const Type& type, const Plan&, ValuePool& pool) : returned_(type.returned), pool_(pool) {}

  void prepare(Step& step, Draw& draw) override {
    if (step.method == Type::kAppend) step.takes({draw.value()});
    // One place behind the end is asked for too.
    if (step.method == Type::kGet) step.takes({number(draw.random.below(entries_.size() + 1))});
    if (step.method == Type::kPut) {
      std::array<Value, 3> entries{};
      const std::size_t count = draw.random.below(entries.size() + 1);
      for (std::size_t i = 0; i < count; ++i) entries[i] = draw.value();
      step.takes({pool_.list(std::span(entries).first(count))});
    }
  }
  void apply(Step& step, ProcessId, Draw&, ValuePool& pool) override {
    switch (step.method) {
      case Type::kAppend:
        if (returned_ == Type::Returned::index) step.result = number(entries_.size());
        entries_.push_back(step.arguments[0]);
        if (returned_ == Type::Returned::length) step.result = number(entries_.size());
        return;
      case Type::kRead: step.result = pool.list(entries_); return;
      case Type::kGet: {
        const auto index = static_cast<std::size_t>(step.arguments[0].integer());
        step.result = index < entries_.size() ? entries_[index] : Value::nil();
        return;
      }
      case Type::kPut: {
        const auto entries = pool.elements_of(step.arguments[0]);
        entries_.assign(entries.begin(), entries.end());
        return;
      }
      default: step.result = number(entries_.size());
    }
  }

 private:
  Type::Returned returned_;
  ValuePool& pool_;
  std::vector<Value> entries_;
};

}  // namespace linchpin::generate

// Models of what is read and written in place: register, cas-register, rmw, array, map.
#pragma once

#include <absl/container/flat_hash_map.h>

#include "generate/models/sequences.hpp"
#include "types/array/specification.hpp"
#include "types/cas_register/specification.hpp"
#include "types/map/specification.hpp"
#include "types/register/specification.hpp"
#include "types/rmw/specification.hpp"

namespace linchpin::generate {

/// What a compare-and-set expects: half the time what is there.
inline Value expected(Value current, Draw& draw) {
  const bool known = current.is_integer() || current.is_boolean();
  return known && draw.random.chance(0.5) ? current : draw.known_value();
}

class RegisterModel final : public Model {
 public:
  using Type = types::Register;
  static constexpr std::array<Weighted, 2> methods{{{Type::kWrite, 1}, {Type::kRead, 1, true}}};
  RegisterModel(const Type& type, bool) : value_(type.initial_value) {}

  // An undefined register cannot be read.
  bool enabled(std::uint16_t method, ProcessId) const override { return method == Type::kWrite || !value_.is_none(); }
  void prepare(Step& step, Draw& draw) override {
    if (step.method == Type::kWrite) step.takes({draw.value()});
  }
  void apply(Step& step, ProcessId, Draw&, ValuePool&) override {
    if (step.method == Type::kWrite) {
      value_ = step.arguments[0];
    } else {
      step.result = value_;
    }
  }

 private:
  Value value_;
};

class CasRegisterModel final : public Model {
 public:
  using Type = types::CasRegister;
  static constexpr std::array<Weighted, 4> methods{
      {{Type::kWrite, 1}, {Type::kRead, 1, true}, {Type::kCas, 1}, {Type::kCompareExchange, 0}}};
  CasRegisterModel(const Type& type, bool) : value_(type.initial_value) {}

  bool enabled(std::uint16_t method, ProcessId) const override { return method == Type::kWrite || !value_.is_none(); }
  void prepare(Step& step, Draw& draw) override {
    if (step.method == Type::kWrite) step.takes({draw.value()});
    if (step.method > Type::kRead) {
      const Value old = expected(value_, draw);
      step.takes({old, draw.value()});
    }
  }
  void apply(Step& step, ProcessId, Draw&, ValuePool&) override {
    if (step.method == Type::kWrite) {
      value_ = step.arguments[0];
      return;
    }
    const bool matches = step.method != Type::kRead && value_ == step.arguments[0];
    step.result = step.method == Type::kCas ? Value::boolean(matches) : value_;
    if (matches) value_ = step.arguments[1];
  }

 private:
  Value value_;
};

class ReadModifyWriteModel final : public Model {
 public:
  using Type = types::ReadModifyWrite;
  static constexpr std::array<Weighted, 3> methods{
      {{Type::kReadModifyWrite, 1}, {Type::kRead, 0, true}, {Type::kWrite, 0}}};
  ReadModifyWriteModel(const Type& type, bool) : value_(type.initial_value) {}

  void prepare(Step& step, Draw& draw) override {
    if (step.method != Type::kRead) step.takes({draw.value()});
  }
  void apply(Step& step, ProcessId, Draw&, ValuePool&) override {
    if (step.method != Type::kWrite) step.result = value_;
    if (step.method != Type::kRead) value_ = step.arguments[0];
  }

 private:
  Value value_;
};

class ArrayModel final : public Model {
 public:
  using Type = types::Array;
  static constexpr std::array<Weighted, 3> methods{{{Type::kRead, 1, true}, {Type::kWrite, 1}, {Type::kCas, 0}}};
  ArrayModel(const Type& type, bool) : initial_(type.initial_value) {}

  void prepare(Step& step, Draw& draw) override {
    const Value index = draw.key();
    if (step.method == Type::kRead) step.takes({index});
    if (step.method == Type::kWrite) step.takes({index, draw.value()});
    if (step.method == Type::kCas) {
      const Value old = expected(at(index), draw);
      step.takes({index, old, draw.value()});
    }
  }
  void apply(Step& step, ProcessId, Draw&, ValuePool&) override {
    Value& element = at(step.arguments[0]);
    if (step.method == Type::kRead) {
      step.result = element;
    } else if (step.method == Type::kWrite) {
      element = step.arguments[1];
    } else {
      const bool matches = element == step.arguments[1];
      step.result = Value::boolean(matches);
      if (matches) element = step.arguments[2];
    }
  }

 private:
  Value& at(Value index) { return elements_.try_emplace(index.bits(), initial_).first->second; }
  Value initial_;
  absl::flat_hash_map<std::uint64_t, Value> elements_;  // by the index's bits
};

/// Without `append`, whose strings grow with the history.
class MapModel final : public Model {
 public:
  using Type = types::Map;
  static constexpr std::array<Weighted, 9> methods{{{Type::kGet, 2, true},
                                                    {Type::kPut, 2},
                                                    {Type::kRemove, 1},
                                                    {Type::kCas, 0},
                                                    {Type::kPutIfAbsent, 0},
                                                    {Type::kContains, 0, true},
                                                    {Type::kSize, 0, true},
                                                    {Type::kIsEmpty, 0, true},
                                                    {Type::kClear, 0}}};
  MapModel(const Type& type, bool) : previous_results_(type.previous_results) {}

  void prepare(Step& step, Draw& draw) override {
    if (step.method >= Type::kSize) return;
    const Value key = draw.key();
    switch (step.method) {
      case Type::kPut:
      case Type::kPutIfAbsent: step.takes({key, draw.value()}); return;
      case Type::kCas: {
        const auto found = values_.find(key.bits());
        const Value old = found == values_.end() ? draw.known_value() : expected(found->second, draw);
        step.takes({key, old, draw.value()});
        return;
      }
      default: step.takes({key});
    }
  }
  void apply(Step& step, ProcessId, Draw&, ValuePool&) override {
    const std::uint64_t key = step.arguments[0].bits();
    const auto found = values_.find(key);
    const bool present = found != values_.end();
    const Value before = present ? found->second : Value::nil();
    switch (step.method) {
      case Type::kGet: step.result = before; return;
      case Type::kContains: step.result = Value::boolean(present); return;
      case Type::kPut:
        if (previous_results_) step.result = before;
        values_[key] = step.arguments[1];
        return;
      case Type::kRemove:
        step.result = previous_results_ ? before : Value::boolean(present);
        if (present) values_.erase(found);
        return;
      case Type::kPutIfAbsent:
        step.result = previous_results_ ? before : Value::boolean(!present);
        if (!present) values_[key] = step.arguments[1];
        return;
      case Type::kCas: {
        const bool matches = present && found->second == step.arguments[1];
        step.result = Value::boolean(matches);
        if (matches) found->second = step.arguments[2];
        return;
      }
      case Type::kSize: step.result = number(values_.size()); return;
      case Type::kIsEmpty: step.result = Value::boolean(values_.empty()); return;
      default: values_.clear();
    }
  }

 private:
  bool previous_results_;
  absl::flat_hash_map<std::uint64_t, Value> values_;  // by the key's bits
};

}  // namespace linchpin::generate

// Models of what is read and written in place: register, cas-register, rmw, array, map, multi-register.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <array>
#include <optional>
#include <span>
#include <string>

#include "base/names.hpp"
#include "generate/models/sequences.hpp"
#include "types/array/specification.hpp"
#include "types/cas_register/specification.hpp"
#include "types/map/specification.hpp"
#include "types/multi_register/specification.hpp"
#include "types/multi_register/versioned.hpp"
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

/// What is appended to must be a text: where the mix has `append`, all values that are written are texts, a number and
/// a full stop each. A text grows until its key is written or removed.
class MapModel final : public Model {
 public:
  using Type = types::Map;
  static constexpr std::array<Weighted, 11> methods{{{Type::kGet, 2, true},
                                                     {Type::kPut, 2},
                                                     {Type::kAppend, 0},
                                                     {Type::kRemove, 1},
                                                     {Type::kCas, 0},
                                                     {Type::kPutIfAbsent, 0},
                                                     {Type::kReplace, 0},
                                                     {Type::kContains, 0, true},
                                                     {Type::kSize, 0, true},
                                                     {Type::kIsEmpty, 0, true},
                                                     {Type::kClear, 0}}};
  MapModel(const Type& type, const Plan& plan, ValuePool& pool)
      : previous_results_(type.previous_results), texts_(appends(plan)), pool_(pool) {}

  void prepare(Step& step, Draw& draw) override {
    if (step.method >= Type::kSize) return;
    const Value key = draw.key();
    switch (step.method) {
      case Type::kPut:
      case Type::kAppend:
      case Type::kPutIfAbsent: step.takes({key, text(draw.value())}); return;
      case Type::kReplace:
        if (draw.random.chance(0.5)) {
          step.takes({key, text(draw.value())});
          return;
        }
        [[fallthrough]];
      case Type::kCas: {
        const auto found = contents_.find(key.bits());
        const Value old = wanted(found == contents_.end() ? nullptr : &found->second, draw);
        step.takes({key, old, text(draw.value())});
        return;
      }
      default: step.takes({key});
    }
  }
  void apply(Step& step, ProcessId, Draw&, ValuePool&) override {
    const std::uint64_t key = step.arguments[0].bits();
    const auto found = contents_.find(key);
    const bool present = found != contents_.end();
    switch (step.method) {
      case Type::kGet: step.result = present ? shown(found->second) : Value::nil(); return;
      case Type::kContains: step.result = Value::boolean(present); return;
      case Type::kPut:
        if (previous_results_) step.result = present ? shown(found->second) : Value::nil();
        contents_[key] = held(step.arguments[1]);
        return;
      case Type::kAppend: contents_[key].text += pool_.text_of(step.arguments[1]); return;
      case Type::kRemove:
        step.result = outcome(present, found);
        if (present) contents_.erase(found);
        return;
      case Type::kPutIfAbsent:
        step.result = previous_results_ ? outcome(present, found) : Value::boolean(!present);
        if (!present) contents_[key] = held(step.arguments[1]);
        return;
      case Type::kReplace:
        if (step.count == 2) {
          step.result = outcome(present, found);
          if (present) found->second = held(step.arguments[1]);
          return;
        }
        [[fallthrough]];
      case Type::kCas: {
        const bool matches = present && found->second == held(step.arguments[1]);
        step.result = Value::boolean(matches);
        if (matches) found->second = held(step.arguments[2]);
        return;
      }
      case Type::kSize: step.result = number(contents_.size()); return;
      case Type::kIsEmpty: step.result = Value::boolean(contents_.empty()); return;
      default: contents_.clear();
    }
  }

 private:
  /// A number; or, where values are texts, a text that is put into the pool only when it is shown.
  struct Content {
    Value value;
    std::string text;
    bool operator==(const Content&) const = default;
  };
  using Contents = absl::flat_hash_map<std::uint64_t, Content>;  // by the key's bits

  static bool appends(const Plan& plan) {
    bool appends = plan.all_methods;
    for (const auto& [name, weight] : plan.mix) {
      const Method& append = Type::methods[Type::kAppend];
      if (base::same_name(append.name, name) || base::is_listed(append.aliases, name)) appends = weight > 0;
    }
    return appends;
  }
  [[nodiscard]] Value text(Value value) { return texts_ ? pool_.string(fmt::format("{}.", value.integer())) : value; }
  [[nodiscard]] Content held(Value value) const {
    return texts_ ? Content{.value = {}, .text = std::string(pool_.text_of(value))}
                  : Content{.value = value, .text = {}};
  }
  [[nodiscard]] Value shown(const Content& content) { return texts_ ? pool_.string(content.text) : content.value; }
  [[nodiscard]] Value outcome(bool present, const Contents::iterator& found) {
    if (!previous_results_) return Value::boolean(present);
    return present ? shown(found->second) : Value::nil();
  }
  /// What a compare-and-set expects; `content`: what is there.
  [[nodiscard]] Value wanted(const Content* content, Draw& draw) {
    if (!texts_) return content == nullptr ? draw.known_value() : expected(content->value, draw);
    return content != nullptr && draw.random.chance(0.5) ? shown(*content) : text(draw.known_value());
  }

  bool previous_results_;
  bool texts_;
  ValuePool& pool_;
  Contents contents_;
};

/// Transactions of one to three reads and writes. The share of --peeks, where it is given, only reads; else a part
/// reads as often as it writes. With `initial=any` a key first holds whatever is drawn when it is first touched. With
/// `versions=told` each transaction that writes a key makes its next version.
class MultiRegisterModel final : public Model {
 public:
  static constexpr std::array<Weighted, 1> methods{{{types::MultiRegister::kTxn, 1}}};
  MultiRegisterModel(const Specification& type, const Plan& plan, ValuePool& pool)
      : looking_(plan.peeks), parts_(plan.parts), pool_(pool), read_(pool.string("r")), write_(pool.string("w")) {
    if (const auto* const versioned = type.get_if<types::VersionedRegisters>()) {
      initial_ = versioned->initial_value;
      tells_versions_ = true;
    } else {
      initial_ = type.get_if<types::MultiRegister>()->initial_value;
    }
  }

  void prepare(Step& step, Draw& draw) override {
    const bool looks = looking_ && draw.random.chance(*looking_);
    std::array<Value, kMostParts> parts{};
    const std::size_t count = parts_ ? *parts_ : 1 + draw.random.below(kUsually);
    for (std::size_t i = 0; i < count; ++i) {
      // One that does not only look writes at least once.
      const bool reads = looks || (!(looking_ && i == 0) && draw.random.chance(0.5));
      const Value key = draw.key();
      parts[i] = reads ? pool_.list({read_, key, Value::nil()}) : pool_.list({write_, key, draw.value()});
    }
    step.takes({pool_.list(std::span(parts).first(count))});
  }
  void apply(Step& step, ProcessId, Draw& draw, ValuePool& pool) override {
    std::array<Value, kMostParts> parts{};
    std::size_t count = 0;
    ++now_;
    for (const Value asked : pool.elements_of(step.arguments[0])) {
      const std::array part{pool.elements_of(asked)[0], pool.elements_of(asked)[1], pool.elements_of(asked)[2]};
      const auto [held, first] = held_.try_emplace(part[1].bits());
      Held& its = held->second;
      if (first) its.value = initial_ ? *initial_ : draw.value();
      if (part[0] == write_) {
        its.value = part[2];
        if (std::exchange(its.written, now_) != now_) ++its.version;
      }
      if (tells_versions_) {
        parts[count++] = pool.list({part[0], part[1], its.value, Value::integer(its.version)});
      } else {
        parts[count++] = part[0] == write_ ? asked : pool.list({read_, part[1], its.value});
      }
    }
    step.result = pool.list(std::span(parts).first(count));
  }

 private:
  static constexpr std::size_t kUsually = 3;  // parts at most

  struct Held {
    Value value;
    std::int64_t version = 0;
    std::uint64_t written = 0;  // in which transaction
  };

  std::optional<Value> initial_;  // nothing: any
  bool tells_versions_ = false;
  std::optional<double> looking_;
  std::optional<std::uint64_t> parts_;
  ValuePool& pool_;
  Value read_;
  Value write_;
  std::uint64_t now_ = 0;                          // which transaction
  absl::flat_hash_map<std::uint64_t, Held> held_;  // by the key's bits
};

}  // namespace linchpin::generate

// Many registers read and written by transactions: txn([[read k v] [write k v] ...]) -> the completed list.
//
// A key that nothing was written to starts with any value (initial=any): the first read that says what it saw fixes
// it. The state then holds what is known, which is exactly the set of initial values that are still possible.
// Semantics and options: README.md beside this file.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "linchpin/error.hpp"
#include "linchpin/history.hpp"
#include "linchpin/specification_interface.hpp"
#include "types/arguments.hpp"
#include "types/flat_map.hpp"
#include "types/level.hpp"
#include "types/multi_register/parts.hpp"
#include "types/multi_register/transaction.hpp"
#include "types/transaction_parts.hpp"

namespace linchpin::types {

struct MultiRegister {
  using State = FlatMap<Value>;  // keys whose value is known and is not the common initial value
  enum : std::uint16_t { kTxn };
  static constexpr std::array methods{Method{"txn", 1, "transaction transact"}};
  static constexpr std::string_view options =
      "initial=any, nil or a value (default any): what every key holds at first; "
      "versions=none or told: whether the store tells versions of the keys, as in [write k v 7]; "
      "level=strict-serializable, strong-session-serializable or serializable (default strict-serializable): which "
      "order of the transactions counts";

  static constexpr bool reads_partial_results = true;
  static constexpr const core::Parts& parts = multi_register::kParts;

  std::optional<Value> initial_value = {};  // nothing: any
  Level level = Level::strict;

  static Result<std::shared_ptr<const Specification>> make(const TypeName& type);

  static State initial() { return {}; }
  [[nodiscard]] std::unique_ptr<Replay> make_replay() const;

  /// `Contents`: the state, or what a run changes in place.
  template <class Contents>
  bool step(Contents& state, const Operation& operation) const {
    return visit(operation, [&](const MicroOperation& micro) {
      if (micro.writes) {
        store(state, micro.key, micro.value);
        return true;
      }
      if (micro.value.is_nil()) return true;
      if (micro.value.is_none()) return false;  // no register holds that
      const Value* const known = state.find(micro.key);
      if (known != nullptr) return *known == micro.value;
      if (initial_value) return *initial_value == micro.value;
      state.assign(micro.key, micro.value);
      return true;
    });
  }

  /// Whether every key ends as the transaction saw it first.
  bool pure(const Operation& operation) const {
    FlatMap<Value> first;
    FlatMap<Value> last;
    bool lazy = false;
    visit(operation, [&](const MicroOperation& micro) {
      if (!micro.writes && !initial_value && !micro.value.is_nil()) lazy = true;  // it may fix the initial value
      if (micro.writes) {
        last.assign(micro.key, micro.value);
      } else if (!micro.value.is_nil() && last.find(micro.key) == nullptr) {
        first.assign(micro.key, micro.value);
      }
      return true;
    });
    if (lazy) return false;
    for (const auto& [key, value] : last) {
      const Value* const seen = first.find(key);
      if (seen == nullptr || *seen != value) return false;
    }
    return true;
  }

  /// The key of a transaction that touches only one.
  static std::optional<Value> key(const Operation& operation) {
    std::optional<Value> only;
    const bool single = visit(operation, [&](const MicroOperation& micro) {
      if (only && *only != micro.key) return false;
      only = micro.key;
      return true;
    });
    return single ? only : std::nullopt;
  }

  static std::string invalid(const Operation& operation) {
    if (!operation.argument(0).is_list()) return "a transaction is a list of [read key value] and [write key value]";
    if (!well_formed(operation.argument(0), *operation.pool)) {
      return "each part of a transaction must be [read key value] or [write key value]";
    }
    for (const Value part : operation.pool->elements_of(operation.argument(0))) {
      if (std::string why = refuse_none(operation.pool->elements_of(part)); !why.empty()) return why;
    }
    if (operation.result.is_list() && tells_versions(operation.result, *operation.pool)) {
      return "a part of four fields ends with a version, which the option versions=told reads";
    }
    if (!operation.pool->partial(operation.result)) return {};
    for (const Value part : operation.pool->elements_of(operation.result)) {
      if (!operation.pool->partial(part)) continue;
      const auto micro = parse(part, *operation.pool);
      if (micro && !micro->writes && micro->value.is_unknown() && !operation.pool->partial(micro->key) &&
          !micro->key.is_unknown()) {
        continue;
      }
      return "'?' stands for a part of the result, or for what a read in it saw";
    }
    return {};
  }

  static std::string describe(const State& state, const ValuePool& pool) {
    std::string text;
    for (const auto& [key, value] : state) {
      text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", pool.to_text(key), pool.to_text(value));
    }
    return fmt::format("{{{}}}", text);
  }
  static std::size_t bytes(const State& state) { return state.bytes(); }

  /// One part of a transaction. A read's value is what it saw; nil: it says nothing.
  struct MicroOperation {
    bool writes = false;
    Value key;
    Value value;
  };

  /// Calls `visitor` for each part, with the values that the result gives to the reads, until it says no. False when it
  /// did, or when the result does not complete the arguments. A read whose answer was lost, alone or with the whole
  /// result, has the value nil, whatever it was given to expect.
  template <class Visitor>
  static bool visit(const Operation& operation, Visitor&& visitor) {
    return visit_parts(
        operation, [&](Value part) { return parse(part, *operation.pool); },
        [&](MicroOperation& micro, const MicroOperation& wanted, Value answer) {
          if (micro.writes) return true;
          const bool lost = operation.result_unknown() || answer.is_unknown() || micro.value.is_unknown();
          // An answer may leave out what the read was given to expect.
          const Value expected = wanted.value.is_unknown() ? Value::nil() : wanted.value;
          micro.value = lost ? Value::nil() : micro.value.is_nil() ? expected : micro.value;
          return true;
        },
        std::forward<Visitor>(visitor));
  }

 private:
  static std::optional<MicroOperation> parse(Value part, const ValuePool& pool) {
    const auto fields = multi_register::fields_of(part, 3, pool);
    if (!fields) return std::nullopt;
    return MicroOperation{fields->writes, fields->fields[1], fields->value()};
  }

  /// Whether a part of the result ends with a version.
  static bool tells_versions(Value result, const ValuePool& pool) {
    const auto told = pool.elements_of(result);
    return std::any_of(told.begin(), told.end(),
                       [&](Value part) { return multi_register::version_of(part, pool).has_value(); });
  }
  static bool well_formed(Value list, const ValuePool& pool) {
    for (const Value part : pool.elements_of(list)) {
      if (!parse(part, pool)) return false;
    }
    return true;
  }

  template <class Contents>
  void store(Contents& state, Value key, Value value) const {
    if (initial_value && value == *initial_value) {
      state.erase(key);
    } else {
      state.assign(key, value);
    }
  }
};

}  // namespace linchpin::types

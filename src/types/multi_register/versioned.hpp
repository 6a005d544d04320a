// Registers whose store tells versions: txn([[write k v] [read k] ...]) -> [[write k v 7] [read k v 6] ...].
//
// The versions of a key go up with each transaction that writes it; all its writes in one transaction make one version.
// They need not be dense. What was not told is unknown: a state holds what is known of a key, and the first read that
// says more fixes it. So it is exactly the set of contents that are still possible.
// Semantics and options: README.md beside this file.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <absl/container/inlined_vector.h>
#include <fmt/format.h>

#include "linchpin/history.hpp"
#include "linchpin/specification_interface.hpp"
#include "types/answers.hpp"
#include "types/arguments.hpp"
#include "types/flat_map.hpp"
#include "types/level.hpp"
#include "types/multi_register/transaction.hpp"
#include "types/transaction_parts.hpp"

namespace linchpin::types {

struct VersionedRegisters {
  /// What is known of a key.
  struct Cell {
    std::optional<Value> value;  ///< nothing: any
    std::int64_t version = 0;
    enum class Known : std::uint8_t { nothing, above, exactly } known = Known::nothing;  ///< of the version

    /// Whether it can have the version; it then has. Nothing: none was told.
    bool has(std::optional<std::int64_t> told) {
      if (!told) return true;
      if (known == Known::exactly && *told != version) return false;
      if (known == Known::above && *told <= version) return false;
      version = *told;
      known = Known::exactly;
      return true;
    }
    /// It has a version above the one before.
    void grow() {
      if (known == Known::exactly) known = Known::above;
    }
    [[nodiscard]] std::uint64_t hash() const {
      return mix(mix(value ? value->hash() : 0, static_cast<std::uint64_t>(version)),
                 static_cast<std::uint64_t>(known));
    }
    bool operator==(const Cell&) const = default;
  };
  using State = FlatMap<Cell>;  // keys of which something is known
  enum : std::uint16_t { kTxn };
  static constexpr std::array methods{Method{"txn", 1, "transaction transact"}};
  static constexpr bool reads_partial_results = true;

  std::optional<Value> initial_value = {};  // nothing: any
  Level level = Level::strict;

  static State initial() { return {}; }
  [[nodiscard]] std::unique_ptr<Replay> make_replay() const;

  /// One part of a transaction.
  struct MicroOperation {
    bool writes = false;
    Value key;
    Value value;                          ///< of a read: what it saw; nil: it says nothing
    std::optional<std::int64_t> version;  ///< nothing: it is not told
  };

  /// `Contents`: the state, or what a run changes in place.
  template <class Contents>
  bool step(Contents& state, const Operation& operation) const {
    absl::InlinedVector<Value, 4> written;
    return visit(operation, [&](const MicroOperation& micro) {
      const Cell* const known = state.find(micro.key);
      Cell cell = known != nullptr ? *known : Cell{.value = initial_value};
      if (micro.writes) {
        cell.value = micro.value;
        if (std::find(written.begin(), written.end(), micro.key) == written.end()) {
          written.push_back(micro.key);
          cell.grow();
        }
      } else if (!micro.value.is_nil()) {
        if (micro.value.is_none()) return false;  // no register holds that
        if (cell.value.value_or(micro.value) != micro.value) return false;
        cell.value = micro.value;
      }
      if (!cell.has(micro.version)) return false;
      if (cell == Cell{.value = initial_value}) {
        state.erase(micro.key);
      } else {
        state.assign(micro.key, cell);
      }
      return true;
    });
  }

  /// Whether it writes nothing, and tells nothing that is not known from the beginning.
  [[nodiscard]] bool pure(const Operation& operation) const {
    bool tells = false;
    visit(operation, [&](const MicroOperation& micro) {
      tells = tells || micro.writes || micro.version || (!initial_value && !micro.value.is_nil());
      return true;
    });
    return !tells;
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

  static std::string invalid(const Operation& operation);
  static std::string describe(const State& state, const ValuePool& pool);
  static std::size_t bytes(const State& state) { return state.bytes(); }

  /// Calls `visitor` for each part, with the values and versions that the result gives, until it says no. False when it
  /// did, or when the result does not complete the arguments. Of a read whose answer was lost, alone or with the whole
  /// result, nothing is told, whatever it was given to expect; of a write what the call says.
  template <class Visitor>
  static bool visit(const Operation& operation, Visitor&& visitor) {
    const ValuePool& pool = *operation.pool;
    return visit_parts(
        operation, [&](Value part) { return parse(part, pool); },
        [&](MicroOperation& micro, const MicroOperation& wanted, Value answer) {
          if (micro.writes) {
            if (wanted.version && micro.version && *wanted.version != *micro.version) return false;
            if (!micro.version) micro.version = wanted.version;
          } else if (operation.result_unknown() || answer.is_unknown()) {
            micro.value = Value::nil();
            micro.version.reset();
          } else {
            // An answer may leave out what the read was given to expect; `?` says that it was lost.
            if (micro.value.is_nil() && !wanted.value.is_unknown()) micro.value = wanted.value;
            if (micro.value.is_unknown()) micro.value = Value::nil();
            if (!micro.version && !loses_version(answer, pool)) micro.version = wanted.version;
          }
          return true;
        },
        std::forward<Visitor>(visitor));
  }

 private:
  static std::optional<MicroOperation> parse(Value part, const ValuePool& pool) {
    const auto fields = multi_register::fields_of(part, 4, pool);
    if (!fields) return std::nullopt;
    MicroOperation micro{.writes = fields->writes, .key = fields->fields[1], .value = fields->value()};
    if (fields->fields.size() == 4) {
      const Value version = fields->fields[3];
      if (version.is_nil() || version.is_unknown()) return micro;
      if (!is_integer(version)) return std::nullopt;
      micro.version = pool.integer_of(version);
    }
    return micro;
  }
  static bool loses_version(Value part, const ValuePool& pool) {
    const auto fields = pool.elements_of(part);
    return fields.size() == 4 && fields[3].is_unknown();
  }
};

}  // namespace linchpin::types

// Lists under keys, read and appended to by transactions: txn([[append k v] [r k nil] ...]) -> the completed list.
//
// A transaction that returned false was aborted: it is legal in every state, and does nothing. One that returned
// `?` was not.
// Semantics: README.md beside this file.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include "linchpin/error.hpp"
#include "linchpin/history.hpp"
#include "linchpin/specification_interface.hpp"
#include "types/arguments.hpp"
#include "types/flat_map.hpp"
#include "types/level.hpp"
#include "types/list_append/transaction.hpp"

namespace linchpin::types {

struct ListAppend {
  using List = std::vector<Value>;
  using State = FlatMap<List>;  // the lists that are not empty
  enum : std::uint16_t { kTxn };
  static constexpr std::array methods{Method{"txn", 1, "transaction transact"}};
  static constexpr std::string_view options =
      "level=strict-serializable, strong-session-serializable or serializable (default strict-serializable): which "
      "order of the transactions counts";
  static constexpr bool reads_partial_results = true;

  Level level = Level::strict;

  /// What a run changes in place.
  using Lists = absl::flat_hash_map<std::uint64_t, List>;  // by the keys' bits

  static Result<std::shared_ptr<const Specification>> make(const TypeName& type);

  static State initial() { return {}; }
  [[nodiscard]] std::unique_ptr<Replay> make_replay() const;

  /// `Contents`: the state, or what a run changes in place.
  template <class Contents>
  bool step(Contents& lists, const Operation& operation) const {
    if (list_append::aborted(operation)) return true;
    list_append::MicroOperations parts(*operation.pool);
    return list_append::visit(operation, parts, [&](const list_append::MicroOperation& part) {
      if (part.writes) {
        append(lists, part.key, part.value);
        return true;
      }
      if (part.value.is_unknown()) return true;
      const std::span<const Value> held = list_of(lists, part.key);
      if (part.value.is_nil()) return held.empty();
      const std::span<const Value> seen = operation.pool->elements_of(part.value);
      return std::equal(seen.begin(), seen.end(), held.begin(), held.end());
    });
  }

  /// Whether it appends nothing.
  static bool pure(const Operation& operation) {
    if (list_append::aborted(operation)) return true;
    bool appends = false;
    list_append::MicroOperations parts(*operation.pool);
    list_append::visit(operation, parts, [&](const list_append::MicroOperation& part) {
      appends = appends || part.writes;
      return true;
    });
    return !appends;
  }

  /// The key of a transaction that touches only one.
  static std::optional<Value> key(const Operation& operation) {
    std::optional<Value> only;
    list_append::MicroOperations parts(*operation.pool);
    for (const Value asked : operation.pool->elements_of(operation.argument(0))) {
      const auto part = parts.parse(asked);
      if (!part || (only && *only != part->key)) return std::nullopt;
      only = part->key;
    }
    return only;
  }

  static std::string invalid(const Operation& operation) {
    if (!operation.argument(0).is_list()) return "a transaction is a list of [append key value] and [r key list]";
    list_append::MicroOperations parts(*operation.pool);
    for (const Value asked : operation.pool->elements_of(operation.argument(0))) {
      if (!parts.parse(asked)) return "each part of a transaction must be [append key value] or [r key list]";
      if (std::string why = refuse_none(operation.pool->elements_of(asked)); !why.empty()) return why;
    }
    if (!operation.pool->partial(operation.result)) return {};
    for (const Value answered : operation.pool->elements_of(operation.result)) {
      if (!operation.pool->partial(answered)) continue;
      const auto part = parts.parse(answered);
      if (part && !part->writes && part->value.is_unknown() && !operation.pool->partial(part->key) &&
          !part->key.is_unknown()) {
        continue;
      }
      return "'?' stands for a part of the result, or for the whole list that a read in it saw";
    }
    return {};
  }

  static std::string describe(const State& state, const ValuePool& pool) {
    std::string text;
    for (const auto& [key, list] : state) {
      text += fmt::format("{}{}: [", text.empty() ? "" : ", ", pool.to_text(key));
      for (std::size_t i = 0; i < list.size(); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : " ", pool.to_text(list[i]));
      text += "]";
    }
    return fmt::format("{{{}}}", text);
  }
  static std::size_t bytes(const State& state) {
    std::size_t sum = state.bytes();
    for (const auto& [key, list] : state) sum += list.capacity() * sizeof(Value);
    return sum;
  }

 private:
  static std::span<const Value> list_of(const State& state, Value key) {
    const List* const list = state.find(key);
    return list != nullptr ? std::span<const Value>(*list) : std::span<const Value>();
  }
  static std::span<const Value> list_of(const Lists& lists, Value key) {
    const auto at = lists.find(key.bits());
    return at != lists.end() ? std::span<const Value>(at->second) : std::span<const Value>();
  }
  static void append(State& state, Value key, Value value) {
    const std::span<const Value> held = list_of(state, key);
    List list;
    list.reserve(held.size() + 1);
    list.assign(held.begin(), held.end());
    list.push_back(value);
    state.assign(key, std::move(list));
  }
  static void append(Lists& lists, Value key, Value value) { lists[key.bits()].push_back(value); }
};

}  // namespace linchpin::types

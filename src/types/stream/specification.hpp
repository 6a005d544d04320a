// A stream of records: append(hashes, match, token, set), read -> [tail hash], check_tail -> tail.
//
// The state is the number of records, a chained hash of all of them, and the fencing token; so it is small however long
// the stream is. Hashes have 64 bits, and are held as the signed integers of the same bits. An append of unknown fate
// may not have taken effect although it was admitted, so this specification is nondeterministic.
// Semantics: README.md beside this file.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/versions.hpp"
#include "linchpin/error.hpp"
#include "linchpin/history.hpp"
#include "linchpin/specification_interface.hpp"
#include "types/answers.hpp"
#include "types/arguments.hpp"

namespace linchpin::types {

struct Stream {
  struct State {
    std::uint64_t tail = 0, content = 0;  ///< how many records, and their hash
    Value token = Value::nil();

    [[nodiscard]] std::uint64_t hash() const { return mix(mix(token.hash(), content), tail); }
    bool operator==(const State&) const = default;
  };
  enum : std::uint16_t { kAppend, kRead, kCheckTail };
  static constexpr std::array methods{Method{"append", std::pair{1, 4}}, Method{"read", 0, "read_session"},
                                      Method{"check_tail", 0, "tail length"}};
  static constexpr std::string_view options = "";

  static Result<std::shared_ptr<const Specification>> make(const TypeName& type);

  static State initial() { return {}; }

  /// An argument of `append` that may be left out; nil: it was.
  static Value optional_argument(const Operation& operation, std::size_t i) {
    return i < operation.arguments.size() ? operation.arguments[i] : Value::nil();
  }
  static Value match(const Operation& operation) { return optional_argument(operation, 1); }
  static Value token(const Operation& operation) { return optional_argument(operation, 2); }
  static Value new_token(const Operation& operation) { return optional_argument(operation, 3); }
  static std::uint64_t records(const Operation& operation) {
    return operation.pool->elements_of(operation.argument(0)).size();
  }

  /// Whether an append takes effect in the state.
  static bool admits(const State& state, const Operation& operation) {
    const Value expected = match(operation), fence = token(operation);
    if (!expected.is_nil() && number(expected, *operation.pool) != state.tail) return false;
    return fence.is_nil() || fence == state.token;
  }
  /// The state after an append. O(records)
  static State after(const State& state, const Operation& operation);

  template <class Emit>
  void step(const State& state, const Operation& operation, Emit&& emit) const {
    if (says_false(operation) || (operation.result_unknown() && operation.method != kAppend)) {
      emit(state);  // it failed, and tells nothing
      return;
    }
    if (operation.method == kAppend) {
      if (operation.result_unknown()) emit(state);
      if (!admits(state, operation)) return;
      const State appended = after(state, operation);
      if (is_integer(operation.result)) {
        if (number(operation.result, *operation.pool) == appended.tail) emit(appended);
      } else if (operation.acknowledged()) {
        emit(appended);
      }
      return;
    }
    const std::optional<Seen> shown = seen(operation);
    if (shown && shown->tail == state.tail && shown->content.value_or(state.content) == state.content) emit(state);
  }

  struct Seen {
    std::uint64_t tail = 0;
    std::optional<std::uint64_t> content;
  };
  /// What a read or a check of the tail saw. Nothing: no state shows it.
  static std::optional<Seen> seen(const Operation& operation) {
    const ValuePool& pool = *operation.pool;
    if (is_integer(operation.result)) return Seen{.tail = number(operation.result, pool), .content = std::nullopt};
    if (operation.method != kRead || !operation.result.is_list()) return std::nullopt;
    const auto parts = pool.elements_of(operation.result);
    if (parts.size() != 2 || !is_integer(parts[0]) || !is_integer(parts[1])) return std::nullopt;
    return Seen{.tail = number(parts[0], pool), .content = number(parts[1], pool)};
  }

  /// The version is the tail. An append of no records would move nothing, and is refused by `invalid`.
  static std::optional<core::Versions> versions(const Operation& operation) {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 62U;
    if (operation.result_unknown() || says_false(operation)) return std::nullopt;
    std::uint64_t tail = 0;
    if (operation.method == kAppend) {
      if (!is_integer(operation.result)) return std::nullopt;
      tail = number(operation.result, *operation.pool);
    } else if (const std::optional<Seen> shown = seen(operation)) {
      tail = shown->tail;
    } else {
      return std::nullopt;
    }
    const std::uint64_t added = operation.method == kAppend ? records(operation) : 0;
    if (tail >= kMost || added > tail) return std::nullopt;
    return core::Versions{static_cast<std::int64_t>(tail - added), static_cast<std::int64_t>(tail)};
  }

  static bool pure(const Operation& operation) { return operation.method != kAppend || says_false(operation); }

  static std::string invalid(const Operation& operation);
  static std::string describe(const State& state, const ValuePool& pool);

  /// The 64 bits of an integer. @pre is_integer(value)
  static std::uint64_t number(Value value, const ValuePool& pool) {
    return static_cast<std::uint64_t>(pool.integer_of(value));
  }
};

}  // namespace linchpin::types

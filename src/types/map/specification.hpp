// A map: get, put, append, remove, cas, put_if_absent, replace, contains, size, is_empty, clear.
//
// A product over its keys. Strings can be appended to, so the state keeps them by content, shared between states:
// a specification must not add to the history's pool. Semantics and options: README.md beside this file.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "linchpin/error.hpp"
#include "linchpin/history.hpp"
#include "linchpin/specification_interface.hpp"
#include "types/answers.hpp"
#include "types/arguments.hpp"
#include "types/flat_map.hpp"
#include "types/map/content.hpp"

namespace linchpin::types {

struct Map {
  using State = FlatMap<Content>;  // keys that are there
  enum : std::uint16_t {
    kGet,
    kPut,
    kAppend,
    kRemove,
    kCas,
    kPutIfAbsent,
    kReplace,
    kContains,
    kSize,
    kIsEmpty,
    kClear
  };
  static constexpr std::array methods{Method{"get", 1, "read lookup find"},
                                      Method{"put", 2, "set write insert store"},
                                      Method{"append", 2, "concat"},
                                      Method{"remove", 1, "delete del erase"},
                                      Method{"cas", 3, "compare_and_set compare_and_swap"},
                                      Method{"put_if_absent", 2, "add"},
                                      Method{"replace", std::pair{2, 3}, "update"},
                                      Method{"contains", 1, "contains_key has exists"},
                                      Method{"size", 0, "length count"},
                                      Method{"is_empty", 0, "empty"},
                                      Method{"clear", 0, "reset"}};
  static constexpr std::string_view options =
      "absent=nil or empty-string: what a key without a value reads as; results=ack or previous: whether what put, "
      "remove, put_if_absent and replace(k, v) return may only say 'done' (nil, ok, an echo) or answer (true, false), "
      "or is always the previous value (nil: there was none)";

  bool empty_string_is_absent = false;
  bool previous_results = false;

  static Result<std::shared_ptr<const Specification>> make(const TypeName& type);

  static State initial() { return {}; }
  [[nodiscard]] std::unique_ptr<Replay> make_replay() const;

  /// `Contents`: the state, or what a run changes in place.
  template <class Contents>
  bool step(Contents& state, const Operation& operation) const {
    if (operation.method >= kSize) return step_whole(state, operation);
    const Value key = operation.argument(0);
    const Content* const current = state.find(key);
    switch (operation.method) {
      case kGet: return operation.result_unknown() || holds(current, operation.result, *operation.pool);
      case kContains: return operation.returns(current != nullptr);
      case kPut:
        if (!fits_previous(operation, current)) return false;
        store(state, key, operation.argument(1), *operation.pool);
        return true;
      case kAppend: {
        if (!operation.acknowledged(1) || (current != nullptr && !current->is_text())) return false;
        const std::string_view tail = operation.pool->text_of(operation.argument(1));
        Content joined = current != nullptr ? current->appended(tail) : Content::text(tail);
        if (!(empty_string_is_absent && joined.is_empty_text())) state.assign(key, std::move(joined));
        return true;
      }
      case kRemove:
        if (!fits_removal(operation, current)) return false;
        state.erase(key);
        return true;
      case kPutIfAbsent:
        if (!fits_put_if_absent(operation, current)) return false;
        if (current == nullptr) store(state, key, operation.argument(1), *operation.pool);
        return true;
      case kReplace:
        if (operation.arguments.size() == 2) {
          if (!fits_removal(operation, current)) return false;
          if (current != nullptr) store(state, key, operation.argument(1), *operation.pool);
          return true;
        }
        [[fallthrough]];
      default: {  // kCas, which replace(k, old, new) is, too
        const bool matches = holds(current, operation.argument(1), *operation.pool);
        if (!fits_attempt(operation, matches)) return false;
        if (matches) store(state, key, operation.argument(2), *operation.pool);
        return true;
      }
    }
  }

  bool pure(const Operation& operation) const {
    switch (operation.method) {
      case kGet:
      case kContains:
      case kSize:
      case kIsEmpty: return true;
      case kPut: return is_previous_value(operation) && writes(operation, 1, operation.result);
      case kAppend: return operation.pool->text_of(operation.argument(1)).empty() && empty_string_is_absent;
      case kRemove: return finds_nothing(operation);
      case kPutIfAbsent: return finds_something(operation) || writes(operation, 1, Value::nil());
      case kReplace:
        if (operation.arguments.size() == 3) return compares_in_vain(operation);
        return finds_nothing(operation) || (is_previous_value(operation) && writes(operation, 1, operation.result));
      case kCas: return compares_in_vain(operation);
      default: return false;
    }
  }

  /// What is put under a key, or removed from it, where the result does not tell what was there.
  [[nodiscard]] std::optional<Value> overwrites(const Operation& operation) const {
    const bool tells = is_previous_value(operation);
    const bool blind = operation.method == kPut || (operation.method == kRemove && !answers(operation));
    return blind && !tells ? std::optional(operation.argument(0)) : std::nullopt;
  }
  static std::optional<Value> key(const Operation& operation) {
    return operation.method < kSize ? std::optional(operation.argument(0)) : std::nullopt;
  }
  static std::optional<Value> erasable(const Operation& operation) { return key(operation); }
  static bool sensitive(const Operation& operation) {
    if (operation.method == kSize) return returns_nonzero(operation);
    return operation.method == kIsEmpty && says_false(operation);
  }

  static std::string invalid(const Operation& operation) {
    if (operation.method == kAppend && !operation.argument(1).is_string()) return "only a string can be appended";
    return refuse_none(operation.arguments);
  }

  static std::string describe(const State& state, const ValuePool& pool) {
    std::string text;
    for (const auto& [key, content] : state) {
      text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", pool.to_text(key), content.describe(pool));
    }
    return fmt::format("{{{}}}", text);
  }
  static std::size_t bytes(const State& state) {
    std::size_t total = state.bytes();
    // Shared texts are counted in each state: an upper bound.
    for (const auto& [key, content] : state) total += content.bytes();
    return total;
  }

  /// Whether the value stands for "no value under this key".
  [[nodiscard]] bool is_absent(Value value, const ValuePool& pool) const {
    return value.is_nil() || (empty_string_is_absent && value.is_string() && pool.text_of(value).empty());
  }
  /// What put, remove or replace(k, v) returned is the value that was there (or nil for none), rather than an
  /// acknowledgement or an answer.
  [[nodiscard]] bool is_previous_value(const Operation& operation) const {
    if (operation.result.is_none() || operation.result_unknown()) return false;
    if (previous_results) return true;
    if (operation.method == kPut) return !operation.acknowledged(1);
    return !operation.acknowledged() && !says_false(operation);
  }
  /// A boolean result is an answer, rather than the value that was there.
  [[nodiscard]] bool answers(const Operation& operation) const {
    return !previous_results && operation.result.is_boolean();
  }
  /// What put_if_absent returned does not tell whether there was a value.
  [[nodiscard]] bool only_acknowledges(const Operation& operation) const {
    return operation.result.is_none() || operation.result_unknown() || (!previous_results && operation.says_ok());
  }

 private:
  template <class Contents>
  static bool step_whole(Contents& state, const Operation& operation) {
    switch (operation.method) {
      case kSize: return returns_number(operation, static_cast<std::int64_t>(state.size()));
      case kIsEmpty: return operation.returns(state.empty());
      default: state = {}; return operation.acknowledged();
    }
  }

  [[nodiscard]] bool holds(const Content* current, Value value, const ValuePool& pool) const {
    return current == nullptr ? is_absent(value, pool) : current->equals(value, pool);
  }
  template <class Contents>
  void store(Contents& state, Value key, Value value, const ValuePool& pool) const {
    if (is_absent(value, pool)) {
      state.erase(key);
    } else {
      state.assign(key, Content(value, pool));
    }
  }
  /// Storing argument `i` where `value` is changes nothing.
  [[nodiscard]] bool writes(const Operation& operation, std::size_t i, Value value) const {
    return operation.argument(i) == value ||
           (is_absent(operation.argument(i), *operation.pool) && is_absent(value, *operation.pool));
  }

  /// A comparison that changes nothing, whatever it found.
  [[nodiscard]] bool compares_in_vain(const Operation& operation) const {
    return says_false(operation) || writes(operation, 2, operation.argument(1));
  }
  [[nodiscard]] bool fits_previous(const Operation& operation, const Content* current) const {
    if (!is_previous_value(operation)) return true;
    return holds(current, operation.result, *operation.pool);
  }
  /// remove(k) and replace(k, v): true and false say whether there was a value.
  [[nodiscard]] bool fits_removal(const Operation& operation, const Content* current) const {
    if (answers(operation)) return says_true(operation) == (current != nullptr);
    return fits_previous(operation, current);
  }
  /// true: stored; nil: there was no value, so stored; false or a value: that was there.
  [[nodiscard]] bool fits_put_if_absent(const Operation& operation, const Content* current) const {
    if (only_acknowledges(operation)) return true;
    if (answers(operation)) return says_true(operation) == (current == nullptr);
    return holds(current, operation.result, *operation.pool);
  }
  /// remove(k) and replace(k, v)
  [[nodiscard]] bool finds_nothing(const Operation& operation) const {
    if (answers(operation)) return says_false(operation);
    return is_previous_value(operation) && is_absent(operation.result, *operation.pool);
  }
  /// put_if_absent
  [[nodiscard]] bool finds_something(const Operation& operation) const {
    if (only_acknowledges(operation)) return false;
    if (answers(operation)) return says_false(operation);
    return !is_absent(operation.result, *operation.pool);
  }
};

}  // namespace linchpin::types

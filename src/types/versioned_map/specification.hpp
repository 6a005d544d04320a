// A versioned map: get(k) -> [value version], put(k, v, version) on condition, write(k, v), version(k).
//
// A product over its keys. Each write of a key makes its next version; a conditional put takes effect iff the version
// is the one that it names. What an answer "perhaps" (ErrMaybe) means is an option, so this specification is
// nondeterministic. States hold the number of writes of each key, which is the version but for where counting begins.
// Semantics and options: README.md beside this file.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "base/names.hpp"
#include "core/versions.hpp"
#include "linchpin/error.hpp"
#include "linchpin/history.hpp"
#include "linchpin/specification_interface.hpp"
#include "types/answers.hpp"
#include "types/arguments.hpp"
#include "types/flat_map.hpp"

namespace linchpin::types {

struct VersionedMap {
  /// What is under a key: nothing, where it was never written.
  struct Content {
    std::uint64_t writes = 0;
    Value value;

    [[nodiscard]] std::uint64_t hash() const { return mix(value.hash(), writes); }
    bool operator==(const Content&) const = default;
  };
  using State = FlatMap<Content>;  // keys that were written
  enum : std::uint16_t { kGet, kPut, kWrite, kVersion };
  static constexpr std::array methods{Method{"get", 1, "read lookup"},
                                      Method{"put", 3, "put_if_version compare_and_put cas conditional_put"},
                                      Method{"write", 2, "set store"}, Method{"version", 1, "get_version stat exists"}};
  static constexpr std::string_view options =
      "maybe=executed or either: what ErrMaybe says, that the put was executed at some moment of the call (and took "
      "effect if the version was right), or that it may have taken effect or not; writes=ack or version: whether a "
      "successful put or write returns an acknowledgement, or the version that it made; first=N: the version of the "
      "first write (default 1)";

  bool maybe_executed = true;
  bool returns_versions = false;
  std::uint64_t absent_version = 0;  ///< of a key that was never written, modulo 2^64

  static Result<std::shared_ptr<const Specification>> make(const TypeName& type);

  static State initial() { return {}; }
  [[nodiscard]] std::unique_ptr<Replay> make_replay() const;

  /// What a put or a write answered.
  enum class Answer : std::uint8_t { done, failed, wrong_version, no_key, maybe, impossible };

  [[nodiscard]] Answer answer(const Operation& operation) const {
    if (operation.result_unknown()) return Answer::maybe;
    if (is_integer(operation.result)) {
      const bool fits = returns_versions || operation.result == operation.argument(1);
      return fits ? Answer::done : Answer::impossible;
    }
    if (operation.method == kPut && says_false(operation)) return Answer::failed;
    if (operation.result.is_string()) {
      const std::string_view text = operation.pool->text_of(operation.result);
      if (base::same_name(text, "ErrMaybe")) return Answer::maybe;
      if (operation.method == kPut && base::same_name(text, "ErrVersion")) return Answer::wrong_version;
      if (operation.method == kPut && base::same_name(text, "ErrNoKey")) return Answer::no_key;
    }
    return operation.acknowledged() || operation.acknowledged(1) ? Answer::done : Answer::impossible;
  }
  /// The number of writes that a version stands for, modulo 2^64: any version that no write can make is large.
  [[nodiscard]] std::uint64_t writes_of(Value version, const ValuePool& pool) const {
    return static_cast<std::uint64_t>(pool.integer_of(version)) - absent_version;
  }
  /// The writes after which a successful put or write of this answer was done, where it says so.
  [[nodiscard]] std::optional<std::uint64_t> made(const Operation& operation) const {
    if (!returns_versions || !is_integer(operation.result)) return std::nullopt;
    return writes_of(operation.result, *operation.pool);
  }
  /// What `get` or `version` saw: a number of writes, and the value where that was told. Nothing: no state shows it.
  struct Seen {
    std::uint64_t writes = 0;
    std::optional<Value> value;
  };
  [[nodiscard]] std::optional<Seen> seen(const Operation& operation) const {
    const Value result = operation.result;
    const ValuePool& pool = *operation.pool;
    if (result.is_nil() || (result.is_string() && base::same_name(pool.text_of(result), "ErrNoKey"))) return Seen{};
    if (operation.method == kVersion) {
      if (!is_integer(result)) return std::nullopt;
      return Seen{.writes = writes_of(result, pool), .value = std::nullopt};
    }
    if (!result.is_list()) return std::nullopt;
    const auto parts = pool.elements_of(result);
    if (parts.size() != 2 || !is_integer(parts[1]) || writes_of(parts[1], pool) == 0) return std::nullopt;
    return Seen{.writes = writes_of(parts[1], pool), .value = parts[0]};
  }

  template <class Emit>
  void step(const State& state, const Operation& operation, Emit&& emit) const {
    const Value key = operation.argument(0);
    const Content* const there = state.find(key);
    const Content before = there != nullptr ? *there : Content{};
    step_key(before, operation, [&](const Content& after) {
      if (after == before) {
        emit(state);
        return;
      }
      State changed = state;
      changed.assign(key, after);
      emit(std::move(changed));
    });
  }

  /// The same on what is under the operation's key.
  template <class Emit>
  void step_key(const Content& content, const Operation& operation, Emit&& emit) const {
    if (operation.method == kGet || operation.method == kVersion) {
      if (operation.result_unknown()) {
        emit(content);
        return;
      }
      const std::optional<Seen> shown = seen(operation);
      const bool fits = shown && shown->writes == content.writes && (!shown->value || *shown->value == content.value);
      if (fits) emit(content);
      return;
    }
    const bool matches =
        operation.method == kWrite || writes_of(operation.argument(2), *operation.pool) == content.writes;
    const Content written{.writes = content.writes + 1, .value = operation.argument(1)};
    switch (answer(operation)) {
      case Answer::done:
        if (matches && made(operation).value_or(written.writes) == written.writes) emit(written);
        return;
      case Answer::failed:
        if (!matches) emit(content);
        return;
      case Answer::wrong_version:
        if (!matches && content.writes != 0) emit(content);
        return;
      case Answer::no_key:
        if (!matches && content.writes == 0) emit(content);
        return;
      case Answer::maybe:
        if (matches) emit(written);
        if (!matches || !maybe_executed) emit(content);
        return;
      case Answer::impossible: return;
    }
  }

  [[nodiscard]] bool pure(const Operation& operation) const {
    if (operation.method == kGet || operation.method == kVersion) return true;
    // No history has so many writes.
    if (operation.method == kPut && writes_of(operation.argument(2), *operation.pool) >> 62U != 0) return true;
    const Answer answered = answer(operation);
    return answered != Answer::done && answered != Answer::maybe;
  }
  static std::optional<Value> key(const Operation& operation) { return operation.argument(0); }

  /// The version is the number of writes.
  [[nodiscard]] std::optional<core::Versions> versions(const Operation& operation) const {
    const auto between = [](std::uint64_t before, std::uint64_t after) -> std::optional<core::Versions> {
      if (after >> 62U != 0) return std::nullopt;  // no history has so many writes
      return core::Versions{static_cast<std::int64_t>(before), static_cast<std::int64_t>(after)};
    };
    if (operation.method == kGet || operation.method == kVersion) {
      if (operation.result_unknown()) return std::nullopt;
      const std::optional<Seen> shown = seen(operation);
      return shown ? between(shown->writes, shown->writes) : std::nullopt;
    }
    if (answer(operation) != Answer::done) return std::nullopt;
    if (operation.method == kPut) {
      const std::uint64_t before = writes_of(operation.argument(2), *operation.pool);
      return before >> 62U == 0 ? between(before, before + 1) : std::nullopt;
    }
    const std::optional<std::uint64_t> after = made(operation);
    return after && *after > 0 ? between(*after - 1, *after) : std::nullopt;
  }
  static std::optional<Value> erasable(const Operation& operation) { return key(operation); }

  [[nodiscard]] std::string invalid(const Operation& operation) const {
    if (operation.method == kPut && !is_integer(operation.argument(2))) return "the version must be an integer";
    const bool writes = operation.method == kPut || operation.method == kWrite;
    if (writes && !returns_versions && is_integer(operation.result) && operation.result != operation.argument(1)) {
      return "an integer was returned: if it is the version that was made, say writes=version";
    }
    return refuse_none(operation.arguments);
  }

  [[nodiscard]] std::string describe(const State& state, const ValuePool& pool) const {
    std::string text;
    for (const auto& [key, content] : state) {
      text += fmt::format("{}{}: {} version {}", text.empty() ? "" : ", ", pool.to_text(key),
                          pool.to_text(content.value), version_after(content.writes));
    }
    return fmt::format("{{{}}}", text);
  }
  static std::size_t bytes(const State& state) { return state.bytes(); }

  [[nodiscard]] std::int64_t version_after(std::uint64_t writes) const {
    return static_cast<std::int64_t>(absent_version + writes);
  }
};

}  // namespace linchpin::types

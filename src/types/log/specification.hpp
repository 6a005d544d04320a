// An append-only log: append(v) -> ack or index, read -> all entries, get(i) -> entry or nil, put(list), length.
//
// Semantics and options: README.md beside this file.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "core/versions.hpp"
#include "linchpin/error.hpp"
#include "linchpin/history.hpp"
#include "linchpin/specification_interface.hpp"
#include "types/answers.hpp"
#include "types/arguments.hpp"

namespace linchpin::types {

struct Log {
  using State = std::vector<Value>;
  enum : std::uint16_t { kAppend, kRead, kGet, kPut, kLength };
  static constexpr std::array methods{
      Method{"append", 1, "add push"}, Method{"read", 0, "get_all read_all list entries"},
      Method{"get", 1, "read_at entry at"}, Method{"put", 1, "overwrite set write"}, Method{"length", 0, "size count"}};
  static constexpr std::string_view options =
      "append=ack, index or length: what an integer returned by append is (ack: only the argument repeated)";

  enum class Returned : std::uint8_t { ack, index, length };
  Returned returned = Returned::ack;

  static Result<std::shared_ptr<const Specification>> make(const TypeName& type);

  static State initial() { return {}; }

  bool step(State& state, const Operation& operation) const {
    switch (operation.method) {
      case kAppend: {
        const auto index = static_cast<std::int64_t>(state.size());
        state.push_back(operation.argument(0));
        if (!returns_place(operation)) return operation.acknowledged(0);
        return returns_number(operation, returned == Returned::length ? index + 1 : index);
      }
      case kRead: {
        if (operation.result_unknown()) return true;
        if (!operation.result.is_list()) return false;
        const auto shown = operation.pool->elements_of(operation.result);
        return std::equal(shown.begin(), shown.end(), state.begin(), state.end());
      }
      case kGet: {
        const std::int64_t index = operation.pool->integer_of(operation.argument(0));
        const bool inside = index >= 0 && index < static_cast<std::int64_t>(state.size());
        return operation.returns(inside ? state[static_cast<std::size_t>(index)] : Value::nil());
      }
      case kPut: {
        const auto entries = operation.pool->elements_of(operation.argument(0));
        state.assign(entries.begin(), entries.end());
        return operation.acknowledged(0);
      }
      default: return returns_number(operation, static_cast<std::int64_t>(state.size()));
    }
  }

  static bool pure(const Operation& operation) { return operation.method != kAppend && operation.method != kPut; }

  /// The version is the length, as long as nothing overwrites the log.
  [[nodiscard]] std::optional<core::Versions> versions(const Operation& operation) const {
    if (operation.method == kPut) return core::Versions::disordered();
    if (operation.method == kGet || operation.result_unknown()) return std::nullopt;
    if (operation.method == kRead) {
      if (!operation.result.is_list()) return std::nullopt;
      const auto length = static_cast<std::int64_t>(operation.pool->elements_of(operation.result).size());
      return core::Versions{length, length};
    }
    if (!is_integer(operation.result)) return std::nullopt;
    const std::int64_t told = operation.pool->integer_of(operation.result);
    if (told < 0 || told >> 62U != 0) return std::nullopt;
    if (operation.method == kLength) return core::Versions{told, told};
    if (!returns_place(operation)) return std::nullopt;
    const std::int64_t after = returned == Returned::length ? told : told + 1;
    return after > 0 ? std::optional(core::Versions{after - 1, after}) : std::nullopt;
  }

  /// An append's integer result says where the entry is, if the option says so. Elsewhere it can only be the argument
  /// repeated.
  [[nodiscard]] bool returns_place(const Operation& operation) const {
    return returned != Returned::ack && is_integer(operation.result);
  }

  [[nodiscard]] std::string invalid(const Operation& operation) const {
    const bool place_or_number =
        operation.method == kAppend && is_integer(operation.result) && operation.result != operation.argument(0);
    if (place_or_number && returned == Returned::ack) {
      return "what it returned may be its index or the length: say append=index or append=length";
    }
    if (operation.method == kGet && !is_integer(operation.argument(0))) return "the index must be an integer";
    if (operation.method == kPut && !operation.argument(0).is_list()) return "the argument must be a list of entries";
    if (operation.method == kPut) return refuse_putting(operation, operation.pool->elements_of(operation.argument(0)));
    return refuse_putting(operation, operation.arguments.first(operation.method == kAppend ? 1 : 0));
  }

  static std::string describe(const State& state, const ValuePool& pool) {
    return fmt::format("[{}]", join(state, pool));
  }
};

}  // namespace linchpin::types

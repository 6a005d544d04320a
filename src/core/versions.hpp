// Versions: numbers that tell the order of all changes to a state, as far as results of operations tell them.
//
// A type with versions has a member `versions(operation)`; which types have one: src/types/versions.cpp.
#pragma once

#include <cstdint>
#include <optional>

#include "linchpin/specification_interface.hpp"

namespace linchpin::core {

/// Between which versions of the state an operation stands, as its result alone tells it.
///
/// The version is a number that is 0 at first, and that every change of the state moves up; where the type has keys, of
/// what is under the operation's key. The operation is legal only where the version is `before`, and leaves `after`.
struct Versions {
  std::int64_t before = 0;
  std::int64_t after = 0;

  /// For an operation that may change the state without moving the version up: where there is one, pending or not,
  /// versions order nothing.
  [[nodiscard]] static constexpr Versions disordered() { return {.before = 1, .after = 0}; }
  [[nodiscard]] constexpr bool ordered() const { return before <= after; }
  /// Whether it changes the state.
  [[nodiscard]] constexpr bool changes() const { return before < after; }
};

/// The versions that the operation tells; nothing where it tells none, or its type has none.
[[nodiscard]] std::optional<Versions> versions_of(const Specification& specification, const Operation& operation);

}  // namespace linchpin::core

// Deciding by the order that a store itself claims for its operations: a version, a revision, a time of commit.
#pragma once

#include <string>
#include <vector>

#include "core/decider.hpp"

namespace linchpin::decide {

/// What became of the supplied order of a part.
struct SuppliedOrder {
  /// Linearizable, with a witness; a violation, with its core; else unknown, with the refusal as its sentence.
  core::Outcome outcome;
  /// For a refusal that is no violation: the two operations that real time orders the other way, or the one that cannot
  /// be placed.
  std::vector<std::uint32_t> against;
};

/// Whether the order of the field `part.order` is a linearization (supplied_order.cpp says what that means where
/// operations have no number, or several the same). A refusal is a violation only where what operations returned tells
/// versions that leave no other order (core/versions.hpp).
/// @pre part.order is set
[[nodiscard]] SuppliedOrder follow_supplied_order(const history::Subhistory& part, core::Budget& budget);

/// The same as a decider, for --decider: "supplied-order". It applies to parts with an order.
[[nodiscard]] const core::Decider& supplied_order();

}  // namespace linchpin::decide

// A violation by some parts of transactions: reads, values and keys that have no part in it are left out of all of
// them.
//
// A transaction that writes cannot be dropped: what it wrote may be what hides something else. But most of what it did
// has nothing to do with what is wrong: other keys, reads, and values that nobody saw again. What may be left out of a
// legal order the type says (core/parts.hpp); what is left is decided again, and the step is undone where that is no
// violation. First one key alone is tried, then halves, quarters, ... of keys, reads and values. A transaction of which
// nothing is left is dropped, and one of which only writes are left that others hide from every read. Where a key may
// hold anything at first, so is everything before a moment at which nothing that returned was open: of such moments the
// last one that still leaves a violation is found by bisection.
//
// What is left, whole again, is a violation on its own: if it had an order, so had its parts.
// Cost: some dozens of decisions, of ever fewer operations. Tests: fewer_parts_test.cpp, and that of tests/cross.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/budget.hpp"
#include "core/parts.hpp"
#include "history/subhistory.hpp"

namespace linchpin::explain {

struct FewerParts {
  std::shared_ptr<const History> history;  ///< what is left of the operations, in the order of `part`
  history::Subhistory part;           ///< refuted; who had not returned by then is pending, and promises its result
  std::vector<std::uint32_t> locals;  ///< by local of `part`: what it is a part of
  bool from_state = false;            ///< what came before some moment was dropped
};

/// How the type's operations are taken apart; null where they are not.
[[nodiscard]] const core::Parts* parts_of(const Specification& specification);

/// Nothing where no part can be left out within the budget, or where the part is not refuted.
/// @param blocked  the operation at whose response it is
[[nodiscard]] std::optional<FewerParts> with_fewer_parts(const history::Subhistory& part,
                                                         std::optional<std::uint32_t> blocked, core::Budget& budget);

}  // namespace linchpin::explain

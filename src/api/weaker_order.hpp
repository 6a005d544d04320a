// Histories of objects whose type asks for less than linearizability: an order of the transactions that need not keep
// real time (types/level.hpp).
//
// The same operations are decided with other times: all operations of such an object overlap. What is linearizable then
// has an order that explains it, whatever the times were. Where each process keeps its own order, the specification
// sees to it. So every decider, and what checks evidence, is as it is, and numbers of operations stay what they are.
// Cost: a copy of the history's columns, and a sort by the calls where they are not in order.
#pragma once

#include <optional>
#include <span>

#include "api/specifications.hpp"
#include "history/subhistory.hpp"
#include "linchpin/history.hpp"
#include "types/level.hpp"

namespace linchpin {

struct WeakerOrder {
  History history;
  Specifications specifications;
};

/// Of a type with transactions its option; strict for all others.
[[nodiscard]] types::Level level_of(const Specification& specification);

/// Nothing where all objects keep real time.
[[nodiscard]] std::optional<WeakerOrder> weaken(const History& history, const Specifications& specifications);

/// Gives the parts of such a weaker order, one an object, their operations as they were recorded, where that differs.
/// `history` and `specifications`: as they were before; they must outlive the parts. O(n log n).
void remember_recorded(std::span<history::Subhistory> parts, const History& history,
                       const Specifications& specifications, Ties ties);

}  // namespace linchpin

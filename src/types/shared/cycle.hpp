// An order of the transactions that keeps all dependencies and real time, or a short cycle of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/budget.hpp"
#include "types/level.hpp"
#include "types/shared/dependencies.hpp"

namespace linchpin::types::dependencies {

struct Order {
  bool complete = false;
  bool spent = false;                ///< the budget ended it
  std::vector<std::uint32_t> order;  ///< transactions that took effect
  std::vector<bool> placed;          ///< by node
};

/// Sorts topologically along the events: O(nodes and edges).
[[nodiscard]] Order sort_out(const history::Subhistory& part, const std::vector<bool>& kept, const Graph& graph,
                             core::Budget& budget);

struct Cycle {
  std::string name;         ///< G0, G1c, G-single, G2, with -process or -realtime
  std::vector<Edge> edges;  ///< between transactions; empty: the budget ended the search
  /// Its transactions, and some of other cycles of this level: 128 at most, unless it is longer.
  std::vector<std::uint32_t> met = {};
};

/// A cycle of the weakest level that has one, among what `order` could not place. `level`: which order counts; that of
/// sessions is in the graph.
[[nodiscard]] Cycle find_cycle(const history::Subhistory& part, const std::vector<bool>& kept, const Graph& graph,
                               const Order& order, Level level, core::Budget& budget);

}  // namespace linchpin::types::dependencies

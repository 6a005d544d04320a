// Which transaction must come before which: Adya's dependencies, and the orders of processes and of time.
#pragma once

#include <cstdint>
#include <vector>

#include "base/none.hpp"
#include "history/subhistory.hpp"
#include "types/in_sessions.hpp"

namespace linchpin::types::dependencies {

enum class Dependency : std::uint8_t {
  write,     ///< ww: both write the key, in this order
  read,      ///< wr: the second read what the first wrote
  anti,      ///< rw: the first read the key without what the second wrote
  relay,     ///< from an auxiliary node on: belongs to the anti-dependency that leads to it
  process,   ///< of one process, in its order
  realtime,  ///< the first returned before the second was called
};

/// Nodes are transactions, by local index, then auxiliary ones.
struct Edge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t key = kNone;
  Dependency kind = Dependency::write;
};

struct Graph {
  std::uint32_t transactions = 0;
  std::uint32_t nodes = 0;
  std::vector<Edge> edges;
};

/// The edges out of each node.
struct Targets {
  std::vector<std::uint32_t> begin;  ///< by node, into `edge`; one more at the end
  std::vector<std::uint32_t> edge;

  Targets(std::uint32_t nodes, const std::vector<Edge>& edges) : begin(nodes + 1, 0), edge(edges.size()) {
    for (const Edge& each : edges) ++begin[each.from + 1];
    for (std::uint32_t node = 0; node < nodes; ++node) begin[node + 1] += begin[node];
    std::vector<std::uint32_t> at(begin.begin(), begin.end() - 1);
    for (std::uint32_t i = 0; i < edges.size(); ++i) edge[at[edges[i].from]++] = i;
  }
};

/// By transaction: the one before it in its session, of those that took effect (`kept`); none: kNone. O(transactions).
[[nodiscard]] std::vector<std::uint32_t> previous_in_sessions(const history::Subhistory& part,
                                                              const std::vector<bool>& kept, const Sessions& sessions);
/// Adds the order of each session. `kept`: by transaction, whether it took effect. O(transactions).
void add_sessions(const history::Subhistory& part, const std::vector<bool>& kept, const Sessions& sessions,
                  Graph& graph);

}  // namespace linchpin::types::dependencies

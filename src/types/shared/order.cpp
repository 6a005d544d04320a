// Sorts topologically; real time needs no edges. Whatever can take effect does so as early as possible; at a response
// its transaction must have. If it has not, no order exists: what it waits for is called later, or waits, too.
#include "types/shared/cycle.hpp"

namespace linchpin::types::dependencies {

Order sort_out(const history::Subhistory& part, const std::vector<bool>& kept, const Graph& graph,
               core::Budget& budget) {
  const Targets targets(graph.nodes, graph.edges);
  std::vector<std::uint32_t> waits(graph.nodes, 0);
  for (const Edge& edge : graph.edges) ++waits[edge.to];
  Order result;
  result.placed.assign(graph.nodes, false);
  std::vector<bool> open(graph.nodes, false);
  std::vector<std::uint32_t> ready;
  const auto place_all = [&] {
    while (!ready.empty()) {
      const std::uint32_t node = ready.back();
      ready.pop_back();
      result.placed[node] = true;
      if (node < graph.transactions) result.order.push_back(node);
      for (std::uint32_t i = targets.begin[node]; i < targets.begin[node + 1]; ++i) {
        const std::uint32_t target = graph.edges[targets.edge[i]].to;
        if (--waits[target] == 0 && open[target]) ready.push_back(target);
      }
    }
  };
  const auto call = [&](std::uint32_t node) {
    open[node] = true;
    if (waits[node] == 0) ready.push_back(node);
  };
  std::size_t due = 0;
  for (std::uint32_t node = 0; node < graph.transactions; ++node) due += kept[node] ? 1 : 0;
  for (std::uint32_t node = graph.transactions; node < graph.nodes; ++node) call(node);
  result.order.reserve(due);
  place_all();
  for (const history::Event event : part.events()) {
    const std::uint32_t transaction = event.operation();
    if (budget.spent()) {
      result.spent = true;
      return result;
    }
    if (!event.is_response()) {
      if (kept[transaction]) call(transaction);
      place_all();
    } else if (!result.placed[transaction]) {
      return result;
    }
  }
  result.complete = result.order.size() == due;
  return result;
}

}  // namespace linchpin::types::dependencies

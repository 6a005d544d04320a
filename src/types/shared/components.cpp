#include "types/shared/components.hpp"

#include <algorithm>

namespace linchpin::types::dependencies {

Components find_components(std::uint32_t nodes, const std::vector<Edge>& edges) {
  const Targets targets(nodes, edges);
  Components found;
  found.of.assign(nodes, kNone);
  std::vector<std::uint32_t> number(nodes, kNone), low(nodes, 0), next(targets.begin.begin(), targets.begin.end() - 1);
  std::vector<std::uint32_t> path, waiting;
  std::uint32_t numbered = 0;
  const auto enter = [&](std::uint32_t node) {
    number[node] = low[node] = numbered++;
    path.push_back(node);
    waiting.push_back(node);
  };
  for (std::uint32_t root = 0; root < nodes; ++root) {
    if (number[root] != kNone) continue;
    enter(root);
    while (!path.empty()) {
      const std::uint32_t node = path.back();
      if (next[node] < targets.begin[node + 1]) {
        const std::uint32_t target = edges[targets.edge[next[node]++]].to;
        if (number[target] == kNone) {
          enter(target);
        } else if (found.of[target] == kNone) {
          low[node] = std::min(low[node], number[target]);
        }
        continue;
      }
      path.pop_back();
      if (!path.empty()) low[path.back()] = std::min(low[path.back()], low[node]);
      if (low[node] != number[node]) continue;
      const auto component = static_cast<std::uint32_t>(found.size.size());
      found.size.push_back(0);
      std::uint32_t member = kNone;
      do {
        member = waiting.back();
        waiting.pop_back();
        found.of[member] = component;
        ++found.size[component];
      } while (member != node);
    }
  }
  return found;
}

}  // namespace linchpin::types::dependencies

#include "research/schedules/state_sets.hpp"

#include <algorithm>

namespace linchpin::research {

StateSet StateSets::after_many(StateSet set, std::uint32_t local) {
  std::vector<StateId> reached;
  for (const StateId state : states(set)) {
    const std::span<const StateId> next = transitions_.after(state, labels_.of(local));
    reached.insert(reached.end(), next.begin(), next.end());
    if (part_.pending(local)) reached.push_back(state);
  }
  std::sort(reached.begin(), reached.end());
  reached.erase(std::unique(reached.begin(), reached.end()), reached.end());
  if (reached.empty()) return kNone;
  if (reached.size() == 1) return reached[0];
  const auto [found, fresh] = numbers_.try_emplace(reached, kMany + static_cast<StateSet>(many_.size()));
  if (fresh) many_.push_back(reached);
  return found->second;
}

std::vector<std::uint32_t> StateSets::effective(StateSet start, std::span<const std::uint32_t> order) {
  std::vector<StateSet> sets = {start};
  for (const std::uint32_t local : order) sets.push_back(after(sets.back(), local));
  std::vector<std::uint32_t> taken;
  StateId goal = states(sets.back()).front();
  for (std::size_t k = order.size(); k-- > 0;) {
    const std::vector<StateId> before = states(sets[k]);
    if (part_.pending(order[k]) && std::binary_search(before.begin(), before.end(), goal)) continue;
    for (const StateId state : before) {
      const std::span<const StateId> next = transitions_.after(state, labels_.of(order[k]));
      if (std::find(next.begin(), next.end(), goal) == next.end()) continue;
      goal = state;
      break;
    }
    taken.push_back(order[k]);
  }
  std::reverse(taken.begin(), taken.end());
  return taken;
}

}  // namespace linchpin::research

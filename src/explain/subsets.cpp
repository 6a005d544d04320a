#include "explain/subsets.hpp"

#include <bit>
#include <utility>

#include <absl/container/flat_hash_set.h>

namespace linchpin::explain {

std::optional<Subsets> Subsets::of(const history::Subhistory& part, core::Budget& budget) {
  const std::uint32_t size = part.size();
  if (size > kMostOperations) return std::nullopt;
  Subsets subsets;
  std::vector<Set> later(size, 0);  // what an operation happens before
  for (std::uint32_t i = 0; i < size; ++i) {
    if (!part.pending(i)) subsets.returned_ |= Set{1} << i;
    for (std::uint32_t j = 0; j < size; ++j) later[i] |= part.happens_before(i, j) ? Set{1} << j : 0;
  }
  const std::size_t sets = std::size_t{1} << size;
  subsets.linearizable_.assign(sets, false);
  subsets.taken_.assign(sets, 0);

  const auto states = part.specification->make_states();
  std::vector<std::pair<Set, StateId>> reached = {{0, states->initial()}};
  absl::flat_hash_set<std::pair<Set, StateId>> seen(reached.begin(), reached.end());
  std::vector<StateId> successors;
  std::size_t steps = 0;
  for (std::size_t next = 0; next < reached.size(); ++next) {
    const auto [done, state] = reached[next];
    subsets.linearizable_[done] = true;
    subsets.taken_[done] = done;
    for (std::uint32_t i = 0; i < size; ++i) {
      if ((done >> i & 1U) != 0 || (done & later[i]) != 0) continue;
      if (++steps > kMostSteps || budget.spent()) return std::nullopt;
      successors.clear();
      states->successors(state, part.view(i), successors);
      for (const StateId after : successors) {
        const std::pair<Set, StateId> reach(done | Set{1} << i, after);
        if (seen.insert(reach).second) reached.push_back(reach);
      }
    }
  }
  for (Set set = 0; set < sets; ++set) {
    for (Set left = set; left != 0; left &= left - 1) {
      const Set one = left & -left;
      subsets.taken_[set] |= subsets.taken_[set & ~one];
      const bool may_stay_out = (one & subsets.returned_) == 0;
      if (may_stay_out && subsets.linearizable_[set & ~one]) subsets.linearizable_[set] = true;
    }
  }
  return subsets;
}

bool Subsets::nothing_to_spare() const {
  const Set whole = all();
  if (linearizable(whole) || (impossible(whole) != 0 && std::popcount(whole) > 1)) return false;
  for (Set set = 0; set < whole; ++set) {
    if (!linearizable(set) && impossible(set) == 0) return false;
  }
  return true;
}

}  // namespace linchpin::explain

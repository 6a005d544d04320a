// The reference decider: short, slow, and right by inspection. For tests only.
//
// Semantics. Operations 0..n-1 (n <= 62) of one object; `a` happens before `b` iff a has a response and its rank is
// below the rank of b's call. The history is linearizable iff there are a set S of operations that holds every
// completed one, and an order of S, such that (1) no operation stands after one that it happens before, and (2) the
// operations, executed in that order from the initial state, are all legal, an unknown result standing for any legal
// result. A pending operation may be in S or not.
//
// Method: memoised recursion over (set of executed operations, state); next may be any operation all of whose
// predecessors are executed. Executing a pending operation is optional; done when every completed one is executed.
#pragma once

#include <cstdint>
#include <set>
#include <utility>

#include "history/subhistory.hpp"

namespace linchpin::reference {

inline bool search(const history::Subhistory& part, StateTable& states, std::uint64_t done, StateId state,
                   std::set<std::pair<std::uint64_t, StateId>>& refuted) {
  bool complete = true;
  for (std::uint32_t i = 0; i < part.size(); ++i) complete = complete && (part.pending(i) || ((done >> i) & 1U) != 0);
  if (complete) return true;
  if (refuted.contains({done, state})) return false;
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    if (((done >> i) & 1U) != 0) continue;
    bool enabled = true;
    for (std::uint32_t j = 0; j < part.size(); ++j) {
      if (((done >> j) & 1U) == 0 && part.happens_before(j, i)) enabled = false;
    }
    if (!enabled) continue;
    std::vector<StateId> next;
    states.successors(state, part.view(i), next);
    for (const StateId after : next) {
      if (search(part, states, done | (std::uint64_t{1} << i), after, refuted)) return true;
    }
  }
  refuted.insert({done, state});
  return false;
}

/// @pre part.size() <= 62
inline bool linearizable(const history::Subhistory& part) {
  const auto states = part.specification->make_states();
  std::set<std::pair<std::uint64_t, StateId>> refuted;
  return search(part, *states, 0, states->initial(), refuted);
}

}  // namespace linchpin::reference

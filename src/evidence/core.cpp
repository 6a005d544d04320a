#include "evidence/core.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "evidence/semantics.hpp"

namespace linchpin::evidence {

namespace {

/// One operation executed on the way, and where to go on when it turns out wrong.
struct Step {
  std::size_t chosen;             // position in the order by call; size(): the start
  std::vector<StateId> branches;  // further successor states of the chosen operation
  StateId state;                  // after it
  std::size_t next;               // candidate to try next
  std::size_t first;              // all before are executed
};

}  // namespace

std::optional<bool> linearizable_alone(const History& history, std::span<const OperationIndex> operations,
                                       const Specification& specification, Ties ties, core::Budget& budget,
                                       std::size_t most_steps, Tick until) {
  const Binding binding(history, specification);
  std::vector<OperationIndex> order(operations.begin(), operations.end());
  std::stable_sort(order.begin(), order.end(),
                   [&](OperationIndex a, OperationIndex b) { return history.call(a) < history.call(b); });
  const std::size_t n = order.size();
  const auto happened = [&](OperationIndex i) { return ended_before(history, i, until, ties); };
  const auto completed = static_cast<std::size_t>(std::count_if(order.begin(), order.end(), happened));
  const auto states = specification.make_states();
  std::vector<bool> done(n, false);
  std::set<std::pair<std::vector<bool>, StateId>> known;
  std::vector<Step> steps = {{.chosen = n, .branches = {}, .state = states->initial(), .next = 0, .first = 0}};
  const std::size_t memo_entry = n / 8 + 96;  // bytes, with the tree's node
  std::size_t executed = 0;                   // among `done`, of those that happened
  std::vector<StateId> successors;
  // Operation k may be next iff no operation that is not executed ended before its call. Such an operation stands
  // earlier in `order` or has an equal call; and what it keeps from k it keeps from everything called later.
  const auto enabled = [&](std::size_t first, std::size_t k) {
    const Tick call = history.call(order[k]);
    for (std::size_t j = first; j < n && history.call(order[j]) <= call; ++j) {
      if (!done[j] && j != k && ended_before(history, order[j], call, ties)) return false;
    }
    return true;
  };
  for (std::size_t work = 0;; ++work) {
    if (executed == completed) return true;
    if (work > most_steps || known.size() * memo_entry > kMostMemoBytes || budget.spent()) return std::nullopt;
    Step& top = steps.back();
    while (top.first < n && done[top.first]) ++top.first;
    top.next = std::max(top.next, top.first);
    while (top.next < n && done[top.next]) ++top.next;
    if (top.next < n && !enabled(top.first, top.next)) top.next = n;
    if (top.next < n) {
      const std::size_t k = top.next++;
      const std::size_t top_first = top.first;
      successors.clear();
      states->successors(top.state, binding.view(order[k]), successors);
      if (successors.empty()) continue;
      const StateId after = successors.back();
      successors.pop_back();
      done[k] = true;
      executed += happened(order[k]) ? 1 : 0;
      steps.push_back({.chosen = k, .branches = successors, .state = after, .next = 0, .first = top_first});
      if (!known.insert({done, after}).second) steps.back().next = n;
      continue;
    }
    // Everything was tried here: another successor of the same operation, or back.
    if (!top.branches.empty()) {
      top.state = top.branches.back();
      top.branches.pop_back();
      top.next = known.insert({done, top.state}).second ? 0 : n;
      continue;
    }
    if (top.chosen == n) return false;
    done[top.chosen] = false;
    executed -= happened(order[top.chosen]) ? 1 : 0;
    steps.pop_back();
  }
}

std::optional<std::vector<OperationIndex>> operations_at_stake(const History& history, ObjectIndex object,
                                                               const Specification& specification,
                                                               std::span<const OperationIndex> core, std::size_t most) {
  const Binding binding(history, specification);
  std::optional<Value> key;
  bool one_key = specification.has_keys() && !core.empty();
  for (const OperationIndex i : core) {
    if (!one_key) break;
    const std::optional<Value> own = specification.key(binding.view(i));
    one_key = own && (!key || *key == *own);
    key = own;
  }
  std::vector<OperationIndex> all;
  std::vector<OperationIndex> of_key;
  for (OperationIndex i = 0; i < history.size(); ++i) {
    if (history.object(i) != object) continue;
    const std::optional<Value> own = one_key ? specification.key(binding.view(i)) : std::nullopt;
    one_key = one_key && own;  // whoever has no key sees them all
    if (one_key && *own == *key) of_key.push_back(i);
    if (all.size() <= most) all.push_back(i);
    if ((one_key ? of_key : all).size() > most) return std::nullopt;
  }
  return one_key ? std::move(of_key) : std::move(all);
}

}  // namespace linchpin::evidence

#include "explain/linearization.hpp"

#include <algorithm>

#include <absl/container/flat_hash_set.h>

#include "evidence/semantics.hpp"
#include "history/process_names.hpp"

namespace linchpin::explain {

namespace {

/// After one step. Of so many none says much.
constexpr std::size_t kMostPossible = 4096;

Tick middle(Tick first, Tick last) {
  return first + static_cast<Tick>((static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first)) / 2);
}

/// A state that was possible after a step, and one that led to it.
struct Possible {
  StateId state;
  std::uint32_t before;  // position in the list of the step before
};

}  // namespace

std::vector<Tick> linearization_points(const History& history, std::span<const OperationIndex> order) {
  const std::size_t n = order.size();
  std::vector<Tick> points(n);
  // From the right: the latest tick for each that leaves the later ones theirs.
  Tick latest = kPending;
  for (std::size_t k = n; k-- > 0;) points[k] = latest = std::min(latest, history.response(order[k]));
  Tick at = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const Tick call = history.call(order[k]);
    const Tick wanted = history.pending(order[k]) ? call : middle(call, history.response(order[k]));
    at = std::max({k == 0 ? call : at, call, std::min(wanted, points[k])});
    points[k] = at;
  }
  return points;
}

Linearization follow(const History& history, std::span<const OperationIndex> order, const Specification& specification,
                     const ExplainOptions& options) {
  Linearization result;
  const std::vector<Tick> points = linearization_points(history, order);
  result.steps.reserve(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) result.steps.push_back({order[k], points[k], {}});

  const evidence::Binding binding(history, specification);
  const auto states = specification.make_states();
  std::vector<std::vector<Possible>> possible = {{{states->initial(), 0}}};
  const auto describe = [&](StateId state) {
    std::string text = states->describe(state, history.pool());
    return specification.uses_process() ? history::with_process_names(history, std::move(text)) : text;
  };
  result.initial = describe(possible[0][0].state);
  std::vector<StateId> successors;
  absl::flat_hash_set<StateId> met;
  std::size_t looked_at = 0;
  for (const OperationIndex i : order.first(std::min(order.size(), options.most_states))) {
    std::vector<Possible> next;
    met.clear();
    for (std::uint32_t k = 0; k < possible.back().size(); ++k) {
      successors.clear();
      states->successors(possible.back()[k].state, binding.view(i), successors);
      for (const StateId state : successors) {
        if (met.insert(state).second) next.push_back({state, k});
      }
    }
    looked_at += next.size();
    const bool too_many = next.size() > kMostPossible || looked_at > options.most_states + kMostPossible;
    if (next.empty() || too_many || states->bytes() > options.most_state_bytes) break;
    possible.push_back(std::move(next));
  }
  // Back from the end along one run.
  std::vector<StateId> run(possible.size());
  std::uint32_t at = 0;
  for (std::size_t k = possible.size(); k-- > 0;) {
    run[k] = possible[k][at].state;
    at = possible[k][at].before;
  }
  std::size_t bytes = 0;
  for (std::size_t k = 1; k < run.size() && bytes <= options.most_state_bytes; ++k) {
    result.steps[k - 1].state = describe(run[k]);
    bytes += result.steps[k - 1].state.size();
    result.states = k;
  }
  return result;
}

}  // namespace linchpin::explain

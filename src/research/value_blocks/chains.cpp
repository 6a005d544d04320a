#include "research/value_blocks/chains.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/none.hpp"
#include "research/value_blocks/intervals.hpp"

namespace linchpin::research::value_blocks {

namespace {

/// Figure 7: the true CASes so that each stands after those that lead to its value.
std::vector<std::uint32_t> topological_true_cas_sort(const Execution& execution) {
  constexpr std::uint32_t kNotVisited = kNone;
  std::vector<std::uint32_t> next(execution.values.size(), kNone);
  for (const std::uint32_t each : execution.true_cases) {
    next[execution.calls[each].compare] = execution.calls[each].value;
  }
  // Depth first, where no node has more than one successor.
  std::vector<std::uint32_t> place(execution.values.size(), kNotVisited);  // in val_order
  std::uint32_t visited = 0;
  for (const std::uint32_t each : execution.true_cases) {
    std::vector<std::uint32_t> path;
    for (std::uint32_t node = execution.calls[each].compare; node != kNone && place[node] == kNotVisited;
         node = next[node]) {
      path.push_back(node);
    }
    for (; !path.empty(); path.pop_back()) place[path.back()] = visited++;
  }
  std::vector<std::uint32_t> sorted = execution.true_cases;
  std::sort(sorted.begin(), sorted.end(), [&](std::uint32_t a, std::uint32_t b) {
    return place[execution.calls[a].compare] > place[execution.calls[b].compare];
  });
  return sorted;
}

}  // namespace

std::optional<Fault> true_cas_fault(const history::Subhistory& part, const Execution& execution) {
  const auto name = [&](std::uint32_t call) {
    return part.history->describe(part.operation[execution.calls[call].local]);
  };
  std::vector<std::uint32_t> leaving(execution.values.size(), kNone);
  for (const std::uint32_t each : execution.true_cases) {
    std::uint32_t& other = leaving[execution.calls[each].compare];
    if (other != kNone)
      return Fault{{other, each}, fmt::format("{} and {} replace one value", name(other), name(each))};
    other = each;
  }
  for (const std::uint32_t first : execution.true_cases) {
    std::vector<std::uint32_t> loop{first};
    std::uint32_t next = leaving[execution.calls[first].value];
    while (next != kNone && next != first && loop.size() <= execution.true_cases.size()) {
      loop.push_back(next);
      next = leaving[execution.calls[next].value];
    }
    if (next == first) {
      return Fault{std::move(loop), fmt::format("what replaces the value of {} leads back to it", name(first))};
    }
  }
  return std::nullopt;
}

std::vector<Chain> make_chains(const Execution& execution) {
  std::vector<Chain> chains;
  std::vector<std::uint32_t> chain_of(execution.values.size(), kNone);
  const auto begin_chain = [&](std::uint32_t value) {
    chain_of[value] = static_cast<std::uint32_t>(chains.size());
    chains.push_back({value});
  };
  for (const std::uint32_t each : topological_true_cas_sort(execution)) {
    const Call& cas = execution.calls[each];
    if (chain_of[cas.compare] == kNone) begin_chain(cas.compare);
    chain_of[cas.value] = chain_of[cas.compare];
    chains[chain_of[cas.value]].push_back(cas.value);
  }
  for (std::uint32_t value = 0; value < execution.values.size(); ++value) {
    if (chain_of[value] == kNone && !execution.by_value[value].empty()) begin_chain(value);
  }
  return chains;
}

std::optional<std::size_t> intra_group_check(const Execution& execution, const Chain& chain) {
  for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
    // What the figure calls earliest_lin and latest_lin.
    const history::Rank earliest = make_interval(execution, execution.by_value[chain[i]]).last_call();
    const history::Rank latest = make_interval(execution, execution.by_value[chain[i + 1]]).first_return();
    if (earliest > latest) return i;
  }
  return std::nullopt;
}

std::vector<std::uint32_t> calls_of(const Execution& execution, const Chain& chain) {
  std::vector<std::uint32_t> calls;
  for (const std::uint32_t value : chain) {
    calls.insert(calls.end(), execution.by_value[value].begin(), execution.by_value[value].end());
  }
  std::sort(calls.begin(), calls.end());
  calls.erase(std::unique(calls.begin(), calls.end()), calls.end());
  return calls;
}

}  // namespace linchpin::research::value_blocks

#include "decide/lift/violation.hpp"

#include <algorithm>

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

namespace linchpin::decide::lift {

using core::Outcome;

Outcome violation_of(const history::Subhistory& part, const core::LiftHistory& read, const Matching& matching,
                     const Matching::Fault& fault) {
  Outcome outcome{.verdict = Verdict::violation};
  outcome.sentence = fmt::format("{} was {} {}", part.history->pool().to_text(read.acts.value[fault.operation]),
                                 is_take(read.acts.kind[fault.operation]) ? read.taken : std::string_view("seen"),
                                 fault.too_many ? fmt::format("more often than it had been {}", read.added)
                                                : fmt::format("before anybody could have {} it", read.added));
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    if (matching.value_of(i) == matching.value_of(fault.operation)) outcome.core.push_back(i);
  }
  return outcome;
}

Outcome violation_of(const history::Subhistory& part, const core::LiftHistory& read, const Matching& matching,
                     const Matching::Remainder& remainder) {
  Outcome outcome{.verdict = Verdict::violation};
  outcome.sentence = fmt::format("{} was {} more often than it can have been {} before {} found nothing",
                                 part.history->pool().to_text(read.acts.value[remainder.group.front()]), read.added,
                                 read.taken, part.history->describe(part.operation[remainder.found_nothing]));
  if (matching.any_lost_that_returned()) {
    for (std::uint32_t i = 0; i < part.size(); ++i) outcome.core.push_back(i);
    return outcome;
  }
  outcome.core = remainder.group;
  outcome.core.push_back(remainder.found_nothing);
  std::ranges::sort(outcome.core);
  return outcome;
}

Outcome violation_of(const history::Subhistory& part, const core::LiftHistory& read, const Matching& matching,
                     const Choices::Refutation& refutation, const std::vector<LiftLeaf>& leaves) {
  std::vector<bool> blamed(matching.values() + 1, false), kept(part.size(), false);
  for (const std::uint32_t leaf : refutation.leaves) {
    for (const std::uint32_t value : leaves[leaf].values) blamed[value] = true;
    for (const std::uint32_t other : leaves[leaf].others) {
      kept[other] = true;
      blamed[matching.value_of(other)] = true;
    }
  }
  for (const std::uint32_t x : refutation.variables) {
    blamed[matching.value_of(matching.variables()[x].operation)] = true;
  }
  for (const std::uint32_t add : refutation.resources) blamed[matching.value_of(add)] = true;
  blamed[matching.values()] = false;
  Outcome outcome{.verdict = Verdict::violation};
  // A removal that returned and lost its result took something: none of it can be erased.
  const bool all = matching.any_lost_that_returned();
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    const bool lost = read.acts.kind[i] == ActKind::lost_take;
    if (all || lost || kept[i] || blamed[matching.value_of(i)]) outcome.core.push_back(i);
  }
  absl::flat_hash_set<std::uint64_t> added;
  bool repeats = false;
  for (const std::uint32_t i : outcome.core) {
    if (read.acts.kind[i] == ActKind::add) repeats = !added.insert(read.acts.value[i].bits()).second || repeats;
  }
  // Asked for where nothing had to be chosen, no more is known than that.
  outcome.sentence =
      repeats ? fmt::format(
                    "whichever of the equal values that were {} is taken for the one that was {}, the order is "
                    "impossible",
                    read.added, read.taken)
              : "no order of the operations explains every result";
  return outcome;
}

}  // namespace linchpin::decide::lift

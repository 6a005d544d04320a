#include "explain/tell.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "decide/choose.hpp"
#include "explain/attempts.hpp"

namespace linchpin::explain {

namespace {

constexpr std::size_t kMostTold = 5'000;  // operations
constexpr std::size_t kMostStates = 16;
constexpr std::uint64_t kSteps = 1'000'000;

/// For a violation of which no more is known than where the search got stuck.
std::string search_sentence(const history::Subhistory& part, const core::Outcome& outcome) {
  if (!outcome.blocked) return "no order of the operations explains every result";
  constexpr std::size_t kShown = 4;
  std::string text = fmt::format("{} fits no order of the operations that happened before it or overlap it",
                                 part.history->describe(part.operation[*outcome.blocked]));
  for (std::size_t k = 0; k < outcome.states.size() && k < kShown; ++k) {
    text += fmt::format("{} {}", k == 0 ? ": before it the state could only be" : " or", outcome.states[k]);
  }
  if (outcome.states.size() > kShown) text += fmt::format(" or one of {} others", outcome.states.size() - kShown);
  return text;
}

}  // namespace

Told tell(const history::Subhistory& part, const core::Outcome& outcome) {
  return {.sentence = outcome.sentence.empty() ? search_sentence(part, outcome) : outcome.sentence,
          .blocked = outcome.blocked,
          .states = outcome.states};
}

Told tell(const history::Subhistory& part, const Core& core, const core::Outcome& outcome, Ties ties,
          core::Budget& budget) {
  if (core.locals.size() > kMostTold) return tell(part, outcome);
  std::vector<std::uint32_t> locals;  // what was refuted
  std::merge(core.locals.begin(), core.locals.end(), core.context.begin(), core.context.end(),
             std::back_inserter(locals));
  Told told;
  std::optional<core::Outcome> again;
  if (core.untouched) {
    told.sentence = outcome.sentence;
    told.blocked = outcome.blocked;
  } else if (decide::Refutation refutation = decide::refute(core.refuted, kSteps, budget); refutation.refuted) {
    again = std::move(refutation.outcome);
    if (!core.from_state) told.sentence = again->sentence;
    if (again->blocked) told.blocked = locals[*again->blocked];
    told.states = again->states;
  }
  if (!core.context.empty()) told.blocked = core.locals.front();
  std::vector<OperationIndex> operations;
  operations.reserve(locals.size());
  for (const std::uint32_t local : locals) operations.push_back(part.operation[local]);
  std::sort(operations.begin(), operations.end());
  // Looks alone, without what they saw, do not contradict each other in any state that could be shown.
  const bool only_looks = std::all_of(locals.begin(), locals.end(),
                                      [&](std::uint32_t local) { return part.specification->pure(part.view(local)); });
  if (core.untouched && only_looks && operations.size() > 1 && !told.sentence.empty()) return told;
  const Specification& specification = core.start ? *core.start->from : *part.specification;
  const auto blocking = find_blocking(*part.history, operations, specification, ties, kMostStates, budget);
  const bool of_core = core.context.empty() || (blocking && blocking->blocked == part.operation[core.locals.front()]);
  if (blocking && of_core) {
    const auto is_blocked = [&](std::uint32_t local) { return part.operation[local] == blocking->blocked; };
    told.blocked = *std::find_if(locals.begin(), locals.end(), is_blocked);
    told.states.clear();
    for (const Attempt& attempt : blocking->attempts) told.states.push_back(attempt.state);
    // A monitor's words are about the whole, and hold wherever the core starts.
    if (core.start && outcome.blocked == told.blocked) told.sentence = outcome.sentence;
    if (told.sentence.empty()) told.sentence = blocking_sentence(*part.history, *part.specification, *blocking);
  }
  if (!told.sentence.empty()) return told;
  told.sentence = again ? search_sentence(core.refuted, *again) : search_sentence(part, outcome);
  return told;
}

}  // namespace linchpin::explain

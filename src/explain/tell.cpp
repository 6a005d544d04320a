#include "explain/tell.hpp"

#include <algorithm>

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
  const history::Subhistory sub = history::restrict(part, core.locals);
  const decide::Refutation again = decide::refute(sub, kSteps, budget);
  Told told;
  if (again.refuted) {
    told.sentence = again.outcome.sentence;
    told.states = again.outcome.states;
    if (again.outcome.blocked) told.blocked = core.locals[*again.outcome.blocked];
  }
  if (const auto blocking =
          find_blocking(*part.history, sub.operation, *part.specification, ties, kMostStates, budget)) {
    const auto place = std::find(sub.operation.begin(), sub.operation.end(), blocking->blocked);
    told.blocked = core.locals[static_cast<std::size_t>(place - sub.operation.begin())];
    told.states.clear();
    for (const Attempt& attempt : blocking->attempts) told.states.push_back(attempt.state);
    if (told.sentence.empty()) told.sentence = blocking_sentence(*part.history, *part.specification, *blocking);
  }
  if (!told.sentence.empty()) return told;
  if (!again.refuted) return tell(part, outcome);
  told.sentence = search_sentence(sub, again.outcome);
  return told;
}

}  // namespace linchpin::explain

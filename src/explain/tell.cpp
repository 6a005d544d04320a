#include "explain/tell.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include "decide/choose.hpp"
#include "explain/attempts.hpp"
#include "explain/fewer_parts.hpp"

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

/// The operations, and those that changed their values later: words about a value that was never removed would be wrong
/// where it was removed after the refutation.
std::vector<std::uint32_t> with_what_became(const history::Subhistory& part, const std::vector<std::uint32_t>& locals) {
  const Specification& specification = *part.specification;
  absl::flat_hash_set<std::uint64_t> values;
  for (const std::uint32_t local : locals) {
    if (const auto value = specification.erasable(part.view(local))) values.insert(value->bits());
  }
  std::vector<std::uint32_t> all;
  for (std::uint32_t local = 0; local < part.size(); ++local) {
    const Operation operation = part.view(local);
    const auto value = specification.erasable(operation);
    const bool changed = value && values.contains(value->bits()) && !specification.pure(operation);
    if (changed || std::binary_search(locals.begin(), locals.end(), local)) all.push_back(local);
  }
  return all.size() > kMostTold ? locals : all;
}

/// Whether some operation is pending here that returned a value in the history.
bool lost_results(const history::Subhistory& refuted) {
  for (std::uint32_t local = 0; local < refuted.size(); ++local) {
    const OperationIndex i = refuted.operation[local];
    const bool cut_off = refuted.pending(local) && !refuted.history->pending(i);
    if (cut_off && !refuted.history->result(i).is_none()) return true;
  }
  return false;
}

/// Why these operations are refuted, by the decider that was asked for where it has words, else by whichever applies.
decide::Refutation refute(const history::Subhistory& part, const core::Decider* asked_for, core::Budget& budget) {
  if (asked_for != nullptr && asked_for->start == nullptr && asked_for->applicable(part).applies) {
    core::Outcome outcome = asked_for->decide(part, {.witness = false}, budget);
    const bool told = outcome.verdict == Verdict::violation && !outcome.sentence.empty();
    if (told) return {.refuted = true, .outcome = std::move(outcome)};
  }
  return decide::refute(part, kSteps, budget);
}

/// Whether a refutation of the operations `among` is about the core. Among a context that is the core's one operation,
/// whatever else the decider met first.
bool is_about(const Core& core, const core::Outcome& found, const std::vector<std::uint32_t>& among) {
  if (found.blocked) return std::binary_search(core.locals.begin(), core.locals.end(), among[*found.blocked]);
  if (core.context.empty()) return true;
  // A sentence is about the operations that refute by themselves.
  return !found.sentence.empty() && std::any_of(found.core.begin(), found.core.end(), [&](std::uint32_t of_core) {
    return among[of_core] == core.locals.front();
  });
}

/// "Only what was done to 1 and 4 matters: ".
std::string keys_that_matter(const history::Subhistory& refuted) {
  const core::Parts* const parts = parts_of(*refuted.specification);
  std::vector<std::string> keys;
  for (std::uint32_t local = 0; local < refuted.size(); ++local) {
    for (const core::Part& each :
         parts->of(*refuted.specification, refuted.view(local)).value_or(std::vector<core::Part>())) {
      std::string key = refuted.history->pool().to_text(each.key);
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(std::move(key));
    }
  }
  if (keys.empty()) return {};
  std::sort(keys.begin(), keys.end());
  const std::string last = std::move(keys.back());
  keys.pop_back();
  return fmt::format("Only what was done to {}{}{} matters: ", fmt::join(keys, ", "), keys.empty() ? "" : " and ",
                     last);
}

/// Its sentence, with the level that transactions break.
std::string in_words(const core::Outcome& outcome) {
  return outcome.level.empty() ? outcome.sentence : fmt::format("{}: {}", outcome.level, outcome.sentence);
}

/// Of fewer parts of transactions: in words that hold wherever these come from.
Told tell_of_parts(const history::Subhistory& part, const Core& core, const std::vector<std::uint32_t>& locals,
                   const core::Outcome& outcome, Ties ties, core::Budget& budget) {
  const history::Subhistory& refuted = core.refuted;
  const auto place_of = [](const auto& some, auto wanted) {
    return static_cast<std::size_t>(std::find(some.begin(), some.end(), wanted) - some.begin());
  };
  Told told;
  if (!core.context.empty()) told.blocked = core.locals.front();
  const auto blocking =
      find_blocking(*refuted.history, refuted.operation, *part.specification, ties, kMostStates, budget);
  if (blocking) {
    const std::uint32_t blocked = locals[place_of(refuted.operation, blocking->blocked)];
    if (!told.blocked) told.blocked = blocked;
    if (told.blocked == blocked) {
      told.sentence = blocking_sentence(*refuted.history, *part.specification, *blocking);
      for (const Attempt& attempt : blocking->attempts) told.states.push_back(attempt.state);
    }
  }
  if (!told.blocked) return tell(part, outcome);
  if (told.sentence.empty()) {
    told.sentence = search_sentence(refuted, {.blocked = static_cast<std::uint32_t>(place_of(locals, *told.blocked))});
  }
  told.sentence = keys_that_matter(refuted) + told.sentence;
  return told;
}

}  // namespace

Told tell(const history::Subhistory& part, const core::Outcome& outcome) {
  return {.sentence = outcome.sentence.empty() ? search_sentence(part, outcome) : in_words(outcome),
          .blocked = outcome.blocked,
          .states = outcome.states};
}

Told tell(const history::Subhistory& part, const Core& core, const core::Outcome& outcome,
          const core::Decider* asked_for, Ties ties, core::Budget& budget) {
  if (core.locals.size() > kMostTold) return tell(part, outcome);
  std::vector<std::uint32_t> locals;  // what was refuted
  std::merge(core.locals.begin(), core.locals.end(), core.context.begin(), core.context.end(),
             std::back_inserter(locals));
  if (core.fewer_parts != nullptr) return tell_of_parts(part, core, locals, outcome, ties, budget);
  Told told;
  // In what was refuted in the end operations may be pending that returned, as nobody has recorded: they may have taken
  // anything. Then, and for a decider that has its own words, it is told with all that became of the same values.
  if (outcome.sentence.empty()) asked_for = nullptr;
  const bool as_recorded = !core.from_state && (asked_for != nullptr || lost_results(core.refuted));
  std::vector<std::uint32_t> recorded = as_recorded ? with_what_became(part, locals) : locals;
  const history::Subhistory told_of = as_recorded ? history::restrict(part, recorded) : core.refuted;
  std::optional<core::Outcome> again;
  if (core.untouched) {
    told.sentence = in_words(outcome);
    told.blocked = outcome.blocked;
  } else {
    decide::Refutation refutation = refute(told_of, asked_for, budget);
    bool about = refutation.refuted && is_about(core, refutation.outcome, recorded);
    if (as_recorded && refutation.refuted && !about && !lost_results(core.refuted)) {
      decide::Refutation alone = refute(core.refuted, asked_for, budget);
      about = alone.refuted && is_about(core, alone.outcome, locals);
      if (about) refutation = std::move(alone);
      if (about) recorded = locals;
    }
    if (refutation.refuted) {
      again = std::move(refutation.outcome);
      // Of some transactions, of which no monitor's proof says that the others change nothing, the level would be
      // another.
      if (outcome.sentence.empty()) again->level.clear();
      if (!core.from_state && about) told.sentence = in_words(*again);
      if (again->blocked && std::binary_search(locals.begin(), locals.end(), recorded[*again->blocked])) {
        told.blocked = recorded[*again->blocked];
      }
      told.states = again->states;
    }
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
    if (core.start && outcome.blocked == told.blocked) told.sentence = in_words(outcome);
    if (told.sentence.empty()) told.sentence = blocking_sentence(*part.history, *part.specification, *blocking);
  }
  if (!told.sentence.empty()) return told;
  told.sentence = again ? search_sentence(told_of, *again) : search_sentence(part, outcome);
  return told;
}

}  // namespace linchpin::explain

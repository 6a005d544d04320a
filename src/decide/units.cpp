#include "decide/units.hpp"

#include <algorithm>
#include <optional>

#include "base/assert.hpp"
#include "base/workers.hpp"
#include "decide/choose.hpp"

namespace linchpin::decide {

namespace {

constexpr std::uint64_t kFirstRoundSteps = 1 << 16;
constexpr std::uint64_t kMostRoundSteps = 1 << 23;  // a second or so, for progress

bool any_refuted(const std::vector<Unit>& units) {
  return std::any_of(units.begin(), units.end(),
                     [](const Unit& unit) { return unit.decided && unit.outcome.verdict == Verdict::violation; });
}

Unit make_unit(history::Subhistory part, const core::Decider* forced) {
  Unit unit;
  unit.part = std::move(part);
  if (forced == nullptr) {
    Choice choice = choose(unit.part);
    unit.decider = choice.monitor;
    unit.why = std::move(choice.why);
    unit.reading = std::move(choice.reading);
    return unit;
  }
  core::Applicability applicability = forced->applicable(unit.part);
  unit.decider = forced;
  unit.forced = true;
  unit.why = applicability.applies ? "asked for" : "asked for, but it does not apply";
  if (!applicability.applies && !applicability.why.empty()) unit.why += ": " + applicability.why;
  unit.reading = std::move(applicability.reading);
  if (!applicability.applies) {
    unit.outcome.reason = Reason::not_applicable;
    unit.decided = true;
  }
  return unit;
}

}  // namespace

std::vector<Unit> make_units(history::Subhistory whole, const core::Decider* forced) {
  std::vector<Unit> units;
  Unit single = make_unit(std::move(whole), forced);
  // A monitor knows best what to do with keys; searches are better off with one key at a time.
  const bool in_one_piece = single.decider != nullptr && !single.decided && !single.decider->by_key;
  if (!in_one_piece && single.part.specification->has_keys()) {
    if (auto keys = history::split_by_key(single.part); keys && keys->size() > 1) {
      for (history::Subhistory& part : *keys) units.push_back(make_unit(std::move(part), forced));
      return units;
    }
  }
  units.push_back(std::move(single));
  return units;
}

void take_back(Unit& unit) {
  // A portfolio answers for the general search, too, which has several methods: each may still be right alone.
  unit.refused.push_back(unit.decider == nullptr ? &searches()[0] : unit.decider);
  unit.outcome = {};
  unit.reading = {};
  unit.skipped = false;
  Choice next;
  if (!unit.forced) next = choose_other(unit.part, unit.refused);
  unit.decider = next.monitor;
  unit.reading = std::move(next.reading);
  unit.decided = unit.decider == nullptr;
  if (unit.decided) {
    unit.decider = unit.refused.back();
    unit.outcome.reason = Reason::internal;
  }
  unit.why = unit.decided ? "nothing else decides it" : "another answer did not hold; " + next.why;
}

void resume(std::vector<Unit>& units) {
  for (Unit& unit : units) {
    if (!unit.skipped) continue;
    unit.skipped = false;
    unit.decided = false;
    unit.outcome = {};
  }
}

void run_units(std::vector<Unit>& units, const UnitOptions& options, core::Budget& budget) {
  std::size_t total = 0;
  for (const Unit& unit : units) total += unit.part.size();
  std::vector<std::unique_ptr<Portfolio>> tasks(units.size());
  const auto report = [&] {
    if (!options.progress) return;
    std::size_t done = 0;
    for (std::size_t i = 0; i < units.size(); ++i) {
      done += units[i].decided ? units[i].part.size() : tasks[i] != nullptr ? tasks[i]->passed() : 0;
    }
    options.progress(done, total);
  };
  const auto stop = [&] { return budget.spent_now() || (!options.all && any_refuted(units)); };

  base::Workers workers(options.threads);
  const auto for_each_open = [&](auto&& body) {
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < units.size(); ++i) {
      if (!units[i].decided) open.push_back(i);
    }
    if (open.size() == 1 || options.threads == 1) {
      for (const std::size_t i : open) body(i);
    } else {
      workers.for_each(open.size(), [&](std::size_t k) { body(open[k]); });
    }
    return open.size();
  };

  for_each_open([&](std::size_t i) {
    Unit& unit = units[i];
    const bool one_by_one = unit.forced || !unit.refused.empty();
    while (unit.decider != nullptr && (one_by_one || unit.decider->start == nullptr) && !budget.spent_now()) {
      core::DeciderOptions decider_options = options.decider;
      decider_options.reading = std::move(unit.reading);
      unit.outcome = unit.decider->decide(unit.part, decider_options, budget);
      const bool inapplicable =
          unit.outcome.verdict == Verdict::unknown && unit.outcome.reason == Reason::not_applicable;
      if (inapplicable) {
        unit.why = (unit.forced ? "asked for, but it" : "the " + std::string(unit.decider->name)) + " could not decide";
        if (!unit.outcome.sentence.empty()) unit.why += ": " + unit.outcome.sentence;
      }
      unit.decided = !inapplicable || unit.forced;
      if (unit.decided) return;
      if (!unit.refused.empty()) {
        take_back(unit);
        if (unit.decided) return;
        continue;
      }
      Choice next = choose(unit.part, unit.decider);
      unit.decider = next.monitor;
      unit.reading = std::move(next.reading);
    }
    if (one_by_one) return;
    if (std::optional<Condition> violated = violated_condition(unit.part, budget)) {
      unit.decider = violated->decider;
      unit.why = std::move(violated->why);
      unit.outcome = std::move(violated->outcome);
      unit.decided = true;
    }
  });
  report();
  for (std::uint64_t steps = kFirstRoundSteps; !stop(); steps = std::min(2 * steps, kMostRoundSteps)) {
    const auto left = static_cast<unsigned>(std::ranges::count(units, false, &Unit::decided));
    const std::size_t open = for_each_open([&](std::size_t i) {
      Unit& unit = units[i];
      if (tasks[i] == nullptr) tasks[i] = make_portfolio(unit.part, options.decider, unit.decider);
      tasks[i]->may_use(std::max(1U, workers.threads() / left));
      if (!tasks[i]->run(steps, budget)) return;
      unit.outcome = tasks[i]->outcome();
      unit.decided = unit.outcome.verdict != Verdict::unknown;
      const core::Decider* const by = unit.decided ? tasks[i]->decided_by() : nullptr;
      const bool general = by == nullptr || by->kind == core::Kind::search;
      if (by != nullptr && unit.decider != (general ? nullptr : by)) {
        unit.decider = general ? &searches()[0] : by;
        unit.why += (unit.why.empty() ? "" : "; ") +
                    (general ? std::string("the general search was first") : by->applicable(unit.part).why);
      }
      if (unit.decided) tasks[i].reset();
    });
    report();
    if (open == 0) break;
  }
  const bool refuted = any_refuted(units);
  for (std::size_t i = 0; i < units.size(); ++i) {
    Unit& unit = units[i];
    if (unit.decided) {
      LINCHPIN_INVARIANTS(unit.outcome.check_invariants(unit.part.size()));
      continue;
    }
    if (tasks[i] != nullptr) unit.outcome = tasks[i]->outcome();
    unit.outcome.verdict = Verdict::unknown;
    unit.outcome.reason = budget.reason();
    unit.skipped = budget.reason() == Reason::none && refuted;
    if (unit.skipped) unit.outcome.reason = Reason::cancelled;
    LINCHPIN_INVARIANTS(unit.outcome.check_invariants(unit.part.size()));
  }
}

}  // namespace linchpin::decide

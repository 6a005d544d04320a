#include "types/pending_removes.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "history/events.hpp"

namespace linchpin::types {

namespace {

using algo::ValueNumber;
using history::Rank;

constexpr std::size_t kLeastEffort = 20'000'000;
constexpr std::size_t kLeastHastyEffort = 200'000;
constexpr std::size_t kRunsOfEffort = 200;
constexpr std::size_t kCostOfRun = 64;  // besides the operations

template <class Number>
void sort_unique(std::vector<Number>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace

bool settled(ContainerRun& run, std::string_view removes, const core::Budget& budget, core::Outcome& outcome) {
  switch (run.result) {
    case ContainerRun::Result::unknown:
      outcome.reason = budget.reason() == Reason::none ? Reason::not_applicable : budget.reason();
      outcome.sentence = fmt::format("there are too many ways in which the pending {} may have taken values", removes);
      return true;
    case ContainerRun::Result::linearizable:
      outcome.verdict = Verdict::linearizable;
      outcome.witness = std::move(run.witness);
      return true;
    case ContainerRun::Result::violation: break;
  }
  outcome.verdict = Verdict::violation;
  return false;
}

ContainerRun PendingRemoves::decide() {
  for (std::uint32_t i = 0; i < history_.size(); ++i) {
    if (history_.kind[i] == ActKind::lost_take) lost_.push_back(i);
  }
  if (lost_.empty()) return run_(history_, nullptr);
  taken_.assign(lost_.size(), ValueNumber::none());
  const std::size_t effort = std::max(hasty_ ? kLeastHastyEffort : kLeastEffort, kRunsOfEffort * history_.size());
  const std::size_t few_runs = (2 * lost_.size() + 8) * (history_.size() + kCostOfRun);
  effort_ = std::min(effort, few_runs);
  Values conflict;
  ContainerRun outcome = branch(conflict);
  if (outcome.result == ContainerRun::Result::unknown) {
    effort_ = few_runs;
    outcome = count_forced();
    if (outcome.result == ContainerRun::Result::violation) return outcome;
    effort_ = effort;
    conflict.clear();
    core_.clear();
    outcome = branch(conflict);
  }
  if (outcome.result == ContainerRun::Result::violation) {
    // Also those that made no difference here: they may where the core is shrunk.
    const Rank over = outcome.final ? 0 : end_of(core_);
    std::copy_if(lost_.begin(), lost_.end(), std::back_inserter(core_),
                 [&](std::uint32_t i) { return history_.call[i] < over; });
    sort_unique(core_);
    outcome.core = std::move(core_);
  }
  return outcome;
}

Rank PendingRemoves::end_of(const std::vector<std::uint32_t>& core) const {
  Rank over = 0;
  for (const std::uint32_t i : core) {
    over = std::max({over, history_.call[i], history_.response[i] == Rank::none() ? 0 : history_.response[i]});
  }
  return over;
}

ContainerRun PendingRemoves::count_forced() {
  struct Forced {
    Rank over;  // the remove was called before this
    std::vector<std::uint32_t> core;
  };
  std::vector<Forced> forced;
  algo::ContainerHistory rest = history_;
  const auto refuted = [&](Rank over) {
    ContainerRun outcome{.result = ContainerRun::Result::violation, .core = lost_};
    for (const Forced& each : forced) {
      if (each.over <= over) outcome.core.insert(outcome.core.end(), each.core.begin(), each.core.end());
    }
    sort_unique(outcome.core);
    return outcome;
  };
  for (;;) {
    if (!afford(history_.size())) return {};
    algo::ContainerHistory copy = rest;
    const ContainerRun run = run_(copy, nullptr);
    if (run.result != ContainerRun::Result::violation) return {};
    const Rank over = end_of(run.core);
    ValueNumber stays = ValueNumber::none();
    std::size_t staying = 0;
    for (const std::uint32_t i : run.core) {
      if (history_.kind[i] != ActKind::add) continue;
      const bool removed = std::any_of(run.core.begin(), run.core.end(), [&](std::uint32_t j) {
        return history_.kind[j] == ActKind::take && history_.value[j] == history_.value[i] &&
               history_.response[j] != Rank::none();
      });
      if (removed) continue;
      ++staying;
      stays = history_.value[i];
    }
    if (staying > 1) return {};
    forced.push_back({over, run.core});
    if (staying == 0) return refuted(over);
    std::sort(forced.begin(), forced.end(), [](const Forced& a, const Forced& b) { return a.over < b.over; });
    for (std::size_t k = 0; k < forced.size(); ++k) {
      const auto called =
          std::count_if(lost_.begin(), lost_.end(), [&](std::uint32_t i) { return history_.call[i] < forced[k].over; });
      if (k + 1 > static_cast<std::size_t>(called)) return refuted(forced[k].over);
    }
    for (std::uint32_t i = 0; i < rest.size(); ++i) {
      if (rest.value[i] == stays) rest.kind[i] = ActKind::omitted;
    }
  }
}

bool PendingRemoves::afford(std::size_t operations) {
  const std::size_t cost = operations + kCostOfRun;
  if (cost > effort_) return false;
  effort_ -= cost;
  return true;
}

void PendingRemoves::learn(const std::vector<std::uint32_t>& core) {
  Core known;
  for (const std::uint32_t i : core) {
    if (std::binary_search(lost_.begin(), lost_.end(), i)) continue;
    known.operations.push_back(i);
    if (history_.value[i] != ValueNumber::none()) known.values.push_back(history_.value[i]);
  }
  sort_unique(known.values);
  known_.push_back(std::move(known));
}

ContainerRun PendingRemoves::decide_here() {
  // The newest cores first: they are about what was assigned last.
  for (std::size_t k = known_.size(); k-- > 0;) {
    std::vector<std::uint32_t> operations = known_[k].operations;
    for (std::size_t j = 0; j < lost_.size(); ++j) {
      if (std::binary_search(known_[k].values.begin(), known_[k].values.end(), taken_[j]))
        operations.push_back(lost_[j]);
    }
    if (!afford(operations.size())) return {};
    std::sort(operations.begin(), operations.end());
    algo::ContainerPart part(history_, std::move(operations));
    ContainerRun run = run_(part.history(), &part);
    if (run.result != ContainerRun::Result::violation) continue;
    for (std::uint32_t& i : run.core) i = part.operations()[i];
    return run;
  }
  if (!afford(history_.size())) return {};
  algo::ContainerHistory copy = history_;
  ContainerRun run = run_(copy, nullptr);
  if (run.result == ContainerRun::Result::violation) learn(run.core);
  return run;
}

ContainerRun PendingRemoves::branch(Values& conflict) {
  ContainerRun here = decide_here();
  if (here.result != ContainerRun::Result::violation) return here;
  core_.insert(core_.end(), here.core.begin(), here.core.end());
  if (here.final) return here;

  const Rank over = end_of(here.core);
  Values added, removed;
  for (const std::uint32_t i : here.core) {
    if (history_.kind[i] == ActKind::add) added.push_back(history_.value[i]);
    if (history_.kind[i] != ActKind::take) continue;
    const bool assigned = std::binary_search(lost_.begin(), lost_.end(), i);
    if (assigned) conflict.push_back(history_.value[i]);
    // A pending remove whose result is known may not have happened: another one may have been first.
    if (assigned || history_.response[i] != Rank::none()) removed.push_back(history_.value[i]);
  }
  bool undecided = false;
  for (const ValueNumber value : added) {
    if (std::find(removed.begin(), removed.end(), value) != removed.end()) continue;
    for (std::size_t j = lost_.size(); j-- > 0;) {
      if (history_.call[lost_[j]] >= over) continue;
      if (may_take_ && !may_take_(lost_[j], value)) continue;
      if (taken_[j] != ValueNumber::none()) {
        conflict.push_back(taken_[j]);
        continue;
      }
      core_.push_back(lost_[j]);
      taken_[j] = value;
      history_.kind[lost_[j]] = ActKind::take;
      history_.value[lost_[j]] = value;
      Values deeper;
      ContainerRun next = branch(deeper);
      taken_[j] = ValueNumber::none();
      history_.kind[lost_[j]] = ActKind::lost_take;
      history_.value[lost_[j]] = ValueNumber::none();
      if (next.result == ContainerRun::Result::linearizable) return next;
      if (next.result == ContainerRun::Result::unknown) {
        undecided = true;
        if (effort_ < 1024) return next;
        continue;
      }
      sort_unique(deeper);
      if (!std::binary_search(deeper.begin(), deeper.end(), value)) {
        conflict = std::move(deeper);
        return next;
      }
      for (const ValueNumber other : deeper) {
        if (other != value) conflict.push_back(other);
      }
    }
  }
  sort_unique(conflict);
  if (undecided) return {};
  return here;
}

}  // namespace linchpin::types

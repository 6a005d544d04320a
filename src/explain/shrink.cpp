#include "explain/shrink.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include <absl/container/flat_hash_map.h>

#include "decide/choose.hpp"
#include "decide/search/quiet_states.hpp"

namespace linchpin::explain {

namespace {

using Locals = std::vector<std::uint32_t>;

constexpr std::uint64_t kStepsPerTry = 1'000'000;
constexpr double kLeastSeconds = 0.25;
constexpr double kMostSeconds = 10;

/// Everything called before `blocked` responds.
Locals prefix_before_response(const history::Subhistory& part, std::uint32_t blocked) {
  Locals locals;
  for (std::uint32_t local = 0; local < part.size() && part.call[local] < part.response[blocked]; ++local) {
    locals.push_back(local);
  }
  return locals;
}

class Shrinker {
 public:
  Shrinker(const history::Subhistory& part, Core core, const ShrinkProgress& progress, core::Budget& budget)
      : part_(part),
        core_(std::move(core)),
        at_first_(core_.locals.size()),
        progress_(progress),
        budget_(budget, std::clamp(2 * budget.seconds(), kLeastSeconds, kMostSeconds)) {}

  Core run() && {
    cut_after_response();
    cut_before_quiet_point();
    bool changed = true;
    while (changed && !out_of_time()) {
      changed = drop_values();
      changed = drop_pure() || changed;
      changed = cut_after_response() || changed;
    }
    core_.minimal = !out_of_time() && !gave_up_;
    return std::move(core_);
  }

 private:
  bool out_of_time() { return budget_.spent_now(); }

  /// If these operations are refuted on their own, they (or what the refutation leaves of them) become the core.
  bool refuted(const Locals& locals) {
    if (locals.empty() || out_of_time()) return false;
    const history::Subhistory sub = history::restrict(part_, locals);
    const decide::Refutation refutation = decide::refute(sub, kStepsPerTry, budget_);
    if (!refutation.refuted) {
      gave_up_ = gave_up_ || refutation.outcome.verdict == Verdict::unknown;
      return false;
    }
    Locals smaller;
    for (const std::uint32_t local : whole_core(sub, refutation.outcome).locals) smaller.push_back(locals[local]);
    take(std::move(smaller));
    return true;
  }

  /// True if these are fewer.
  bool take(Locals locals) {
    const bool fewer = locals.size() < core_.locals.size();
    core_.locals = std::move(locals);
    if (progress_) progress_(at_first_ - std::min(at_first_, core_.locals.size()), at_first_);
    return fewer;
  }

  /// Finds the first response whose prefix is refuted, by bisection (a prefix of a linearizable history is
  /// linearizable). True if the core became smaller.
  bool cut_after_response() {
    const history::Subhistory sub = history::restrict(part_, core_.locals);
    std::vector<history::Rank> ends;  // a prefix may end after each response
    for (history::Rank rank = 0; rank < sub.events.size(); ++rank) {
      if (sub.events[rank].is_response()) ends.push_back(rank + 1);
    }
    std::size_t low = 0;
    std::size_t high = ends.size();  // refuted: the whole
    while (low < high && !out_of_time()) {
      const std::size_t middle = low + (high - low) / 2;
      if (decide::refute(history::prefix(sub, ends[middle]), kStepsPerTry, budget_).refuted) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    if (high == ends.size()) return false;
    Locals kept;
    for (std::uint32_t local = 0; local < sub.size() && sub.call[local] < ends[high]; ++local) {
      kept.push_back(core_.locals[local]);
    }
    return take(std::move(kept));
  }

  /// Tries to drop groups of operations: halves, quarters, ... single groups. True if the core became smaller.
  bool drop_groups(const std::function<std::vector<Locals>()>& groups_of_core) {
    bool any = false;
    std::vector<Locals> groups = groups_of_core();
    for (std::size_t chunk = std::max<std::size_t>(1, groups.size() / 2); !groups.empty(); chunk /= 2) {
      for (std::size_t begin = 0; begin < groups.size() && !out_of_time();) {
        const std::size_t end = std::min(begin + chunk, groups.size());
        Locals rest = core_.locals;
        for (std::size_t g = begin; g < end; ++g) {
          for (const std::uint32_t local : groups[g]) std::erase(rest, local);
        }
        if (refuted(rest)) {
          any = true;
          groups = groups_of_core();  // what is left, in the same order
        } else {
          begin = end;
        }
      }
      if (chunk == 1 || out_of_time()) break;
    }
    return any;
  }

  bool drop_pure() {
    return drop_groups([this] {
      std::vector<Locals> groups;
      for (const std::uint32_t local : core_.locals) {
        if (part_.specification->pure(part_.view(local))) groups.push_back({local});
      }
      return groups;
    });
  }

  /// Values can be erased only where no operation that returned is sensitive to others' values; such operations are
  /// dropped first where they are pure.
  bool drop_values() {
    if (!part_.specification->has_erasable_values()) return false;
    const auto sensitive = [this](std::uint32_t local) {
      return !part_.pending(local) && part_.specification->sensitive(part_.view(local));
    };
    bool changed = false;
    if (std::any_of(core_.locals.begin(), core_.locals.end(), sensitive)) {
      Locals rest;
      for (const std::uint32_t local : core_.locals) {
        if (!sensitive(local)) {
          rest.push_back(local);
        } else if (!part_.specification->pure(part_.view(local))) {
          return false;
        }
      }
      if (!refuted(rest)) return false;
      changed = true;
    }
    return drop_groups([this] {
             std::vector<Locals> groups;
             absl::flat_hash_map<std::uint64_t, std::size_t> group_of;
             for (const std::uint32_t local : core_.locals) {
               const std::optional<Value> value = part_.specification->erasable(part_.view(local));
               if (!value) continue;
               const auto [entry, fresh] = group_of.try_emplace(value->bits(), groups.size());
               if (fresh) groups.emplace_back();
               groups[entry->second].push_back(local);
             }
             return groups;
           }) ||
           changed;
  }

  /// Drops what happened long before: finds quiet points s < j such that the state-changing operations between them,
  /// started afresh, can reach at j every state that the whole history could (so that a refutation from there is one of
  /// the whole), and keeps only those and what comes after j.
  void cut_before_quiet_point() {
    const history::Subhistory sub = history::restrict(part_, core_.locals);
    std::vector<history::Rank> quiet = {0};
    std::uint32_t open = 0;
    for (history::Rank rank = 0; rank < sub.events.size(); ++rank) {
      if (!sub.events[rank].is_response()) {
        ++open;
      } else if (--open == 0) {
        quiet.push_back(rank + 1);
      }
    }
    if (quiet.back() == sub.events.size()) quiet.pop_back();
    if (quiet.size() < 2) return;
    const auto context = std::make_shared<decide::SearchContext>(sub);
    std::vector<std::vector<StateId>> possible = {{context->transitions.initial()}};  // at each quiet point
    while (possible.size() < quiet.size()) {
      const std::size_t at = possible.size();
      auto states = decide::states_after(sub, context, {.first = quiet[at - 1], .last = quiet[at]}, possible.back(),
                                         kStepsPerTry, budget_);
      if (!states || states->empty() || out_of_time()) return;
      possible.push_back(std::move(*states));
    }
    const Locals before = core_.locals;
    for (std::size_t back = 0; !out_of_time(); back = back == 0 ? 1 : 2 * back) {
      const std::size_t start = quiet.size() - 1 - std::min(back, quiet.size() - 1);
      if (start == 0) return;
      if (try_start(sub, context, quiet, possible, start, before)) return;
    }
  }

  bool try_start(const history::Subhistory& sub, const std::shared_ptr<decide::SearchContext>& context,
                 const std::vector<history::Rank>& quiet, const std::vector<std::vector<StateId>>& possible,
                 std::size_t start, const Locals& names) {
    std::vector<StateId> reached = possible[0];
    for (std::size_t join = start; join < quiet.size() && !out_of_time(); ++join) {
      if (std::includes(reached.begin(), reached.end(), possible[join].begin(), possible[join].end())) {
        Locals kept;
        for (std::uint32_t local = 0; local < sub.size(); ++local) {
          const bool between = sub.call[local] >= quiet[start] && sub.call[local] < quiet[join];
          const bool after = sub.call[local] >= quiet[join];
          if (after || (between && !sub.specification->pure(sub.view(local)))) kept.push_back(names[local]);
        }
        if (refuted(kept)) return true;
      }
      if (join + 1 == quiet.size()) break;
      auto states =
          decide::states_after(sub, context, {.first = quiet[join], .last = quiet[join + 1], .ignore_pure = true},
                               reached, kStepsPerTry, budget_);
      if (!states || states->empty()) return false;
      reached = std::move(*states);
    }
    return false;
  }

  const history::Subhistory& part_;
  Core core_;
  const std::size_t at_first_;
  const ShrinkProgress& progress_;
  core::Budget budget_;
  bool gave_up_ = false;  // some try was undecided
};

}  // namespace

Core whole_core(const history::Subhistory& part, const core::Outcome& outcome) {
  if (!outcome.core.empty()) return {.locals = outcome.core, .minimal = outcome.core_minimal};
  if (outcome.blocked) return {.locals = prefix_before_response(part, *outcome.blocked), .minimal = false};
  Locals all(part.size());
  std::iota(all.begin(), all.end(), 0);
  return {.locals = std::move(all), .minimal = false};
}

Core shrink(const history::Subhistory& part, Core core, const ShrinkProgress& progress, core::Budget& budget) {
  return Shrinker(part, std::move(core), progress, budget).run();
}

}  // namespace linchpin::explain

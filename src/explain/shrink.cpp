#include "explain/shrink.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include "decide/at_first.hpp"
#include "decide/choose.hpp"
#include "decide/search/quiet_states.hpp"
#include "explain/fewer_parts.hpp"
#include "explain/subsets.hpp"
#include "explain/unordered_start.hpp"

namespace linchpin::explain {

namespace {

using Locals = std::vector<std::uint32_t>;
using history::Rank;

constexpr std::uint64_t kStepsPerTry = 1'000'000;
constexpr double kLeastSeconds = 0.75;
constexpr double kMostSeconds = 10;
constexpr double kToFind = 0.85;  // of the time for a late start: the rest is for what is left then
constexpr double kToCount = 0.6;  // of the same, for a start in an unknown order, where there is one
constexpr std::size_t kFew = 12;
constexpr std::size_t kNotMany = 64;
constexpr std::uint64_t kStepsToStart = 200'000'000;

/// All steps together.
double seconds_to_spend(const core::Budget& budget) {
  return std::clamp(2 * budget.seconds(), kLeastSeconds, kMostSeconds);
}

Locals all_of(const history::Subhistory& part) {
  Locals all(part.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// Whether an operation may take effect or not, with any result.
bool may_be_left_out(const history::Subhistory& part, std::uint32_t local) {
  return part.pending(local) && part.result(local).is_unknown();
}

/// Whether `kept` (ascending) is what remains of `from` after dropping what was called when all of `kept` had returned,
/// pure operations, all of some values, and what returned before the first change and left the initial state as it is.
bool closed(const history::Subhistory& part, const Locals& from, const Locals& kept) {
  const Specification& specification = *part.specification;
  absl::flat_hash_set<std::uint64_t> values;
  bool sensitive = false;
  Rank begin = part.ranks();  // of the changes
  Rank end = 0;
  for (const std::uint32_t local : kept) {
    const Operation operation = part.view(local);
    if (!specification.pure(operation)) begin = std::min(begin, part.call[local]);
    if (!part.pending(local)) end = std::max(end, part.response[local]);
    if (const auto value = specification.erasable(operation)) values.insert(value->bits());
    sensitive = sensitive || (!may_be_left_out(part, local) && specification.sensitive(operation));
  }
  std::optional<decide::AtFirst> at_first;
  const auto keeps_the_beginning = [&](std::uint32_t local) {
    if (part.pending(local) || part.response[local] >= begin) return false;
    if (!at_first) at_first.emplace(part);
    return at_first->keeps(local);
  };
  std::size_t next = 0;
  for (const std::uint32_t local : from) {
    if (next < kept.size() && kept[next] == local) {
      ++next;
      continue;
    }
    const Operation operation = part.view(local);
    if (part.call[local] > end || specification.pure(operation)) continue;
    const auto value = specification.erasable(operation);
    // A pending operation that tells no value may have taken any of them.
    const bool erased = !sensitive && value && !values.contains(value->bits());
    if (!erased && !keeps_the_beginning(local)) return false;
  }
  return true;
}

class Shrinker {
 public:
  Shrinker(history::Subhistory base, Locals names, bool monitored, const ShrinkProgress& progress, core::Budget& budget)
      : base_(std::move(base)),
        names_(std::move(names)),
        kept_(all_of(base_)),
        cut_(base_.ranks()),
        at_first_(base_.size()),
        progress_(progress),
        budget_(budget),
        monitored_(monitored) {}

  /// Only what was called before the given operation responded, or the prefix that bisection finds.
  void begin(std::optional<std::uint32_t> blocked) {
    if (blocked) {
      cut(base_.response[*blocked] + 1);
    } else {
      cut_after_response();
    }
  }

  /// What is left of the part when it starts late.
  void begin(const LateStart& start, const history::Subhistory& part) {
    from_state_ = started_ = true;
    cut_ = 0;
    for (const std::uint32_t local : start.locals) {
      cut_ += (part.call[local] < start.end ? 1U : 0U) + (part.response[local] < start.end ? 1U : 0U);
    }
  }

  /// What came before some moment was dropped already.
  void begin_from_state() { from_state_ = true; }

  Core run() && {
    if (progress_) progress_(kept_.size(), at_first_);
    for (bool changed = true; changed && !out_of_time();) {
      changed = cut_after_response();
      changed = drop_values() || changed;
      const bool may_forget = !started_ && !well_told();
      if (may_forget && !base_.specification->has_erasable_values()) changed = cut_before_quiet_point() || changed;
      changed = drop_pure() || changed;
      if (!changed && may_forget && !well_told()) changed = cut_before_quiet_point();
      // A search counts on what operations return that are open. Without that the rest may be no violation.
      if (!changed && !smaller_ && !promised_) changed = promised_ = true;
    }
    Core core{.locals = {}, .refuted = view(kept_, cut_), .from_state = from_state_};
    for (const std::uint32_t local : kept_) core.locals.push_back(names_[local]);
    return core;
  }

 private:
  bool out_of_time() { return budget_.spent_now(); }

  /// A few operations that a monitor has words for: cutting before a quiet point would leave only general ones.
  [[nodiscard]] bool well_told() const { return monitored_ && kept_.size() <= kFew; }

  /// The given operations as they were known before the event of rank `end`.
  [[nodiscard]] history::Subhistory view(const Locals& locals, Rank end) const {
    history::Subhistory sub = history::restrict(base_, locals);
    Rank events = 0;
    for (const std::uint32_t local : locals) {
      events += (base_.call[local] < end ? 1U : 0U) + (base_.response[local] < end ? 1U : 0U);
    }
    return events == sub.ranks() ? sub : history::prefix(sub, events, promised_);
  }

  decide::Refutation decide(const history::Subhistory& sub) { return decide::refute(sub, kStepsPerTry, budget_); }

  /// If these operations are refuted on their own, they (or what the refutation leaves of them) are kept.
  bool refuted(const Locals& locals) {
    if (locals.empty() || out_of_time()) return false;
    const decide::Refutation refutation = decide(view(locals, cut_));
    if (!refutation.refuted) return false;
    smaller_ = true;
    take(locals);
    monitored_ = !refutation.outcome.sentence.empty();
    if (!refutation.outcome.core.empty()) {
      Locals smaller;
      for (const std::uint32_t each : refutation.outcome.core) smaller.push_back(locals[each]);
      std::sort(smaller.begin(), smaller.end());
      if (!from_state_ && closed(base_, locals, smaller)) take(std::move(smaller));
    } else if (refutation.outcome.blocked) {
      const Rank end = base_.response[locals[*refutation.outcome.blocked]] + 1;
      if (end < cut_ && decide(view(kept_, end)).refuted) cut(end);
    }
    compact();
    return true;
  }

  void take(Locals locals) {
    kept_ = std::move(locals);
    if (progress_) progress_(std::min(at_first_, kept_.size()), at_first_);
  }

  void cut(Rank end) {
    cut_ = end;
    std::erase_if(kept_, [&](std::uint32_t local) { return base_.call[local] >= end; });
  }

  /// Forgets what was dropped, so that the cost of a try follows the size of the core.
  void compact() {
    if (2 * kept_.size() > base_.size()) return;
    Rank events = 0;
    for (std::size_t k = 0; k < kept_.size(); ++k) {
      const std::uint32_t local = kept_[k];
      events += (base_.call[local] < cut_ ? 1U : 0U) + (base_.response[local] < cut_ ? 1U : 0U);
      names_[k] = names_[local];
    }
    names_.resize(kept_.size());
    base_ = history::restrict(base_, kept_);
    cut_ = events;
    kept_ = all_of(base_);
  }

  /// Finds the first response whose prefix is refuted, by bisection (a prefix of a linearizable history is
  /// linearizable). True if the core became smaller.
  bool cut_after_response() {
    std::vector<Rank> ends;  // a prefix may end after each response
    for (const std::uint32_t local : kept_) {
      if (base_.response[local] < cut_) ends.push_back(base_.response[local] + 1);
    }
    std::sort(ends.begin(), ends.end());
    std::size_t low = 0;
    std::size_t high = ends.empty() ? 0 : ends.size() - 1;  // refuted: the whole
    while (low < high && !out_of_time()) {
      const std::size_t middle = low + (high - low) / 2;
      if (decide(view(kept_, ends[middle])).refuted) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    if (ends.empty() || ends[high] >= cut_) return false;
    const std::size_t before = kept_.size();
    smaller_ = true;
    cut(ends[high]);
    compact();
    return kept_.size() < before;
  }

  /// Tries to drop groups of operations: halves, quarters, ... single groups. True if the core became smaller.
  bool drop_groups(const std::function<std::vector<Locals>()>& groups_of_core) {
    bool any = false;
    std::vector<Locals> groups = groups_of_core();
    for (std::size_t chunk = std::max<std::size_t>(1, groups.size() / 2); !groups.empty(); chunk /= 2) {
      for (std::size_t begin = 0; begin < groups.size() && !out_of_time();) {
        const std::size_t end = std::min(begin + chunk, groups.size());
        Locals dropped, rest;
        for (std::size_t g = begin; g < end; ++g) dropped.insert(dropped.end(), groups[g].begin(), groups[g].end());
        std::sort(dropped.begin(), dropped.end());
        std::set_difference(kept_.begin(), kept_.end(), dropped.begin(), dropped.end(), std::back_inserter(rest));
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
      for (const std::uint32_t local : kept_) {
        if (base_.specification->pure(base_.view(local))) groups.push_back({local});
      }
      return groups;
    });
  }

  /// Values can be erased only where no operation that returned is sensitive to others' values; such operations are
  /// dropped first where they are pure.
  bool drop_values() {
    if (!base_.specification->has_erasable_values() || from_state_) return false;
    const auto sensitive = [this](std::uint32_t local) {
      return !may_be_left_out(base_, local) && base_.specification->sensitive(base_.view(local));
    };
    bool changed = false;
    if (std::any_of(kept_.begin(), kept_.end(), sensitive)) {
      Locals rest;
      for (const std::uint32_t local : kept_) {
        if (!sensitive(local)) {
          rest.push_back(local);
        } else if (!base_.specification->pure(base_.view(local))) {
          return false;
        }
      }
      if (!refuted(rest)) return false;
      changed = true;
    }
    return drop_groups([this] {
             std::vector<Locals> groups;
             absl::flat_hash_map<std::uint64_t, std::size_t> group_of;
             for (const std::uint32_t local : kept_) {
               const std::optional<Value> value = base_.specification->erasable(base_.view(local));
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
  /// the whole), and keeps only those and what comes after j. Something between them is kept if anything had changed
  /// the state. True if the core became smaller.
  bool cut_before_quiet_point() {
    const history::Subhistory sub = view(kept_, cut_);
    std::vector<Rank> quiet = {0};
    std::uint32_t open = 0;
    for (Rank rank = 0; rank < sub.ranks(); ++rank) {
      if (!sub.events()[rank].is_response()) {
        ++open;
      } else if (--open == 0) {
        quiet.push_back(rank + 1);
      }
    }
    if (quiet.back() == sub.ranks()) quiet.pop_back();
    if (quiet.size() < 2) return false;
    const auto context = std::make_shared<decide::SearchContext>(sub);
    std::vector<std::vector<StateId>> possible = {{context->transitions.initial()}};  // at each quiet point
    while (possible.size() < quiet.size()) {
      const std::size_t at = possible.size();
      auto states = decide::states_after(sub, context, {.first = quiet[at - 1], .last = quiet[at]}, possible.back(),
                                         kStepsPerTry, budget_);
      if (!states || states->empty() || out_of_time()) return false;
      possible.push_back(std::move(*states));
    }
    const Locals before = kept_;
    for (std::size_t back = 0; !out_of_time(); back = back == 0 ? 1 : 2 * back) {
      const std::size_t start = quiet.size() - 1 - std::min(back, quiet.size() - 1);
      if (start == 0) return false;
      if (try_start(sub, context, quiet, possible, start, before)) return true;
    }
    return false;
  }

  bool try_start(const history::Subhistory& sub, const std::shared_ptr<decide::SearchContext>& context,
                 const std::vector<Rank>& quiet, const std::vector<std::vector<StateId>>& possible, std::size_t start,
                 const Locals& kept) {
    std::vector<StateId> reached = possible[0];
    for (std::size_t join = start; join < quiet.size() && !out_of_time(); ++join) {
      if (std::includes(reached.begin(), reached.end(), possible[join].begin(), possible[join].end())) {
        Locals rest;
        bool shown = false, changed = false;
        for (std::uint32_t local = 0; local < sub.size(); ++local) {
          const bool after = sub.call[local] >= quiet[join];
          const bool changes = !after && !sub.specification->pure(sub.view(local));
          const bool between = changes && sub.call[local] >= quiet[start];
          changed = changed || changes;
          shown = shown || between;
          if (after || between) rest.push_back(kept[local]);
        }
        // A reader has to see what left the states that the rest is refuted from.
        if (shown == changed && rest.size() < kept.size()) {
          const bool was = std::exchange(from_state_, true);
          if (refuted(rest)) return true;
          from_state_ = was;
        }
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

  history::Subhistory base_;  // what the core is taken of
  Locals names_;              // by local of base_: its local in the whole part
  Locals kept_;               // the core, in locals of base_, ascending
  Rank cut_;                  // events of base_ from here on have not happened; kept operations are called before
  const std::size_t at_first_;
  const ShrinkProgress& progress_;
  core::Budget& budget_;
  bool from_state_ = false;
  bool started_ = false;   // late: what came before is forgotten already
  bool monitored_;         // what refutes the core is a monitor
  bool smaller_ = false;   // some step was taken
  bool promised_ = false;  // what operations return behind the cut is known
};

}  // namespace

Locals whole_core(const history::Subhistory& part, const core::Outcome& outcome) {
  Locals locals = outcome.core.empty() ? all_of(part) : outcome.core;
  if (outcome.core.empty() && outcome.blocked) {
    std::erase_if(locals, [&](std::uint32_t local) { return part.call[local] > part.response[*outcome.blocked]; });
  }
  std::sort(locals.begin(), locals.end());
  return locals;
}

namespace {

/// Without a late start.
Core shrink_from_beginning(const history::Subhistory& part, const core::Outcome& outcome,
                           const ShrinkProgress& progress, core::Budget& budget) {
  const bool whole = outcome.core.size() == part.size() && part.size() > kFew;  // as good as none
  if (outcome.core.empty() || whole) {
    Shrinker shrinker(part, all_of(part), false, progress, budget);
    shrinker.begin(whole ? std::nullopt : outcome.blocked);
    return std::move(shrinker).run();
  }
  Locals core = whole_core(part, outcome);
  history::Subhistory small = history::restrict(part, core);
  if (!part.specification->has_erasable_values() || !closed(part, all_of(part), core)) {
    return {.locals = std::move(core), .refuted = std::move(small), .untouched = true};
  }
  return Shrinker(std::move(small), std::move(core), true, progress, budget).run();
}

Core shrink_from(LateStart start, const history::Subhistory& part, const ShrinkProgress& progress,
                 core::Budget& budget) {
  history::Subhistory small = history::restrict(part, start.locals);
  small.specification = start.from.get();
  Shrinker shrinker(std::move(small), start.locals, false, progress, budget);
  shrinker.begin(start, part);
  Core core = std::move(shrinker).run();
  core.start = std::move(start);
  return core;
}

/// @param seconds  for looking for a start
std::optional<Core> shrink_from_late_start(const history::Subhistory& part, const core::Outcome& outcome,
                                           double seconds, const ShrinkProgress& progress, core::Budget& budget) {
  std::optional<LateStart> start;
  if (outcome.certain.rank > 0 && outcome.blocked) start = late_start_at(part, outcome.certain, *outcome.blocked);
  if (!start || start->locals.size() > kNotMany) {
    core::Budget some(budget, seconds);
    std::optional<LateStart> found = find_late_start(part, kStepsToStart, some);
    if (found && (!start || found->locals.size() < start->locals.size())) start = std::move(found);
  }
  if (!start) return std::nullopt;
  return shrink_from(std::move(*start), part, progress, budget);
}

/// From values in any order, behind the last response that a core has.
/// @param seconds  for looking for a start
std::optional<Core> shrink_from_unordered_start(const history::Subhistory& part, const Core& core, double seconds,
                                                const ShrinkProgress& progress, core::Budget& budget) {
  std::optional<std::uint32_t> last;
  for (std::uint32_t k = 0; k < core.refuted.size(); ++k) {
    if (core.refuted.pending(k)) continue;
    const std::uint32_t local = core.locals[k];
    if (!last || part.response[local] > part.response[*last]) last = local;
  }
  if (!last) return std::nullopt;
  core::Budget some(budget, seconds);
  std::optional<LateStart> start = find_unordered_start(part, *last, some);
  if (!start) return std::nullopt;
  return shrink_from(std::move(*start), part, progress, budget);
}

/// Of fewer parts of transactions. What is dropped then may make it possible to leave out more of them.
std::optional<Core> shrink_by_parts(const history::Subhistory& part, const core::Outcome& outcome,
                                    const ShrinkProgress& progress, core::Budget& budget) {
  if (parts_of(*part.specification) == nullptr) return std::nullopt;
  const std::optional<std::uint32_t> stuck = outcome.core.empty() ? outcome.blocked : std::nullopt;  // a search
  std::optional<Core> core;
  for (bool from_state = false; !budget.spent_now();) {
    std::optional<FewerParts> fewer =
        core ? with_fewer_parts(core->refuted, std::nullopt, budget) : with_fewer_parts(part, stuck, budget);
    if (!fewer) break;
    from_state = from_state || fewer->from_state;
    if (core) {
      for (std::uint32_t& local : fewer->locals) local = core->locals[local];
    }
    Shrinker shrinker(std::move(fewer->part), std::move(fewer->locals), false, progress, budget);
    if (from_state) shrinker.begin_from_state();
    core = std::move(shrinker).run();
    core->fewer_parts = std::move(fewer->history);
    from_state = core->from_state;
  }
  return core;
}

/// A small core by the rules, wherever it may start.
/// @param seconds  that the budget has
Core shrink_by_rules(const history::Subhistory& part, const core::Outcome& outcome, double seconds,
                     const ShrinkProgress& progress, core::Budget& budget) {
  const bool few = !outcome.core.empty() && outcome.core.size() <= kFew;
  if (!few) {
    if (std::optional<Core> core = shrink_by_parts(part, outcome, progress, budget)) return std::move(*core);
  }
  const bool may_start_late = !few && has_starts(*part.specification);
  // A few operations that begin at the beginning say more. They may be left where values can be erased, or where there
  // are not many at all; elsewhere it is not worth the time.
  const bool begin_first = !may_start_late || part.specification->has_erasable_values() || part.size() <= kNotMany;
  // Where it is worth beginning at the beginning, a start is found soon, or there is none.
  const double to_start = begin_first ? seconds / 2 : seconds;
  Core core;
  if (begin_first) {
    core::Budget first(budget, may_start_late ? seconds - to_start : seconds);
    core = shrink_from_beginning(part, outcome, progress, first);
    if (!may_start_late || core.locals.size() <= kFew) return core;
  }
  if (begin_first && core.locals.size() > kNotMany) {
    if (auto unordered = shrink_from_unordered_start(part, core, kToCount * to_start, progress, budget)) {
      if (unordered->locals.size() < core.locals.size()) core = std::move(*unordered);
      if (core.locals.size() <= kNotMany) return core;
    }
  }
  if (std::optional<Core> late = shrink_from_late_start(part, outcome, kToFind * to_start, progress, budget)) {
    if (!begin_first || late->locals.size() < core.locals.size()) return std::move(*late);
  }
  return begin_first ? core : shrink_from_beginning(part, outcome, progress, budget);
}

/// Only those of the locals whose place in them is in the set.
Locals members(const Locals& locals, Subsets::Set set) {
  Locals result;
  for (std::uint32_t k = 0; k < locals.size(); ++k) {
    if ((set >> k & 1U) != 0) result.push_back(locals[k]);
  }
  return result;
}

/// Makes the one operation the core, and the rest what shows it.
void tell_alone(Core& core, std::uint32_t local) {
  core.context = std::move(core.locals);
  std::erase(core.context, local);
  core.locals = {local};
}

/// Of impossible operations the one to tell: where the search got stuck, else the one that returned first.
std::uint32_t told_of(const history::Subhistory& part, const core::Outcome& outcome, const Locals& impossible) {
  if (outcome.blocked && std::binary_search(impossible.begin(), impossible.end(), *outcome.blocked)) {
    return *outcome.blocked;
  }
  return *std::min_element(impossible.begin(), impossible.end(),
                           [&](std::uint32_t a, std::uint32_t b) { return part.response[a] < part.response[b]; });
}

/// An operation that nothing makes possible is the whole violation. It is looked for in what was refuted, of which
/// everything that could matter to it is left, and among a few operations in all of them. A monitor's own core may lack
/// what makes its operations possible, and one that starts late is all that is said to follow its start.
void single_out(const history::Subhistory& part, const core::Outcome& outcome, Core& core, core::Budget& budget) {
  if (core.locals.size() == 1 || core.start) return;
  if (const auto subsets = core.untouched ? std::nullopt : Subsets::of(core.refuted, budget)) {
    const Subsets::Set all = subsets->all(), idle = subsets->without_effect(all);
    if (const Locals impossible = members(core.locals, subsets->impossible(all)); !impossible.empty()) {
      return tell_alone(core, told_of(part, outcome, impossible));
    }
    core.refuted = history::restrict(core.refuted, members(all_of(core.refuted), all & ~idle));
    core.locals = members(core.locals, all & ~idle);
  }
  if (part.size() > Subsets::kMostOperations) return;
  if (const auto subsets = Subsets::of(part, budget)) {
    Locals impossible = members(all_of(part), subsets->impossible(subsets->all()));
    std::erase_if(impossible, [&](std::uint32_t local) {
      return !std::binary_search(core.locals.begin(), core.locals.end(), local);
    });
    if (!impossible.empty()) tell_alone(core, told_of(part, outcome, impossible));
  }
}

}  // namespace

bool nothing_to_spare(const history::Subhistory& part, const Locals& locals, const Specification& from,
                      core::Budget& budget) {
  if (locals.size() == 1) return true;
  if (locals.empty() || locals.size() > Subsets::kMostOperations) return false;
  history::Subhistory core = history::restrict(part, locals);
  core.specification = &from;
  const auto subsets = Subsets::of(core, budget);
  return subsets && subsets->nothing_to_spare();
}

Core shrink(const history::Subhistory& part, const core::Outcome& outcome, const ShrinkProgress& progress,
            core::Budget& budget) {
  const double seconds = seconds_to_spend(budget);
  core::Budget own(budget, seconds);
  Core core = shrink_by_rules(part, outcome, seconds, progress, own);
  single_out(part, outcome, core, budget);
  core.minimal = nothing_to_spare(part, core.locals, core.start ? *core.start->from : *part.specification, budget);
  return core;
}

}  // namespace linchpin::explain

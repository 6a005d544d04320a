// Decides histories of a store of versions whose answers tell their revisions.
//
// An answer alone says whether its request made its revision or looked at the store behind it (reading.hpp). So the
// order of all known requests is known, and is checked by their times (times.hpp). What answers show of keys excludes
// each other or not (sightings.hpp). What is left are the revisions that nobody told of, which requests of unknown fate
// made: all ways to fill these are followed, revision by revision (layers.hpp). Whoever was refused for a lease is left
// out, and put into the order that is found (refusals.hpp).
// Precondition: every request that changed something tells its revision, or is of unknown fate; each lease is granted
// once, before anybody uses it. Ranges at old revisions and compactions are decided exactly. Where a lost revoke may
// come before a put under its lease, it only finds linearizations; where one that was refused fits nowhere in the order
// that it found, it says nothing.
// Cost O(n log n) while there is one way; the question is NP-complete (transactions on condition, all lost), so the
// number of ways is bounded, and the search takes over. Source: own. Compare: decide/search (any history).
// Tests: mvcc_kv_monitor_test.cpp.
#include "types/mvcc_kv/monitor.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include "base/none.hpp"
#include "core/core_proof.hpp"
#include "types/mvcc_kv/contradictions.hpp"
#include "types/mvcc_kv/effects.hpp"
#include "types/mvcc_kv/layers.hpp"
#include "types/mvcc_kv/needed_looks.hpp"
#include "types/mvcc_kv/order.hpp"
#include "types/mvcc_kv/refusals.hpp"
#include "types/mvcc_kv/specification.hpp"

namespace linchpin::types::mvcc_kv {

namespace {

using history::Rank;
using history::Subhistory;

constexpr std::size_t kFewRequests = 3;
// Above so many the general search is not worth a try where there are too many ways: it would have to follow them, too.
constexpr std::uint32_t kMostForSearch = 10'000;

bool violates(const Subhistory& part, core::Budget& budget) {
  const Reading reading = read(part);
  if (!reading.obstacle.empty() || !reading.assumption.empty()) return false;
  if (contradiction(part, reading)) return true;
  const Times times = find_times(part, reading);
  const Sightings sightings(part, reading);
  if (contradiction(part, times, sightings)) return true;
  return Layers(part, reading, times, sightings).run(budget) == Layers::End::blocked;
}

/// Why no way leads on, and which operations show it.
class Explanation {
 public:
  Explanation(const Subhistory& part, const Reading& reading, const Times& times, const Sightings& sightings,
              const Layers& layers)
      : part_(part), reading_(reading), times_(times), sightings_(sightings), layers_(layers) {}

  core::Outcome outcome(core::Budget& budget) const {
    core::Outcome found = layers_.blocked_by() != kNone ? does_not_fit(layers_.blocked_by()) : nobody_made();
    add_grants(part_, found.core);
    const auto violates_alone = [&](const Subhistory& some) { return violates(some, budget); };
    if (core::core_proves(part_, found.core, violates_alone)) return found;
    found.core = with_needed_looks(part_, std::move(found.core), layers_.blocked_at(), violates_alone, budget);
    if (core::core_proves(part_, found.core, violates_alone)) return found;
    std::vector<std::uint32_t> all(part_.size());
    for (std::uint32_t i = 0; i < part_.size(); ++i) all[i] = i;
    return violation(std::move(all), found.blocked, found.sentence);
  }

 private:
  /// Who shows what the missing revision put: two of them.
  void add_musts(std::vector<std::uint32_t>& core, std::int64_t revision) const {
    std::size_t musts = 0;
    for (const Must& must : sightings_.must(revision)) {
      if (musts++ < 2) core.push_back(must.by);
    }
  }

  /// The operation, and what last touched the keys that it is about.
  [[nodiscard]] core::Outcome does_not_fit(std::uint32_t i) const {
    std::vector<std::uint32_t> core{i};
    bool lost = false;
    for (const std::uint32_t key : keys_of(i)) {
      const auto& touches = sightings_.of(key).touches;
      const auto last = std::partition_point(touches.begin(), touches.end(), [&](const Touch& touch) {
        return touch.revision <= layers_.blocked_at() && touch.by != i;
      });
      if (last != touches.begin()) core.push_back(std::prev(last)->by);
      for (const WayStep& step : layers_.way()) {
        const bool later = last == touches.begin() || step.revision > std::prev(last)->revision;
        if (!later || !touches_key(step.operation, key)) continue;
        core.push_back(step.operation);
        lost = true;
      }
    }
    // It may have made the revision itself, but for who shows what that put.
    const auto& either = reading_.either[reading_.index(layers_.blocked_at())];
    if (std::find(either.begin(), either.end(), i) != either.end()) add_musts(core, layers_.blocked_at());
    return violation(std::move(core), i,
                     fmt::format("{} does not fit the store at revision {}{}", text(part_, i), layers_.blocked_at(),
                                 lost ? ", whichever requests of unknown fate were executed" : ""));
  }

  /// Who needs the revision, and those that may have made it by what they tell, or of unknown fate and called in time,
  /// with what excludes them.
  [[nodiscard]] core::Outcome nobody_made() const {
    const std::int64_t revision = layers_.blocked_at();
    const std::uint32_t needs = times_.behind[reading_.index(revision)].by;
    const Rank until = times_.behind[reading_.index(revision)].rank;
    std::vector<std::uint32_t> core, in_time;
    if (needs != kNone) core.push_back(needs);
    add_musts(core, revision);
    for (const Label& label : layers_.labels().all()) {
      for (const std::uint32_t i : label.members) {
        if (part_.call[i] < until) in_time.push_back(i);
      }
    }
    const auto exclude = [&](std::uint32_t i) {
      core.push_back(i);
      for (const std::uint32_t key : keys_of(i)) {
        if (const std::uint32_t shows = sightings_.of(key).who_shows_at(revision); shows != kNone) {
          core.push_back(shows);
        }
      }
    };
    const auto& either = reading_.either[reading_.index(revision)];
    if (either.size() <= kFewRequests) std::for_each(either.begin(), either.end(), exclude);
    std::string why = "no request of unknown fate was called in time to make it";
    if (!in_time.empty()) {
      why = fmt::format("none of the requests of unknown fate that were called in time ({}) can have made it",
                        in_time.size());
    }
    if (!in_time.empty() && in_time.size() <= kFewRequests) {
      const Bound& before = times_.before[reading_.index(revision)];  // what returned earlier is behind it no more
      for (const std::uint32_t i : in_time) {
        exclude(i);
        if (before.by != kNone && part_.response[i] < before.rank) core.push_back(before.by);
      }
    }
    const bool itself = std::find(either.begin(), either.end(), needs) != either.end();
    const std::string need = itself ? fmt::format("{} cannot have made revision {}, by what is told of it and its keys",
                                                  text(part_, needs), revision)
                             : needs != kNone
                                 ? fmt::format("{} needs revision {}, which nobody called by then tells to have made",
                                               text(part_, needs), revision)
                                 : fmt::format("nobody tells to have made revision {}", revision);
    return violation(std::move(core), needs != kNone ? std::optional(needs) : std::nullopt,
                     fmt::format("{}; {}", need, why));
  }

  [[nodiscard]] std::vector<std::uint32_t> keys_of(std::uint32_t i) const {
    std::vector<std::uint32_t> keys;
    const Operation operation = part_.view(i);
    const ValuePool& pool = *operation.pool;
    for_each_act(operation, answer_of(operation), [&](const Act& act, Value) {
      if (act.end.is_nil()) {
        keys.push_back(sightings_.number(act.key));
        return;
      }
      for (std::uint32_t key = 0; key < sightings_.keys().size() && keys.size() <= kFewRequests; ++key) {
        if (in_range(sightings_.keys()[key], act.key, act.end, pool)) keys.push_back(key);
      }
    });
    if (operation.method == kTxn) {
      for (const Value each : pool.elements_of(operation.argument(0))) {
        keys.push_back(sightings_.number(parse_compare(each, pool)->key));
      }
    }
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return keys;
  }
  [[nodiscard]] bool touches_key(std::uint32_t i, std::uint32_t key) const {
    const std::vector<std::uint32_t> keys = keys_of(i);
    return part_.method[i] == kRevoke || std::binary_search(keys.begin(), keys.end(), key);
  }

  const Subhistory& part_;
  const Reading& reading_;
  const Times& times_;
  const Sightings& sightings_;
  const Layers& layers_;
};

/// Unknown, and how far it got.
core::Outcome given_up(Reason reason, const Subhistory& part, const Reading& reading, const Times& times,
                       const Layers& layers) {
  core::Outcome outcome = core::unknown(reason);
  const Layers::Reached reached = layers.reached();
  outcome.longest = order_up_to(part, reading, reached.way, reached.revision);
  const std::size_t at = reading.index(reached.revision);
  if (at >= reading.event.size()) return outcome;
  const std::uint32_t next = reading.event[at] != kNone ? reading.event[at] : times.behind[at].by;
  if (next != kNone) outcome.blocked = next;
  return outcome;
}

}  // namespace

core::Applicability applicable(const Subhistory& part) {
  if (part.specification->get_if<MvccKv>() == nullptr) return core::not_of_this_type("not a store of versions");
  auto reading = std::make_shared<Reading>(read(part));
  if (!reading->obstacle.empty()) return {false, std::move(reading->obstacle)};
  return {.applies = true, .why = "answers tell their revisions, or were lost", .reading = std::move(reading)};
}

core::Outcome decide(const Subhistory& part, const core::DeciderOptions& options, core::Budget& budget) {
  const auto reading = core::reading_of<Reading>(part, options, applicable);
  if (reading == nullptr) return core::not_applicable();
  if (budget.spent_now()) return core::unknown(budget.reason());
  const bool refutes = reading->assumption.empty();
  const auto no_order = [&] {
    return core::Outcome{.reason = Reason::not_applicable, .sentence = reading->assumption};
  };
  if (std::optional<core::Outcome> found = contradiction(part, *reading)) {
    add_grants(part, found->core);
    return refutes ? std::move(*found) : no_order();
  }
  const Times times = find_times(part, *reading);
  if (budget.spent_now()) return core::unknown(budget.reason());
  const Sightings sightings(part, *reading);
  if (std::optional<core::Outcome> found = contradiction(part, times, sightings)) {
    add_grants(part, found->core);
    return refutes ? std::move(*found) : no_order();
  }
  Layers layers(part, *reading, times, sightings);
  switch (layers.run(budget)) {
    case Layers::End::blocked:
      if (!refutes) return no_order();
      return Explanation(part, *reading, times, sightings, layers).outcome(budget);
    case Layers::End::given_up:
      if (budget.spent_now()) return given_up(budget.reason(), part, *reading, times, layers);
      if (part.size() <= kMostForSearch) return core::not_applicable();
      return given_up(Reason::memory, part, *reading, times, layers);
    case Layers::End::reached: break;
  }
  std::vector<std::uint32_t> order = with_refused(part, *reading, order_of(part, *reading, layers.way()));
  if (order.empty() && part.size() > part.pending_count) return core::unknown(Reason::not_applicable);
  return {.verdict = Verdict::linearizable,
          .witness = options.witness ? std::move(order) : std::vector<std::uint32_t>()};
}

}  // namespace linchpin::types::mvcc_kv

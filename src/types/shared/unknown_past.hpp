// Refutes a history by a few of its events, whatever happened before them, for the search over sets of contents.
//
// A search that goes forward has to keep every configuration from the beginning on to refute anything. But what refutes
// a history rarely reaches back far: so go forward from a later event, from configurations that include all that can
// have come about there, and more. Where none of them goes on, none of the true ones does.
//
// Configurations between two events, by what the open operations say: the number of values is what returned pushes and
// pops leave, and some open pushes more; their order is unknown, so that the set is that of all contents of this
// length.
//   open pushes   any of them are done; of equal ones those that respond first
//   open pops     none is done: if one was, what it took may still be on top, and it be done now; but where operations
//                 feel how many values there are (`feel_height`), any are done
//   pure ones     all are done, which only allows more
// Cost: O(n) for the start, then as the domain's.
// Source: docs/design/search.md, sets of stacks. Tests: stack/stack_sets_test.cpp, deque/deque_sets_test.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "algo/frontier/frontier.hpp"
#include "core/budget.hpp"
#include "history/subhistory.hpp"

namespace linchpin::types {

/// @tparam Domain  of algo::Frontier, that gives all contents of a length: `begin_anywhere`, `anything`
template <class Domain>
class UnknownPast {
  using Acts = typename Domain::Acts;
  using Kind = typename Domain::Kind;
  using Mask = typename Domain::Mask;
  using Rank = history::Rank;

 public:
  enum class Status : std::uint8_t { going, refuted, not_refuted };

  /// @param part, acts  outlive it
  UnknownPast(const history::Subhistory& part, const Acts& acts)
      : part_(part),
        acts_(acts),
        frontier_(Domain::slots(part, acts), algo::Order{.due = part.response}, false, part, acts) {}

  /// From about `from`, where few operations are open, as far as `until`. False: there are too many starts.
  bool begin(Rank from, Rank until) {
    rank_ = place_near(from, std::min(kNear, (until - from) / 4 + 1));
    until_ = until;
    std::vector<std::uint32_t> open;
    algo::ByValue<std::int64_t> held(acts_.values.size(), 0);  // by what has returned
    std::int64_t height = 0;
    for (std::uint32_t local = 0; local < part_.size() && part_.call[local] < rank_; ++local) {
      const auto& act = acts_.of[local];
      if (part_.response[local] >= rank_) {
        if (!frontier_.domain().skipped(local)) open.push_back(local);
      } else if (!act.pure()) {
        const int change = act.kind == Kind::add ? 1 : -1;
        held[act.value] += change;
        height += change;
      }
    }
    return add_starts(open, open_changes(open, held), height);
  }
  /// One more step.
  Status advance() {
    if (frontier_.busy()) {
      frontier_.step();
      return after_response();
    }
    if (rank_ >= until_) return Status::not_refuted;
    if (frontier_.domain().sets().worth_collecting()) collect();
    const history::Event event = part_.events()[rank_];
    if (event.is_response()) {
      frontier_.respond(event.operation());
      return after_response();
    }
    if (!frontier_.domain().skipped(event.operation())) frontier_.call(event.operation());
    ++rank_;
    return Status::going;
  }

  /// The event that could not be passed. @pre refuted
  [[nodiscard]] Rank rank() const { return rank_; }
  [[nodiscard]] std::uint64_t steps() const { return frontier_.steps(); }
  [[nodiscard]] bool may_grow(core::Budget& budget) const { return frontier_.may_grow(budget); }

 private:
  static constexpr std::uint32_t kNear = 64;  // events among which the start is chosen, at most
  static constexpr std::size_t kMostStarts = 4096;
  static constexpr std::size_t kMostEdges = std::size_t{1} << 20;
  static constexpr std::size_t kMostConfigurations = std::size_t{1} << 16;

  /// Open operations that do the same, by response, and how many of them are done at least.
  struct Alike {
    std::vector<std::uint32_t> locals = {};
    std::size_t least = 0;
    std::int64_t change = 0;  // of the length, each
  };

  /// Of `count` ranks from `from` on, one where the fewest pushes are open.
  [[nodiscard]] Rank place_near(Rank from, std::uint32_t count) const {
    Rank best = from;
    std::uint32_t fewest = UINT32_MAX;
    std::uint32_t open = 0;
    for (Rank rank = 0; rank < from + count && rank < part_.ranks(); ++rank) {
      if (rank >= from && open < fewest) {
        fewest = open;
        best = rank;
      }
      const history::Event event = part_.events()[rank];
      if (acts_.of[event.operation()].kind == Kind::add) open += event.is_response() ? -1U : 1U;
    }
    return best;
  }

  [[nodiscard]] std::vector<Alike> open_changes(const std::vector<std::uint32_t>& open,
                                                const algo::ByValue<std::int64_t>& held) const {
    std::vector<Alike> all;
    for (const std::uint32_t local : open) {
      const auto& act = acts_.of[local];
      if (act.pure() || (act.pops() && !acts_.feel_height)) continue;
      auto alike = std::ranges::find_if(all, [&](const Alike& each) { return acts_.of[each.locals.front()] == act; });
      if (alike == all.end()) alike = all.insert(all.end(), {.change = act.pops() ? -1 : 1});
      alike->locals.push_back(local);
      // What was popped was pushed before.
      if (act.kind == Kind::add && !acts_.feel_height)
        alike->least = static_cast<std::size_t>(std::max<std::int64_t>(0, -held[act.value]));
    }
    for (Alike& each : all) {
      std::ranges::sort(each.locals, {}, [&](std::uint32_t local) { return part_.response[local]; });
    }
    return all;
  }

  /// What is open at the start or called before the end.
  template <class Body>
  void each_met(const std::vector<std::uint32_t>& open, Body&& body) const {
    for (const std::uint32_t local : open) body(local);
    for (Rank rank = rank_; rank < until_; ++rank) {
      if (!part_.events()[rank].is_response()) body(part_.events()[rank].operation());
    }
  }

  /// The values that matter: on top of others, they would show.
  [[nodiscard]] std::vector<algo::ValueNumber> values_seen(const std::vector<std::uint32_t>& open) const {
    std::vector<algo::ValueNumber> seen;
    const auto see = [&](std::uint32_t local) {
      const auto& act = acts_.of[local];
      if (act.kind == Kind::take || act.kind == Kind::look) seen.push_back(act.value);
    };
    each_met(open, see);
    std::ranges::sort(seen);
    seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
    return seen;
  }

  [[nodiscard]] bool add_starts(const std::vector<std::uint32_t>& open, const std::vector<Alike>& changes,
                                std::int64_t height) {
    std::size_t starts = 1;
    std::int64_t least = height;
    std::int64_t most = height;
    for (const Alike& each : changes) {
      if (each.least > each.locals.size()) return false;
      starts *= each.locals.size() - each.least + 1;
      if (starts > kMostStarts) return false;
      const auto fewest = static_cast<std::int64_t>(each.least), all = static_cast<std::int64_t>(each.locals.size());
      least += std::min(each.change * fewest, each.change * all);
      most += std::max(each.change * fewest, each.change * all);
    }
    least = std::max<std::int64_t>(least, 0);
    if (most < 0) return false;

    // No path goes below the lowest: it has not so many pops.
    std::int64_t pops = 1;
    const auto count_pop = [&](std::uint32_t local) { pops += acts_.of[local].pops() ? 1 : 0; };
    each_met(open, count_pop);
    const std::int64_t lowest = std::max<std::int64_t>(0, least - pops);
    std::vector<algo::ValueNumber> values = values_seen(open);
    values.push_back(algo::ValueNumber(acts_.values.size()));  // any other
    if (static_cast<std::size_t>(most - lowest) * values.size() > kMostEdges) return false;
    frontier_.go_to(open, {});
    frontier_.domain().begin_anywhere(static_cast<std::uint32_t>(lowest), static_cast<std::uint32_t>(most), values);

    Mask done;
    for (const std::uint32_t local : open) {
      if (acts_.of[local].pure() && acts_.of[local].kind != Kind::never) done |= frontier_.window().bit(local);
    }
    auto& current = frontier_.current();
    std::vector<std::pair<Mask, std::int64_t>> chosen = {{done, height}};
    for (const Alike& each : changes) {
      std::vector<std::pair<Mask, std::int64_t>> more;
      for (auto [mask, reached] : chosen) {
        for (std::size_t count = 0;; ++count) {
          if (count >= each.least) more.emplace_back(mask, reached);
          if (count == each.locals.size()) break;
          mask |= frontier_.window().bit(each.locals[count]);
          reached += each.change;
        }
      }
      chosen = std::move(more);
    }
    for (const auto& [mask, reached] : chosen) {
      if (reached < 0) continue;  // nothing can have come about so
      current.push_back({.mask = mask, .set = frontier_.domain().anything(static_cast<std::uint32_t>(reached))});
    }
    return true;
  }

  [[nodiscard]] Status after_response() {
    if (frontier_.busy()) return Status::going;
    if (frontier_.refuted()) return Status::refuted;
    ++rank_;
    return frontier_.current().size() > kMostConfigurations ? Status::not_refuted : Status::going;
  }

  void collect() {
    auto& sets = frontier_.domain().sets();
    for (const auto& each : frontier_.current()) sets.mark(each.set);
    sets.collect();
    for (auto& each : frontier_.current()) each.set = sets.renamed(each.set);
  }

  const history::Subhistory& part_;
  const Acts& acts_;
  algo::Frontier<Domain> frontier_;
  Rank rank_ = 0;
  Rank until_ = 0;
};

}  // namespace linchpin::types

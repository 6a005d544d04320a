#include "types/stack/unknown_past.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace linchpin::types {

namespace {

using history::Event;
using history::Rank;
using Kind = StackAct::Kind;
using Set = StackSets::Set;

constexpr Rank kNear = 64;  // events among which the start is chosen, at most
constexpr std::size_t kMostStarts = 4096;
constexpr std::size_t kMostEdges = std::size_t{1} << 20;
constexpr std::size_t kMostConfigurations = std::size_t{1} << 16;

}  // namespace

template <class Mask>
bool StackUnknownPast<Mask>::begin(Rank from, Rank until) {
  rank_ = place_near(from, std::min(kNear, (until - from) / 4 + 1));
  until_ = until;
  std::vector<std::uint32_t> open;
  std::vector<std::int64_t> held(acts_.values.size(), 0);  // by what has returned
  std::int64_t height = 0;
  for (std::uint32_t local = 0; local < part_.size() && part_.call[local] < rank_; ++local) {
    const StackAct& act = acts_.of[local];
    if (part_.response[local] >= rank_) {
      if (!frontier_.domain().skipped(local)) open.push_back(local);
    } else if (!act.pure()) {
      const int change = act.kind == Kind::push ? 1 : -1;
      held[act.value] += change;
      height += change;
    }
  }
  return add_starts(open, open_changes(open, held), height);
}

/// Of `count` ranks from `from` on, one where the fewest pushes are open.
template <class Mask>
Rank StackUnknownPast<Mask>::place_near(Rank from, Rank count) const {
  Rank best = from;
  std::uint32_t fewest = UINT32_MAX;
  std::uint32_t open = 0;
  for (Rank rank = 0; rank < from + count && rank < part_.ranks(); ++rank) {
    if (rank >= from && open < fewest) {
      fewest = open;
      best = rank;
    }
    const Event event = part_.events()[rank];
    if (acts_.of[event.operation()].kind == Kind::push) open += event.is_response() ? -1U : 1U;
  }
  return best;
}

template <class Mask>
std::vector<typename StackUnknownPast<Mask>::Alike> StackUnknownPast<Mask>::open_changes(
    const std::vector<std::uint32_t>& open, const std::vector<std::int64_t>& held) const {
  std::map<std::tuple<Kind, std::uint32_t, std::uint32_t>, Alike> of_act;
  for (const std::uint32_t local : open) {
    const StackAct& act = acts_.of[local];
    if (act.pure() || (act.pops() && !acts_.feel_height)) continue;
    Alike& alike = of_act[{act.kind, act.value, act.height}];
    alike.change = act.pops() ? -1 : 1;
    alike.locals.push_back(local);
    // What was popped was pushed before.
    if (act.kind == Kind::push && !acts_.feel_height)
      alike.least = static_cast<std::size_t>(std::max<std::int64_t>(0, -held[act.value]));
  }
  std::vector<Alike> all;
  for (auto& [act, alike] : of_act) {
    std::ranges::sort(alike.locals, {}, [&](std::uint32_t local) { return part_.response[local]; });
    all.push_back(std::move(alike));
  }
  return all;
}

/// What is open at the start or called before the end.
template <class Mask>
template <class Body>
void StackUnknownPast<Mask>::each_met(const std::vector<std::uint32_t>& open, Body&& body) const {
  for (const std::uint32_t local : open) body(local);
  for (Rank rank = rank_; rank < until_; ++rank) {
    if (!part_.events()[rank].is_response()) body(part_.events()[rank].operation());
  }
}

/// The values that matter: on top of others, they would show.
template <class Mask>
std::vector<std::uint32_t> StackUnknownPast<Mask>::values_seen(const std::vector<std::uint32_t>& open) const {
  std::vector<std::uint32_t> seen;
  const auto see = [&](std::uint32_t local) {
    const StackAct& act = acts_.of[local];
    if (act.kind == Kind::pop || act.kind == Kind::look) seen.push_back(act.value);
  };
  each_met(open, see);
  std::ranges::sort(seen);
  seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
  return seen;
}

template <class Mask>
bool StackUnknownPast<Mask>::add_starts(const std::vector<std::uint32_t>& open, const std::vector<Alike>& changes,
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

  // All stacks of each height. No path goes below the lowest: it has not so many pops.
  std::int64_t pops = 1;
  const auto count_pop = [&](std::uint32_t local) { pops += acts_.of[local].pops() ? 1 : 0; };
  each_met(open, count_pop);
  const std::int64_t lowest = std::max<std::int64_t>(0, least - pops);
  std::vector<std::uint32_t> tops = values_seen(open);
  tops.push_back(static_cast<std::uint32_t>(acts_.values.size()));  // any other
  if (static_cast<std::size_t>(most - lowest) * tops.size() > kMostEdges) return false;
  frontier_.go_to(open, {});
  StackSets& sets = frontier_.domain().sets();
  sets = StackSets();
  std::vector<Set> all = {sets.unseen(static_cast<std::uint32_t>(lowest))};
  std::vector<StackSets::Edge> edges;
  while (lowest + static_cast<std::int64_t>(all.size()) <= most) {
    edges.clear();
    for (const std::uint32_t top : tops) edges.push_back({.top = top, .below = all.back()});
    all.push_back(sets.of_tops(edges));
  }

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
    current.push_back({.mask = mask, .set = all[static_cast<std::size_t>(reached - lowest)]});
  }
  return true;
}

template <class Mask>
typename StackUnknownPast<Mask>::Status StackUnknownPast<Mask>::advance() {
  if (frontier_.busy()) {
    frontier_.step();
    return after_response();
  }
  if (rank_ >= until_) return Status::not_refuted;
  if (frontier_.domain().sets().worth_collecting()) collect();
  const Event event = part_.events()[rank_];
  if (event.is_response()) {
    frontier_.respond(event.operation());
    return after_response();
  }
  if (!frontier_.domain().skipped(event.operation())) frontier_.call(event.operation());
  ++rank_;
  return Status::going;
}

template <class Mask>
typename StackUnknownPast<Mask>::Status StackUnknownPast<Mask>::after_response() {
  if (frontier_.busy()) return Status::going;
  if (frontier_.refuted()) return Status::refuted;
  ++rank_;
  return frontier_.current().size() > kMostConfigurations ? Status::not_refuted : Status::going;
}

template <class Mask>
void StackUnknownPast<Mask>::collect() {
  StackSets& sets = frontier_.domain().sets();
  for (const auto& each : frontier_.current()) sets.mark(each.set);
  sets.collect();
  for (auto& each : frontier_.current()) each.set = sets.renamed(each.set);
}

template class StackUnknownPast<algo::NarrowMask>;
template class StackUnknownPast<algo::WideMask>;

}  // namespace linchpin::types

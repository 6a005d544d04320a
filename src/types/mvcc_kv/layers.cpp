#include "types/mvcc_kv/layers.hpp"

#include <algorithm>
#include <tuple>

#include <absl/container/flat_hash_map.h>

#include "base/none.hpp"
#include "types/mvcc_kv/effects.hpp"

namespace linchpin::types::mvcc_kv {

namespace {

using history::Rank;

constexpr std::size_t kFewWays = 32, kWider = 4;
// More ways are not followed, nor met at one revision: so many take some hundred megabytes.
constexpr std::size_t kMostWays = 131'072, kMostBeside = 65'536;
constexpr std::uint64_t kMostAttempts = 20'000'000, kMostAttemptsEach = 10'000;  // and for each missing revision
constexpr std::size_t kFewSteps = 16, kKeysToLookAtEach = 64;
constexpr std::uint64_t kStrain = 1'000'000;
constexpr std::size_t kManySteps = 1'000'000, kWaysBetweenLooks = 1024;

}  // namespace

Layers::End Layers::run(core::Budget& budget) {
  for (std::size_t l = 0; l < counted_.size(); ++l) counted_[l] = labels_.all()[l].must_happen;
  for (bool again = false;; again = true) {
    const End end = follow(budget);
    if (end != End::reached || !count_what_ran_dry()) return end;
    if (again) count_all();
  }
}

void Layers::count_all() { counted_.assign(counted_.size(), true); }

/// Gives each step of the way its own request. True: there were too few of some kinds, which are counted from now on.
bool Layers::count_what_ran_dry() {
  std::vector<std::uint32_t> uses(labels_.all().size(), 0);
  bool dry = false;
  for (WayStep& step : way_) {
    if (step.label == kNone || labels_.all()[step.label].must_happen) continue;
    const std::vector<std::uint32_t>& members = labels_.all()[step.label].members;
    const std::uint32_t use = uses[step.label]++;
    const Rank until = times_.behind[reading_.index(step.revision)].rank;
    // The calls of those that were used bound when others return: here only the first one's was considered.
    const bool bounds = use > 0 && !reading_.lost_answer.empty() && !counted_[step.label];
    if (bounds || use >= members.size() || part_.call[members[use]] > until) {
      counted_[step.label] = true;
      dry = true;
    } else {
      step.operation = members[use];
    }
  }
  return dry;
}

/// From the beginning.
Layers::End Layers::follow(core::Budget& budget) {
  steps_.clear();
  most_steps_ = kManySteps;
  starts_.clear();
  starts_.push_back({.way = {.contents = Contents(sightings_)}, .most_ways = kFewWays});
  for (;;) {
    go_back();
    const End end = follow_revisions(budget);
    if (end != End::reached && revision_ > farthest_.revision)
      farthest_ = {.revision = revision_, .way = steps_to(came_by_)};
    if (end != End::blocked) return end;
    if (!left_out_) starts_.pop_back();  // all ways from there on end
    if (starts_.empty()) return end;
    // The way to the end may be among those that were left out.
    starts_.back().most_ways *= kWider;
    if (starts_.back().most_ways > kMostWays) return End::given_up;
  }
}

/// To the last start.
void Layers::go_back() {
  const Start& start = starts_.back();
  ways_.assign(1, start.way);
  revision_ = start.revision;
  next_old_ = start.next_old;
  next_missing_ = start.next_missing;
  most_ways_ = start.most_ways;
  left_out_ = false;
  way_.clear();
  blocked_by_ = kNone;
}

/// There is one way. Where none was left out since the last start, all from there come by here.
void Layers::note_start() {
  if (starts_.back().revision == revision_) return;
  if (!left_out_) starts_.pop_back();
  most_ways_ = kFewWays;
  starts_.push_back({.way = ways_.front(),
                     .revision = revision_,
                     .next_old = next_old_,
                     .next_missing = next_missing_,
                     .most_ways = most_ways_});
  left_out_ = false;
}

Layers::End Layers::follow_revisions(core::Budget& budget) {
  for (; revision_ <= reading_.last; ++revision_) {
    came_by_ = ways_.front().last;
    if (budget.spent()) return End::given_up;
    if (revision_ > 1 && !make(budget)) return budget.spent() ? End::given_up : End::blocked;
    if (!look()) return End::blocked;
    if (!place_quiet(budget)) return End::given_up;
    if (ways_.size() > 1) {
      for (Way& way : ways_) way.contents.forget();
      if (!merge(budget)) return End::given_up;
      narrow(ways_);
      drop_dead_steps();
    }
    if (attempts_ > kMostAttempts + kMostAttemptsEach * labels_.missing().size() ||
        (ways_.size() > 1 && !budget.allows(bytes(ways_))))
      return End::given_up;
  }
  revision_ = reading_.last;
  return finish() ? End::reached : End::blocked;
}

/// About what it takes to copy the ways.
std::size_t Layers::bytes(const std::vector<Way>& ways) const {
  return ways.size() * (sizeof(Way) + ways.front().contents.bytes() + 16 * ways.front().used.capacity());
}

/// From the first on.
std::vector<WayStep> Layers::steps_to(std::uint32_t last) const {
  std::vector<WayStep> way;
  for (std::uint32_t step = last; step != kNone; step = steps_[step].before) way.push_back(steps_[step]);
  std::reverse(way.begin(), way.end());
  return way;
}

void Layers::drop_dead_steps() {
  if (steps_.size() < most_steps_) return;
  std::vector<std::uint32_t> place(steps_.size(), kNone);  // where a step goes
  const auto keep = [&](const Way& way) {
    for (std::uint32_t step = way.last; step != kNone && place[step] == kNone; step = steps_[step].before) {
      place[step] = 0;
    }
  };
  const auto move = [&](Way& way) {
    if (way.last != kNone) way.last = place[way.last];
  };
  for (const Way& way : ways_) keep(way);
  for (const Start& start : starts_) keep(start.way);
  std::uint32_t kept = 0;
  for (std::uint32_t step = 0; step < steps_.size(); ++step) {
    if (place[step] == kNone) continue;
    place[step] = kept;
    WayStep& moved = steps_[kept++] = steps_[step];
    if (moved.before != kNone) moved.before = place[moved.before];
  }
  steps_.resize(kept);
  for (Way& way : ways_) move(way);
  for (Start& start : starts_) move(start.way);
  came_by_ = ways_.front().last;
  most_steps_ = std::max(kManySteps, 2 * steps_.size());
}

Layers::Reached Layers::reached() const {
  Reached reached = farthest_;
  std::vector<std::uint32_t> uses(labels_.all().size(), 0);
  for (std::size_t k = 0; k < reached.way.size(); ++k) {
    WayStep& step = reached.way[k];
    if (step.label == kNone || labels_.all()[step.label].must_happen) continue;
    const std::vector<std::uint32_t>& members = labels_.all()[step.label].members;
    const std::uint32_t use = uses[step.label]++;
    if (use >= members.size() || part_.call[members[use]] > times_.behind[reading_.index(step.revision)].rank) {
      reached.revision = step.revision;
      reached.way.resize(k);
      break;
    }
    step.operation = members[use];
  }
  return reached;
}

std::uint32_t Layers::used(const Way& way, std::uint32_t label) {
  const auto at = std::lower_bound(way.used.begin(), way.used.end(), std::pair(label, 0U));
  return at != way.used.end() && at->first == label ? at->second : 0;
}
void Layers::use(Way& way, std::uint32_t label) const {
  const std::uint64_t before = used(way, label), members = labels_.all()[label].members.size();
  way.strain += before < members ? kStrain / (members - before) : kStrain * kStrain;
  const auto at = std::lower_bound(way.used.begin(), way.used.end(), std::pair(label, 0U));
  if (at != way.used.end() && at->first == label) {
    ++at->second;
  } else {
    way.used.insert(at, {label, 1});
  }
}
void Layers::note(Way& way, std::uint32_t operation, std::uint32_t label, bool makes) {
  steps_.push_back({.before = way.last, .operation = operation, .label = label, .revision = revision_, .makes = makes});
  way.last = static_cast<std::uint32_t>(steps_.size() - 1);
}

void Layers::tell_way(const Way& way) {
  for (std::uint32_t step = way.last; step != kNone && way_.size() < kFewSteps; step = steps_[step].before) {
    way_.push_back(steps_[step]);
  }
}

template <class Holds>
bool Layers::keep(std::uint32_t operation, Holds&& holds) {
  // Mostly there is one way, and it goes on.
  std::size_t kept = 0;
  for (std::size_t k = 0; k < ways_.size(); ++k) {
    if (!holds(ways_[k])) continue;
    if (kept != k) std::swap(ways_[kept], ways_[k]);
    ++kept;
  }
  if (kept == 0) {
    blocked_by_ = operation;
    tell_way(ways_.front());
  }
  ways_.erase(ways_.begin() + static_cast<std::ptrdiff_t>(kept), ways_.end());
  return kept > 0;
}

/// The revision's event, in all ways.
bool Layers::make(core::Budget& budget) {
  const std::uint32_t event = reading_.event[reading_.index(revision_)];
  if (event != kNone) {
    const Operation operation = part_.view(event);
    return keep(event, [&](Way& way) {
      way.maker = event;
      return execute(way.contents, operation) && way.contents.revision() == revision_;
    });
  }
  if (ways_.size() == 1) note_start();
  while (next_missing_ < labels_.missing().size() && labels_.missing()[next_missing_] <= revision_) ++next_missing_;
  std::vector<Way> made;
  std::size_t next_look = kWaysBetweenLooks;
  for (Way& way : ways_) {
    if (budget.spent()) return false;
    drop_what_nobody_takes(way);
    make_missing(way, made);
    if (made.size() > std::min(4 * kWider * most_ways_, most_ways_ + kMostBeside)) narrow(made);
    if (made.size() < next_look) continue;
    // There may soon be twice as many.
    if (!budget.allows(bytes(made))) return false;
    next_look = made.size() + kWaysBetweenLooks;
  }
  if (made.empty()) tell_way(ways_.front());
  ways_ = std::move(made);
  if (!merge(budget)) return false;
  narrow(ways_);
  return !ways_.empty();
}

/// What a kind was used is of no interest once nobody may take one of it any more.
void Layers::drop_what_nobody_takes(Way& way) const {
  std::erase_if(way.used, [&](const auto& each) {
    const Label& label = labels_.all()[each.first];
    return !label.must_happen && (label.last_maker + 1 < next_missing_ || Labels::is_dead(label, way.contents));
  });
}

/// Leaves out ways where there are too many: first those whose contents another one has that used less of what is
/// scarce, then some of all. Half of those that stay used least, the others are spread over the rest.
void Layers::narrow(std::vector<Way>& ways) {
  if (ways.size() <= most_ways_) return;
  left_out_ = true;
  std::sort(ways.begin(), ways.end(), [](const Way& a, const Way& b) {
    return std::tuple(a.contents.hash(), a.strain) < std::tuple(b.contents.hash(), b.strain);
  });
  const auto same = [](const Way& a, const Way& b) { return a.contents.hash() == b.contents.hash(); };
  ways.erase(std::unique(ways.begin(), ways.end(), same), ways.end());
  if (ways.size() <= most_ways_) return;
  std::sort(ways.begin(), ways.end(), [](const Way& a, const Way& b) {
    return std::tuple(a.strain, a.contents.hash()) < std::tuple(b.strain, b.contents.hash());
  });
  const std::size_t least = most_ways_ / 2, rest = ways.size() - least;
  for (std::size_t k = least; k < most_ways_; ++k) {
    const std::size_t chosen = least + (k - least) * rest / (most_ways_ - least);
    if (chosen != k) ways[k] = std::move(ways[chosen]);
  }
  ways.erase(ways.begin() + static_cast<std::ptrdiff_t>(most_ways_), ways.end());
}

/// What keys need if the missing revision of this index does not touch them. With many keys only those are looked at
/// that it may touch.
void Layers::look_ahead(const Way& from, std::size_t at) {
  urgent_.clear();
  needs_.assign(sightings_.keys().size(), {});
  const auto look_at = [&](std::uint32_t key) {
    needs_[key] = prospects_.need(key, revision_, from.contents.content(key));
  };
  if (needs_.size() <= kKeysToLookAtEach) {
    for (std::uint32_t key = 0; key < needs_.size(); ++key) look_at(key);
  } else {
    for (const std::uint32_t key : prospects_.touchable(at)) look_at(key);
  }
  for (const std::uint32_t key : prospects_.touchable(at)) {
    if (!needs_[key].possible) urgent_.push_back(key);
  }
}

void Layers::make_missing(const Way& from, std::vector<Way>& made) {
  const std::size_t at = next_missing_ - 1;
  look_ahead(from, at);
  for (const std::uint32_t i : reading_.either[reading_.index(revision_)]) attempt(from, i, kNone, made);
  const Rank until = times_.behind[reading_.index(revision_)].rank;
  const Bound& before = times_.before[reading_.index(revision_)];
  for (const std::uint32_t l : labels_.makers(at)) {
    const Label& label = labels_.all()[l];
    if (!std::includes(label.keys.begin(), label.keys.end(), urgent_.begin(), urgent_.end())) continue;
    const std::uint32_t next = counted_[l] ? used(from, l) : 0;
    if (next == label.members.size()) continue;
    const std::uint32_t i = label.members[next];
    if (part_.call[i] > until) continue;
    if (label.must_happen &&
        (part_.response[i] < from.latest || (before.by != kNone && part_.response[i] < before.rank)))
      continue;
    if (!Labels::is_dead(label, from.contents)) attempt(from, i, l, made);
  }
}

void Layers::attempt(const Way& from, std::uint32_t i, std::uint32_t label, std::vector<Way>& made) {
  if (part_.call[i] > times_.behind[reading_.index(revision_)].rank) return;
  ++attempts_;
  tried_ = from.contents;
  if (!execute(tried_, part_.view(i)) || tried_.revision() != revision_) return;
  if (!leads_to_what_is_seen(from.contents, tried_)) return;
  Way way = from;
  way.contents = tried_;
  way.maker = i;
  if (label != kNone) {
    use(way, label);
    way.latest = std::max(way.latest, part_.call[i]);
  }
  note(way, i, label, true);
  made.push_back(std::move(way));
}

bool Layers::leads_to_what_is_seen(const Contents& from, const Contents& to) {
  for (const Must& must : sightings_.must(revision_)) {
    const Content& content = to.content(must.key);
    if (content.mod != revision_ || (!must.value.is_nil() && content.value != must.value)) return false;
  }
  const auto untouched = [&](std::uint32_t key) { return to.content(key) == from.content(key); };
  if (std::any_of(urgent_.begin(), urgent_.end(), untouched)) return false;
  needs_after_.clear();
  for (std::uint32_t key = 0; key < sightings_.keys().size(); ++key) {
    if (untouched(key)) continue;
    if (sightings_.of(key).untouched_at(revision_)) return false;
    needs_after_.push_back(prospects_.need(key, revision_, to.content(key)));
    if (!needs_after_.back().possible) return false;
  }
  for (std::uint32_t key = 0; key < needs_.size(); ++key) {
    if (needs_[key].more > 0 && untouched(key)) needs_after_.push_back(needs_[key]);
  }
  return prospects_.enough(needs_after_, next_missing_ - 1);
}

/// What looked at the store as it was at this revision.
bool Layers::look() {
  const auto& looks = reading_.looks[reading_.index(revision_)];
  const auto fits = [&](std::uint32_t i) {
    const Operation operation = part_.view(i);
    return keep(i, [&](Way& way) { return execute(way.contents, operation); });
  };
  const auto grants = [&](std::uint32_t i) { return part_.method[i] == kGrant; };
  for (const std::uint32_t i : looks) {
    if (grants(i) && !fits(i)) return false;
  }
  if (!reading_.either[reading_.index(revision_)].empty() && !look_under_leases()) return false;
  for (const std::uint32_t i : looks) {
    if (!grants(i) && !fits(i)) return false;
  }
  for (; next_old_ < reading_.old.size() && reading_.old[next_old_].revision == revision_; ++next_old_) {
    const std::uint32_t i = reading_.old[next_old_].operation;
    const Operation operation = part_.view(i);
    const Answer answer = answer_of(operation);
    const Act act = range_of(operation);
    const bool shown = keep(i, [&](const Way& way) {
      return detail::shows_range(way.contents, act, answer.at(0), answer.at(1), *operation.pool);
    });
    if (!shown) return false;
  }
  return true;
}

/// Those that may have made the revision, and did not: they changed nothing. A put that changes nothing found its lease
/// gone; so if the lease was revoked at this very revision, the revoke comes first, the one that was called first.
bool Layers::look_under_leases() {
  const auto& either = reading_.either[reading_.index(revision_)];
  const auto revokes = [&](std::uint32_t i) { return part_.method[i] == kRevoke; };
  for (const std::uint32_t i : either) {
    if (revokes(i)) continue;
    // Whether a lease under which it puts something is there, and revoked only after it returned.
    const Operation operation = part_.view(i);
    const bool fits = keep(i, [&](const Way& way) {
      if (way.maker == i) return true;
      bool in_time = true;
      for_each_act(operation, answer_of(operation), [&](const Act& act, Value) {
        if (act.verb != Verb::put || act.lease.is_nil() || !way.contents.has_lease(act.lease)) return;
        for (const std::uint32_t other : either) {
          if (other == way.maker || !revokes(other) || part_.view(other).argument(0) != act.lease) continue;
          in_time = in_time && part_.response[i] > part_.call[other];
          break;
        }
      });
      return in_time;
    });
    if (!fits) return false;
  }
  for (const bool revoke : {true, false}) {
    for (const std::uint32_t i : either) {
      if (revokes(i) != revoke) continue;
      const Operation operation = part_.view(i);
      const bool fits = keep(i, [&](Way& way) {
        return way.maker == i || (execute(way.contents, operation) && way.contents.revision() == revision_);
      });
      if (!fits) return false;
    }
  }
  return true;
}

/// Requests that were executed, of which the answer is lost: behind this revision, where they change nothing.
bool Layers::place_quiet(core::Budget& budget) {
  if (reading_.lost_answer.empty()) return true;
  const Rank until = times_.behind[reading_.index(revision_) + 1].rank;
  for (std::size_t k = 0; k < ways_.size(); ++k) {
    if (ways_.size() > kWaysBetweenLooks && budget.spent_now()) return false;
    for (std::uint32_t l = 0; l < labels_.all().size(); ++l) {
      const Label& label = labels_.all()[l];
      if (!label.must_happen || used(ways_[k], l) > 0) continue;
      const std::uint32_t i = label.members.front();
      const Bound& before = times_.before[reading_.index(revision_)];
      Rank since = std::max(before.by == kNone ? 0 : before.rank, ways_[k].latest);
      if (revision_ > 1 && ways_[k].maker != kNone) since = std::max(since, part_.call[ways_[k].maker]);
      if (part_.response[i] < since || part_.call[i] > until) continue;
      Way way = ways_[k];
      if (!execute(way.contents, part_.view(i)) || way.contents.revision() != revision_) continue;
      use(way, l);
      way.latest = std::max(way.latest, part_.call[i]);
      const bool known = std::any_of(ways_.begin(), ways_.end(), [&](const Way& other) { return covers(other, way); });
      if (known) continue;
      if (ways_.size() > kWider * most_ways_) {
        left_out_ = true;
        return true;
      }
      note(way, i, l, false);
      ways_.push_back(std::move(way));
    }
  }
  return true;
}

bool Layers::covers(const Way& better, const Way& way) const {
  if (!better.contents.same(way.contents)) return false;
  if (better.maker != way.maker && !reading_.either[reading_.index(revision_)].empty()) return false;
  if (!reading_.lost_answer.empty()) {
    if (better.latest > way.latest) return false;
    for (std::uint32_t l = 0; l < labels_.all().size(); ++l) {
      if (labels_.all()[l].must_happen && used(better, l) != used(way, l)) return false;
    }
  }
  // Where others have to return behind those that are used, there may be enough of a kind, and yet too late.
  const bool in_time = reading_.lost_answer.empty();
  auto other = way.used.begin();
  return std::all_of(better.used.begin(), better.used.end(), [&](const auto& each) {
    if (!counted_[each.first]) return true;
    while (other != way.used.end() && other->first < each.first) ++other;
    if (other != way.used.end() && other->first == each.first && each.second <= other->second) return true;
    const Label& label = labels_.all()[each.first];
    return (in_time && !label.must_happen && Labels::inexhaustible(label, next_missing_, each.second)) ||
           Labels::is_dead(label, way.contents);
  });
}

bool Layers::merge(core::Budget& budget) {
  if (ways_.size() < 2) return true;
  absl::flat_hash_map<std::uint64_t, std::vector<std::size_t>> groups;
  std::vector<Way> kept;
  for (Way& way : ways_) {
    if (kept.size() > kWaysBetweenLooks && budget.spent_now()) break;
    auto& group = groups[way.contents.hash()];
    const auto better = std::find_if(group.begin(), group.end(), [&](std::size_t k) { return covers(kept[k], way); });
    if (better != group.end()) {
      if (way.strain < kept[*better].strain && covers(way, kept[*better])) kept[*better] = std::move(way);
      continue;
    }
    const auto worse = std::find_if(group.begin(), group.end(), [&](std::size_t k) { return covers(way, kept[k]); });
    if (worse != group.end()) {
      kept[*worse] = std::move(way);
    } else {
      group.push_back(kept.size());
      kept.push_back(std::move(way));
    }
  }
  ways_ = std::move(kept);
  return budget.reason() == Reason::none;
}

/// What had to happen and has no place so far comes behind everything. Leaves one way, if there is one.
bool Layers::finish() {
  for (Way& way : ways_) {
    const Rank end = std::max(times_.end.by == kNone ? 0 : times_.end.rank, way.latest);
    std::vector<std::uint32_t> rest;
    for (std::uint32_t l = 0; l < labels_.all().size(); ++l) {
      if (labels_.all()[l].must_happen && used(way, l) == 0) rest.push_back(labels_.all()[l].members.front());
    }
    const auto late = std::find_if(rest.begin(), rest.end(), [&](std::uint32_t i) { return part_.response[i] < end; });
    if (late != rest.end()) {
      blocked_by_ = *late;
      continue;
    }
    std::sort(rest.begin(), rest.end());
    revision_ = reading_.last + 1;
    for (const std::uint32_t i : rest) note(way, i, kNone, false);
    way_ = steps_to(way.last);
    return true;
  }
  return false;
}

}  // namespace linchpin::types::mvcc_kv

#include "types/queue/mended_order.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <tuple>
#include <utility>

namespace linchpin::types::queue {

namespace {

constexpr Moment kApart = 32;       // events between standings
constexpr Moment kRegion = 160;     // events before a response that cannot be passed in which windows are looked at
constexpr Moment kFarEnough = 256;  // events beyond it: a change that gets so far is kept at once
constexpr std::size_t kNeighbours = 24;  // places within which an equal value is looked for
constexpr std::uint32_t kWidest = 8;     // times as many events, where that does not help
constexpr std::uint32_t kFarthestMove = 12;
constexpr std::uint32_t kMostInVain = 256;

/// Nobody sees when it gets to the front.
bool in_no_order(const CountedValue& value) { return value.remove == kNone && !value.looked_at; }

/// Whatever comes next leads both to the same.
bool alike(const OrderedCounts::Standing& a, const OrderedCounts::Standing& b) {
  return a.adds_open == b.adds_open && a.adds_due == b.adds_due && a.removes_open == b.removes_open &&
         a.removes_due == b.removes_due && a.configurations == b.configurations;
}

}  // namespace

std::vector<ValueNumber> order_of_windows(const CountedHistory& narrowed, OrderedBy by) {
  const algo::ByValue<CountedValue>& values = narrowed.values;
  const auto count = static_cast<std::uint32_t>(values.size());
  const auto sorted_by = [&](auto key) {
    std::vector<ValueNumber> sorted(count);
    std::iota(sorted.begin(), sorted.end(), ValueNumber(0));
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&](ValueNumber a, ValueNumber b) { return key(values[a]) < key(values[b]); });
    return sorted;
  };
  const auto key = [&](const CountedValue& value) {
    std::int64_t sum = std::int64_t{value.leaves_after} + value.leaves_by;
    if (by == OrderedBy::all) sum += std::int64_t{value.enters_after} + value.enters_by;
    if (value.remove == kNone) sum += std::int64_t{1} << 40;  // behind all that leave
    if (in_no_order(value)) sum += std::int64_t{1} << 41;
    return sum;
  };
  // What never leaves is behind the others, and is called late there.
  const auto leaves_after = [](const CountedValue& value) { return value.remove == kNone ? -1 : value.leaves_after; };
  const std::vector<ValueNumber> front_by = sorted_by([](const CountedValue& v) { return v.front_by; });
  const std::vector<ValueNumber> enters_by = sorted_by([](const CountedValue& v) { return v.enters_by; });
  const std::vector<ValueNumber> called = sorted_by(leaves_after);
  algo::ByValue<std::uint8_t> placed(count, 0);
  std::size_t next_front = 0, next_enters = 0, next_called = 0;
  using Keyed = std::pair<std::int64_t, ValueNumber>;
  std::priority_queue<Keyed, std::vector<Keyed>, std::greater<>> waiting, ready;  // by enters_after; by key
  std::vector<ValueNumber> order;
  order.reserve(count);
  while (order.size() < count) {
    while (placed[front_by[next_front]] != 0) ++next_front;
    while (placed[enters_by[next_enters]] != 0) ++next_enters;
    const Moment first_seen = values[front_by[next_front]].front_by;
    const Moment first_in = values[enters_by[next_enters]].enters_by;
    for (; next_called < count && leaves_after(values[called[next_called]]) <= first_seen; ++next_called) {
      waiting.emplace(values[called[next_called]].enters_after, called[next_called]);
    }
    for (; !waiting.empty() && waiting.top().first <= first_in; waiting.pop()) {
      ready.emplace(key(values[waiting.top().second]), waiting.top().second);
    }
    // Where nothing can be next, no order will do.
    const ValueNumber next = ready.empty() ? front_by[next_front] : ready.top().second;
    if (!ready.empty()) ready.pop();
    if (placed[next] != 0) continue;
    placed[next] = 1;
    order.push_back(next);
  }
  return order;
}

MendedOrder::MendedOrder(const history::Subhistory& part, const CountedHistory& history,
                         const std::vector<ValueNumber>& order, const algo::ByValue<std::uint32_t>& alike)
    : part_(part), history_(history), counts_(part, history) {
  make_places(history, order, alike);
  windows_.resize(places_.size());
  bool possible = !counts_.too_wide();
  for (std::size_t k = places_.size(); k-- > 0;) windows_[k] = window_of(k);
  for (std::size_t k = 0; k < places_.size(); ++k) {
    windows_[k] = window_of(k);
    const Window& window = windows_[k];
    possible = possible && window.enters_after < window.enters_by;
    possible = possible && (places_[k].stays() || window.leaves_after < window.leaves_by);
    // Nobody sees past a value that stays.
    possible = possible && (k == 0 || !places_[k].seen() || !places_[k - 1].stays());
    count(k, 1);
  }
  if (!possible) status_ = Status::nowhere;
  standings_.push_back(current_);
}

void MendedOrder::make_places(const CountedHistory& history, const std::vector<ValueNumber>& order,
                              const algo::ByValue<std::uint32_t>& alike) {
  places_.reserve(order.size());
  algo::ByValue<std::uint32_t> at(history.values.size(), kNone);
  for (const ValueNumber v : order) {
    const CountedValue& value = history.values[v];
    at[v] = static_cast<std::uint32_t>(places_.size());
    places_.push_back({.alike = alike.empty() ? v.number() : alike[v],
                       .add = value.add,
                       .remove = value.remove,
                       .enters_after = moment_of(part_.call[value.add]),
                       .added_by = part_.pending(value.add) ? history.late() : moment_of(part_.response[value.add]),
                       .leaves_after = -1,
                       .leaves_by = history.late(),
                       .front_by = history.late()});
  }
  for (std::uint32_t i = 0; i < part_.size(); ++i) {
    const bool removes = history.act[i] == ActKind::take;
    if ((!removes && history.act[i] != ActKind::look) || history.value[i] == ValueNumber::none()) continue;
    Place& place = places_[at[history.value[i]]];
    const Moment response = part_.pending(i) ? history.late() : moment_of(part_.response[i]);
    place.leaves_after = std::max(place.leaves_after, moment_of(part_.call[i]));
    place.front_by = std::min(place.front_by, response);
    if (removes) {
      place.leaves_by = response;
    } else {
      place.looks.push_back(i);
    }
  }
}

/// The window of a place, by those of its neighbours.
MendedOrder::Window MendedOrder::window_of(std::size_t at) const {
  const Place& place = places_[at];
  Window window{place.enters_after, place.enters_by(), place.leaves_after, place.leaves_by, place.front_by};
  if (at > 0) {
    window.enters_after = std::max(window.enters_after, windows_[at - 1].enters_after);
    window.leaves_after = std::max(window.leaves_after, windows_[at - 1].leaves_after);
  }
  if (at + 1 < places_.size()) {
    window.enters_by = std::min(window.enters_by, windows_[at + 1].enters_by);
    window.leaves_by = std::min(window.leaves_by, windows_[at + 1].front_by);
    window.front_by = std::min(window.front_by, windows_[at + 1].front_by);
  }
  return window;
}

void MendedOrder::count(std::size_t place, std::int32_t by) {
  const Window& window = windows_[place];
  counts_.put_add(window.enters_after, window.enters_by, by);
  if (!places_[place].stays()) counts_.put_remove(window.leaves_after, window.leaves_by, by);
}

/// Works out the windows from `first` to `last` anew, and what they count. False: one of them is empty.
bool MendedOrder::renew(std::size_t first, std::size_t last) {
  replaced_.assign(windows_.begin() + static_cast<std::ptrdiff_t>(first),
                   windows_.begin() + static_cast<std::ptrdiff_t>(last) + 1);
  moved_.clear();
  for (std::size_t k = first; k <= last; ++k) count(k, -1);
  for (std::size_t k = last + 1; k-- > first;) windows_[k] = window_of(k);  // what comes from behind
  bool possible = true;
  for (std::size_t k = first; k <= last; ++k) {
    windows_[k] = window_of(k);
    const Window& now = windows_[k];
    const Window& before = replaced_[k - first];
    possible = possible && now.enters_after < now.enters_by && (places_[k].stays() || now.leaves_after < now.leaves_by);
    count(k, 1);
    const auto note = [&](Moment a, Moment b) {
      if (a == b) return;
      moved_.push_back(a);
      moved_.push_back(b);
    };
    note(before.enters_after, now.enters_after);
    note(before.enters_by, now.enters_by);
    if (places_[k].stays()) continue;
    note(before.leaves_after, now.leaves_after);
    note(before.leaves_by, now.leaves_by);
  }
  std::sort(moved_.begin(), moved_.end());
  return possible;
}

void MendedOrder::exchange_adds(std::uint32_t first, std::uint32_t second) {
  Place& a = places_[first];
  Place& b = places_[second];
  std::swap(a.add, b.add);
  std::swap(a.enters_after, b.enters_after);
  std::swap(a.added_by, b.added_by);
}

/// False: some window is empty then.
bool MendedOrder::apply(const Change& change) {
  const auto begin = places_.begin();
  const auto first = static_cast<std::ptrdiff_t>(change.first);
  const auto second = static_cast<std::ptrdiff_t>(change.second);
  if (change.kind == Change::adds) {
    exchange_adds(change.first, change.second);
  } else if (change.kind == Change::removes) {
    std::swap(places_[change.first], places_[change.second]);
    exchange_adds(change.first, change.second);
  } else if (first < second) {
    std::rotate(begin + first, begin + first + 1, begin + second + 1);
  } else {
    std::rotate(begin + second, begin + first, begin + first + 1);
  }
  return renew(std::min(change.first, change.second), std::max(change.first, change.second));
}

void MendedOrder::undo(const Change& change) {
  const bool moved = change.kind == Change::move;
  apply({change.kind, moved ? change.second : change.first, moved ? change.first : change.second});
}

std::uint64_t MendedOrder::advance() {
  if (mending_) return try_next();
  walk();
  return 1;
}

void MendedOrder::walk() {
  if (current_.at == history_.end) {
    status_ = Status::found;
    return;
  }
  if (!counts_.pass(current_, nullptr)) {
    stop();
    return;
  }
  if (current_.at > farthest_) {
    farthest_ = current_.at;
    in_vain_ = 0;
  }
  if (current_.at % kApart == 0) standings_.push_back(current_);
}

/// The event cannot be passed.
void MendedOrder::stop() {
  mending_ = true;
  next_ = 0;
  best_.reset();
  best_reach_ = current_.at;
  list_changes();
}

/// The changes that give a window more room, of those that end or begin shortly before.
void MendedOrder::list_changes() {
  changes_.clear();
  const Moment region = kRegion * static_cast<Moment>(1 + std::min(in_vain_, kWidest));
  const Moment from = current_.at - region;
  const Moment until = current_.at + region;  // what is bound to come later might have come before
  const auto each_near = [&](Moment Window::*after, Moment Window::*by) {
    const auto first =
        std::partition_point(windows_.begin(), windows_.end(), [&](const Window& window) { return window.*by < from; });
    for (auto at = first; at != windows_.end() && (*at).*after <= until; ++at) {
      list_near(static_cast<std::size_t>(at - windows_.begin()));
    }
  };
  each_near(&Window::enters_after, &Window::enters_by);
  each_near(&Window::leaves_after, &Window::leaves_by);
  std::sort(changes_.begin(), changes_.end(), [](const Change& a, const Change& b) {
    return std::tie(a.kind, a.first, a.second) < std::tie(b.kind, b.first, b.second);
  });
  changes_.erase(std::unique(changes_.begin(), changes_.end(),
                             [](const Change& a, const Change& b) {
                               return a.kind == b.kind && a.first == b.first && a.second == b.second;
                             }),
                 changes_.end());
  // Those whose first moment is near cost least.
  std::reverse(changes_.begin(), changes_.end());
}

void MendedOrder::list_near(std::size_t at) {
  const Place& place = places_[at];
  const auto here = static_cast<std::uint32_t>(at);
  const bool binds_behind = at == 0 || place.enters_after > windows_[at - 1].enters_after ||
                            place.leaves_after > windows_[at - 1].leaves_after;
  const bool binds_ahead = at + 1 == places_.size() || place.enters_by() < windows_[at + 1].enters_by ||
                           place.front_by < windows_[at + 1].front_by;
  if (binds_behind || in_vain_ > 0) list_moves(here, true);
  if (binds_ahead || in_vain_ > 0) list_moves(here, false);
  for (std::size_t other = at + 1; other < places_.size() && other <= at + kNeighbours; ++other) {
    const Place& next = places_[other];
    if (next.alike != place.alike) continue;
    if (next.enters_after < place.enters_after || next.added_by < place.added_by) {
      changes_.push_back({Change::adds, here, static_cast<std::uint32_t>(other)});
    }
    if (!place.stays() && !next.stays() &&
        (next.leaves_after < place.leaves_after || next.leaves_by < place.leaves_by ||
         next.front_by < place.front_by)) {
      changes_.push_back({Change::removes, here, static_cast<std::uint32_t>(other)});
    }
    return;
  }
}

/// Moves to where no value that it passes must go the other way.
void MendedOrder::list_moves(std::uint32_t from, bool back) {
  const Place& place = places_[from];
  for (std::uint32_t distance = 1; distance <= kFarthestMove; ++distance) {
    if (back ? from + distance >= places_.size() : distance > from) return;
    const std::uint32_t to = back ? from + distance : from - distance;
    const Place& passed = places_[to];
    const Place& ahead = back ? passed : place;  // afterwards
    const Place& behind = back ? place : passed;
    if (!place.may_pass(passed) || behind.enters_by() < ahead.enters_after || behind.front_by < ahead.leaves_after)
      return;
    changes_.push_back({Change::move, from, to});
  }
}

std::uint64_t MendedOrder::try_next() {
  if (next_ == changes_.size()) {
    decide();
    return 1;
  }
  const Change change = changes_[next_++];
  std::uint64_t cost = 1;
  const Moment reach = apply(change) && !moved_.empty() ? reach_of(cost) : 0;
  undo(change);
  if (reach <= best_reach_) return cost;
  best_ = change;
  best_reach_ = reach;
  if (reach == history_.end || reach > current_.at + kFarEnough) keep(change);
  return cost;
}

/// How far the walk gets with the change that is applied. Where it comes to where it was before, it goes on behind.
Moment MendedOrder::reach_of(std::uint64_t& cost) {
  const Moment stopped = current_.at;
  std::size_t from = static_cast<std::size_t>(std::max<Moment>(moved_.front(), 0)) / kApart;
  from = std::min(from, standings_.size() - 1);
  Standing at = standings_[from];
  while (at.at < history_.end && at.at <= stopped + kFarEnough) {
    if (at.at % kApart == 0 && at.at > moved_.front()) {
      const std::size_t here = static_cast<std::size_t>(at.at / kApart);
      if (here < standings_.size() && alike(at, standings_[here])) {
        // As before until the next moment that is changed.
        const auto next = std::lower_bound(moved_.begin(), moved_.end(), at.at);
        if (next == moved_.end()) return stopped;
        const std::size_t to = std::min(static_cast<std::size_t>(*next / kApart), standings_.size() - 1);
        if (to > here) at = standings_[to];
      }
    }
    ++cost;
    if (!counts_.pass(at, nullptr)) break;
  }
  return at.at;
}

void MendedOrder::decide() {
  if (best_) {
    keep(*best_);
    return;
  }
  if (changes_.empty() || ++in_vain_ > kMostInVain) {
    status_ = Status::nowhere;
    return;
  }
  for (int tries = 0; tries < 64; ++tries) {
    const Change change = changes_[random() % changes_.size()];
    const bool possible = apply(change);
    undo(change);
    if (possible) {
      keep(change);
      return;
    }
  }
  status_ = Status::nowhere;
}

/// The walk goes on with it, from before the first moment that it changes.
void MendedOrder::keep(const Change& change) {
  apply(change);
  const Moment first = moved_.empty() ? current_.at : std::min(moved_.front(), current_.at);
  standings_.resize(std::min(standings_.size(), static_cast<std::size_t>(std::max<Moment>(first, 0)) / kApart + 1));
  current_ = standings_.back();
  mending_ = false;
}

std::uint64_t MendedOrder::random() {
  seed_ ^= seed_ << 13;
  seed_ ^= seed_ >> 7;
  seed_ ^= seed_ << 17;
  return seed_ >> 8;
}

bool MendedOrder::may_grow(core::Budget& budget) const {
  constexpr std::size_t kLarge = std::size_t{1} << 20;
  const std::size_t bytes = 2 * standings_.size() * (sizeof(Standing) + 8 * sizeof(OrderedCounts::Configuration));
  return standings_.size() < standings_.capacity() || bytes < kLarge || budget.allows(bytes);
}

std::vector<std::uint32_t> MendedOrder::linearization() {
  OrderedCounts::Chains chains;
  Standing at;
  while (at.at < history_.end && counts_.pass(at, &chains)) {
    if (!chains.worth_collecting(std::size_t{1} << 18)) continue;
    chains.collect(at.configurations, [](OrderedCounts::Configuration& each) -> std::uint32_t& { return each.tail; });
  }
  const std::vector<OrderedCounts::Done> done = chains.from_start(at.configurations.front().tail);
  // What is no part of the count comes as soon as it can: a look when its value is at the front.
  struct Late {
    std::size_t after;  // so many of `done`
    std::uint32_t op;
  };
  std::vector<Late> others;
  const auto called = [&](std::uint32_t op) {
    const Moment call = moment_of(part_.call[op]);
    return static_cast<std::size_t>(
        std::partition_point(done.begin(), done.end(),
                             [&](const OrderedCounts::Done& each) { return each.moment <= call; }) -
        done.begin());
  };
  for (std::uint32_t i = 0; i < part_.size(); ++i) {
    if (history_.act[i] == ActKind::free && !part_.pending(i)) others.push_back({called(i), i});
  }
  std::vector<std::size_t> entered, left;
  for (std::size_t i = 0; i < done.size(); ++i) {
    if (done[i].step == OrderedCounts::Step::add) entered.push_back(i + 1);
    if (done[i].step == OrderedCounts::Step::remove) left.push_back(i + 1);
  }
  for (std::size_t k = 0; k < places_.size(); ++k) {
    for (const std::uint32_t look : places_[k].looks) {
      others.push_back({std::max({entered[k], k == 0 ? std::size_t{0} : left[k - 1], called(look)}), look});
    }
  }
  // Of those in one place, what was called first comes first.
  std::sort(others.begin(), others.end(),
            [](const Late& a, const Late& b) { return std::tie(a.after, a.op) < std::tie(b.after, b.op); });
  std::vector<std::uint32_t> order;
  order.reserve(done.size() + others.size());
  std::size_t next = 0, adds = 0, removes = 0;
  for (std::size_t i = 0; i <= done.size(); ++i) {
    for (; next < others.size() && others[next].after == i; ++next) order.push_back(others[next].op);
    if (i == done.size()) break;
    switch (done[i].step) {
      case OrderedCounts::Step::add: order.push_back(places_[adds++].add); break;
      case OrderedCounts::Step::remove: order.push_back(places_[removes++].remove); break;
      default: order.push_back(done[i].test);
    }
  }
  return order;
}

}  // namespace linchpin::types::queue

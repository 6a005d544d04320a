#include "types/queue/early_binding.hpp"

#include <algorithm>
#include <tuple>

namespace linchpin::types::queue {

EarlyBinding::EarlyBinding(const history::Subhistory& part, const CountedHistory& history, First first)
    : part_(part), history_(history), first_(first), adds_(part.size()), tests_(part.size()), done_(part.size(), 0) {}

bool EarlyBinding::holds(std::uint32_t op) const {
  if (history_.act[op] == ActKind::count) return history_.range[op].holds(count());
  return count() > 0 && inside_[head_] == history_.value[op];
}

/// The front can be removed before the response at event_. Looks at it that are open have seen it already.
bool EarlyBinding::may_remove() const {
  if (count() == 0) return false;
  const CountedValue& front = history_.values[inside_[head_]];
  if (front.leaves_after >= event_) return false;
  if (front.remove != kNone) return true;
  return used_ < history_.unfinished.size() && moment_of(part_.call[history_.unfinished[used_]]) < event_;
}

void EarlyBinding::take(std::uint32_t op) {
  done_[op] = 1;
  key_.toggle(KeyFact::took_effect, op);
  order_.push_back(op);
}

void EarlyBinding::add(ValueNumber value) {
  key_.toggle(KeyFact::is_inside, value.number(), inside_.size());
  inside_.push_back(value);
  take(history_.values[value].add);
  meet_tests();
}

void EarlyBinding::remove_front() {
  const ValueNumber value = inside_[head_];
  key_.toggle(KeyFact::is_inside, value.number(), head_);
  ++head_;
  const std::uint32_t remove = history_.values[value].remove;
  take(remove != kNone ? remove : history_.unfinished[used_++]);
  meet_tests();
}

void EarlyBinding::meet_tests() {
  for (std::uint32_t i = tests_.first(); i != tests_.end(); i = tests_.after(i)) {
    if (done_[i] == 0 && holds(i)) take(i);
  }
}

void EarlyBinding::open(std::uint32_t op) {
  switch (history_.act[op]) {
    case ActKind::free:
      if (!part_.pending(op)) take(op);
      break;
    case ActKind::add: adds_.put_last(op); break;
    case ActKind::take: break;
    default:
      tests_.put_last(op);
      if (holds(op)) take(op);
  }
}

/// Goes on to the next response whose operation has not taken effect; false: there is none.
bool EarlyBinding::reach_response() {
  for (; event_ < history_.end; ++event_) {
    const history::Event event = part_.events()[rank_of(event_)];
    const std::uint32_t op = event.operation();
    if (!event.is_response()) {
      open(op);
    } else {
      if (done_[op] == 0) return true;
      if (history_.act[op] == ActKind::add) adds_.take_out(op);
      if (is_test(op)) tests_.take_out(op);
    }
  }
  return false;
}

void EarlyBinding::undo_events(Moment to) {
  while (event_ > to) {
    const history::Event event = part_.events()[rank_of(--event_)];
    const std::uint32_t op = event.operation();
    UndoList* const list = history_.act[op] == ActKind::add ? &adds_ : is_test(op) ? &tests_ : nullptr;
    if (list == nullptr) continue;
    if (event.is_response()) {
      list->put_back(op);
    } else {
      list->take_out(op);
    }
  }
}

void EarlyBinding::undo_to(const Frame& frame) {
  for (; order_.size() > frame.order; order_.pop_back()) done_[order_.back()] = 0;
  undo_events(frame.event);
  inside_.resize(frame.inside);
  head_ = frame.head;
  used_ = frame.used;
  key_ = frame.key;
  remove_owes_ = frame.remove_owes;
  add_owes_ = frame.add_owes;
}

/// A node that was not met before, with its moves.
void EarlyBinding::enter() {
  farthest_ = std::max(farthest_, event_);
  SearchKey key = key_;
  const std::uint64_t owed = (remove_owes_ ? 2U : 0U) + (add_owes_ ? 1U : 0U);
  key.toggle(KeyFact::stands_at, static_cast<std::uint64_t>(event_), owed);
  if (!met_.insert(key)) return;
  const std::uint32_t x = part_.events()[rank_of(event_)].operation();
  const auto moves = static_cast<std::uint32_t>(moves_.size());
  frames_.push_back(
      {event_, x, remove_owes_, add_owes_, moves, moves, order_.size(), inside_.size(), head_, used_, key_});
  list_moves(x);
}

/// False: a remove or an add has no reason to be so early.
bool EarlyBinding::follow(Frame& frame, std::uint32_t move) {
  const std::size_t before = order_.size();
  if (move == kRemoveFront) {
    remove_front();
    remove_owes_ = true;
  } else {
    add(ValueNumber(move));
    add_owes_ = true;
    if (count() == history_.capacity) remove_owes_ = false;
  }
  if (order_.size() > before + 1) remove_owes_ = add_owes_ = false;  // a test was met
  if (done_[frame.x] == 0) return true;
  const ActKind act = history_.act[frame.x];
  if (act == ActKind::add && remove_owes_) return false;
  if (act == ActKind::take && add_owes_ && count() > 0) return false;
  remove_owes_ = add_owes_ = false;
  return true;
}

/// Whether `a` may go before `b` wherever b may, of open values that nobody looked at.
bool EarlyBinding::as_good(ValueNumber a, ValueNumber b) const {
  const CountedValue& one = history_.values[a];
  const CountedValue& other = history_.values[b];
  if (one.looked_at || other.looked_at) return false;
  const Moment leaves = std::max(one.leaves_after, event_), other_leaves = std::max(other.leaves_after, event_);
  const auto of_one = std::tie(one.enters_by, leaves, one.leaves_by);
  if (of_one == std::tie(other.enters_by, other_leaves, other.leaves_by)) return a < b;
  return one.enters_by <= other.enters_by && leaves <= other_leaves && one.leaves_by <= other.leaves_by;
}

/// The open values that may be added now, those first that leave first.
void EarlyBinding::list_adds() {
  candidates_.clear();
  if (count() >= history_.capacity) return;
  for (std::uint32_t i = adds_.first(); i != adds_.end(); i = adds_.after(i)) {
    if (done_[i] != 0) continue;
    const ValueNumber value = history_.value[i];
    bool possible = true;
    for (std::uint32_t j = adds_.first(); possible && j != adds_.end(); j = adds_.after(j)) {
      if (j == i || done_[j] != 0) continue;
      const ValueNumber other = history_.value[j];
      possible = history_.values[other].front_by >= history_.values[value].leaves_after && !as_good(other, value);
    }
    if (possible) candidates_.push_back(value);
  }
  const auto lateness = [&](ValueNumber value) {
    const CountedValue& v = history_.values[value];
    return std::int64_t{v.leaves_after} + v.leaves_by + (v.leaves_after < history_.never() ? 0 : v.enters_by);
  };
  std::sort(candidates_.begin(), candidates_.end(),
            [&](ValueNumber a, ValueNumber b) { return lateness(a) < lateness(b); });
}

/// Where the open test that returns first can be met, by what is open now: 1 with more values, -1 with fewer, 0
/// nowhere.
int EarlyBinding::direction_of_tests(std::int64_t open_adds) const {
  std::int64_t removable = 0;  // values from the front on
  for (std::size_t at = head_; at < inside_.size(); ++at, ++removable) {
    const CountedValue& v = history_.values[inside_[at]];
    if (v.remove == kNone || v.leaves_after >= event_) break;
  }
  history::Rank nearest = history::Rank::none();
  int direction = 0;
  for (std::uint32_t i = tests_.first(); i != tests_.end(); i = tests_.after(i)) {
    if (done_[i] != 0 || part_.response[i] >= nearest) continue;
    int here = 0;
    if (history_.act[i] == ActKind::count) {
      const CountRange& range = history_.range[i];
      if (range.least > count()) {
        here = range.least - count() <= open_adds && range.least <= history_.capacity ? 1 : 0;
      } else {
        here = count() - range.most <= removable ? -1 : 0;
      }
    } else if (done_[value_of(i).add] == 0) {
      here = count() <= removable ? 1 : 0;
    } else {
      here = removable > 0 ? -1 : 0;
    }
    if (here == 0) continue;
    direction = here;
    nearest = part_.response[i];
  }
  return direction;
}

/// The moves before the response of x, best first.
void EarlyBinding::list_moves(std::uint32_t x) {
  const ActKind act = history_.act[x];
  const bool about_value = act == ActKind::take || act == ActKind::look;
  const bool entered = about_value && value_of(x).add != kNone && done_[value_of(x).add] != 0;
  bool removes = may_remove();
  if (entered && !removes) return;  // it stands behind what cannot leave, or has left
  bool any_test = false;
  for (std::uint32_t i = tests_.first(); i != tests_.end() && !any_test; i = tests_.after(i)) any_test = done_[i] == 0;
  std::int64_t open_adds = 0;
  for (std::uint32_t i = adds_.first(); i != adds_.end(); i = adds_.after(i)) open_adds += done_[i] == 0 ? 1 : 0;

  if (!any_test && act == ActKind::add && count() - 1 + open_adds < history_.capacity) removes = false;
  const bool adds = any_test || act == ActKind::add || (act == ActKind::take && !entered);
  candidates_.clear();
  if (adds) list_adds();

  const int direction = any_test && act != ActKind::count ? direction_of_tests(open_adds) : 0;
  bool remove_first = act == ActKind::add     ? count() >= history_.capacity
                      : act == ActKind::count ? count() > history_.range[x].most
                                              : entered;
  if (direction != 0) remove_first = direction < 0;
  if (removes && remove_first) push(kRemoveFront);
  const bool has_own = act == ActKind::add || (about_value && !entered);
  if (direction <= 0 && has_own && first_ == First::own) {
    const ValueNumber own = history_.value[x];
    const auto at = std::find(candidates_.begin(), candidates_.end(), own);
    if (at != candidates_.end()) std::rotate(candidates_.begin(), at, at + 1);
  }
  for (const ValueNumber value : candidates_) push(value.number());
  if (removes && !remove_first) push(kRemoveFront);
}

}  // namespace linchpin::types::queue

#include "types/queue/late_binding.hpp"

#include <algorithm>
#include <functional>
#include <tuple>

namespace linchpin::types::queue {

LateBinding::LateBinding(const history::Subhistory& part, const CountedHistory& history, bool quick)
    : part_(part),
      history_(history),
      quick_(quick),
      adds_(part.size()),
      removes_(part.size()),
      tests_(part.size()),
      done_(part.size(), 0) {
  sort_events();
}

void LateBinding::sort_events() {
  events_.reserve(static_cast<std::size_t>(history_.end));
  for (std::uint32_t i = 0; i < part_.size(); ++i) {
    Moment call = moment_of(part_.call[i]);
    Moment response = part_.pending(i) ? history_.late() : moment_of(part_.response[i]);
    const bool adds = is(i, ActKind::add);
    if (adds) {
      call = value_of(i).enters_after;
      response = value_of(i).enters_by;
    } else if (is(i, ActKind::take)) {
      call = value_of(i).leaves_after;
      response = value_of(i).leaves_by;
    }
    events_.push_back({call, 0, i});
    if (response < history_.end) events_.push_back({response, static_cast<std::uint8_t>(adds ? 2 : 1), i});
  }
  std::sort(events_.begin(), events_.end(), [](const WindowEnd& a, const WindowEnd& b) {
    return std::tie(a.moment, a.side, a.op) < std::tie(b.moment, b.side, b.op);
  });
}

bool LateBinding::several_end(std::size_t event) const {
  return event + 1 < events_.size() && events_[event + 1].side != 0 &&
         events_[event + 1].moment == events_[event].moment;
}

void LateBinding::take(std::uint32_t op) {
  done_[op] = 1;
  key_.toggle(KeyFact::took_effect, op);
  trail_.push_back({Step::took, op});
}

void LateBinding::meet_tests() {
  for (std::uint32_t i = tests_.first(); i != tests_.end(); i = tests_.after(i)) {
    if (done_[i] == 0 && holds(i)) take(i);
  }
}

void LateBinding::open(std::uint32_t op) {
  trail_.push_back({Step::opened, op});
  switch (history_.act[op]) {
    case ActKind::free:
      if (!part_.pending(op)) take(op);
      break;
    case ActKind::add: adds_.put_last(op); break;
    case ActKind::take: removes_.put_last(op); break;
    default:
      tests_.put_last(op);
      if (holds(op)) take(op);
  }
}

void LateBinding::close(std::uint32_t op) {
  trail_.push_back({Step::closed, op});
  if (is(op, ActKind::count)) tests_.take_out(op);
}

void LateBinding::undo_to(const Frame& frame) {
  for (; trail_.size() > frame.trail; trail_.pop_back()) {
    const std::uint32_t what = trail_.back().what;
    switch (trail_.back().step) {
      case Step::opened:
        --event_;
        if (is(what, ActKind::add)) adds_.take_out(what);
        if (is(what, ActKind::take)) removes_.take_out(what);
        if (is(what, ActKind::count)) tests_.take_out(what);
        break;
      case Step::closed:
        --event_;
        if (is(what, ActKind::count)) tests_.put_back(what);
        break;
      case Step::took: done_[what] = 0; break;
      case Step::added: moments_.pop_back(); break;
      case Step::removed: {
        const CountedValue& value = history_.values[ValueNumber(what)];
        --head_;
        removes_.put_back(value.remove);
        adds_.put_back(value.add);
        done_[value.add] = done_[value.remove] = 0;
      }
    }
  }
  key_ = frame.key;
  remove_owes_ = frame.remove_owes;
  add_owes_ = frame.add_owes;
}

/// Gives each moment from a place on the value that is due first of those that can have it: `serve(place, add)`. False:
/// some moment has none, or some value due by then has no moment.
template <class Serve>
bool LateBinding::match(std::size_t from, std::uint32_t without, Moment due, Serve serve) const {
  heap_.clear();
  std::uint32_t next = adds_.first();
  const auto skip = [&] {
    if (next == without) next = adds_.after(next);
  };
  for (std::size_t place = from; place < moments_.size(); ++place) {
    const Moment moment = moments_[place];
    for (skip(); next != adds_.end() && value_of(next).enters_after < moment; next = adds_.after(next), skip()) {
      heap_.emplace_back(value_of(next).enters_by, next);
      std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
    }
    if (heap_.empty() || heap_.front().first < moment) return false;
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    serve(place, heap_.back().second);
    heap_.pop_back();
  }
  if (!heap_.empty() && heap_.front().first <= due) return false;
  for (skip(); next != adds_.end(); next = adds_.after(next), skip()) {
    if (value_of(next).enters_by <= due) return false;
  }
  return true;
}

bool LateBinding::matches(std::size_t from, std::uint32_t without, Moment due) const {
  return match(from, without, due, [](std::size_t, std::uint32_t) {});
}

/// Another value that may still enter might want a moment before this add's, because it can leave sooner.
bool LateBinding::has_rival(std::uint32_t add, Moment now) const {
  if (quick_) return false;
  const auto leaves = [&](const CountedValue& v) {
    return v.remove == kNone ? std::pair(history_.perhaps(), history_.perhaps())
                             : std::pair(std::max(v.leaves_after, now), v.leaves_by);
  };
  const auto own = leaves(value_of(add));
  for (std::uint32_t i = adds_.first(); i != adds_.end(); i = adds_.after(i)) {
    if (i == add || value_of(i).enters_by < now) continue;
    const auto other = leaves(value_of(i));
    if (other.first < own.first || other.second < own.second) return true;
  }
  return false;
}

/// Goes on to the next response at which something has to be done; false: there is none.
bool LateBinding::reach_response() {
  for (; event_ < events_.size(); ++event_) {
    const WindowEnd& end = events_[event_];
    if (end.side == 0) {
      open(end.op);
      continue;
    }
    if (done_[end.op] == 0) {
      if (!is(end.op, ActKind::add)) return true;
      if (event_ != gone_on_ && (!matches(head_, kNone, end.moment) || has_rival(end.op, end.moment))) {
        return true;
      }
    }
    if (is(end.op, ActKind::add)) remove_owes_ = add_owes_ = false;
    close(end.op);
  }
  return false;
}

void LateBinding::enter() {
  SearchKey key = key_;
  const std::uint64_t owed = (remove_owes_ ? 2U : 0U) + (add_owes_ ? 1U : 0U);
  key.toggle(KeyFact::stands_at, event_, owed);
  if (!met_.insert(key)) return;
  const std::uint32_t x = events_[event_].op;
  const auto moves = static_cast<std::uint32_t>(moves_.size());
  frames_.push_back({event_, x, remove_owes_, add_owes_, moves, moves, trail_.size(), key_});
  list_moves(x);
}

bool LateBinding::follow(const Frame& frame, std::uint32_t move) {
  const Moment now = deadline(frame.event);
  const bool several = several_end(frame.event);
  gone_on_ = SIZE_MAX;
  if (move == kGoOn) {
    if (remove_owes_ && !several) return false;
    remove_owes_ = add_owes_ = false;
    gone_on_ = frame.event;
    return true;
  }
  if (move == kNewMoment) {
    key_.toggle(KeyFact::is_inside, moments_.size(), static_cast<std::uint64_t>(now));
    moments_.push_back(now);
    trail_.push_back({Step::added, kNone});
    add_owes_ = true;
    if (count() == history_.capacity) remove_owes_ = false;
  } else {
    const CountedValue& value = history_.values[ValueNumber(move)];
    key_.toggle(KeyFact::is_inside, head_, static_cast<std::uint64_t>(moments_[head_]));
    key_.toggle(KeyFact::took_effect, value.remove);
    ++head_;
    done_[value.add] = done_[value.remove] = 1;
    adds_.take_out(value.add);
    removes_.take_out(value.remove);
    trail_.push_back({Step::removed, move});
    remove_owes_ = true;
  }
  const std::size_t before = trail_.size();
  meet_tests();
  if (trail_.size() > before) remove_owes_ = add_owes_ = false;

  const bool done = done_[frame.x] != 0;
  if (done && several) {
    remove_owes_ = add_owes_ = false;
  } else if (!is(frame.x, ActKind::add)) {
    if (!done) return true;
    if (is(frame.x, ActKind::take) && add_owes_ && count() > 0) return false;
    remove_owes_ = add_owes_ = false;
  } else if (done || (matches(head_, kNone, now) && !has_rival(frame.x, now))) {
    if (remove_owes_ && !several) return false;
    remove_owes_ = add_owes_ = false;
  }
  return true;
}

/// The values that may leave from the front moment now: least in when they must enter and leave, with a rest that
/// matches. Fills `leaving_` with what may be at the front, `least_` with these.
void LateBinding::list_leaving(Moment now) {
  leaving_.clear();
  least_.clear();
  if (count() == 0) return;
  const Moment front = moments_[head_];
  for (std::uint32_t i = removes_.first(); i != removes_.end(); i = removes_.after(i)) {
    const CountedValue& v = value_of(i);
    if (v.enters_after < front && v.enters_by >= front) leaving_.push_back(history_.value[i]);
  }
  const auto& values = history_.values;
  std::sort(leaving_.begin(), leaving_.end(),
            [&](ValueNumber a, ValueNumber b) { return values[a].leaves_by < values[b].leaves_by; });
  for (const ValueNumber v : leaving_) {
    const bool beaten = std::any_of(least_.begin(), least_.end(),
                                    [&](ValueNumber w) { return values[w].enters_by <= values[v].enters_by; });
    if (!beaten && matches(head_ + 1, values[v].add, now - 1)) least_.push_back(v);
  }
}

int LateBinding::direction_of_tests(std::int64_t open_adds, std::int64_t removable) const {
  history::Rank nearest = history::Rank::none();
  int direction = 0;
  for (std::uint32_t i = tests_.first(); i != tests_.end(); i = tests_.after(i)) {
    if (done_[i] != 0 || part_.response[i] >= nearest) continue;
    const CountRange& range = history_.range[i];
    int here = 0;
    if (range.least > count()) {
      here = range.least - count() <= open_adds && range.least <= history_.capacity ? 1 : 0;
    } else {
      here = count() - range.most <= removable ? -1 : 0;
    }
    if (here == 0) continue;
    direction = here;
    nearest = part_.response[i];
  }
  return direction;
}

void LateBinding::list_moves(std::uint32_t x) {
  const Moment now = deadline(event_);
  list_leaving(now);
  bool may_add = false;
  if (count() < history_.capacity) {
    moments_.push_back(now);
    may_add = matches(head_, kNone, now - 1);
    moments_.pop_back();
  }
  bool any_test = false;
  for (std::uint32_t i = tests_.first(); i != tests_.end() && !any_test; i = tests_.after(i)) any_test = done_[i] == 0;
  int direction = 0;
  if (any_test && !is(x, ActKind::count)) {
    std::int64_t open_adds = 0;
    for (std::uint32_t i = adds_.first(); i != adds_.end(); i = adds_.after(i)) {
      open_adds += value_of(i).enters_by >= now ? 1 : 0;
    }
    direction = direction_of_tests(open_adds, static_cast<std::int64_t>(leaving_.size()));
  }
  bool remove_first = is(x, ActKind::add)     ? count() >= history_.capacity
                      : is(x, ActKind::count) ? count() > history_.range[x].most
                                              : !least_.empty();
  if (direction != 0) remove_first = direction < 0;
  if (is(x, ActKind::add) && matches(head_, kNone, now)) moves_.push_back(kGoOn);
  const auto list_removes = [&] {
    for (const ValueNumber value : least_) moves_.push_back(value.number());
  };
  if (remove_first) list_removes();
  if (may_add) moves_.push_back(kNewMoment);
  if (!remove_first) list_removes();
}

std::vector<std::uint32_t> LateBinding::order() const {
  std::vector<std::uint32_t> add_at(moments_.size(), kNone);
  std::size_t removed = 0;
  for (const Trace& trace : trail_) {
    if (trace.step == Step::removed) add_at[removed++] = history_.values[ValueNumber(trace.what)].add;
  }
  match(head_, kNone, history_.end, [&](std::size_t place, std::uint32_t add) { add_at[place] = add; });
  std::vector<std::uint32_t> order;
  std::size_t added = 0;
  for (const Trace& trace : trail_) {
    switch (trace.step) {
      case Step::took: order.push_back(trace.what); break;
      case Step::added: order.push_back(add_at[added++]); break;
      case Step::removed: order.push_back(history_.values[ValueNumber(trace.what)].remove); break;
      default: break;
    }
  }
  return order;
}

}  // namespace linchpin::types::queue

// When values can enter and leave a queue, narrowed by the order of values that is certain.
//
// If a was at the front by the time at which b was still to be seen or removed, a entered before b; and if a had
// entered before b was called, a leaves before b. So windows of one end carry over to the other, by prefix maxima and
// suffix minima over the events. Each round is O(n); rounds end when nothing moves, or after some, which loses nothing
// but strength. Source: docs/design/monitors.md, section on queues whose values are counted.
#include <algorithm>

#include "types/queue/counted.hpp"

namespace linchpin::types::queue {

namespace {

constexpr int kMostRounds = 6;

class Narrowing {
 public:
  explicit Narrowing(CountedHistory& history) : history_(history), at_(static_cast<std::size_t>(history.end) + 4) {}

  bool round() {
    moved_ = false;
    const bool all_leave_alike = history_.unfinished.empty();
    // Who was at the front before b left for certain, entered before b.
    greatest_up_to([](const auto& v) { return v.front_by; }, [](const auto& v) { return v.enters_after; });
    each([&](CountedValue& v) {
      if (v.leaves_after <= history_.end || all_leave_alike) raise(v.enters_after, before(v.leaves_after));
    });
    least_from([](const auto& v) { return v.leaves_after; }, [](const auto& v) { return v.enters_by; });
    each([&](CountedValue& v) {
      if (v.front_by < history_.end) lower(v.enters_by, from(v.front_by + 1));
    });
    if (all_leave_alike) {
      greatest_up_to([](const auto& v) { return v.enters_by; }, [](const auto& v) { return v.leaves_after; });
      each([&](CountedValue& v) {
        if (v.leaves_after <= history_.end) raise(v.leaves_after, before(v.enters_after));
      });
      least_from([](const auto& v) { return v.enters_after; }, [](const auto& v) { return v.leaves_by; });
      each([&](CountedValue& v) {
        if (v.leaves_by <= history_.end) lower(v.leaves_by, from(v.enters_by + 1));
      });
    }
    each([&](CountedValue& v) {
      if (v.leaves_after <= history_.end) raise(v.leaves_after, v.enters_after);
      lower(v.front_by, v.leaves_by);
      lower(v.enters_by, v.front_by);
    });
    return moved_;
  }

 private:
  template <class Body>
  void each(Body body) {
    for (CountedValue& value : history_.values) {
      if (value.add != kNone) body(value);
    }
  }
  [[nodiscard]] std::size_t place(Moment moment) const {
    return static_cast<std::size_t>(std::min(moment, history_.perhaps()));
  }
  template <class Key, class Of>
  void greatest_up_to(Key key, Of of) {
    std::fill(at_.begin(), at_.end(), Moment{-1});
    each([&](const CountedValue& v) {
      // What may never happen bounds nothing.
      if (key(v) < history_.end) at_[place(key(v))] = std::max(at_[place(key(v))], of(v));
    });
    for (std::size_t i = 1; i < at_.size(); ++i) at_[i] = std::max(at_[i], at_[i - 1]);
  }
  template <class Key, class Of>
  void least_from(Key key, Of of) {
    std::fill(at_.begin(), at_.end(), history_.perhaps());
    each([&](const CountedValue& v) { at_[place(key(v))] = std::min(at_[place(key(v))], of(v)); });
    for (std::size_t i = at_.size() - 1; i-- > 0;) at_[i] = std::min(at_[i], at_[i + 1]);
  }
  [[nodiscard]] Moment before(Moment moment) const { return moment <= 0 ? Moment{-1} : at_[place(moment - 1)]; }
  [[nodiscard]] Moment from(Moment moment) const { return at_[place(moment)]; }
  void raise(Moment& moment, Moment to) {
    if (to <= moment) return;
    moment = to;
    moved_ = true;
  }
  void lower(Moment& moment, Moment to) {
    if (to >= moment) return;
    moment = to;
    moved_ = true;
  }

  CountedHistory& history_;
  std::vector<Moment> at_;
  bool moved_ = false;
};

}  // namespace

void find_windows(const history::Subhistory& part, CountedHistory& history) {
  history.end = moment_of(part.ranks());
  for (CountedValue& value : history.values) {
    value.enters_by = value.leaves_by = value.front_by = history.late();
    value.leaves_after = -1;
  }
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    if (history.value[i] == ValueNumber::none()) continue;
    CountedValue& value = history.values[history.value[i]];
    const Moment call = moment_of(part.call[i]);
    const Moment response = part.pending(i) ? history.late() : moment_of(part.response[i]);
    value.enters_by = std::min(value.enters_by, response);
    if (history.act[i] == ActKind::add) {
      value.add = i;
      value.enters_after = call;
      continue;
    }
    value.front_by = std::min(value.front_by, response);
    value.leaves_after = std::max(value.leaves_after, call);
    if (history.act[i] == ActKind::look) {
      value.looked_at = true;
    } else {
      history.broken = history.broken || value.remove != kNone;
      value.remove = i;
      value.leaves_by = response;
    }
  }
  const Moment first = history.unfinished.empty() ? history.never() : moment_of(part.call[history.unfinished.front()]);
  for (CountedValue& value : history.values) {
    history.broken = history.broken || value.add == kNone;
    if (value.remove != kNone) continue;
    value.leaves_after = history.unfinished.empty() ? history.never() : std::max(value.leaves_after, first);
    value.leaves_by = history.unfinished.empty() ? history.late() : history.perhaps();
  }
}

bool narrow_windows(CountedHistory& history) {
  Narrowing narrowing(history);
  for (int round = 0; round < kMostRounds && narrowing.round(); ++round) {
  }
  return std::none_of(history.values.begin(), history.values.end(), [](const CountedValue& v) {
    return v.enters_after > v.enters_by || v.leaves_after > v.leaves_by;
  });
}

}  // namespace linchpin::types::queue

#include "algo/count_paths.hpp"

#include <algorithm>

#include "algo/frontier/slots.hpp"
#include "algo/shared_chains.hpp"

namespace linchpin::algo {

namespace {

/// More operations are open than there are slots.
class TooWide final : public CountPaths {
 public:
  TooWide() { status_ = Status::too_wide; }
  void advance() override {}
  [[nodiscard]] bool may_grow(core::Budget&) const override { return true; }
  [[nodiscard]] std::vector<Done> order() const override { return {}; }
};

template <class Mask>
class PathsWithSlots final : public CountPaths {
 public:
  PathsWithSlots(const CountPathInput& input, bool witness)
      : input_(&input), witness_(witness), slots_(input.operations.size()) {
    current_.push_back({.mask = {}, .count = input.initial, .tail = kNoLink});
  }

  void advance() override;
  [[nodiscard]] bool may_grow(core::Budget& budget) const override;
  [[nodiscard]] std::vector<Done> order() const override { return chains_.from_start(current_.front().tail); }

 private:
  struct Configuration {
    Mask mask;  // of what is open and done
    std::int64_t count;
    std::uint32_t tail;  // what was done last

    [[nodiscard]] bool has(const Mask& bit) const { return (mask & bit).any(); }
  };

  [[nodiscard]] Mask bit(std::uint32_t op) const { return slots_.bit(op); }
  [[nodiscard]] const CountPathInput::Operation& operation(std::uint32_t op) const { return input_->operations[op]; }
  void open(std::uint32_t op);
  void respond(std::uint32_t op);
  void take(Configuration& configuration, std::uint32_t op);
  bool step(Configuration& configuration, CountStep direction);
  void finish(Configuration configuration, std::uint32_t x);
  void visit(const Configuration& from, std::uint32_t x, CountStep first, CountStep then);
  void put(const Configuration& configuration);
  [[nodiscard]] bool dominates(const Configuration& a, const Configuration& b) const;
  [[nodiscard]] bool later(const std::vector<std::uint32_t>& list, const Mask& a, const Mask& b,
                           std::size_t more) const;
  std::vector<std::uint32_t>& list_of(CountStep step) {
    return step == CountStep::up ? ups_ : step == CountStep::down ? downs_ : looks_;
  }

  const CountPathInput* input_;
  bool witness_;
  Slots<Mask> slots_;
  Mask up_, down_, look_;                           // open ones
  std::vector<std::uint32_t> ups_, downs_, looks_;  // open ones, ups and downs by deadline
  std::vector<Configuration> current_, next_;
  SharedChains<Done> chains_;
};

template <class Mask>
void PathsWithSlots<Mask>::advance() {
  if (at_ == input_->ends.size()) {
    status_ = Status::found;
    return;
  }
  const history::Event event = input_->ends[at_].event;
  if (operation(event.operation()).step == CountStep::none) {
    ++at_;
  } else if (event.is_response()) {
    respond(event.operation());
  } else {
    open(event.operation());
  }
}

template <class Mask>
void PathsWithSlots<Mask>::open(std::uint32_t op) {
  slots_.open(op);
  const CountStep step = operation(op).step;
  if (step == CountStep::free) {
    for (Configuration& each : current_) take(each, op);
  } else {
    (step == CountStep::up ? up_ : step == CountStep::down ? down_ : look_) |= bit(op);
    std::vector<std::uint32_t>& list = list_of(step);
    // Those that need not be done come last, in the order of their calls: their deadline is the greatest number.
    const auto by_deadline = [&](std::uint32_t a, std::uint32_t b) {
      return operation(a).deadline < operation(b).deadline;
    };
    list.insert(std::upper_bound(list.begin(), list.end(), op, by_deadline), op);
  }
  if (step == CountStep::look) {
    for (Configuration& each : current_) {
      if (operation(op).least <= each.count && each.count <= operation(op).most) take(each, op);
    }
  }
  ++at_;
}

/// Does the operation, and what looks at the count that it leads to.
template <class Mask>
void PathsWithSlots<Mask>::take(Configuration& configuration, std::uint32_t op) {
  ++steps_;
  configuration.mask |= bit(op);
  if (witness_) configuration.tail = chains_.extend(configuration.tail, {op, input_->ends[at_].moment});
  const CountStep step = operation(op).step;
  if (step != CountStep::up && step != CountStep::down) return;
  configuration.count += step == CountStep::up ? 1 : -1;
  if ((look_ & ~configuration.mask).none()) return;
  for (const std::uint32_t look : looks_) {
    if (configuration.has(bit(look))) continue;
    if (operation(look).least <= configuration.count && configuration.count <= operation(look).most) {
      take(configuration, look);
    }
  }
}

/// One up, or one down: the most urgent. False: there is none, or the count must not go there.
template <class Mask>
bool PathsWithSlots<Mask>::step(Configuration& configuration, CountStep direction) {
  const bool up = direction == CountStep::up;
  if (up ? configuration.count >= input_->highest : configuration.count <= input_->lowest) return false;
  if (((up ? up_ : down_) & ~configuration.mask).none()) return false;
  for (const std::uint32_t op : up ? ups_ : downs_) {
    if (configuration.has(bit(op))) continue;
    take(configuration, op);
    return true;
  }
  return false;
}

/// Goes straight until x is done: it is the most urgent of its kind.
template <class Mask>
void PathsWithSlots<Mask>::finish(Configuration configuration, std::uint32_t x) {
  const CountStep direction = operation(x).step;
  if (!configuration.has(bit(x))) {
    if (direction == CountStep::look) return;
    const CountStep back = direction == CountStep::up ? CountStep::down : CountStep::up;
    if (!step(configuration, direction) && (!step(configuration, back) || !step(configuration, direction))) return;
    if (!configuration.has(bit(x))) return;
  }
  put(configuration);
}

template <class Mask>
void PathsWithSlots<Mask>::visit(const Configuration& from, std::uint32_t x, CountStep first, CountStep then) {
  Configuration there = from;
  while (true) {
    const Mask looks = there.mask & look_;
    if (!step(there, first)) return;
    if ((there.mask & look_) == looks) continue;
    finish(there, x);
    Configuration back = there;
    while (true) {
      const Mask met = back.mask & look_;
      if (!step(back, then)) break;
      if ((back.mask & look_) != met) finish(back, x);
    }
  }
}

template <class Mask>
void PathsWithSlots<Mask>::respond(std::uint32_t op) {
  const Mask own = bit(op);
  const bool all_done =
      std::all_of(current_.begin(), current_.end(), [&](const Configuration& each) { return each.has(own); });
  if (!all_done) {
    next_.clear();
    for (const Configuration& each : current_) {
      if (each.has(own)) {
        put(each);
        continue;
      }
      finish(each, op);
      if ((look_ & ~each.mask).none()) continue;
      visit(each, op, CountStep::up, CountStep::down);
      visit(each, op, CountStep::down, CountStep::up);
    }
    if (next_.empty()) {
      status_ = Status::nowhere;
      return;
    }
    std::swap(current_, next_);
  }
  for (Configuration& each : current_) each.mask &= ~own;
  slots_.close(op);
  up_ &= ~own;
  down_ &= ~own;
  look_ &= ~own;
  if (operation(op).step != CountStep::free) std::erase(list_of(operation(op).step), op);
  ++at_;
  if (chains_.worth_collecting(std::size_t{1} << 18)) {
    chains_.collect(current_, [](Configuration& each) -> std::uint32_t& { return each.tail; });
  }
}

/// Keeps it, unless another one dominates it; drops what it dominates.
template <class Mask>
void PathsWithSlots<Mask>::put(const Configuration& configuration) {
  ++steps_;
  for (const Configuration& each : next_) {
    if (each.count == configuration.count && dominates(each, configuration)) return;
  }
  std::erase_if(next_, [&](const Configuration& each) {
    return each.count == configuration.count && dominates(configuration, each);
  });
  next_.push_back(configuration);
}

/// @pre their counts are equal
template <class Mask>
bool PathsWithSlots<Mask>::dominates(const Configuration& a, const Configuration& b) const {
  if ((look_ & ~a.mask & b.mask).any()) return false;
  const auto left = [](const Mask& mask) { return static_cast<int>(mask.count()); };
  const int ups = left(up_ & ~a.mask) - left(up_ & ~b.mask);
  const int downs = left(down_ & ~a.mask) - left(down_ & ~b.mask);
  if (ups < 0 || ups != downs) return false;
  if (ups > 0 && a.count >= input_->highest && a.count <= input_->lowest) return false;
  const auto more = static_cast<std::size_t>(ups);
  return later(ups_, a.mask, b.mask, more) && later(downs_, a.mask, b.mask, more);
}

/// Whether what `a` has left after the `more` most urgent is nowhere more urgent than what `b` has left.
template <class Mask>
bool PathsWithSlots<Mask>::later(const std::vector<std::uint32_t>& list, const Mask& a, const Mask& b,
                                 std::size_t more) const {
  std::size_t of_a = 0;
  const auto next = [&](const Mask& done) {
    while (of_a < list.size() && (done & bit(list[of_a])).any()) ++of_a;
  };
  next(a);
  for (; more > 0; --more) {
    ++of_a;
    next(a);
  }
  for (const std::uint32_t op : list) {
    if ((b & bit(op)).any()) continue;
    if (operation(list[of_a]).deadline < operation(op).deadline) return false;
    ++of_a;
    next(a);
  }
  return true;
}

template <class Mask>
bool PathsWithSlots<Mask>::may_grow(core::Budget& budget) const {
  constexpr std::size_t kAhead = 4096;
  constexpr std::size_t kLarge = std::size_t{1} << 20;
  const std::size_t bytes = chains_.growth(kAhead);
  return bytes < kLarge || budget.allows(bytes);
}

}  // namespace

std::unique_ptr<CountPaths> CountPaths::begin(const CountPathInput& input, bool witness) {
  std::vector<history::Event> events;
  events.reserve(input.ends.size());
  for (const CountPathInput::End& end : input.ends) events.push_back(end.event);
  const std::uint32_t open =
      history::most_open(events, [&](std::uint32_t op) { return input.operations[op].step != CountStep::none; });
  if (open > kMostOpen) return std::make_unique<TooWide>();
  return with_slots(open, [&]<class Mask>() -> std::unique_ptr<CountPaths> {
    return std::make_unique<PathsWithSlots<Mask>>(input, witness);
  });
}

}  // namespace linchpin::algo

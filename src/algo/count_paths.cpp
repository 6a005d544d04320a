#include "algo/count_paths.hpp"

#include <algorithm>
#include <bit>

namespace linchpin::algo {

CountPaths::CountPaths(const CountPathInput& input, bool witness)
    : input_(&input), witness_(witness), slot_(input.operations.size(), 0) {
  current_.push_back({.mask = 0, .count = input.initial, .tail = kNoLink});
}

std::vector<std::uint32_t>& CountPaths::list_of(CountStep step) {
  return step == CountStep::up ? ups_ : step == CountStep::down ? downs_ : looks_;
}

void CountPaths::advance() {
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

void CountPaths::open(std::uint32_t op) {
  if (~used_ == 0) {
    status_ = Status::too_wide;
    return;
  }
  const auto slot = static_cast<std::uint32_t>(std::countr_one(used_));
  slot_[op] = static_cast<std::uint8_t>(slot);
  used_ |= bit(op);
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
void CountPaths::take(Configuration& configuration, std::uint32_t op) {
  ++steps_;
  configuration.mask |= bit(op);
  if (witness_) configuration.tail = chains_.extend(configuration.tail, {op, input_->ends[at_].moment});
  const CountStep step = operation(op).step;
  if (step != CountStep::up && step != CountStep::down) return;
  configuration.count += step == CountStep::up ? 1 : -1;
  if ((look_ & ~configuration.mask) == 0) return;
  for (const std::uint32_t look : looks_) {
    if ((configuration.mask & bit(look)) != 0) continue;
    if (operation(look).least <= configuration.count && configuration.count <= operation(look).most) {
      take(configuration, look);
    }
  }
}

/// One up, or one down: the most urgent. False: there is none, or the count must not go there.
bool CountPaths::step(Configuration& configuration, CountStep direction) {
  const bool up = direction == CountStep::up;
  if (up ? configuration.count >= input_->highest : configuration.count <= input_->lowest) return false;
  if (((up ? up_ : down_) & ~configuration.mask) == 0) return false;
  for (const std::uint32_t op : up ? ups_ : downs_) {
    if ((configuration.mask & bit(op)) != 0) continue;
    take(configuration, op);
    return true;
  }
  return false;
}

/// Goes straight until x is done: it is the most urgent of its kind.
void CountPaths::finish(Configuration configuration, std::uint32_t x) {
  const CountStep direction = operation(x).step;
  if ((configuration.mask & bit(x)) == 0) {
    if (direction == CountStep::look) return;
    const CountStep back = direction == CountStep::up ? CountStep::down : CountStep::up;
    if (!step(configuration, direction) && (!step(configuration, back) || !step(configuration, direction))) return;
    if ((configuration.mask & bit(x)) == 0) return;
  }
  put(configuration);
}

void CountPaths::visit(const Configuration& from, std::uint32_t x, CountStep first, CountStep then) {
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

void CountPaths::respond(std::uint32_t op) {
  const Mask own = bit(op);
  const bool all_done =
      std::all_of(current_.begin(), current_.end(), [&](const Configuration& each) { return (each.mask & own) != 0; });
  if (!all_done) {
    next_.clear();
    for (const Configuration& each : current_) {
      if ((each.mask & own) != 0) {
        put(each);
        continue;
      }
      finish(each, op);
      if ((look_ & ~each.mask) == 0) continue;
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
  used_ &= ~own;
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
void CountPaths::put(const Configuration& configuration) {
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
bool CountPaths::dominates(const Configuration& a, const Configuration& b) const {
  if ((look_ & ~a.mask & b.mask) != 0) return false;
  const int ups = std::popcount(up_ & ~a.mask) - std::popcount(up_ & ~b.mask);
  const int downs = std::popcount(down_ & ~a.mask) - std::popcount(down_ & ~b.mask);
  if (ups < 0 || ups != downs) return false;
  if (ups > 0 && a.count >= input_->highest && a.count <= input_->lowest) return false;
  const auto more = static_cast<std::size_t>(ups);
  return later(ups_, a.mask, b.mask, more) && later(downs_, a.mask, b.mask, more);
}

/// Whether what `a` has left after the `more` most urgent is nowhere more urgent than what `b` has left.
bool CountPaths::later(const std::vector<std::uint32_t>& list, Mask a, Mask b, std::size_t more) const {
  std::size_t of_a = 0;
  const auto next = [&](Mask done) {
    while (of_a < list.size() && (done & bit(list[of_a])) != 0) ++of_a;
  };
  next(a);
  for (; more > 0; --more) {
    ++of_a;
    next(a);
  }
  for (const std::uint32_t op : list) {
    if ((b & bit(op)) != 0) continue;
    if (operation(list[of_a]).deadline < operation(op).deadline) return false;
    ++of_a;
    next(a);
  }
  return true;
}

std::vector<CountPaths::Done> CountPaths::order() const { return chains_.from_start(current_.front().tail); }

bool CountPaths::may_grow(core::Budget& budget) const {
  constexpr std::size_t kAhead = 4096;
  constexpr std::size_t kLarge = std::size_t{1} << 20;
  const std::size_t bytes = chains_.growth(kAhead);
  return bytes < kLarge || budget.allows(bytes);
}

}  // namespace linchpin::algo

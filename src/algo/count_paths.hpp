// Whether a count that goes up and down by one can pass where it was seen: counters, semaphores, and queues whose order
// of values is fixed.
//
// Operations go up, or down, or saw the count in a range. Ups are alike but for their windows, and so are downs;
// nothing else tells them apart. A configuration is what is done of what is open; the count follows. What is done is
// done just before a response, of an operation x that is not done yet. Within such a block a path is determined by the
// range of counts that it passes: up and then down, or down and then up, reaches every range with the fewest steps. So
// from each configuration: straight to x; or up (or down) step by step, and where a look is newly met, on to x, or back
// the other way, and on to x where another look is newly met. Of ups, and of downs, the one that must return first goes
// first.
//
// One configuration dominates another of the same count that has not met more looks, if it has d more ups and d more
// downs left, and after the d most urgent of each are done, what is left is nowhere more urgent: it can do these pairs
// at once. Dominated ones are dropped; then few are left (a few hundred at 64 in flight; no bound is proved).
//
// At most 1,024 operations open at once. Cost: O(n) configurations and steps among those open, each O(k). Source:
// docs/design/search.md, section on counts. Compare: types/content_search.hpp. Tests: count_paths_test.cpp, and those
// of the types.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "algo/frontier/frontier.hpp"
#include "base/none.hpp"
#include "core/budget.hpp"
#include "history/events.hpp"

namespace linchpin::algo {

enum class CountStep : std::uint8_t {
  none,  ///< never needed
  free,  ///< changes nothing, and may be done at its call
  up,
  down,
  look,  ///< saw a count from `least` to `most`
};

struct CountPathInput {
  static constexpr std::int64_t kFar = std::int64_t{1} << 60;

  struct Operation {
    CountStep step = CountStep::none;
    history::Rank deadline = history::Rank::none();  ///< moment of its response; none: it need not be done
    std::int64_t least = 0;
    std::int64_t most = 0;
  };
  struct End {
    history::Rank moment;
    history::Event event;
  };
  std::vector<Operation> operations;
  std::vector<End> ends;  ///< calls and responses in order; of one moment, all calls or all responses
  std::int64_t initial = 0;
  std::int64_t lowest = -kFar;  ///< the count stays in this range
  std::int64_t highest = kFar;
};

struct CountDone {
  std::uint32_t operation;
  history::Rank moment;  ///< of the event before, or at, which it was done
};

/// A domain of algo::Frontier.
template <class OfSlots>
class Counts {
 public:
  using Mask = OfSlots;
  using Link = CountDone;
  using Window = algo::Window<Mask, Link>;
  struct Configuration {
    Mask mask;
    std::int64_t count = 0;
    std::uint32_t tail = kNone;  ///< what was done last

    [[nodiscard]] bool has(const Mask& bit) const { return (mask & bit).any(); }
  };
  static constexpr bool kMerges = false;  // `keep` does
  static constexpr Expand kFirst = Expand::first_met;

  Counts(Window& window, std::shared_ptr<const CountPathInput> input) : window_(window), input_(std::move(input)) {}

  [[nodiscard]] Configuration start() const { return {.mask = {}, .count = input_->initial}; }
  [[nodiscard]] bool skipped(std::uint32_t op) const { return operation(op).step == CountStep::none; }
  [[nodiscard]] bool impossible(std::uint32_t op) const {
    return operation(op).step == CountStep::look && operation(op).least > operation(op).most;
  }
  /// The lists below are by deadline.
  [[nodiscard]] bool alike(std::uint32_t, std::uint32_t) const { return false; }

  void open(std::uint32_t op) {
    const CountStep step = operation(op).step;
    if (step == CountStep::free) return;
    (step == CountStep::up ? up_ : step == CountStep::down ? down_ : look_) |= bit(op);
    std::vector<std::uint32_t>& list = list_of(step);
    // Those that need not be done come last, in the order of their calls: their deadline is the greatest number.
    const auto by_deadline = [&](std::uint32_t a, std::uint32_t b) {
      return operation(a).deadline < operation(b).deadline;
    };
    list.insert(std::upper_bound(list.begin(), list.end(), op, by_deadline), op);
  }
  void close(std::uint32_t op) {
    const Mask others = ~bit(op);
    up_ &= others;
    down_ &= others;
    look_ &= others;
    if (operation(op).step != CountStep::free) std::erase(list_of(operation(op).step), op);
  }

  void call(std::uint32_t op, std::vector<Configuration>& current) {
    const CountStep step = operation(op).step;
    if (step != CountStep::free && step != CountStep::look) return;
    for (Configuration& each : current) {
      if (step == CountStep::free || sees(op, each.count)) take(each, op);
    }
  }

  template <class Meet>
  void expand(const Configuration& from, std::uint32_t x, Meet&& meet) {
    finish(from, x, meet);
    if ((look_ & ~from.mask).none()) return;
    visit(from, x, CountStep::up, CountStep::down, meet);
    visit(from, x, CountStep::down, CountStep::up, meet);
  }

  /// Keeps it, unless another one dominates it; drops what it dominates.
  void keep(std::vector<Configuration>& passed, const Configuration& configuration) {
    ++window_.steps;
    for (const Configuration& each : passed) {
      if (each.count == configuration.count && dominates(each, configuration)) return;
    }
    std::erase_if(passed, [&](const Configuration& each) {
      return each.count == configuration.count && dominates(configuration, each);
    });
    passed.push_back(configuration);
  }
  bool prune(std::uint32_t, std::vector<Configuration>&) { return true; }

  /// The operations of a chain.
  [[nodiscard]] std::vector<std::uint32_t> order(std::uint32_t tail) const {
    std::vector<std::uint32_t> operations;
    for (const CountDone& each : window_.chains().from_start(tail)) operations.push_back(each.operation);
    return operations;
  }

 private:
  [[nodiscard]] Mask bit(std::uint32_t op) const { return window_.bit(op); }
  [[nodiscard]] const CountPathInput::Operation& operation(std::uint32_t op) const { return input_->operations[op]; }
  [[nodiscard]] bool sees(std::uint32_t look, std::int64_t count) const {
    return operation(look).least <= count && count <= operation(look).most;
  }
  std::vector<std::uint32_t>& list_of(CountStep step) {
    return step == CountStep::up ? ups_ : step == CountStep::down ? downs_ : looks_;
  }

  /// Does the operation, and what looks at the count that it leads to.
  void take(Configuration& configuration, std::uint32_t op) {
    ++window_.steps;
    configuration.mask |= bit(op);
    configuration.tail = window_.extended(configuration.tail, {op, window_.moment});
    const CountStep step = operation(op).step;
    if (step != CountStep::up && step != CountStep::down) return;
    configuration.count += step == CountStep::up ? 1 : -1;
    if ((look_ & ~configuration.mask).none()) return;
    for (const std::uint32_t look : looks_) {
      if (!configuration.has(bit(look)) && sees(look, configuration.count)) take(configuration, look);
    }
  }

  /// One up, or one down: the most urgent. False: there is none, or the count must not go there.
  bool step(Configuration& configuration, CountStep direction) {
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
  template <class Meet>
  void finish(Configuration configuration, std::uint32_t x, Meet&& meet) {
    const CountStep direction = operation(x).step;
    if (!configuration.has(bit(x))) {
      if (direction == CountStep::look) return;
      const CountStep back = direction == CountStep::up ? CountStep::down : CountStep::up;
      if (!step(configuration, direction) && (!step(configuration, back) || !step(configuration, direction))) return;
      if (!configuration.has(bit(x))) return;
    }
    meet(configuration);
  }

  template <class Meet>
  void visit(const Configuration& from, std::uint32_t x, CountStep first, CountStep then, Meet&& meet) {
    Configuration there = from;
    while (true) {
      const Mask looks = there.mask & look_;
      if (!step(there, first)) return;
      if ((there.mask & look_) == looks) continue;
      finish(there, x, meet);
      Configuration back = there;
      while (true) {
        const Mask met = back.mask & look_;
        if (!step(back, then)) break;
        if ((back.mask & look_) != met) finish(back, x, meet);
      }
    }
  }

  /// @pre their counts are equal
  [[nodiscard]] bool dominates(const Configuration& a, const Configuration& b) const {
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
  [[nodiscard]] bool later(const std::vector<std::uint32_t>& list, const Mask& a, const Mask& b,
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

  Window& window_;
  std::shared_ptr<const CountPathInput> input_;
  Mask up_, down_, look_;                           // open ones
  std::vector<std::uint32_t> ups_, downs_, looks_;  // open ones, ups and downs by deadline
};

/// How many operations that count are open at once, at most.
[[nodiscard]] std::uint32_t most_open(const CountPathInput& input);

/// A frontier over counts that is driven an event at a time, for who has events of his own.
class CountPaths {
 public:
  enum class Status : std::uint8_t { going, found, nowhere, too_wide };

  /// @param input    outlives what is returned
  /// @param witness  whether `order` is going to be asked for
  [[nodiscard]] static std::unique_ptr<CountPaths> begin(const CountPathInput& input, bool witness);
  CountPaths(const CountPaths&) = delete;
  CountPaths& operator=(const CountPaths&) = delete;
  virtual ~CountPaths() = default;

  /// One event; the status is `going` before.
  virtual void advance() = 0;
  [[nodiscard]] Status status() const { return status_; }
  /// How many events are passed; where the status is `nowhere`, the next is the response that nothing reaches.
  [[nodiscard]] std::size_t passed() const { return at_; }
  /// How many configurations were made so far.
  [[nodiscard]] virtual std::uint64_t steps() const = 0;
  [[nodiscard]] virtual bool may_grow(core::Budget& budget) const = 0;

  using Done = CountDone;
  /// What was done on a way to here, in order.
  [[nodiscard]] virtual std::vector<Done> order() const = 0;

 protected:
  CountPaths() = default;

  std::size_t at_ = 0;
  Status status_ = Status::going;
};

}  // namespace linchpin::algo

// All schedules but for those that only swap steps which do not depend on each other: one or a few of each class.
//
// Source-DPOR with sleep sets. After each schedule the steps that are in a race are looked for: two steps of different
// threads that depend on each other (footprint.hpp) and that nothing between them orders. Each could come the other way
// round: some thread that begins what then comes first is explored at the earlier of the two, too. A thread that was
// explored at a point sleeps in what is explored there after it, until a step comes that depends on its own; a schedule
// in which all threads sleep that could go on is cut.
// Each value that a step may see or choose is explored in its place, and a sleeping step depends on what any of its
// values touches.
//
// Precondition: steps that do not depend on each other may be swapped, and whether a thread waits is shown by what it
// touches. Where a thread begins to wait for any change of memory, since it spins or yields, that is not so, nor where
// it uses the stack of another one: the engine says so (lose_track), and the caller runs all schedules instead.
// Steps that may wait (for a lock, for whoever wakes them) are in a race with every earlier step that they depend on,
// not only with the latest: an unlock does not hide its lock, which is what can be swapped. Threads that wait when the
// schedule ends have not taken their steps; those are in races as well.
//
// Cost: a schedule of n steps with m new ones costs O(n m) beside running it. Memory O(n). Schedules: one of each class
// at least, and those that are cut.
// Source: Abdulla, Aronis, Jonsson, Sagonas, Optimal dynamic partial order reduction, POPL 2014, Algorithm 1; blocking
// as in their Source sets, JACM 2017, but for the races of steps that may wait, which are looked for more widely.
// Compare: bounded.hpp, which runs all schedules. Tests: tests/explore/dpor_test.cpp compares the two.
#pragma once

#include "explore/runtime/array.hpp"
#include "explore/schedule/strategy.hpp"

namespace linchpin::explorer {

class Dpor final : public Strategy {
 public:
  Dpor() : Strategy(true) {}
  /// False: no memory.
  bool prepare() { return steps_.prepare(kMostSteps) && values_.prepare(kMostSteps) && races_.prepare(kMostSteps); }
  void restart() {
    steps_.clear();
    values_.clear();
    fresh_ = true;
    lost_track_ = false;
    changed_ = 0;
    surprise_ = 0;
  }

  bool begin() override {
    if (!fresh_) {
      look_for_races();
      if (lost_track_ || !go_back()) return false;
    }
    fresh_ = false;
    next_step_ = next_value_ = 0;
    waiting_ = 0;
    return true;
  }

  unsigned choose(const Situation& situation) override {
    return situation.value ? choose_value(situation) : choose_thread(situation);
  }

  unsigned settle(unsigned least, unsigned /*alternatives*/, std::uint64_t here) override {
    if (next_step_ == 0) return least;
    if (next_value_ == values_.size()) {
      if (values_.full()) {
        lost_track_ = true;
        return least;
      }
      values_.push({.step = next_step_ - 1, .taken = least, .alternatives = least + 1, .here = here});
    }
    const Value& value = values_[next_value_++];
    if (value.step + 1 != next_step_ || value.here != here) be_surprised();
    return value.taken;
  }

  [[nodiscard]] bool asks_who_spins() const override { return false; }

  void stepped(const Footprint& footprint) override {
    // What comes before the change was recorded when it was run first.
    if (next_step_ > changed_) steps_[next_step_ - 1].own = footprint;
  }

  void waits(unsigned thread, const Footprint& footprint) override {
    waiting_ |= 1U << thread;
    wanted_[thread] = footprint;
  }

  void lose_track() override { lost_track_ = true; }
  /// What was run is not all that there is, nor one of each class.
  [[nodiscard]] bool lost_track() const { return lost_track_; }
  [[nodiscard]] std::uint32_t surprise() const override { return surprise_; }

 private:
  static constexpr std::size_t kMostSteps = std::size_t{1} << 19;

  /// A set of threads, a bit each.
  using Set = unsigned;

  struct Step {
    std::uint8_t thread;   ///< that took it
    Set enabled;           ///< could have
    Set wanted;            ///< are to be explored here, or were; `thread` is one of them
    Set asleep;            ///< need not be
    std::uint32_t number;  ///< among the thread's, from 1
    std::uint64_t here;
    VectorClock clock;  ///< of each thread the steps that come before this one or are it
    Footprint own;
    Footprint earlier;  ///< what it touched with other values
    Footprint sleeping[kMostThreads];
  };

  struct Value {
    std::size_t step;
    unsigned taken, alternatives;
    std::uint64_t here;
  };

  static constexpr Set bit(unsigned thread) { return 1U << thread; }

  unsigned choose_value(const Situation& situation) {
    if (next_step_ == 0) return 0;
    if (next_value_ == values_.size()) {
      if (values_.full()) {
        lost_track_ = true;
        return 0;
      }
      values_.push(
          {.step = next_step_ - 1, .taken = 0, .alternatives = situation.alternatives, .here = situation.here});
    }
    const Value& value = values_[next_value_++];
    if (value.step + 1 != next_step_ || value.alternatives != situation.alternatives || value.here != situation.here) {
      be_surprised();
      return 0;
    }
    return value.taken;
  }

  unsigned choose_thread(const Situation& situation) {
    if (lost_track_ || (next_step_ == steps_.size() && !add_step(situation))) return kStop;
    const Step& step = steps_[next_step_++];
    for (unsigned i = 0; i < situation.alternatives && step.here == situation.here; ++i) {
      if (situation.threads[i] == step.thread) return i;
    }
    be_surprised();
    return 0;
  }

  /// False: whoever could go on sleeps, or there is no room.
  bool add_step(const Situation& situation) {
    if (steps_.full()) {
      lost_track_ = true;
      return false;
    }
    Step& made = steps_.push();
    made.enabled = made.asleep = 0;
    made.here = situation.here;
    made.own.clear();
    made.earlier.clear();
    for (unsigned i = 0; i < situation.alternatives; ++i) made.enabled |= bit(situation.threads[i]);
    if (steps_.size() > 1) {
      const Step& last = steps_[steps_.size() - 2];
      for (unsigned thread = 0; thread < kMostThreads; ++thread) {
        if ((last.asleep & bit(thread)) == 0 || dependent(last.sleeping[thread], last.own)) continue;
        made.asleep |= bit(thread);
        made.sleeping[thread] = last.sleeping[thread];
      }
    }
    for (unsigned i = 0; i < situation.alternatives; ++i) {
      if ((made.asleep & bit(situation.threads[i])) != 0) continue;
      made.thread = situation.threads[i];
      made.wanted = bit(made.thread);
      return true;
    }
    steps_.shrink(steps_.size() - 1);
    return false;
  }

  /// To the latest point that has something left to explore. False: there is none.
  bool go_back() {
    while (!steps_.empty()) {
      changed_ = steps_.size() - 1;
      Step& step = steps_[changed_];
      step.earlier.add(step.own);
      while (!values_.empty() && values_.back().step == changed_) {
        if (++values_.back().taken < values_.back().alternatives) return true;
        values_.shrink(values_.size() - 1);
      }
      step.sleeping[step.thread] = step.earlier;
      step.asleep |= bit(step.thread);
      const Set left = step.wanted & ~step.asleep;
      if (left != 0) {
        step.thread = static_cast<std::uint8_t>(__builtin_ctz(left));
        step.own.clear();
        step.earlier.clear();
        return true;
      }
      steps_.shrink(changed_);
    }
    return false;
  }

  /// Of the steps that are new in this schedule, and of those that were waited for in vain.
  void look_for_races() {
    for (std::size_t i = changed_; i < steps_.size(); ++i) {
      Step& step = steps_[i];
      step.clock = past(step.thread, i);
      step.number = step.clock.of[step.thread] + 1;
      find_races(step.thread, i, step.own, step.clock);
      step.clock.of[step.thread] = step.number;
      for (const std::uint32_t race : races_) swap(race, i, step.thread, step.clock);
    }
    for (unsigned thread = 0; thread < kMostThreads; ++thread) {
      if ((waiting_ & bit(thread)) == 0) continue;
      VectorClock clock = past(thread, steps_.size());
      find_races(thread, steps_.size(), wanted_[thread], clock);
      for (const std::uint32_t race : races_) swap(race, steps_.size(), thread, clock);
    }
  }

  /// What comes before the thread's step at `end`, by the thread's own steps or by its creation.
  [[nodiscard]] VectorClock past(unsigned thread, std::size_t end) const {
    for (std::size_t i = end; i-- > 0;) {
      if (steps_[i].thread == thread || (steps_[i].own.created & bit(thread)) != 0) return steps_[i].clock;
    }
    return {};
  }

  /// Fills `races_` with the steps before `end` that are in a race with one of the thread, and adds them to `clock`.
  void find_races(unsigned thread, std::size_t end, const Footprint& footprint, VectorClock& clock) {
    races_.clear();
    VectorClock waited = {};
    for (std::size_t i = end; i-- > 0;) {
      const Step& step = steps_[i];
      if (clock.knows(step.thread, step.number) || step.thread == thread || !dependent(step.own, footprint)) continue;
      races_.push(static_cast<std::uint32_t>(i));
      (footprint.may_wait ? waited : clock).join(step.clock);
    }
    clock.join(waited);
  }

  /// What follows the step `from` up to `end` without coming after it, and then the step of `thread` whose past is
  /// `clock`: whoever may begin that is explored instead of the step, unless somebody who may is already, or sleeps.
  void swap(std::size_t from, std::size_t end, unsigned thread, const VectorClock& clock) {
    Step& first = steps_[from];
    VectorClock begun = {};  // of each thread its first step there; 0: none
    Set beginners = 0;
    const auto look_at = [&](unsigned whose, const VectorClock& past, std::uint32_t number) {
      if (begun.of[whose] != 0) return;
      bool begins = true;
      for (unsigned other = 0; other < kMostThreads; ++other) {
        if (other != whose && begun.of[other] != 0 && past.knows(other, begun.of[other])) begins = false;
      }
      begun.of[whose] = number;
      if (begins) beginners |= bit(whose);
    };
    for (std::size_t i = from + 1; i < end; ++i) {
      if (!steps_[i].clock.knows(first.thread, first.number))
        look_at(steps_[i].thread, steps_[i].clock, steps_[i].number);
    }
    look_at(thread, clock, 1);
    if ((beginners & (first.wanted | first.asleep)) != 0) return;
    const Set able = beginners & first.enabled;
    if (able == 0) return;  // it had to wait for this very step
    first.wanted |= (able & bit(thread)) != 0 ? bit(thread) : able & -able;
  }

  void be_surprised() {
    if (surprise_ == 0) surprise_ = static_cast<std::uint32_t>(next_step_ + next_value_);
  }

  Array<Step> steps_;
  Array<Value> values_;
  Array<std::uint32_t> races_;
  std::size_t next_step_ = 0, next_value_ = 0;
  std::size_t changed_ = 0;  // the first step that is not as in the schedule before
  Set waiting_ = 0;
  Footprint wanted_[kMostThreads];
  std::uint32_t surprise_ = 0;
  bool fresh_ = true, lost_track_ = false;
};

}  // namespace linchpin::explorer

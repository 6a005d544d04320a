// All schedules with at most so many deviations, depth first.
//
// A deviation is a preemption (another thread goes on although the running one could) or a load that sees another store
// than the newest one. Most bugs need one or two (Musuvathi and Qadeer, Iterative context bounding, PLDI 2007), so the
// caller explores with no deviation first, then one, then two.
// A schedule is replayed up to the last choice that has an alternative left. Cost: the schedules, each from its
// beginning.
//
// The tree of all choices can be divided: depth first is the order of the sequences of choices, compared choice by
// choice, so that any sorted list of its nodes cuts it into stretches that come one after the other (divide.cpp).
// Compare: random.hpp, which samples. Tests: tests/explore.
#pragma once

#include <climits>

#include "explore/runtime/array.hpp"
#include "explore/schedule/strategy.hpp"

namespace linchpin::explorer {

class Bounded final : public Strategy {
 public:
  /// False: no memory.
  bool prepare() { return choices_.prepare(std::size_t{1} << 20); }
  void restart(unsigned bound) { restart(bound, nullptr, 0, nullptr, 0); }
  /// Only from the node `from` on, and up to the node `to`, which is left out; without: from the beginning, to the end.
  /// Nodes are choices that Bounded has made (see path). @pre `to` outlives the schedules
  void restart(unsigned bound, const std::uint8_t* from, std::size_t from_count, const std::uint8_t* to,
               std::size_t to_count) {
    bound_ = bound;
    choices_.clear();
    for (std::size_t i = 0; i < from_count; ++i) choices_.push({.taken = from[i], .alternatives = 0, .here = 0});
    to_ = to;
    to_count_ = to_count;
    limited_ = false;
    fresh_ = true;
    surprise_ = 0;
  }

  bool begin() override {
    next_ = 0;
    deviations_ = 0;
    if (fresh_) {
      fresh_ = false;
      return true;
    }
    while (!choices_.empty()) {
      Choice& last = choices_.back();
      if (++last.taken < last.alternatives) return !at_end();
      choices_.shrink(choices_.size() - 1);
    }
    return false;
  }

  unsigned choose(const Situation& situation) override {
    const unsigned allowed = deviations_ < bound_ ? situation.alternatives : situation.ordinary;
    if (allowed < situation.alternatives) limited_ = true;
    if (allowed == 1) return 0;
    if (next_ == choices_.size()) {
      if (choices_.full()) return 0;
      choices_.push({.taken = 0, .alternatives = allowed, .here = situation.here});
    }
    Choice& choice = choices_[next_++];
    if (choice.alternatives == 0 && choice.taken < allowed) {  // of where the stretch begins
      choice.alternatives = allowed;
      choice.here = situation.here;
    }
    if (choice.alternatives != allowed || choice.here != situation.here) {
      if (surprise_ == 0) surprise_ = static_cast<std::uint32_t>(next_);
      return 0;
    }
    if (choice.taken >= situation.ordinary) ++deviations_;
    return choice.taken;
  }

  unsigned settle(unsigned least, unsigned alternatives, std::uint64_t here) override {
    if (next_ == choices_.size()) {
      if (choices_.full()) return least;
      choices_.push({.taken = least, .alternatives = alternatives, .here = here});
    }
    Choice& choice = choices_[next_++];
    if (choice.alternatives == 0) {  // of where the stretch begins
      choice.alternatives = alternatives > choice.taken ? alternatives : choice.taken + 1;
      choice.here = here;
    }
    if (choice.here != here && surprise_ == 0) surprise_ = static_cast<std::uint32_t>(next_);
    return choice.taken;
  }

  [[nodiscard]] bool asks_who_spins() const override { return bound_ != UINT_MAX; }

  /// Some schedule had more alternatives than the bound allows: another bound would give more schedules.
  [[nodiscard]] bool limited() const { return limited_; }
  [[nodiscard]] std::uint32_t surprise() const override {
    // One that is over before all of its choices came is none of those that there were, either.
    return surprise_ != 0 || next_ >= choices_.size() ? surprise_ : static_cast<std::uint32_t>(next_ + 1);
  }

  /// A choice of the latest schedule.
  struct Choice {
    unsigned taken, alternatives;
    std::uint64_t here;
  };
  [[nodiscard]] const Array<Choice>& path() const { return choices_; }

 private:
  [[nodiscard]] bool at_end() const {
    if (to_count_ == 0 || choices_.size() != to_count_) return false;
    for (std::size_t i = 0; i < to_count_; ++i) {
      if (choices_[i].taken != to_[i]) return false;
    }
    return true;
  }

  Array<Choice> choices_;
  const std::uint8_t* to_ = nullptr;
  std::size_t to_count_ = 0;
  std::size_t next_ = 0;
  unsigned bound_ = 0, deviations_ = 0;
  std::uint32_t surprise_ = 0;
  bool fresh_ = true, limited_ = false;
};

}  // namespace linchpin::explorer

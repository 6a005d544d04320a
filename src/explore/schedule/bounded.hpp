// All schedules with at most so many deviations, depth first.
//
// A deviation is a preemption (another thread goes on although the running one could) or a load that sees another store
// than the newest one. Most bugs need one or two (Musuvathi and Qadeer, Iterative context bounding, PLDI 2007), so the
// caller explores with no deviation first, then one, then two.
// A schedule is replayed up to the last choice that has an alternative left. Cost: the schedules, each from its
// beginning. Compare: random.hpp, which samples. Tests: bounded_test.cpp, tests/explore.
#pragma once

#include "explore/runtime/array.hpp"
#include "explore/schedule/strategy.hpp"

namespace linchpin::explorer {

class Bounded final : public Strategy {
 public:
  /// False: no memory.
  bool prepare() { return choices_.prepare(std::size_t{1} << 20); }
  void restart(unsigned bound) {
    bound_ = bound;
    choices_.clear();
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
      if (++last.taken < last.alternatives) return true;
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
    const Choice& choice = choices_[next_++];
    if (choice.alternatives != allowed || choice.here != situation.here) {
      if (surprise_ == 0) surprise_ = static_cast<std::uint32_t>(next_);
      return 0;
    }
    if (choice.taken >= situation.ordinary) ++deviations_;
    return choice.taken;
  }

  /// Some schedule had more alternatives than the bound allows: another bound would give more schedules.
  [[nodiscard]] bool limited() const { return limited_; }
  [[nodiscard]] std::uint32_t surprise() const override { return surprise_; }

 private:
  struct Choice {
    unsigned taken, alternatives;
    std::uint64_t here;
  };
  Array<Choice> choices_;
  std::size_t next_ = 0;
  unsigned bound_ = 0, deviations_ = 0;
  std::uint32_t surprise_ = 0;
  bool fresh_ = true, limited_ = false;
};

}  // namespace linchpin::explorer

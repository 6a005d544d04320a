// Orders of operations by a strong d-hitting family: each operation runs as a whole, unless it has to wait.
//
// A schedule strongly hits (x_0, ..., x_{d-1}) if whatever stands at or after x_i comes after some x_j with j >= i in
// the order that must be kept, which is that of each thread. A family that hits all d-tuples of n operations by k
// threads has at most k n^(d-1) schedules: one for each thread, which is x_0's, and each tuple (x_1, ..., x_{d-1}). In
// it an operation has the level j of the last x_j that its thread takes no later, or 0; lower levels go first, and on
// one level the thread of x_0 goes last. (The closed form of research/schedules/closed_form.hpp, for the order of
// threads, which is no order of intervals.)
// Elements are operations; of threads by hand, which have none, they are steps. How many there are is seen as they are
// run: when there were more than before, all begins anew. Loads see the newest store.
// Promise: what depends on the order of d operations, each taken as a whole, is found. What needs a preemption within
// an operation is not.
// Source: Kulahcioglu Ozkan, Majumdar, Niksic, Checking linearizability using hitting families, PPoPP 2019, Definition
// 4.4. Compare: pct.hpp. Tests: tests/explore/hitting_test.cpp.
#pragma once

#include "explore/schedule/strategy.hpp"

namespace linchpin::explorer {

class Hitting final : public Strategy {
 public:
  static constexpr unsigned kMost = 8;  ///< depth

  /// @pre 1 <= depth <= kMost
  explicit Hitting(unsigned depth) : Strategy(true), others_(depth - 1) {}

  bool begin() override {
    if (++begun_ == 1) return true;  // all of the tuple are one element, since no other one is known
    if (begun_ == 2) grew_ = false;
    if (next()) return true;
    if (!grew_) return false;
    grew_ = false;
    last_ = 0;
    for (Element& element : tuple_) element = {};
    return true;
  }

  unsigned choose(const Situation& situation) override {
    if (situation.value) return 0;
    for (unsigned i = 0; i < situation.alternatives; ++i) {
      std::uint32_t& known = elements_[situation.threads[i]];
      if (situation.elements[i] < known) continue;
      known = situation.elements[i] + 1;
      grew_ = true;
    }
    if (situation.within) return 0;
    unsigned best = 0;
    for (unsigned i = 1; i < situation.able; ++i) {
      if (key(situation, i) < key(situation, best)) best = i;
    }
    return best;
  }

 private:
  struct Element {
    unsigned thread;
    std::uint32_t number;
  };

  [[nodiscard]] unsigned key(const Situation& situation, unsigned i) const {
    unsigned level = 0;
    for (unsigned j = 0; j < others_; ++j) {
      if (tuple_[j].thread == situation.threads[i] && tuple_[j].number <= situation.elements[i]) level = j + 1;
    }
    return 2 * level + (situation.threads[i] == last_ ? 1 : 0);
  }

  /// Counts on. False: all were counted.
  bool next() {
    for (unsigned j = others_; j-- > 0;) {
      Element& element = tuple_[j];
      if (++element.number < elements_[element.thread]) return true;
      element.number = 0;
      while (++element.thread < kMostThreads && elements_[element.thread] == 0) {
      }
      if (element.thread < kMostThreads) return true;
      element.thread = 0;
    }
    while (++last_ < kMostThreads && elements_[last_] == 0) {
    }
    return last_ < kMostThreads;
  }

  unsigned others_;  // how many elements beside x_0
  unsigned last_ = 0;
  Element tuple_[kMost] = {};
  std::uint32_t elements_[kMostThreads] = {};  // of each thread
  std::uint64_t begun_ = 0;                    // schedules
  bool grew_ = false;
};

}  // namespace linchpin::explorer

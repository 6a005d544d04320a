// Threads have random priorities, the highest goes on, and at `depth - 1` random steps the running thread's priority
// falls below all others. A bug that needs `depth` ordered steps among n threads and k steps shows with a chance of at
// least 1 / (n k^(depth-1)) in each schedule (Burckhardt, Kothari, Musuvathi, Nagarakatte, A randomized scheduler with
// probabilistic guarantees of finding bugs, ASPLOS 2010). We differ: k is the longest schedule so far, and values that
// loads see are drawn. Compare: random.hpp.
#pragma once

#include "explore/schedule/random.hpp"

namespace linchpin::explorer {

class Pct final : public Strategy {
 public:
  Pct(std::uint64_t seed, unsigned depth) : generator_(seed), depth_(depth < kMost ? depth : kMost) {}

  bool begin() override {
    longest_ = step_ > longest_ ? step_ : longest_;
    step_ = 0;
    for (unsigned i = 0; i < kMostThreads; ++i) priorities_[i] = static_cast<int>(kMost + i);
    for (unsigned i = kMostThreads - 1; i > 0; --i) {
      const unsigned j = generator_.below(i + 1);
      const int kept = priorities_[i];
      priorities_[i] = priorities_[j];
      priorities_[j] = kept;
    }
    for (unsigned i = 0; i + 1 < depth_; ++i) changes_[i] = 1 + generator_.below(longest_);
    return true;
  }
  unsigned choose(const Situation& situation) override {
    if (situation.value) return generator_.below(2) == 0 ? 0 : generator_.below(situation.alternatives);
    ++step_;
    for (unsigned i = 0; i + 1 < depth_; ++i) {
      if (changes_[i] == step_) priorities_[situation.threads[0]] = static_cast<int>(i);
    }
    unsigned best = 0;
    for (unsigned i = 1; i < situation.alternatives; ++i) {
      if (priorities_[situation.threads[i]] > priorities_[situation.threads[best]]) best = i;
    }
    return best;
  }

 private:
  static constexpr unsigned kMost = 16;
  Generator generator_;
  unsigned depth_;
  unsigned step_ = 0, longest_ = 16;
  int priorities_[kMostThreads] = {};
  unsigned changes_[kMost] = {};
};

}  // namespace linchpin::explorer

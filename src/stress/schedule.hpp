// When threads of a stress run pause, and whose turn it is.
//
// A round is free or by turns. In a free round threads run as the machine lets them, and pause from time to time. In a
// round by turns only one thread runs at a time, from one stress point to another, and the round's seed determines
// where it is interrupted. Such a round needs no second processor, does not depend on other work on the machine, and
// the same seed gives the same schedule.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "linchpin/stress_point.hpp"

namespace linchpin::stress_plan {

/// Turns at stress points. Two strategies, of which a round draws one:
///   - priorities: whoever has the highest runs; at a few points, drawn beforehand, the one that runs falls below all
///     others. A bug that needs d - 1 interruptions is found with a probability that depends on d and the number of
///     points alone (Burckhardt and others, A randomized scheduler with probabilistic guarantees of finding bugs,
///     2010).
///   - a walk: at each point another thread goes on, with a probability that the round draws.
///
/// A thread that waits for another one at something else than a point, such as a lock, would wait for ever: after a
/// while the others go on without it. When that has happened often in a round, the rest of the round is free.
class Turns {
 public:
  explicit Turns(unsigned threads) : threads_(threads) {}

  /// By one thread, before the others are woken. `points`: about how many the round will have.
  void begin(std::uint64_t seed, std::size_t points);
  /// The calling thread's first turn, which comes when all are there.
  void enter(unsigned thread);
  void at_point(unsigned thread);
  void leave(unsigned thread);
  [[nodiscard]] bool given_up() const { return given_up_; }

 private:
  static constexpr unsigned kNobody = ~0U;

  struct Thread {
    bool waits = false;  // for its turn
    std::int64_t priority = 0;
    std::condition_variable woken;
  };

  std::uint64_t draw();
  [[nodiscard]] unsigned choose(unsigned running);
  void give(unsigned thread);
  void wait(std::unique_lock<std::mutex>& lock, unsigned thread);

  std::mutex mutex_;
  std::vector<Thread> threads_;
  std::atomic<unsigned> turn_ = kNobody;
  std::atomic<bool> given_up_ = false;
  std::uint64_t state_ = 0;
  std::size_t entered_ = 0;
  std::size_t given_ = 0;    // turns
  std::size_t without_ = 0;  // of these, how often the others went on without the one whose turn it was
  std::size_t points_ = 0;
  bool by_priority_ = false;
  std::vector<std::size_t> changes_;  // of priorities: at these points
  std::int64_t lowest_ = 0;
  std::uint64_t switches_in_ = 1;  // a walk: one point in so many is a switch
};

/// What the calling thread does at stress points while this lives.
class Visitor : public AtPoint {
 public:
  /// @param share  of the points at which the thread pauses, in a free round
  /// @param turns  null: the round is free
  Visitor(std::uint64_t seed, double share, unsigned thread, Turns* turns);
  ~Visitor();
  Visitor(const Visitor&) = delete;
  Visitor& operator=(const Visitor&) = delete;

  /// Between two operations, where a thread may be interrupted too.
  void between_operations();
  /// Waits a little, perhaps, and gives no turn away.
  void pause_perhaps();
  /// Points that the container's code has.
  [[nodiscard]] std::size_t points() const { return points_; }

 private:
  static void reach(AtPoint& own);
  std::uint32_t draw();
  void pause();

  std::uint64_t state_;      // of its random numbers: apart from those that choose operations
  std::uint32_t threshold_;  // pauses where 32 random bits are below
  unsigned thread_;
  Turns* turns_;
  std::size_t points_ = 0;
};

/// A moment of waiting for another thread, of which `tries` have been.
void wait_a_little(unsigned tries);

}  // namespace linchpin::stress_plan

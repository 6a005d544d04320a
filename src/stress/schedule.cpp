#include "stress/schedule.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "linchpin/stress/plan.hpp"

namespace linchpin::stress_plan {

namespace {

constexpr auto kPatience = std::chrono::milliseconds(20);  // with a thread that does not come to a point
constexpr std::size_t kMostWithout = 10;                   // times a round
constexpr unsigned kTries = 200;                           // of looking before sleeping
constexpr std::uint64_t kMostChanges = 12;                 // of priorities

void relax() {
#if LINCHPIN_HAS_TSC
  __builtin_ia32_pause();
#else
  std::atomic_signal_fence(std::memory_order_seq_cst);
#endif
}

}  // namespace

// --- turns ---

std::uint64_t Turns::draw() {  // splitmix64
  std::uint64_t x = state_ += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31U);
}

void Turns::begin(std::uint64_t seed, std::size_t points) {
  const std::lock_guard lock(mutex_);
  state_ = seed;
  turn_ = kNobody;
  given_up_ = false;
  entered_ = given_ = without_ = points_ = 0;
  lowest_ = 0;
  for (Thread& thread : threads_) {
    thread.waits = false;
    thread.priority = static_cast<std::int64_t>(draw() >> 2U) + 1;
  }
  by_priority_ = draw() % 2 == 0;
  changes_.clear();
  for (std::uint64_t i = draw() % kMostChanges + 1; i > 0; --i)
    changes_.push_back(draw() % std::max<std::size_t>(points, 1));
  std::sort(changes_.begin(), changes_.end());
  switches_in_ = std::uint64_t{2} << (draw() % 5);
}

/// Who goes on: one of those that wait, or the one that runs, if there is one.
unsigned Turns::choose(unsigned running) {
  if (running != kNobody && !by_priority_ && draw() % switches_in_ != 0) return running;
  unsigned best = by_priority_ ? running : kNobody;
  std::size_t candidates = 0;
  for (unsigned thread = 0; thread < threads_.size(); ++thread) {
    if (!threads_[thread].waits) continue;
    if (by_priority_) {
      if (best == kNobody || threads_[thread].priority > threads_[best].priority) best = thread;
    } else if (draw() % ++candidates == 0) {
      best = thread;
    }
  }
  return best == kNobody ? running : best;
}

void Turns::give(unsigned thread) {
  ++given_;
  turn_ = thread;
  if (thread != kNobody) threads_[thread].woken.notify_one();
}

void Turns::wait(std::unique_lock<std::mutex>& lock, unsigned thread) {
  Thread& own = threads_[thread];
  own.waits = true;
  while (turn_ != thread && !given_up_) {
    lock.unlock();
    for (unsigned tries = 0; tries < kTries && turn_ != thread; ++tries) relax();
    lock.lock();
    if (turn_ == thread || given_up_) break;
    const std::size_t given = given_;
    own.woken.wait_for(lock, kPatience, [&] { return turn_ == thread || given_up_; });
    if (turn_ == thread || given_ != given || entered_ < threads_.size()) continue;
    // Whoever has the turn and does not wait, not even to take it up, is waiting for something else.
    if (turn_ != kNobody && threads_[turn_].waits) continue;
    if (++without_ > kMostWithout) {
      given_up_ = true;
      for (Thread& each : threads_) each.woken.notify_one();
      break;
    }
    give(choose(kNobody));
  }
  own.waits = false;
}

void Turns::enter(unsigned thread) {
  std::unique_lock lock(mutex_);
  threads_[thread].waits = true;
  if (++entered_ == threads_.size()) give(choose(kNobody));
  wait(lock, thread);
}

void Turns::at_point(unsigned thread) {
  if (given_up_) return;
  std::unique_lock lock(mutex_);
  if (turn_ == thread) {
    const std::size_t point = points_++;
    for (const std::size_t change : changes_) {
      if (change == point) threads_[thread].priority = --lowest_;
    }
    const unsigned next = choose(thread);
    if (next == thread) return;
    give(next);
  } else if (turn_ == kNobody) {
    give(thread);
  }
  wait(lock, thread);
}

void Turns::leave(unsigned thread) {
  const std::lock_guard lock(mutex_);
  if (turn_ == thread) give(choose(kNobody));
}

// --- one thread ---

Visitor::Visitor(std::uint64_t seed, double share, unsigned thread, Turns* turns)
    : AtPoint{&Visitor::reach},
      state_(seed),
      threshold_(static_cast<std::uint32_t>(std::clamp(share, 0.0, 1.0) * 0xffffffffU)),
      thread_(thread),
      turns_(turns) {
  if (turns_ != nullptr) turns_->enter(thread_);
  stress_plan::at_point = this;
}

Visitor::~Visitor() {
  stress_plan::at_point = nullptr;
  if (turns_ != nullptr) turns_->leave(thread_);
}

void Visitor::between_operations() {
  if (turns_ != nullptr) {
    turns_->at_point(thread_);
  } else {
    pause_perhaps();
  }
}

void Visitor::reach(AtPoint& own) {
  auto& visitor = static_cast<Visitor&>(own);
  ++visitor.points_;
  visitor.between_operations();
}

std::uint32_t Visitor::draw() {
  state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
  return static_cast<std::uint32_t>(state_ >> 32U);
}

void Visitor::pause_perhaps() {
  if (draw() < threshold_) pause();
}

/// Gives way to other threads, or waits for up to a few microseconds.
void Visitor::pause() {
  const std::uint32_t how = draw();
  if ((how & 7U) == 0) {
    std::this_thread::yield();
    return;
  }
  for (std::uint32_t i = (how >> 8U) & 63U; i > 0; --i) relax();
}

void pause_perhaps() {
  if (at_point != nullptr) static_cast<Visitor*>(at_point)->pause_perhaps();
}

void wait_a_little(unsigned tries) {
  if (tries < 1000) {
    relax();
  } else {
    std::this_thread::yield();
  }
}

}  // namespace linchpin::stress_plan

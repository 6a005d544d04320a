// What a check may still spend: time, memory, and whether it was cancelled.
//
// One Budget a check, shared by its tasks. `spent()` is cheap enough for inner loops; memory is asked for before it is
// taken (`allows`), so that a table that doubles does not overshoot the limit.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "linchpin/limits.hpp"
#include "linchpin/verdict.hpp"

namespace linchpin::core {

/// Bytes of the process that are resident now; 0 where the system does not say.
[[nodiscard]] std::size_t resident_bytes();
/// The most that were resident so far.
[[nodiscard]] std::size_t peak_resident_bytes();

class Budget {
 public:
  using Clock = std::chrono::steady_clock;
  /// So long after a moment, or a year where it is longer or no number: a clock cannot hold every duration.
  [[nodiscard]] static Clock::time_point moment_after(Clock::time_point begin, std::chrono::duration<double> time);
  explicit Budget(const Limits& limits);
  /// A part of `parent`: spent after `seconds`, or when the parent is, or when the process holds more than so much of
  /// the memory that the parent allows. The parent must outlive it.
  Budget(Budget& parent, double seconds, double memory_share = 1);
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  /// Whether the check must stop. Looks at the clock on each 64th call of a thread; once true, always true.
  [[nodiscard]] bool spent() {
    if (reason_.load(std::memory_order_relaxed) != Reason::none) return true;
    thread_local std::uint32_t calls = 0;
    return (++calls & 63U) == 0 && look();
  }
  /// The same, looking at once: before and after steps that take long.
  [[nodiscard]] bool spent_now() { return reason_.load(std::memory_order_relaxed) != Reason::none || look(); }

  /// Whether `bytes` more may be taken; if not, the budget is spent for want of memory.
  [[nodiscard]] bool allows(std::size_t bytes);
  /// The same for a step of about so many seconds that does not look at the clock.
  [[nodiscard]] bool allows_step(double seconds);

  /// Ends the check: another task has decided it.
  void cancel() { stop(Reason::cancelled); }
  [[nodiscard]] Reason reason() const { return reason_.load(std::memory_order_relaxed); }
  [[nodiscard]] double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  bool look();
  [[nodiscard]] bool has_room(std::size_t bytes) const;
  void stop(Reason reason);

  Budget* parent_ = nullptr;
  Clock::time_point start_ = Clock::now();
  Clock::time_point deadline_ = Clock::time_point::max();
  std::size_t memory_limit_ = SIZE_MAX;
  std::stop_token stop_;
  std::atomic<Reason> reason_ = Reason::none;
  std::atomic<Clock::rep> next_memory_look_ = 0;
};

}  // namespace linchpin::core

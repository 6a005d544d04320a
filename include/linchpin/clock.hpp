// The recorder's clock: readings that are ordered with respect to the operation between them.
//
// A recording may leave orders of operations out, but it never has an order that did not exist. So the reading at a
// call is taken before any part of the operation happens, and the reading at a response after all of it is visible to
// every thread. If the processor has an invariant time stamp counter that the kernel trusts, that is the clock.
// Otherwise it is the steady clock between full fences. The argument is in docs/design/record.md, section 2.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>

#if defined(__x86_64__) && defined(__GNUC__)
#define LINCHPIN_HAS_TSC 1
#else
#define LINCHPIN_HAS_TSC 0
#endif

namespace linchpin {

enum class ClockSource : std::uint8_t {
  automatic,  ///< the counter where it can be trusted, else the steady clock
  tsc,        ///< the time stamp counter
  steady,     ///< std::chrono::steady_clock
};

/// Whether the counter is invariant (cpuid), can be read, and is what the kernel itself tells the time with, having
/// found it synchronous on all processors.
[[nodiscard]] bool tsc_is_trusted();

class Clock {
 public:
  explicit Clock(ClockSource source = ClockSource::automatic)
      : tsc_(LINCHPIN_HAS_TSC != 0 &&
             (source == ClockSource::tsc || (source == ClockSource::automatic && tsc_is_trusted()))) {}

  [[nodiscard]] ClockSource source() const { return tsc_ ? ClockSource::tsc : ClockSource::steady; }

  /// A reading for a call. Nothing that follows `enter` happens before it.
  [[nodiscard]] std::int64_t at_call() const {
#if LINCHPIN_HAS_TSC
    if (tsc_) return static_cast<std::int64_t>(__builtin_ia32_rdtsc());
#endif
    return steady();
  }

  /// Between the reading for a call and the operation.
  void enter() const {
#if LINCHPIN_HAS_TSC
    if (tsc_) {
      asm volatile("lfence" ::: "memory");  // no later instruction begins before the counter has been read
      return;
    }
#endif
    std::atomic_signal_fence(std::memory_order_seq_cst);
    full_fence();
  }

  /// A reading for a response, after all that precedes it has happened. With `drain`, "happened" includes that its
  /// stores have left the store buffer; without, only an operation that ends in an atomic read-modify-write or a fence
  /// is as well ordered.
  [[nodiscard]] std::int64_t at_response(bool drain = true) const {
#if LINCHPIN_HAS_TSC
    if (tsc_) {
      if (drain) full_fence();
      asm volatile("lfence" ::: "memory");  // the counter is not read before every earlier instruction has completed
      const auto ticks = static_cast<std::int64_t>(__builtin_ia32_rdtsc());
      asm volatile("" ::: "memory");
      return ticks;
    }
#endif
    if (drain) full_fence();
    return steady();
  }

  /// Ticks a second: exact for the steady clock, calibrated against it for the counter.
  [[nodiscard]] double frequency() const;

 private:
  static std::int64_t steady() { return std::chrono::steady_clock::now().time_since_epoch().count(); }
  static void full_fence() {
#if LINCHPIN_HAS_TSC
    // As std::atomic_thread_fence(seq_cst), which some compilers make a slower mfence and thread sanitizers refuse.
    asm volatile("lock; orq $0, (%%rsp)" ::: "memory", "cc");
#else
    std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
  }

  bool tsc_;
};

}  // namespace linchpin

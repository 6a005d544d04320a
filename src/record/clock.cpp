// Which clock can be trusted, and how fast it ticks.
#include "linchpin/clock.hpp"

#include <fstream>
#include <string>
#include <thread>

#if LINCHPIN_HAS_TSC
#include <cpuid.h>
#endif

namespace linchpin {

namespace {

/// The counter runs at one rate whatever the processor's frequency and sleep states.
bool tsc_is_invariant() {
#if LINCHPIN_HAS_TSC
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  constexpr unsigned kPowerManagement = 0x80000007U;
  constexpr unsigned kInvariant = 1U << 8U;
  return __get_cpuid(kPowerManagement, &eax, &ebx, &ecx, &edx) != 0 && (edx & kInvariant) != 0;
#else
  return false;
#endif
}

/// Linux takes the counter as its clock only after it has compared the processors' counters with one another, and
/// leaves it when a watchdog finds it drifting.
bool kernel_uses_tsc() {
  std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  std::string source;
  return file >> source && source == "tsc";
}

double measure_tsc() {
  using Steady = std::chrono::steady_clock;
  const Clock clock(ClockSource::tsc);
  const auto begin = Steady::now();
  const std::int64_t first = clock.at_response();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const auto end = Steady::now();
  const std::int64_t last = clock.at_response();
  return static_cast<double>(last - first) / std::chrono::duration<double>(end - begin).count();
}

}  // namespace

bool tsc_is_trusted() {
  static const bool trusted = tsc_is_invariant() && kernel_uses_tsc();
  return trusted;
}

double Clock::frequency() const {
  if (!tsc_)
    return static_cast<double>(std::chrono::steady_clock::period::den) / std::chrono::steady_clock::period::num;
  static const double measured = measure_tsc();
  return measured;
}

}  // namespace linchpin

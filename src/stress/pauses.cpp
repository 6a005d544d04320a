#include "stress/pauses.hpp"

#include <thread>

namespace linchpin::stress_plan {

thread_local Pauses* current_pauses = nullptr;

namespace {

std::uint32_t draw(Pauses& pauses) {
  pauses.state = pauses.state * 6364136223846793005ULL + 1442695040888963407ULL;
  return static_cast<std::uint32_t>(pauses.state >> 32U);
}

void relax() {
#if LINCHPIN_HAS_TSC
  __builtin_ia32_pause();
#else
  std::atomic_signal_fence(std::memory_order_seq_cst);
#endif
}

}  // namespace

void pause(Pauses& pauses) {
  const std::uint32_t how = draw(pauses);
  if ((how & 7U) == 0) {
    std::this_thread::yield();
    return;
  }
  for (std::uint32_t i = (how >> 8U) & 63U; i > 0; --i) relax();
}

void pause_perhaps(Pauses& pauses) {
  if (draw(pauses) < pauses.threshold) pause(pauses);
}

void wait_a_little(unsigned tries) {
  if (tries < 1000) {
    relax();
  } else {
    std::this_thread::yield();
  }
}

}  // namespace linchpin::stress_plan

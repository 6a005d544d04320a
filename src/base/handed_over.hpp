// What one thread hands over to others by oneTBB, told to the thread sanitizer, which cannot see it: the library of
// oneTBB is compiled without it. Nothing at all in other builds.
#pragma once

#if defined(__SANITIZE_THREAD__)
#define LINCHPIN_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define LINCHPIN_THREAD_SANITIZER 1
#endif
#endif

#ifdef LINCHPIN_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace linchpin::base {

/// What this thread has done so far is seen by whoever takes over.
inline void hand_over([[maybe_unused]] void* by) {
#ifdef LINCHPIN_THREAD_SANITIZER
  __tsan_release(by);
#endif
}
/// What was handed over by this address is seen from now on.
inline void take_over([[maybe_unused]] void* by) {
#ifdef LINCHPIN_THREAD_SANITIZER
  __tsan_acquire(by);
#endif
}

}  // namespace linchpin::base

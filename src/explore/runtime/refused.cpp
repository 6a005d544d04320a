// What a scenario's threads may not do, since a schedule could not go on, or not be run again: it is told by its name
// and place instead of being done.
#include <pthread.h>
#include <threads.h>
#include <unistd.h>
#include <csignal>
#include <cstdlib>

#include "explore/runtime/interposed.hpp"

using namespace linchpin::explorer;  // NOLINT(google-build-using-namespace)

/// Within a schedule, the finding; otherwise the C library's function.
#define LINCHPIN_REFUSE(name, why, ...)                                              \
  do {                                                                               \
    if (active) {                                                                    \
      const Inside inside;                                                           \
      engine.fail(linchpin::ExploreFinding::unsupported, LINCHPIN_PLACE, #name why); \
    }                                                                                \
    static const auto original = ::linchpin::explorer::next<decltype(name)>(#name);  \
    return original(__VA_ARGS__);                                                    \
  } while (false)
#define LINCHPIN_REFUSE_TO_END(name, ...)                                                      \
  do {                                                                                         \
    if (within_schedule()) {                                                                   \
      const Inside inside;                                                                     \
      engine.fail(linchpin::ExploreFinding::assertion, LINCHPIN_PLACE, #name "() was called"); \
    }                                                                                          \
    static const auto original = ::linchpin::explorer::next<decltype(name)>(#name);            \
    original(__VA_ARGS__);                                                                     \
    __builtin_unreachable();                                                                   \
  } while (false)

extern "C" {

pid_t fork() noexcept { LINCHPIN_REFUSE(fork, "(): processes are not explored"); }
pid_t vfork() noexcept {
  if (active) {
    const Inside inside;
    engine.fail(linchpin::ExploreFinding::unsupported, LINCHPIN_PLACE, "vfork(): processes are not explored");
  }
  // What would return twice cannot stand behind a call.
  static const auto original = next<pid_t()>("fork");
  return original();
}

int pthread_cancel(pthread_t thread) { LINCHPIN_REFUSE(pthread_cancel, "(): cancellation is not explored", thread); }
int pthread_kill(pthread_t thread, int number) noexcept {
  LINCHPIN_REFUSE(pthread_kill, "(): signals are not explored", thread, number);
}
int raise(int number) noexcept { LINCHPIN_REFUSE(raise, "(): signals are not explored", number); }
int kill(pid_t process, int number) noexcept { LINCHPIN_REFUSE(kill, "(): signals are not explored", process, number); }
int sigqueue(pid_t process, int number, const sigval value) noexcept {
  LINCHPIN_REFUSE(sigqueue, "(): signals are not explored", process, number, value);
}
int sigwait(const sigset_t* __restrict set, int* __restrict number) {
  LINCHPIN_REFUSE(sigwait, "(): signals are not explored", set, number);
}
int pthread_tryjoin_np(pthread_t thread, void** result) noexcept {
  LINCHPIN_REFUSE(pthread_tryjoin_np, "() is not explored: use pthread_join()", thread, result);
}
int pthread_timedjoin_np(pthread_t thread, void** result, const timespec* until) {
  LINCHPIN_REFUSE(pthread_timedjoin_np, "() is not explored: use pthread_join()", thread, result, until);
}
int pthread_clockjoin_np(pthread_t thread, void** result, clockid_t clock, const timespec* until) {
  LINCHPIN_REFUSE(pthread_clockjoin_np, "() is not explored: use pthread_join()", thread, result, clock, until);
}
void pthread_exit(void* result) {
  if (active) {
    const Inside inside;
    engine.fail(linchpin::ExploreFinding::unsupported, LINCHPIN_PLACE,
                "pthread_exit() is not explored: return from the thread's function");
  }
  static const auto original = next<void(void*)>("pthread_exit");
  original(result);
  __builtin_unreachable();
}
void thrd_exit(int result) {
  if (active) {
    const Inside inside;
    engine.fail(linchpin::ExploreFinding::unsupported, LINCHPIN_PLACE,
                "thrd_exit() is not explored: return from the thread's function");
  }
  static const auto original = next<void(int)>("thrd_exit");
  original(result);
  __builtin_unreachable();
}

// A program that ends in the middle of a schedule has no answer, whatever its exit code says.
void exit(int code) noexcept { LINCHPIN_REFUSE_TO_END(exit, code); }
void _exit(int code) { LINCHPIN_REFUSE_TO_END(_exit, code); }
void _Exit(int code) noexcept { LINCHPIN_REFUSE_TO_END(_Exit, code); }  // NOLINT(readability-identifier-naming)
void quick_exit(int code) noexcept { LINCHPIN_REFUSE_TO_END(quick_exit, code); }

}  // extern "C"

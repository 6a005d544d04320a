// For the files that stand in front of functions of the C library: outside of schedules those are called.
#pragma once

#include <ctime>

#include "explore/runtime/engine.hpp"
#include "explore/runtime/system.hpp"

namespace linchpin::explorer {

/// The C library's function of this type and name.
template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(next_function(name));
}

inline std::uintptr_t key_of(const volatile void* object) { return reinterpret_cast<std::uintptr_t>(object); }

inline std::int64_t nanoseconds(const timespec& time) {
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

inline Access access_to(Kind kind, std::uintptr_t address, const void* place) {
  return {.kind = kind, .size = 1, .order = 0, .address = address, .place = place};
}

/// A step at which the thread waits for the object; `deadline` is a time of the virtual clock or kNever. True: it
/// holds; false: the time has come.
bool wait_for(Wait wait, SyncObject& object, std::int64_t deadline, const Access& access);

// Mutexes, for those that wait with one.
bool lock_object(SyncObject& object, std::int64_t deadline, const Access& access);
void unlock_object(SyncObject& object, const void* place);

/// Puts the calling thread among those that wait for the object, without waiting yet.
void enqueue_waiter(SyncObject& object);
/// It waits no longer, and nobody has woken it.
void dequeue_waiter(SyncObject& object);
/// Wakes one waiter, whichever the schedule says, or all.
unsigned wake_waiters(SyncObject& object, unsigned most);

}  // namespace linchpin::explorer

/// Outside of schedules: the C library's own. Function-local, since the first call may come before any constructor.
#define LINCHPIN_NEXT(name, ...)                                                      \
  do {                                                                                \
    if (!::linchpin::explorer::active) {                                              \
      static const auto original = ::linchpin::explorer::next<decltype(name)>(#name); \
      return original(__VA_ARGS__);                                                   \
    }                                                                                 \
  } while (false)
#define LINCHPIN_PLACE __builtin_return_address(0)
/// Of a function that only looks whether it could go on.
#define LINCHPIN_LOOKING_PLACE (LINCHPIN_LOOKS_FROM, __builtin_return_address(0))

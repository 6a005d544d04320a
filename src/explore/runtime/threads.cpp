// Threads that a scenario creates itself, what is done once, and how threads and programs end.
#include <cxxabi.h>
#include <threads.h>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "explore/runtime/interposed.hpp"

namespace linchpin::explorer {

namespace {

/// The logical thread that pthread_self() calls so; -1: none.
int thread_of(pthread_t id) {
  for (unsigned i = 0; i < kMostThreads; ++i) {
    if (engine.thread_id(i) == id) return static_cast<int>(i);
  }
  return -1;
}

int join(pthread_t id, void** result, const void* place) {
  const Inside inside;
  const int target = thread_of(id);
  if (target < 0)
    engine.fail(ExploreFinding::unsupported, place, "a thread is joined that the scenario has not created");
  SyncObject& object = engine.object(key_of(&engine.thread(static_cast<unsigned>(target))));
  object.owner = static_cast<std::int8_t>(target);
  wait_for(Wait::finished, object, kNever, access_to(Kind::join, 0, place));
  const LogicalThread& done = engine.thread(static_cast<unsigned>(target));
  engine.acquire(done.clock);
  if (result != nullptr) *result = done.result;
  return 0;
}

/// What std::call_once and pthread_once keep in memory, as the C library does.
constexpr int kNew = 0, kRunning = 1, kDone = 2;

int once(int* state, void (*function)(), const void* place) {
  SyncObject* object = nullptr;
  {
    const Inside inside;
    object = &engine.object(key_of(state));
    if (!wait_for(Wait::exclusive, *object, kNever, access_to(Kind::lock, key_of(state), place))) return 0;
    engine.acquire(object->message);
    if (__atomic_load_n(state, __ATOMIC_ACQUIRE) == kDone) return 0;
    object->owner = static_cast<std::int8_t>(engine.current().id);
    __atomic_store_n(state, kRunning, __ATOMIC_RELEASE);
  }
  const auto finish = [&](int now) {
    const Inside inside;
    engine.touch(object->key, sizeof *state, true);
    __atomic_store_n(state, now, __ATOMIC_RELEASE);
    object->owner = -1;
    engine.release(object->message);
    engine.memory_changed();
  };
  try {
    function();
  } catch (...) {
    finish(kNew);
    throw;
  }
  finish(kDone);
  return 0;
}

// The guard of a function's static variable: the first byte says that it is made.
bool acquire_guard(std::uint8_t* guard, const void* place) {
  const Inside inside;
  SyncObject& object = engine.object(key_of(guard));
  wait_for(Wait::exclusive, object, kNever, access_to(Kind::lock, key_of(guard), place));
  engine.acquire(object.message);
  if (guard[0] != 0) return false;
  object.owner = static_cast<std::int8_t>(engine.current().id);
  return true;
}
void release_guard(std::uint8_t* guard, bool made) {
  const Inside inside;
  guard[0] = made ? 1 : 0;
  SyncObject& object = engine.object(key_of(guard));
  engine.touch(object.key, 1, true);
  object.owner = -1;
  engine.release(object.message);
  engine.memory_changed();
}

/// Threads that an object has from its beginning would have to be there before the scenario's.
void refuse_outside(const void* place) {
  if (!engine.running() || active) return;
  engine.fail(ExploreFinding::unsupported, place,
              "a thread is created outside the scenario's threads, where the object is made or destroyed");
}

void end_by(ExploreFinding kind, const char* text, const void* place) {
  const Inside inside;
  engine.fail(kind, place, text);
}

}  // namespace

}  // namespace linchpin::explorer

using namespace linchpin::explorer;  // NOLINT(google-build-using-namespace)

extern "C" {

int pthread_create(pthread_t* __restrict thread, const pthread_attr_t* __restrict attributes, void* (*function)(void*),
                   void* __restrict argument) noexcept {
  refuse_outside(LINCHPIN_PLACE);
  LINCHPIN_NEXT(pthread_create, thread, attributes, function, argument);
  const Inside inside;
  *thread = engine.thread_id(engine.create(function, argument, LINCHPIN_PLACE));
  return 0;
}
int pthread_join(pthread_t thread, void** result) {
  LINCHPIN_NEXT(pthread_join, thread, result);
  return join(thread, result, LINCHPIN_PLACE);
}
int pthread_detach(pthread_t thread) noexcept {
  LINCHPIN_NEXT(pthread_detach, thread);
  return 0;
}
int pthread_once(pthread_once_t* state, void (*function)()) {
  LINCHPIN_NEXT(pthread_once, state, function);
  return once(state, function, LINCHPIN_PLACE);
}

// C11's threads are the others by other names; their results are numbers.
int thrd_create(thrd_t* thread, thrd_start_t function, void* argument) {
  refuse_outside(LINCHPIN_PLACE);
  LINCHPIN_NEXT(thrd_create, thread, function, argument);
  const Inside inside;
  // What it returns is in the same register, of which a number is the lower half.
  auto* const called = reinterpret_cast<void* (*)(void*)>(reinterpret_cast<void*>(function));
  *thread = engine.thread_id(engine.create(called, argument, LINCHPIN_PLACE));
  return thrd_success;
}
int thrd_join(thrd_t thread, int* result) {
  LINCHPIN_NEXT(thrd_join, thread, result);
  void* returned = nullptr;
  join(thread, &returned, LINCHPIN_PLACE);
  if (result != nullptr) *result = static_cast<int>(reinterpret_cast<std::intptr_t>(returned));
  return thrd_success;
}
int thrd_detach(thrd_t thread) {
  LINCHPIN_NEXT(thrd_detach, thread);
  return thrd_success;
}
void call_once(once_flag* flag, void (*function)()) {
  LINCHPIN_NEXT(call_once, flag, function);
  once(reinterpret_cast<int*>(flag), function, LINCHPIN_PLACE);
}

// NOLINTBEGIN(readability-identifier-naming): names of the C++ runtime
int __cxa_guard_acquire(abi::__guard* guard) {
  auto* const bytes = reinterpret_cast<std::uint8_t*>(guard);
  if (__atomic_load_n(&bytes[0], __ATOMIC_ACQUIRE) != 0 && !active) return 0;
  if (active) return acquire_guard(bytes, LINCHPIN_PLACE) ? 1 : 0;
  static const auto original = next<int(abi::__guard*)>("__cxa_guard_acquire");
  return original(guard);
}
void __cxa_guard_release(abi::__guard* guard) noexcept {
  if (active) {
    release_guard(reinterpret_cast<std::uint8_t*>(guard), true);
    return;
  }
  static const auto original = next<void(abi::__guard*)>("__cxa_guard_release");
  original(guard);
}
void __cxa_guard_abort(abi::__guard* guard) noexcept {
  if (active) {
    release_guard(reinterpret_cast<std::uint8_t*>(guard), false);
    return;
  }
  static const auto original = next<void(abi::__guard*)>("__cxa_guard_abort");
  original(guard);
}
int __cxa_thread_atexit(void (*function)(void*), void* object, void* module) noexcept {
  if (active) {
    const Inside inside;
    engine.at_thread_exit(function, object);
    return 0;
  }
  static const auto original = next<int(void (*)(void*), void*, void*)>("__cxa_thread_atexit");
  return original(function, object, module);
}

void __assert_fail(const char* assertion, const char* file, unsigned line, const char* function) noexcept {
  if (within_schedule()) end_by(linchpin::ExploreFinding::assertion, assertion, LINCHPIN_PLACE);
  static const auto original = next<void(const char*, const char*, unsigned, const char*)>("__assert_fail");
  original(assertion, file, line, function);
  __builtin_unreachable();
}
// NOLINTEND(readability-identifier-naming)
void abort() noexcept {
  if (within_schedule()) end_by(linchpin::ExploreFinding::assertion, "abort() was called", LINCHPIN_PLACE);
  static const auto original = next<void()>("abort");
  original();
  __builtin_unreachable();
}

}  // extern "C"

// Thread-specific values: pthread_key_create, tss_create. Within a schedule they are the logical thread's own, and gone
// when the schedule is. The C library would keep them in the thread that lends its storage, from schedule to schedule.
#include <pthread.h>
#include <threads.h>
#include <cerrno>
#include <climits>

#include "explore/runtime/interposed.hpp"

namespace linchpin::explorer {

namespace {

using Destructor = void (*)(void*);

Destructor destructors[PTHREAD_KEYS_MAX];  // of the keys that there are, by their numbers
void* values[kMostThreads][PTHREAD_KEYS_MAX];
unsigned used[kMostThreads];  // of them, the first so many

void* value_of(unsigned key) {
  const unsigned thread = engine.current().id;
  return key < used[thread] ? values[thread][key] : nullptr;
}

int set_value(unsigned key, const void* value) {
  if (key >= PTHREAD_KEYS_MAX) return EINVAL;
  const unsigned thread = engine.current().id;
  while (used[thread] <= key) values[thread][used[thread]++] = nullptr;
  values[thread][key] = const_cast<void*>(value);
  return 0;
}

void new_key(unsigned key, Destructor destructor) {
  if (key >= PTHREAD_KEYS_MAX) return;
  destructors[key] = destructor;
  for (unsigned thread = 0; thread < kMostThreads; ++thread) {  // an earlier key may have had the number
    if (key < used[thread]) values[thread][key] = nullptr;
  }
}

}  // namespace

void begin_specific_values(unsigned thread) { used[thread] = 0; }

/// As often as values are set by destructors, but not for ever.
void destroy_specific_values(unsigned thread) {
  bool any = true;
  for (int round = 0; any && round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round) {
    any = false;
    for (unsigned key = 0; key < used[thread]; ++key) {
      void* const value = values[thread][key];
      if (value == nullptr || destructors[key] == nullptr) continue;
      values[thread][key] = nullptr;
      any = true;
      active = true;
      destructors[key](value);
      active = false;
    }
  }
}

}  // namespace linchpin::explorer

using namespace linchpin::explorer;  // NOLINT(google-build-using-namespace)

extern "C" {

int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) noexcept {
  static const auto original = next<decltype(pthread_key_create)>("pthread_key_create");
  const int failed = original(key, destructor);
  if (failed == 0) new_key(*key, destructor);
  return failed;
}
int pthread_key_delete(pthread_key_t key) noexcept {
  if (key < PTHREAD_KEYS_MAX) destructors[key] = nullptr;
  static const auto original = next<decltype(pthread_key_delete)>("pthread_key_delete");
  return original(key);
}
void* pthread_getspecific(pthread_key_t key) noexcept {
  LINCHPIN_NEXT(pthread_getspecific, key);
  return value_of(key);
}
int pthread_setspecific(pthread_key_t key, const void* value) noexcept {
  LINCHPIN_NEXT(pthread_setspecific, key, value);
  return set_value(key, value);
}

int tss_create(tss_t* key, tss_dtor_t destructor) {
  return pthread_key_create(key, destructor) == 0 ? thrd_success : thrd_error;
}
void tss_delete(tss_t key) { pthread_key_delete(key); }
void* tss_get(tss_t key) { return pthread_getspecific(key); }
int tss_set(tss_t key, void* value) { return pthread_setspecific(key, value) == 0 ? thrd_success : thrd_error; }

}  // extern "C"

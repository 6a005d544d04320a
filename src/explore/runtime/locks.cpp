// Mutexes, spin locks, and locks for readers and writers.
//
// What a lock is in memory stays as it is; its state within a schedule is a SyncObject, found by its address. A thread
// that waits is not chosen until the lock is free, and whoever is chosen then takes it in the same step.
#include <threads.h>
#include <cerrno>

#include "explore/runtime/interposed.hpp"

namespace linchpin::explorer {

bool wait_for(Wait wait, SyncObject& object, std::int64_t deadline, const Access& access) {
  LogicalThread& self = engine.current();
  self.wait = wait;
  self.object = &object;
  self.deadline = deadline;
  engine.count_access();
  engine.step(access);
  engine.check_lifetime(access.address, access.place);
  return !self.timed_out;
}

namespace {

/// Who has it, as a number.
std::uint64_t state_of(const SyncObject& object) {
  return static_cast<std::uint64_t>(object.owner + 1) << 8U | object.readers;
}

/// Called when the lock has changed hands.
void changed_hands(const SyncObject& object, std::uint64_t before) {
  engine.memory_changed(object.key, before, state_of(object));
}

/// For the running thread alone. @pre nobody has it
void take_object(SyncObject& object) {
  const std::uint64_t before = state_of(object);
  object.owner = static_cast<std::int8_t>(engine.current().id);
  object.count = 1;
  engine.acquire(object.message);
  engine.acquire(object.read_message);
  changed_hands(object, before);
}

}  // namespace

bool lock_object(SyncObject& object, std::int64_t deadline, const Access& access) {
  if (!wait_for(Wait::exclusive, object, deadline, access)) return false;
  take_object(object);
  return true;
}

void unlock_object(SyncObject& object, const void* place) {
  if (object.owner != static_cast<std::int8_t>(engine.current().id)) {
    engine.fail(ExploreFinding::misuse, place, "a mutex is unlocked by a thread that does not hold it");
  }
  engine.touch(object.key, 1, true);
  if (--object.count > 0) {
    engine.note_private_write();
    return;
  }
  const std::uint64_t before = state_of(object);
  object.owner = -1;
  engine.release(object.message);
  changed_hands(object, before);
}

namespace {

constexpr int kRecursive = PTHREAD_MUTEX_RECURSIVE;

/// As the C library keeps it: the type that the mutex was initialised with.
bool recursive(const pthread_mutex_t* mutex) { return (mutex->__data.__kind & 3) == kRecursive; }

int lock_mutex(pthread_mutex_t* mutex, std::int64_t deadline, const void* place) {
  const Inside inside;
  SyncObject& object = engine.object(key_of(mutex));
  if (object.owner == static_cast<std::int8_t>(engine.current().id)) {
    if (!recursive(mutex)) {
      engine.fail(ExploreFinding::deadlock, place, "a thread locks a mutex that it holds already");
    }
    ++object.count;
    engine.note_private_write();
    return 0;
  }
  return lock_object(object, deadline, access_to(Kind::lock, key_of(mutex), place)) ? 0 : ETIMEDOUT;
}

int try_lock_mutex(pthread_mutex_t* mutex, const void* place) {
  const Inside inside;
  SyncObject& object = engine.object(key_of(mutex));
  engine.watch(key_of(mutex), place);  // perhaps it tries for ever
  engine.step(access_to(Kind::lock, key_of(mutex), place));
  engine.check_lifetime(key_of(mutex), place);
  const auto self = static_cast<std::int8_t>(engine.current().id);
  if (object.owner == self && recursive(mutex)) {
    ++object.count;
    engine.note_private_write();
    return 0;
  }
  if (object.owner >= 0) {
    if (TraceStep* const traced = engine.latest()) traced->failed = true;
    return EBUSY;
  }
  take_object(object);
  return 0;
}

int unlock_mutex(pthread_mutex_t* mutex, const void* place) {
  const Inside inside;
  SyncObject& object = engine.object(key_of(mutex));
  engine.step(access_to(Kind::unlock, key_of(mutex), place));
  engine.check_lifetime(key_of(mutex), place);
  unlock_object(object, place);
  return 0;
}

int destroy_lock(const volatile void* lock, const void* place) {
  const Inside inside;
  engine.touch(key_of(lock), 1, true);
  if (const SyncObject* const object = engine.find_object(key_of(lock)); object != nullptr && object->owner >= 0) {
    engine.fail(ExploreFinding::misuse, place, "a mutex is destroyed while a thread holds it");
  }
  return 0;
}

int lock_shared(const volatile void* lock, std::int64_t deadline, bool wait, const void* place) {
  const Inside inside;
  SyncObject& object = engine.object(key_of(lock));
  const Access access = access_to(Kind::lock, key_of(lock), place);
  if (wait) {
    if (!wait_for(Wait::shared, object, deadline, access)) return ETIMEDOUT;
  } else {
    engine.watch(key_of(lock), place);
    engine.step(access);
    if (object.owner >= 0) return EBUSY;
  }
  const std::uint64_t before = state_of(object);
  object.readers = static_cast<std::uint8_t>(object.readers | 1U << engine.current().id);
  engine.acquire(object.message);
  changed_hands(object, before);
  return 0;
}

int lock_for_writing(const volatile void* lock, std::int64_t deadline, bool wait, const void* place) {
  const Inside inside;
  SyncObject& object = engine.object(key_of(lock));
  const Access access = access_to(Kind::lock, key_of(lock), place);
  if (wait) return lock_object(object, deadline, access) ? 0 : ETIMEDOUT;
  engine.watch(key_of(lock), place);
  engine.step(access);
  if (object.owner >= 0 || object.readers != 0) return EBUSY;
  take_object(object);
  return 0;
}

int unlock_either(const volatile void* lock, const void* place) {
  const Inside inside;
  SyncObject& object = engine.object(key_of(lock));
  engine.step(access_to(Kind::unlock, key_of(lock), place));
  const unsigned bit = 1U << engine.current().id;
  if ((object.readers & bit) == 0) {
    unlock_object(object, place);
    return 0;
  }
  const std::uint64_t before = state_of(object);
  object.readers = static_cast<std::uint8_t>(object.readers & ~bit);
  VectorClock message;
  engine.release(message);
  object.read_message.join(message);
  changed_hands(object, before);
  return 0;
}

/// What C11's functions return instead of error numbers.
int thrd_result(int number) {
  switch (number) {
    case 0: return thrd_success;
    case EBUSY: return thrd_busy;
    case ETIMEDOUT: return thrd_timedout;
    default: return thrd_error;
  }
}
/// C11's mutex is the other one by another name.
pthread_mutex_t* mutex_of(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }

}  // namespace

}  // namespace linchpin::explorer

using namespace linchpin::explorer;  // NOLINT(google-build-using-namespace)

extern "C" {

int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  LINCHPIN_NEXT(pthread_mutex_lock, mutex);
  return lock_mutex(mutex, kNever, LINCHPIN_PLACE);
}
int pthread_mutex_timedlock(pthread_mutex_t* __restrict mutex, const timespec* __restrict until) noexcept {
  LINCHPIN_NEXT(pthread_mutex_timedlock, mutex, until);
  return lock_mutex(mutex, nanoseconds(*until), LINCHPIN_PLACE);
}
int pthread_mutex_clocklock(pthread_mutex_t* __restrict mutex, clockid_t clock,
                            const timespec* __restrict until) noexcept {
  LINCHPIN_NEXT(pthread_mutex_clocklock, mutex, clock, until);
  return lock_mutex(mutex, nanoseconds(*until), LINCHPIN_PLACE);
}
int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
  LINCHPIN_NEXT(pthread_mutex_trylock, mutex);
  return try_lock_mutex(mutex, LINCHPIN_LOOKING_PLACE);
}
int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  LINCHPIN_NEXT(pthread_mutex_unlock, mutex);
  return unlock_mutex(mutex, LINCHPIN_PLACE);
}
int pthread_mutex_destroy(pthread_mutex_t* mutex) noexcept {
  LINCHPIN_NEXT(pthread_mutex_destroy, mutex);
  return destroy_lock(mutex, LINCHPIN_PLACE);
}

int mtx_lock(mtx_t* mutex) {
  LINCHPIN_NEXT(mtx_lock, mutex);
  return thrd_result(lock_mutex(mutex_of(mutex), kNever, LINCHPIN_PLACE));
}
int mtx_timedlock(mtx_t* __restrict mutex, const timespec* __restrict until) {
  LINCHPIN_NEXT(mtx_timedlock, mutex, until);
  return thrd_result(lock_mutex(mutex_of(mutex), nanoseconds(*until), LINCHPIN_PLACE));
}
int mtx_trylock(mtx_t* mutex) {
  LINCHPIN_NEXT(mtx_trylock, mutex);
  return thrd_result(try_lock_mutex(mutex_of(mutex), LINCHPIN_LOOKING_PLACE));
}
int mtx_unlock(mtx_t* mutex) {
  LINCHPIN_NEXT(mtx_unlock, mutex);
  return thrd_result(unlock_mutex(mutex_of(mutex), LINCHPIN_PLACE));
}
void mtx_destroy(mtx_t* mutex) {
  LINCHPIN_NEXT(mtx_destroy, mutex);
  destroy_lock(mutex, LINCHPIN_PLACE);
}

int pthread_spin_lock(pthread_spinlock_t* lock) noexcept {
  LINCHPIN_NEXT(pthread_spin_lock, lock);
  return lock_for_writing(lock, kNever, true, LINCHPIN_PLACE);
}
int pthread_spin_trylock(pthread_spinlock_t* lock) noexcept {
  LINCHPIN_NEXT(pthread_spin_trylock, lock);
  return lock_for_writing(lock, kNever, false, LINCHPIN_LOOKING_PLACE);
}
int pthread_spin_unlock(pthread_spinlock_t* lock) noexcept {
  LINCHPIN_NEXT(pthread_spin_unlock, lock);
  return unlock_either(lock, LINCHPIN_PLACE);
}

int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
  LINCHPIN_NEXT(pthread_rwlock_rdlock, lock);
  return lock_shared(lock, kNever, true, LINCHPIN_PLACE);
}
int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) noexcept {
  LINCHPIN_NEXT(pthread_rwlock_tryrdlock, lock);
  return lock_shared(lock, kNever, false, LINCHPIN_LOOKING_PLACE);
}
int pthread_rwlock_timedrdlock(pthread_rwlock_t* __restrict lock, const timespec* __restrict until) noexcept {
  LINCHPIN_NEXT(pthread_rwlock_timedrdlock, lock, until);
  return lock_shared(lock, nanoseconds(*until), true, LINCHPIN_PLACE);
}
int pthread_rwlock_clockrdlock(pthread_rwlock_t* __restrict lock, clockid_t clock,
                               const timespec* __restrict until) noexcept {
  LINCHPIN_NEXT(pthread_rwlock_clockrdlock, lock, clock, until);
  return lock_shared(lock, nanoseconds(*until), true, LINCHPIN_PLACE);
}
int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
  LINCHPIN_NEXT(pthread_rwlock_wrlock, lock);
  return lock_for_writing(lock, kNever, true, LINCHPIN_PLACE);
}
int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) noexcept {
  LINCHPIN_NEXT(pthread_rwlock_trywrlock, lock);
  return lock_for_writing(lock, kNever, false, LINCHPIN_LOOKING_PLACE);
}
int pthread_rwlock_timedwrlock(pthread_rwlock_t* __restrict lock, const timespec* __restrict until) noexcept {
  LINCHPIN_NEXT(pthread_rwlock_timedwrlock, lock, until);
  return lock_for_writing(lock, nanoseconds(*until), true, LINCHPIN_PLACE);
}
int pthread_rwlock_clockwrlock(pthread_rwlock_t* __restrict lock, clockid_t clock,
                               const timespec* __restrict until) noexcept {
  LINCHPIN_NEXT(pthread_rwlock_clockwrlock, lock, clock, until);
  return lock_for_writing(lock, nanoseconds(*until), true, LINCHPIN_PLACE);
}
int pthread_rwlock_unlock(pthread_rwlock_t* lock) noexcept {
  LINCHPIN_NEXT(pthread_rwlock_unlock, lock);
  return unlock_either(lock, LINCHPIN_PLACE);
}

}  // extern "C"

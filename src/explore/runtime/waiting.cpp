// Waiting for somebody: condition variables, semaphores, barriers, futexes (std::atomic::wait); and for a time, by a
// clock that goes on when somebody looks at it or when nobody can do anything but wait.
//
// A wait with a time-out may end by it at any step. Waiters are woken without order: which one is a choice of the
// schedule. Waits do not end without a reason (spurious wake-ups).
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>
#include <cerrno>
#include <cstdarg>

#include "explore/runtime/interposed.hpp"

// NOLINTBEGIN(performance-no-int-to-ptr): addresses are numbers here, and memory is found by them

namespace linchpin::explorer {

void enqueue_waiter(SyncObject& object) {
  LogicalThread& self = engine.current();
  self.notified = false;
  engine.touch(object.key, 1, true);
  object.waiters[object.waiting++] = self.id;
}

void dequeue_waiter(SyncObject& object) {
  const LogicalThread& self = engine.current();
  engine.touch(object.key, 1, true);
  unsigned kept = 0;
  for (unsigned i = 0; i < object.waiting; ++i) {
    if (object.waiters[i] != self.id) object.waiters[kept++] = object.waiters[i];
  }
  object.waiting = static_cast<std::uint8_t>(kept);
}

unsigned wake_waiters(SyncObject& object, unsigned most) {
  unsigned woken = 0;
  engine.touch(object.key, 1, true);
  while (object.waiting > 0 && woken < most) {
    const unsigned chosen = most >= object.waiting + woken ? 0 : engine.choose_value(object.waiting, true);
    LogicalThread& thread = engine.thread(object.waiters[chosen]);
    thread.notified = true;
    engine.touch(&thread.notified);
    for (unsigned i = chosen + 1; i < object.waiting; ++i) object.waiters[i - 1] = object.waiters[i];
    --object.waiting;
    ++woken;
  }
  if (woken > 0) engine.memory_changed();
  return woken;
}

namespace {

int wait_for_signal(pthread_cond_t* condition, pthread_mutex_t* mutex, std::int64_t deadline, const void* place) {
  const Inside inside;
  SyncObject& signal = engine.object(key_of(condition));
  SyncObject& lock = engine.object(key_of(mutex));
  LogicalThread& self = engine.current();
  engine.step(access_to(Kind::wait, key_of(condition), place));
  engine.check_lifetime(key_of(condition), place);
  enqueue_waiter(signal);
  const std::uint32_t depth = lock.count;
  lock.count = 1;
  unlock_object(lock, place);
  const bool woken =
      wait_for(Wait::notified_and_exclusive, lock, deadline, access_to(Kind::lock, key_of(mutex), place));
  if (!woken) dequeue_waiter(signal);
  lock.owner = static_cast<std::int8_t>(self.id);
  lock.count = depth;
  engine.acquire(lock.message);
  engine.memory_changed();
  return woken ? 0 : ETIMEDOUT;
}

int wake(pthread_cond_t* condition, unsigned most, const void* place) {
  const Inside inside;
  engine.step(access_to(Kind::wake, key_of(condition), place));
  engine.check_lifetime(key_of(condition), place);
  wake_waiters(engine.object(key_of(condition)), most);
  return 0;
}

/// Semaphores begin with what sem_init put into memory.
SyncObject& semaphore(sem_t* semaphore) {
  SyncObject& object = engine.object(key_of(semaphore));
  if (!object.initialised) {
    int value = 0;
    static const auto original = next<int(sem_t*, int*)>("sem_getvalue");
    original(semaphore, &value);
    object.count = static_cast<std::uint32_t>(value);
    object.initialised = true;
  }
  return object;
}

int take(sem_t* given, std::int64_t deadline, bool wait, const void* place) {
  const Inside inside;
  SyncObject& object = semaphore(given);
  const Access access = access_to(Kind::wait, key_of(given), place);
  if (wait) {
    if (!wait_for(Wait::count, object, deadline, access)) {
      errno = ETIMEDOUT;
      return -1;
    }
  } else {
    engine.watch(key_of(given), place);
    engine.step(access);
    if (object.count == 0) {
      errno = EAGAIN;
      return -1;
    }
  }
  --object.count;
  engine.acquire(object.message);
  engine.memory_changed();
  return 0;
}

int arrive(pthread_barrier_t* barrier, const void* place) {
  const Inside inside;
  SyncObject& object = engine.object(key_of(barrier));
  if (!object.initialised)
    engine.fail(ExploreFinding::unsupported, place, "a barrier that was made outside the scenario");
  engine.step(access_to(Kind::wait, key_of(barrier), place));
  VectorClock message;
  engine.release(message);
  object.read_message.join(message);
  if (++object.phase == object.count) {
    object.phase = 0;
    object.message = object.read_message;
    engine.acquire(object.message);
    wake_waiters(object, kMostThreads);
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  enqueue_waiter(object);
  wait_for(Wait::notified, object, kNever, access_to(Kind::wait, key_of(barrier), place));
  engine.acquire(object.message);
  return 0;
}

void sleep_until(std::int64_t time, const void* place) {
  const Inside inside;
  SyncObject& nothing = engine.object(key_of(&engine));
  engine.current().notified = false;
  wait_for(Wait::notified, nothing, time, access_to(Kind::sleep, 0, place));
}

void yield(const void* place) {
  const Inside inside;
  engine.watch(0, place, true);
  engine.step(access_to(Kind::yield, 0, place));
}

long futex(std::uint32_t* word, int operation, std::uint32_t value, const timespec* time, const void* place) {
  const Inside inside;
  const int command = operation & FUTEX_CMD_MASK;
  SyncObject& object = engine.object(key_of(word));
  if (command == FUTEX_WAKE || command == FUTEX_WAKE_BITSET) {
    engine.step(access_to(Kind::wake, key_of(word), place));
    return wake_waiters(object, value);
  }
  if (command != FUTEX_WAIT && command != FUTEX_WAIT_BITSET) {
    engine.fail(ExploreFinding::unsupported, place, "a futex operation other than wait and wake");
  }
  engine.step(access_to(Kind::wait, key_of(word), place));
  engine.check_lifetime(key_of(word), place);
  engine.touch(key_of(word), sizeof *word, true);
  if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != value) {
    errno = EAGAIN;
    return -1;
  }
  std::int64_t deadline = kNever;
  if (time != nullptr) deadline = nanoseconds(*time) + (command == FUTEX_WAIT ? engine.now() : 0);
  enqueue_waiter(object);
  if (wait_for(Wait::notified, object, deadline, access_to(Kind::wait, key_of(word), place))) return 0;
  dequeue_waiter(object);
  errno = ETIMEDOUT;
  return -1;
}

}  // namespace

}  // namespace linchpin::explorer

using namespace linchpin::explorer;  // NOLINT(google-build-using-namespace)

extern "C" {

int pthread_cond_wait(pthread_cond_t* __restrict condition, pthread_mutex_t* __restrict mutex) {
  LINCHPIN_NEXT(pthread_cond_wait, condition, mutex);
  return wait_for_signal(condition, mutex, kNever, LINCHPIN_PLACE);
}
int pthread_cond_timedwait(pthread_cond_t* __restrict condition, pthread_mutex_t* __restrict mutex,
                           const timespec* __restrict until) {
  LINCHPIN_NEXT(pthread_cond_timedwait, condition, mutex, until);
  return wait_for_signal(condition, mutex, nanoseconds(*until), LINCHPIN_PLACE);
}
int pthread_cond_clockwait(pthread_cond_t* __restrict condition, pthread_mutex_t* __restrict mutex, clockid_t clock,
                           const timespec* __restrict until) {
  LINCHPIN_NEXT(pthread_cond_clockwait, condition, mutex, clock, until);
  return wait_for_signal(condition, mutex, nanoseconds(*until), LINCHPIN_PLACE);
}
int pthread_cond_signal(pthread_cond_t* condition) noexcept {
  LINCHPIN_NEXT(pthread_cond_signal, condition);
  return wake(condition, 1, LINCHPIN_PLACE);
}
int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  LINCHPIN_NEXT(pthread_cond_broadcast, condition);
  return wake(condition, kMostThreads, LINCHPIN_PLACE);
}
int pthread_cond_destroy(pthread_cond_t* condition) noexcept {
  LINCHPIN_NEXT(pthread_cond_destroy, condition);
  return 0;
}

// C11's condition variables and mutexes are the others by other names.
int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  LINCHPIN_NEXT(cnd_wait, condition, mutex);
  wait_for_signal(reinterpret_cast<pthread_cond_t*>(condition), reinterpret_cast<pthread_mutex_t*>(mutex), kNever,
                  LINCHPIN_PLACE);
  return thrd_success;
}
int cnd_timedwait(cnd_t* __restrict condition, mtx_t* __restrict mutex, const timespec* __restrict until) {
  LINCHPIN_NEXT(cnd_timedwait, condition, mutex, until);
  const int failed = wait_for_signal(reinterpret_cast<pthread_cond_t*>(condition),
                                     reinterpret_cast<pthread_mutex_t*>(mutex), nanoseconds(*until), LINCHPIN_PLACE);
  return failed == 0 ? thrd_success : thrd_timedout;
}
int cnd_signal(cnd_t* condition) {
  LINCHPIN_NEXT(cnd_signal, condition);
  return wake(reinterpret_cast<pthread_cond_t*>(condition), 1, LINCHPIN_PLACE);
}
int cnd_broadcast(cnd_t* condition) {
  LINCHPIN_NEXT(cnd_broadcast, condition);
  return wake(reinterpret_cast<pthread_cond_t*>(condition), kMostThreads, LINCHPIN_PLACE);
}
void cnd_destroy(cnd_t* condition) { LINCHPIN_NEXT(cnd_destroy, condition); }

int sem_wait(sem_t* given) {
  LINCHPIN_NEXT(sem_wait, given);
  return take(given, kNever, true, LINCHPIN_PLACE);
}
int sem_timedwait(sem_t* __restrict given, const timespec* __restrict until) {
  LINCHPIN_NEXT(sem_timedwait, given, until);
  return take(given, nanoseconds(*until), true, LINCHPIN_PLACE);
}
int sem_clockwait(sem_t* __restrict given, clockid_t clock, const timespec* __restrict until) {
  LINCHPIN_NEXT(sem_clockwait, given, clock, until);
  return take(given, nanoseconds(*until), true, LINCHPIN_PLACE);
}
int sem_trywait(sem_t* given) noexcept {
  LINCHPIN_NEXT(sem_trywait, given);
  return take(given, kNever, false, LINCHPIN_LOOKING_PLACE);
}
int sem_post(sem_t* given) noexcept {
  LINCHPIN_NEXT(sem_post, given);
  const Inside inside;
  SyncObject& object = semaphore(given);
  engine.step(access_to(Kind::wake, key_of(given), LINCHPIN_PLACE));
  VectorClock message;
  engine.release(message);
  object.message.join(message);
  ++object.count;
  engine.memory_changed();
  return 0;
}
int sem_getvalue(sem_t* __restrict given, int* __restrict value) noexcept {
  LINCHPIN_NEXT(sem_getvalue, given, value);
  const Inside inside;
  engine.watch(key_of(given), LINCHPIN_LOOKING_PLACE);
  engine.step(access_to(Kind::wait, key_of(given), LINCHPIN_PLACE));
  *value = static_cast<int>(semaphore(given).count);
  return 0;
}

int pthread_barrier_init(pthread_barrier_t* __restrict barrier, const pthread_barrierattr_t* __restrict attributes,
                         unsigned count) noexcept {
  if (engine.running()) {
    const Inside inside;
    SyncObject& object = engine.object(key_of(barrier));
    engine.touch(object.key, 1, true);
    object.initialised = true;
    object.count = count;
    object.phase = 0;
  }
  static const auto original = next<decltype(pthread_barrier_init)>("pthread_barrier_init");
  return original(barrier, attributes, count);
}
int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
  LINCHPIN_NEXT(pthread_barrier_wait, barrier);
  return arrive(barrier, LINCHPIN_PLACE);
}

int sched_yield() noexcept {
  LINCHPIN_NEXT(sched_yield);
  yield(LINCHPIN_LOOKING_PLACE);
  return 0;
}
void thrd_yield() {
  LINCHPIN_NEXT(thrd_yield);
  yield(LINCHPIN_LOOKING_PLACE);
}
int thrd_sleep(const timespec* duration, timespec* rest) {
  LINCHPIN_NEXT(thrd_sleep, duration, rest);
  sleep_until(engine.now() + nanoseconds(*duration), LINCHPIN_PLACE);
  return 0;
}

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  LINCHPIN_NEXT(clock_gettime, clock, time);
  const std::int64_t now = engine.now();
  time->tv_sec = now / 1'000'000'000;
  time->tv_nsec = now % 1'000'000'000;
  return 0;
}
int nanosleep(const timespec* duration, timespec* rest) {
  LINCHPIN_NEXT(nanosleep, duration, rest);
  sleep_until(engine.now() + nanoseconds(*duration), LINCHPIN_PLACE);
  return 0;
}
int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* rest) {
  LINCHPIN_NEXT(clock_nanosleep, clock, flags, time, rest);
  sleep_until(nanoseconds(*time) + (flags == TIMER_ABSTIME ? 0 : engine.now()), LINCHPIN_PLACE);
  return 0;
}
int usleep(useconds_t microseconds) {
  LINCHPIN_NEXT(usleep, microseconds);
  sleep_until(engine.now() + std::int64_t{microseconds} * 1000, LINCHPIN_PLACE);
  return 0;
}
/// Without descriptors it only sleeps.
int poll(pollfd* descriptors, nfds_t count, int milliseconds) {
  if (!active || count > 0 || milliseconds < 0) {
    static const auto original = next<decltype(poll)>("poll");
    return original(descriptors, count, milliseconds);
  }
  sleep_until(engine.now() + std::int64_t{milliseconds} * 1'000'000, LINCHPIN_PLACE);
  return 0;
}
unsigned sleep(unsigned seconds) {
  LINCHPIN_NEXT(sleep, seconds);
  sleep_until(engine.now() + std::int64_t{seconds} * 1'000'000'000, LINCHPIN_PLACE);
  return 0;
}

long syscall(long number, ...) noexcept {
  std::va_list arguments;
  va_start(arguments, number);
  long values[6];
  for (long& value : values) value = va_arg(arguments, long);
  va_end(arguments);
  if (active && number == SYS_futex) {
    return futex(reinterpret_cast<std::uint32_t*>(values[0]), static_cast<int>(values[1]),
                 static_cast<std::uint32_t>(values[2]), reinterpret_cast<const timespec*>(values[3]), LINCHPIN_PLACE);
  }
  const long result = system_call(number, values[0], values[1], values[2], values[3], values[4], values[5]);
  if (result >= 0 || result < -4095) return result;
  errno = static_cast<int>(-result);
  return -1;
}

}  // extern "C"

// NOLINTEND(performance-no-int-to-ptr)

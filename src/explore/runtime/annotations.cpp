// Annotations of the thread sanitizer, which some libraries make: to ignore accesses is heeded, and accesses that are
// told are seen. The rest says what the runtime sees by itself, or what would keep it from seeing: that something
// happens before something else, which has to be shown by the accesses, and where a mutex of one's own begins and ends.
// These are the names that clang 19 and its sanitizer's interface have.
#include "explore/runtime/engine.hpp"

namespace linchpin::explorer {

namespace {

void change(unsigned LogicalThread::*count, int by) {
  if (!active) return;
  unsigned& present = engine.current().*count;
  if (by > 0 || present > 0) present += static_cast<unsigned>(by);
}

void tell_access(void* address, bool write, const void* place) {
  if (!active) return;
  const Inside inside;
  engine.plain_access(reinterpret_cast<std::uintptr_t>(address), 1, write, place);
}

void refuse_fibers(const void* place) {
  if (!active) return;
  const Inside inside;
  engine.fail(ExploreFinding::unsupported, place, "fibers of the code under test are not explored");
}

}  // namespace

}  // namespace linchpin::explorer

using linchpin::explorer::active;
using linchpin::explorer::change;
using linchpin::explorer::engine;
using linchpin::explorer::LogicalThread;
using linchpin::explorer::refuse_fibers;
using linchpin::explorer::tell_access;

// NOLINTBEGIN(readability-identifier-naming): the sanitizer's names
extern "C" {

void AnnotateIgnoreReadsBegin(const char* /*file*/, int /*line*/) { change(&LogicalThread::ignore_reads, 1); }
void AnnotateIgnoreReadsEnd(const char* /*file*/, int /*line*/) { change(&LogicalThread::ignore_reads, -1); }
void AnnotateIgnoreWritesBegin(const char* /*file*/, int /*line*/) { change(&LogicalThread::ignore_writes, 1); }
void AnnotateIgnoreWritesEnd(const char* /*file*/, int /*line*/) { change(&LogicalThread::ignore_writes, -1); }
void AnnotateHappensBefore(const char* /*file*/, int /*line*/, const volatile void* /*address*/) {}
void AnnotateHappensAfter(const char* /*file*/, int /*line*/, const volatile void* /*address*/) {}
void AnnotateNewMemory(const char* /*file*/, int /*line*/, const volatile void* /*address*/, unsigned long /*size*/) {}
void AnnotateRWLocoriginal(const char* /*file*/, int /*line*/, const volatile void* /*lock*/) {}
void AnnotateRWLockDestroy(const char* /*file*/, int /*line*/, const volatile void* /*lock*/) {}
void AnnotateRWLockAcquired(const char* /*file*/, int /*line*/, const volatile void* /*lock*/, long /*writes*/) {}
void AnnotateRWLockReleased(const char* /*file*/, int /*line*/, const volatile void* /*lock*/, long /*writes*/) {}
void AnnotateRWLockCreate(const char* /*file*/, int /*line*/, const volatile void* /*lock*/) {}
void AnnotateRWLockCreateStatic(const char* /*file*/, int /*line*/, const volatile void* /*lock*/) {}
void AnnotateIgnoreSyncBegin(const char* /*file*/, int /*line*/) {}
void AnnotateIgnoreSyncEnd(const char* /*file*/, int /*line*/) {}
void AnnotateBenignRace(const char* /*file*/, int /*line*/, const volatile void* /*address*/, const char* /*why*/) {}
void AnnotateBenignRaceSized(const char* /*file*/, int /*line*/, const volatile void* /*address*/,
                             unsigned long /*size*/, const char* /*why*/) {}
void AnnotateEnableRaceDetection(const char* /*file*/, int /*line*/, int /*on*/) {}
void AnnotateFlushState(const char* /*file*/, int /*line*/) {}
void AnnotateThreadName(const char* /*file*/, int /*line*/, const char* /*name*/) {}
void AnnotateMemoryIsInitialized(const char* /*file*/, int /*line*/, const volatile void* /*address*/,
                                 unsigned long /*size*/) {}
int RunningOnValgrind() { return 0; }

void __tsan_acquire(void* /*address*/) {}
void __tsan_release(void* /*address*/) {}
void __tsan_flush_memory() {}
void __tsan_on_thread_idle() {}
void __tsan_check_no_mutexes_held() {}
void __tsan_ignore_thread_begin() {
  change(&LogicalThread::ignore_reads, 1);
  change(&LogicalThread::ignore_writes, 1);
}
void __tsan_ignore_thread_end() {
  change(&LogicalThread::ignore_reads, -1);
  change(&LogicalThread::ignore_writes, -1);
}

void __tsan_mutex_create(void* /*mutex*/, unsigned /*flags*/) {}
void __tsan_mutex_destroy(void* /*mutex*/, unsigned /*flags*/) {}
void __tsan_mutex_pre_lock(void* /*mutex*/, unsigned /*flags*/) {}
void __tsan_mutex_post_lock(void* /*mutex*/, unsigned /*flags*/, int /*recursion*/) {}
int __tsan_mutex_pre_unlock(void* /*mutex*/, unsigned /*flags*/) { return 0; }
void __tsan_mutex_post_unlock(void* /*mutex*/, unsigned /*flags*/) {}
void __tsan_mutex_pre_signal(void* /*mutex*/, unsigned /*flags*/) {}
void __tsan_mutex_post_signal(void* /*mutex*/, unsigned /*flags*/) {}
void __tsan_mutex_pre_divert(void* /*mutex*/, unsigned /*flags*/) {}
void __tsan_mutex_post_divert(void* /*mutex*/, unsigned /*flags*/) {}

// Objects of libraries that are not instrumented: a byte stands for each.
void* __tsan_external_register_tag(const char* /*type*/) { return nullptr; }
void __tsan_external_register_header(void* /*tag*/, const char* /*header*/) {}
void __tsan_external_assign_tag(void* /*address*/, void* /*tag*/) {}
void __tsan_external_read(void* address, void* place, void* /*tag*/) { tell_access(address, false, place); }
void __tsan_external_write(void* address, void* place, void* /*tag*/) { tell_access(address, true, place); }

// Fibers of the code under test: two of them on one thread would be taken for one.
void* __tsan_get_current_fiber() { return active ? &engine.current() : nullptr; }
void* __tsan_create_fiber(unsigned /*flags*/) {
  refuse_fibers(__builtin_return_address(0));
  return nullptr;
}
void __tsan_destroy_fiber(void* /*fiber*/) {}
void __tsan_switch_to_fiber(void* /*fiber*/, unsigned /*flags*/) { refuse_fibers(__builtin_return_address(0)); }
void __tsan_set_fiber_name(void* /*fiber*/, const char* /*name*/) {}

}  // extern "C"
// NOLINTEND(readability-identifier-naming)

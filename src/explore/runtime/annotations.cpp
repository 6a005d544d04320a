// Annotations of the thread sanitizer, which some libraries make: to ignore accesses is heeded; the rest says what the
// runtime sees by itself.
#include "explore/runtime/engine.hpp"

namespace linchpin::explorer {

namespace {

void change(unsigned LogicalThread::*count, int by) {
  if (!active) return;
  unsigned& present = engine.current().*count;
  if (by > 0 || present > 0) present += static_cast<unsigned>(by);
}

}  // namespace

}  // namespace linchpin::explorer

using linchpin::explorer::change;
using linchpin::explorer::LogicalThread;

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
void __tsan_acquire(void* /*address*/) {}
void __tsan_release(void* /*address*/) {}

}  // extern "C"
// NOLINTEND(readability-identifier-naming)

// The functions that g++ 12 and clang 14 to 19 call in code compiled with -fsanitize=thread, and those of the
// sanitizer's interface in clang 19, by their names: a program that calls one that is missing would not link. Debian 12
// has no later clang than 16, so that the later ones are held to the list.
#include <dlfcn.h>

#include <atomic>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "linchpin/explore.hpp"

#define LINCHPIN_NAMES(X)            \
  X(__tsan_init)                     \
  X(__tsan_func_entry)               \
  X(__tsan_func_exit)                \
  X(__tsan_ignore_thread_begin)      \
  X(__tsan_ignore_thread_end)        \
  X(__tsan_vptr_update)              \
  X(__tsan_vptr_read)                \
  X(__tsan_memcpy)                   \
  X(__tsan_memmove)                  \
  X(__tsan_memset)                   \
  X(__tsan_read_range)               \
  X(__tsan_write_range)              \
  X(__tsan_read_range_pc)            \
  X(__tsan_write_range_pc)           \
  X(__tsan_atomic_thread_fence)      \
  X(__tsan_atomic_signal_fence)      \
  X(__tsan_acquire)                  \
  X(__tsan_release)                  \
  X(__tsan_flush_memory)             \
  X(__tsan_check_no_mutexes_held)    \
  X(__tsan_mutex_create)             \
  X(__tsan_mutex_destroy)            \
  X(__tsan_mutex_pre_lock)           \
  X(__tsan_mutex_post_lock)          \
  X(__tsan_mutex_pre_unlock)         \
  X(__tsan_mutex_post_unlock)        \
  X(__tsan_mutex_pre_signal)         \
  X(__tsan_mutex_post_signal)        \
  X(__tsan_mutex_pre_divert)         \
  X(__tsan_mutex_post_divert)        \
  X(__tsan_external_register_tag)    \
  X(__tsan_external_register_header) \
  X(__tsan_external_assign_tag)      \
  X(__tsan_external_read)            \
  X(__tsan_external_write)           \
  X(__tsan_get_current_fiber)        \
  X(__tsan_create_fiber)             \
  X(__tsan_destroy_fiber)            \
  X(__tsan_switch_to_fiber)          \
  X(__tsan_set_fiber_name)           \
  X(AnnotateHappensBefore)           \
  X(AnnotateHappensAfter)            \
  X(AnnotateIgnoreReadsBegin)        \
  X(AnnotateIgnoreReadsEnd)          \
  X(AnnotateIgnoreWritesBegin)       \
  X(AnnotateIgnoreWritesEnd)         \
  X(AnnotateIgnoreSyncBegin)         \
  X(AnnotateIgnoreSyncEnd)           \
  X(AnnotateBenignRaceSized)         \
  X(AnnotateRWLockCreate)            \
  X(AnnotateRWLockDestroy)           \
  X(AnnotateRWLockAcquired)          \
  X(AnnotateRWLockReleased)          \
  X(AnnotateNewMemory)

#define LINCHPIN_ACCESS_NAMES(X, bytes) \
  X(__tsan_read##bytes)                 \
  X(__tsan_write##bytes)                \
  X(__tsan_read##bytes##_pc)            \
  X(__tsan_write##bytes##_pc)           \
  X(__tsan_read_write##bytes)           \
  X(__tsan_unaligned_read##bytes)       \
  X(__tsan_unaligned_write##bytes)      \
  X(__tsan_unaligned_read_write##bytes) \
  X(__tsan_volatile_read##bytes)        \
  X(__tsan_volatile_write##bytes)       \
  X(__tsan_unaligned_volatile_read##bytes) X(__tsan_unaligned_volatile_write##bytes)

#define LINCHPIN_ATOMIC_NAMES(X, bits)          \
  X(__tsan_atomic##bits##_load)                 \
  X(__tsan_atomic##bits##_store)                \
  X(__tsan_atomic##bits##_exchange)             \
  X(__tsan_atomic##bits##_fetch_add)            \
  X(__tsan_atomic##bits##_fetch_sub)            \
  X(__tsan_atomic##bits##_fetch_and)            \
  X(__tsan_atomic##bits##_fetch_or)             \
  X(__tsan_atomic##bits##_fetch_xor)            \
  X(__tsan_atomic##bits##_fetch_nand)           \
  X(__tsan_atomic##bits##_compare_exchange_val) \
  X(__tsan_atomic##bits##_compare_exchange_strong) X(__tsan_atomic##bits##_compare_exchange_weak)

#define LINCHPIN_ALL_NAMES(X)  \
  LINCHPIN_NAMES(X)            \
  LINCHPIN_ACCESS_NAMES(X, 1)  \
  LINCHPIN_ACCESS_NAMES(X, 2)  \
  LINCHPIN_ACCESS_NAMES(X, 4)  \
  LINCHPIN_ACCESS_NAMES(X, 8)  \
  LINCHPIN_ACCESS_NAMES(X, 16) \
  LINCHPIN_ATOMIC_NAMES(X, 8)  \
  LINCHPIN_ATOMIC_NAMES(X, 16) \
  LINCHPIN_ATOMIC_NAMES(X, 32) \
  LINCHPIN_ATOMIC_NAMES(X, 64) \
  LINCHPIN_ATOMIC_NAMES(X, 128)

// Names of assembly, since the compiler has types of its own for some of them.
#define LINCHPIN_TAKE(name) asm(".pushsection .data.rel\n.quad " #name "\n.popsection");
LINCHPIN_ALL_NAMES(LINCHPIN_TAKE)
#undef LINCHPIN_TAKE

extern "C" {
void* __tsan_create_fiber(unsigned flags);                         // NOLINT: the sanitizer's name
void __tsan_external_write(void* object, void* place, void* tag);  // NOLINT
void __tsan_ignore_thread_begin();                                 // NOLINT
void __tsan_ignore_thread_end();                                   // NOLINT
}

namespace linchpin::interface_test {
namespace {

struct Shared {
  std::atomic<int> number = 0;
  int plain = 0;
};

ExploreResult both(void (*one)(Shared&), void (*other)(Shared&)) {
  Threads<Shared> threads([] { return std::make_unique<Shared>(); });
  threads.add(one).add(other);
  return explore(threads);
}

// It has linked. That the names are those of the program, and not of a sanitizer that came with it:
TEST(Interface, IsTheRuntimesOwn) {
  Dl_info information = {};
  ASSERT_NE(dladdr(reinterpret_cast<void*>(&__tsan_create_fiber), &information), 0);
  EXPECT_EQ(std::string(information.dli_fname).find("tsan"), std::string::npos);
}

TEST(Interface, ObjectsOfOtherLibrariesAreWatched) {
  const auto writes = [](Shared& s) {
    s.number.fetch_add(1);
    __tsan_external_write(&s.plain, __builtin_return_address(0), nullptr);
  };
  EXPECT_EQ(both(writes, writes).finding, ExploreFinding::race);
}

TEST(Interface, IgnoredAccessesAreNoRaces) {
  const auto ignored = [](Shared& s) {
    s.number.fetch_add(1);
    __tsan_ignore_thread_begin();
    s.plain = 1;
    __tsan_ignore_thread_end();
  };
  const ExploreResult result = both(ignored, ignored);
  EXPECT_TRUE(result.ok()) << result.to_string();
}

TEST(Interface, FibersOfTheCodeUnderTestAreToldSo) {
  const ExploreResult result = both(
      [](Shared& s) {
        s.number.fetch_add(1);
        __tsan_create_fiber(0);
      },
      [](Shared& s) { s.number.fetch_add(1); });
  EXPECT_EQ(result.finding, ExploreFinding::unsupported) << result.to_string();
  EXPECT_NE(result.message.find("fibers of the code under test"), std::string::npos) << result.message;
}

}  // namespace
}  // namespace linchpin::interface_test

// The interface that -fsanitize=thread calls: accesses that are not atomic, and functions that begin and end.
#include "explore/runtime/engine.hpp"

// NOLINTBEGIN(readability-identifier-naming): the compilers' names

namespace linchpin::explorer {

namespace {

inline void access(const volatile void* address, std::size_t size, bool write, const void* place) {
  if (!active) return;
  const Inside inside;
  engine.plain_access(reinterpret_cast<std::uintptr_t>(address), size, write, place);
}

}  // namespace

}  // namespace linchpin::explorer

using linchpin::explorer::access;
using linchpin::explorer::active;
using linchpin::explorer::engine;
using linchpin::explorer::LogicalThread;

#define PLACE __builtin_return_address(0)

extern "C" {

void __tsan_init() { ++engine.instrumented_modules; }

void __tsan_func_entry(void* caller) {
  if (!active || !engine.tracing()) return;
  LogicalThread& thread = engine.current();
  if (thread.depth < LogicalThread::kDepth) thread.callers[thread.depth] = caller;
  ++thread.depth;
}
void __tsan_func_exit() {
  if (!active || !engine.tracing()) return;
  LogicalThread& thread = engine.current();
  if (thread.depth > 0) --thread.depth;
}

#define LINCHPIN_ACCESSES(size)                                                                     \
  void __tsan_read##size(void* address) { access(address, size, false, PLACE); }                    \
  void __tsan_write##size(void* address) { access(address, size, true, PLACE); }                    \
  void __tsan_read##size##_pc(void* address, void* place) { access(address, size, false, place); }  \
  void __tsan_write##size##_pc(void* address, void* place) { access(address, size, true, place); }  \
  void __tsan_read_write##size(void* address) { access(address, size, true, PLACE); }               \
  void __tsan_volatile_read##size(void* address) { access(address, size, false, PLACE); }           \
  void __tsan_volatile_write##size(void* address) { access(address, size, true, PLACE); }           \
  void __tsan_unaligned_read##size(void* address) { access(address, size, false, PLACE); }          \
  void __tsan_unaligned_write##size(void* address) { access(address, size, true, PLACE); }          \
  void __tsan_unaligned_read_write##size(void* address) { access(address, size, true, PLACE); }     \
  void __tsan_unaligned_volatile_read##size(void* address) { access(address, size, false, PLACE); } \
  void __tsan_unaligned_volatile_write##size(void* address) { access(address, size, true, PLACE); }

LINCHPIN_ACCESSES(1)
LINCHPIN_ACCESSES(2)
LINCHPIN_ACCESSES(4)
LINCHPIN_ACCESSES(8)
LINCHPIN_ACCESSES(16)

void __tsan_read_range(void* address, unsigned long size) { access(address, size, false, PLACE); }
void __tsan_write_range(void* address, unsigned long size) { access(address, size, true, PLACE); }

void __tsan_read_range_pc(void* address, unsigned long size, void* place) { access(address, size, false, place); }
void __tsan_write_range_pc(void* address, unsigned long size, void* place) { access(address, size, true, place); }

void __tsan_vptr_update(void** address, void* value) {
  if (*address != value) access(address, sizeof value, true, PLACE);
}
void __tsan_vptr_read(void** address) { access(address, sizeof *address, false, PLACE); }

}  // extern "C"

// NOLINTEND(readability-identifier-naming)

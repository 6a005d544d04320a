// What an atomic load may see, and what each atomic operation passes on.
//
// Sequential consistency: a load sees the newest store. Its message (the storing thread's past) is acquired or not, by
// the orders given, so that the race detector sees a release or an acquire that is missing although the values are
// right.
//
// C++20: each object has its stores in modification order, and a load sees only what has been stored already. A load
// may see any store from a floor on: the newest one that the thread must not overlook, since it happens before the
// load, or was read by a load that does (coherence), or is ordered by seq_cst operations or fences, or since an
// operation that has seen it returned before the current one was called (real time). A store goes anywhere above its
// thread's floor in modification order, but not between a read-modify-write and the store it read. Operations of
// seq_cst take effect in the order in which they are executed, which never contradicts what happens before what, as
// C++20 sometimes lets them. A read-modify-write that succeeds reads the newest store that has been executed, which
// leaves out outcomes, too; a compare-and-exchange may fail on an older one. Release sequences are those of C++20: a
// chain of read-modify-writes. Source: Lahav, Vafeiadis, Kang, Hur, Dreyer, Repairing sequential consistency in
// C/C++11, PLDI 2017; Kang et al., A promising semantics, POPL 2017, without promises. Tests:
// tests/explore/litmus_test.cpp.
#pragma once

#include "explore/runtime/engine.hpp"

namespace linchpin::explorer {

struct Word {
  std::uint64_t low = 0, high = 0;
  bool operator==(const Word&) const = default;
};

/// An atomic object.
struct Object {
  std::uintptr_t address;
  unsigned size;  ///< bytes
};

[[nodiscard]] constexpr bool acquires(int order) {
  return order == __ATOMIC_CONSUME || order == __ATOMIC_ACQUIRE || order == __ATOMIC_ACQ_REL ||
         order == __ATOMIC_SEQ_CST;
}
[[nodiscard]] constexpr bool releases(int order) {
  return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

/// A load; `present` is what memory holds, which is what the newest store wrote. Without a place it sees that one. Call
/// after the step.
Word see(Object object, Word present, int order, const void* place);
/// A compare-and-exchange: an older store than the newest may make it fail. True: `seen` is what it saw, and it fails.
bool fails_on_older(Object object, Word present, Word expected, int order, const void* place, Word& seen);
/// A store. False: it comes before the newest one in modification order, so that memory stays as it is.
bool put(Object object, Word present, Word value, int order, const void* place);
/// A read-modify-write that reads the newest store and writes.
void update(Object object, Word present, Word value, int order, const void* place);
void fence(int order);

}  // namespace linchpin::explorer

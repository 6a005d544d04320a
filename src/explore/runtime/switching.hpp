// Logical threads, of which one runs at a time, each with thread-local storage of its own.
//
// By fibers, the default: a logical thread is a stack, and a parked thread of the system that never runs but lends its
// thread-local storage: at each switch the processor's FS base is set to it. So thread_local variables, pthread_self
// and libraries' registries of threads are those of different threads, although the system sees one. A switch costs
// some nanoseconds; where the kernel does not let programs write the base (before 5.9), it is a system call.
//
// By threads of the system: the same stack, but it is the parked thread that runs on it. Whoever leaves wakes whoever
// is next and sleeps. That costs two switches by the kernel. It is for where the base cannot be set at all, for code
// that asks the system which thread it is (gettid), and for debuggers, which see threads then.
#pragma once

#include <cstddef>
#include <cstdint>

namespace linchpin::explorer {

/// A thread of the system that waits until a context is to run on it.
struct Seat {
  std::uint32_t turn = 0;  ///< 1: it is to go on. A futex
  int thread = 0;          ///< gettid() of it
  void* loads = nullptr;   ///< the stack pointer with which it goes on then
  void* home = nullptr;    ///< that of where it waits
  bool takes_signals = false;
};

/// Where a thread of control is while another one runs.
struct Context {
  void* stack_pointer = nullptr;
  std::uintptr_t thread_base = 0;
  Seat* seat = nullptr;
};

/// What a logical thread needs beside its context; lives as long as the process.
struct Lender {
  std::uint64_t id = 0;  ///< pthread_self() of the parked thread
  std::uintptr_t thread_base = 0;
  char* stack = nullptr;  ///< its lowest byte
  Seat own_seat = {};
  Seat* seat = nullptr;  ///< on which its contexts run where threads of the system do: its own, or the main one
};
inline constexpr std::size_t kStackBytes = std::size_t{512} << 10;

/// The thread that has called this is the main one from now on; its contexts have the seat that is returned. `threads`:
/// threads of the system run. Null: there is no memory.
Seat* begin_switching(bool threads);
/// Whether this machine can have fibers.
bool can_set_thread_base();
/// The thread of the system that runs a context now, by gettid(), whichever the calling one is.
int running_thread();

/// Parks a thread of the system and makes a stack, where that is not done. False: one of them is not to be had.
bool make_lender(Lender& lender);
/// Of a process that was forked: the thread was left behind in the other one.
void forget_lender(Lender& lender);
/// The context from which `entry` begins, with the lender's storage. `entry` never returns.
Context begin_context(const Lender& lender, void (*entry)());
/// Leaves the running context for the other one.
void switch_context(Context& from, const Context& to);
/// The base of the thread that is running.
std::uintptr_t thread_base();

}  // namespace linchpin::explorer

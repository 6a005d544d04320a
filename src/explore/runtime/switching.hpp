// Logical threads on one processor, each with thread-local storage of its own.
//
// A logical thread is a stack, and a parked thread of the system that never runs again but lends its thread-local
// storage: at each switch the processor's FS base is set to it. So thread_local variables, pthread_self and libraries'
// registries of threads are those of different threads, although the system sees one. A switch costs some nanoseconds;
// where the kernel does not let programs write the base (before 5.9), it is a system call.
#pragma once

#include <cstddef>
#include <cstdint>

namespace linchpin::explorer {

/// Where a thread of control is while another one runs.
struct Context {
  void* stack_pointer = nullptr;
  std::uintptr_t thread_base = 0;
};

/// What a logical thread needs beside its context; lives as long as the process.
struct Lender {
  std::uint64_t id = 0;  ///< pthread_self() of the parked thread
  std::uintptr_t thread_base = 0;
  char* stack = nullptr;  ///< its lowest byte
};
inline constexpr std::size_t kStackBytes = std::size_t{512} << 10;

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

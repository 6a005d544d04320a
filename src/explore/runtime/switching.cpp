#include "explore/runtime/switching.hpp"

#include <asm/prctl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <csignal>
#include <cstring>

#include "explore/runtime/system.hpp"

#if !defined(__x86_64__) || !defined(__linux__)
#error "linchpin::explore needs Linux on x86-64: switching between logical threads is written for it"
#endif

// linchpin_explore_switch(void** saved stack pointer, void* stack pointer to load): the registers that a call preserves
// are pushed, the stacks exchanged, and those of the other stack popped.
asm(R"(
.text
.hidden linchpin_explore_switch
.globl linchpin_explore_switch
.type linchpin_explore_switch, @function
linchpin_explore_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size linchpin_explore_switch, . - linchpin_explore_switch
)");
extern "C" void linchpin_explore_switch(void** saved, void* loaded);

namespace linchpin::explorer {

namespace {

/// Bit 1 of the second word of hardware capabilities: programs may write the base.
const bool writes_base = (getauxval(AT_HWCAP2) & 2U) != 0;

void set_thread_base(std::uintptr_t base) {
  if (writes_base) {
    asm volatile("wrfsbase %0" : : "r"(base) : "memory");
  } else {
    system_call(SYS_arch_prctl, ARCH_SET_FS, static_cast<long>(base));
  }
}

/// The parked thread: tells its base, and sleeps for ever without touching anything.
void* park(void* argument) {
  auto* const lender = static_cast<Lender*>(argument);
  __atomic_store_n(&lender->thread_base, thread_base(), __ATOMIC_RELEASE);
  system_call(SYS_futex, reinterpret_cast<long>(&lender->thread_base), FUTEX_WAKE_PRIVATE, 1);
  for (;;) system_call(SYS_pause);
}

}  // namespace

std::uintptr_t thread_base() {
  std::uintptr_t base = 0;  // the first word of a thread's control block is its own address
  asm("movq %%fs:0, %0" : "=r"(base));
  return base;
}

bool make_lender(Lender& lender) {
  if (lender.stack != nullptr) return true;
  void* const stack = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED) return false;
  mprotect(stack, 4096, PROT_NONE);  // an overflow stops here
  // Signals are for the thread that runs them all.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  pthread_t thread = 0;
  const int failed = system_pthread_create(&thread, park, &lender);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (failed != 0) return false;
  lender.id = thread;
  while (__atomic_load_n(&lender.thread_base, __ATOMIC_ACQUIRE) == 0) {
    system_call(SYS_futex, reinterpret_cast<long>(&lender.thread_base), FUTEX_WAIT_PRIVATE, 0);
  }
  lender.stack = static_cast<char*>(stack);
  return true;
}

void forget_lender(Lender& lender) {
  if (lender.stack != nullptr) munmap(lender.stack, kStackBytes);
  lender = {};
}

Context begin_context(const Lender& lender, void (*entry)()) {
  constexpr std::size_t kPreserved = 6;
  auto* top = reinterpret_cast<std::uintptr_t*>(lender.stack + kStackBytes);
  *--top = 0;  // where `entry` would return to; keeps the stack aligned as a call leaves it
  *--top = reinterpret_cast<std::uintptr_t>(entry);
  top -= kPreserved;
  std::memset(top, 0, kPreserved * sizeof *top);
  return {.stack_pointer = top, .thread_base = lender.thread_base};
}

void switch_context(Context& from, const Context& to) {
  // Where the base cannot be written directly, it is a system call, which some virtual machines make slow.
  if (to.thread_base != thread_base()) set_thread_base(to.thread_base);
  linchpin_explore_switch(&from.stack_pointer, to.stack_pointer);
}

}  // namespace linchpin::explorer

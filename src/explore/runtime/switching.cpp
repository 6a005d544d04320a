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

bool by_threads = false;
Seat main_seat;
Seat* running_seat = &main_seat;
Seat* next_seat = nullptr;

void wake(std::uint32_t& word) { system_call(SYS_futex, reinterpret_cast<long>(&word), FUTEX_WAKE_PRIVATE, 1); }
void sleep_while(std::uint32_t& word, std::uint32_t value) {
  system_call(SYS_futex, reinterpret_cast<long>(&word), FUTEX_WAIT_PRIVATE, value);
}

/// Faults of the code under test, and the watchdog's alarm, come to the thread that runs it.
void take_signals(Seat& seat) {
  if (seat.takes_signals) return;
  seat.takes_signals = true;
  constexpr std::size_t kBytes = std::size_t{64} << 10;
  void* const memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) {
    stack_t stack = {};
    stack.ss_sp = memory;
    stack.ss_size = kBytes;
    system_call(SYS_sigaltstack, reinterpret_cast<long>(&stack), 0);
  }
  const std::uint64_t none = 0;
  system_call(SYS_rt_sigprocmask, SIG_SETMASK, reinterpret_cast<long>(&none), 0, sizeof none);
}

/// Where a thread of the system is while no context runs on it. It uses nothing that is thread-local.
[[noreturn]] void stay_at_home(Seat& seat, bool hands_over) {
  for (;; hands_over = true) {
    if (hands_over) {
      Seat& next = *next_seat;
      running_seat = &next;
      __atomic_store_n(&next.turn, 1U, __ATOMIC_RELEASE);
      wake(next.turn);
    }
    while (__atomic_load_n(&seat.turn, __ATOMIC_ACQUIRE) == 0) sleep_while(seat.turn, 0);
    seat.turn = 0;
    if (&seat != &main_seat) take_signals(seat);
    linchpin_explore_switch(&seat.home, seat.loads);
  }
}
void main_at_home() { stay_at_home(main_seat, true); }

/// The parked thread: tells its base, and sleeps without touching anything.
void* park(void* argument) {
  auto* const lender = static_cast<Lender*>(argument);
  lender->own_seat.thread = static_cast<int>(system_call(SYS_gettid));
  __atomic_store_n(&lender->thread_base, thread_base(), __ATOMIC_RELEASE);
  system_call(SYS_futex, reinterpret_cast<long>(&lender->thread_base), FUTEX_WAKE_PRIVATE, 1);
  stay_at_home(lender->own_seat, false);
}

/// A stack on which `entry` begins when it is loaded.
void* begin_stack(char* stack, std::size_t bytes, void (*entry)()) {
  constexpr std::size_t kPreserved = 6;
  auto* top = reinterpret_cast<std::uintptr_t*>(stack + bytes);
  *--top = 0;  // where `entry` would return to; keeps the stack aligned as a call leaves it
  *--top = reinterpret_cast<std::uintptr_t>(entry);
  top -= kPreserved;
  std::memset(top, 0, kPreserved * sizeof *top);
  return top;
}

}  // namespace

std::uintptr_t thread_base() {
  std::uintptr_t base = 0;  // the first word of a thread's control block is its own address
  asm("movq %%fs:0, %0" : "=r"(base));
  return base;
}

bool can_set_thread_base() {
  return writes_base || system_call(SYS_arch_prctl, ARCH_SET_FS, static_cast<long>(thread_base())) == 0;
}

Seat* begin_switching(bool threads) {
  constexpr std::size_t kBytes = std::size_t{16} << 10;
  static char* home = nullptr;
  if (home == nullptr) {
    void* const memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    home = static_cast<char*>(memory);
  }
  by_threads = threads;
  main_seat = {};
  main_seat.thread = static_cast<int>(system_call(SYS_gettid));
  main_seat.home = begin_stack(home, kBytes, main_at_home);
  running_seat = &main_seat;
  return &main_seat;
}

int running_thread() { return running_seat->thread; }

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
  lender.seat = &lender.own_seat;
  return true;
}

void forget_lender(Lender& lender) {
  if (lender.stack != nullptr) munmap(lender.stack, kStackBytes);
  lender = {};
}

Context begin_context(const Lender& lender, void (*entry)()) {
  return {.stack_pointer = begin_stack(lender.stack, kStackBytes, entry),
          .thread_base = lender.thread_base,
          .seat = lender.seat};
}

void switch_context(Context& from, const Context& to) {
  if (by_threads && to.seat != running_seat) {
    next_seat = to.seat;
    to.seat->loads = to.stack_pointer;
    linchpin_explore_switch(&from.stack_pointer, running_seat->home);
    return;
  }
  // Where the base cannot be written directly, it is a system call, which some virtual machines make slow.
  if (to.thread_base != thread_base()) set_thread_base(to.thread_base);
  linchpin_explore_switch(&from.stack_pointer, to.stack_pointer);
}

}  // namespace linchpin::explorer

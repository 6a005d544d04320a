#include "explore/runtime/signals.hpp"

#include <sys/syscall.h>
#include <sys/time.h>
#include <ucontext.h>
#include <csignal>
#include <cstring>

#include "explore/runtime/engine.hpp"
#include "explore/runtime/switching.hpp"
#include "explore/runtime/system.hpp"

// NOLINTBEGIN(performance-no-int-to-ptr): addresses are numbers here, and memory is found by them

namespace linchpin::explorer {

namespace {

constexpr int kCrashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
constexpr int kCrashCount = sizeof kCrashes / sizeof kCrashes[0];
constexpr int kSecondsWithoutStep = 5;  // a busy machine may keep a process waiting for one or two

struct sigaction old_crashes[kCrashCount];
struct sigaction old_alarm;
std::uint64_t last_progress;
int quiet_seconds;
alignas(16) char signal_stack[64 << 10];

[[noreturn]] void end_schedule(ExploreFinding kind, const ucontext_t* context, std::uintptr_t address,
                               const char* text) {
  Finding& finding = engine.own_finding();
  finding = {.kind = kind, .blocks = kind == ExploreFinding::endless, .address = address};
  const auto* const here = reinterpret_cast<const void*>(context->uc_mcontext.gregs[REG_RIP] + 1);
  if (engine.beside_threads()) {
    finding.place = here;
  } else if (engine.threads() > 0) {
    const LogicalThread& thread = engine.current();
    finding.thread = thread.id;
    // Within the runtime, what it was about to do for the code under test says where that was.
    finding.place = active ? here : thread.pending.place;
  }
  std::strncpy(finding.text, text, Finding::kText - 1);
  engine.abandon();
}

void crashed(int number, siginfo_t* information, void* context) {
  if (!engine.running()) {
    std::signal(number, SIG_DFL);
    return;  // and again
  }
  const auto address = reinterpret_cast<std::uintptr_t>(information->si_addr);
  end_schedule(ExploreFinding::crash, static_cast<ucontext_t*>(context), address,
               number == SIGFPE ? "a division by zero, or the like"
               : address < 4096 ? "an access through a null pointer"
                                : "an access to memory that is not there");
}

void every_second(int number, siginfo_t* /*information*/, void* context) {
  // The thread that the code under test is in ends its schedule, and no other one.
  const long own = system_call(SYS_gettid);
  if (engine.running() && own != running_thread()) {
    system_call(SYS_tgkill, system_call(SYS_getpid), running_thread(), number);
    return;
  }
  const std::uint64_t now = engine.progress;
  quiet_seconds = engine.running() && now == last_progress ? quiet_seconds + 1 : 0;
  last_progress = now;
  if (quiet_seconds < kSecondsWithoutStep) return;
  quiet_seconds = 0;
  end_schedule(ExploreFinding::endless, static_cast<ucontext_t*>(context), 0,
               "nothing happens for seconds: a thread waits in a system call, or loops without touching shared memory");
}

void set_alarm(int seconds) {
  itimerval timer = {};
  timer.it_interval.tv_sec = timer.it_value.tv_sec = seconds;
  setitimer(ITIMER_REAL, &timer, nullptr);
}

}  // namespace

SignalGuard::SignalGuard(bool watches) {
  stack_t stack = {};
  stack.ss_sp = signal_stack;
  stack.ss_size = sizeof signal_stack;
  sigaltstack(&stack, nullptr);
  // A schedule is left from within the handler, so that the signal must not stay blocked.
  struct sigaction action = {};
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  action.sa_sigaction = crashed;
  for (int i = 0; i < kCrashCount; ++i) sigaction(kCrashes[i], &action, &old_crashes[i]);
  action.sa_sigaction = every_second;
  action.sa_flags |= SA_RESTART;
  sigaction(SIGALRM, &action, &old_alarm);
  quiet_seconds = 0;
  if (watches) set_alarm(1);
}

SignalGuard::~SignalGuard() {
  set_alarm(0);
  for (int i = 0; i < kCrashCount; ++i) sigaction(kCrashes[i], &old_crashes[i], nullptr);
  sigaction(SIGALRM, &old_alarm, nullptr);
}

}  // namespace linchpin::explorer

// NOLINTEND(performance-no-int-to-ptr)

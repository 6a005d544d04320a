// Crashes of the code under test, and threads that do nothing that the engine could see.
#pragma once

namespace linchpin::explorer {

/// While one of these lives, a crash within a schedule ends the schedule and is its finding, and so is a schedule that
/// takes no step for some seconds: a thread waits in a system call, or loops without touching shared memory.
class SignalGuard {
 public:
  /// `watches`: by the clock; not where somebody may stop the program in a debugger.
  explicit SignalGuard(bool watches);
  ~SignalGuard();
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;
};

}  // namespace linchpin::explorer

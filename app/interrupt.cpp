#include "app/interrupt.hpp"

#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <csignal>

#include "app/command.hpp"
#include "base/output_file.hpp"

namespace linchpin::app {

namespace {

// timeout(1) sends its signal to the process and to the group that it is in.
constexpr std::chrono::milliseconds kOneRequest{250};

sigset_t watched_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGUSR1);  // from the destructor: nothing more to wait for
  return signals;
}

}  // namespace

InterruptWatch::InterruptWatch() {
  const sigset_t signals = watched_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  thread_ = std::thread([this] {
    const sigset_t watched = watched_signals();
    int signal = 0;
    std::chrono::steady_clock::time_point first;
    while (sigwait(&watched, &signal) == 0 && !ending_) {
      if (signal == SIGUSR1) continue;
      const auto now = std::chrono::steady_clock::now();
      if (stop_.stop_requested() && now - first < kOneRequest) continue;
      if (stop_.stop_requested()) {
        base::OutputFile::abandon_all();
        _exit(kInterrupted);
      }
      first = now;
      stop_.request_stop();
    }
  });
}

InterruptWatch::~InterruptWatch() {
  ending_ = true;
  pthread_kill(thread_.native_handle(), SIGUSR1);
  thread_.join();
  const sigset_t signals = watched_signals();
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

}  // namespace linchpin::app

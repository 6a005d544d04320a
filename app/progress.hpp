// A line on the terminal that says how far a long check has got.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace linchpin::app {

/// Shows a line on standard error, one second after `begin` and only if that is a terminal; `end` wipes it.
/// Everything else that is written between `begin` and `end` would be mixed with it.
class Progress {
 public:
  explicit Progress(bool wanted);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void begin(std::string what);
  void end();
  /// From any thread: operations done, operations in all.
  void update(std::size_t done, std::size_t all) {
    done_.store(done, std::memory_order_relaxed);
    all_.store(all, std::memory_order_relaxed);
  }
  /// From any thread: it is decided, and what shows the violation is being made smaller; so many operations are left.
  void shrinking(std::size_t left) { left_.store(left, std::memory_order_relaxed); }

 private:
  using Clock = std::chrono::steady_clock;
  void run();
  void show();

  const bool wanted_;
  std::atomic<std::size_t> done_ = 0, all_ = 0;
  std::atomic<std::size_t> left_ = 0;  // of a core; 0: not shrinking
  std::mutex mutex_;                   // guards what follows
  std::condition_variable changed_;
  std::string what_;  // empty: nothing is going on
  Clock::time_point start_;
  bool shown_ = false;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace linchpin::app

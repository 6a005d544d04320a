// Ctrl-C and SIGTERM: the first asks the running check to stop and say what it has, the second, a moment later, ends
// the process.
#pragma once

#include <atomic>
#include <stop_token>
#include <thread>

#include "linchpin/check.hpp"

namespace linchpin::app {

/// While it lives, the two signals arrive here. Create it before other threads start: they inherit the mask that
/// keeps the signals away from them.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }
  [[nodiscard]] bool interrupted() const { return stop_.stop_requested(); }
  /// The options of a reading that ends with the first signal, also where it waits for input.
  [[nodiscard]] ReadOptions reading(ReadOptions options) const {
    options.limits.stop = token();
    return options;
  }

 private:
  std::stop_source stop_;
  std::atomic<bool> ending_ = false;
  std::thread thread_;  // waits for the signals, so that no handler runs in the middle of anything
};

}  // namespace linchpin::app

// What happens to servers while they are stressed: one is stopped (SIGSTOP) for a while under load, or killed and
// started again. Requests time out meanwhile; some of them are carried out later.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace linchpin::app {

/// A thread that disturbs servers one after the other until this object goes.
class Disturbance {
 public:
  struct Servers {
    std::size_t count = 0;
    std::function<void(std::size_t)> stop, go_on;  ///< SIGSTOP, SIGCONT
    std::function<void(std::size_t)> restart;      ///< empty: servers that forget all when they end
  };
  /// The first one is disturbed after some hundred milliseconds.
  explicit Disturbance(Servers servers);
  ~Disturbance();
  Disturbance(const Disturbance&) = delete;
  Disturbance& operator=(const Disturbance&) = delete;

 private:
  void disturb();
  /// False: it is over.
  bool wait(std::chrono::milliseconds time);

  Servers servers_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;  // guarded by the mutex
  std::thread thread_;
};

}  // namespace linchpin::app

// A queue with one lock: linearizable by construction, with two methods only, so that its scenarios are few.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>

namespace linchpin {

class LockedQueue {
 public:
  void enqueue(std::int64_t value) {
    const std::lock_guard lock(mutex_);
    values_.push_back(value);
  }
  std::optional<std::int64_t> dequeue() {
    const std::lock_guard lock(mutex_);
    if (values_.empty()) return std::nullopt;
    const std::int64_t value = values_.front();
    values_.pop_front();
    return value;
  }

 private:
  std::mutex mutex_;
  std::deque<std::int64_t> values_;
};

}  // namespace linchpin

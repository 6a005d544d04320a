// Controls: containers of the standard library under a mutex, and what the standard library has of its own.
#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <queue>
#include <set>

#include "app/stress/implementation.hpp"

namespace linchpin::app {

namespace {

class LockedSequence {
 public:
  void push_back(std::int64_t value) {
    const std::lock_guard lock(mutex_);
    values_.push_back(value);
  }
  void push_front(std::int64_t value) {
    const std::lock_guard lock(mutex_);
    values_.push_front(value);
  }
  std::optional<std::int64_t> pop_front() {
    const std::lock_guard lock(mutex_);
    if (values_.empty()) return std::nullopt;
    const std::int64_t value = values_.front();
    values_.pop_front();
    return value;
  }
  std::optional<std::int64_t> pop_back() {
    const std::lock_guard lock(mutex_);
    if (values_.empty()) return std::nullopt;
    const std::int64_t value = values_.back();
    values_.pop_back();
    return value;
  }
  std::size_t size() {
    const std::lock_guard lock(mutex_);
    return values_.size();
  }
  bool empty() { return size() == 0; }

 private:
  std::mutex mutex_;
  std::deque<std::int64_t> values_;
};

struct LockedQueue : private LockedSequence {
  void enqueue(std::int64_t value) { push_back(value); }
  std::optional<std::int64_t> dequeue() { return pop_front(); }
  using LockedSequence::empty;
  using LockedSequence::size;
};

struct LockedStack : private LockedSequence {
  void push(std::int64_t value) { push_back(value); }
  std::optional<std::int64_t> pop() { return pop_back(); }
  using LockedSequence::empty;
  using LockedSequence::size;
};

class LockedHeap {
 public:
  void push(std::int64_t value) {
    const std::lock_guard lock(mutex_);
    values_.push(value);
  }
  std::optional<std::int64_t> pop() {
    const std::lock_guard lock(mutex_);
    if (values_.empty()) return std::nullopt;
    const std::int64_t value = values_.top();
    values_.pop();
    return value;
  }

 private:
  std::mutex mutex_;
  std::priority_queue<std::int64_t, std::vector<std::int64_t>, std::greater<>> values_;
};

class LockedSet {
 public:
  bool insert(std::int64_t key) {
    const std::lock_guard lock(mutex_);
    return keys_.insert(key).second;
  }
  bool erase(std::int64_t key) {
    const std::lock_guard lock(mutex_);
    return keys_.erase(key) == 1;
  }
  bool contains(std::int64_t key) {
    const std::lock_guard lock(mutex_);
    return keys_.contains(key);
  }

 private:
  std::mutex mutex_;
  std::set<std::int64_t> keys_;
};

class LockedMap {
 public:
  void put(std::int64_t key, std::int64_t value) {
    const std::lock_guard lock(mutex_);
    values_[key] = value;
  }
  bool insert(std::int64_t key, std::int64_t value) {
    const std::lock_guard lock(mutex_);
    return values_.emplace(key, value).second;
  }
  std::optional<std::int64_t> get(std::int64_t key) {
    const std::lock_guard lock(mutex_);
    const auto found = values_.find(key);
    return found == values_.end() ? std::nullopt : std::optional(found->second);
  }
  bool erase(std::int64_t key) {
    const std::lock_guard lock(mutex_);
    return values_.erase(key) == 1;
  }

 private:
  std::mutex mutex_;
  std::map<std::int64_t, std::int64_t> values_;
};

}  // namespace

StressResult stress_locked_queue(const StressOptions& options) {
  return stress(
      queue, [] { return LockedQueue(); }, options);
}
StressResult stress_locked_stack(const StressOptions& options) {
  return stress(
      stack, [] { return LockedStack(); }, options);
}
StressResult stress_locked_deque(const StressOptions& options) {
  return stress(
      deque, [] { return LockedSequence(); }, options);
}
StressResult stress_locked_priority_queue(const StressOptions& options) {
  return stress(
      priority_queue, [] { return LockedHeap(); }, options);
}
StressResult stress_locked_set(const StressOptions& options) {
  return stress(
      set, [] { return LockedSet(); }, options);
}
StressResult stress_locked_map(const StressOptions& options) {
  return stress(
      map, [] { return LockedMap(); }, options);
}
StressResult stress_atomic_counter(const StressOptions& options) {
  return stress(
      counter, [] { return std::atomic<std::int64_t>(0); }, options);
}
StressResult stress_atomic_register(const StressOptions& options) {
  return stress(
      atomic_register, [] { return std::atomic<std::int64_t>(0); }, options);
}
StressResult stress_mutex(const StressOptions& options) {
  return stress(
      mutex, [] { return std::make_unique<std::mutex>(); }, options);
}

}  // namespace linchpin::app

// Containers of the standard library under one mutex each: linearizable by construction, so the controls of stress runs
// and of recordings.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <queue>
#include <set>
#include <vector>

namespace linchpin::controls {

class LockedDeque {
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
  std::optional<std::int64_t> front() {
    const std::lock_guard lock(mutex_);
    return values_.empty() ? std::nullopt : std::optional(values_.front());
  }
  std::optional<std::int64_t> back() {
    const std::lock_guard lock(mutex_);
    return values_.empty() ? std::nullopt : std::optional(values_.back());
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

/// The smallest value goes first.
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
  std::optional<std::int64_t> top() {
    const std::lock_guard lock(mutex_);
    return values_.empty() ? std::nullopt : std::optional(values_.top());
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

}  // namespace linchpin::controls

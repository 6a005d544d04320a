// Containers with planted bugs, of the kinds that authors make: those of `linchpin stress` (app/stress/planted.cpp)
// without their stress points, which exploring does not need, and those that stress cannot see on this processor.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace linchpin::planted {

struct Node {
  std::int64_t value = 0;
  std::atomic<Node*> next = nullptr;
};

/// Nodes that live as long as their container.
class Nodes {
 public:
  Node& make(std::int64_t value) {
    Node& node = nodes_[used_.fetch_add(1, std::memory_order_relaxed)];
    node.value = value;
    return node;
  }

 private:
  std::array<Node, 16> nodes_;
  std::atomic<std::size_t> used_ = 0;
};

/// A Treiber stack; a push that tries once, unless it retries.
template <bool kRetries, std::memory_order kRelease = std::memory_order_release,
          std::memory_order kAcquire = std::memory_order_acquire>
class TreiberStack {
 public:
  void push(std::int64_t value) {
    Node& node = nodes_.make(value);
    Node* top = top_.load(std::memory_order_relaxed);
    do {
      node.next.store(top, std::memory_order_relaxed);
    } while (!top_.compare_exchange_strong(top, &node, kRelease, std::memory_order_relaxed) && kRetries);
  }
  std::optional<std::int64_t> pop() {
    Node* top = top_.load(kAcquire);
    while (top != nullptr &&
           !top_.compare_exchange_strong(top, top->next.load(std::memory_order_relaxed), kAcquire, kAcquire)) {
    }
    return top == nullptr ? std::nullopt : std::optional(top->value);
  }

 private:
  Nodes nodes_;
  std::atomic<Node*> top_ = nullptr;
};
using CorrectStack = TreiberStack<true>;
using MissingRetry = TreiberStack<false>;
using MissingRelease = TreiberStack<true, std::memory_order_relaxed>;
using MissingAcquire = TreiberStack<true, std::memory_order_release, std::memory_order_relaxed>;

/// A Treiber stack that deletes what it popped while others may still look at it.
class EarlyDelete {
 public:
  ~EarlyDelete() {
    while (pop()) {
    }
  }
  void push(std::int64_t value) {
    auto* const node = new Node;
    node->value = value;
    Node* top = top_.load();
    do node->next.store(top);
    while (!top_.compare_exchange_weak(top, node));
  }
  std::optional<std::int64_t> pop() {
    Node* top = top_.load();
    while (top != nullptr && !top_.compare_exchange_weak(top, top->next.load())) {
    }
    if (top == nullptr) return std::nullopt;
    const std::int64_t value = top->value;
    delete top;
    return value;
  }

 private:
  std::atomic<Node*> top_ = nullptr;
};

/// A Treiber stack that uses its nodes again without tags: those that were given back first (kFifo) or last.
template <bool kFifo>
class Aba {
 public:
  bool push(std::int64_t value) {
    const int slot = take();
    if (slot < 0) return false;
    slots_[static_cast<std::size_t>(slot)].value.store(value, std::memory_order_relaxed);
    int top = top_.load();
    do slots_[static_cast<std::size_t>(slot)].next.store(top);
    while (!top_.compare_exchange_strong(top, slot));
    return true;
  }
  std::optional<std::int64_t> pop() {
    int top = top_.load();
    while (top >= 0 && !top_.compare_exchange_strong(top, slots_[static_cast<std::size_t>(top)].next.load())) {
    }
    if (top < 0) return std::nullopt;
    const std::int64_t value = slots_[static_cast<std::size_t>(top)].value.load(std::memory_order_relaxed);
    give_back(top);
    return value;
  }
  Aba() {
    for (int slot = 0; slot < kSlots; ++slot) give_back(slot);
  }

 private:
  static constexpr int kSlots = 4;
  struct Slot {
    std::atomic<std::int64_t> value = 0;
    std::atomic<int> next = -1;
  };
  int take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return -1;
    const int slot = kFifo ? free_.front() : free_.back();
    if (kFifo) {
      free_.pop_front();
    } else {
      free_.pop_back();
    }
    return slot;
  }
  void give_back(int slot) {
    const std::lock_guard lock(mutex_);
    free_.push_back(slot);
  }
  std::array<Slot, kSlots> slots_;
  std::atomic<int> top_ = -1;
  std::mutex mutex_;
  std::deque<int> free_;
};

/// A queue that counts its values after it has given up the lock.
class SplitSize {
 public:
  void enqueue(std::int64_t value) {
    {
      const std::lock_guard lock(mutex_);
      values_.push_back(value);
    }
    ++size_;
  }
  std::optional<std::int64_t> dequeue() {
    std::optional<std::int64_t> value;
    {
      const std::lock_guard lock(mutex_);
      if (values_.empty()) return std::nullopt;
      value = values_.front();
      values_.pop_front();
    }
    --size_;
    return value;
  }
  std::int64_t size() { return size_.load(); }

 private:
  std::mutex mutex_;
  std::deque<std::int64_t> values_;
  std::atomic<std::int64_t> size_ = 0;
};

class LostUpdate {
 public:
  void increment() { number_.store(number_.load() + 1); }
  std::int64_t get() { return number_.load(); }

 private:
  std::atomic<std::int64_t> number_ = 0;
};

/// A map that looks for a place under the lock and uses it under another one.
class EarlyUnlock {
 public:
  bool insert(std::int64_t key, std::int64_t value) {
    if (get(key)) return false;
    const std::lock_guard lock(mutex_);
    values_[key] = value;
    return true;
  }
  std::optional<std::int64_t> get(std::int64_t key) {
    const std::lock_guard lock(mutex_);
    const auto found = values_.find(key);
    return found == values_.end() ? std::nullopt : std::optional(found->second);
  }
  bool erase(std::int64_t key) {
    const std::lock_guard lock(mutex_);
    return values_.erase(key) > 0;
  }

 private:
  std::mutex mutex_;
  std::map<std::int64_t, std::int64_t> values_;
};

/// A ring for one consumer, used by several.
class CheckThenAct {
 public:
  bool push(std::int64_t value) {
    const std::lock_guard lock(producers_);
    const std::size_t tail = tail_.load();
    if (tail - head_.load() == slots_.size()) return false;
    slots_[tail % slots_.size()].store(value);
    tail_.store(tail + 1);
    return true;
  }
  std::optional<std::int64_t> pop() {
    const std::size_t head = head_.load();
    if (head == tail_.load()) return std::nullopt;
    const std::int64_t value = slots_[head % slots_.size()].load();
    head_.store(head + 1);
    return value;
  }

 private:
  std::mutex producers_;
  std::array<std::atomic<std::int64_t>, 8> slots_{};
  std::atomic<std::size_t> head_ = 0, tail_ = 0;
};

/// A queue for one producer and one consumer that publishes with the wrong fence.
template <std::memory_order kFence>
class FencedRing {
 public:
  void push(std::int64_t value) {
    const std::lock_guard lock(producers_);
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    slots_[tail % slots_.size()] = value;
    std::atomic_thread_fence(kFence);
    tail_.store(tail + 1, std::memory_order_relaxed);
  }
  std::optional<std::int64_t> pop() {
    const std::lock_guard lock(consumers_);
    const std::size_t head = head_.load(std::memory_order_relaxed);
    if (head == tail_.load(std::memory_order_acquire)) return std::nullopt;
    const std::int64_t value = slots_[head % slots_.size()];
    head_.store(head + 1, std::memory_order_release);
    return value;
  }

 private:
  std::mutex producers_, consumers_;
  std::array<std::int64_t, 8> slots_{};
  std::atomic<std::size_t> head_ = 0, tail_ = 0;
};

/// A queue whose dequeue waits, and whose enqueue wakes only if the queue was empty: the second of two waiters sleeps
/// on.
template <bool kAlwaysWakes>
class Blocking {
 public:
  void enqueue(std::int64_t value) {
    const std::lock_guard lock(mutex_);
    const bool was_empty = values_.empty();
    values_.push_back(value);
    if (kAlwaysWakes || was_empty) changed_.notify_one();
  }
  std::int64_t take() {
    std::unique_lock lock(mutex_);
    while (values_.empty()) changed_.wait(lock);
    const std::int64_t value = values_.front();
    values_.pop_front();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::int64_t> values_;
};

/// Two locks, taken in one order to write and in the other to read.
class TwoLocks {
 public:
  void store(std::int64_t value) {
    const std::lock_guard first(one_);
    const std::lock_guard second(two_);
    value_ = value;
  }
  std::int64_t load() {
    const std::lock_guard first(two_);
    const std::lock_guard second(one_);
    return value_;
  }

 private:
  std::mutex one_, two_;
  std::int64_t value_ = 0;
};

}  // namespace linchpin::planted

// Containers with planted bugs, of the kinds that authors make: what `linchpin stress` and `linchpin explore` have to
// find. Those that a stress run can find have stress points where an author would put them: between looking and acting.
//
// `Store` is where nodes come from (stress/node_store.hpp).
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>

#include "linchpin/stress_point.hpp"
#include "stress/locked.hpp"
#include "stress/node_store.hpp"

namespace linchpin::planted {

struct Node {
  std::int64_t value = 0;
  std::atomic<Node*> next = nullptr;
};

/// A Treiber stack; a push that tries its compare-and-swap once, and takes what comes for success, unless it retries.
template <template <class> class Store, bool kRetries, std::memory_order kRelease = std::memory_order_release,
          std::memory_order kAcquire = std::memory_order_acquire>
class TreiberStack {
 public:
  void push(std::int64_t value) {
    Node& node = nodes_.make();
    node.value = value;
    Node* top = top_.load(std::memory_order_relaxed);
    do {
      node.next.store(top, std::memory_order_relaxed);
      stress_point();
    } while (!top_.compare_exchange_strong(top, &node, kRelease, std::memory_order_relaxed) && kRetries);
  }
  std::optional<std::int64_t> pop() {
    Node* top = top_.load(kAcquire);
    stress_point();
    while (top != nullptr &&
           !top_.compare_exchange_strong(top, top->next.load(std::memory_order_relaxed), kAcquire, kAcquire)) {
      stress_point();
    }
    return top == nullptr ? std::nullopt : std::optional(top->value);
  }

 private:
  Store<Node> nodes_;
  std::atomic<Node*> top_ = nullptr;
};
template <template <class> class Store>
using CorrectStack = TreiberStack<Store, true>;
template <template <class> class Store>
using MissingRetry = TreiberStack<Store, false>;
template <template <class> class Store>
using MissingRelease = TreiberStack<Store, true, std::memory_order_relaxed>;
template <template <class> class Store>
using MissingAcquire = TreiberStack<Store, true, std::memory_order_release, std::memory_order_relaxed>;

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

/// A Treiber stack that uses its nodes again at once, those given back last first, without tags: its compare-and-swap
/// cannot tell a node from the same node some pops and pushes later.
template <std::size_t kSlots>
class Aba {
 public:
  /// False: there are no more slots.
  bool push(std::int64_t value) {
    Slot* const slot = take(free_);
    if (slot == nullptr) return false;
    slot->value.store(value, std::memory_order_relaxed);
    put(top_, *slot);
    return true;
  }
  std::optional<std::int64_t> pop() {
    Slot* const slot = take(top_);
    if (slot == nullptr) return std::nullopt;
    const std::int64_t value = slot->value.load(std::memory_order_relaxed);
    put(free_, *slot);
    return value;
  }
  Aba() {
    for (Slot& slot : slots_) put(free_, slot);
  }

 private:
  struct Slot {
    std::atomic<std::int64_t> value = 0;
    std::atomic<Slot*> next = nullptr;
  };
  static Slot* take(std::atomic<Slot*>& list) {
    Slot* first = list.load();
    while (first != nullptr) {
      stress_point();
      Slot* const next = first->next.load();
      stress_point();
      if (list.compare_exchange_weak(first, next)) break;
    }
    return first;
  }
  static void put(std::atomic<Slot*>& list, Slot& slot) {
    Slot* first = list.load();
    do {
      slot.next.store(first);
      stress_point();
    } while (!list.compare_exchange_weak(first, &slot));
  }
  std::array<Slot, kSlots> slots_;
  std::atomic<Slot*> top_ = nullptr, free_ = nullptr;
};

/// The same with those given back first used first, from a list under a lock.
template <int kSlots>
class AbaOfOldest {
 public:
  bool push(std::int64_t value) {
    const int slot = take();
    if (slot < 0) return false;
    at(slot).value.store(value, std::memory_order_relaxed);
    int top = top_.load();
    do at(slot).next.store(top);
    while (!top_.compare_exchange_strong(top, slot));
    return true;
  }
  std::optional<std::int64_t> pop() {
    int top = top_.load();
    while (top >= 0 && !top_.compare_exchange_strong(top, at(top).next.load())) {
    }
    if (top < 0) return std::nullopt;
    const std::int64_t value = at(top).value.load(std::memory_order_relaxed);
    give_back(top);
    return value;
  }
  AbaOfOldest() {
    for (int slot = 0; slot < kSlots; ++slot) give_back(slot);
  }

 private:
  struct Slot {
    std::atomic<std::int64_t> value = 0;
    std::atomic<int> next = -1;
  };
  Slot& at(int slot) { return slots_[static_cast<std::size_t>(slot)]; }
  int take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return -1;
    const int slot = free_.front();
    free_.pop_front();
    return slot;
  }
  void give_back(int slot) {
    const std::lock_guard lock(mutex_);
    free_.push_back(slot);
  }
  std::array<Slot, static_cast<std::size_t>(kSlots)> slots_;
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
    stress_point();
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
    stress_point();
    --size_;
    return value;
  }
  std::int64_t size() { return size_.load(); }

 private:
  std::mutex mutex_;
  std::deque<std::int64_t> values_;
  std::atomic<std::int64_t> size_ = 0;
};

/// A counter that reads, adds and writes in two steps.
class LostUpdate {
 public:
  void increment() {
    const std::int64_t number = number_.load();
    stress_point();
    number_.store(number + 1);
  }
  std::int64_t get() { return number_.load(); }

 private:
  std::atomic<std::int64_t> number_ = 0;
};

/// A map that looks for a place under the lock and uses it under another one.
class EarlyUnlock : private controls::LockedMap {
 public:
  bool insert(std::int64_t key, std::int64_t value) {
    if (get(key)) return false;
    stress_point();
    put(key, value);
    return true;
  }
  using LockedMap::erase;
  using LockedMap::get;
};

/// A ring for one consumer, used by several.
template <std::size_t kSlots>
class CheckThenAct {
 public:
  bool push(std::int64_t value) {
    const std::lock_guard lock(producers_);
    const std::size_t tail = tail_.load();
    if (tail - head_.load() == kSlots) return false;
    slots_[tail % kSlots].store(value);
    tail_.store(tail + 1);
    return true;
  }
  std::optional<std::int64_t> pop() {
    const std::size_t head = head_.load();
    if (head == tail_.load()) return std::nullopt;
    const std::int64_t value = slots_[head % kSlots].load();
    stress_point();
    head_.store(head + 1);
    return value;
  }

 private:
  std::mutex producers_;
  std::array<std::atomic<std::int64_t>, kSlots> slots_{};
  std::atomic<std::size_t> head_ = 0, tail_ = 0;
};

/// A queue, under a lock each side, that publishes with a fence; the right one is a release.
template <std::memory_order kFence>
class FencedRing {
 public:
  bool push(std::int64_t value) {
    const std::lock_guard lock(producers_);
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_.load(std::memory_order_acquire) == slots_.size()) return false;
    slots_[tail % slots_.size()] = value;
    std::atomic_thread_fence(kFence);
    tail_.store(tail + 1, std::memory_order_relaxed);
    return true;
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

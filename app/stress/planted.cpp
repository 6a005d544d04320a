// Planted bugs of the classic kinds, which a stress run has to find. Each has stress points where an author would put
// them: between looking and acting.
#include <array>
#include <atomic>
#include <deque>
#include <mutex>

#include "app/stress/implementation.hpp"
#include "stress/locked.hpp"

namespace linchpin::app {

namespace {

struct Node {
  std::int64_t value = 0;
  Node* next = nullptr;
};

/// A Treiber stack whose push tries its compare-and-swap once, and takes what comes for success.
class MissingRetry {
 public:
  void push(std::int64_t value) {
    Node& node = nodes_.make();
    node.value = value;
    node.next = top_.load();
    stress_point();
    top_.compare_exchange_strong(node.next, &node);
  }
  std::optional<std::int64_t> pop() {
    Node* top = top_.load();
    stress_point();
    while (top != nullptr && !top_.compare_exchange_weak(top, top->next)) stress_point();
    return top == nullptr ? std::nullopt : std::optional(top->value);
  }

 private:
  NodeStore<Node> nodes_;
  std::atomic<Node*> top_ = nullptr;
};

/// A Treiber stack that uses its nodes again at once, without tags: its compare-and-swap cannot tell a node from the
/// same node some pops and pushes later.
class Aba {
 public:
  void push(std::int64_t value) {
    Slot* const slot = take(free_);
    if (slot == nullptr) return;  // more operations than slots
    slot->value.store(value, std::memory_order_relaxed);
    put(top_, *slot);
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
  std::array<Slot, 4096> slots_;
  std::atomic<Slot*> top_ = nullptr, free_ = nullptr;
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
    stress_point();
    head_.store(head + 1);
    return value;
  }

 private:
  std::mutex producers_;
  std::array<std::atomic<std::int64_t>, 1024> slots_{};
  std::atomic<std::size_t> head_ = 0, tail_ = 0;
};

}  // namespace

StressResult stress_missing_retry(const StressOptions& options) {
  return stress(
      as::stack, [] { return std::make_unique<MissingRetry>(); }, options);
}
StressResult stress_aba(const StressOptions& options) {
  return stress(
      as::stack, [] { return std::make_unique<Aba>(); }, options);
}
StressResult stress_split_size(const StressOptions& options) {
  StressOptions with_size = options;
  if (with_size.mix.empty()) with_size.mix = {{"size", 1}};
  return stress(
      as::queue, [] { return SplitSize(); }, with_size);
}
StressResult stress_lost_update(const StressOptions& options) {
  return stress(
      as::counter, [] { return LostUpdate(); }, options);
}
StressResult stress_early_unlock(const StressOptions& options) {
  return stress(
      as::map, [] { return EarlyUnlock(); }, options);
}
StressResult stress_check_then_act(const StressOptions& options) {
  return stress(
      as::queue, [] { return std::make_unique<CheckThenAct>(); }, options);
}

}  // namespace linchpin::app

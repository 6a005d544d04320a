// A ring buffer for one producer and one consumer, which somebody thought would do for several of each.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>

template <class T>
class MyQueue {
 public:
  bool push(T value) {
    const std::lock_guard lock(producers_);
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_.load(std::memory_order_acquire) == slots_.size()) return false;
    slots_[tail % slots_.size()].store(value, std::memory_order_relaxed);
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }

  std::optional<T> try_pop() {
    const std::size_t head = head_.load(std::memory_order_relaxed);
    if (head == tail_.load(std::memory_order_acquire)) return std::nullopt;
    const T value = slots_[head % slots_.size()].load(std::memory_order_relaxed);
    head_.store(head + 1, std::memory_order_release);  // whoever else read this head has the same value
    return value;
  }

 private:
  std::mutex producers_;
  std::array<std::atomic<T>, 1024> slots_{};
  std::atomic<std::size_t> head_ = 0, tail_ = 0;
};

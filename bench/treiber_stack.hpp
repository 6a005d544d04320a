// Treiber's stack, for benchmarks of exploring. Nodes live as long as their container.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace linchpin::bench {

template <class Node>
class Nodes {
 public:
  Node& make() { return nodes_[used_.fetch_add(1, std::memory_order_relaxed)]; }

 private:
  std::array<Node, 8> nodes_;
  std::atomic<std::size_t> used_ = 0;
};

class TreiberStack {
 public:
  void push(std::int64_t value) {
    Node* const node = &nodes_.make();
    node->value = value;
    Node* top = top_.load(std::memory_order_relaxed);
    do {
      node->next.store(top, std::memory_order_relaxed);
    } while (!top_.compare_exchange_weak(top, node, std::memory_order_release, std::memory_order_relaxed));
  }
  std::optional<std::int64_t> pop() {
    Node* top = top_.load(std::memory_order_acquire);
    while (top != nullptr && !top_.compare_exchange_weak(top, top->next.load(std::memory_order_relaxed),
                                                         std::memory_order_acquire, std::memory_order_acquire)) {
    }
    return top == nullptr ? std::nullopt : std::optional(top->value);
  }

 private:
  struct Node {
    std::int64_t value = 0;
    std::atomic<Node*> next = nullptr;
  };
  Nodes<Node> nodes_;
  std::atomic<Node*> top_ = nullptr;
};

}  // namespace linchpin::bench

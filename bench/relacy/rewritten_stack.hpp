// Treiber's stack, rewritten for Relacy: line by line that of bench/treiber_stack.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <relacy/relacy.hpp>

namespace linchpin::bench::rewritten {

template <class Node>
class Nodes {
 public:
  Node& make() { return nodes_[used_.fetch_add(1, rl::memory_order_relaxed)]; }

 private:
  std::array<Node, 8> nodes_;
  rl::atomic<std::size_t> used_{0};
};

class TreiberStack {
 public:
  void push(std::int64_t value) {
    Node* const node = &nodes_.make();
    node->value($) = value;
    Node* top = top_.load(rl::memory_order_relaxed);
    do {
      node->next.store(top, rl::memory_order_relaxed);
    } while (!top_.compare_exchange_weak(top, node, rl::memory_order_release, rl::memory_order_relaxed));
  }
  std::optional<std::int64_t> pop() {
    Node* top = top_.load(rl::memory_order_acquire);
    while (top != nullptr && !top_.compare_exchange_weak(top, top->next.load(rl::memory_order_relaxed),
                                                         rl::memory_order_acquire, rl::memory_order_acquire)) {
    }
    return top == nullptr ? std::nullopt : std::optional<std::int64_t>(top->value($));
  }

 private:
  struct Node {
    rl::var<std::int64_t> value{0};
    rl::atomic<Node*> next{nullptr};
  };
  Nodes<Node> nodes_;
  rl::atomic<Node*> top_{nullptr};
};

}  // namespace linchpin::bench::rewritten

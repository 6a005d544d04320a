// Nodes that live as long as their container, whoever takes them out: for lock-free containers that leave nodes to
// their callers, or never give any back.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <deque>

namespace linchpin::controls {

/// For stress runs: each thread has its own, so that making one is not a point at which threads meet.
template <class Node>
class NodeStore {
 public:
  Node& make() { return own().emplace_back(); }

 private:
  static constexpr std::size_t kThreads = 64;
  std::deque<Node>& own() {
    static std::atomic<std::size_t> threads = 0;
    static thread_local const std::size_t thread = threads++ % kThreads;
    return nodes_[thread].nodes;
  }
  struct alignas(128) Own {
    std::deque<Node> nodes;
  };
  std::array<Own, kThreads> nodes_;
};

/// For explored schedules: nothing outlives the container, and making one is a single step. Throws std::out_of_range
/// after 64, which is more than a scenario calls for.
template <class Node>
class FewNodes {
 public:
  Node& make() { return nodes_.at(used_.fetch_add(1, std::memory_order_relaxed)); }

 private:
  std::array<Node, 64> nodes_;
  std::atomic<std::size_t> used_ = 0;
};

}  // namespace linchpin::controls

// Many small heaps in one flat array: every operation is a node, ordered by its response; merged in O(log n) amortised.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/assert.hpp"
#include "base/none.hpp"
#include "history/events.hpp"

namespace linchpin::algo {

class SkewHeaps {
 public:
  static constexpr std::uint32_t kEmpty = kNone;

  explicit SkewHeaps(std::span<const history::Rank> response) : response_(response), nodes_(response.size()) {}

  /// Adds an operation that is in no heap; a heap is named by its root.
  void push(std::uint32_t& heap, std::uint32_t operation) { heap = merge(heap, operation); }
  /// Takes out the root, the operation with the least response. @pre heap != kEmpty
  std::uint32_t pop(std::uint32_t& heap) {
    LINCHPIN_ASSERT(heap != kEmpty);
    const std::uint32_t root = heap;
    heap = merge(nodes_[root].left, nodes_[root].right);
    nodes_[root] = {};
    return root;
  }

  /// A word for whoever owns an operation that is in no heap; kEmpty until it is written, and after `pop`.
  /// @pre no heap gets the operation after that
  std::uint32_t& link(std::uint32_t operation) { return nodes_[operation].left; }

  /// Top down: walks both right spines in order, exchanging children on the way.
  std::uint32_t merge(std::uint32_t a, std::uint32_t b) {
    std::uint32_t root = kEmpty;
    std::uint32_t* hook = &root;
    while (a != kEmpty && b != kEmpty) {
      if (response_[b] < response_[a]) std::swap(a, b);
      *hook = a;
      Node& node = nodes_[a];
      const std::uint32_t rest = node.right;
      node.right = node.left;
      hook = &node.left;
      a = rest;
    }
    *hook = a != kEmpty ? a : b;
    return root;
  }

 private:
  struct Node {
    std::uint32_t left = kEmpty, right = kEmpty;
  };
  std::span<const history::Rank> response_;
  std::vector<Node> nodes_;  // by operation
};

}  // namespace linchpin::algo

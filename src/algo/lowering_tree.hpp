// An array of 32-bit keys that are only ever lowered, a range at a time, and searched for the nearest key above a
// bound.
//
// A 16-ary tree. A node holds the least key that its whole range was lowered to, and the greatest key inside; a range
// is lowered at the nodes that make it up and never pushed down, since the least of what stands on the way from the
// root is what counts. Flat arrays, one per level; the children of a node are 64 bytes, one cache line. Cost O(log16 n)
// lines for everything. Compare: a binary tree with lazy updates writes on every search. Tests: lowering_tree_test.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/assert.hpp"
#include "base/none.hpp"

namespace linchpin::algo {

class LoweringTree {
 public:
  static constexpr std::int32_t kHighest = std::numeric_limits<std::int32_t>::max();

  LoweringTree() = default;
  /// `size` keys, all kHighest.
  explicit LoweringTree(std::uint32_t size) : size_(size) {
    std::size_t nodes = size;
    do {
      nodes = (nodes + kFan - 1) / kFan * kFan;
      greatest_.emplace_back(nodes, kHighest);
      // Above the leaves only; a leaf's key is all there is to know about it.
      lowered_.emplace_back(greatest_.size() == 1 ? 0 : nodes, kHighest);
      nodes /= kFan;
    } while (nodes > 1);
    // Keys that do not exist are never found.
    for (std::size_t i = size; i < greatest_[0].size(); ++i) greatest_[0][i] = std::numeric_limits<std::int32_t>::min();
  }

  /// Lowers the keys of [first, last] to `key` where they are above it.
  void lower(std::uint32_t first, std::uint32_t last, std::int32_t key) {
    LINCHPIN_ASSERT(last < size_);
    std::size_t from = first, to = std::size_t{last} + 1;  // nodes [from, to) of the level are left to lower
    for (std::size_t level = 0; level < greatest_.size(); ++level) {
      // The nodes above the ends of what has been lowered so far are brought up to date before they are passed.
      if (level > 0) {
        refresh(level, first >> (kBits * level));
        refresh(level, last >> (kBits * level));
      }
      if (from >= to) continue;
      const bool top = level + 1 == greatest_.size();
      const std::size_t left = top ? to : std::min(to, (from + kFan - 1) / kFan * kFan);
      for (; from < left; ++from) lower_node(level, from, key);
      const std::size_t right = std::max(from, to / kFan * kFan);
      for (std::size_t i = right; i < to; ++i) lower_node(level, i, key);
      from = from / kFan;
      to = right / kFan;
    }
  }

  /// The least i >= `from` with a key above `bound`, or kNone.
  [[nodiscard]] std::uint32_t next_above(std::uint32_t from, std::int32_t bound) const {
    return from >= size_ ? kNone : search<true>(greatest_.size(), 0, from, bound);
  }
  /// The greatest i <= `from` with a key above `bound`, or kNone. @pre from < size
  [[nodiscard]] std::uint32_t previous_above(std::uint32_t from, std::int32_t bound) const {
    LINCHPIN_ASSERT(from < size_);
    return search<false>(greatest_.size(), 0, from, bound);
  }

 private:
  static constexpr std::size_t kFan = 16, kBits = 4;

  void lower_node(std::size_t level, std::size_t i, std::int32_t key) {
    greatest_[level][i] = std::min(greatest_[level][i], key);
    if (level > 0) lowered_[level][i] = std::min(lowered_[level][i], key);
  }

  void refresh(std::size_t level, std::size_t i) {
    const std::int32_t* const children = &greatest_[level - 1][i * kFan];
    std::int32_t greatest = children[0];
    for (std::size_t k = 1; k < kFan; ++k) greatest = std::max(greatest, children[k]);
    greatest_[level][i] = std::min(greatest, lowered_[level][i]);
  }

  /// The nearest key above the bound below node `node` of `level`, from `from` on in the direction.
  template <bool kForward>
  [[nodiscard]] std::uint32_t search(std::size_t level, std::size_t node, std::uint32_t from,
                                     std::int32_t bound) const {
    if (level == 0) return static_cast<std::uint32_t>(node);
    const std::size_t begin = node * kFan;
    const std::size_t end = std::min(begin + kFan, greatest_[level - 1].size());
    const std::size_t start = std::size_t{from} >> (kBits * (level - 1));
    if constexpr (kForward) {
      for (std::size_t i = std::max(begin, start); i < end; ++i) {
        if (greatest_[level - 1][i] <= bound) continue;
        const std::uint32_t found = search<kForward>(level - 1, i, from, bound);
        if (found != kNone) return found;
      }
    } else {
      for (std::size_t i = std::min(end, start + 1); i > begin; --i) {
        if (greatest_[level - 1][i - 1] <= bound) continue;
        const std::uint32_t found = search<kForward>(level - 1, i - 1, from, bound);
        if (found != kNone) return found;
      }
    }
    return kNone;
  }

  std::uint32_t size_ = 0;
  std::vector<std::vector<std::int32_t>> greatest_;  // by level and node
  std::vector<std::vector<std::int32_t>> lowered_;   // likewise, empty for the leaves
};

}  // namespace linchpin::algo

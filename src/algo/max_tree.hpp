// A 16-ary maximum tree over a fixed number of 32-bit keys.
//
// Answers "the two greatest of the first n keys" and "some key of a prefix or suffix that is at least t", and replaces
// single keys. A node's children are a cache line, so a query reads one line a level and an update stops at the first
// level that does not change. Cost O(log16 n) lines for everything, O(n) to build. Compare: a binary tree touches four
// times as many lines; a segment tree with lazy additions does more than is needed. Tests: max_tree_test.cpp.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "algo/sixteen_keys.hpp"
#include "base/assert.hpp"
#include "base/none.hpp"

namespace linchpin::algo {

class MaxTree {
 public:
  static constexpr std::int32_t kLowest = SixteenKeys::kLowest;

  void build(std::span<const std::int32_t> keys) {
    levels_.clear();
    size_ = static_cast<std::uint32_t>(keys.size());
    std::vector<SixteenKeys>& leaves = add_level(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) leaves[i / kFan].key[i % kFan] = keys[i];
    // The top level has one key, so that a prefix of all leaves ends inside it even when their number is a power of 16.
    for (std::size_t nodes = keys.size(); nodes > 1;) {
      nodes = (nodes + kFan - 1) / kFan;
      add_level(nodes);
      const std::vector<SixteenKeys>& below = levels_[levels_.size() - 2];
      for (std::size_t i = 0; i < nodes; ++i) levels_.back()[i / kFan].key[i % kFan] = below[i].greatest();
    }
  }

  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] std::int32_t at(std::uint32_t i) const { return levels_[0][i / kFan].key[i % kFan]; }

  void set(std::uint32_t i, std::int32_t key) {
    LINCHPIN_ASSERT(i < size_);
    levels_[0][i / kFan].key[i % kFan] = key;
    for (std::size_t level = 1; level < levels_.size(); ++level) {
      i /= kFan;
      const std::int32_t now = levels_[level - 1][i].greatest();
      std::int32_t& known = levels_[level][i / kFan].key[i % kFan];
      if (known == now) return;
      known = now;
    }
  }

  /// The greatest of keys [0, n); kLowest for none.
  [[nodiscard]] std::int32_t prefix_max(std::uint32_t n) const {
    LINCHPIN_ASSERT(n <= size_);
    std::int32_t best = kLowest;
    for (std::size_t level = 0; n > 0; ++level, n /= kFan) {
      best = std::max(best, levels_[level][n / kFan].greatest_of_first(n % kFan));
    }
    return best;
  }

  struct TwoGreatest {
    std::int32_t first, second;
  };
  /// The two greatest of keys [0, n), the greater one first; kLowest for none. Where the greatest stands there more
  /// than once, some key that is less comes second.
  [[nodiscard]] TwoGreatest two_greatest_of_prefix(std::uint32_t n) const {
    LINCHPIN_ASSERT(n <= size_);
    TwoGreatest best{kLowest, kLowest};
    std::size_t level_of_best = 0;
    std::uint32_t end = 0;  // the greatest is below the first `end` keys of its level
    for (std::size_t level = 0; n > 0; ++level, n /= kFan) {
      const std::int32_t here = levels_[level][n / kFan].greatest_of_first(n % kFan);
      const bool better = here > best.first;
      best.second = std::max(best.second, here == best.first ? kLowest : std::min(here, best.first));
      best.first = better ? here : best.first;
      level_of_best = better ? level : level_of_best;
      end = better ? n : end;
    }
    if (best.first == kLowest) return best;
    // What stands beside the greatest on the way down to it.
    std::uint32_t node = end / kFan, count = end % kFan;
    for (std::size_t level = level_of_best;; --level) {
      const SixteenKeys& keys = levels_[level][node];
      best.second = std::max(best.second, keys.greatest_of_first_but(count, best.first));
      if (level == 0) return best;
      node = node * kFan + lowest(keys.at_least(best.first));
      count = kFan;
    }
  }

  /// An index below n whose key is at least `threshold`, or kNone. @pre threshold > kLowest
  [[nodiscard]] std::uint32_t find_in_prefix(std::uint32_t n, std::int32_t threshold) const {
    LINCHPIN_ASSERT(n <= size_ && threshold > kLowest);
    for (std::size_t level = 0; n > 0; ++level, n /= kFan) {
      const std::uint32_t found = levels_[level][n / kFan].at_least(threshold) & ((1U << n % kFan) - 1);
      if (found != 0) return descend(level, n / kFan * kFan + lowest(found), threshold);
    }
    return kNone;
  }

  /// An index from `from` on whose key is at least `threshold`, or kNone. @pre threshold > kLowest
  [[nodiscard]] std::uint32_t find_in_suffix(std::uint32_t from, std::int32_t threshold) const {
    LINCHPIN_ASSERT(threshold > kLowest);
    for (std::size_t level = 0; level < levels_.size(); ++level, from = from / kFan + 1) {
      // There is a node after the last, without keys; beyond it nothing is left on any level.
      if (from / kFan >= levels_[level].size()) break;
      const std::uint32_t found = levels_[level][from / kFan].at_least(threshold) & (~0U << from % kFan);
      if (found != 0) return descend(level, from / kFan * kFan + lowest(found), threshold);
    }
    return kNone;
  }

 private:
  static constexpr std::uint32_t kFan = SixteenKeys::kCount;

  /// A level of so many keys, all kLowest, with a node for what lies just past them.
  std::vector<SixteenKeys>& add_level(std::size_t keys) {
    return levels_.emplace_back(keys / kFan + 1, SixteenKeys::all(kLowest));
  }
  static std::uint32_t lowest(std::uint32_t bits) { return static_cast<std::uint32_t>(std::countr_zero(bits)); }

  [[nodiscard]] std::uint32_t descend(std::size_t level, std::uint32_t i, std::int32_t threshold) const {
    while (level-- > 0) i = i * kFan + lowest(levels_[level][i].at_least(threshold));
    return i;
  }

  std::vector<std::vector<SixteenKeys>> levels_;  // 0: the keys
  std::uint32_t size_ = 0;
};

}  // namespace linchpin::algo

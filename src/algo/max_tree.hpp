// A 16-ary maximum tree over a fixed number of 32-bit keys.
//
// Answers "the greatest of the first n keys" and "some key of a prefix or suffix that is at least t", and replaces
// single keys. Flat arrays, one per level; a node's children are 64 bytes, one cache line, so a query reads one line a
// level and an update stops at the first level that does not change. Cost O(log16 n) lines for everything, O(n) to
// build. Compare: a binary tree touches four times as many lines; a segment tree with lazy additions does more than is
// needed. Tests: max_tree_test.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace linchpin::algo {

class MaxTree {
 public:
  static constexpr std::int32_t kLowest = std::numeric_limits<std::int32_t>::min();
  static constexpr std::uint32_t kNotFound = 0xffffffffU;

  /// Takes `keys` over.
  void build(std::vector<std::int32_t> keys) {
    levels_.clear();
    size_ = static_cast<std::uint32_t>(keys.size());
    pad(keys);
    levels_.push_back(std::move(keys));
    // The top level has one node, so that a prefix of all leaves ends inside it even when their number is a power
    // of 16.
    for (std::size_t nodes = levels_[0].size() / kFan;; nodes = levels_.back().size() / kFan) {
      std::vector<std::int32_t> level(nodes);
      for (std::size_t i = 0; i < nodes; ++i) level[i] = greatest(&levels_.back()[i * kFan]);
      pad(level);
      levels_.push_back(std::move(level));
      if (nodes <= 1) break;
    }
  }

  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] std::int32_t at(std::uint32_t i) const { return levels_[0][i]; }

  void set(std::uint32_t i, std::int32_t key) {
    levels_[0][i] = key;
    for (std::size_t level = 1; level < levels_.size(); ++level) {
      const std::int32_t* children = &levels_[level - 1][i & ~(kFan - 1)];
      i /= kFan;
      const std::int32_t now = greatest(children);
      if (levels_[level][i] == now) return;
      levels_[level][i] = now;
    }
  }

  /// The greatest of keys [0, n); kLowest for none.
  [[nodiscard]] std::int32_t prefix_max(std::uint32_t n) const {
    std::int32_t best = kLowest;
    for (std::size_t level = 0; n > 0; ++level, n /= kFan) {
      best = std::max(best, greatest_within(node(level, n), 0, n % kFan));
    }
    return best;
  }

  /// The greatest of keys [from, n).
  [[nodiscard]] std::int32_t range_max(std::uint32_t from, std::uint32_t n) const {
    std::int32_t best = kLowest;
    for (std::size_t level = 0; from < n; ++level) {
      if (from / kFan == n / kFan) return std::max(best, greatest_within(node(level, from), from % kFan, n % kFan));
      best = std::max(
          {best, greatest_within(node(level, from), from % kFan, kFan), greatest_within(node(level, n), 0, n % kFan)});
      from = from / kFan + 1;
      n /= kFan;
    }
    return best;
  }

  /// The greatest of keys [0, n) but that of `without`.
  [[nodiscard]] std::int32_t prefix_max_without(std::uint32_t n, std::uint32_t without) const {
    if (without >= n) return prefix_max(n);
    return std::max(prefix_max(without), range_max(without + 1, n));
  }

  /// An index below n whose key is at least `threshold`, or kNotFound. @pre threshold > kLowest
  [[nodiscard]] std::uint32_t find_in_prefix(std::uint32_t n, std::int32_t threshold) const {
    for (std::size_t level = 0; n > 0; ++level, n /= kFan) {
      if (greatest_within(node(level, n), 0, n % kFan) < threshold) continue;
      std::uint32_t i = n & ~(kFan - 1);
      while (levels_[level][i] < threshold) ++i;
      return descend(level, i, threshold);
    }
    return kNotFound;
  }

  /// An index from `from` on whose key is at least `threshold`, or kNotFound. @pre threshold > kLowest
  [[nodiscard]] std::uint32_t find_in_suffix(std::uint32_t from, std::int32_t threshold) const {
    for (std::size_t level = 0; level < levels_.size() && from < levels_[level].size(); ++level) {
      // The top level is one node; below it, what does not begin with a node's first key is left to this level.
      const bool top = level + 1 == levels_.size();
      if ((top || from % kFan != 0) && greatest_within(node(level, from), from % kFan, kFan) >= threshold) {
        while (levels_[level][from] < threshold) ++from;
        return descend(level, from, threshold);
      }
      from = (from + kFan - 1) / kFan;
    }
    return kNotFound;
  }

 private:
  static constexpr std::uint32_t kFan = 16;

  static void pad(std::vector<std::int32_t>& keys) {
    keys.resize(std::max<std::size_t>(kFan, (keys.size() + kFan - 1) & ~std::size_t{kFan - 1}), kLowest);
  }
  static std::int32_t greatest(const std::int32_t* keys) {
    std::int32_t best = keys[0];
    for (std::uint32_t i = 1; i < kFan; ++i) best = std::max(best, keys[i]);
    return best;
  }
  /// The node of a level in which key i lies; past the last, where no key is looked at, any.
  [[nodiscard]] const std::int32_t* node(std::size_t level, std::uint32_t i) const {
    const std::vector<std::int32_t>& keys = levels_[level];
    return &keys[i < keys.size() ? i & ~(kFan - 1) : 0];
  }
  /// The greatest of a node's keys [first, end). All are looked at, with masks: shorter loops end unforeseen.
  static std::int32_t greatest_within(const std::int32_t* keys, std::uint32_t first, std::uint32_t end) {
    std::int32_t best = kLowest;
    for (std::uint32_t i = 0; i < kFan; ++i) best = std::max(best, first <= i && i < end ? keys[i] : kLowest);
    return best;
  }
  [[nodiscard]] std::uint32_t descend(std::size_t level, std::uint32_t i, std::int32_t threshold) const {
    for (; level > 0; --level) {
      i *= kFan;
      while (levels_[level - 1][i] < threshold) ++i;
    }
    return i;
  }

  std::vector<std::vector<std::int32_t>> levels_;  // 0: the keys; each padded with kLowest to a multiple of kFan
  std::uint32_t size_ = 0;
};

}  // namespace linchpin::algo

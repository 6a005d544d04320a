// The content of a container, where it is a function of which operations took effect: it is changed by doing and
// undoing them in any order. Also which operations stand in the way of which others. Used by content_search.cpp.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/assert.hpp"
#include "types/content_search.hpp"

namespace linchpin::types {

/// What is inside, as a function of what is done.
class HeldContent {
 public:
  explicit HeldContent(const ContentHistory& history)
      : history_(history), count_(history.cells, 0), sum_(history.initial) {
    if (history.rank.empty()) return;
    const std::uint32_t ranks = 1 + *std::max_element(history.rank.begin(), history.rank.end());
    of_rank_.assign(ranks, 0);
    for (std::uint32_t words = (ranks + 63) / 64;; words = (words + 63) / 64) {
      held_.emplace_back(words, 0);
      if (words == 1) break;
    }
  }

  [[nodiscard]] bool legal(const ContentAct& act) const {
    switch (act.need) {
      case ContentNeed::nothing: return true;
      case ContentNeed::present: return count_[act.cell] > 0;
      case ContentNeed::absent: return count_[act.cell] == 0;
      case ContentNeed::best: return count_[act.cell] > 0 && best_rank() == history_.rank[act.cell];
      case ContentNeed::total: return sum_ == act.number;
      case ContentNeed::some: return sum_ > 0;
      case ContentNeed::room: return sum_ < act.number;
      case ContentNeed::never: break;
    }
    return false;
  }
  void apply(const ContentAct& act) { change(act.cell, act.change); }
  void undo(const ContentAct& act) {
    change(act.cell, static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(act.change)));
  }

 private:
  static std::int64_t added(std::int64_t a, std::int64_t b) {  // numbers wrap around
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  }

  void change(std::uint32_t cell, std::int64_t by) {
    if (by == 0) return;
    sum_ = added(sum_, by);
    const bool before = count_[cell] > 0;
    count_[cell] = added(count_[cell], by);
    const bool after = count_[cell] > 0;
    if (of_rank_.empty() || before == after) return;
    const std::uint32_t rank = history_.rank[cell];
    const bool was_held = of_rank_[rank] > 0;
    of_rank_[rank] += after ? 1U : -1U;
    if (was_held == (of_rank_[rank] > 0)) return;
    // A bit in each level: whether anything below it is held.
    std::uint32_t at = rank;
    for (std::vector<std::uint64_t>& level : held_) {
      std::uint64_t& word = level[at / 64];
      const bool empty_before = word == 0;
      word ^= std::uint64_t{1} << (at % 64);
      if (empty_before == (word == 0)) break;
      at /= 64;
    }
  }

  /// @pre something is held
  [[nodiscard]] std::uint32_t best_rank() const {
    LINCHPIN_ASSERT(held_.back()[0] != 0);
    std::uint32_t at = 0;
    for (std::size_t level = held_.size(); level-- > 0;) {
      at = at * 64 + static_cast<std::uint32_t>(std::countr_zero(held_[level][at]));
    }
    return at;
  }

  const ContentHistory& history_;
  std::vector<std::int64_t> count_;  // by cell; may be below zero on the way between two masks
  std::int64_t sum_;
  std::vector<std::uint32_t> of_rank_;            // how many cells of that rank hold something
  std::vector<std::vector<std::uint64_t>> held_;  // the ranks that are held, and summaries above
};

/// Whether doing `x` where it is legal may make illegal, for good, what `other` could have been done before.
inline bool hinders(const ContentHistory& history, const ContentAct& x, const ContentAct& other) {
  if (x.change == 0 || x == other) return false;
  const bool puts = x.change > 0;
  switch (other.need) {
    case ContentNeed::absent: return puts && other.cell == x.cell;
    case ContentNeed::present: return !puts && other.cell == x.cell;
    case ContentNeed::best:
      if (puts) return history.rank[other.cell] > history.rank[x.cell];
      return other.cell == x.cell;
    case ContentNeed::total: return true;
    case ContentNeed::some: return !puts;
    case ContentNeed::room: return puts;
    case ContentNeed::nothing:
    case ContentNeed::never: break;
  }
  return false;
}

/// Whether the operation may become legal by what is put in, and does not take it.
inline bool waits_for_more(const ContentAct& act) {
  if (act.need == ContentNeed::total) return act.number != 0 || act.change != 0;
  const bool held = act.need == ContentNeed::present || act.need == ContentNeed::best || act.need == ContentNeed::some;
  return held && act.change == 0;
}

}  // namespace linchpin::types

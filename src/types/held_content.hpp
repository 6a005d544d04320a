// The content of a container, where it is a function of which operations took effect: it is changed by doing and
// undoing them in any order. Also which operations stand in the way of which others. Used by content_search.cpp.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
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
    by_rank_.resize(history.cells);
    std::iota(by_rank_.begin(), by_rank_.end(), 0U);
    std::stable_sort(by_rank_.begin(), by_rank_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return history.rank[a] < history.rank[b]; });
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
      case ContentNeed::never:
      case ContentNeed::lost: break;
    }
    return false;
  }
  /// What has to leave for the act to become legal, one cell for each thing, sorted: at least one, at most `most`.
  /// False: nothing of that kind makes it legal. O(what is found) where there are ranks. @pre it is not legal
  bool in_the_way(const ContentAct& act, std::size_t most, std::vector<std::uint32_t>& cells) const {
    cells.clear();
    switch (act.need) {
      case ContentNeed::absent: return add_all_of(act.cell, most, cells);
      case ContentNeed::best: return count_[act.cell] > 0 && add_better_than(history_.rank[act.cell], most, cells);
      case ContentNeed::total: return act.number == 0 && sum_ > 0 && add_everything(most, cells);
      default: return false;
    }
  }
  void take(std::uint32_t cell) { change(cell, -1); }
  void put_back(std::uint32_t cell) { change(cell, 1); }
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
  /// The next rank that is held, or how many ranks there are.
  [[nodiscard]] std::uint32_t rank_behind(std::uint32_t rank) const {
    for (std::size_t level = 0; level < held_.size(); ++level) {
      const std::uint32_t word = rank / 64;
      const std::uint64_t above = held_[level][word] & (~std::uint64_t{1} << (rank % 64));
      if (above != 0) {
        rank = word * 64 + static_cast<std::uint32_t>(std::countr_zero(above));
        while (level-- > 0) {
          rank = rank * 64 + static_cast<std::uint32_t>(std::countr_zero(held_[level][rank]));
        }
        return rank;
      }
      rank = word;
    }
    return static_cast<std::uint32_t>(of_rank_.size());
  }

  bool add_all_of(std::uint32_t cell, std::size_t most, std::vector<std::uint32_t>& cells) const {
    if (count_[cell] <= 0) return true;
    const auto times = static_cast<std::uint64_t>(count_[cell]);
    if (times > most - cells.size()) return false;
    cells.insert(cells.end(), times, cell);
    return true;
  }
  /// Of every cell whose rank is better.
  bool add_better_than(std::uint32_t rank, std::size_t most, std::vector<std::uint32_t>& cells) const {
    for (std::uint32_t held = best_rank(); held < rank; held = rank_behind(held)) {
      auto at =
          std::lower_bound(by_rank_.begin(), by_rank_.end(), held,
                           [this](std::uint32_t cell, std::uint32_t wanted) { return history_.rank[cell] < wanted; });
      for (; at != by_rank_.end() && history_.rank[*at] == held; ++at) {
        if (!add_all_of(*at, most, cells)) return false;
      }
    }
    std::sort(cells.begin(), cells.end());
    return true;
  }
  bool add_everything(std::size_t most, std::vector<std::uint32_t>& cells) const {
    if (static_cast<std::uint64_t>(sum_) > most) return false;
    if (!of_rank_.empty()) return add_better_than(static_cast<std::uint32_t>(of_rank_.size()), most, cells);
    for (std::uint32_t cell = 0; cell < count_.size(); ++cell) add_all_of(cell, most, cells);
    return true;
  }

  const ContentHistory& history_;
  std::vector<std::int64_t> count_;  // by cell; may be below zero on the way between two masks
  std::int64_t sum_;
  std::vector<std::uint32_t> of_rank_;            // how many cells of that rank hold something
  std::vector<std::uint32_t> by_rank_;            // the cells, the best first
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
    case ContentNeed::never:
    case ContentNeed::lost: break;
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

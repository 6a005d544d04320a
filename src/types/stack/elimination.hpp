// Decides which values of a stack history can be taken away, from the bottom up: near-linear elimination.
//
// A value may be eliminated if each of its operations has a segment outside the covers of all other remaining values:
// it then wraps everything else as the bottom of the stack. Eliminations only help others, so any order will do; the
// history is linearizable iff nothing remains. (Flush lemma: at a segment that no cover contains, every value can be
// moved wholly to one side, and nothing changes among the values of a side.)
//
// Push and pop lie outside their own cover: they wait for an *open* segment, one that no remaining cover contains. A
// look may also use a *sole* segment, contained in its own value's cover only. So two questions are answered as covers
// go: which segments become open or sole, and whom does that make safe.
//
// Holders. Each closed segment has a holder, a remaining cover that contains it; ranges of segments are assigned
// greedily to the cover that reaches furthest among those that start before (a prefix maximum over k of the ends). A
// cover's holdings are contiguous, so eliminating it re-assigns one range. A new inner boundary is the end of a cover
// that stays, which happens once a cover; so there are at most about five tree queries a value. With looks the holder
// is a pair, the two covers that reach furthest; equal neighbours are merged, or nested histories become quadratic.
//
// Waking. Pushes that are not safe yet lie in a tree by the start of their cover, pops by the end of theirs; an open
// segment extracts those that contain it, each once.
//
// Cost O(n log16 n) time, flat arrays, no allocation after set-up. Compare: container_reference.hpp in tests/support
// does the same by counting covers afresh after each elimination. Tests: elimination is held against that reference and
// the oracle in stack_monitor_test.cpp.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "algo/bitset.hpp"
#include "algo/max_tree.hpp"
#include "base/none.hpp"
#include "core/budget.hpp"
#include "types/stack/segments.hpp"

namespace linchpin::types {

/// The looks that elimination has to wait for: of every value the minimal ones, as ranges of segments. A look whose
/// range contains that of another operation of its value is safe when that one is.
struct StackLooks {
  std::vector<std::uint32_t> begin;  ///< by k, values + 1 entries
  std::vector<std::uint32_t> owner;  ///< k
  std::vector<std::uint32_t> operation;
  std::vector<std::uint32_t> first, last;  ///< segments; ascending in each value

  StackLooks() = default;
  StackLooks(const algo::ContainerHistory& history, const algo::ContainerValues& container,
             const StackSegments& segments, const algo::LooksByValue& looks);
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(owner.size()); }
};

class StackElimination {
 public:
  StackElimination(const StackSegments& segments, const StackLooks& looks);

  /// Eliminates as long as possible; whether nothing remains. `before(k)` is called before the cover of k goes, with
  /// its push and pop segments chosen; `after(k)` when it is gone. False also when the budget is spent.
  template <class Before, class After>
  bool run(core::Budget& budget, Before&& before, After&& after) {
    while (!ready_.empty()) {
      if (budget.spent()) return false;
      const std::uint32_t k = ready_.back();
      ready_.pop_back();
      before(k);
      eliminate(k);
      after(k);
      ++eliminated_;
    }
    return eliminated_ == segments_.values;
  }

  [[nodiscard]] const algo::Bitset& open() const { return open_; }
  [[nodiscard]] bool remains(std::uint32_t k) const { return covers_.at(k) >= 0; }
  /// The remaining cover, but that of `without`, that starts before segment s and reaches furthest; kNone if none
  /// contains s.
  [[nodiscard]] std::uint32_t furthest_without(std::uint32_t s, std::uint32_t without) const {
    const auto [x, y] = two_furthest(s);
    return x == without ? y : x;
  }
  [[nodiscard]] bool push_safe(std::uint32_t k) const {
    return open_.meets(segments_.push_first[k], segments_.start[k]);
  }
  [[nodiscard]] bool pop_safe(std::uint32_t k) const {
    return open_.meets(segments_.end[k] + 1, segments_.pop_last[k]);
  }
  [[nodiscard]] bool look_safe(std::uint32_t look) const { return look_is_safe_[look]; }

 private:
  // Operations that wait for an open segment. Without looks there is one entry a value, pushes by k and pops by the
  // rank of the cover's end, and the other two arrays are empty.
  struct Waiting {
    algo::MaxTree tree;                // pushes: minus the first segment; pops: the last
    std::vector<std::uint32_t> begin;  // first entry by k, or by the rank of k's end
    std::vector<std::uint32_t> owner;  // by entry: k, or m + look
  };

  [[nodiscard]] std::uint32_t cover_at(std::uint32_t s, std::int32_t reach) const {
    if (reach < static_cast<std::int32_t>(s)) return kNone;
    return static_cast<std::uint32_t>(~segments_.endpoint[static_cast<std::uint32_t>(reach)]);
  }
  [[nodiscard]] std::uint32_t furthest(std::uint32_t s) const {
    return cover_at(s, covers_.prefix_max(segments_.starts_before[s]));
  }
  /// The two remaining covers that contain s and reach furthest, the further one first; kNone where there are fewer.
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> two_furthest(std::uint32_t s) const {
    const algo::MaxTree::TwoGreatest reach = covers_.two_greatest_of_prefix(segments_.starts_before[s]);
    return {cover_at(s, reach.first), cover_at(s, reach.second)};
  }
  /// Whether a remaining cover starts at the endpoint after segment s.
  [[nodiscard]] bool cover_starts_after(std::uint32_t s) const {
    const std::int32_t k = segments_.endpoint[s];
    return k >= 0 && remains(static_cast<std::uint32_t>(k));
  }

  void find_open_segments();
  void prepare_waiting();
  void wake(std::uint32_t entry_owner);
  void make_safe(std::uint32_t k) {
    if (--need_[k] == 0) ready_.push_back(k);
  }
  void make_look_safe(std::uint32_t look);
  void open_segments(std::uint32_t first, std::uint32_t last);
  std::uint32_t open_from(std::uint32_t left, std::uint32_t right);
  void eliminate(std::uint32_t k);

  // Without looks: one holder a segment.
  void assign(std::uint32_t left, std::uint32_t right);
  // With looks: the two furthest.
  void assign_pairs(std::uint32_t left, std::uint32_t right);
  void place(std::uint32_t left, std::uint32_t right, std::uint32_t x, std::uint32_t y);
  void eliminate_from_pairs(std::uint32_t k);
  void wake_sole(std::uint32_t k, std::uint32_t left, std::uint32_t right);
  [[nodiscard]] std::uint32_t next_unsafe(std::uint32_t look);

  const StackSegments& segments_;
  const StackLooks& looks_;
  algo::MaxTree covers_;  // by k: end of the cover, -1 once eliminated
  algo::Bitset open_;
  Waiting pushes_, pops_;
  std::vector<std::uint32_t> end_order_;  // k by the rank of its cover's end, where pops_ has one entry a value
  std::vector<std::uint32_t> need_;       // by k: operations that are not safe yet
  std::vector<std::uint32_t> ready_;
  std::uint32_t eliminated_ = 0;

  // One holder: k holds segments held_left_[k] .. held_right_[k]; kNone: nothing.
  std::vector<std::uint32_t> held_left_, held_right_;

  // Pairs. A region is known by its left end (right end, first, second) and by its right end (left end). The regions in
  // which a cover takes part are contiguous, so it knows the leftmost.
  struct Region {
    std::uint32_t right = kNone, first = kNone, second = kNone;
  };
  std::vector<Region> region_;                // by left end
  std::vector<std::uint32_t> left_of_right_;  // by right end
  std::vector<std::uint32_t> leftmost_;       // by k
  std::vector<bool> look_is_safe_;
  std::vector<std::uint32_t> unsafe_link_;  // union-find: the next look that is not safe
};

}  // namespace linchpin::types

#include "research/value_blocks/blocks.hpp"

#include <algorithm>

namespace linchpin::research::value_blocks {

namespace {

/// Figures 12 and 13, which share the marks.
class Blocks {
 public:
  explicit Blocks(const std::vector<Interval>& intervals) : intervals_(intervals), marked_(intervals.size(), false) {
    for (std::size_t i = 0; i < intervals.size(); ++i) (intervals[i].reversed ? reverse_ : forward_).push_back(i);
  }

  std::vector<Block> make() {
    forward_blocks();
    reverse_blocks();
    const auto earliest_return = [&](const Block& block) {
      return intervals_[*std::min_element(
                            block.begin(), block.end(),
                            [&](std::size_t a, std::size_t b) { return intervals_[a].end < intervals_[b].end; })]
          .end;
    };
    std::stable_sort(blocks_.begin(), blocks_.end(),
                     [&](const Block& a, const Block& b) { return earliest_return(a) < earliest_return(b); });
    return std::move(blocks_);
  }

 private:
  void forward_blocks() {
    for (const std::size_t forward : forward_) {
      Block block{forward};
      for (const std::size_t reverse : reverse_) {
        if (!intervals_[forward].inside(intervals_[reverse])) continue;
        block.push_back(reverse);
        marked_[reverse] = true;
      }
      blocks_.push_back(std::move(block));
    }
  }

  void reverse_blocks() {
    std::vector<std::size_t> sorted = reverse_;
    std::sort(sorted.begin(), sorted.end(),
              [&](std::size_t a, std::size_t b) { return intervals_[a].end < intervals_[b].end; });
    for (std::size_t initial = 0; initial < sorted.size(); ++initial) {
      Block block{sorted[initial]};
      for (std::size_t other = initial + 1; other < sorted.size(); ++other) {
        if (share_a_moment(sorted[initial], sorted[other])) block.push_back(sorted[other]);
      }
      if (std::all_of(block.begin(), block.end(), [&](std::size_t chain) { return marked_[chain]; })) continue;
      for (const std::size_t chain : block) marked_[chain] = true;
      blocks_.push_back(std::move(block));
    }
  }

  /// Whether two reverse intervals intersect, and not only where a forward interval leaves no room.
  [[nodiscard]] bool share_a_moment(std::size_t a, std::size_t b) const {
    const Interval common{.start = std::max(intervals_[a].start, intervals_[b].start),
                          .end = std::min(intervals_[a].end, intervals_[b].end),
                          .reversed = true};
    if (common.start > common.end) return false;
    return std::none_of(forward_.begin(), forward_.end(),
                        [&](std::size_t forward) { return common.inside(intervals_[forward]); });
  }

  const std::vector<Interval>& intervals_;
  std::vector<bool> marked_;  // may not make up a block of their own
  std::vector<std::size_t> forward_, reverse_;
  std::vector<Block> blocks_;
};

}  // namespace

std::vector<Block> make_blocks(const std::vector<Interval>& intervals) { return Blocks(intervals).make(); }

}  // namespace linchpin::research::value_blocks

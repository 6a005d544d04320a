#include "types/priority_queue/open_gaps.hpp"

#include <algorithm>

#include "base/none.hpp"

namespace linchpin::types {

namespace {

/// Beyond this many classes their immediate predecessors are not worked out: that takes their square.
constexpr std::uint32_t kMostRows = 2048;
/// Where a plane would do as well, rows are for so few that a set of gaps each is cheaper.
constexpr std::uint32_t kFewRows = 16;
constexpr std::size_t kMostRowBytes = std::size_t{512} << 20;

}  // namespace

OpenGaps::Method OpenGaps::best_method(const PriorityClasses& classes, std::uint32_t count, std::uint32_t gaps) {
  if (classes.order == nullptr) return Method::total;
  if (classes.order->plane() && count > kFewRows) return Method::plane;
  return count <= kMostRows && std::size_t{count} * gaps / 8 <= kMostRowBytes ? Method::rows : Method::stabbing;
}

OpenGaps::OpenGaps(const PriorityClasses& classes, std::uint32_t count, std::uint32_t gaps, Method method)
    : classes_(&classes), gaps_(gaps), method_(method) {
  switch (method_) {
    case Method::total: open_ = algo::Bitset(gaps, true); return;
    case Method::plane: heights_ = algo::LoweringTree(gaps); return;
    case Method::rows:
      open_ = algo::Bitset(gaps, true);
      link_predecessors(count);
      return;
    case Method::stabbing:
      leaves_ = 1;
      while (leaves_ < gaps) leaves_ *= 2;
      head_.assign(std::size_t{leaves_} * 2, kNone);
  }
}

void OpenGaps::link_predecessors(std::uint32_t count) {
  predecessors_.resize(count);
  closed_.resize(count);
  has_successor_.assign(count, false);
  const std::size_t words = (count + 63) / 64;
  std::vector<std::uint64_t> better(words * count, 0);  // by class: a bit for each class that goes before it
  for (std::uint32_t c = 0; c < count; ++c) {
    std::uint64_t* const own = &better[words * c];
    for (std::uint32_t u = c; u-- > 0;) {
      if ((own[u / 64] >> (u % 64) & 1U) != 0 || !classes_->better(u, c)) continue;
      predecessors_[c].push_back(u);
      has_successor_[u] = true;
      own[u / 64] |= std::uint64_t{1} << (u % 64);
      for (std::size_t word = 0; word < words; ++word) own[word] |= better[words * u + word];
    }
  }
}

/// Notes what the class turned to, or a better one, covers.
void OpenGaps::keep_row() {
  if (current_ == kNone) return;
  const auto open = open_.words();
  closed_[current_].resize(open.size());
  std::transform(open.begin(), open.end(), closed_[current_].begin(), [](std::uint64_t word) { return ~word; });
}

void OpenGaps::turn_to(std::uint32_t which) {
  own_ = false;
  if (method_ == Method::plane) height_ = classes_->order->height(classes_->known(which));
  if (method_ == Method::rows) {
    keep_row();
    // A chain goes on with what is there.
    const auto& before = predecessors_[which];
    if (current_ == kNone || before.size() != 1 || before[0] != current_) {
      std::vector<std::span<const std::uint64_t>> rows;
      for (const std::uint32_t u : before) rows.emplace_back(closed_[u]);
      open_.assign_outside(rows);
    }
  }
  current_ = which;
}

void OpenGaps::turn_to_end() {
  own_ = false;
  if (method_ == Method::plane) height_ = algo::LoweringTree::kHighest - 1;
  if (method_ == Method::rows) {
    keep_row();
    std::vector<std::span<const std::uint64_t>> rows;
    for (std::size_t c = 0; c < closed_.size(); ++c) {
      if (!has_successor_[c] && !closed_[c].empty()) rows.emplace_back(closed_[c]);
    }
    open_.assign_outside(rows);
  }
  current_ = kNone;
}

void OpenGaps::cover(std::uint32_t first, std::uint32_t last) {
  switch (method_) {
    case Method::total:
    case Method::rows: open_.erase_range(first, last); return;
    case Method::plane: heights_.lower(first, last, height_); return;
    case Method::stabbing: break;
  }
  own_ = true;
  const auto which = static_cast<std::uint32_t>(covers_.size());
  covers_.push_back({first, last, current_});
  const auto hang = [&](std::uint32_t node) {
    entries_.push_back({which, head_[node]});
    head_[node] = static_cast<std::uint32_t>(entries_.size()) - 1;
  };
  std::uint32_t left = first + leaves_, right = last + leaves_ + 1;
  for (; left < right; left /= 2, right /= 2) {
    if (left % 2 == 1) hang(left++);
    if (right % 2 == 1) hang(--right);
  }
}

template <bool kForward>
std::uint32_t OpenGaps::reach(std::uint32_t gap) const {
  bool closed = false;
  std::uint32_t furthest = gap;
  for (std::uint32_t node = gap + leaves_; node > 0; node /= 2) {
    for (std::uint32_t at = head_[node]; at != kNone; at = entries_[at].next) {
      const Cover& cover = covers_[entries_[at].cover];
      const bool counts = current_ == kNone || (cover.of == current_ ? own_ : classes_->better(cover.of, current_));
      if (!counts) continue;
      closed = true;
      furthest = kForward ? std::max(furthest, cover.last + 1) : std::min(furthest, cover.first);
    }
  }
  if (!closed) return gap;
  // One beyond the covers, in either direction; before the first gap there is nothing.
  return kForward ? furthest : furthest - 1;
}

std::uint32_t OpenGaps::next_stabbing(std::uint32_t gap) const {
  while (gap < gaps_) {
    const std::uint32_t beyond = reach<true>(gap);
    if (beyond == gap) return gap;
    gap = beyond;
  }
  return kNone;
}

std::uint32_t OpenGaps::previous_stabbing(std::uint32_t gap) const {
  while (gap != kNone) {
    const std::uint32_t beyond = reach<false>(gap);
    if (beyond == gap) return gap;
    gap = beyond;
  }
  return kNone;
}

}  // namespace linchpin::types

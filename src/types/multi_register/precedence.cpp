#include "types/multi_register/precedence.hpp"

#include <algorithm>

#include "base/assert.hpp"

namespace linchpin::types::multi_register {

void Precedence::settle() {
  next_begin_.assign(nodes_ + 1, 0);
  previous_begin_.assign(nodes_ + 1, 0);
  for (const Link& edge : fixed_) {
    ++next_begin_[edge.from + 1];
    ++previous_begin_[edge.to + 1];
  }
  for (std::uint32_t node = 0; node < nodes_; ++node) {
    next_begin_[node + 1] += next_begin_[node];
    previous_begin_[node + 1] += previous_begin_[node];
  }
  next_.resize(fixed_.size());
  previous_.resize(fixed_.size());
  std::vector<std::uint32_t> next_at(next_begin_.begin(), next_begin_.end() - 1);
  std::vector<std::uint32_t> previous_at(previous_begin_.begin(), previous_begin_.end() - 1);
  for (const Link& edge : fixed_) {
    next_[next_at[edge.from]++] = edge.to;
    previous_[previous_at[edge.to]++] = edge.from;
  }
  fixed_ = {};
  added_next_.resize(nodes_);
  added_previous_.resize(nodes_);
  seen_.assign(nodes_, 0);
  came_.resize(nodes_);
  position_.assign(nodes_, kNone);
  for (std::uint32_t place = 0; place < order_.size(); ++place) position_[order_[place]] = place;
}

template <class Visit>
void Precedence::for_each_next(std::uint32_t node, Visit&& visit) const {
  for (std::uint32_t i = next_begin_[node]; i < next_begin_[node + 1]; ++i) visit(Half{next_[i], kNone});
  for (const Half& half : added_next_[node]) visit(half);
}

template <class Visit>
void Precedence::for_each_previous(std::uint32_t node, Visit&& visit) const {
  for (std::uint32_t i = previous_begin_[node]; i < previous_begin_[node + 1]; ++i) visit(Half{previous_[i], kNone});
  for (const Half& half : added_previous_[node]) visit(half);
}

bool Precedence::path(std::uint32_t from, std::uint32_t to, std::vector<Link>& out) {
  if (position_[from] >= position_[to]) return false;
  ++round_;
  look_at(from);
  stack_.assign(1, from);
  while (!stack_.empty() && seen_[to] != round_) {
    const std::uint32_t node = stack_.back();
    stack_.pop_back();
    for_each_next(node, [&](const Half& half) {
      if (seen_[half.node] == round_ || position_[half.node] > position_[to]) return;
      look_at(half.node);
      came_[half.node] = {node, half.node, half.added};
      stack_.push_back(half.node);
    });
  }
  if (seen_[to] != round_) return false;
  const std::size_t begin = out.size();
  for (std::uint32_t node = to; node != from; node = came_[node].from) out.push_back(came_[node]);
  std::reverse(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end());
  return true;
}

void Precedence::add(std::uint32_t from, std::uint32_t to, std::uint32_t number) {
  const std::uint32_t first = position_[to], last = position_[from];
  if (first < last) {
    // What must stand behind `to`, and what before `from`, of all that stands between: they change places.
    const auto collect = [&](std::uint32_t start, std::vector<std::uint32_t>& found, auto&& for_each) {
      ++round_;
      look_at(start);
      found.assign(1, start);
      for (std::size_t i = 0; i < found.size(); ++i) {
        for_each(found[i], [&](const Half& half) {
          const std::uint32_t place = position_[half.node];
          if (seen_[half.node] == round_ || place < first || place > last) return;
          look_at(half.node);
          found.push_back(half.node);
        });
      }
      std::sort(found.begin(), found.end(),
                [this](std::uint32_t left, std::uint32_t right) { return position_[left] < position_[right]; });
    };
    collect(to, behind_, [this](std::uint32_t node, auto&& visit) { for_each_next(node, visit); });
    LINCHPIN_ASSERT(seen_[from] != round_);
    collect(from, before_, [this](std::uint32_t node, auto&& visit) { for_each_previous(node, visit); });
    before_.insert(before_.end(), behind_.begin(), behind_.end());
    places_.clear();
    for (const std::uint32_t node : before_) places_.push_back(position_[node]);
    std::sort(places_.begin(), places_.end());
    for (std::size_t i = 0; i < places_.size(); ++i) {
      order_[places_[i]] = before_[i];
      position_[before_[i]] = places_[i];
    }
  }
  added_next_[from].push_back({to, number});
  added_previous_[to].push_back({from, number});
}

void Precedence::remove(std::uint32_t from, std::uint32_t to) {
  LINCHPIN_ASSERT(added_next_[from].back().node == to && added_previous_[to].back().node == from);
  added_next_[from].pop_back();
  added_previous_[to].pop_back();
}

}  // namespace linchpin::types::multi_register

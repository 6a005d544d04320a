#include "decide/search/narrowing.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace linchpin::decide {

namespace {

// What has to be done within so many responses counts.
constexpr std::int64_t kSoon = 16;
// A pending operation is as early as one that responds after so many.
constexpr std::int64_t kPending = 64;
// How much what is due weighs against what was done early, by attempt.
constexpr std::array<std::int64_t, 4> kWeights{4, 1, 2, 8};
constexpr std::size_t kMostWidth = std::size_t{1} << 40;
constexpr std::uint32_t kMostBack = std::uint32_t{1} << 30;

}  // namespace

void Narrowing::keep_best(Configurations& configurations, OpenGroups& open, std::uint32_t passed) {
  if (configurations.size() <= width_) return;
  cut_ = true;
  weigh(open, passed);
  ranking_.clear();
  for (std::uint32_t at = 0; at < configurations.size(); ++at) ranking_.emplace_back(cost_of(configurations, at), at);
  std::nth_element(ranking_.begin(), ranking_.begin() + static_cast<std::ptrdiff_t>(width_), ranking_.end());
  ranking_.resize(width_);
  std::sort(ranking_.begin(), ranking_.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  for (std::size_t kept = 0; kept < width_; ++kept) configurations.assign(kept, ranking_[kept].second);
  configurations.truncate(width_);
}

void Narrowing::weigh(OpenGroups& open, std::uint32_t passed) {
  const std::int64_t weight = kWeights[attempts_ % kWeights.size()];
  early_.assign(std::size_t{64} * window_.words(), 0);
  due_.clear();
  for (const auto groups : {open.others(), open.pure()}) {
    for (const OpenGroup& group : groups) {
      for (const std::uint32_t local : group.locals) {
        const std::uint32_t turn = window_.turn[local];
        const std::int64_t ahead = turn == Window::kNever ? kPending : std::int64_t{turn} - passed;
        const std::uint32_t slot = window_.slot[local];
        if (!group.pure) early_[slot] = ahead;
        if (ahead >= kSoon) continue;
        due_.push_back({.slot = slot, .label = group.label, .pure = group.pure, .cost = weight * (kSoon - ahead)});
      }
    }
  }
}

std::int64_t Narrowing::cost_of(const Configurations& configurations, std::uint32_t at) {
  std::int64_t cost = 0;
  for (std::uint32_t word = 0; word < window_.words(); ++word) {
    for (std::uint64_t done = configurations.mask(at)[word]; done != 0; done &= done - 1) {
      cost += early_[64 * word + static_cast<std::uint32_t>(std::countr_zero(done))];
    }
  }
  for (const Due& each : due_) {
    if (configurations.has(at, each.slot)) continue;
    // What is pure and legal is done.
    if (each.pure || !transitions_.legal(configurations.states[at], each.label)) cost += each.cost;
  }
  return cost;
}

void Narrowing::note(std::uint32_t rank, std::uint32_t passed, OpenGroups& open, const Configurations& configurations) {
  if (attempts_ > 0 && passed > stuck_at_ + kSafely) {
    width_ = first_width_;
    back_ = kApart;
    attempts_ = 0;
  }
  if (passed < checkpoints_.back().passed + kApart) return;
  Checkpoint checkpoint{.rank = rank, .passed = passed, .cut = cut_, .open = {}, .configurations = configurations};
  for (const auto groups : {open.pure(), open.others()}) {
    for (const OpenGroup& group : groups) {
      checkpoint.open.insert(checkpoint.open.end(), group.locals.begin(), group.locals.end());
    }
  }
  if (!cut_) checkpoints_.clear();
  checkpoints_.push_back(std::move(checkpoint));
  if (checkpoints_.size() % kNear == 0) thin_out();
}

/// Keeps the first one, the last ones, and a few between.
void Narrowing::thin_out() {
  const std::size_t near = checkpoints_.size() > kNear ? checkpoints_.size() - kNear : 0;
  std::size_t kept = std::min<std::size_t>(near, 1);
  for (std::size_t at = kept; at < checkpoints_.size(); ++at) {
    if (at < near && checkpoints_[at].passed < checkpoints_[kept - 1].passed + kFar) continue;
    if (kept != at) checkpoints_[kept] = std::move(checkpoints_[at]);
    ++kept;
  }
  checkpoints_.erase(checkpoints_.begin() + static_cast<std::ptrdiff_t>(kept), checkpoints_.end());
}

const Narrowing::Checkpoint& Narrowing::go_back(std::uint32_t passed) {
  stuck_at_ = std::max(stuck_at_, passed);
  ++attempts_;
  width_ = std::min(2 * width_, kMostWidth);
  const std::uint32_t to = passed > back_ ? passed - back_ : 0;
  if (attempts_ % 2 == 0) back_ = std::min(2 * back_, kMostBack);
  while (checkpoints_.size() > 1 && checkpoints_.back().passed > to) checkpoints_.pop_back();
  cut_ = checkpoints_.back().cut;
  return checkpoints_.back();
}

}  // namespace linchpin::decide

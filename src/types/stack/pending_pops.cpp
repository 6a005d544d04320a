#include "types/stack/pending_pops.hpp"

#include <algorithm>

#include "types/stack/check.hpp"

namespace linchpin::types {

using algo::kNoOperation;
using algo::Role;

namespace {

constexpr std::size_t kLeastEffort = 20'000'000;
constexpr std::size_t kRunsOfEffort = 40;

}  // namespace

PendingPops::Result PendingPops::decide(bool want_witness) {
  want_witness_ = want_witness;
  for (std::uint32_t i = 0; i < history_.size(); ++i) {
    if (history_.role[i] == Role::lost_remove) lost_.push_back(i);
  }
  used_.assign(lost_.size(), false);
  effort_ = std::max(kLeastEffort, kRunsOfEffort * history_.size());
  const Result result = branch();
  if (result == Result::violation) {
    std::sort(core_.begin(), core_.end());
    core_.erase(std::unique(core_.begin(), core_.end()), core_.end());
  }
  return result;
}

/// Decides the history under the current assignment and its extensions.
PendingPops::Result PendingPops::branch() {
  const std::size_t cost = history_.size() + 64;
  if (cost > effort_) return Result::unknown;
  effort_ -= cost;

  std::optional<algo::ContainerHistory> copy;  // a run marks what it drops; without pending pops nobody runs after it
  if (!lost_.empty()) copy = history_;
  StackCheck check(copy ? *copy : history_);
  switch (check.run(budget_, want_witness_)) {
    case StackCheck::Result::linearizable:
      if (want_witness_) witness_ = check.witness();
      return Result::linearizable;
    case StackCheck::Result::spent: return Result::unknown;
    default: break;
  }
  const std::vector<std::uint32_t> core = check.core();
  core_.insert(core_.end(), core.begin(), core.end());
  if (lost_.empty() || check.fault().has_value()) return Result::violation;

  std::uint32_t over = 0;
  std::vector<std::uint32_t> unpopped;
  for (const std::uint32_t i : core) {
    over = std::max(over, history_.call[i]);
    if (history_.response[i] != 0xffffffffU) over = std::max(over, history_.response[i]);
    if (history_.role[i] == Role::add && check.container().span[history_.value[i]].remove == kNoOperation) {
      unpopped.push_back(history_.value[i]);
    }
  }
  bool undecided = false;
  for (const std::uint32_t value : unpopped) {
    for (std::size_t j = 0; j < lost_.size() && history_.call[lost_[j]] < over; ++j) {
      if (used_[j]) continue;
      if (core_.empty() || core_.back() != lost_[j]) core_.push_back(lost_[j]);
      used_[j] = true;
      history_.role[lost_[j]] = Role::remove;
      history_.value[lost_[j]] = value;
      const Result result = branch();
      used_[j] = false;
      history_.role[lost_[j]] = Role::lost_remove;
      history_.value[lost_[j]] = algo::kNoValue;
      if (result == Result::linearizable) return result;
      if (result == Result::unknown) undecided = true;
      if (undecided && effort_ < cost) return Result::unknown;
    }
  }
  return undecided ? Result::unknown : Result::violation;
}

}  // namespace linchpin::types

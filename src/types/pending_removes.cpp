#include "types/pending_removes.hpp"

#include <algorithm>

namespace linchpin::types {

using algo::Role;

namespace {

constexpr std::size_t kLeastEffort = 20'000'000;
constexpr std::size_t kRunsOfEffort = 40;

}  // namespace

ContainerRun PendingRemoves::decide() {
  for (std::uint32_t i = 0; i < history_.size(); ++i) {
    if (history_.role[i] == Role::lost_remove) lost_.push_back(i);
  }
  if (lost_.empty()) return run_(history_);
  used_.assign(lost_.size(), false);
  effort_ = std::max(kLeastEffort, kRunsOfEffort * history_.size());
  ContainerRun outcome = branch();
  if (outcome.result == ContainerRun::Result::violation) {
    std::sort(core_.begin(), core_.end());
    core_.erase(std::unique(core_.begin(), core_.end()), core_.end());
    outcome.core = std::move(core_);
  }
  return outcome;
}

/// Decides the history under the current assignment and its extensions.
ContainerRun PendingRemoves::branch() {
  const std::size_t cost = history_.size() + 64;
  if (cost > effort_) return {};
  effort_ -= cost;

  algo::ContainerHistory copy = history_;
  ContainerRun here = run_(copy);
  if (here.result != ContainerRun::Result::violation) return here;
  core_.insert(core_.end(), here.core.begin(), here.core.end());
  if (here.final) return here;

  std::uint32_t over = 0;
  std::vector<std::uint32_t> added, removed;
  for (const std::uint32_t i : here.core) {
    over = std::max({over, history_.call[i], history_.response[i] == 0xffffffffU ? 0 : history_.response[i]});
    if (history_.role[i] == Role::add) added.push_back(history_.value[i]);
    if (history_.role[i] == Role::remove) removed.push_back(history_.value[i]);
  }
  bool undecided = false;
  for (const std::uint32_t value : added) {
    if (std::find(removed.begin(), removed.end(), value) != removed.end()) continue;
    for (std::size_t j = 0; j < lost_.size() && history_.call[lost_[j]] < over; ++j) {
      if (used_[j]) continue;
      core_.push_back(lost_[j]);
      used_[j] = true;
      history_.role[lost_[j]] = Role::remove;
      history_.value[lost_[j]] = value;
      ContainerRun next = branch();
      used_[j] = false;
      history_.role[lost_[j]] = Role::lost_remove;
      history_.value[lost_[j]] = algo::kNoValue;
      if (next.result == ContainerRun::Result::linearizable) return next;
      if (next.result == ContainerRun::Result::unknown) undecided = true;
      if (undecided && effort_ < cost) return {};
    }
  }
  if (undecided) return {};
  here.core.clear();
  return here;
}

}  // namespace linchpin::types

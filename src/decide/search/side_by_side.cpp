#include "decide/search/side_by_side.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>

#include "base/assert.hpp"
#include "decide/search/search_task.hpp"

namespace linchpin::decide {

namespace {

constexpr std::uint64_t kStretch = 16384;  // steps, after which a search looks at how the others are

}  // namespace

bool SideBySide::run(std::uint64_t steps, core::Budget& budget) {
  std::atomic<bool> over = false;
  std::vector<std::exception_ptr> thrown(lanes_.size());
  std::vector<char> ended(lanes_.size(), 0);  // bytes, since threads write them
  const auto go_on = [&](std::size_t at) {
    Lane& lane = lanes_[at];
    try {
      for (std::uint64_t done = 0; done < steps && !over; done += kStretch) {
        ended[at] = decide::run(*lane.task, std::min(kStretch, steps - done), lane.spare, budget) ? 1 : 0;
        if (ended[at] == 0) continue;
        // Without an answer, and not for want of a budget: the others go on.
        if (lane.task->outcome().verdict == Verdict::unknown && !budget.spent_now()) return;
        break;
      }
    } catch (...) {
      thrown[at] = std::current_exception();
    }
    over = true;
  };
  {
    std::vector<std::jthread> threads;
    try {
      for (std::size_t at = 1; at < lanes_.size(); ++at) threads.emplace_back(go_on, at);
    } catch (const std::system_error&) {
      // No more threads are to be had: the others wait for another round.
    }
    go_on(0);
  }
  for (const std::exception_ptr& each : thrown) {
    if (each != nullptr) std::rethrow_exception(each);
  }
  for (first_ = 0; first_ < lanes_.size(); ++first_) {
    if (ended[first_] != 0 && lanes_[first_].task->outcome().verdict != Verdict::unknown) return true;
  }
  first_ = 0;
  if (budget.spent_now()) return true;
  std::size_t at = 0;
  std::erase_if(lanes_, [&](const Lane&) { return ended[at++] != 0; });
  LINCHPIN_ASSERT(!lanes_.empty());
  return false;
}

core::Outcome SideBySide::outcome() const {
  core::Outcome outcome = lanes_[first_].task->outcome();
  if (outcome.verdict != Verdict::unknown) return outcome;
  for (const Lane& lane : lanes_) tell_longer(outcome, lane.task->outcome());
  return outcome;
}

const core::Decider* SideBySide::decided_by() const {
  const Lane& lane = lanes_[first_];
  return lane.decider != nullptr ? lane.decider : lane.task->decided_by();
}

std::uint32_t SideBySide::passed() const {
  std::uint32_t most = 0;
  for (const Lane& lane : lanes_) most = std::max(most, lane.task->passed());
  return most;
}

}  // namespace linchpin::decide

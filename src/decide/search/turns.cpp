#include "decide/search/turns.hpp"

#include <algorithm>
#include <utility>

#include "base/assert.hpp"
#include "decide/search/search_task.hpp"

namespace linchpin::decide {

namespace {

constexpr std::uint32_t kGetsOn = 64;  // turns, each at least such a part of the history

}  // namespace

Turns::Turns(const history::Subhistory& part, const core::DeciderOptions& options, std::vector<Member> members,
             std::uint64_t first_look)
    : part_(part), options_(options), members_(std::move(members)), quantum_(first_look) {
  LINCHPIN_ASSERT(!members_.empty());
}

bool Turns::run(std::uint64_t steps, core::Budget& budget) {
  while (true) {
    Member& member = members_[active_];
    if (member.decider == nullptr && !find_lift(member)) {
      drop_active();
      continue;
    }
    start(member);
    const std::uint64_t quantum = quantum_ * member.share;
    const std::uint64_t turn = std::min(steps, quantum - done_in_turn_);
    if (decide::run(*member.task, turn, member.spare, budget)) {
      const bool decided = member.task->outcome().verdict != Verdict::unknown;
      if (decided || budget.spent_now()) return true;
      drop_active();  // it does not apply after all, or was to be spare
      continue;
    }
    done_in_turn_ += turn;
    steps -= turn;
    if (done_in_turn_ == quantum) {
      done_in_turn_ = 0;
      if (!gets_on(member)) {
        active_ = (active_ + 1) % members_.size();
        quantum_ = std::max(kFirstQuantum, active_ == 0 ? 2 * quantum_ : quantum_);
      }
    }
    if (steps == 0) return false;
  }
}

core::Outcome Turns::outcome() const {
  if (members_[active_].task == nullptr) return {};
  core::Outcome outcome = members_[active_].task->outcome();
  if (outcome.verdict != Verdict::unknown) return outcome;
  for (const Member& member : members_) {
    if (member.task != nullptr) tell_longer(outcome, member.task->outcome());
  }
  return outcome;
}

std::uint32_t Turns::passed() const {
  std::uint32_t most = 0;
  for (const Member& member : members_) {
    if (member.task != nullptr) most = std::max(most, member.task->passed());
  }
  return most;
}

std::optional<Turns::Member> Turns::take_out(const core::Decider& decider) {
  const auto at = std::ranges::find(members_, &decider, &Member::decider);
  if (at == members_.end() || members_.size() == 1) return std::nullopt;
  Member member = std::move(*at);
  members_.erase(at);
  active_ = 0;
  done_in_turn_ = 0;
  start(member);
  return member;
}

void Turns::start(Member& member) const {
  if (member.task != nullptr) return;
  core::DeciderOptions options = options_;
  options.way = member.way;
  member.task = member.decider->start(part_, options);
}

bool Turns::gets_on(Member& member) const {
  const std::uint32_t passed = member.task->passed();
  const bool far = passed > member.passed && passed - member.passed > part_.size() / kGetsOn;
  member.passed = std::max(member.passed, passed);
  return far;
}

bool Turns::find_lift(Member& member) const {
  for (const core::Decider& lift : core::lifts()) {
    if (!lift.applicable(part_).applies) continue;
    member.decider = &lift;
    return true;
  }
  return false;
}

void Turns::drop_active() {
  members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(active_));
  active_ %= members_.size();
  done_in_turn_ = 0;
}

}  // namespace linchpin::decide

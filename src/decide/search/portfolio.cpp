// Several searches in turn, and all general searches as deciders.
//
// Breadth first wins on long histories with few states and on negative answers; depth first where a witness is easy or
// the state remembers an undecided past; breadth first with few configurations where there are many states and a
// witness; a search made for the type, where there is one and it applies, on most of the rest. None is known in advance
// to be the best: each gets a budget of steps, which doubles until one decides. The time lost is at most a factor of
// twenty over the best of the general three; a type's own search has most of the time.
// After the first search's first turn comes the lift of the type's monitor, where there is one: a run of the monitor on
// a first guess, often a witness already, and more turns while it sees hope. What is small is decided before that.
#include <algorithm>
#include <array>
#include <vector>

#include "decide/search/search_task.hpp"

namespace linchpin::decide {

namespace {

/// Their places in `searches()`.
enum : std::size_t { kGeneral, kConfigurationSet, kDepthFirst, kFewConfigurations };

class Portfolio final : public SearchTask {
 public:
  /// The general three; `own` and a lift of the type's monitor besides, where there are such and `with_lift`.
  Portfolio(const history::Subhistory& part, const core::DeciderOptions& options, const core::Decider* own,
            bool with_lift)
      : part_(part), options_(options) {
    if (own != nullptr) {
      members_.push_back({.decider = own, .share = kOwnShare});
      quantum_ = std::max<std::uint64_t>(kFirstLook, part.size()) / kOwnShare;
    }
    members_.push_back({.decider = &searches()[kDepthFirst]});
    if (with_lift) members_.insert(members_.begin() + 1, {.share = kOwnShare});
    members_.push_back(
        {.decider = &searches()[kFewConfigurations], .share = own == nullptr ? kFewShare : kFewShareBesideOwn});
    members_.push_back({.decider = &searches()[kConfigurationSet]});
  }

  bool run(std::uint64_t steps, core::Budget& budget) override {
    while (true) {
      Member& member = members_[active_];
      if (member.decider == nullptr && !find_lift(member)) {
        drop_active();
        continue;
      }
      if (member.task == nullptr) member.task = member.decider->start(part_, options_);
      const std::uint64_t quantum = quantum_ * member.share;
      const std::uint64_t turn = std::min(steps, quantum - done_in_turn_);
      if (member.task->run(turn, budget)) {
        if (member.task->outcome().reason != Reason::not_applicable) return true;
        drop_active();
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

  core::Outcome outcome() const override {
    if (members_[active_].task == nullptr) return {};
    core::Outcome outcome = members_[active_].task->outcome();
    if (outcome.verdict != Verdict::unknown) return outcome;
    for (const Member& member : members_) {
      if (member.task == nullptr) continue;
      core::Outcome other = member.task->outcome();
      if (other.longest.size() <= outcome.longest.size()) continue;
      outcome.longest = std::move(other.longest);
      outcome.blocked = other.blocked;
    }
    return outcome;
  }

  const core::Decider* decided_by() const override { return members_[active_].decider; }

  std::uint32_t passed() const override {
    std::uint32_t most = 0;
    for (const Member& member : members_) {
      if (member.task != nullptr) most = std::max(most, member.task->passed());
    }
    return most;
  }

 private:
  static constexpr std::uint64_t kFirstQuantum = 16384;
  static constexpr std::uint64_t kFirstLook = 4096;  // or a step an operation: a type's own search, before its lift
  static constexpr std::uint64_t kOwnShare = 8;
  static constexpr std::uint64_t kFewShare = 8;  // it finds most witnesses of hard histories
  static constexpr std::uint64_t kFewShareBesideOwn = 2;

  static constexpr std::uint32_t kGetsOn = 64;  // turns, each at least such a part of the history

  struct Member {
    const core::Decider* decider = nullptr;      // the lift
    std::uint64_t share = 1;                     // of the steps of a round
    std::unique_ptr<SearchTask> task = nullptr;  // made when its turn comes
    std::uint32_t passed = 0;                    // when its last turn ended
  };

  /// Whether its turn took it so far that it is worth another one: it may do so only as often as kGetsOn.
  bool gets_on(Member& member) const {
    const std::uint32_t passed = member.task->passed();
    const bool far = passed > member.passed && passed - member.passed > part_.size() / kGetsOn;
    member.passed = std::max(member.passed, passed);
    return far;
  }

  /// Makes the member the lift of the type's monitor; false: there is none that applies.
  bool find_lift(Member& member) const {
    for (const core::Decider& lift : core::lifts()) {
      if (!lift.applicable(part_).applies) continue;
      member.decider = &lift;
      return true;
    }
    return false;
  }

  void drop_active() {
    members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(active_));
    active_ %= members_.size();
    done_in_turn_ = 0;
  }

  const history::Subhistory& part_;
  core::DeciderOptions options_;
  std::vector<Member> members_;
  std::size_t active_ = 0;
  std::uint64_t quantum_ = kFirstQuantum;
  std::uint64_t done_in_turn_ = 0;
};

core::Applicability always(const history::Subhistory& /*part*/) {
  return {.applies = true, .why = "any history of any type"};
}

std::unique_ptr<SearchTask> make_general(const history::Subhistory& part, const core::DeciderOptions& options) {
  return std::make_unique<Portfolio>(part, options, nullptr, false);
}

constexpr std::array kSearches{
    core::Decider{
        .name = "search",
        .kind = core::Kind::search,
        .by_key = true,
        .about = {.types = "all",
                  .when = "always",
                  .method = "configuration-set, few-configurations and depth-first in turn, with budgets that double",
                  .cost = "exponential at worst",
                  .source = "docs/design/search.md"},
        .applicable = &always,
        .start = &make_general},
    core::Decider{
        .name = "configuration-set",
        .kind = core::Kind::search,
        .by_key = true,
        .about = {.types = "all",
                  .when = "always",
                  .method =
                      "the configurations that are possible after each event, those pruned that others make needless",
                  .cost = "exponential at worst",
                  .source = "Wing, Gong, 1993; Lowe, 2017: docs/design/search.md"},
        .applicable = &always,
        .start = &make_configuration_set},
    core::Decider{.name = "depth-first",
                  .kind = core::Kind::search,
                  .by_key = true,
                  .about = {.types = "all",
                            .when = "always",
                            .method = "depth first, with a memo of the configurations of a window",
                            .cost = "exponential at worst",
                            .source = "Wing, Gong, 1993; Lowe, 2017: docs/design/search.md"},
                  .applicable = &always,
                  .start = &make_depth_first},
    core::Decider{.name = "few-configurations",
                  .kind = core::Kind::search,
                  .by_key = true,
                  .about = {.types = "all",
                            .when = "always",
                            .method = "the configuration set, of which only a few are kept; more where none goes on",
                            .cost = "exponential at worst",
                            .source = "own: docs/design/search.md"},
                  .applicable = &always,
                  .start = [](const history::Subhistory& part,
                              const core::DeciderOptions& options) { return make_few_configurations(part, options); }},
};

}  // namespace

std::unique_ptr<SearchTask> make_portfolio(const history::Subhistory& part, const core::DeciderOptions& options,
                                           const core::Decider* own) {
  return std::make_unique<Portfolio>(part, options, own, true);
}

std::span<const core::Decider> searches() { return kSearches; }

}  // namespace linchpin::decide

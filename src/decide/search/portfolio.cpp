// The two general searches in turn, and all searches as deciders.
//
// Breadth first wins on long histories with few states and on negative answers; depth first where a witness is easy or
// the state remembers an undecided past (queues, stacks). Neither is known in advance: each gets a budget of steps,
// which doubles until one decides. The time lost is at most a factor of four over the better of the two.
#include <algorithm>
#include <array>

#include "decide/search/search_task.hpp"

namespace linchpin::decide {

namespace {

class Portfolio final : public SearchTask {
 public:
  Portfolio(const history::Subhistory& part, const core::DeciderOptions& options)
      : part_(part), options_(options), members_{make_depth_first(part, options), nullptr} {}

  bool run(std::uint64_t steps, core::Budget& budget) override {
    while (true) {
      const std::uint64_t turn = std::min(steps, quantum_ - done_in_turn_);
      if (members_[active_]->run(turn, budget)) return true;
      done_in_turn_ += turn;
      if (done_in_turn_ == quantum_) {
        done_in_turn_ = 0;
        active_ = 1 - active_;
        if (active_ == 0) quantum_ *= 2;
        if (members_[1] == nullptr) members_[1] = make_configuration_set(part_, options_);
      }
      steps -= turn;
      if (steps == 0) return false;
    }
  }

  core::Outcome outcome() const override {
    core::Outcome outcome = members_[active_]->outcome();
    if (outcome.verdict != Verdict::unknown || members_[1] == nullptr) return outcome;
    core::Outcome other = members_[1 - active_]->outcome();
    if (other.longest.size() > outcome.longest.size()) {
      outcome.longest = std::move(other.longest);
      outcome.blocked = other.blocked;
    }
    return outcome;
  }

  std::uint32_t passed() const override {
    return std::max(members_[0]->passed(), members_[1] == nullptr ? 0 : members_[1]->passed());
  }

 private:
  static constexpr std::uint64_t kFirstQuantum = 16384;
  const history::Subhistory& part_;
  core::DeciderOptions options_;
  std::array<std::unique_ptr<SearchTask>, 2> members_;  // the second is made when its turn comes
  std::size_t active_ = 0;
  std::uint64_t quantum_ = kFirstQuantum;
  std::uint64_t done_in_turn_ = 0;
};

core::Applicability always(const history::Subhistory& /*part*/) {
  return {.applies = true, .why = "any history of any type"};
}

template <std::unique_ptr<SearchTask> (*make)(const history::Subhistory&, const core::DeciderOptions&)>
core::Outcome decide(const history::Subhistory& part, const core::DeciderOptions& options, core::Budget& budget) {
  const std::unique_ptr<SearchTask> task = make(part, options);
  task->run(UINT64_MAX, budget);
  return task->outcome();
}

constexpr std::array kSearches{
    core::Decider{"search", "depth-first search and configuration set in turn, budgets doubling", &always,
                  &decide<&make_portfolio>},
    core::Decider{"configuration-set",
                  "windowed configuration set, breadth first (Lowe's just-in-time linearization, pruned)", &always,
                  &decide<&make_configuration_set>},
    core::Decider{"depth-first", "Wing-Gong-Lowe depth-first search with a windowed memo", &always,
                  &decide<&make_depth_first>},
};

}  // namespace

std::unique_ptr<SearchTask> make_portfolio(const history::Subhistory& part, const core::DeciderOptions& options) {
  return std::make_unique<Portfolio>(part, options);
}

std::span<const core::Decider> searches() { return kSearches; }

}  // namespace linchpin::decide

// Accepts transactions at a weaker level if they are strictly serializable.
//
// Idea: at a weaker level all operations overlap (api/weaker_order.hpp), which leaves a search nothing to go by. But a
// store mostly keeps real time although it need not, and in real time the same operations are decided fast, by
// whatever applies to them. An order that keeps real time is an order at each weaker level. That they are not strictly
// serializable says nothing.
// The order is replayed with the specification of the weaker level: at one tick real time leaves open what came first,
// and the order of a process does not.
// Tests: api/weaker_order_test.cpp.
#include "decide/stricter_level.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "decide/choose.hpp"
#include "decide/search/search_task.hpp"

namespace linchpin::decide {

namespace {

class InRealTime final : public core::SearchTask {
 public:
  /// `part` has operations as they were recorded.
  InRealTime(const history::Subhistory& part, const core::DeciderOptions& options)
      : part_(part), recorded_(part.recorded), options_(options), choice_(choose(*recorded_)) {
    options_.witness = true;
    options_.reading = {};
  }

  bool run(std::uint64_t steps, core::Budget& budget) override {
    while (choice_.monitor != nullptr && choice_.monitor->start == nullptr) {
      core::DeciderOptions options = options_;
      options.reading = std::move(choice_.reading);
      const core::Outcome outcome = choice_.monitor->decide(*recorded_, options, budget);
      if (outcome.verdict != Verdict::unknown || budget.spent_now()) return end(outcome);
      choice_ = choose(*recorded_, choice_.monitor);
    }
    if (portfolio_ == nullptr) {
      if (violated_condition(*recorded_, budget)) return end({.verdict = Verdict::violation});
      portfolio_ = make_portfolio(*recorded_, options_, choice_.monitor);
    }
    return portfolio_->run(steps, budget) && end(portfolio_->outcome());
  }

  [[nodiscard]] core::Outcome outcome() const override { return outcome_; }
  [[nodiscard]] std::uint32_t passed() const override { return portfolio_ == nullptr ? 0 : portfolio_->passed(); }

 private:
  bool end(const core::Outcome& outcome) {
    outcome_ = core::not_applicable();
    if (outcome.verdict == Verdict::unknown) outcome_ = core::unknown(outcome.reason);
    if (outcome.verdict == Verdict::linearizable) follow(outcome.witness);
    return true;
  }

  void follow(const std::vector<std::uint32_t>& witness) {
    const std::vector<std::uint32_t> same = history::same_operations(*recorded_, part_);
    core::Outcome accepted{.verdict = Verdict::linearizable};
    const std::unique_ptr<Replay> replay = part_.specification->make_replay();
    for (const std::uint32_t local : witness) {
      if (!replay->step(part_.view(same[local]))) return;
      accepted.witness.push_back(same[local]);
    }
    outcome_ = std::move(accepted);
  }

  const history::Subhistory& part_;
  std::shared_ptr<const history::Subhistory> recorded_;
  core::DeciderOptions options_;
  Choice choice_;
  std::unique_ptr<Portfolio> portfolio_;
  core::Outcome outcome_;
};

constexpr core::Decider kStricterLevel{
    .name = "stricter-level",
    .by_key = true,
    .about = {.types = "list-append, multi-register, with a weaker `level`",
              .when = "accepts what is strictly serializable, or says nothing",
              .method = "what decides the same transactions in real time, which is more than is asked for",
              .cost = "as in real time",
              .source = "own: src/decide/stricter_level.cpp"},
    .applicable = [](const history::Subhistory& part) -> core::Applicability {
      if (part.recorded == nullptr) return core::not_of_this_type("it is decided in real time");
      return {.applies = true, .why = "an order in real time is more than is asked for, and easier to find"};
    },
    .start = [](const history::Subhistory& part, const core::DeciderOptions& options)
        -> std::unique_ptr<core::SearchTask> { return std::make_unique<InRealTime>(part, options); },
};

}  // namespace

const core::Decider& stricter_level() { return kStricterLevel; }

}  // namespace linchpin::decide

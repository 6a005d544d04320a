#include "research/schedules/schedule_task.hpp"

#include <algorithm>
#include <limits>

#include "research/schedules/witness_search.hpp"

namespace linchpin::research {

namespace {

class ScheduleTask final : public core::SearchTask {
 public:
  ScheduleTask(const history::Subhistory& part, const core::DeciderOptions& options)
      : options_(options), poset_(OperationPoset::of(part)), sets_(part), search_(poset_, 0, sets_) {
    search_.begin(d_, sets_.initial());
  }

  bool run(std::uint64_t steps, core::Budget& budget) override {
    auto left = static_cast<std::int64_t>(
        std::min<std::uint64_t>(steps, static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())));
    while (reason_ == Reason::none && !found_) {
      const auto status = search_.run(left, budget);
      if (status == WitnessSearch::Status::found) {
        found_ = true;
      } else if (status == WitnessSearch::Status::stopped) {
        reason_ = budget.reason();
        return reason_ != Reason::none;
      } else if (d_ >= poset_.size()) {
        reason_ = Reason::not_applicable;  // n operations in the order of a witness are hit by it alone
      } else {
        search_.begin(++d_, sets_.initial());
      }
    }
    return true;
  }

  core::Outcome outcome() const override {
    core::Outcome outcome;
    if (!found_) {
      outcome.reason = reason_;
      if (reason_ == Reason::not_applicable) outcome.sentence = "it finds witnesses only, and no schedule is one";
      return outcome;
    }
    outcome.verdict = Verdict::linearizable;
    if (options_.witness) outcome.witness = sets_.effective(sets_.initial(), search_.path());
    return outcome;
  }

  std::uint32_t passed() const override { return 0; }

 private:
  core::DeciderOptions options_;
  OperationPoset poset_;
  mutable StateSets sets_;  // remembers steps, also those that it takes for the witness
  WitnessSearch search_;
  std::uint32_t d_ = 1;
  bool found_ = false;
  Reason reason_ = Reason::none;
};

core::Applicability always(const history::Subhistory& /*part*/) {
  return {.applies = true, .why = "any history of any type"};
}

constexpr core::Decider kSchedules{
    .name = "schedules",
    .kind = core::Kind::published,
    .by_key = true,
    .about = {.types = "all",
              .when = "on request; finds witnesses, no violations",
              .method = "strong d-hitting families of schedules, for d = 1, 2, ...",
              .cost = "n^(d-1) schedules and more",
              .source = "Kulahcioglu Ozkan, Majumdar, Niksic, 2019: docs/design/schedules.md"},
    .applicable = &always,
    .start = &make_schedules,
};

}  // namespace

const core::Decider& schedules() { return kSchedules; }

std::unique_ptr<core::SearchTask> make_schedules(const history::Subhistory& part, const core::DeciderOptions& options) {
  return std::make_unique<ScheduleTask>(part, options);
}

}  // namespace linchpin::research

#include "decide/choose.hpp"

#include <algorithm>
#include <mutex>

#include "base/names.hpp"
#include "decide/framework/decider.hpp"
#include "decide/projections.hpp"
#include "decide/search/search_task.hpp"
#include "decide/stricter_level.hpp"
#include "decide/supplied/supplied_order.hpp"

namespace linchpin::decide {

namespace {

/// What other libraries add.
class AddedDeciders {
 public:
  void add(std::span<const core::Decider> deciders) {
    const std::scoped_lock lock(mutex_);
    for (const std::span<const core::Decider> list : lists_) {
      if (list.data() == deciders.data()) return;
    }
    lists_.push_back(deciders);
  }
  void append_to(std::vector<const core::Decider*>& all) {
    const std::scoped_lock lock(mutex_);
    for (const std::span<const core::Decider> list : lists_) {
      for (const core::Decider& decider : list) all.push_back(&decider);
    }
  }

 private:
  std::mutex mutex_;
  std::vector<std::span<const core::Decider>> lists_;
};

AddedDeciders& added_deciders() {
  static AddedDeciders added;
  return added;
}

}  // namespace

void add_deciders(std::span<const core::Decider> deciders) { added_deciders().add(deciders); }

std::vector<const core::Decider*> all_deciders() {
  std::vector<const core::Decider*> all;
  for (const std::span<const core::Decider> list :
       {core::monitors(), core::necessary_conditions(), std::span(&key_projections(), 1), core::lifts(),
        std::span(&container_framework(), 1), std::span(&stricter_level(), 1), searches(),
        std::span(&supplied_order(), 1)}) {
    for (const core::Decider& decider : list) all.push_back(&decider);
  }
  added_deciders().append_to(all);
  return all;
}

Choice choose(const history::Subhistory& part, const core::Decider* after) {
  std::string obstacles;
  bool looking = after == nullptr;
  for (const std::span<const core::Decider> list :
       {core::monitors(), std::span(&container_framework(), 1), std::span(&stricter_level(), 1)}) {
    for (const core::Decider& monitor : list) {
      if (!looking) {
        looking = &monitor == after;
        continue;
      }
      core::Applicability applicability = monitor.applicable(part);
      if (applicability.applies) {
        return {.monitor = &monitor, .why = std::move(applicability.why), .reading = std::move(applicability.reading)};
      }
      if (applicability.other_type || applicability.why.empty()) continue;
      if (obstacles.find(applicability.why) != std::string::npos) continue;  // another monitor has said so
      if (!obstacles.empty()) obstacles += "; ";
      obstacles += applicability.why;
    }
  }
  if (obstacles.empty()) obstacles = "the type has no monitor";
  return {.monitor = nullptr, .why = std::move(obstacles)};
}

Choice choose_other(const history::Subhistory& part, std::span<const core::Decider* const> refused) {
  // The first search is the others in turn: it is not needed where each has a turn of its own.
  for (const auto& list : {core::monitors(), std::span(&container_framework(), 1), std::span(&stricter_level(), 1),
                           searches().subspan(1)}) {
    for (const core::Decider& decider : list) {
      if (std::find(refused.begin(), refused.end(), &decider) != refused.end()) continue;
      core::Applicability applicability = decider.applicable(part);
      if (!applicability.applies) continue;
      return {.monitor = &decider, .why = std::move(applicability.why), .reading = std::move(applicability.reading)};
    }
  }
  return {};
}

const core::Decider* find_decider(std::string_view name) {
  for (const core::Decider* const decider : all_deciders()) {
    if (base::same_name(decider->name, name)) return decider;
  }
  return nullptr;
}

std::string decider_names() {
  std::string names;
  for (const core::Decider* const decider : all_deciders()) {
    if (!names.empty()) names += ", ";
    names += decider->name;
  }
  return names;
}

namespace {

std::optional<Condition> violated_one(const history::Subhistory& part, std::span<const core::Decider> conditions,
                                      core::Budget& budget) {
  for (const core::Decider& condition : conditions) {
    core::Applicability applicability = condition.applicable(part);
    if (!applicability.applies) continue;
    core::Outcome outcome =
        condition.decide(part, {.witness = false, .reading = std::move(applicability.reading)}, budget);
    if (outcome.verdict == Verdict::violation) {
      return Condition{.decider = &condition, .why = std::move(applicability.why), .outcome = std::move(outcome)};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Condition> violated_condition(const history::Subhistory& part, core::Budget& budget) {
  std::optional<Condition> violated = violated_one(part, core::necessary_conditions(), budget);
  return violated ? std::move(violated) : violated_one(part, std::span(&key_projections(), 1), budget);
}

Refutation refute(const history::Subhistory& part, std::uint64_t steps, core::Budget& budget) {
  const core::DeciderOptions options{.witness = false};
  Refutation refutation;
  Choice choice = choose(part);
  while (choice.monitor != nullptr && choice.monitor->start == nullptr) {
    refutation.outcome = choice.monitor->decide(part, {.witness = false, .reading = choice.reading}, budget);
    refutation.refuted = refutation.outcome.verdict == Verdict::violation;
    if (refutation.outcome.verdict != Verdict::unknown) return refutation;
    choice = choose(part, choice.monitor);
  }
  if (std::optional<Condition> violated = violated_one(part, core::necessary_conditions(), budget)) {
    return {.refuted = true, .outcome = std::move(violated->outcome)};
  }
  const std::unique_ptr<SearchTask> task = make_portfolio(part, options, choice.monitor);
  task->run(steps, budget);
  refutation.outcome = task->outcome();
  refutation.refuted = refutation.outcome.verdict == Verdict::violation;
  return refutation;
}

}  // namespace linchpin::decide

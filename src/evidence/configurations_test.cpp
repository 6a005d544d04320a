// What can have happened by a moment, held against the definition.
#include "evidence/configurations.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "evidence/semantics.hpp"
#include "linchpin/check.hpp"
#include "support/drawn.hpp"
#include "support/thoroughness.hpp"

namespace linchpin::evidence {
namespace configurations_test {

/// Operations that took effect, and the state described.
using Happened = std::pair<std::set<OperationIndex>, std::string>;

/// All that can have happened by the tick, by trying every order.
class Definition {
 public:
  Definition(const History& history, const Specification& specification, Ties ties, Tick tick)
      : history_(history), ties_(ties), binding_(history, specification), states_(specification.make_states()) {
    for (OperationIndex i = 0; i < history.size(); ++i) {
      if (history.call(i) < tick) called_.push_back(i);
      if (history.call(i) < tick && !history.pending(i) && history.response(i) < tick) returned_.insert(i);
    }
    go_on({}, states_->initial());
  }

  [[nodiscard]] const std::set<Happened>& all() const { return all_; }
  [[nodiscard]] bool returned(OperationIndex i) const { return returned_.contains(i); }
  [[nodiscard]] const std::vector<OperationIndex>& called() const { return called_; }

 private:
  void go_on(const std::set<OperationIndex>& done, StateId state) {
    if (!known_.emplace(done, state).second) return;
    if (std::includes(done.begin(), done.end(), returned_.begin(), returned_.end())) {
      Happened happened{{}, states_->describe(state, history_.pool())};
      std::set_difference(done.begin(), done.end(), returned_.begin(), returned_.end(),
                          std::inserter(happened.first, happened.first.end()));
      all_.insert(happened);
    }
    for (const OperationIndex i : called_) {
      const bool has_to_wait = std::any_of(called_.begin(), called_.end(), [&](OperationIndex other) {
        return !done.contains(other) && ended_before(history_, other, history_.call(i), ties_);
      });
      if (done.contains(i) || has_to_wait) continue;
      std::vector<StateId> after;
      states_->successors(state, binding_.view(i), after);
      std::set<OperationIndex> more = done;
      more.insert(i);
      for (const StateId each : after) go_on(more, each);
    }
  }

  const History& history_;
  Ties ties_;
  Binding binding_;
  std::unique_ptr<StateTable> states_;
  std::vector<OperationIndex> called_;
  std::set<OperationIndex> returned_;
  std::set<std::pair<std::set<OperationIndex>, StateId>> known_;
  std::set<Happened> all_;
};

bool do_the_same(const Operation& a, const Operation& b) {
  return a.method == b.method && a.result == b.result && a.process == b.process &&
         std::ranges::equal(a.arguments, b.arguments);
}

class Configurations : public testing::TestWithParam<const char*> {};

TEST_P(Configurations, AreThosePossibleButForWhereNothingElseFollows) {
  core::Budget budget(Limits{});
  std::size_t configurations = 0, left_out = 0;
  const std::uint64_t seeds = test::random_histories(400);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    generate::Plan plan;
    plan.type = *TypeName::parse(GetParam());
    plan.operations = 9;
    plan.processes = 5;
    plan.values = 2;
    plan.all_methods = true;
    plan.empties = true;
    plan.pending = static_cast<double>(seed % 3);
    plan.unknown = seed % 5 == 0 ? 0.2 : 0;
    plan.ties = seed % 2 == 0 ? 0.3 : 0;
    plan.seed = seed;
    const auto history = test::drawn(plan, {.change = seed % 4 == 0, .promises = seed % 7 == 0});
    if (!history) continue;
    const auto specification = *make_specification(history->objects()[0].type);
    const Binding binding(*history, *specification);
    std::vector<OperationIndex> operations;
    for (OperationIndex i = 0; i < history->size(); ++i) operations.push_back(i);
    const Tick tick = history->call(OperationIndex(seed % history->size()));
    for (const Ties ties : {Ties::concurrent, Ties::response_first}) {
      const Definition definition(*history, *specification, ties, tick);
      evidence::Configurations found(*history, operations, *specification, ties, budget);
      const auto kept = found.before(tick);
      ASSERT_TRUE(kept);
      const std::vector<OperationIndex> open = found.open();
      const auto pure = [&](OperationIndex i) { return specification->pure(binding.view(i)); };
      std::set<Happened> mine;
      for (const auto& each : *kept) {
        Happened happened{{}, found.states().describe(each.state, history->pool())};
        for (const OperationIndex i : open) {
          if (found.has(each, i)) happened.first.insert(i);
        }
        ASSERT_TRUE(definition.all().contains(happened)) << seed << " " << happened.second;
        mine.insert(happened);
      }
      for (const auto& [done, state] : definition.all()) {
        // As many of those that do the same, and no fewer that return by any time; no fewer that change nothing.
        const bool covered = std::any_of(mine.begin(), mine.end(), [&, &done = done, &state = state](const auto& one) {
          if (one.second != state) return false;
          return std::all_of(open.begin(), open.end(), [&](OperationIndex i) {
            if (pure(i)) return one.first.contains(i) || !done.contains(i);
            const auto like_it = [&](const std::set<OperationIndex>& all, Tick by) {
              return std::count_if(all.begin(), all.end(), [&](OperationIndex other) {
                return do_the_same(binding.view(other), binding.view(i)) && history->response(other) <= by;
              });
            };
            const Tick by = history->response(i);
            return like_it(one.first, kPending) == like_it(done, kPending) &&
                   like_it(one.first, by) >= like_it(done, by);
          });
        });
        ASSERT_TRUE(covered) << seed << " " << state;
      }
      configurations += definition.all().size();
      left_out += definition.all().size() - mine.size();
    }
  }
  EXPECT_GT(configurations, 4 * seeds);
  EXPECT_GT(left_out, seeds / 10);
}

INSTANTIATE_TEST_SUITE_P(Types, Configurations,
                         testing::Values("register", "cas-register", "rmw", "semaphore", "mutex owner=yes", "counter",
                                         "set", "bag", "map", "queue capacity=2", "stack", "deque", "priority-queue",
                                         "log", "mvcc-kv"));

}  // namespace configurations_test
}  // namespace linchpin::evidence

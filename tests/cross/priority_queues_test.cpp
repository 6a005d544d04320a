// Priority queues as in Bouajjani, Enea, Wang, 2017: the recursive procedure by its definition and by
// graph criteria, its non-recursive form on every projection, the monitor and the oracle agree.
//
// On every data-differentiated history of up to LINCHPIN_PQ_OPERATIONS operations (default 4): every choice of values
// that are removed or stay, of removes that find nothing, of priorities with every partial order among them, and every
// happens-before. And on LINCHPIN_CROSS_COUNT random ones of up to 12 operations.
#include <set>

#include <gtest/gtest.h>

#include "research/check_pq/decider.hpp"
#include "research/check_pq/gap_points.hpp"
#include "research/check_pq/left_right_constraint.hpp"
#include "research/check_pq/procedure.hpp"
#include "research/check_pq/single_priority.hpp"
#include "support/cross_check.hpp"
#include "support/interval_orders.hpp"
#include "support/thoroughness.hpp"
#include "types/priority_queue/monitor.hpp"
#include "types/priority_queue/specification.hpp"

namespace linchpin::test::priority_queues_test {
namespace {

using namespace research::check_pq;  // NOLINT: the paper's vocabulary
using types::PriorityQueue;

SketchedOperation put(std::int64_t value, std::int64_t priority) {
  return {.method = PriorityQueue::kInsert,
          .arguments = {Value::integer(value), Value::integer(priority)},
          .result = Value::none()};
}
SketchedOperation rm(std::int64_t value) {
  return {.method = PriorityQueue::kPoll, .arguments = {}, .result = Value::integer(value)};
}
SketchedOperation rm_empty() { return {.method = PriorityQueue::kPoll, .arguments = {}, .result = Value::nil()}; }

/// Every projection of an execution.
void for_all_projections(const Execution& execution, const std::function<void(const Projection&)>& visit) {
  const std::size_t values = execution.values.size(), count = values + execution.empties.size();
  for (std::uint32_t chosen = 1; chosen < (1U << count); ++chosen) {
    Projection e{.execution = &execution, .values = {}, .empties = {}};
    for (std::uint32_t i = 0; i < count; ++i) {
      if ((chosen >> i & 1U) == 0) continue;
      if (i < values)
        e.values.push_back(i);
      else
        e.empties.push_back(i - static_cast<std::uint32_t>(values));
    }
    visit(e);
  }
}

class Agreement {
 public:
  explicit Agreement(const std::string& type) : specification_(specification_of(type)), oracle_(*specification_) {}

  [[nodiscard]] bool good() const { return failures_ < 3; }

  void check(const Sketch& sketch, bool projections) {
    ++histories;
    const Built built = build(specification_, sketch);
    const history::Subhistory& part = built.part;
    const bool truth = oracle_.linearizable(part);
    ++(truth ? linearizable : violations);
    const auto expect = [&](std::string_view who, bool says, const std::string& why) {
      if (says != truth) fail(part, std::string(who) + " says " + (says ? "linearizable" : "violation") + "; " + why);
    };
    for (const core::Decider* const decider :
         {&research::check_pq_deciders()[0], &research::check_pq_deciders()[1], &types::kPriorityQueueMonitor}) {
      core::Budget budget{Limits{}};
      const core::Outcome outcome = decider->decide(part, {.witness = true}, budget);
      if (outcome.verdict == Verdict::unknown) {
        fail(part, std::string(decider->name) + " does not know");
        continue;
      }
      expect(decider->name, outcome.verdict == Verdict::linearizable, outcome.sentence);
      if (outcome.verdict == Verdict::linearizable) {
        if (!oracle_.valid_witness(part, outcome.witness)) fail(part, "a witness that is none");
      } else if (outcome.core.empty() || outcome.sentence.empty() ||
                 oracle_.linearizable(history::restrict(part, outcome.core))) {
        fail(part, std::string(decider->name) + " gives a core that is none; " + outcome.sentence);
      }
    }
    if (projections) check_projections(part, truth);
  }

  std::size_t histories = 0, linearizable = 0, violations = 0, covered = 0, too_late = 0;

 private:
  void check_projections(const history::Subhistory& part, bool truth) {
    const Reading reading = read_execution(part);
    if (reading.mismatch) return;
    const ByDefinition definition(Text::mended);
    const ByGraphs graphs;
    bool all = true;
    for_all_projections(reading.execution, [&](const Projection& e) {
      const bool by_definition = check_pq_conc_nonrec(e, definition);
      all = all && by_definition;
      if (single_priority_violation(e)) return;
      if (check_pq_conc_nonrec(e, graphs) != by_definition) fail(part, "the graph criteria differ on a projection");
      check_lemmas(part, e, by_definition);
    });
    if (all != truth) fail(part, "Lemma 7: the projections say otherwise");
  }

  /// Lemma 13 for one value of maximal priority, Lemma 15 for several, Lemma 42 for empty removes.
  void check_lemmas(const history::Subhistory& part, const Projection& e, bool accepted) {
    const Execution& execution = *e.execution;
    if (which_gamma(e) == Gamma::empty_remove) {
      // Only where all of them are covered does the predicate fail for each.
      const bool free = std::any_of(e.empties.begin(), e.empties.end(),
                                    [&](std::uint32_t o) { return covering_values_of_empty(e, o).empty(); });
      if (free != accepted) fail(part, "Lemma 42");
      return;
    }
    if (which_gamma(e) != Gamma::matched_max_priority) return;
    std::vector<std::uint32_t> items;
    for (const std::uint32_t v : e.values) {
      if (e.maximal(v)) items.push_back(v);
    }
    for (const std::uint32_t v : items) {
      if (!execution.same(v, items[0])) return;  // more than one maximal priority
    }
    bool any_covered = false;
    for (const std::uint32_t v : items) any_covered = any_covered || !covering_values(e, v).empty();
    if (items.size() == 1) {
      covered += any_covered ? 1 : 0;
      if (any_covered == accepted) fail(part, "Lemma 13");
    } else if (!any_covered) {
      const bool late = removed_too_late(e, items[0]).has_value();
      too_late += late ? 1 : 0;
      if (late == accepted) fail(part, "Lemma 15");
    }
  }

  void fail(const history::Subhistory& part, const std::string& what) {
    ++failures_;
    ADD_FAILURE() << specification_->name() << ": " << what << "\n" << to_text(part);
  }

  std::shared_ptr<const Specification> specification_;
  Oracle oracle_;
  std::size_t failures_ = 0;
};

/// Every way to give `count` values priorities 1 to 3, 4 at most, but for those that compare in the same way.
std::vector<std::vector<std::int64_t>> assignments(const std::string& type, std::size_t count, std::int64_t priorities,
                                                   std::set<std::vector<Comparison>>& seen) {
  std::vector<std::vector<std::int64_t>> found;
  std::vector<std::int64_t> choice(count, 1);
  while (true) {
    Sketch sketch;
    Tick now = 0;
    for (std::size_t v = 0; v < count; ++v) {
      sketch.push_back(put(static_cast<std::int64_t>(v) + 1, choice[v]));
      sketch.back().call = now++;
      sketch.back().response = now++;
    }
    const Built built = build(specification_of(type), sketch);
    if (seen.insert(read_execution(built.part).execution.comparisons).second) found.push_back(choice);
    std::size_t digit = 0;
    while (digit < count && ++choice[digit] > priorities) choice[digit++] = 1;
    if (digit == count) return found;
  }
}

void check_all(const std::string& ties, std::size_t most) {
  std::size_t histories = 0, linearizable = 0, violations = 0, covered = 0, too_late = 0;
  // All partial orders of up to three priorities, and of four where more than three values fit.
  std::vector<std::pair<std::string, std::int64_t>> orders{
      {"1<2<3", 3}, {"1<2,1<3", 3}, {"1<3,2<3", 3}, {"1<2,3", 3}, {"1,2,3", 3}};
  std::vector<std::set<std::vector<Comparison>>> seen(most + 1);
  for (const auto& [order, priorities] : orders) {
    const std::string type = "priority-queue order=" + order + " ties=" + ties;
    Agreement agreement(type);
    for (std::size_t values = 1; values <= std::min<std::size_t>(most, 3); ++values) {
      const auto all = assignments(type, values, priorities, seen[values]);
      for (std::uint32_t removed = 0; removed < (1U << values); ++removed) {
        for (std::size_t empties = 0; empties <= 2; ++empties) {
          const std::size_t size = values + static_cast<std::size_t>(std::popcount(removed)) + empties;
          if (size > most) continue;
          for (const auto& priority : all) {
            Sketch sketch;
            for (std::size_t v = 0; v < values; ++v) {
              sketch.push_back(put(static_cast<std::int64_t>(v) + 1, priority[v]));
              if ((removed >> v & 1U) != 0) sketch.push_back(rm(static_cast<std::int64_t>(v) + 1));
            }
            for (std::size_t i = 0; i < empties; ++i) sketch.push_back(rm_empty());
            for_all_interval_orders(sketch, [&](const Sketch& each) {
              if (agreement.good()) agreement.check(each, size <= 5);
            });
          }
        }
      }
    }
    histories += agreement.histories;
    linearizable += agreement.linearizable;
    violations += agreement.violations;
    covered += agreement.covered;
    too_late += agreement.too_late;
    if (!agreement.good()) break;
  }
  std::printf(
      "ties=%s, up to %zu operations: %zu histories, %zu linearizable, %zu violations; projections with a covered "
      "value: %zu, with one removed too late: %zu\n",
      ties.c_str(), most, histories, linearizable, violations, covered, too_late);
  EXPECT_GT(linearizable, 1000U);
  EXPECT_GT(violations, 1000U);
}

TEST(PriorityQueues, AgreeOnEverySmallHistoryWhereEqualsLeaveInOrder) {
  check_all("fifo", environment_number("LINCHPIN_PQ_OPERATIONS", 4));
}
TEST(PriorityQueues, AgreeOnEverySmallHistoryWhereEqualsLeaveInAnyOrder) {
  check_all("any", environment_number("LINCHPIN_PQ_OPERATIONS", 4));
}

/// Three values of one priority, of two, and in a chain: what cycles of three, covers of covers and values removed too
/// late need. All of them where LINCHPIN_PQ_OPERATIONS is 6, else every 60th.
TEST(PriorityQueues, AgreeOnSixOperations) {
  const std::size_t every = environment_number("LINCHPIN_PQ_OPERATIONS", 4) < 6 ? 60 : 1;
  std::size_t histories = 0, violations = 0, covered = 0, too_late = 0;
  for (const auto& priorities : {std::vector<std::int64_t>{1, 1, 1}, {1, 2, 2}, {1, 1, 2}, {1, 2, 3}}) {
    for (const char* const order : {"1<2<3", "1<2,1<3", "1<3,2<3"}) {
      Agreement agreement(std::string("priority-queue ties=fifo order=") + order);
      Sketch sketch;
      for (std::size_t v = 0; v < 3; ++v) {
        sketch.push_back(put(static_cast<std::int64_t>(v) + 1, priorities[v]));
        sketch.push_back(rm(static_cast<std::int64_t>(v) + 1));
      }
      std::size_t count = 0;
      for_all_interval_orders(sketch, [&](const Sketch& each) {
        if (count++ % every == 0 && agreement.good()) agreement.check(each, true);
      });
      EXPECT_EQ(count, 81'663U);
      histories += agreement.histories;
      violations += agreement.violations;
      covered += agreement.covered;
      too_late += agreement.too_late;
    }
  }
  std::printf("six operations: %zu histories, %zu violations; projections with a covered value: %zu, too late: %zu\n",
              histories, violations, covered, too_late);
  EXPECT_GT(covered, 100U);
  if (every == 1) {
    EXPECT_GT(too_late, 10U);
  }
}

void check_random_executions(const std::string& type, std::int64_t priorities, std::size_t default_count) {
  const std::size_t count = random_histories(default_count);
  const std::size_t seed = environment_number("LINCHPIN_CROSS_SEED", 20240607);
  SCOPED_TRACE(type + ", seed " + std::to_string(seed));
  Random random(seed);
  Agreement agreement(type);
  const auto specification = specification_of(type);
  const auto states = specification->make_states();
  std::vector<Value> results{Value::nil()};
  for (std::int64_t v = 1; v <= 6; ++v) results.push_back(Value::integer(v));
  for (std::size_t i = 0; i < count && agreement.good(); ++i) {
    if (states->bound() > 100'000) states->retain({});
    std::int64_t next = 0;
    const bool empties = below(random, 2) == 0;
    const auto drafter = [&](Random& generator) {
      if (next < 6 && below(generator, 2) == 0) {
        const auto priority = static_cast<std::int64_t>(1 + below(generator, static_cast<std::size_t>(priorities)));
        return Draft{PriorityQueue::kInsert, {Value::integer(++next), Value::integer(priority)}, {Value::none()}};
      }
      std::vector<Value> possible;
      for (std::int64_t v = 1; v <= next; ++v) possible.push_back(Value::integer(v));
      if (empties || possible.empty()) possible.push_back(Value::nil());
      return Draft{PriorityQueue::kPoll, {}, possible};
    };
    Sketch sketch = random_sketch(random, *states, drafter,
                                  {.operations = 1 + below(random, 12),
                                   .most_open = 1 + below(random, 5),
                                   .pending = 0,
                                   .by_simulation = below(random, 8) != 0});
    if (below(random, 2) == 0) mutate(random, sketch, results);
    if (valid(sketch)) agreement.check(sketch, i % 16 == 0);
  }
  std::printf("%s: %zu random histories, %zu linearizable, %zu violations\n", type.c_str(), agreement.histories,
              agreement.linearizable, agreement.violations);
  EXPECT_GT(agreement.linearizable, agreement.histories / 5);
  EXPECT_GT(agreement.violations, agreement.histories / 10);
}

TEST(PriorityQueues, AgreeOnRandomHistoriesOfTotalOrders) {
  check_random_executions("priority-queue", 6, 4000);
  check_random_executions("priority-queue order=largest ties=fifo", 2, 4000);
}
TEST(PriorityQueues, AgreeOnRandomHistoriesOfPartialOrders) {
  for (const char* const ties : {" ties=any", " ties=fifo"}) {
    check_random_executions(std::string("priority-queue order=1<2,1<3,2<4,3<4") + ties, 4, 3000);
    check_random_executions(std::string("priority-queue order=1<2,1<3,4") + ties, 4, 3000);
  }
}

}  // namespace
}  // namespace linchpin::test::priority_queues_test

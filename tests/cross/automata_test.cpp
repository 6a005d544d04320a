// Automata against the truth: a history is refuted iff some automaton accepts it, renamed (Lemmas 7 and 9, Theorem 11
// of Checking Linearizability of Concurrent Priority Queues), and iff the online watch raises an alarm.
//
// All histories of up to four operations in which every value is added once (five with
// LINCHPIN_EXHAUSTIVE_OPERATIONS=5; six takes hours), and random ones, more with LINCHPIN_CROSS_COUNT. In each: the
// automata that are said to be implied accept nothing that the others do not; what an accepting run has coloured is
// refuted alone; an alarm is no later than the first of them accepts, and what was read by then is accepted.
#include <array>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "research/automata/online/watch.hpp"
#include "research/automata/simulate.hpp"
#include "support/cross_check.hpp"
#include "support/oracle.hpp"
#include "support/sketch.hpp"
#include "support/thoroughness.hpp"

namespace linchpin::automata_test {
namespace {

using automata::Automaton;
using automata::Execution;
using test::below;
using test::Random;
using test::Sketch;

constexpr std::uint16_t kAdd = 0, kRemove = 1;

/// An alarm that an online watch raises, with the number of letters read.
struct Raised {
  automata::Alarm alarm;
  std::size_t letters = 0;
};

/// The first alarm that is `certain`; the watch goes on behind the others.
template <class Certain>
std::optional<Raised> watch_online(const history::Subhistory& part, const Execution& execution, Certain&& certain) {
  automata::OnlineWatch watch(*part.specification, part.history->pool());
  std::map<std::uint32_t, automata::Moment> empties;
  for (std::size_t at = 0; at < execution.letters.size(); ++at) {
    const automata::Letter letter = execution.letters[at];
    const auto name = [&] { return automata::ValueName{execution.name[letter.value], ""}; };
    std::optional<automata::Alarm> alarm;
    if (letter.method == automata::Method::empty) {
      if (letter.response) {
        alarm = watch.return_empty(empties.at(letter.value));
      } else {
        empties[letter.value] = watch.call_empty();
      }
    } else if (letter.method == automata::Method::add) {
      const automata::Slot value = watch.value(name());
      if (letter.response) {
        watch.return_add(value);
      } else {
        alarm = watch.call_add(value, part.arguments(execution.operation[at]).back());
      }
    } else if (letter.response) {
      alarm = watch.return_remove(watch.value(name()));
    } else {
      watch.call_remove(watch.value(name()));
    }
    if (alarm && alarm->precondition) return std::nullopt;
    if (alarm && certain(*alarm)) return Raised{std::move(*alarm), at + 1};
  }
  EXPECT_FALSE(watch.gave_up());
  return std::nullopt;
}

class Agreement {
 public:
  explicit Agreement(std::string_view type) : specification_(test::specification_of(type)), oracle_(*specification_) {}
  ~Agreement() {
    if (!test::thorough() && std::getenv("LINCHPIN_EXHAUSTIVE_OPERATIONS") == nullptr) {
      return;
    }
    std::printf("%s: %zu histories, %zu refuted\n", std::string(specification_->name()).c_str(), histories, refuted);
    for (const auto& [name, count] : accepted) std::printf("  %s: %zu, alone %zu\n", name.c_str(), count, alone[name]);
  }
  [[nodiscard]] bool good() const { return failures_ < 3; }
  [[nodiscard]] const std::shared_ptr<const Specification>& specification() const { return specification_; }

  void check(const Sketch& sketch) {
    const test::Built built = test::build(specification_, sketch);
    const history::Subhistory& part = built.part;
    const auto execution = automata::execution_of(part);
    ASSERT_TRUE(execution) << execution.error().to_string();
    const bool truth = oracle_.linearizable(part);
    ++histories;
    refuted += truth ? 0 : 1;

    std::size_t needed = 0, earliest = execution->letters.size();
    std::string names;
    for (const Automaton& automaton : automata::family_of(*specification_)->automata) {
      if (automaton.precondition) continue;
      const auto run = automata::simulate(automaton, *execution);
      if (!run) continue;
      ++accepted[automaton.name];
      names += " " + automaton.name;
      needed += automaton.implied ? 0 : 1;
      earliest = std::min(earliest, run->letters);
      if (!refutes_alone(part, *execution, *run)) fail(part, "what " + automaton.name + " colours is linearizable");
    }
    if (truth != names.empty()) fail(part, "the automata that accept:" + names);
    if ((needed == 0) != names.empty()) fail(part, "only implied automata accept:" + names);
    if (needed == 1) ++alone[names.substr(1)];

    const auto raised = watch_online(part, *execution, [](const automata::Alarm&) { return true; });
    if (truth != !raised) fail(part, raised ? "false alarm: " + raised->alarm.automaton : "no alarm");
    // (The others read one remove of each of their single values.)
    const bool twice = names.find("removed-twice") != std::string::npos;
    if (raised && !truth && !twice) check_prefix(part, *execution, *raised);
    if (raised && raised->letters > earliest) fail(part, "the alarm for " + raised->alarm.automaton + " is late");
  }

  /// With removes that never returned: what is wrong with one value is wrong, also behind alarms that these explain.
  void check_lost(const Sketch& sketch) {
    const test::Built built = test::build(specification_, sketch);
    const auto execution = automata::execution_of(built.part);
    ASSERT_TRUE(execution) << execution.error().to_string();
    std::size_t explained = 0;
    const auto raised = watch_online(built.part, *execution, [&](const automata::Alarm& alarm) {
      explained += alarm.of_one_value ? 0 : 1;
      return alarm.of_one_value;
    });
    if (!raised) return;
    certain_behind_others += explained > 0 ? 1 : 0;
    if (oracle_.linearizable(built.part)) fail(built.part, "false alarm: " + raised->alarm.automaton);
  }

  std::size_t histories = 0, refuted = 0, certain_behind_others = 0;
  std::map<std::string, std::size_t> accepted, alone;

 private:
  /// Whether the operations of the coloured values are not linearizable.
  bool refutes_alone(const history::Subhistory& part, const Execution& execution, const automata::AcceptingRun& run) {
    std::vector<bool> kept(part.size(), false);
    for (std::size_t at = 0; at < execution.letters.size(); ++at) {
      if (run.colour[execution.letters[at].value] != automata::kNoColour) kept[execution.operation[at]] = true;
    }
    std::vector<std::uint32_t> locals;
    for (std::uint32_t i = 0; i < part.size(); ++i) {
      if (kept[i]) locals.push_back(i);
    }
    return !oracle_.linearizable(history::restrict(part, locals));
  }

  /// The automaton that the alarm names accepts what was read until then.
  void check_prefix(const history::Subhistory& part, const Execution& execution, const Raised& raised) {
    Execution prefix = execution;
    prefix.letters.resize(raised.letters);
    bool found = false;
    for (const Automaton& automaton : automata::family_of(*specification_)->automata) {
      const bool named = raised.alarm.automaton.find(automaton.name) != std::string::npos;
      if (named) found = found || automata::simulate(automaton, prefix).has_value();
    }
    if (!found) fail(part, raised.alarm.automaton + " does not accept when the alarm is raised");
  }

  void fail(const history::Subhistory& part, const std::string& what) {
    ++failures_;
    ADD_FAILURE() << specification_->name() << ": " << what << "\n" << test::to_text(part);
  }

  std::shared_ptr<const Specification> specification_;
  test::Oracle oracle_;
  std::size_t failures_ = 0;
};

test::SketchedOperation add(std::int64_t value, std::optional<std::int64_t> priority) {
  test::SketchedOperation operation{.method = kAdd, .arguments = {Value::integer(value)}, .result = Value::none()};
  if (priority) operation.arguments.push_back(Value::integer(*priority));
  return operation;
}
test::SketchedOperation remove(Value result) { return {.method = kRemove, .arguments = {}, .result = result}; }

/// All interleavings of all orders of the operations.
void check_all(Agreement& agreement, Sketch operations) {
  std::vector<std::size_t> order(operations.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  do {
    Sketch sketch;
    for (const std::size_t i : order) sketch.push_back(operations[i]);
    test::for_all_interleavings(sketch, false, [&](const Sketch& each) {
      if (agreement.good()) agreement.check(each);
    });
  } while (agreement.good() && std::next_permutation(order.begin(), order.end()));
}

/// All ways to give so many values priorities, apart from which numbers they are: 0 to some k, each given to someone.
std::vector<std::vector<std::int64_t>> priority_assignments(std::size_t values) {
  std::vector<std::vector<std::int64_t>> all;
  std::vector<std::int64_t> digits(values, 0);
  while (true) {
    const std::set<std::int64_t> given(digits.begin(), digits.end());
    if (*given.rbegin() + 1 == static_cast<std::int64_t>(given.size())) all.push_back(digits);
    std::size_t digit = 0;
    while (digit < values && ++digits[digit] == static_cast<std::int64_t>(values)) digits[digit++] = 0;
    if (digit == values) return all;
  }
}

/// Every set of `size` operations: values 1 to v are added, the first r of them removed, the rest are empty removes.
/// With priorities, every assignment of them (one where nothing is removed).
void check_sizes(Agreement& agreement, std::size_t size, bool priorities) {
  for (std::size_t values = 1; values <= size; ++values) {
    for (std::size_t removed = 0; removed <= values && values + removed <= size; ++removed) {
      for (const std::vector<std::int64_t>& assignment : priority_assignments(values)) {
        Sketch operations;
        for (std::size_t v = 0; v < values; ++v) {
          operations.push_back(
              add(static_cast<std::int64_t>(v) + 1, priorities ? std::optional(assignment[v]) : std::nullopt));
        }
        for (std::size_t v = 0; v < removed; ++v) {
          operations.push_back(remove(Value::integer(static_cast<std::int64_t>(v) + 1)));
        }
        while (operations.size() < size) operations.push_back(remove(Value::nil()));
        check_all(agreement, operations);
        if (!priorities || removed == 0) break;
      }
    }
  }
}

void check_exhaustively(std::string_view type, bool priorities) {
  Agreement agreement(type);
  const std::size_t most = test::environment_number("LINCHPIN_EXHAUSTIVE_OPERATIONS", 4);
  for (std::size_t size = 1; size <= most; ++size) check_sizes(agreement, size, priorities);
  EXPECT_GT(agreement.histories, 1000U);
}

/// Gives most removes of what was removed already another value, so that more can be wrong than that.
void remove_once(Random& random, Sketch& sketch, std::int64_t values) {
  std::set<std::int64_t> left;
  for (std::int64_t v = 1; v < values; ++v) left.insert(v);
  std::vector<test::SketchedOperation*> again;
  for (test::SketchedOperation& operation : sketch) {
    if (operation.method != kRemove || !operation.result.is_integer()) continue;
    if (left.erase(operation.result.integer()) == 0 && below(random, 16) != 0) again.push_back(&operation);
  }
  for (test::SketchedOperation* const operation : again) {
    operation->result = left.empty() ? Value::nil() : Value::integer(*left.begin());
    if (!left.empty()) left.erase(left.begin());
  }
}

/// Simulated histories, some of them damaged; without pending removes, the alarm is looked at, else what is certain.
void check_random(std::string_view type, std::size_t priorities, std::size_t default_count) {
  Agreement agreement(type);
  const std::size_t count = test::random_histories(default_count);
  const auto states = agreement.specification()->make_states();
  Random random(test::environment_number("LINCHPIN_CROSS_SEED", 20170705));
  for (std::size_t i = 0; i < count && agreement.good(); ++i) {
    if (states->bound() > 100'000) states->retain({});
    const std::size_t values = 2 + below(random, 6);
    const bool empties = below(random, 3) == 0;
    std::int64_t next = 1;
    const test::Drafter drafter = [&](Random& generator) {
      if (static_cast<std::size_t>(next) <= values && below(generator, 2) == 0) {
        std::vector<Value> arguments{Value::integer(next++)};
        if (priorities > 0)
          arguments.push_back(Value::integer(static_cast<std::int64_t>(below(generator, priorities))));
        return test::Draft{kAdd, arguments, {Value::none()}};
      }
      std::vector<Value> results;
      for (std::int64_t v = 1; v < next; ++v) results.push_back(Value::integer(v));
      if (empties || results.empty()) results.push_back(Value::nil());
      return test::Draft{kRemove, {}, results};
    };
    Sketch sketch = test::random_sketch(random, *states, drafter,
                                        {.operations = 2 + below(random, 11),
                                         .most_open = 1 + below(random, 6),
                                         .pending = std::array{0.0, 0.0, 0.1, 0.4}[below(random, 4)],
                                         .by_simulation = below(random, 6) != 0});
    if (below(random, 2) == 0) test::mutate(random, sketch, {});
    if (below(random, 8) != 0) remove_once(random, sketch, next);
    const bool pending_remove = std::any_of(sketch.begin(), sketch.end(), [](const auto& operation) {
      return operation.method == kRemove && operation.response == kPending;
    });
    if (!test::valid(sketch)) continue;
    if (pending_remove) {
      agreement.check_lost(sketch);
    } else {
      agreement.check(sketch);
    }
  }
  EXPECT_GT(agreement.certain_behind_others, 0U);
  EXPECT_GT(agreement.refuted, agreement.histories / 20);
  EXPECT_LT(agreement.refuted, agreement.histories);
}

// 1 and 2 are incomparable.
constexpr std::array<std::string_view, 5> kPriorityQueues{
    "priority-queue ties=fifo", "priority-queue", "priority-queue order=largest ties=fifo",
    "priority-queue order=0<1,0<2,1<3,2<3,3<4 ties=fifo", "priority-queue order=0<1,0<2,1<3,2<3,3<4"};

TEST(AutomataAgree, OnAllSmallQueueHistories) { check_exhaustively("queue", false); }
TEST(AutomataAgree, OnAllSmallStackHistories) { check_exhaustively("stack", false); }

class PriorityQueueAutomataAgree : public testing::TestWithParam<std::string_view> {};
TEST_P(PriorityQueueAutomataAgree, OnAllSmallHistories) { check_exhaustively(GetParam(), true); }
TEST_P(PriorityQueueAutomataAgree, OnRandomHistories) {
  check_random(GetParam(), 1, 1'500);
  check_random(GetParam(), 2, 3'000);
  check_random(GetParam(), 4, 3'000);
}
INSTANTIATE_TEST_SUITE_P(Orders, PriorityQueueAutomataAgree, testing::ValuesIn(kPriorityQueues));

TEST(AutomataAgree, OnRandomQueueHistories) { check_random("queue", 0, 20'000); }
TEST(AutomataAgree, OnRandomStackHistories) { check_random("stack", 0, 20'000); }

// c is used as a cover and outlives a: the run for a waits for its pop. The history of docs/papers that "covered"
// misses, with another one in front that a watch must not take for it.
TEST(AutomataAgree, OnStacksThatAreStuckTogether) {
  Agreement agreement("stack");
  const auto pushed = [](std::int64_t value, Tick call, Tick response) {
    auto operation = add(value, std::nullopt);
    operation.call = call;
    operation.response = response;
    return operation;
  };
  const auto popped = [](std::int64_t value, Tick call, Tick response) {
    auto operation = remove(Value::integer(value));
    operation.call = call;
    operation.response = response;
    return operation;
  };
  agreement.check(
      {pushed(1, 0, 5), pushed(2, 1, 2), pushed(3, 3, 8), popped(2, 6, 7), popped(1, 9, 10), popped(3, 11, 12)});
  EXPECT_EQ(agreement.refuted, 1U);
  EXPECT_EQ(agreement.alone["stuck"], 1U);
}

}  // namespace
}  // namespace linchpin::automata_test

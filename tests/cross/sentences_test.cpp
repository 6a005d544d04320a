// What sentences about violations claim, held against the whole history as it was recorded, on random small violations:
// who was inside and when, what returned before what was called, what was open, and which values fit into no order.
//
// Each decider that was asked for and each that is chosen, with its core made smaller and as it comes. What may be said
// stands in the tables of the folder `sentences`: a sentence that none of their rows takes is a failure, so that a new
// one comes with its claim. LINCHPIN_CROSS_COUNT sets the number of histories of all types.
#include <regex>
#include <set>

#include <gtest/gtest.h>

#include "cross/drafts.hpp"
#include "cross/sentences/row.hpp"
#include "decide/choose.hpp"
#include "linchpin/check.hpp"
#include "linchpin/explain.hpp"
#include "linchpin/parsing.hpp"
#include "support/held.hpp"
#include "support/oracle.hpp"
#include "support/thoroughness.hpp"

namespace linchpin::sentences_test {
namespace {

using namespace test;  // NOLINT: the vocabulary of these tests
using history::Rank;

using sentences::Facts;
using sentences::Words;

/// What may be said, and when it is true.
struct Row {
  std::string text;
  std::regex words;
  sentences::Claim holds;
};

const std::vector<Row>& rows() {
  static const std::vector<Row> kRows = [] {
    std::vector<Row> made;
    for (const sentences::Claims& claims :
         {sentences::container_claims(), sentences::value_claims(), sentences::count_claims()}) {
      for (const auto& [words, holds] : claims) made.push_back({words, std::regex(words), holds});
    }
    return made;
  }();
  return kRows;
}

/// Beginnings and ends that are said of any type.
constexpr std::string_view kPendingRemoves = ", and no choice of values for the pending ";
constexpr std::string_view kPendingTakes = ", whatever the pending ";

struct Tally {
  std::map<std::string, std::size_t> said;  // by row
  std::set<std::string> unknown;            // sentences that no row takes
};

/// Nothing if what is said of the violation is true of the history, else why not.
std::string untrue(const Built& built, Facts& facts, const ObjectVerdict& verdict, Tally& tally) {
  std::string sentence = verdict.violation->sentence;
  facts.claim(*verdict.violation);
  if (sentence.empty()) return "nothing is said";
  if (verdict.why.find("values repeat") != std::string::npos && facts.each_added_once()) return "values do not repeat";
  if (sentence.find("pending") != std::string::npos && facts.pending() == 0) return "nothing is pending";
  for (const std::string_view ending : {kPendingRemoves, kPendingTakes}) {
    if (sentence.find(ending) != std::string::npos) sentence.resize(sentence.find(ending));
  }
  // Operations by their own words, whatever else is said of them.
  static const std::regex kQuoted(R"(\b\w+\([^()]*\) -> \S*[^\s,:;)])");
  for (std::sregex_iterator each(sentence.begin(), sentence.end(), kQuoted), end; each != end; ++each) {
    std::string quoted = each->str();
    if (facts.described(quoted).empty() && quoted.find('[') == std::string::npos) {
      return fmt::format("nobody recorded {}", quoted);
    }
  }
  for (const Row& row : rows()) {
    Words words;
    if (!std::regex_match(sentence, words, row.words)) continue;
    ++tally.said[row.text];
    const bool container = built.specification->name().find("queue") != std::string::npos ||
                           built.specification->name().starts_with("stack") ||
                           built.specification->name().starts_with("bag") ||
                           built.specification->name().starts_with("deque");
    if (container && !facts.each_added_once()) return {};  // which of the equal ones is meant is not said
    return row.holds(facts, words) ? "" : "it is not so";
  }
  if (sentence.find(" fits no order") == std::string::npos) tally.unknown.insert(sentence);
  return {};
}

/// The states that were tried, and what would have been returned there: executed again, one step after the other.
std::string untrue_attempts(const Built& built, const ObjectExplanation& explanation) {
  if (!explanation.blocked || explanation.start) return {};
  const auto local_of = [&](OperationIndex i) {
    return static_cast<std::uint32_t>(std::find(built.part.operation.begin(), built.part.operation.end(), i) -
                                      built.part.operation.begin());
  };
  const Operation blocked = built.part.view(local_of(*explanation.blocked));
  const auto states = built.specification->make_states();
  for (const Attempt& attempt : explanation.attempts) {
    std::vector<StateId> reached = {states->initial()}, next;
    for (const Step& step : attempt.order.steps) {
      next.clear();
      for (const StateId each : reached) states->successors(each, built.part.view(local_of(step.operation)), next);
      std::swap(reached, next);
    }
    std::erase_if(reached,
                  [&](StateId each) { return states->describe(each, built.history->pool()) != attempt.state; });
    if (reached.empty()) return fmt::format("the state {} cannot be reached so", attempt.state);
    if (attempt.then_blocked) continue;
    const auto legal = [&](Value result) {
      Operation operation = blocked;
      operation.result = result;
      next.clear();
      for (const StateId each : reached) states->successors(each, operation, next);
      return !next.empty() && (result.is_unknown() || built.specification->invalid(operation).empty());
    };
    for (const std::string& result : attempt.results) {
      std::vector<Value> candidates = {Value::nil(), Value::boolean(true), Value::boolean(false)};
      for (std::uint32_t i = 0; i < built.part.size(); ++i) {
        candidates.push_back(built.part.result(i));
        for (const Value argument : built.part.arguments(i)) candidates.push_back(argument);
      }
      for (std::int64_t number = -20; number <= 100; ++number) candidates.push_back(Value::integer(number));
      bool any = result.front() == '[';  // lists: heights, in stack_sets_test.cpp
      for (const Value each : candidates) any = any || (built.history->pool().to_text(each) == result && legal(each));
      if (!any) return fmt::format("in {} it would not return {}", attempt.state, result);
    }
    if (attempt.refusal == "is not possible" && legal(Value::unknown())) return "it is possible";
  }
  return {};
}

/// What `check` says of a history in the native text.
std::string said_of(const std::string& text, const std::string& decider = "", bool shrink = true) {
  auto histories = parse_histories(text);
  if (!histories || !(*histories)[0]) return "not read";
  CheckOptions options;
  options.decider = decider;
  options.shrink = shrink;
  const auto checked = check(*(*histories)[0], options);
  if (!checked || checked->verdict != Verdict::violation) return "no violation";
  return checked->objects[0].why + "; " + checked->objects[0].violation->sentence;
}

// Figure 5 of the paper on priority queues: nothing is pending, and rm(d) is called after what was refuted.
TEST(Sentences, AreAboutWhatWasRecordedAndByTheDeciderThatIsNamed) {
  const std::string figure = R"(# linchpin 1
# type: priority-queue ties=fifo
0 0 1 insert 1 4
1 2 3 insert 2 4
2 4 12 poll -> 2
3 5 6 insert 3 1
4 7 20 poll -> 1
5 13 14 poll -> 3
)";
  const std::string paper =
      "asked for; 1 is put before 2, but the rightmost gap-point of 2 is before the call of rm(1)";
  EXPECT_EQ(said_of(figure, "check-pq"), paper);
  EXPECT_EQ(said_of(figure, "check-pq", false), paper);
  EXPECT_EQ(said_of(figure),
            "no value is inserted twice; equal priorities leave in the order of insertion, 1 (priority 4) was inserted "
            "before 2 (priority 4) and 2 (priority 4) can be polled only before 1 (priority 4), since 3 (priority 1) "
            "goes first while in the queue");
}

TEST(Sentences, OfAStackWithHeightsTellTheHeight) {
  const auto stack = [](const std::string& heights, const std::string& rows) {
    return said_of("# linchpin 1\n# type: stack heights=" + heights + "\n" + rows);
  };
  const std::string why = "results carry heights: one set of stacks for each set of done operations; ";
  const auto fits_none = [&](const std::string& operation, const std::string& state, const std::string& answer) {
    return why + operation + " fits no order: while it was open, the stack was " + state + ", top last, where it " +
           answer;
  };
  EXPECT_EQ(stack("before", "0 0 1 push 7 -> 0\n0 2 3 push 1 -> 0\n"),
            fits_none("push(1) -> 0", "[7]", "would return 1"));
  EXPECT_EQ(stack("before", "0 0 1 push 1 -> 0\n0 2 3 pop -> nil\n"),
            fits_none("pop() -> nil", "[1]", "would return [1 1]"));
  EXPECT_EQ(stack("before", "0 0 1 push 0 -> 5\n"), fits_none("push(0) -> 5", "[]", "would return 0"));
  EXPECT_EQ(stack("before", "0 0 1 pop -> [1 1]\n"), fits_none("pop() -> [1 1]", "[]", "would return [nil 0]"));
  EXPECT_EQ(stack("yes", "0 0 1 push 7 -> 1\n0 2 3 pop -> [7 1]\n"),
            fits_none("pop() -> [7 1]", "[7]", "would return [7 0]"));
}

// Both pops are called before the push: a core of one of them, which the push would explain, would prove nothing.
TEST(Sentences, SayThatAValueWasRemovedTwiceWhereItsAddIsCalledLast) {
  EXPECT_EQ(said_of("# linchpin 1\n# type: stack\n0 0 7 pop -> 1\n1 2 11 pop -> 1\n2 3 9 push 1\n"),
            "no value is pushed twice; 1 was pushed once and popped twice");
}

class SentencesOf : public testing::TestWithParam<cross::Subject> {};

TEST_P(SentencesOf, RandomViolationsAreTrueOfWhatWasRecorded) {
  const cross::Subject& subject = GetParam();
  const auto specification = specification_of(subject.type);
  const std::size_t count = random_histories(200'000) / cross::monitored_subjects().size() / 20 + 1;
  Random random(20240611);
  Tally tally;
  std::size_t violations = 0;
  const auto states = specification->make_states();
  for (std::size_t histories = 0; histories < count && !HasFailure();) {
    if (states->bound() > 100'000) states->retain({});
    const RandomShape shape{.operations = 2 + below(random, 9),
                            .most_open = 1 + below(random, 5),
                            .pending = std::array{0.0, 0.0, 0.0, 0.2}[below(random, 4)],
                            .by_simulation = below(random, 8) != 0,
                            .processes = subject.processes == 0 ? 0 : 1 + below(random, subject.processes)};
    Sketch sketch = random_sketch(random, *states, subject.start(random), shape);
    mutate(random, sketch, subject.results);
    if (!valid(sketch) || !takes(*specification, sketch)) continue;
    ++histories;
    const Built built = build(specification, sketch);
    if (Oracle(*specification).linearizable(built.part)) continue;
    ++violations;
    Facts facts(built);
    std::vector<std::string> deciders = {""};
    for (const core::Decider* const decider : decide::all_deciders()) {
      if (decider->name.starts_with("planted") || decider->kind == core::Kind::search) continue;
      if (decider->applicable(built.part).applies) deciders.emplace_back(decider->name);
    }
    for (const std::string& decider : deciders) {
      for (const bool shrink : {true, false}) {
        CheckOptions options;
        options.specification = specification;
        options.decider = decider;
        options.shrink = shrink;
        options.threads = 1;
        options.verify = Verify::never;
        const auto checked = check(*built.history, options);
        ASSERT_TRUE(checked);
        ASSERT_EQ(test::what_did_not_hold(*checked), "");
        if (checked->verdict != Verdict::violation) continue;
        const ObjectVerdict& object = checked->objects[0];
        std::string why = untrue(built, facts, object, tally);
        if (why.empty()) {
          const auto explanation = explain_verdict(*built.history, *checked, options);
          ASSERT_TRUE(explanation);
          why = untrue_attempts(built, explanation->objects[0]);
        }
        // A lock's core may begin with any of its turns, as if the ones before had left it so. A store's leaves out who
        // made the other revisions: the numbers in the answers say that somebody did.
        const bool goes_on = subject.type.starts_with("mutex") || subject.type.starts_with("mvcc");
        if (why.empty() && !goes_on && !facts.core_refutes(*object.violation)) why = "others make room for the core";
        EXPECT_EQ(why, "") << subject.type << " by " << object.decider << (decider.empty() ? "" : ", asked for")
                           << (shrink ? "" : ", not shrunk") << ": " << object.violation->sentence
                           << "\n  why: " << object.why << ", core " << testing::PrintToString(object.violation->core)
                           << ", context " << testing::PrintToString(object.violation->context) << "\n"
                           << to_text(built.part);
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_GT(violations, count / 20);
  if (std::getenv("LINCHPIN_SENTENCES") != nullptr) {
    for (const auto& [row, times] : tally.said) std::printf("%6zu %s\n", times, row.c_str());
    for (const std::string& sentence : tally.unknown) std::printf("       not in the table: %s\n", sentence.c_str());
  }
  EXPECT_TRUE(tally.unknown.empty()) << "not in the table: " << *tally.unknown.begin();
}

INSTANTIATE_TEST_SUITE_P(Random, SentencesOf, testing::ValuesIn(cross::monitored_subjects()),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

}  // namespace
}  // namespace linchpin::sentences_test

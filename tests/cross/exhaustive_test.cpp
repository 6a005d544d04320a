// Every small history of every type: all interleavings, all pending subsets, all labels that can ever be legal.
//
// For each type the labels (method, arguments, result) over two values are collected that are legal in some state
// reachable in three steps, plus every unknown result; and some at random over values of other kinds. All words of n
// calls (in a fixed order, since labels vary) and any of their responses are run with all choices of labels; both
// searches must agree with the reference. n is 3 by default; LINCHPIN_EXHAUSTIVE_OPERATIONS=4 takes minutes a type.
// Ties: all tick assignments of two and three operations over three ticks, against the check that reads ticks.
#include <cstdlib>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/data_type.hpp"
#include "cross/labels.hpp"
#include "decide/projections.hpp"
#include "decide/search/search_task.hpp"
#include "evidence/core.hpp"
#include "history/subhistory.hpp"
#include "linchpin/check.hpp"
#include "reference/reference.hpp"
#include "support/held.hpp"

namespace linchpin {
namespace {

std::uint32_t operations() {
  const char* const given = std::getenv("LINCHPIN_EXHAUSTIVE_OPERATIONS");
  return given == nullptr ? 3 : static_cast<std::uint32_t>(std::strtoul(given, nullptr, 10));
}

/// All event words: calls 0..n-1 in this order, each response after its call or absent.
void words(std::uint32_t n, std::vector<history::Event>& word, std::uint32_t called, std::uint32_t open,
           std::vector<std::vector<history::Event>>& out) {
  if (called == n) out.push_back(word);  // what is open now stays pending
  if (called < n) {
    word.push_back(history::Event::call(called));
    words(n, word, called + 1, open | (1U << called), out);
    word.pop_back();
  }
  for (std::uint32_t i = 0; i < called; ++i) {
    if ((open >> i & 1U) == 0) continue;
    word.push_back(history::Event::response(i));
    words(n, word, called, open & ~(1U << i), out);
    word.pop_back();
  }
}

/// A history with these labels and ticks; the order of operations is the given one.
History make_history(const cross::Labels& labels, std::span<const std::size_t> choice,
                     std::span<const std::pair<Tick, Tick>> ticks) {
  HistoryBuilder builder;
  for (std::size_t i = 0; i < choice.size(); ++i) {
    const cross::Label& label = labels.list[choice[i]];
    HistoryBuilder::Operation operation{.process = static_cast<ProcessId>(i),
                                        .method = label.method,
                                        .result = builder.pool().import(label.result, *labels.pool),
                                        .call = ticks[i].first,
                                        .response = ticks[i].second};
    for (const Value value : label.arguments) operation.arguments.push_back(builder.pool().import(value, *labels.pool));
    builder.add(operation);
  }
  return std::move(*std::move(builder).build());
}

bool next_choice(std::vector<std::size_t>& choice, std::size_t count) {
  for (std::size_t& each : choice) {
    if (++each < count) return true;
    each = 0;
  }
  return false;
}

std::vector<std::string> type_names() {
  std::vector<std::string> names;
  for (const core::DataType& type : core::data_types()) {
    if (cross::has_small_labels(type.name)) names.emplace_back(type.name);
  }
  return names;
}

class Exhaustive : public testing::TestWithParam<std::string> {};

/// How many histories there were, and how many of them were linearizable.
struct Tally {
  std::size_t histories = 0, linearizable = 0;
};

void expect_agreement_on_all(const std::shared_ptr<const Specification>& specification, const cross::Labels& labels,
                             Tally& tally) {
  const std::uint32_t n = operations();
  std::vector<std::vector<history::Event>> all_words;
  std::vector<history::Event> word;
  words(n, word, 0, 0, all_words);
  core::Budget budget({});
  const auto text = [&](std::string_view decider, const History& history, const history::Subhistory& part) {
    std::string all = fmt::format("{} on {}", decider, specification->name());
    for (std::uint32_t i = 0; i < part.size(); ++i) {
      all += fmt::format("\n  [{}, {}] {}", part.call[i].number(),
                         part.pending(i) ? "-" : std::to_string(part.response[i].number()),
                         history.describe(part.operation[i]));
    }
    return all;
  };
  for (const auto& events : all_words) {
    std::vector<std::pair<Tick, Tick>> ticks(n, {0, kPending});
    for (Tick rank = 0; rank < static_cast<Tick>(events.size()); ++rank) {
      const history::Event event = events[static_cast<std::size_t>(rank)];
      (event.is_response() ? ticks[event.operation()].second : ticks[event.operation()].first) = rank;
    }
    std::vector<std::size_t> choice(n, 0);
    do {
      const History history = make_history(labels, choice, ticks);
      const std::vector specifications{specification};
      const auto parts = history::split_by_object(history, specifications, Ties::concurrent);
      ASSERT_TRUE(parts);
      const history::Subhistory& part = (*parts)[0];
      const Verdict expected = reference::linearizable(part) ? Verdict::linearizable : Verdict::violation;
      ++tally.histories;
      tally.linearizable += expected == Verdict::linearizable ? 1 : 0;
      for (const core::Decider& decider : decide::searches().subspan(1)) {
        ASSERT_EQ(decider.decide(part, {.witness = false}, budget).verdict, expected)
            << text(decider.name, history, part);
      }
      for (const std::span<const core::Decider> list :
           {core::monitors(), core::necessary_conditions(), std::span(&decide::key_projections(), 1), core::lifts()}) {
        for (const core::Decider& decider : list) {
          if (!decider.applicable(part).applies) continue;
          const core::Outcome outcome = decider.decide(part, {.witness = false}, budget);
          if (outcome.verdict == Verdict::unknown && outcome.reason == Reason::not_applicable) continue;
          ASSERT_EQ(outcome.verdict, expected) << text(decider.name, history, part);
        }
      }
    } while (next_choice(choice, labels.list.size()));
  }
}

TEST_P(Exhaustive, SearchesAgreeWithTheReferenceOnAllSmallHistories) {
  const auto specification = make_specification({.name = GetParam(), .options = {}});
  ASSERT_TRUE(specification);
  Tally tally;
  expect_agreement_on_all(*specification, cross::small_labels(**specification, operations() <= 3 ? 14 : 7), tally);
  EXPECT_GT(tally.linearizable, 0U);
  EXPECT_LT(tally.linearizable, tally.histories);
  RecordProperty("histories", static_cast<int>(tally.histories));
}

TEST_P(Exhaustive, SearchesAgreeWithTheReferenceOnValuesOfEveryKind) {
  const auto specification = make_specification({.name = GetParam(), .options = {}});
  ASSERT_TRUE(specification);
  Tally tally;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(fmt::format("labels of seed {}", seed));
    expect_agreement_on_all(*specification, cross::mixed_labels(**specification, 6, seed), tally);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(tally.linearizable, 0U);
}

TEST_P(Exhaustive, TiesAreReadAsTheDefinitionSays) {
  const auto specification = make_specification({.name = GetParam(), .options = {}});
  ASSERT_TRUE(specification);
  const cross::Labels labels = cross::small_labels(**specification, 6);
  std::vector<std::pair<Tick, Tick>> intervals;
  for (Tick call = 0; call < 3; ++call) {
    for (Tick response = call; response < 3; ++response) intervals.emplace_back(call, response);
  }
  for (const Ties ties : {Ties::concurrent, Ties::response_first}) {
    std::vector<std::size_t> placement(3, 0);
    do {
      std::vector<std::pair<Tick, Tick>> ticks;
      for (const std::size_t which : placement) ticks.push_back(intervals[which]);
      std::vector<std::size_t> choice(3, 0);
      do {
        const History history = make_history(labels, choice, ticks);
        CheckOptions options;
        options.specification = *specification;
        options.ties = ties;
        options.shrink = false;
        options.threads = 1;
        const auto checked = check(history, options);
        ASSERT_TRUE(checked);
        ASSERT_EQ(test::what_did_not_hold(*checked), "");
        core::Budget budget({});
        const std::vector<OperationIndex> all = {0, 1, 2};
        const auto expected = evidence::linearizable_alone(history, all, **specification, ties, budget);
        ASSERT_TRUE(expected);
        ASSERT_EQ(checked->verdict, *expected ? Verdict::linearizable : Verdict::violation)
            << history.describe(0) << " " << history.describe(1) << " " << history.describe(2);
      } while (next_choice(choice, labels.list.size()));
    } while (next_choice(placement, intervals.size()));
  }
}

INSTANTIATE_TEST_SUITE_P(All, Exhaustive, testing::ValuesIn(type_names()), [](const auto& parameter) {
  std::string name = parameter.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

}  // namespace
}  // namespace linchpin

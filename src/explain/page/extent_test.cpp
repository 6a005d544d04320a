// What a page shows of a long history.
#include "explain/page/extent.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace linchpin::explain::page::extent_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Operations one after the other, and one that is called first and returns last; an annotation beside each.
History one_after_the_other(int operations) {
  HistoryBuilder builder;
  builder.set_type({.name = "queue", .options = {}});
  builder.add(
      {.process = 1, .method = "size", .result = Value::integer(0), .call = 0, .response = 10 * operations + 9});
  for (int k = 1; k < operations; ++k) {
    builder.add(
        {.process = 0, .method = "enqueue", .arguments = {Value::integer(k)}, .call = 10 * k, .response = 10 * k + 5});
    builder.annotate({.begin = 10 * k + 7, .text = "note", .process = {}, .colour = {}});
  }
  return std::move(*std::move(builder).build());
}

std::vector<OperationIndex> shown(const History& history, const std::vector<OperationIndex>& spoken, std::size_t most) {
  const std::vector<bool> chosen =
      shown_operations(history, history::sort_events(history, Ties::concurrent), spoken, most);
  std::vector<OperationIndex> operations;
  for (OperationIndex i = 0; i < history.size(); ++i) {
    if (chosen[i.number()]) operations.push_back(i);
  }
  return operations;
}

TEST(Extent, IsAllOfAShortHistory) {
  const History history = one_after_the_other(5);
  EXPECT_EQ(shown(history, {3}, 5), (std::vector<OperationIndex>{0, 1, 2, 3, 4}));
  EXPECT_THAT(shown_annotations(history, {3}, 4), ElementsAre(0, 1, 2, 3));
}

TEST(Extent, IsWhatIsSpokenOfAndWhatIsNearest) {
  const History history = one_after_the_other(1000);
  EXPECT_EQ(shown(history, {500}, 4), (std::vector<OperationIndex>{499, 500, 501, 502}));
  EXPECT_EQ(shown(history, {100, 900}, 6), (std::vector<OperationIndex>{99, 100, 101, 899, 900, 901}));
  EXPECT_THAT(shown_annotations(history, {500}, 2), ElementsAre(498, 499));
}

TEST(Extent, IsAllThatIsSpokenOfHoweverMany) {
  const History history = one_after_the_other(1000);
  EXPECT_EQ(shown(history, {1, 500, 999}, 2), (std::vector<OperationIndex>{1, 500, 999}));
  EXPECT_EQ(shown(history, {1, 500, 999}, 0), (std::vector<OperationIndex>{1, 500, 999}));
}

TEST(Extent, IsTheBeginningWhereNothingIsSpokenOf) {
  const History history = one_after_the_other(1000);
  EXPECT_EQ(shown(history, {}, 3), (std::vector<OperationIndex>{0, 1, 2}));
  EXPECT_THAT(shown(history, {}, 0), IsEmpty());
  EXPECT_THAT(shown_annotations(history, {}, 2), ElementsAre(0, 1));
}

TEST(Extent, KnowsTicksAtBothEndsOfTheClock) {
  HistoryBuilder builder;
  builder.add({.method = "size", .result = Value::integer(0), .call = INT64_MIN, .response = INT64_MIN + 1});
  builder.annotate({.begin = INT64_MAX, .text = "last", .process = {}, .colour = {}});
  builder.annotate({.begin = INT64_MIN, .text = "first", .process = {}, .colour = {}});
  const History history = std::move(*std::move(builder).build());
  EXPECT_THAT(shown_annotations(history, {0}, 1), ElementsAre(1));
}

}  // namespace
}  // namespace linchpin::explain::page::extent_test

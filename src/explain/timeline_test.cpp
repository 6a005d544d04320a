// The picture: its width, its rows, its shapes.
#include "explain/timeline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <sstream>

namespace linchpin::explain {
namespace {

using testing::HasSubstr;
using testing::Not;

History two_processes(int operations) {
  HistoryBuilder builder;
  builder.set_type({.name = "queue", .options = {}});
  for (int k = 0; k < operations; ++k) {
    builder.add({.process = static_cast<ProcessId>(k % 2),
                 .method = "enqueue",
                 .arguments = {Value::integer(k)},
                 .call = 3 * k,
                 .response = 3 * k + 4});
  }
  builder.add({.process = 7, .method = "dequeue", .call = 2});
  return std::move(*std::move(builder).build());
}

std::size_t widest(const std::string& text) {
  std::istringstream lines(text);
  std::size_t most = 0;
  for (std::string line; std::getline(lines, line);) {
    const auto width = std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; });
    most = std::max(most, static_cast<std::size_t>(width));
  }
  return most;
}

Drawing all_of(const History& history) {
  Drawing drawing;
  drawing.operations.resize(history.size());
  std::iota(drawing.operations.begin(), drawing.operations.end(), OperationIndex(0));
  return drawing;
}

TEST(Timeline, DrawsARowAProcessAndABarAnOperation) {
  const History history = two_processes(2);
  const Timeline timeline = draw(history, all_of(history), {.width = 60});
  EXPECT_EQ(timeline.text,
            "0 ┣enqueue(0)┫\n"
            "1   ┣enqueue(1)┫\n"
            "7  ┣dequeue()━━━▶\n"
            "  0 3        4 7\n");
}

TEST(Timeline, DrawsWithPlainAscii) {
  const History history = two_processes(2);
  Drawing drawing = all_of(history);
  drawing.blocked = OperationIndex(1);
  drawing.points = {{.operation = 0, .point = 3, .state = {}}};
  const std::string text = draw(history, drawing, {.width = 60, .ascii = true}).text;
  EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }))
      << text;
  EXPECT_THAT(text, HasSubstr("*"));
  EXPECT_THAT(text, HasSubstr("x]"));
}

TEST(Timeline, PutsNumbersInPlaceOfLabelsThatDoNotFit) {
  const History history = two_processes(12);
  for (const std::size_t width : {50U, 70U}) {
    const Timeline timeline = draw(history, all_of(history), {.width = width});
    EXPECT_TRUE(timeline.numbered);
    EXPECT_LE(widest(timeline.text), width);
    EXPECT_THAT(timeline.text, Not(HasSubstr("enqueue")));
  }
  EXPECT_EQ(draw(history, all_of(history), {.width = 10}).text, "") << "not even the numbers fit";
}

TEST(Timeline, LeavesContextOutBeforeLabels) {
  const History history = two_processes(40);
  Drawing drawing;
  drawing.operations = {10, 11};
  drawing.context = around(history, 0, drawing.operations, OperationIndex(11), 30);
  EXPECT_EQ(drawing.context.size(), 30U);
  const Timeline timeline = draw(history, drawing, {.width = 50});
  EXPECT_FALSE(timeline.numbered);
  EXPECT_LT(timeline.drawn.size(), 30U);
  EXPECT_LE(widest(timeline.text), 50U);
}

TEST(Timeline, TakesWhatOverlapsAsContextFirst) {
  const History history = two_processes(40);
  EXPECT_EQ(around(history, 0, std::vector<OperationIndex>{20}, OperationIndex(20), 3),
            (std::vector<OperationIndex>{19, 21, 40}));
}

TEST(Timeline, ShowsOverlappingOperationsOfOneProcessInRowsOfTheirOwn) {
  HistoryBuilder builder;
  builder.set_type({.name = "register", .options = {}});
  builder.add({.method = "write", .arguments = {Value::integer(1)}, .call = 1, .response = 5});
  builder.add({.method = "write", .arguments = {Value::integer(2)}, .call = 2, .response = 6});
  const History history = std::move(*std::move(builder).build());
  const Timeline timeline = draw(history, all_of(history), {.width = 60});
  EXPECT_EQ(std::count(timeline.text.begin(), timeline.text.end(), '\n'), 3);
}

}  // namespace
}  // namespace linchpin::explain

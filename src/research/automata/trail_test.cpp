// What the replay of a trail prints becomes a history; and which automata watch a type.
#include "research/automata/trail.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linchpin/check.hpp"
#include "research/automata/promela.hpp"

namespace linchpin::automata::trail_test {
namespace {

using testing::HasSubstr;

Watched of(const std::string& type, const std::vector<std::string>& names = {}) {
  auto made = watched(TypeName::parse(type).value(), names);
  EXPECT_TRUE(made.has_value()) << made.error().to_string();
  return *made;
}

std::vector<std::string> names_of(const Watched& watched) {
  std::vector<std::string> names;
  for (const Automaton* const automaton : watched.automata) names.push_back(automaton->name);
  return names;
}

TEST(Watched, LeavesOutWhatIsNotNeededOrNotWrong) {
  for (const Family* const family : families()) {
    for (const Automaton* const automaton : of(std::string(family->type)).automata) {
      EXPECT_FALSE(automaton->implied || automaton->precondition) << automaton->name;
    }
  }
  EXPECT_THAT(names_of(of("priority-queue ties=fifo")), testing::Contains("order"));
  EXPECT_THAT(names_of(of("priority-queue")), testing::Not(testing::Contains("order")));
  EXPECT_THAT(names_of(of("priority-queue")), testing::Contains("covered-1"));
}

TEST(Watched, TakesNames) {
  EXPECT_EQ(names_of(of("PriorityQueue ties=fifo", {"empty", "order"})), (std::vector<std::string>{"order", "empty"}));
  EXPECT_EQ(names_of(of("priority-queue", {"covered"})).size(), 5U);
  const std::vector<std::string> wrong{"cover"}, not_of_ties{"order"};
  const auto type = [](const char* text) { return TypeName::parse(text).value(); };
  EXPECT_EQ(watched(type("queue"), wrong).error().code, ErrorCode::bad_option);
  EXPECT_EQ(watched(type("priority-queue"), not_of_ties).error().code, ErrorCode::bad_option);
  EXPECT_EQ(watched(type("priority-queue ties=random")).error().code, ErrorCode::bad_option);
  EXPECT_EQ(watched(type("priority-queue order=low<high")).error().code, ErrorCode::unsupported);
  EXPECT_EQ(watched(type("register")).error().code, ErrorCode::unknown_type);
  EXPECT_EQ(watched(type("no-type")).error().code, ErrorCode::unknown_type);
}

TEST(Watched, ComparesPriorities) {
  EXPECT_TRUE(of("priority-queue").better(1, 2));
  EXPECT_TRUE(of("priority-queue order=largest").better(2, 1));
  const Watched partial = of("priority-queue order=1<2,1<3");
  EXPECT_TRUE(partial.better(1, 2) && partial.better(1, 3));
  EXPECT_FALSE(partial.better(2, 3) || partial.better(3, 2) || partial.better(2, 2));
  EXPECT_EQ(partial.better_expression(3), "(((x) == 1 && (y) == 2) || ((x) == 1 && (y) == 3))");
  EXPECT_FALSE(partial.priorities_beyond_order(3));
  EXPECT_TRUE(partial.priorities_beyond_order(4));
  EXPECT_FALSE(of("queue").priorities_beyond_order(9));
}

/// A value as the product prints it.
std::string value(const Watched& watched, unsigned colour, unsigned number) {
  return std::to_string(colour + number * colour_count(watched));
}

TEST(Trail, BecomesAHistoryInTheAutomatonsNames) {
  const Watched order = of("priority-queue ties=fifo", {"order"});
  const std::string a = value(order, kFirstColour, 1), b = value(order, kFirstColour + 1, 2);
  const std::string other = value(order, kUncoloured, 0);
  const auto trail = read_trail("@call 1 put " + other + " 2\n      what SPIN says\n@return 1\n@call 1 put " + a +
                                    " 1\n@return 1\n@call 2 put " + b + " 1\n@call 1 remove\n@return 2\n@return 1 " +
                                    b + "\n@call 2 remove\n@return 2 " + std::to_string(kEmptyResult) + "\n@accept 5\n",
                                order);
  ASSERT_TRUE(trail.has_value()) << trail.error().to_string();
  ASSERT_NE(trail->automaton, nullptr);
  EXPECT_EQ(trail->automaton->name, "order");
  const auto text = write_history(trail->history, "text");
  ASSERT_TRUE(text.has_value());
  EXPECT_THAT(*text,
              HasSubstr("1 1 2 put v1 2\n1 3 4 put a 1\n2 5 7 put b 1\n1 6 8 remove -> b\n2 9 10 remove -> nil\n"));
  EXPECT_EQ(check(trail->history)->verdict, Verdict::violation);
}

TEST(Trail, NumbersValuesOfOneColour) {
  const Watched queue = of("queue");
  const std::string first = value(queue, kFirstColour, 0), second = value(queue, kFirstColour, 1);
  const auto trail = read_trail("@call 1 put " + first + "\n@return 1\n@call 1 put " + second + "\n@accept 1\n", queue);
  ASSERT_TRUE(trail.has_value()) << trail.error().to_string();
  EXPECT_EQ(trail->history.size(), 2U);
  EXPECT_EQ(trail->history.pending_count(), 1U);
  const std::string name = trail->automaton->colours[0].name;
  EXPECT_EQ(trail->history.describe(0), "put(" + name + "1)");
}

TEST(Trail, RefusesWhatTheProductDoesNotPrint) {
  const Watched queue = of("queue");
  for (const char* const line : {"@call 1", "@call 1 put", "@call 1 put 3 4", "@call x remove", "@return",
                                 "@return 1 2 3", "@accept", "@leave 1", "@return 7"}) {
    const auto trail = read_trail(line, queue);
    ASSERT_FALSE(trail.has_value()) << line;
    EXPECT_EQ(trail.error().code, ErrorCode::syntax) << line;
  }
  EXPECT_EQ(read_trail("", queue)->automaton, nullptr);
}

}  // namespace
}  // namespace linchpin::automata::trail_test

// The automata themselves: well formed, as many as the papers count, and right on histories made by hand.
#include <charconv>
#include <set>

#include <gtest/gtest.h>

#include "research/automata/simulate.hpp"

namespace linchpin::automata {
namespace {

/// "c+1 r+1 c-1 r-1 c01 r01": calls and responses of adds, removes and removes that find nothing, of values 0 to 9.
/// `priorities` has one digit a value.
Execution execution(std::string_view text, std::string_view priorities = "") {
  Execution made;
  for (std::size_t at = 0; at + 2 < text.size(); at += 4) {
    const char method = text[at + 1];
    const auto value = static_cast<std::uint32_t>(text[at + 2] - '0');
    made.letters.push_back({.method = method == '+'   ? Method::add
                                      : method == '-' ? Method::remove
                                                      : Method::empty,
                            .response = text[at] == 'r',
                            .value = value});
    made.values = std::max(made.values, value + 1);
  }
  made.priority.assign(made.values, 0);
  for (std::size_t v = 0; v < priorities.size(); ++v)
    made.priority[v] = static_cast<std::uint32_t>(priorities[v] - '0');
  return made;
}

/// The names of the automata that accept.
std::set<std::string> accepting(const Family& family, const Execution& run) {
  std::set<std::string> names;
  for (const Automaton& automaton : family.automata) {
    if (simulate(automaton, run)) names.insert(automaton.name);
  }
  return names;
}

using Names = std::set<std::string>;

TEST(Automata, AreWellFormed) {
  for (const Family* const family : families()) {
    Names names;
    for (const Automaton& automaton : family->automata) {
      EXPECT_EQ(automaton.flaw().value_or(""), "") << family->type << ' ' << automaton.name;
      EXPECT_TRUE(names.insert(automaton.name).second) << automaton.name;
    }
  }
}

TEST(Automata, FlawsAreFound) {
  Automaton automaton = queue_automata().automata.back();
  automaton.transitions.push_back(automaton.transitions.front());
  EXPECT_NE(automaton.flaw(), std::nullopt);
  automaton = queue_automata().automata.back();
  automaton.transitions.front().action.guard = Guard::equal;
  EXPECT_NE(automaton.flaw(), std::nullopt);
}

// The paper: ten states in Figure 3 with the one before the register is guessed; fourteen cases of the third
// enumeration.
TEST(Automata, AreAsManyAsThePaperCounts) {
  std::size_t third = 0;
  for (const Automaton& automaton : priority_queue_automata().automata) {
    if (automaton.name == "covered-1") {
      EXPECT_EQ(automaton.states.size() + 1, 10U);
    }
    third += automaton.source == "A_l-eq^3" ? 1 : 0;
  }
  EXPECT_EQ(third, 14U);
}

TEST(Automata, KnowWhatIsWrongWithOneValue) {
  EXPECT_EQ(accepting(queue_automata(), execution("c-0 r-0 c+0 r+0")), Names{"removed-before-added"});
  EXPECT_EQ(accepting(queue_automata(), execution("c-0 c+0 r-0 r+0")), Names{});
  EXPECT_EQ(accepting(queue_automata(), execution("c-0 r-0 c+1 r+1")), Names{"removed-never-added"});
  EXPECT_EQ(accepting(queue_automata(), execution("c+0 r+0 c-0 c-0 r-0 r-0")), Names{"removed-twice"});
  EXPECT_EQ(accepting(queue_automata(), execution("c+0 r+0 c-0 r-0 c+0 r+0")), Names{"added-twice"});
}

TEST(Automata, KnowTheOrderOfAQueue) {
  EXPECT_EQ(accepting(queue_automata(), execution("c+0 r+0 c+1 r+1 c-1 r-1 c-0 r-0")), Names{"order"});
  EXPECT_EQ(accepting(queue_automata(), execution("c+0 r+0 c+1 r+1 c-1 r-1")), Names{"order"});
  EXPECT_EQ(accepting(queue_automata(), execution("c+0 c+1 r+0 r+1 c-1 r-1 c-0 r-0")), Names{});
  EXPECT_EQ(accepting(queue_automata(), execution("c+0 r+0 c+1 r+1 c-1 c-0 r-1 r-0")), Names{});
}

TEST(Automata, KnowThatAContainerWasNotEmpty) {
  EXPECT_EQ(accepting(queue_automata(), execution("c+0 r+0 c01 r01")), Names{"empty"});
  EXPECT_EQ(accepting(stack_automata(), execution("c+0 r+0 c01 c-0 r01 r-0")), Names{});
  // A chain of three: each is added before the one before it is removed.
  EXPECT_EQ(accepting(queue_automata(), execution("c+0 r+0 c+1 c03 r+1 c-0 r-0 c+2 r+2 c-1 r-1 r03 c-2 r-2")),
            Names{"empty"});
}

TEST(Automata, KnowTheOrderOfAStack) {
  const Names covered{"covered", "stuck"};
  EXPECT_EQ(accepting(stack_automata(), execution("c+0 r+0 c+1 r+1 c-0 r-0 c-1 r-1")), covered);
  EXPECT_EQ(accepting(stack_automata(), execution("c+0 r+0 c+1 r+1 c-1 r-1 c-0 r-0")), Names{});
  EXPECT_EQ(accepting(stack_automata(), execution("c+0 r+0 c+1 r+1 c-1 r-1")), Names{});
  // 0 is pushed with 1, below 2; 1 below 0, since 0 is popped first.
  EXPECT_EQ(accepting(stack_automata(), execution("c+0 c+1 r+1 c+2 r+0 c-1 r-1 r+2 c-0 r-0 c-2 r-2")), Names{"stuck"});
}

// Figure 2: b (0) is covered by f, e, d (3, 2, 1), all better.
TEST(Automata, KnowWhoIsCovered) {
  const std::string_view figure = "c+0 r+0 c+3 r+3 c-0 c+2 r+2 c-3 r-3 c+1 r+1 c-2 r-2 r-0 c-1 r-1";
  EXPECT_EQ(accepting(priority_queue_automata(), execution(figure, "4321")), Names{"covered-1"});
  EXPECT_EQ(accepting(priority_queue_automata(), execution(figure, "0321")), Names{});
}

// The order of b's actions that the paper leaves out: the remove is called last and returns first.
TEST(Automata, KnowTheOrderThatThePaperMisses) {
  EXPECT_EQ(accepting(priority_queue_automata(), execution("c+0 r+0 c+1 c-1 r-1 r+1", "01")), Names{"covered-5"});
}

// Figure 5: a (0) is added before b (1), and while b could leave after a some better d (2) is in.
TEST(Automata, KnowWhoIsOvertaken) {
  const std::string_view figure = "c+0 r+0 c+1 r+1 c-1 c+2 r+2 c-0 r-1 c-2 r-2 r-0";
  EXPECT_EQ(accepting(priority_queue_automata(), execution(figure, "110")), Names{"overtaken-1-1"});
  EXPECT_EQ(accepting(priority_queue_automata(), execution(figure, "011")), Names{});
  // Where equal priorities may leave in any order, they are incomparable.
  Execution any_ties = execution(figure, "120");
  any_ties.better = [](std::uint32_t left, std::uint32_t right) { return left == 0 && right != 0; };
  EXPECT_EQ(accepting(priority_queue_automata(), any_ties), Names{});
}

}  // namespace
}  // namespace linchpin::automata

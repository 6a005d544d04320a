// `linchpin reach`: the models of examples/models explored by SPIN, which is skipped where it is not installed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "support/paths.hpp"

namespace reach_test {

namespace {

using linchpin::cli_test::Outcome;
using linchpin::cli_test::run;
using linchpin::cli_test::temporary_file;
using linchpin::cli_test::temporary_folder;
using testing::HasSubstr;

constexpr const char* kFifo = "priority-queue ties=fifo";

Outcome reach(const std::string& type, const std::string& model, std::vector<std::string> more = {}) {
  more.insert(more.begin(),
              {"reach", "--type", type, (linchpin::test::source_folder() / "examples" / "models" / model).string()});
  return run(more);
}

class CliReach : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* const program : {"spin -V", "cc --version"}) {
      if (std::system((std::string(program) + " > /dev/null 2>&1").c_str()) == 0) continue;
      GTEST_SKIP() << "no model can be explored: the first word of '" << program << "' is not installed";
    }
  }

  static void expect_clean(const std::string& type, const std::string& model) {
    const auto outcome = reach(type, model, {"--capacity", "2", "--json"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.out << outcome.error;
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(json["verdict"], "linearizable");
    EXPECT_GT(json["states"].get<std::size_t>(), 50000U) << outcome.out;  // it does something
  }

  /// A trail is found, and the check refutes the history that it becomes.
  static void expect_refuted(const std::string& type, const std::string& model, const std::string& automaton,
                             std::vector<std::string> more = {}) {
    const std::string file = temporary_file(model + ".txt", "");
    more.insert(more.end(), {"--save", file});
    const auto outcome = reach(type, model, more);
    ASSERT_EQ(outcome.exit_code, 1) << outcome.out << outcome.error;
    EXPECT_THAT(outcome.out, HasSubstr("not linearizable, " + automaton));
    const auto checked = run({"check", "--verify", file});
    EXPECT_EQ(checked.exit_code, 1) << checked.out << checked.error;
  }
};

TEST_F(CliReach, FindsNothingWhereThereIsNothing) {
  expect_clean(kFifo, "locked.pml");
  expect_clean("queue", "two_lock_queue.pml");
  expect_clean("stack", "treiber_stack.pml");
}

TEST_F(CliReach, FindsTheMinimumThatIsReadOutsideTheLock) {
  expect_refuted(kFifo, "minimum_outside_lock.pml", "", {"--capacity", "2"});
}

TEST_F(CliReach, FindsEqualsThatOvertakeUnlessTheyMay) {
  expect_refuted(kFifo, "no_fifo.pml", "order", {"--priorities", "1"});
  const auto any = reach("priority-queue ties=any", "no_fifo.pml", {"--capacity", "2"});
  EXPECT_EQ(any.exit_code, 0) << any.out << any.error;
}

// 1 is better than 2 and 3, which are incomparable: in any order, until something is removed although 1 is there.
TEST_F(CliReach, KnowsPartialOrders) {
  const std::string partial = "priority-queue order=1<2,1<3 ties=fifo";
  const auto locked = reach(partial, "locked.pml", {"--capacity", "1", "--priorities", "3"});
  EXPECT_EQ(locked.exit_code, 0) << locked.out << locked.error;
  expect_refuted(partial, "bins.pml", "covered", {"--capacity", "2", "--priorities", "3"});
  EXPECT_EQ(reach(partial, "locked.pml", {"--priorities", "4"}).exit_code, 2);
}

TEST_F(CliReach, FindsTheWrongEmpty) { expect_refuted(kFifo, "wrong_empty.pml", "empty", {"--capacity", "2"}); }

TEST_F(CliReach, FindsThatBinsAreOnlyQuiescentlyConsistent) {
  expect_refuted(kFifo, "bins.pml", "covered", {"--capacity", "2"});
}

TEST_F(CliReach, FindsWhatIsPlantedInAQueueAndAStack) {
  expect_refuted("queue", "two_lock_queue.pml", "empty", {"--capacity", "2", "-D", "EXCHANGE"});
  expect_refuted("stack", "treiber_stack.pml", "", {"--capacity", "2", "-D", "ABA"});
}

// No container at all does everything wrong, so each automaton is reached, with a history of its own.
struct Accepting {
  const char* type;
  const char* automaton;

  friend void PrintTo(const Accepting& accepting, std::ostream* out) {
    *out << accepting.type << ' ' << accepting.automaton;
  }
};

class Automaton : public CliReach, public testing::WithParamInterface<Accepting> {};

TEST_P(Automaton, AcceptsWhatAnythingReturns) {
  const auto& [type, automaton] = GetParam();
  expect_refuted(type, "anything.pml", automaton, {"--automaton", automaton});
}

INSTANTIATE_TEST_SUITE_P(CliReach, Automaton,
                         testing::Values(Accepting{kFifo, "removed-twice"}, Accepting{kFifo, "covered-2"},
                                         Accepting{kFifo, "covered-5"}, Accepting{kFifo, "overtaken-1-1"},
                                         Accepting{kFifo, "overtaken-2-1"}, Accepting{"queue", "order"},
                                         Accepting{"stack", "covered"}, Accepting{"stack", "stuck"},
                                         Accepting{"stack", "empty"}),
                         [](const auto& each) {
                           std::string name = std::string(each.param.type) + "_" + each.param.automaton;
                           for (char& letter : name) {
                             if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
                           }
                           return name;
                         });

// A value cannot be removed before it is chosen, so these two need an implementation that makes values up.
TEST_F(CliReach, AModelThatMakesValuesUpIsRefuted) {
  EXPECT_EQ(reach(kFifo, "anything.pml", {"--automaton", "removed-never-added"}).exit_code, 0);
  const std::string model =
      temporary_file("made_up.pml", "inline put(v) { skip }\ninline remove(result) { result = 0 }\n");
  const auto outcome = run({"reach", "--type", "queue", model});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr("removed that nobody has put"));
}

TEST_F(CliReach, SaysWhatIsWrongWithAModel) {
  const auto refused = run({"reach", "--type", "queue", temporary_file("bad.pml", "inline put(v) { skp }\n")});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.error, HasSubstr("spin refuses the model"));
  const std::string failing = temporary_file(
      "failing.pml", "inline put(v) { skip }\ninline remove(result) { result = EMPTY; assert(false) }\n");
  const auto failed = run({"reach", "--type", "queue", failing});
  EXPECT_EQ(failed.exit_code, 2) << failed.out;
  EXPECT_THAT(failed.error, HasSubstr("assertion violated"));
}

// It takes its values for equal, which they are only as long as their colours are all there is: what was found then
// says nothing about an execution.
TEST_F(CliReach, NoticesAModelThatComparesValues) {
  const std::string model = temporary_file("compares.pml",
                                           "VALUE items[2];\n"
                                           "byte size;\n"
                                           "inline put(v) { d_step { items[size] = v; size++ } }\n"
                                           "inline remove(result) {\n"
                                           "  d_step {\n"
                                           "    if\n"
                                           "    :: size == 0 -> result = EMPTY\n"
                                           "    :: else ->\n"
                                           "       result = items[(items[size - 1] < COLOURS -> size - 1 : 0)];\n"
                                           "       items[0] = items[1]; items[1] = 0; size--\n"
                                           "    fi\n"
                                           "  }\n"
                                           "}\n");
  const auto outcome = run({"reach", "--type", "queue", "--capacity", "2", "--automaton", "order", model});
  EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
  EXPECT_THAT(outcome.error, HasSubstr("order accepts, but the trail's history is linearizable"));
}

TEST_F(CliReach, SaysWhichTypesHaveAutomata) {
  const std::string model = temporary_file("model.pml", "");
  const auto bounded = run({"reach", "--type", "queue capacity=2", model});
  EXPECT_EQ(bounded.exit_code, 2);
  EXPECT_THAT(bounded.error, HasSubstr("there are no automata for queue capacity=2"));
  EXPECT_THAT(run({"reach", "--type", "queue colour=red", model}).error, HasSubstr("has no option 'colour'"));
  EXPECT_THAT(run({"reach", "--type", "queue", "/dev/null"}).error, HasSubstr("this is no regular file"));
}

TEST_F(CliReach, GivesUpWithinItsLimits) {
  EXPECT_EQ(reach(kFifo, "locked.pml", {"--time-limit", "10ms"}).exit_code, 3);
  const auto memory = reach(kFifo, "locked.pml", {"--memory-limit", "150M"});
  EXPECT_EQ(memory.exit_code, 3) << memory.out;
  EXPECT_THAT(memory.out, HasSubstr("memory limit"));
}

// SPIN starts a preprocessor by way of a shell.
TEST(CliReachUsage, DefinitionsAreNamesWithAWordOrANumber) {
  const std::string mark = temporary_folder("shell") + "/mark";
  const std::vector<std::string> refused = {"A;touch " + mark + ";",
                                            "A=`touch " + mark + "`",
                                            "A=$(touch " + mark + ")",
                                            "A=1 -include /etc/passwd",
                                            "A\ntouch " + mark,
                                            "A=",
                                            "=1",
                                            "1A",
                                            "A=1.5'",
                                            "A(x)=x",
                                            ""};
  for (const std::string& definition : refused) {
    const Outcome outcome = reach("queue", "two_lock_queue.pml", {"-D", definition});
    EXPECT_EQ(outcome.exit_code, 2) << definition;
    EXPECT_THAT(outcome.error, HasSubstr("error")) << definition;
    EXPECT_FALSE(std::filesystem::exists(mark)) << definition;
  }
}

TEST_F(CliReach, TakesDefinitionsWithAndWithoutAValue) {
  const std::string model = temporary_file("defined.pml",
                                           "#define WORD 2\n"
                                           "inline put(v) { assert(LIMIT == -3 && KIND == 2) }\n"
                                           "#ifndef FLAG\n#error no flag\n#endif\n"
                                           "inline remove(result) { result = EMPTY }\n");
  const Outcome outcome = run({"reach", "--type", "queue", "-D", "FLAG", "-D", "LIMIT=-3", "-D", "KIND=WORD", model});
  EXPECT_THAT(outcome.exit_code, testing::AnyOf(0, 1)) << outcome.out << outcome.error;
}

// Names of files do not get into programs, and what a model includes is still found from where it lies.
TEST_F(CliReach, NamesOfModelsAreOnlyNames) {
  namespace fs = std::filesystem;
  const std::string folder = temporary_folder("models");
  const std::string mark = folder + "/mark";
  const std::string odd = folder + "/x\"; touch mark; $(touch mark) `touch mark` '\n#error injected\n:";
  fs::create_directories(odd + "/parts");
  std::ofstream(odd + "/parts/put.pml") << "#include \"../shared.pml\"\ninline put(v) { skip }\n";
  std::ofstream(odd + "/shared.pml") << "#define ANSWER EMPTY\n";
  const std::string model = odd + "/m\"\n#error injected\n;touch mark;.pml";
  std::ofstream(model) << "#include \"parts/put.pml\"\ninline remove(result) { result = ANSWER }\n";
  const Outcome outcome = run({"reach", "--type", "queue", "--automaton", "order", model});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr("no accepting state"));
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr("\n#error")));
  EXPECT_FALSE(fs::exists(mark));
}

TEST(CliReachUsage, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(reach("register", "locked.pml").exit_code, 2);
  EXPECT_EQ(reach(kFifo, "no_such_model.pml").exit_code, 2);
  EXPECT_EQ(reach(kFifo, "locked.pml", {"--automaton", "no-such"}).exit_code, 2);
  EXPECT_EQ(reach(kFifo, "locked.pml", {"--threads", "0"}).exit_code, 2);
  EXPECT_EQ(run({"reach", "model.pml"}).exit_code, 2);
}

// What reach explores, and the same in C, to be used without it.
TEST(CliReachUsage, AutomataArePrintedAsPrograms) {
  const auto promela = run({"automaton", "queue", "--name", "order", "--promela"});
  EXPECT_EQ(promela.exit_code, 0) << promela.error;
  EXPECT_THAT(promela.out, HasSubstr("#include \"implementation.pml\""));
  EXPECT_THAT(promela.out, HasSubstr("/* order: states 1 to "));
  const auto c = run({"automaton", "priority-queue order=largest", "--c"});
  EXPECT_EQ(c.exit_code, 0) << c.error;
  EXPECT_THAT(c.out, HasSubstr("void linchpin_call_add(int colour, int priority)"));
  EXPECT_THAT(c.out, HasSubstr("#define LINCHPIN_PRECEDES(x, y) ((x) > (y))"));
  EXPECT_EQ(run({"automaton", "queue", "--c", "--promela"}).exit_code, 2);
  EXPECT_EQ(run({"automaton", "queue", "--c", "--name", "no-such"}).exit_code, 2);
}

}  // namespace

}  // namespace reach_test

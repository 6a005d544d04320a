// The C monitor is compiled as strict C99 and agrees with the automata that it was made from.
#include "research/automata/c_monitor.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include <fmt/format.h>

#include "research/automata/simulate.hpp"
#include "support/thoroughness.hpp"

namespace linchpin::automata {
namespace {

namespace fs = std::filesystem;

bool has_compiler() { return std::system("cc --version > /dev/null 2>&1") == 0; }

/// A folder with the monitor of a type in it, compiled as a program, or with a file that includes it.
class Compiled {
 public:
  explicit Compiled(const Watched& watched, const std::string& driver = "") {
    std::string pattern = (fs::temp_directory_path() / "linchpin-c-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    std::ofstream(folder_ / "monitor.c") << c_monitor(watched);
    std::ofstream(folder_ / "driver.c") << (driver.empty() ? "#include \"monitor.c\"\n" : driver);
    const std::string command =
        fmt::format("cd {} && cc -std=c99 -O1 -Wall -Wextra -pedantic -Werror {} -o monitor driver.c > log 2>&1",
                    folder_.string(), driver.empty() ? "-DLINCHPIN_MAIN" : "");
    compiled_ = std::system(command.c_str()) == 0;
  }
  ~Compiled() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;

  [[nodiscard]] bool compiled() const { return compiled_; }
  [[nodiscard]] std::string said(const char* file) const {
    std::ifstream input(folder_ / file);
    std::ostringstream text;
    text << input.rdbuf();
    return text.str();
  }
  /// What it prints; `exit_code`, where given, is that of the shell.
  std::string run(const std::string& input, int* exit_code = nullptr) const {
    std::ofstream(folder_ / "in") << input;
    const int status = std::system(fmt::format("cd {} && ./monitor < in > out 2> err", folder_.string()).c_str());
    if (exit_code != nullptr) *exit_code = WEXITSTATUS(status);
    return said("out");
  }

 private:
  fs::path folder_;
  bool compiled_ = false;
};

Watched of(const std::string& type, const std::vector<std::string>& names = {}) {
  auto made = watched(TypeName::parse(type).value(), names);
  EXPECT_TRUE(made.has_value()) << made.error().to_string();
  return *made;
}

class CMonitor : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_compiler()) GTEST_SKIP() << "cc is not installed";
  }
};

// Colours of "order": 1 is a, 2 is b.
constexpr const char* kFirstInFirstOut =
    "call add 1 3\nreturn add 1\ncall add 2 3\nreturn add 2\n"
    "call remove 1\nreturn remove 1\ncall remove 2\nreturn remove 2\n";
constexpr const char* kOutOfOrder =
    "call add 1 3\nreturn add 1\ncall add 2 3\nreturn add 2\n"
    "call remove 2\nreturn remove 2\ncall remove 1\nreturn remove 1\n";

TEST_F(CMonitor, TellsRecordedSequencesApart) {
  const Compiled monitor(of("priority-queue ties=fifo", {"order"}));
  ASSERT_TRUE(monitor.compiled()) << monitor.said("log");
  EXPECT_EQ(monitor.run(kFirstInFirstOut), "0\n");
  EXPECT_EQ(monitor.run(kOutOfOrder), "1\n");
  EXPECT_EQ(monitor.run(std::string(kOutOfOrder) + "\n" + kFirstInFirstOut), "1\n0\n");
  // Of different priorities any order may be right, and an operation that is open may still change what was guessed.
  EXPECT_EQ(monitor.run("call add 1 3\nreturn add 1\ncall add 2 2\nreturn add 2\ncall remove 2\nreturn remove 2\n"),
            "0\n");
  EXPECT_EQ(monitor.run("call add 1 3\nreturn add 1\ncall add 2 3\nreturn add 2\ncall remove 0\n"
                        "call remove 2\nreturn remove 2\n"),
            "0\n");
}

TEST_F(CMonitor, RefusesWhatIsNoAction) {
  const Compiled monitor(of("queue"));
  ASSERT_TRUE(monitor.compiled()) << monitor.said("log");
  for (const char* const line : {"call enqueue 1\n", "call add\n", "back add 1\n", "call add 1 1\n"}) {
    int exit_code = 0;
    EXPECT_EQ(monitor.run(line, &exit_code), "") << line;
    EXPECT_EQ(exit_code, 2) << line;
  }
}

TEST_F(CMonitor, FailsAnAssertionOnlyWhereAnExecutionIsWrong) {
  const auto driver = [](int first, int second) {
    return fmt::format(
        "#include \"monitor.c\"\n"
        "int main(void) {{\n"
        "  linchpin_begin();\n"
        "  linchpin_call_add(1, 1); linchpin_return_add(1);\n"
        "  linchpin_call_add(2, 1); linchpin_return_add(2);\n"
        "  linchpin_call_remove({0}); linchpin_return_remove({0});\n"
        "  linchpin_call_remove({1}); linchpin_return_remove({1});\n"
        "  linchpin_call_empty(0); linchpin_return_empty(0);\n"
        "  return 0;\n"
        "}}\n",
        first, second);
  };
  const Watched order = of("priority-queue ties=fifo", {"order"});
  int exit_code = -1;
  const Compiled right(order, driver(1, 2)), wrong(order, driver(2, 1));
  ASSERT_TRUE(right.compiled() && wrong.compiled()) << right.said("log") << wrong.said("log");
  right.run("", &exit_code);
  EXPECT_EQ(exit_code, 0);
  wrong.run("", &exit_code);
  EXPECT_NE(exit_code, 0);
  EXPECT_NE(wrong.said("err").find("linchpin_accepts"), std::string::npos);
}

/// Values that are added and removed at random, overlapping, some never removed, and removes that find nothing.
Execution random_execution(std::mt19937_64& random, std::uint32_t values, std::uint32_t priorities) {
  Execution made{.values = values};
  std::vector<std::vector<Letter>> threads;
  for (std::uint32_t v = 0; v < values; ++v) {
    made.priority.push_back(1 + static_cast<std::uint32_t>(random() % priorities));
    const auto both = [v](Method method) {
      return std::vector<Letter>{{.method = method, .value = v}, {.method = method, .response = true, .value = v}};
    };
    if (random() % 6 == 0) {
      threads.push_back(both(Method::empty));
      continue;
    }
    threads.push_back(both(Method::add));
    if (random() % 6 != 0) threads.push_back(both(Method::remove));
  }
  while (!threads.empty()) {
    // Mostly the first: adds come before removes often enough for something to be accepted.
    const std::size_t thread = random() % std::min<std::size_t>(threads.size(), 3);
    made.letters.push_back(threads[thread].front());
    threads[thread].erase(threads[thread].begin());
    if (threads[thread].empty()) threads.erase(threads.begin() + static_cast<std::ptrdiff_t>(thread));
  }
  return made;
}

std::string as_lines(const Execution& execution, const std::vector<Colour>& colour, bool priorities) {
  std::string text;
  for (const auto& [method, response, value] : execution.letters) {
    const char* const name = method == Method::add ? "add" : method == Method::remove ? "remove" : "empty";
    text +=
        fmt::format("{} {} {}", response ? "return" : "call", name, colour[value] == kNoColour ? 0 : colour[value] + 1);
    if (priorities && method == Method::add && !response) text += fmt::format(" {}", execution.priority[value]);
    text += '\n';
  }
  return text + "\n";
}

TEST_F(CMonitor, AgreesWithTheAutomataOnRandomExecutions) {
  constexpr std::uint32_t kPriorities = 3;
  for (const char* const type : {"queue", "stack", "priority-queue ties=fifo", "priority-queue order=largest ties=fifo",
                                 "priority-queue order=1<2,1<3 ties=fifo"}) {
    const Watched family = of(type);
    const Compiled monitor(family);
    ASSERT_TRUE(monitor.compiled()) << monitor.said("log");
    std::mt19937_64 random(1);
    std::string input, expected;
    std::size_t accepted = 0;
    const std::size_t count = test::few_or(5000);
    for (std::size_t i = 0; i < count; ++i) {
      Execution execution = random_execution(random, 2 + random() % 4, kPriorities);
      execution.better = [&family](std::uint32_t left, std::uint32_t right) { return family.better(left, right); };
      std::vector<Colour> colour(execution.values);
      for (Colour& of_value : colour) of_value = random() % 5 == 0 ? kNoColour : static_cast<Colour>(random() % 3);
      bool accepts = false;
      for (const Automaton* const automaton : family.automata) {
        for (std::uint32_t reg = 1; reg <= kPriorities && !accepts; ++reg) {
          accepts = replay(*automaton, execution, colour, reg).has_value();
        }
      }
      accepted += accepts ? 1 : 0;
      input += as_lines(execution, colour, family.priorities);
      expected += accepts ? "1\n" : "0\n";
    }
    EXPECT_EQ(monitor.run(input), expected) << type;
    EXPECT_GT(accepted, count / 100) << type;
  }
}

}  // namespace
}  // namespace linchpin::automata

// Long lists in a core are shown without what does not matter among its operations.
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/command.hpp"

namespace shortened_test {

namespace {

using linchpin::cli_test::run;
using testing::HasSubstr;
using testing::Not;

TEST(CliShortened, ListsOfACoreAreCutToWhatMatters) {
  std::string text = "# linchpin 1\n# type: list-append\n";
  std::string list;
  int tick = 0;
  for (int element = 1; element <= 30; ++element) {
    text += fmt::format("0 {} {} txn [[append x {}]] -> [[append x {}]]\n", tick, tick + 1, element, element);
    list += fmt::format("{}{}", element == 1 ? "" : " ", element);
    tick += 2;
  }
  // One reads all, and a later one all but the last two.
  const std::string shorter = list.substr(0, list.find(" 29"));
  text += fmt::format("1 {} {} txn [[r x nil]] -> [[r x [{}]]]\n", tick, tick + 1, list);
  text += fmt::format("2 {} {} txn [[r x nil]] -> [[r x [{}]]]\n", tick + 2, tick + 3, shorter);
  const auto outcome = run({"check", "-"}, text);
  EXPECT_EQ(outcome.exit_code, 1) << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr("-> [[r x [(27 more) 28]]]"));
  EXPECT_THAT(outcome.out, Not(HasSubstr(" 12 13 ")));
  const auto picture = run({"explain", "-"}, text);
  EXPECT_THAT(picture.out, HasSubstr("[[r x [(27 more"));
  EXPECT_THAT(picture.out, Not(HasSubstr(" 12 13 ")));
  const auto json = run({"check", "-", "--json"}, text);
  EXPECT_THAT(json.out, Not(HasSubstr("more)"))) << "programs get it whole";
}

TEST(CliShortened, LongTextsAreCutToWhereTheyDiffer) {
  std::string before, all;
  for (int k = 0; k < 2000; ++k) {
    if (k == 1200) before = all;
    all += fmt::format("x {} é", k);
  }
  // An append in the middle is missing from what is written later, and is read.
  const std::string without = before + all.substr(before.size() + fmt::format("x {} é", 1200).size());
  const std::string text = "# linchpin 1\n# type: register\n0 0 1 write \"" + all + "\"\n0 2 3 write \"" + without +
                           "\"\n0 4 5 read -> \"" + all + "\"\n";
  const auto outcome = run({"check", "-"}, text);
  EXPECT_EQ(outcome.exit_code, 1) << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr(R"(write("x 0 éx 1 é)"));
  EXPECT_THAT(outcome.out, HasSubstr(R"(x 1999 é"))"));
  EXPECT_THAT(outcome.out, HasSubstr("éx 1199 éx 1200 é"));
  EXPECT_THAT(outcome.out, HasSubstr("éx 1199 éx 1201 é"));
  EXPECT_THAT(outcome.out, testing::ContainsRegex("\"\\([0-9]+ more\\)\""));
  for (const char* const command : {"check", "explain"}) {
    EXPECT_THAT(run({command, "-"}, text).out, Not(HasSubstr("x 600 é"))) << command;
  }
  EXPECT_THAT(outcome.out, Not(HasSubstr("\\x"))) << "characters are whole";
  const auto json = run({"check", "-", "--json"}, text);
  EXPECT_THAT(json.out, HasSubstr("x 600 é")) << "programs get it whole";
}

// What is left out is counted in bytes of the value, whatever its notation takes.
TEST(CliShortened, SaysHowManyBytesAreLeftOut) {
  struct Case {
    std::string unit, written;
    int bytes;
  };
  for (const auto& [unit, written, bytes] :
       {Case{"\\\"", "\\\"", 1}, Case{"x", "x", 1}, Case{"\\xe2\\x80\\x8b", "\\xe2\\x80\\x8b", 3}}) {
    std::string value;
    for (int k = 0; k < 300; ++k) value += unit;
    const std::string text = "# linchpin 1\n# type: queue\n0 0 1 enqueue \"" + value + "\"\n0 2 3 dequeue -> nil\n";
    const auto outcome = run({"check", "-"}, text);
    EXPECT_EQ(outcome.exit_code, 1) << outcome.error;
    const int at_an_end = 40 / bytes;
    const int at_the_other = (40 + bytes - 1) / bytes;
    std::string cut = "\"";
    for (int k = 0; k < at_an_end; ++k) cut += written;
    cut += fmt::format("\"({} more)\"", (300 - at_an_end - at_the_other) * bytes);
    for (int k = 0; k < at_the_other; ++k) cut += written;
    EXPECT_THAT(outcome.out, HasSubstr("but " + cut + "\" was inside")) << unit;
    EXPECT_THAT(outcome.out, HasSubstr("enqueue(" + cut + "\")")) << unit;
  }
}

}  // namespace

}  // namespace shortened_test

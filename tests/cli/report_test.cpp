// `linchpin check --report`: one file that needs nothing else. What it shows is tested in report/test.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/command.hpp"

namespace report_test {

namespace {

using linchpin::cli_test::content_of;
using linchpin::cli_test::run;
using linchpin::cli_test::temporary_file;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(CliReport, HoldsEveryHistoryAndIsWhole) {
  const std::string path = temporary_file("report.html", "");
  const auto outcome = run({"check", "queue.txt", "queue-violation.txt", "--quiet", "--report", path});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.out + outcome.error, "");
  const std::string page = content_of(path);
  EXPECT_THAT(page, StartsWith("<!doctype html>"));
  EXPECT_THAT(page, EndsWith("</html>\n"));
  EXPECT_THAT(page, HasSubstr(R"({"label":"queue.txt","verdict":"linearizable","operations":)"));
  EXPECT_THAT(page, HasSubstr(R"({"label":"queue-violation.txt","verdict":"violation","operations":)"));
  EXPECT_THAT(page, HasSubstr("id=\"history-1\""));
  EXPECT_THAT(page, Not(HasSubstr("id=\"history-2\"")));
}

TEST(CliReport, RefersToNothingOutside) {
  const std::string path = temporary_file("report.html", "");
  run({"check", "queue.txt", "--quiet", "--report", path});
  const std::string page = content_of(path);
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  for (const char* outside : {"<link", "src=", "@import", "fetch(", "XMLHttpRequest"}) {
    EXPECT_THAT(page, Not(HasSubstr(outside))) << outside;
  }
}

TEST(CliReport, IsWrittenForHistoriesThatCannotBeRead) {
  const std::string path = temporary_file("report.html", "");
  EXPECT_EQ(run({"check", "broken.txt", "queue.txt", "--quiet", "--report", path}).exit_code, 2);
  const std::string page = content_of(path);
  EXPECT_THAT(page, HasSubstr(R"([{"label":"queue.txt")"));
  EXPECT_THAT(page, EndsWith("</html>\n"));
}

TEST(CliReport, CanBeLimited) {
  const std::string history = temporary_file("long.txt", "");
  ASSERT_EQ(
      run({"generate", "queue", "-n", "20000", "--violation", "anywhere", "--seed", "5", "-o", history}).exit_code, 0);
  const std::string whole = temporary_file("whole.html", "");
  const std::string limited = temporary_file("limited.html", "");
  EXPECT_EQ(run({"check", history, "--quiet", "--report", whole}).exit_code, 1);
  EXPECT_EQ(run({"check", history, "--quiet", "--report", limited, "--report-limit", "300"}).exit_code, 1);
  const std::size_t saved = content_of(whole).size() - content_of(limited).size();
  EXPECT_GT(saved, 40'000U);
  EXPECT_THAT(content_of(limited), HasSubstr(R"("verdict":"violation","operations":20000)"));
  EXPECT_EQ(run({"check", history, "--report-limit", "300"}).exit_code, 2) << "without a report";
}

TEST(CliReport, SaysThatItCannotBeWritten) {
  const auto outcome = run({"check", "queue.txt", "--report", "no/such/folder/report.html"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.error, HasSubstr("no/such/folder/report.html: error: cannot write: No such file or directory"));
  EXPECT_EQ(run({"check", "queue.txt", "--quiet", "--report", "/dev/full"}).exit_code, 2);
}

}  // namespace

}  // namespace report_test

// `linchpin convert`: what is written reads back as the same history.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "cli/command.hpp"

namespace convert_test {

namespace {

using linchpin::cli_test::expect_golden;
using linchpin::cli_test::run;
using linchpin::cli_test::temporary_file;

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

TEST(CliConvert, GoesToJsonLinesAndBack) {
  const auto there = run({"convert", "queue.txt", "-", "--to", "jsonl"});
  ASSERT_EQ(there.exit_code, 0) << there.error;
  const auto back = run({"convert", "-", "-", "--to", "text"}, there.out);
  ASSERT_EQ(back.exit_code, 0) << back.error;
  EXPECT_EQ(back.out, run({"convert", "queue.txt", "-", "--to", "text"}).out);
  EXPECT_EQ(run({"check", "-"}, back.out).exit_code, 0);
  expect_golden("convert-to-jsonl", {"convert", "queue.txt", "-", "--to", "jsonl"});
}

TEST(CliConvert, KeepsTheVerdict) {
  for (const char* format : {"text", "jsonl"}) {
    const auto written = run({"convert", "queue-violation.txt", "-", "--to", format});
    ASSERT_EQ(written.exit_code, 0) << written.error;
    EXPECT_EQ(run({"check", "-"}, written.out).exit_code, 1) << format;
  }
}

TEST(CliConvert, TakesTheFormatFromTheName) {
  const std::string path = temporary_file("converted.jsonl", "");
  ASSERT_EQ(run({"convert", "queue.txt", path}).exit_code, 0);
  EXPECT_EQ(content_of(path), run({"convert", "queue.txt", "-", "--to", "jsonl"}).out);
  expect_golden("convert-no-format", {"convert", "queue.txt", "queue.xyz"});
}

TEST(CliConvert, TakesOneHistoryOfSeveral) {
  expect_golden("convert-several", {"convert", "three.jsonl", "-", "--to", "text"});
  expect_golden("convert-index", {"convert", "three.jsonl", "-", "--to", "text", "--index", "2"});
  expect_golden("convert-no-index", {"convert", "three.jsonl", "-", "--to", "text", "--index", "3"});
}

TEST(CliConvert, SaysWhatIsWrongWithTheInput) {
  expect_golden("convert-broken", {"convert", "broken.txt", "-", "--to", "jsonl"});
}

TEST(CliConvert, SaysThatAFormatIsReadOnly) {
  const auto outcome = run({"convert", "queue.txt", "-", "--to", "juc"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.error, testing::HasSubstr("cannot be written in the format juc"));
}

TEST(CliConvert, SaysThatTheOutputCannotBeWritten) {
  expect_golden("convert-unwritable", {"convert", "queue.txt", "/no/such/directory/queue.jsonl"});
}

}  // namespace

}  // namespace convert_test

// The machine output has every field of docs/json.md with its type: programs read it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"

namespace json_test {

namespace {

using linchpin::cli_test::run;
using nlohmann::json;

std::vector<json> lines_of(const std::string& text) {
  std::vector<json> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(json::parse(line));
  return lines;
}

void expect_verdict_fields(const json& line) {
  EXPECT_TRUE(line.at("file").is_string());
  EXPECT_TRUE(line.at("index").is_number_unsigned());
  EXPECT_THAT(line.at("verdict"), testing::AnyOf("linearizable", "violation", "unknown"));
  EXPECT_TRUE(line.at("reason").is_string());
  EXPECT_TRUE(line.at("operations").is_number_unsigned());
  EXPECT_TRUE(line.at("pending").is_number_unsigned());
  EXPECT_TRUE(line.at("seconds").is_number());
  EXPECT_GT(line.at("peak_bytes"), 0);
  EXPECT_TRUE(line.at("objects").is_array());
  for (const json& object : line.at("objects")) {
    for (const char* field : {"object", "type", "verdict", "decider", "why"}) {
      EXPECT_TRUE(object.at(field).is_string()) << field;
    }
    EXPECT_TRUE(object.at("operations").is_number_unsigned());
    EXPECT_TRUE(object.at("core").is_array());
    EXPECT_TRUE(object.at("blocked").is_null() || object.at("blocked").is_number_unsigned());
    for (const char* field : {"witness_checked", "core_checked"}) {
      EXPECT_TRUE(object.at(field).is_null() || object.at(field).is_boolean()) << field;
    }
    EXPECT_TRUE(object.at("depth").is_null() || object.at("depth").is_number_unsigned());
  }
}

TEST(CliJson, HasEveryFieldOfAVerdict) {
  const auto lines = lines_of(run({"check", "--json", "queue.txt", "queue-violation.txt", "objects.txt"}).out);
  ASSERT_EQ(lines.size(), 3U);
  for (const json& line : lines) expect_verdict_fields(line);
  EXPECT_EQ(lines[0].at("operations"), 9);
  EXPECT_EQ(lines[0].at("pending"), 1);
  EXPECT_EQ(lines[2].at("objects").size(), 2U);
}

TEST(CliJson, CountsOperationsInTheOrderOfTheInput) {
  const auto lines = lines_of(run({"check", "--json", "queue-violation.txt"}).out);
  ASSERT_EQ(lines.size(), 1U);
  // Lines 4, 5 and 6 of the file; "green" has no part in it, nor has what was called afterwards.
  EXPECT_EQ(lines[0].at("objects").at(0).at("core"), json({0, 1, 2}));
}

TEST(CliJson, SaysThatEvidenceWasChecked) {
  const auto lines = lines_of(run({"check", "--json", "--verify", "queue.txt", "queue-violation.txt"}).out);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].at("objects").at(0).at("witness_checked"), true);
  EXPECT_EQ(lines[1].at("objects").at(0).at("core_checked"), true);
}

TEST(CliJson, SaysNullWhereEvidenceWasNotChecked) {
  const auto lines = lines_of(run({"check", "--json", "--no-verify", "queue.txt"}).out);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_TRUE(lines[0].at("objects").at(0).at("witness_checked").is_null());
  EXPECT_TRUE(lines[0].at("objects").at(0).at("core_checked").is_null());
}

TEST(CliJson, HasEveryFieldOfAnError) {
  const auto outcome = run({"check", "--json", "broken.txt", "queue.txt"});
  const auto lines = lines_of(outcome.out);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].at("file"), "broken.txt");
  const json& error = lines[0].at("error");
  EXPECT_EQ(error.at("code"), "response_before_call");
  EXPECT_EQ(error.at("line"), 4);
  EXPECT_TRUE(error.at("column").is_number_unsigned());
  EXPECT_TRUE(error.at("message").is_string());
  EXPECT_TRUE(error.at("hint").is_string());
  expect_verdict_fields(lines[1]);
  EXPECT_THAT(outcome.error, testing::HasSubstr("broken.txt:4:"));
}

TEST(CliJson, NumbersTheHistoriesOfAFileFrom0) {
  const auto lines = lines_of(run({"check", "--json", "three.jsonl"}).out);
  ASSERT_EQ(lines.size(), 3U);
  for (std::size_t i = 0; i < lines.size(); ++i) EXPECT_EQ(lines[i].at("index"), i);
  EXPECT_EQ(lines[0].at("verdict"), "linearizable");
  EXPECT_TRUE(lines[1].contains("error"));
  EXPECT_EQ(lines[2].at("verdict"), "violation");
}

TEST(CliJson, KeepsToUtf8WhateverAFileIsCalled) {
  const auto lines = lines_of(run({"check", "--json", "no-such-\xff-file"}).out);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].at("error").at("code"), "io");
}

}  // namespace

}  // namespace json_test

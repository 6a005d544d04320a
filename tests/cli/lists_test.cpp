// `linchpin types`, `linchpin formats`, `--version` and `--help`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"

namespace lists_test {

namespace {

using linchpin::cli_test::run;
using nlohmann::json;
using testing::HasSubstr;
using testing::IsSupersetOf;

std::set<std::string> names_in(const std::string& text) {
  std::set<std::string> names;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) names.insert(json::parse(line).at("name").get<std::string>());
  return names;
}

TEST(CliLists, ListsEveryTypeInBothForms) {
  const auto text = run({"types"});
  const auto names = names_in(run({"types", "--json"}).out);
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_THAT(names, IsSupersetOf({"queue", "stack", "set", "register", "cas-register", "priority-queue"}));
  for (const std::string& name : names) EXPECT_THAT(text.out, HasSubstr(name));
}

TEST(CliLists, AnUnknownCommandIsNamedWithOneThatIsNear) {
  for (const auto& [given, message] : {std::pair{"foo", "there is no command 'foo'\n"},
                                       std::pair{"chekc", "there is no command 'chekc'; is 'check' meant?\n"},
                                       std::pair{"gen", "there is no command 'gen'; is 'generate' meant?\n"},
                                       std::pair{"", "there is no command ''\n"}}) {
    const auto outcome = run({given, "--json"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.error, std::string(message) + "Run with --help for more information.\n");
  }
  EXPECT_THAT(run({}).error, HasSubstr("subcommand is required"));
}

TEST(CliLists, ListsTheMethodsOfOneType) {
  const auto text = run({"types", "Priority_Queue"});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_THAT(text.out, testing::StartsWith("priority-queue: "));
  EXPECT_THAT(text.out, testing::ContainsRegex("\ninsert +1 or 2 +add offer "));
  EXPECT_THAT(text.out, testing::ContainsRegex("\npoll +0 +remove "));
  const json object = json::parse(run({"types", "--json", "pq"}).out);
  EXPECT_EQ(object.at("name"), "priority-queue");
  EXPECT_EQ(object.at("methods").at(0).at("name"), "insert");
  EXPECT_EQ(object.at("methods").at(0).at("most"), 2);
  const auto unknown = run({"types", "priority-cueue"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.error, HasSubstr("unknown_type"));
}

TEST(CliLists, ListsEveryFormatInBothForms) {
  const auto text = run({"formats"});
  const auto names = names_in(run({"formats", "--json"}).out);
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_THAT(names, IsSupersetOf({"text", "jsonl"}));
  for (const std::string& name : names) EXPECT_THAT(text.out, HasSubstr(name));
}

TEST(CliLists, NamesItsVersion) {
  const auto outcome = run({"--version"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, testing::MatchesRegex("linchpin [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST(CliLists, HelpsWithCode0) {
  linchpin::cli_test::expect_golden("help", {"--help"});
  linchpin::cli_test::expect_golden("help-check", {"check", "--help"});
  EXPECT_EQ(run({"convert", "--help"}).exit_code, 0);
}

}  // namespace

}  // namespace lists_test

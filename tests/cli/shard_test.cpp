// `--shard`, `--resume` and `linchpin merge`: shards give the answer of one process, and a campaign that is not whole
// is never called clean.
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/hard_history.hpp"

namespace {

using linchpin::cli_test::content_of;
using linchpin::cli_test::expect_golden;
using linchpin::cli_test::hard_history;
using linchpin::cli_test::run;
using linchpin::cli_test::temporary_file;
using linchpin::cli_test::temporary_folder;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr int kShards = 3;
constexpr int kIncomplete = 3;

void write(const std::string& path, const std::string& content) { std::ofstream(path, std::ios::binary) << content; }

std::string linearizable(int value) {
  const std::string text = std::to_string(value);
  return "# linchpin 1\n# type: queue\na 1 2 enqueue " + text + "\nb 3 4 dequeue -> " + text + "\n";
}

/// Histories in a folder, and the shards of a check of them.
class Campaign {
 public:
  explicit Campaign(const std::string& name, bool broken = false)
      : inputs_(temporary_folder(name + "-inputs")), shards_(temporary_folder(name + "-shards")) {
    for (int i = 0; i < 12; ++i) write(inputs_ + "/h" + std::to_string(i) + ".txt", linearizable(i));
    if (broken) write(inputs_ + "/h5.txt", "# linchpin 1\n# type: queue\na 1 2 enqueue 1\nb 3 4 dequeue -> 2\n");
    for (int i = 1; i <= kShards; ++i) write(shard(i), check(i).out);
  }

  [[nodiscard]] linchpin::cli_test::Outcome check(int number, std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {"check", inputs_, "--json", "--shard", std::to_string(number) + "/3"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  [[nodiscard]] std::string shard(int number) const { return shards_ + "/" + std::to_string(number) + ".jsonl"; }
  [[nodiscard]] const std::string& inputs() const { return inputs_; }
  [[nodiscard]] std::vector<std::string> merge(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), "merge");
    for (int i = 1; i <= kShards; ++i) more.push_back(shard(i));
    return more;
  }

 private:
  std::string inputs_, shards_;
};

TEST(CliShard, ShardsGiveTheAnswerOfOneProcess) {
  const Campaign campaign("shard-same", true);
  const std::string alone = temporary_folder("shard-alone") + "/one.jsonl";
  write(alone, run({"check", campaign.inputs(), "--json", "--shard", "1/1"}).out);
  const auto one = run({"merge", "--json", "--no-times", alone});
  const auto merged = run(campaign.merge({"--json", "--no-times"}));
  EXPECT_EQ(merged.exit_code, 1);
  EXPECT_EQ(merged.out, one.out);
  EXPECT_THAT(merged.out, HasSubstr("\"violations\":1"));
  // Every input is one shard's only, and the answers are those of a check without shards.
  std::vector<std::string> ours, plain;
  const auto answers = [](const std::string& text) {
    std::vector<std::string> all;
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
      json line = json::parse(text.substr(at, text.find('\n', at) - at));
      if (!line.contains("file")) continue;
      line["seconds"] = line["peak_bytes"] = 0;
      for (json& object : line["objects"]) object["witness_checked"] = object["core_checked"] = nullptr;
      all.push_back(line.dump());
    }
    return all;
  };
  EXPECT_THAT(answers(merged.out),
              testing::UnorderedElementsAreArray(answers(run({"check", campaign.inputs(), "--json"}).out)));
}

TEST(CliShard, AShardOfHistoriesReadsEveryInput) {
  const std::string folder = temporary_folder("shard-histories");
  for (int i = 1; i <= 2; ++i) {
    write(folder + "/" + std::to_string(i) + ".jsonl",
          run({"check", "three.jsonl", "--json", "--shard-by", "history", "--shard", std::to_string(i) + "/2"}).out);
  }
  const auto merged = run({"merge", folder, "--json"});
  EXPECT_EQ(merged.exit_code, 2) << "one of the three cannot be read";
  EXPECT_THAT(merged.out, HasSubstr("\"whole\":true"));
  EXPECT_THAT(merged.out, HasSubstr("\"errors\":1"));
}

TEST(CliShard, DepthIsMeasuredByShards) {
  const std::string folder = temporary_folder("shard-depth");
  for (int i = 1; i <= 2; ++i) {
    write(folder + "/" + std::to_string(i) + ".jsonl",
          run({"depth", "queue.txt", "queue-violation.txt", "--json", "--shard", std::to_string(i) + "/2"}).out);
  }
  const auto merged = run({"merge", folder});
  EXPECT_EQ(merged.exit_code, 1);
  EXPECT_THAT(merged.out, HasSubstr("2 of 2 shards, 2 answers: 1 linearizable, 1 violation"));
  EXPECT_THAT(merged.out, HasSubstr("queue-violation.txt, history 0: no schedule is a witness; linchpin check says"));
}

TEST(CliShard, StressRoundsAreSharedOutWithTheirSeeds) {
  if (run({"stress"}).exit_code != 0) GTEST_SKIP() << "this build has no stress";
  const std::string folder = temporary_folder("shard-stress");
  for (int i = 1; i <= 3; ++i) {
    write(folder + "/" + std::to_string(i) + ".jsonl", run({"stress", "locked-queue", "--rounds", "10", "--seed", "5",
                                                            "--json", "--shard", std::to_string(i) + "/3"})
                                                           .out);
  }
  const auto merged = run({"merge", folder, "--json"});
  EXPECT_EQ(merged.exit_code, 0);
  int rounds = 0;
  for (std::size_t at = 0; (at = merged.out.find("\"rounds\":", at)) != std::string::npos; ++at) {
    rounds += std::stoi(merged.out.substr(at + 9));
  }
  EXPECT_EQ(rounds, 10);
}

TEST(CliShard, AShardMayHaveNoRound) {
  if (run({"stress"}).exit_code != 0) GTEST_SKIP() << "this build has no stress";
  const auto shard = run({"stress", "locked-queue", "--rounds", "1", "--json", "--shard", "1/2"});
  EXPECT_EQ(shard.exit_code, 0) << shard.error;
  EXPECT_THAT(shard.out, HasSubstr("\"rounds\":0,"));
}

TEST(CliShard, ScenariosAreSharedOut) {
  if (run({"explore", "locked-queue", "--json"}).exit_code != 0) GTEST_SKIP() << "nothing can be explored here";
  const std::string folder = temporary_folder("shard-explore");
  for (int i = 1; i <= 2; ++i) {
    const auto shard = run({"explore", "locked-queue", "--json", "--shard", std::to_string(i) + "/2"});
    EXPECT_EQ(shard.exit_code, 0) << shard.error;
    write(folder + "/" + std::to_string(i) + ".jsonl", shard.out);
  }
  const auto merged = run({"merge", folder, "--json"});
  EXPECT_EQ(merged.exit_code, 0);
  const auto sum = [](const std::string& text, const std::string& field) {
    int all = 0;
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
      const json line = json::parse(text.substr(at, text.find('\n', at) - at));
      if (line.contains("finding")) all += line.at(field).get<int>();
    }
    return all;
  };
  const std::string whole = run({"explore", "locked-queue", "--json", "--beyond", "0"}).out;
  for (const char* field : {"scenarios", "schedules", "histories"}) {
    EXPECT_EQ(sum(merged.out, field), sum(whole, field)) << field;
  }
}

TEST(CliShard, WhatAnInterruptLeftUndecidedIsDecidedLater) {
  const std::string hard = temporary_file("shard-hard.txt", hard_history());
  const std::string path = temporary_folder("shard-interrupted") + "/1.jsonl";
  const std::vector<std::string> words = {"check", "queue.txt", hard, "queue-violation.txt", "--json", "--time-limit",
                                          "2s",    "--resume",  path, "--threads",           "1"};
  const auto begun = [&] { return std::ranges::count(content_of(path), '\n') == 2; };  // the head, and an answer
  EXPECT_EQ(linchpin::cli_test::run_and_signal(words, {.signal = SIGTERM, .when = begun}).exit_code, 130);
  EXPECT_TRUE(begun()) << content_of(path);
  EXPECT_EQ(run(words).exit_code, 1);
  EXPECT_THAT(content_of(path), Not(HasSubstr("cancelled")));
  EXPECT_THAT(content_of(path), HasSubstr(R"("reason":"time")"));
  EXPECT_EQ(run({"merge", path}).exit_code, 1);
}

TEST(CliShard, AnInputIsNamedOnce) {
  const auto twice = run({"check", "queue.txt", "queue.txt", "--json", "--shard", "1/1"});
  EXPECT_EQ(twice.exit_code, 2);
  EXPECT_THAT(twice.error, HasSubstr("queue.txt: error: the input is named twice"));
}

TEST(CliShard, GoesOnWhereItWasStopped) {
  const Campaign campaign("shard-resume", true);
  const std::string path = temporary_folder("shard-resumed") + "/2.jsonl";
  // Wherever it is cut off, the rest is answered and nothing twice.
  const std::string all = content_of(campaign.shard(2));
  for (std::size_t length = 0; length < all.size(); length += 97) {
    write(path, all.substr(0, length));
    const auto resumed = campaign.check(2, {"--resume", path});
    ASSERT_THAT(resumed.error, "") << length;
    std::vector<std::string> words = {"merge", "--json", "--no-times", campaign.shard(1), path, campaign.shard(3)};
    EXPECT_EQ(run(words).out, run(campaign.merge({"--json", "--no-times"})).out) << length;
  }
  const std::string before = content_of(path);
  EXPECT_EQ(campaign.check(2, {"--resume", path}).exit_code, campaign.check(2).exit_code) << "there is nothing to do";
  EXPECT_EQ(content_of(path), before);
}

TEST(CliShard, DoesNotGoOnAfterAnswersThatWereChanged) {
  const Campaign campaign("shard-changed");
  // Which input is whose depends on the folder's name: one that has two answers, besides its head and its end.
  int number = 1;
  while (std::ranges::count(content_of(campaign.shard(number)), '\n') < 4) ++number;
  const std::string path = temporary_folder("shard-changed-file") + "/shard.jsonl";
  std::string unfinished = content_of(campaign.shard(number));
  unfinished.resize(unfinished.find("{\"end\""));
  std::vector<std::string> changes;
  changes.push_back(unfinished);
  changes.back().replace(changes.back().rfind("\"linearizable\""), 14, "\"unknown\"");  // of the last answer
  const std::size_t first = unfinished.find('\n') + 1, second = unfinished.find('\n', first) + 1;
  changes.push_back(unfinished.substr(0, first) + unfinished.substr(second));  // one is taken away
  changes.push_back(std::regex_replace(unfinished, std::regex(R"(,"seal":"[0-9a-f]*")"), ""));
  for (const std::string& changed : changes) {
    write(path, changed);
    const auto resumed = campaign.check(number, {"--resume", path});
    EXPECT_EQ(resumed.exit_code, 2);
    EXPECT_THAT(resumed.error, HasSubstr("does not fit its seal"));
    EXPECT_EQ(content_of(path), changed) << "it stays as it is";
    EXPECT_EQ(run({"merge", path}).exit_code, 2);
  }
  const std::string before = std::regex_replace(changes.back(), std::regex(R"(,"sealed":true)"), "");
  write(path, before);
  EXPECT_THAT(campaign.check(number, {"--resume", path}).error, HasSubstr("its answers have no seals"));
  EXPECT_EQ(content_of(path), before);
}

// As 0.1.0 wrote it.
TEST(CliMerge, AFinishedShardWithoutSealsIsRead) {
  const std::string path = temporary_folder("merge-without-seals") + "/1.jsonl";
  write(
      path,
      R"shard({"shard":{"version":1,"linchpin":"0.1.0","command":"depth","number":1,"of":1,"by":"input","options":[],"inputs":2,"fingerprint":"ddddd90787e05eb6"}}
{"file":"a.txt","index":0,"verdict":"violation","seconds":0,"objects":[{"object":"","verdict":"violation"}]}
{"file":"b.txt","index":0,"verdict":"linearizable","seconds":0,"objects":[{"object":"","verdict":"linearizable"}]}
{"end":{"inputs":2,"answers":2,"checksum":"483d9950ba52d541","exit_code":1}}
)shard");
  const auto merged = run({"merge", path});
  EXPECT_EQ(merged.exit_code, 1) << merged.error;
  EXPECT_THAT(merged.out, HasSubstr("1 of 1 shards, 2 answers: 1 linearizable, 1 violation"));
}

TEST(CliShard, GoesOnOnlyInItsOwnFile) {
  const Campaign campaign("shard-own");
  const auto other = campaign.check(1, {"--resume", campaign.shard(2)});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.error, HasSubstr("another shard, or one of other inputs or options"));
  EXPECT_EQ(campaign.check(2, {"--resume", campaign.shard(2), "--no-shrink"}).exit_code, 2);
  const std::string text = temporary_folder("shard-text") + "/notes.txt";
  write(text, "buy milk\n");
  EXPECT_EQ(campaign.check(2, {"--resume", text}).exit_code, 2);
  EXPECT_EQ(content_of(text), "buy milk\n") << "what is no shard stays as it is";
}

TEST(CliShard, WrongShardsAreUsageErrors) {
  for (const char* const wrong : {"0/3", "4/3", "1", "1/", "/3", "1/3x", "a/b", "-1/3", "1/0", "1/99999999999"}) {
    EXPECT_EQ(run({"check", "queue.txt", "--json", "--shard", wrong}).exit_code, 2) << wrong;
  }
  EXPECT_THAT(run({"check", "queue.txt", "--shard", "1/2"}).error, HasSubstr("add --json"));
  EXPECT_THAT(run({"check", "-", "--json", "--shard", "1/2"}).error, HasSubstr("standard input cannot be shared out"));
}

TEST(CliMerge, AWholeCampaignIsClean) {
  const Campaign campaign("merge-clean");
  EXPECT_EQ(run(campaign.merge()).exit_code, 0);
  expect_golden("merge", campaign.merge());
}

TEST(CliMerge, AMissingShardIsIncomplete) {
  const Campaign campaign("merge-missing");
  const auto merged = run({"merge", campaign.shard(1), campaign.shard(3)});
  EXPECT_EQ(merged.exit_code, kIncomplete);
  EXPECT_THAT(merged.out, HasSubstr("incomplete: shard 2 of 3 is missing"));
}

TEST(CliMerge, AShardThatIsThereTwiceIsIncomplete) {
  const Campaign campaign("merge-twice");
  const auto merged = run(campaign.merge({campaign.shard(2)}));
  EXPECT_EQ(merged.exit_code, kIncomplete);
  EXPECT_THAT(merged.out, HasSubstr("incomplete: shard 2 is there twice"));
  EXPECT_THAT(merged.out, HasSubstr("12 answers")) << "and counts once";
}

TEST(CliMerge, AShardOfOtherInputsIsIncomplete) {
  const Campaign campaign("merge-inputs");
  write(campaign.inputs() + "/h0.txt", linearizable(1234));
  write(campaign.shard(2), campaign.check(2).out);
  const auto merged = run(campaign.merge());
  EXPECT_EQ(merged.exit_code, kIncomplete);
  EXPECT_THAT(merged.out, HasSubstr("2.jsonl is of other inputs than"));
}

TEST(CliMerge, AShardOfOtherOptionsIsIncomplete) {
  const Campaign campaign("merge-options");
  write(campaign.shard(2), campaign.check(2, {"--all"}).out);
  const auto merged = run(campaign.merge());
  EXPECT_EQ(merged.exit_code, kIncomplete);
  EXPECT_THAT(merged.out, HasSubstr("of other options than"));
}

TEST(CliMerge, AShardOfAnotherCountIsIncomplete) {
  const Campaign campaign("merge-count");
  write(campaign.shard(3), run({"check", campaign.inputs(), "--json", "--shard", "3/4"}).out);
  const auto merged = run(campaign.merge());
  EXPECT_EQ(merged.exit_code, kIncomplete);
  EXPECT_THAT(merged.out, HasSubstr("one of 4 shards"));
  EXPECT_THAT(merged.out, HasSubstr("shard 3 of 3 is missing"));
}

TEST(CliMerge, ATruncatedShardIsIncompleteWhereverItEnds) {
  const Campaign campaign("merge-truncated");
  const std::string all = content_of(campaign.shard(2));
  for (std::size_t length = 0; length < all.size(); length += 41) {
    write(campaign.shard(2), all.substr(0, length));
    const auto merged = run(campaign.merge());
    ASSERT_EQ(merged.exit_code, kIncomplete) << length << merged.out << merged.error;
    ASSERT_THAT(merged.out, HasSubstr("incomplete: ")) << length;
  }
}

TEST(CliMerge, AnotherVersionIsIncomplete) {
  const Campaign campaign("merge-version");
  std::string other = content_of(campaign.shard(2));
  const std::size_t at = other.find("\"linchpin\":\"") + 12;
  other.replace(at, other.find('"', at) - at, "0.0.9");
  other.resize(other.find('\n') + 1);  // the seals of the rest would be those of this version
  write(campaign.shard(2), other);
  const auto merged = run(campaign.merge());
  EXPECT_EQ(merged.exit_code, kIncomplete);
  EXPECT_THAT(merged.out, HasSubstr("was written by linchpin 0.0.9"));
}

TEST(CliMerge, AChangedShardIsAnError) {
  const Campaign campaign("merge-changed", true);
  for (int i = 1; i <= kShards; ++i) {
    std::string changed = content_of(campaign.shard(i));
    const std::size_t at = changed.find("\"verdict\":\"violation\"");
    if (at == std::string::npos) continue;
    changed.replace(at, 21, "\"verdict\":\"unknown\"");
    write(campaign.shard(i), changed);
  }
  const auto merged = run(campaign.merge());
  EXPECT_EQ(merged.exit_code, 2);
  EXPECT_THAT(merged.error, HasSubstr("the answer does not fit its seal"));
}

TEST(CliMerge, WhatIsNoShardIsAnErrorWithItsPlace) {
  const auto text = run({"merge", "queue.txt"});
  EXPECT_EQ(text.exit_code, 2);
  EXPECT_THAT(text.error, HasSubstr("queue.txt:1:"));
  const auto none = run({"merge", "no-such-file"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.error, HasSubstr("no-such-file: error: cannot open: No such file or directory"));
  EXPECT_THAT(none.error, HasSubstr("hint: check the path"));
  const Campaign campaign("merge-json");
  write(campaign.shard(2), run({"check", campaign.inputs(), "--json"}).out);
  const auto plain = run(campaign.merge());
  EXPECT_EQ(plain.exit_code, 2);
  EXPECT_THAT(plain.error, HasSubstr("not the head of a shard"));
  write(campaign.shard(2), "hello");
  const auto word = run(campaign.merge());
  EXPECT_EQ(word.exit_code, 2);
  EXPECT_THAT(word.error, HasSubstr(":1: error: this is no shard"));
}

TEST(CliMerge, AViolationIsToldAlsoOfAnIncompleteCampaign) {
  const Campaign campaign("merge-both", true);
  int told = 0;
  for (int i = 1; i <= kShards; ++i) {
    const auto merged = run({"merge", campaign.shard(i)});
    told += merged.exit_code == 1 ? 1 : 0;
    EXPECT_THAT(merged.out, HasSubstr("incomplete: shards "));
  }
  EXPECT_EQ(told, 1);
}

TEST(CliMerge, WritesJunitSarifAndAPage) {
  const Campaign campaign("merge-files", true);
  const std::string folder = temporary_folder("merge-out");
  const auto merged = run(
      campaign.merge({"--junit", folder + "/j.xml", "--sarif", folder + "/s.sarif", "--report", folder + "/r.html"}));
  EXPECT_EQ(merged.exit_code, 1);
  EXPECT_THAT(content_of(folder + "/j.xml"), HasSubstr("tests=\"12\" failures=\"1\" errors=\"0\""));
  const json sarif = json::parse(content_of(folder + "/s.sarif"));
  const json& result = sarif["runs"][0]["results"][0];
  EXPECT_THAT(result["locations"][0].dump(), HasSubstr("h5.txt"));
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["region"]["startLine"], 4);
  EXPECT_THAT(content_of(folder + "/r.html"), HasSubstr("h5.txt"));
  run({"merge", campaign.shard(1), "--junit", folder + "/j.xml", "--sarif", folder + "/s.sarif", "--report",
       folder + "/r.html"});
  EXPECT_THAT(content_of(folder + "/j.xml"), HasSubstr("type=\"incomplete\""));
  EXPECT_FALSE(json::parse(content_of(folder + "/s.sarif"))["runs"][0]["invocations"][0]["executionSuccessful"]);
  EXPECT_THAT(content_of(folder + "/r.html"), HasSubstr("incomplete: shards 2 and 3 of 3 are missing"));
  EXPECT_EQ(run({"merge", campaign.shard(1), "--junit", campaign.shard(1)}).exit_code, 2) << "not over its input";
}

}  // namespace

// `linchpin split`: the parts say what the whole says, at the places of the whole.
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sys/stat.h>

#include "cli/command.hpp"

namespace {

using linchpin::cli_test::content_of;
using linchpin::cli_test::run;
using linchpin::cli_test::temporary_file;
using linchpin::cli_test::temporary_folder;
using nlohmann::json;
using testing::HasSubstr;

namespace files = std::filesystem;

std::string fresh(const std::string& name) { return temporary_folder(name) + "/parts"; }

/// The lines of a history in the native text, without its head.
std::multiset<std::string> rows_of(const std::string& text) {
  std::multiset<std::string> rows;
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    const std::string line = text.substr(at, text.find('\n', at) - at);
    if (!line.starts_with("#")) rows.insert(line);
  }
  return rows;
}

std::multiset<std::string> rows_of_parts(const std::string& folder) {
  std::multiset<std::string> rows;
  for (const auto& entry : files::directory_iterator(folder)) {
    if (entry.path().extension() == ".bin") {
      rows.merge(rows_of(run({"convert", entry.path().string(), "-", "--to", "text"}).out));
    }
  }
  return rows;
}

TEST(CliSplit, NothingIsLostOrChanged) {
  const std::string parts = fresh("split-nothing");
  const std::string text = run({"generate", "map", "--keys", "40", "-n", "30000", "-p", "7", "--seed", "4"}).out;
  const auto split = run({"split", "-", "-o", parts, "--parts", "6"}, text);
  EXPECT_EQ(split.exit_code, 0) << split.error;
  EXPECT_THAT(split.out, HasSubstr("30,000 operations in 6 parts by key"));
  EXPECT_EQ(rows_of_parts(parts), rows_of(text));
  EXPECT_EQ(run({"check", parts}).exit_code, 0);
}

TEST(CliSplit, NamesFieldsTextsAndPendingOperationsStay) {
  const std::string parts = fresh("split-values");
  const std::string text =
      "# linchpin 1\n# type: register\n# object a: register\n# object b: register\n"
      "client-1 1 2 object=a @version=7 write \"a text\"\n"
      "client-2 3 - object=b write 9223372036854775807\n"
      "client-1 4 5 object=a read -> \"a text\"\n"
      "17 6 7 object=b read -> nil\n";
  const std::string input = temporary_file("split-values.txt", text);
  const std::string whole = run({"convert", input, "-", "--to", "text"}).out;
  ASSERT_EQ(run({"split", input, "-o", parts, "--parts", "5"}).exit_code, 0);
  EXPECT_EQ(json::parse(content_of(parts + "/split.json"))["split"]["operations"], 4);
  // With one object left, a part need not name it: compare what is beside.
  const std::string all = [&] {
    std::string joined;
    for (const std::string& row : rows_of_parts(parts)) joined += row + "\n";
    return joined;
  }();
  for (const char* const each :
       {"client-1 1 2", "@version=7", "\"a text\"", "client-2 3 -", "9223372036854775807", "17 6 7", "-> nil"}) {
    EXPECT_THAT(all, HasSubstr(each)) << whole;
  }
}

// More than is read at once: each row is read once.
TEST(CliSplit, LongJsonLinesAreSplitAsTheyAre) {
  constexpr int kOperations = 20'000;
  std::string lines = R"({"linchpin":1,"type":"set"})"
                      "\n";
  for (int i = 0; i < kOperations; ++i) {
    lines += fmt::format("{{\"call\":{},\"response\":{},\"method\":\"add\",\"arguments\":[{}],\"result\":true}}\n",
                         2 * i, 2 * i + 1, i);
  }
  const std::string input = temporary_file("split-long.jsonl", lines);
  const std::string parts = fresh("split-long");
  const auto split = run({"split", input, "-o", parts, "--parts", "3", "--by", "object"});
  EXPECT_EQ(split.exit_code, 0) << split.error;
  EXPECT_THAT(split.out, HasSubstr("20,000 operations"));
  EXPECT_EQ(run({"check", parts}).exit_code, 0);
}

TEST(CliSplit, PartsBelowAFolderAreThose) {
  const std::string folder = temporary_folder("split-below");
  ASSERT_EQ(run({"split", "queue.txt", "-o", folder + "/parts", "--parts", "1"}).exit_code, 0);
  EXPECT_EQ(run({"check", folder}).exit_code, 0);
  std::ofstream(folder + "/queue.txt") << "# linchpin 1\n# type: queue\n0 0 1 enqueue 1\n";
  EXPECT_EQ(run({"check", folder}).exit_code, 0);
  for (const auto& entry : files::directory_iterator(folder + "/parts")) {
    if (entry.path().extension() == ".bin") files::remove(entry);
  }
  const auto missing = run({"check", folder});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_THAT(missing.error, HasSubstr(".bin"));
}

// What has been read of a pipe is gone: it cannot be read again as another format.
TEST(CliSplit, WhatIsNotNativeIsReadFromAFile) {
  const std::string text = "[1] call push(1)\n[1] return\n[2] call pop\n[2] return empty\n";
  const std::string pipe = temporary_folder("split-pipe") + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::jthread writing([&] { std::ofstream(pipe) << text; });
  const auto outcome = run({"split", pipe, "-o", fresh("split-pipe-parts"), "--parts", "2", "--type", "stack"});
  EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
  EXPECT_THAT(outcome.error, HasSubstr("not a native history"));
  const std::string file = temporary_file("split-thesis.txt", text);
  const auto whole = run({"split", file, "-o", fresh("split-thesis"), "--parts", "2", "--type", "stack"});
  EXPECT_THAT(whole.out, HasSubstr("2 operations")) << whole.error;
}

TEST(CliSplit, ACorePointsIntoTheOriginal) {
  const std::string parts = fresh("split-core");
  const std::string text =
      run({"generate", "map", "--keys", "50", "-n", "20000", "-p", "8", "--seed", "3", "--violation", "late"}).out;
  const std::string input = temporary_file("split-core.txt", text);
  const json whole = json::parse(run({"check", input, "--json"}).out);
  ASSERT_EQ(whole["verdict"], "violation");
  ASSERT_EQ(run({"split", input, "-o", parts, "--parts", "4"}).exit_code, 0);
  const auto checked = run({"check", parts, "--json"});
  EXPECT_EQ(checked.exit_code, 1);
  const auto places = [](const json& line) {
    std::set<std::uint64_t> lines;
    for (const json& operation : line["objects"][0]["explanation"]["core"]) lines.insert(operation["line"].get<int>());
    return lines;
  };
  int violations = 0;
  for (std::size_t at = 0; at < checked.out.size(); at = checked.out.find('\n', at) + 1) {
    const json line = json::parse(checked.out.substr(at, checked.out.find('\n', at) - at));
    if (line["verdict"] != "violation") continue;
    ++violations;
    EXPECT_EQ(places(line), places(whole));
    EXPECT_EQ(line["objects"][0]["sentence"], whole["objects"][0]["sentence"]);
  }
  EXPECT_EQ(violations, 1);
}

TEST(CliSplit, MergeNamesTheOriginal) {
  const std::string parts = fresh("split-merge");
  const std::string text =
      run({"generate", "map", "--keys", "9", "-n", "300", "-p", "3", "--seed", "3", "--violation", "late"}).out;
  const std::string input = temporary_file("split-merge.txt", text);
  ASSERT_EQ(run({"split", input, "-o", parts, "--parts", "3"}).exit_code, 0);
  const std::string shard = temporary_file("split-merge.jsonl", run({"check", parts, "--json", "--shard", "1/1"}).out);
  const auto merged = run({"merge", shard});
  EXPECT_EQ(merged.exit_code, 1);
  EXPECT_THAT(merged.out, HasSubstr("violation: " + input + ", history 0 of part-"));
}

TEST(CliSplit, OtherFormatsAreReadWhole) {
  const std::string parts = fresh("split-binary");
  const std::string text = run({"generate", "set", "--keys", "20", "-n", "2000", "--seed", "2"}).out;
  const std::string binary = temporary_folder("split-binary-input") + "/h.bin";
  ASSERT_EQ(run({"convert", "-", binary}, text).exit_code, 0);
  ASSERT_EQ(run({"split", binary, "-o", parts, "--parts", "3"}).exit_code, 0);
  EXPECT_EQ(rows_of_parts(parts), rows_of(text));
}

TEST(CliSplit, APartThatIsMissingOrAnotherOneIsAnError) {
  const std::string parts = fresh("split-missing");
  const std::string text = run({"generate", "map", "--keys", "40", "-n", "3000", "--seed", "4"}).out;
  ASSERT_EQ(run({"split", "-", "-o", parts, "--parts", "3"}, text).exit_code, 0);
  ASSERT_EQ(run({"check", parts}).exit_code, 0);
  files::copy_file(parts + "/part-1.bin", parts + "/part-2.bin", files::copy_options::overwrite_existing);
  const auto swapped = run({"check", parts});
  EXPECT_EQ(swapped.exit_code, 2);
  EXPECT_THAT(swapped.error, HasSubstr("not the part that split.json lists"));
  files::remove(parts + "/part-2.bin");
  EXPECT_EQ(run({"check", parts}).exit_code, 2) << "and no smaller input";
}

TEST(CliSplit, AListThatLacksPartsOrHasOneTwiceIsAnError) {
  const std::string parts = fresh("split-shortened");
  const std::string text = run({"generate", "map", "--keys", "40", "-n", "300", "--seed", "4"}).out;
  ASSERT_EQ(run({"split", "-", "-o", parts, "--parts", "2"}, text).exit_code, 0);
  const json whole = json::parse(content_of(parts + "/split.json"));
  const auto checked_with = [&](const json& listed) {
    json manifest = whole;
    manifest["split"]["parts"] = listed;
    std::ofstream(parts + "/split.json") << manifest;
    return run({"check", parts});
  };
  const json& listed = whole["split"]["parts"];
  EXPECT_EQ(checked_with(listed).exit_code, 0);
  EXPECT_THAT(checked_with(json::array({listed[0]})).error, HasSubstr("the history that was split 300"));
  EXPECT_EQ(checked_with(json::array()).exit_code, 2);
  EXPECT_THAT(checked_with(json::array({listed[0], listed[0]})).error, HasSubstr("part-1.bin is listed twice"));
}

TEST(CliSplit, ABadLineLeavesNothingBehind) {
  const std::string above = temporary_folder("split-bad-line");
  const std::string bad = "# linchpin 1\n# type: map\na 1 2 put 1 2\nb 3 4 fly\n";
  for (const char* const folder : {"/new", "/new/", "/new/below/parts"}) {
    const auto split = run({"split", "-", "-o", above + folder, "--parts", "2"}, bad);
    EXPECT_EQ(split.exit_code, 2);
    EXPECT_THAT(split.error, HasSubstr("-:4:"));
    EXPECT_FALSE(files::exists(above + "/new")) << folder;
  }
  files::create_directory(above + "/there");
  EXPECT_EQ(run({"split", "-", "-o", above + "/there", "--parts", "2"}, bad).exit_code, 2);
  EXPECT_TRUE(files::exists(above + "/there")) << "which was there before";
  EXPECT_TRUE(files::is_empty(above + "/there"));
  EXPECT_EQ(run({"split", "-", "-o", above + "/there", "--parts", "2"}, "# linchpin 1\n# type: map\n").exit_code, 0);
}

TEST(CliSplit, ASplittingThatIsCutOffDoesNotLookWhole) {
  const std::string parts = fresh("split-broken");
  ASSERT_EQ(run({"split", "-", "-o", parts, "--parts", "2"}, "# linchpin 1\n# type: map\na 1 2 put 1 2\n").exit_code,
            0);
  json manifest = json::parse(content_of(parts + "/split.json"));
  manifest["split"]["whole"] = false;  // as it is until the end
  std::ofstream(parts + "/split.json") << manifest;
  const auto checked = run({"check", parts});
  EXPECT_EQ(checked.exit_code, 2);
  EXPECT_THAT(checked.error, HasSubstr("cut off"));
}

TEST(CliSplit, AWrongNameLeavesNoFolderBehind) {
  const std::string parts = fresh("split-wrong-name");
  for (int again = 0; again < 2; ++again) {
    const auto split = run({"split", parts + ".txt", "-o", parts, "--parts", "2"});
    EXPECT_EQ(split.exit_code, 2);
    EXPECT_THAT(split.error, HasSubstr("No such file"));
    EXPECT_FALSE(std::filesystem::exists(parts));
  }
}

TEST(CliSplit, WhatHasNoKeysStaysTogether) {
  const std::string map = "# linchpin 1\n# type: map\na 1 2 put 1 2\nb 3 4 size -> 1\n";
  const auto by_key = run({"split", "-", "-o", fresh("split-size"), "--parts", "2"}, map);
  EXPECT_EQ(by_key.exit_code, 2);
  EXPECT_THAT(by_key.error, HasSubstr("--by object"));
  EXPECT_EQ(run({"split", "-", "-o", fresh("split-object"), "--parts", "2", "--by", "object"}, map).exit_code, 0);
  const std::string queue = "# linchpin 1\n# type: queue\na 1 2 enqueue 1\n";
  EXPECT_EQ(run({"split", "-", "-o", fresh("split-queue"), "--parts", "2", "--by", "key"}, queue).exit_code, 2);
  EXPECT_THAT(run({"split", "-", "-o", fresh("split-queue"), "--parts", "2"}, queue).out,
              HasSubstr("1 part by object"));
}

TEST(CliSplit, AFolderThatHoldsSomethingIsRefused) {
  const std::string folder = temporary_folder("split-full");
  std::ofstream(folder + "/notes.txt") << "mine\n";
  const auto split = run({"split", "queue.txt", "-o", folder, "--parts", "2"});
  EXPECT_EQ(split.exit_code, 2);
  EXPECT_THAT(split.error, HasSubstr("not empty"));
  EXPECT_EQ(content_of(folder + "/notes.txt"), "mine\n");
}

}  // namespace

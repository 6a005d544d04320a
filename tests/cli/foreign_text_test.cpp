// Names, values and paths that hold what a terminal would obey, or that are no text: outputs for people show them as
// escapes, outputs for programs stay valid.
#include <sys/stat.h>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"

namespace foreign_text_test {

namespace {

namespace fs = std::filesystem;

using linchpin::cli_test::content_of;
using linchpin::cli_test::Outcome;
using linchpin::cli_test::run;
using linchpin::cli_test::run_and_signal;
using linchpin::cli_test::temporary_folder;
using testing::HasSubstr;
using testing::Not;

/// The characters of a text that must be UTF-8; nothing where it is not.
std::optional<std::vector<std::uint32_t>> characters(const std::string& text) {
  std::vector<std::uint32_t> result;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i++]);
    if (lead < 0x80) {
      result.push_back(lead);
      continue;
    }
    const int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
    std::uint32_t character = lead & (0x3fU >> static_cast<unsigned>(more));
    if (lead < 0xc2 || lead > 0xf4) return std::nullopt;
    for (int k = 0; k < more; ++k, ++i) {
      if (i == text.size() || (static_cast<unsigned char>(text[i]) & 0xc0U) != 0x80U) return std::nullopt;
      character = character << 6U | (static_cast<unsigned char>(text[i]) & 0x3fU);
    }
    if (character >= 0xd800 && character <= 0xdfff) return std::nullopt;
    result.push_back(character);
  }
  return result;
}

/// What is left to complain about in a text for people; empty: nothing.
std::string harm_in(const std::string& text) {
  const auto all = characters(text);
  if (!all) return "not UTF-8";
  for (const std::uint32_t c : *all) {
    const bool control = (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7f && c < 0xa0);
    const bool direction =
        c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
    const bool hidden = c == 0xfeff || c == 0x200b || c == 0x2028 || c == 0x2029 || c == 0xfffe || c == 0xffff;
    if (control || direction || hidden) return "holds U+" + std::to_string(c);
  }
  return {};
}

/// XML 1.0, production Char.
bool is_xml(const std::string& text) {
  const auto all = characters(text);
  return all && std::all_of(all->begin(), all->end(), [](std::uint32_t c) {
           return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c <= 0xfffd) || c >= 0x10000;
         });
}

// An escape sequence, one with a single byte before it, a mark of direction, a newline, no UTF-8, a noncharacter.
const std::string kHostile = "a\x1b[2J\u009b1m\u202e\nforged: linearizable\x7f\xff\uffff\u200b\r";

void expect_harmless(const Outcome& outcome) {
  EXPECT_EQ(harm_in(outcome.out), "") << outcome.out;
  EXPECT_EQ(harm_in(outcome.error), "") << outcome.error;
  for (const std::string& text : {outcome.out, outcome.error}) {
    EXPECT_THAT(text, Not(HasSubstr("\nforged"))) << "a line that is not ours";
  }
}

class CliForeignText : public testing::Test {
 protected:
  /// A file with a hostile name, and with another ending where formats go by that.
  std::string hostile_file(const std::string& content, const std::string& ending = ".txt") const {
    const std::string path = folder_ + "/" + kHostile + ending;
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
  const std::string folder_ = temporary_folder("foreign");
};

constexpr const char* kViolation = "# linchpin 1\n# type: queue\n1 1 2 enqueue 1\n1 3 4 dequeue -> 2\n";

TEST_F(CliForeignText, PathsAreShownOnOneLine) {
  const std::string good = hostile_file("# linchpin 1\n# type: queue\n1 1 2 enqueue 1\n1 3 4 dequeue -> 1\n");
  for (const char* const command : {"check", "explain", "depth"}) {
    const Outcome outcome = run({command, good});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    EXPECT_THAT(outcome.out, HasSubstr("a\\x1b[2J\\xc2\\x9b1m\\xe2\\x80\\xae\\nforged"));
    expect_harmless(outcome);
  }
  expect_harmless(run({"watch", "queue", good}));
  expect_harmless(run({"automaton", "queue", good}));
  const std::string bad = hostile_file(kViolation);
  for (const char* const command : {"check", "explain", "depth"}) expect_harmless(run({command, bad}));
  expect_harmless(run({"watch", "queue", bad}));
  expect_harmless(run({"automaton", "queue", bad}));
}

TEST_F(CliForeignText, ErrorsShowPathsAndQuotedInput) {
  const std::string absent = folder_ + "/" + kHostile;
  for (const char* const command : {"check", "explain", "depth", "convert", "watch", "reach", "stress", "types"}) {
    std::vector<std::string> words{command};
    if (words[0] == "watch") words.emplace_back("queue");
    if (words[0] == "reach") words.insert(words.end(), {"--type", "queue"});
    words.push_back(absent);
    if (words[0] == "convert") words.push_back(absent);
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.exit_code, 2) << command;
    EXPECT_NE(outcome.error, "");
    expect_harmless(outcome);
  }
  for (const std::vector<std::string>& words : {std::vector<std::string>{"check", "queue.txt", "--" + kHostile},
                                                {"check", "--type", kHostile, "-"},
                                                {"check", "--format", kHostile, "-"},
                                                {"check", "--decider", kHostile, "queue-violation.txt"},
                                                {kHostile},
                                                {"generate", kHostile},
                                                {"generate", "queue", "-o", folder_ + "/no/" + kHostile},
                                                {"manual", kHostile},
                                                {"automaton", kHostile},
                                                {"check", "--junit", folder_ + "/no/" + kHostile, "-"}}) {
    const Outcome outcome = run(words, kViolation);
    EXPECT_EQ(outcome.exit_code, 2) << words[0];
    expect_harmless(outcome);
  }
}

/// Values, process and object as others may have recorded them.
std::string hostile_history() {
  const nlohmann::json value = "v\x1b[31m\u202e\nforged: linearizable\u009b\ufeff";
  const nlohmann::json process = "p\x1b]0;title\x07\nforged: linearizable\u2066";
  const nlohmann::json object = "o\x1b[1A\u061c\nforged: linearizable";
  const std::string where = R"(,"object":)" + object.dump() + R"(,"process":)" + process.dump() + "}\n";
  return R"({"linchpin":1,"objects":{)" + object.dump() + R"(:"queue","other":"queue"}})" + "\n" +
         R"({"call":1,"response":2,"method":"enqueue","arguments":[)" + value.dump() + "]" + where +
         R"({"call":3,"response":4,"method":"dequeue","result":{"bytes":"771b5b306dff"})" + where;
}

TEST_F(CliForeignText, ValuesAndNamesInHistories) {
  const std::string path = folder_ + "/values.jsonl";
  std::ofstream(path, std::ios::binary) << hostile_history();
  for (const auto& words : {std::vector<std::string>{"check", path},
                            {"explain", path},
                            {"depth", path},
                            {"check", "--witness", "-", path},
                            {"convert", path, "-", "--to", "text"}}) {
    const Outcome outcome = run(words);
    EXPECT_THAT(outcome.exit_code, testing::AnyOf(0, 1, 2)) << outcome.error;
    EXPECT_NE(outcome.out + outcome.error, "");
    expect_harmless(outcome);
  }
  EXPECT_THAT(run({"check", path}).out, HasSubstr("nobody had enqueued \"w\\x1b[0m\\xff\""));
  // Written by one, read by the other: the escapes are the values that they stand for.
  const Outcome converted = run({"convert", path, "-", "--to", "jsonl"});
  EXPECT_THAT(converted.out, HasSubstr("\u202e"));
  EXPECT_THAT(converted.out, HasSubstr("771b5b306dff"));
  const std::string again = folder_ + "/again.txt";
  ASSERT_EQ(run({"convert", path, again}).exit_code, 0);
  EXPECT_EQ(run({"convert", again, "-", "--to", "jsonl"}).out, converted.out);
}

TEST_F(CliForeignText, MethodsThatNobodyKnows) {
  const std::string path = folder_ + "/method.txt";
  std::ofstream(path, std::ios::binary) << "# linchpin 1\n# type: queue\n1 1 2 \"m\\x1b[2J\u202e\\nforged\" 1\n";
  for (const char* const command : {"check", "explain", "depth"}) {
    const Outcome outcome = run({command, path});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_THAT(outcome.error, HasSubstr("m\\x1b[2J"));
    expect_harmless(outcome);
  }
}

TEST_F(CliForeignText, EveryFileThatIsWrittenIsValid) {
  const std::string input = hostile_file(kViolation);
  const std::string xml = folder_ + "/r.xml", sarif = folder_ + "/r.sarif", page = folder_ + "/r.html";
  const Outcome outcome = run({"check", "--json", input, input + "-absent", "--junit", xml, "--sarif", sarif,
                               "--report", page, "--save", folder_ + "/saved"});
  EXPECT_EQ(outcome.exit_code, 2);
  ASSERT_TRUE(characters(outcome.out));
  EXPECT_EQ(harm_in(outcome.error), "") << outcome.error;
  const std::string junit = content_of(xml);
  EXPECT_TRUE(is_xml(junit)) << junit;
  EXPECT_EQ(harm_in(junit), "") << junit;
  const std::string log = content_of(sarif);
  ASSERT_TRUE(characters(log));
  const auto run_json = nlohmann::json::parse(log)["runs"][0];
  const std::string uri =
      run_json["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].get<std::string>();
  EXPECT_THAT(uri, HasSubstr("a%1B%5B2J%C2%9B1m%E2%80%AE%0Aforged%3A%20linearizable%7F%FF"));
  EXPECT_EQ(harm_in(content_of(page)), "");
  std::size_t saved = 0;
  for (const auto& entry : fs::directory_iterator(folder_ + "/saved")) {
    ++saved;
    EXPECT_EQ(harm_in(content_of(entry.path().string())), "");
    EXPECT_EQ(run({"check", entry.path().string()}).exit_code, 1) << entry.path();
  }
  EXPECT_EQ(saved, 2U);
}

TEST_F(CliForeignText, AnInterruptedWatchShowsItsPathToo) {
  const std::string fifo = folder_ + "/" + kHostile;
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  const Outcome outcome = run_and_signal({"watch", "queue", fifo}, {SIGINT});
  EXPECT_EQ(outcome.exit_code, 130);
  expect_harmless(outcome);
}

}  // namespace

}  // namespace foreign_text_test

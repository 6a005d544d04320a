// What an exploration's certificate says, and that a run which goes on from one ends like a run that was never ended.
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "linchpin/explore.hpp"
#include "locked_queue.hpp"

namespace linchpin::certificate_test {
namespace {

/// A queue that forgets what it holds.
class Forgetful {
 public:
  void enqueue(int value) { queue_.enqueue(value); }
  std::optional<int> dequeue() {
    const auto value = queue_.dequeue();
    return queue_.dequeue() ? std::nullopt : value;
  }

 private:
  LockedQueue queue_;
};

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void put(const std::string& path, const std::string& content) { std::ofstream(path, std::ios::binary) << content; }

nlohmann::json json_of(const std::string& path) { return nlohmann::json::parse(content_of(path)); }

class Certificate : public testing::Test {
 protected:
  Certificate() {
    const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = (std::filesystem::temp_directory_path() /
             ("linchpin-certificate-" + std::to_string(getpid()) + "-" + test->name() + ".json"))
                .string();
    options_.certificate = path_;
  }
  ~Certificate() override { std::filesystem::remove(path_); }

  template <class Queue = LockedQueue>
  ExploreResult run() {
    return explore(
        as::queue, [] { return std::make_unique<Queue>(); }, options_);
  }

  std::string path_;
  ExploreOptions options_;
};

/// All but times, and from where it is known.
std::string counts(const ExploreResult& result) {
  std::string text;
  for (const ExploreCoverage& covered : result.coverage) {
    for (const std::uint64_t number :
         {std::uint64_t{covered.threads}, std::uint64_t{covered.operations}, std::uint64_t{covered.scenarios},
          std::uint64_t{covered.scenarios_in_all}, covered.schedules, std::uint64_t{covered.histories}}) {
      text += std::to_string(number) + " ";
    }
  }
  return text + std::to_string(result.scenarios) + " " + std::to_string(result.schedules) + " " +
         std::to_string(result.steps) + " " + std::to_string(result.histories) +
         (result.complete ? " complete" : " not all");
}

TEST_F(Certificate, SaysWhatWasAskedAndCovered) {
  const ExploreResult result = run();
  ASSERT_TRUE(result.ok() && result.complete) << result.to_string();
  const auto json = json_of(path_);
  EXPECT_EQ(json["linchpin_exploration"], 1);
  EXPECT_EQ(json["type"], "queue");
  EXPECT_EQ(json["methods"], nlohmann::json({"enqueue", "dequeue"}));
  EXPECT_EQ(json["bounds"]["deviations"], 2);
  EXPECT_EQ(json["bounds"]["memory"], "sc");
  EXPECT_EQ(json["bounds"]["strategy"], "bounded");
  EXPECT_EQ(json["answer"], "clean");
  EXPECT_FALSE(json.contains("finding"));
  ASSERT_EQ(json["sizes"].size(), result.coverage.size());
  for (std::size_t i = 0; i < result.coverage.size(); ++i) {
    EXPECT_EQ(json["sizes"][i]["scenarios"], result.coverage[i].scenarios);
    EXPECT_EQ(json["sizes"][i]["schedules"], result.coverage[i].schedules);
    EXPECT_EQ(json["sizes"][i]["histories"], result.coverage[i].histories);
    EXPECT_EQ(json["sizes"][i]["rows"].size(), result.coverage[i].scenarios_in_all);
    EXPECT_EQ(json["sizes"][i]["left_out"], "");
  }
}

TEST_F(Certificate, WhatIsDoneIsNotDoneAgain) {
  const ExploreResult first = run();
  const std::string before = content_of(path_);
  const ExploreResult again = run();
  EXPECT_EQ(counts(again), counts(first));
  EXPECT_EQ(first.known, 0U);
  EXPECT_EQ(again.known, first.scenarios);
  EXPECT_EQ(content_of(path_), before);
  options_.certificate_new = true;
  const ExploreResult anew = run();
  EXPECT_EQ(anew.known, 0U);
  EXPECT_EQ(content_of(path_), before);
}

// However often it is ended: here by the time, and with some scenarios missing.
TEST_F(Certificate, AnInterruptedRunGoesOn) {
  options_.certificate = "";
  options_.threads = 3;
  options_.prefix = 0;
  const ExploreResult whole = run();
  ASSERT_TRUE(whole.ok() && whole.complete) << whole.to_string();
  options_.certificate = path_;
  std::size_t known = 0;
  bool went_on = false;
  for (unsigned tries = 0; tries < 10'000; ++tries) {
    // Far less than the whole took: that may have been while the processors had much else to do.
    options_.time = std::chrono::duration<double>(whole.seconds / 32 * (1 + tries / 4));
    options_.jobs = 1 + tries % 2;
    const ExploreResult part = run();
    ASSERT_TRUE(part.ok()) << part.to_string();
    ASSERT_GE(part.known, known) << "what was done stays done";
    known = part.known;
    went_on = went_on || (known > 0 && known < whole.scenarios);
    const auto json = json_of(path_);
    EXPECT_EQ(json["answer"], part.complete ? "clean" : "not all");
    if (part.complete) {
      EXPECT_EQ(counts(part), counts(whole));
      break;
    }
    EXPECT_EQ(json["sizes"].back()["left_out"], "the time was used up");
  }
  EXPECT_TRUE(went_on);
  options_.time = {};
  options_.jobs = 1;
  EXPECT_EQ(counts(run()), counts(whole));
}

TEST_F(Certificate, AFindingIsRecordedAndFoundAgain) {
  const ExploreResult first = run<Forgetful>();
  ASSERT_EQ(first.finding, ExploreFinding::not_linearizable) << first.to_string();
  const auto json = json_of(path_);
  EXPECT_EQ(json["answer"], "found");
  EXPECT_EQ(json["finding"]["kind"], "not_linearizable");
  EXPECT_EQ(json["finding"]["scenario"], first.scenario);
  EXPECT_EQ(json["finding"]["token"], first.token);
  EXPECT_EQ(json["sizes"].back()["left_out"], "a finding ended the run");
  const ExploreResult again = run<Forgetful>();
  EXPECT_EQ(again.finding, first.finding);
  EXPECT_EQ(again.token, first.token);
  EXPECT_EQ(counts(again), counts(first));
}

TEST_F(Certificate, OfOtherBoundsIsAnError) {
  run();
  const std::string before = content_of(path_);
  options_.deviations = 1;
  options_.memory = ExploreMemory::cpp20;
  options_.order = ExploreOrder::happens_before;
  const ExploreResult other = run();
  ASSERT_TRUE(other.error.has_value()) << other.to_string();
  EXPECT_EQ(other.error->code, ErrorCode::bad_option);
  EXPECT_EQ(other.error->message,
            "this is the certificate of another exploration: deviations is 2 there and 1 now; memory is \"sc\" there "
            "and \"c++20\" now; order is \"real-time\" there and \"happens-before\" now");
  EXPECT_NE(other.error->hint.find("--certificate-new"), std::string::npos);
  EXPECT_EQ(content_of(path_), before);
  options_.certificate_new = true;
  EXPECT_TRUE(run().ok());
  EXPECT_EQ(json_of(path_)["bounds"]["memory"], "c++20");
}

class LockedStack {
 public:
  void push(int value) { queue_.enqueue(value); }
  std::optional<int> pop() { return queue_.dequeue(); }

 private:
  LockedQueue queue_;
};

TEST_F(Certificate, OfAnotherSubjectIsAnError) {
  run();
  const ExploreResult other = explore(
      as::stack, [] { return std::make_unique<LockedStack>(); }, options_);
  ASSERT_TRUE(other.error.has_value()) << other.to_string();
  EXPECT_NE(other.error->message.find("type is \"queue\" there and \"stack\" now"), std::string::npos)
      << other.error->message;
}

TEST_F(Certificate, DamagedIsAnError) {
  run();
  const std::string good = content_of(path_);
  std::string changed = good;
  const std::size_t digit = changed.find("\"schedules\": ", changed.find("\"sizes\"")) + 13;
  changed[digit] = changed[digit] == '9' ? '8' : '9';
  for (const std::string& bad : {changed, good.substr(0, good.size() / 2), std::string(), std::string("{}"), good + " ",
                                 std::string("\0\0", 2)}) {
    put(path_, bad);
    const ExploreResult result = run();
    ASSERT_TRUE(result.error.has_value()) << bad.substr(0, 100);
    EXPECT_FALSE(result.ok());
    EXPECT_EQ(content_of(path_), bad) << "nobody's file is written over";
  }
  put(path_, changed);
  EXPECT_EQ(run().error->code, ErrorCode::checksum);
  options_.certificate = path_ + "/nowhere";
  EXPECT_TRUE(run().error.has_value());
}

/// The text with another checksum, which is right for it.
std::string sealed(std::string text) {
  const std::size_t digits = text.rfind("\"checksum\": \"") + 13;
  const std::size_t end = text.rfind(",\n  \"checksum\"");
  char checksum[17];
  std::snprintf(checksum, sizeof checksum, "%016llx", static_cast<unsigned long long>(XXH3_64bits(text.data(), end)));
  return text.replace(digits, 16, checksum);
}

TEST_F(Certificate, OfAnotherProgramIsAnError) {
  run();
  std::string text = content_of(path_);
  ASSERT_EQ(sealed(text), text);
  const std::size_t digit = text.find("\"program\": \"") + 12;
  text[digit] = text[digit] == '9' ? '8' : '9';
  text = sealed(text);
  put(path_, text);
  const ExploreResult result = run();
  ASSERT_TRUE(result.error.has_value()) << result.to_string();
  EXPECT_EQ(result.error->code, ErrorCode::bad_option);
  EXPECT_EQ(result.error->message,
            "this is the certificate of another exploration: the program, or a library that it loads, is another one "
            "by now");
  EXPECT_EQ(content_of(path_), text);
  options_.certificate_new = true;
  EXPECT_TRUE(run().ok());
}

/// A queue of a process that shall be killed: it works until the certificate has to be written, and then goes on too
/// slowly to end.
class Slow : public LockedQueue {
 public:
  Slow() {
    constexpr unsigned kSome = 60, kMany = 200;
    const unsigned made = ++made_;
    // Each is shorter than what is taken for an endless loop, and both together are longer than what is between two
    // certificates.
    if (slow_ && (made == kSome || made == kSome + 1)) sleep(3);
    if (slow_ && made > kMany) sleep(1);
  }
  static bool slow_;

 private:
  static unsigned made_;
};
bool Slow::slow_ = false;
unsigned Slow::made_ = 0;

TEST_F(Certificate, ARunThatWasKilledGoesOn) {
  options_.certificate = "";
  const ExploreResult whole = run<Slow>();
  ASSERT_TRUE(whole.ok() && whole.complete) << whole.to_string();
  ASSERT_GT(whole.schedules, 300U) << "what is slow comes before the end";
  options_.certificate = path_;
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    Slow::slow_ = true;
    run<Slow>();
    _exit(0);
  }
  constexpr unsigned kTries = 6000;  // two minutes
  for (unsigned i = 0; i < kTries && !std::filesystem::exists(path_); ++i) usleep(20'000);
  ASSERT_EQ(kill(child, SIGKILL), 0);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status)) << "it was not killed, but ended";
  EXPECT_EQ(json_of(path_)["answer"], "not yet");
  const ExploreResult rest = run<Slow>();
  EXPECT_GT(rest.known, 0U);
  EXPECT_LT(rest.known, whole.scenarios);
  EXPECT_EQ(counts(rest), counts(whole));
  EXPECT_EQ(json_of(path_)["answer"], "clean");
}

TEST_F(Certificate, OfOneScenario) {
  options_.scenario = "enqueue 1, dequeue | enqueue 2, dequeue";
  const ExploreResult first = run();
  ASSERT_TRUE(first.ok() && first.complete) << first.to_string();
  const ExploreResult again = run();
  EXPECT_EQ(again.known, 1U);
  EXPECT_EQ(counts(again), counts(first));
}

TEST_F(Certificate, WhereThereCanBeNone) {
  Threads<int> threads([] { return std::make_unique<int>(0); });
  threads.add([](int& number) { ++number; });
  EXPECT_TRUE(explore(threads, options_).error.has_value());
  options_.replay = "sc,none,rld,enqueue:1/dequeue,";
  EXPECT_TRUE(run().error.has_value());
  options_ = {};
  options_.certificate_new = true;
  EXPECT_TRUE(run().error.has_value());
}

}  // namespace
}  // namespace linchpin::certificate_test

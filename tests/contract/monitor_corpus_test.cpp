// The monitors by themselves on the histories of others: wherever a monitor applies it is forced, and its verdict and
// its evidence must be right.
//
// Reads the folder that the environment variable LINCHPIN_CORPUS names; skipped without it. corpus_test.cpp does the
// same with the deciders that are chosen.
#include <filesystem>
#include <fstream>
#include <map>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/decider.hpp"
#include "linchpin/check.hpp"
#include "support/corpus.hpp"
#include "support/held.hpp"

namespace linchpin {
namespace {

namespace fs = std::filesystem;

std::vector<History> read(const fs::path& path) {
  std::vector<History> found;
  auto histories = read_histories(path.string(), {});
  EXPECT_TRUE(histories) << histories.error().to_string();
  if (!histories) return found;
  for (Result<History>& history : *histories) {
    EXPECT_TRUE(history) << history.error().to_string();
    if (history) found.push_back(std::move(*history));
  }
  return found;
}

/// How many histories the monitor was right about, and how many it left to the search.
struct Tally {
  std::size_t right = 0, left = 0;
};

/// The monitors' verdict on a history of one object, each forced in turn where it applies, against the label.
void force(const History& history, bool expected, const std::string& label, std::map<std::string, Tally>& tallies) {
  for (const core::Decider& monitor : core::monitors()) {
    CheckOptions options;
    options.decider = monitor.name;
    options.verify = Verify::thoroughly;
    options.limits.time = std::chrono::seconds(10);
    const auto verdict = check(history, options);
    ASSERT_TRUE(verdict) << label << ": " << verdict.error().to_string();
    ASSERT_EQ(verdict->objects.size(), 1U) << label;
    const ObjectVerdict& object = verdict->objects[0];
    ASSERT_EQ(test::what_did_not_hold(object), "") << label << " by " << monitor.name;
    if (object.verdict == Verdict::unknown) {
      ASSERT_EQ(object.reason, Reason::not_applicable) << label << " by " << monitor.name;
      if (object.why.find("could not decide") != std::string::npos) ++tallies[std::string(monitor.name)].left;
      continue;
    }
    ASSERT_EQ(object.verdict, expected ? Verdict::linearizable : Verdict::violation) << label << " by " << monitor.name;
    if (expected) {
      ASSERT_EQ(object.witness_checked, true) << label << " by " << monitor.name;
    } else {
      ASSERT_TRUE(object.violation) << label;
      ASSERT_FALSE(object.violation->core.empty()) << label << " by " << monitor.name;
      ASSERT_FALSE(object.violation->sentence.empty()) << label << " by " << monitor.name;
    }
    ++tallies[std::string(monitor.name)].right;
  }
}

void print(const std::map<std::string, Tally>& tallies) {
  for (const auto& [name, tally] : tallies) {
    std::printf("%s: right about %zu, left %zu to the search\n", name.c_str(), tally.right, tally.left);
  }
}

TEST(MonitorCorpus, EveryLabelIsRightWhereAMonitorIsForced) {
  CORPUS_OR_SKIP(folder);
  std::ifstream file(*folder / "expected.json");
  const nlohmann::json labels = nlohmann::json::parse(file);
  std::map<std::string, Tally> tallies;
  for (const auto& [name, label] : labels.items()) {
    for (const History& history : read(*folder / name)) force(history, label.get<bool>(), name, tallies);
    if (HasFatalFailure()) return;
  }
  print(tallies);
  EXPECT_GE(tallies["queue-monitor"].right, 460U);
  EXPECT_GE(tallies["stack-monitor"].right, 80U);
  EXPECT_GE(tallies["priority-queue-monitor"].right, 4U);
  EXPECT_GE(tallies["set-monitor"].right, 2U);
  EXPECT_GE(tallies["cas-register-monitor"].right, 3U);
  for (const auto& [name, tally] : tallies) EXPECT_EQ(tally.left, 0U) << name;
}

/// The longer recordings have no labels: the monitor is held against the plain definition where that is affordable.
TEST(MonitorCorpus, LongQueuesAndStacksAgreeWithThePlainDefinitions) {
  CORPUS_OR_SKIP(folder);
  std::size_t compared = 0;
  for (const char* const part : {"violin/big", "violin/unsafe-stack", "violin/sync-stack"}) {
    for (const auto& entry : fs::recursive_directory_iterator(*folder / part)) {
      if (!entry.is_regular_file()) continue;
      for (const History& history : read(entry.path())) {
        if (history.size() > 3'000) continue;
        const auto verdict_by = [&](std::string decider) {
          CheckOptions options;
          options.decider = std::move(decider);
          options.witness = options.shrink = false;
          options.limits.time = std::chrono::seconds(10);
          const auto verdict = check(history, options);
          return verdict ? verdict->verdict : Verdict::unknown;
        };
        const bool stack = history.objects()[0].type.name == "stack";
        const Verdict fast = verdict_by(stack ? "stack-monitor" : "queue-monitor");
        const Verdict plain = verdict_by(stack ? "stack-plain" : "queue-plain");
        if (fast == Verdict::unknown || plain == Verdict::unknown) continue;
        EXPECT_EQ(fast, plain) << entry.path();
        ++compared;
      }
    }
  }
  std::printf("%zu long histories compared\n", compared);
  EXPECT_GE(compared, 10U);
}

/// The lines of a file of the thesis's data, which carry the labels.
std::vector<nlohmann::json> lines_of(const fs::path& path) {
  const fs::path plain = fs::temp_directory_path() / ("linchpin-monitor-corpus-" + path.stem().string());
  EXPECT_EQ(std::system(("gzip -dc '" + path.string() + "' > '" + plain.string() + "'").c_str()), 0);
  std::ifstream input(plain);
  std::vector<nlohmann::json> lines;
  for (std::string line; std::getline(input, line);) lines.push_back(nlohmann::json::parse(line));
  fs::remove(plain);
  return lines;
}

TEST(MonitorCorpus, ReadsAndWritesOfTheThesisNeedNoSearch) {
  CORPUS_OR_SKIP(folder);
  const fs::path path = *folder / "thesis" / "read-write.jsonl.gz";
  const std::vector<nlohmann::json> lines = lines_of(path);
  const std::vector<History> histories = read(path);
  ASSERT_EQ(histories.size(), lines.size());
  std::map<std::string, Tally> tallies;
  for (std::size_t k = 0; k < histories.size(); ++k) {
    force(histories[k], lines[k]["expected"].get<bool>(), "history " + std::to_string(k), tallies);
    if (HasFatalFailure()) return;
  }
  print(tallies);
  EXPECT_EQ(tallies["register-monitor"].right + tallies["cas-register-monitor"].right, histories.size());
}

// The thesis's own program refuses histories in which a compare-and-set overlaps a write.
TEST(MonitorCorpus, CompareAndSetsThatOverlapWritesAreDecided) {
  CORPUS_OR_SKIP(folder);
  const fs::path path = *folder / "thesis" / "cas.jsonl.gz";
  const std::vector<nlohmann::json> lines = lines_of(path);
  const std::vector<History> histories = read(path);
  ASSERT_EQ(histories.size(), lines.size());
  std::map<std::string, Tally> tallies, refused;
  std::size_t refused_but_linearizable = 0, accepted = 0;
  for (std::size_t k = 0; k < histories.size(); ++k) {
    const bool expected = lines[k]["expected"].get<bool>();
    const bool overlaps = lines[k]["poly"].get<std::string>().find("CAS intersects Write") != std::string::npos;
    force(histories[k], expected, "history " + std::to_string(k), overlaps ? refused : tallies);
    if (HasFatalFailure()) return;
    if (!overlaps || !expected) continue;
    ++refused_but_linearizable;
    const auto chosen = check(histories[k], {});
    accepted += chosen && chosen->verdict == Verdict::linearizable ? 1 : 0;
  }
  print(tallies);
  std::printf("of those that the thesis's program refuses:\n");
  print(refused);
  EXPECT_GE(refused_but_linearizable, 100U);
  EXPECT_EQ(accepted, refused_but_linearizable);
  std::printf("%zu refused ones are linearizable, and accepted here\n", accepted);
  EXPECT_EQ(tallies["cas-register-monitor"].left, 0U) << "nothing overlaps a write in these";
  EXPECT_GE(refused["cas-register-monitor"].right, 3 * refused["cas-register-monitor"].left);
}

}  // namespace
}  // namespace linchpin

// Histories of others with known verdicts: every label of the corpus, evidence re-checked.
//
// Reads the folder that the environment variable LINCHPIN_CORPUS names; skipped without it.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "linchpin/check.hpp"
#include "support/corpus.hpp"
#include "support/held.hpp"

namespace linchpin {
namespace {

namespace fs = std::filesystem;

/// Decides every history of a file within ten seconds each, evidence included.
std::vector<HistoryVerdict> verdicts(const fs::path& path, bool all_evidence) {
  std::vector<HistoryVerdict> found;
  auto histories = read_histories(path.string(), {});
  EXPECT_TRUE(histories) << histories.error().to_string();
  if (!histories) return found;
  for (const Result<History>& history : *histories) {
    EXPECT_TRUE(history) << history.error().to_string();
    if (!history) continue;
    CheckOptions options;
    options.limits.time = std::chrono::seconds(10);
    options.verify = all_evidence ? Verify::thoroughly : Verify::briefly;
    auto verdict = check(*history, options);
    EXPECT_TRUE(verdict) << path << ": " << verdict.error().to_string();
    if (!verdict) continue;
    EXPECT_EQ(test::what_did_not_hold(*verdict), "") << path;
    found.push_back(std::move(*verdict));
  }
  return found;
}

TEST(Corpus, EveryLabelOfExpectedJsonIsRight) {
  CORPUS_OR_SKIP(folder);
  std::ifstream file(*folder / "expected.json");
  const nlohmann::json labels = nlohmann::json::parse(file);
  std::size_t checked = 0;
  for (const auto& [name, label] : labels.items()) {
    const std::vector<HistoryVerdict> found = verdicts(*folder / name, true);
    ASSERT_EQ(found.size(), 1U) << name;
    EXPECT_EQ(found[0].verdict, label.get<bool>() ? Verdict::linearizable : Verdict::violation)
        << name << " by " << found[0].objects[0].decider << " (" << found[0].objects[0].why << ")";
    ++checked;
  }
  EXPECT_GE(checked, 600U);
}

TEST(Corpus, LongQueueAndStackHistoriesAreDecided) {
  CORPUS_OR_SKIP(folder);
  for (const char* const part : {"violin/big", "violin/unsafe-stack", "violin/sync-stack"}) {
    for (const auto& entry : fs::recursive_directory_iterator(*folder / part)) {
      if (!entry.is_regular_file()) continue;
      for (const HistoryVerdict& verdict : verdicts(entry.path(), true)) {
        EXPECT_NE(verdict.verdict, Verdict::unknown) << entry.path() << " by " << verdict.objects[0].decider;
      }
    }
  }
}

class Thesis : public testing::TestWithParam<const char*> {};

TEST_P(Thesis, EveryLabelIsRight) {
  CORPUS_OR_SKIP(folder);
  // The labels are in the lines themselves, in order; the reader does not look at them.
  const fs::path path = *folder / "thesis" / (std::string(GetParam()) + ".jsonl.gz");
  const fs::path plain = fs::temp_directory_path() / (std::string("linchpin-thesis-") + GetParam() + ".jsonl");
  ASSERT_EQ(std::system(("gzip -dc '" + path.string() + "' > '" + plain.string() + "'").c_str()), 0);
  std::ifstream lines(plain);
  std::vector<bool> expected;
  for (std::string line; std::getline(lines, line);)
    expected.push_back(nlohmann::json::parse(line)["expected"].get<bool>());
  fs::remove(plain);
  const std::vector<HistoryVerdict> found = verdicts(path, true);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    EXPECT_EQ(found[k].verdict, expected[k] ? Verdict::linearizable : Verdict::violation)
        << "history " << k << " by " << found[k].objects[0].decider;
  }
}

INSTANTIATE_TEST_SUITE_P(Files, Thesis, testing::Values("read-write", "cas"), [](const auto& parameter) {
  std::string name = parameter.param;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace linchpin

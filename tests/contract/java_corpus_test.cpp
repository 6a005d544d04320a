// The histories of java.util.concurrent classes, read and decided as the command does it, evidence re-checked.
//
// src/types/juc/juc_corpus_test.cpp holds the specifications alone to the same labels. Reads the folder that the
// environment variable LINCHPIN_CORPUS names; skipped without it.
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "contract/java_labels.hpp"
#include "linchpin/check.hpp"
#include "support/held.hpp"

namespace linchpin {
namespace {

TEST(JavaCorpus, EveryHistoryIsDecidedAsLabelled) {
  const char* const folder = std::getenv("LINCHPIN_CORPUS");
  if (folder == nullptr) GTEST_SKIP() << "LINCHPIN_CORPUS does not name the folder of the corpus";
  std::size_t decided = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(folder) / "juc")) {
    const std::vector<bool> expected = contract::labels(entry.path());
    const auto histories = read_histories(entry.path().string(), {});
    ASSERT_TRUE(histories) << histories.error().to_string();
    ASSERT_EQ(histories->size(), expected.size()) << entry.path();
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_TRUE((*histories)[i]) << (*histories)[i].error().to_string();
      CheckOptions options;
      options.verify = Verify::thoroughly;
      options.threads = 1;
      const auto verdict = check(*(*histories)[i], options);
      ASSERT_TRUE(verdict) << verdict.error().to_string();
      EXPECT_EQ(verdict->verdict, expected[i] ? Verdict::linearizable : Verdict::violation)
          << entry.path() << " line " << i + 1;
      EXPECT_EQ(test::what_did_not_hold(*verdict), "") << entry.path() << " line " << i + 1;
      ++decided;
    }
  }
  EXPECT_GE(decided, 5956U);
}

}  // namespace
}  // namespace linchpin

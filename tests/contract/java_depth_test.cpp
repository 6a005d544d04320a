// Witnesses of the java.util.concurrent histories by schedules alone: every history labelled linearizable has one, no
// other has.
//
// Reads the folder that the environment variable LINCHPIN_CORPUS names; skipped without it.
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "contract/java_labels.hpp"
#include "evidence/witness.hpp"
#include "linchpin/check.hpp"
#include "research/schedules/depth.hpp"

namespace linchpin {
namespace {

TEST(JavaDepth, SchedulesWitnessExactlyTheHistoriesLabelledLinearizable) {
  const char* const folder = std::getenv("LINCHPIN_CORPUS");
  if (folder == nullptr) GTEST_SKIP() << "LINCHPIN_CORPUS does not name the folder of the corpus";
  std::size_t linearizable = 0;
  std::size_t violations = 0;
  std::array<std::size_t, 20> at_depth{};
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(folder) / "juc")) {
    const std::vector<bool> expected = contract::labels(entry.path());
    const auto histories = read_histories(entry.path().string(), {});
    ASSERT_TRUE(histories) << histories.error().to_string();
    ASSERT_EQ(histories->size(), expected.size()) << entry.path();
    for (std::size_t i = 0; i < expected.size(); ++i) {
      SCOPED_TRACE(entry.path().string() + " line " + std::to_string(i + 1));
      const History& history = *(*histories)[i];
      const std::array specifications{*make_specification(history.objects()[0].type)};
      const auto parts = history::split_by_object(history, specifications, Ties::concurrent);
      ASSERT_TRUE(parts);
      const history::Subhistory& part = (*parts)[0];
      core::Budget budget{Limits{}};
      const research::WitnessDepth found = research::witness_depth(part, research::OperationPoset::of(part),
                                                                   research::Family::enumerated, part.size(), budget);
      ASSERT_EQ(found.depth.has_value(), expected[i]);
      ++(expected[i] ? linearizable : violations);
      if (!found.depth) continue;
      ++at_depth[std::min<std::size_t>(*found.depth, at_depth.size() - 1)];
      Witness witness;
      for (const std::uint32_t local : found.witness) witness.order.push_back(part.operation[local]);
      ASSERT_EQ(evidence::refute_witness(history, 0, *specifications[0], witness, Ties::concurrent), "");
    }
  }
  EXPECT_EQ(linearizable + violations, 5956U);
  // Most depths are small: the paper's observation.
  EXPECT_GT(at_depth[1] + at_depth[2], linearizable * 3 / 4);
  EXPECT_GT(at_depth[1] + at_depth[2] + at_depth[3] + at_depth[4] + at_depth[5], linearizable * 98 / 100);
}

}  // namespace
}  // namespace linchpin

// Key projections against the reference, on random small histories of the types with keys: what they refute is a
// violation, and so is each core.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cross/agreement.hpp"
#include "cross/random_history.hpp"
#include "decide/projections.hpp"
#include "history/subhistory.hpp"
#include "reference/reference.hpp"
#include "support/thoroughness.hpp"

namespace linchpin::projections_test {
namespace {

class KeyProjections : public testing::TestWithParam<std::string> {};

TEST_P(KeyProjections, RefuteOnlyViolations) {
  const auto type = TypeName::parse(GetParam());
  ASSERT_TRUE(type);
  const auto specification = make_specification(*type);
  ASSERT_TRUE(specification) << specification.error().to_string();
  const std::size_t count = test::random_histories(20'000);
  std::size_t refuted = 0;
  for (std::size_t k = 0; k < count; ++k) {
    cross::Shape shape;
    shape.operations = 3 + static_cast<std::uint32_t>(k % 6);
    shape.processes = 1 + static_cast<std::uint32_t>(k % 4);
    shape.values = 2 + static_cast<std::int64_t>(k % 2);
    shape.tick_range = k % 2 == 0 ? 8 : 40;
    cross::RandomHistories random(**specification, shape, k);
    const History history = random.next();
    const Ties ties = k % 5 == 0 ? Ties::response_first : Ties::concurrent;
    const auto parts = history::split_by_object(history, std::vector{*specification}, ties);
    ASSERT_TRUE(parts) << parts.error().to_string();
    const history::Subhistory& part = (*parts)[0];
    core::Budget budget({});
    const core::Outcome outcome = decide::key_projections().decide(part, {}, budget);
    if (outcome.verdict == Verdict::unknown) continue;
    const std::string label = fmt::format("type {}, seed {}\n{}", GetParam(), k, cross::text_of(history));
    ASSERT_EQ(outcome.verdict, Verdict::violation) << label;
    ASSERT_FALSE(reference::linearizable(part)) << label;
    ASSERT_FALSE(outcome.core.empty()) << label;
    ASSERT_FALSE(reference::linearizable(history::restrict(part, outcome.core))) << label;
    ++refuted;
  }
  EXPECT_GT(refuted, count / 50);
}

INSTANTIATE_TEST_SUITE_P(Random, KeyProjections, testing::Values("bag", "set", "map", "map results=previous"),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           for (char& letter : name) letter = letter == ' ' || letter == '=' ? '_' : letter;
                           return name;
                         });

}  // namespace
}  // namespace linchpin::projections_test

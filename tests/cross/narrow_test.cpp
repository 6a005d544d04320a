// The search with few configurations against the reference, on random small histories of every type, so narrow that it
// has to cut and to go back: witnesses are checked, and what was cut never makes a violation.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cross/agreement.hpp"
#include "cross/random_history.hpp"
#include "cross/type_variants.hpp"
#include "decide/search/search_task.hpp"
#include "evidence/witness.hpp"
#include "history/subhistory.hpp"
#include "reference/reference.hpp"
#include "support/thoroughness.hpp"

namespace linchpin::narrow_test {
namespace {

class FewConfigurations : public testing::TestWithParam<std::string> {};

TEST_P(FewConfigurations, OneConfigurationIsEnoughToAgreeWithTheReference) {
  const auto type = TypeName::parse(GetParam());
  ASSERT_TRUE(type);
  const auto specification = make_specification(*type);
  ASSERT_TRUE(specification) << specification.error().to_string();
  const std::size_t count = test::random_histories(4'000);
  for (std::size_t k = 0; k < count; ++k) {
    cross::Shape shape;
    shape.operations = 5 + static_cast<std::uint32_t>(k % 6);
    shape.processes = 3 + static_cast<std::uint32_t>(k % 5);
    shape.values = 1 + static_cast<std::int64_t>(k % 3);
    shape.tick_range = k % 3 == 0 ? 10 : 60;
    cross::RandomHistories random(**specification, shape, k);
    const History history = random.next();
    const Ties ties = k % 5 == 0 ? Ties::response_first : Ties::concurrent;
    const auto parts = history::split_by_object(history, std::vector{*specification}, ties);
    ASSERT_TRUE(parts) << parts.error().to_string();
    const history::Subhistory& part = (*parts)[0];
    const std::string label = fmt::format("type {}, seed {}\n{}", GetParam(), k, cross::text_of(history));
    core::Budget budget({});
    const auto search = decide::make_few_configurations(part, {.witness = true}, 1);
    ASSERT_TRUE(search->run(std::uint64_t{1} << 40, budget)) << label;
    const core::Outcome outcome = search->outcome();
    const bool linearizable = reference::linearizable(part);
    ASSERT_EQ(outcome.verdict, linearizable ? Verdict::linearizable : Verdict::violation) << label;
    if (!linearizable) continue;
    Witness witness;
    std::vector<bool> taken(part.size(), false);
    for (const std::uint32_t local : outcome.witness) {
      witness.order.push_back(part.operation[local]);
      taken[local] = true;
    }
    for (std::uint32_t local = 0; local < part.size(); ++local) {
      if (!taken[local]) witness.omitted.push_back(part.operation[local]);
    }
    ASSERT_EQ(evidence::refute_witness(history, 0, **specification, witness, ties), "") << label;
  }
}

INSTANTIATE_TEST_SUITE_P(Random, FewConfigurations, testing::ValuesIn(cross::type_variants()), cross::variant_name);

}  // namespace
}  // namespace linchpin::narrow_test

#include "types/map/removal_monitor.hpp"

#include <gtest/gtest.h>

#include "support/cross_check.hpp"
#include "support/one_key.hpp"
#include "types/map/specification.hpp"

namespace map_removal_test {

namespace {

using namespace linchpin::test;  // NOLINT: the vocabulary of these tests

struct Parameter {
  const char* name;
  const char* type;
  bool appends;
};

class MapRemovalMonitorOn : public testing::TestWithParam<Parameter> {};

TEST_P(MapRemovalMonitorOn, AgreesWithTheOracleOnRandomHistories) {
  const auto specification = specification_of(GetParam().type);
  const bool empty_is_absent = std::string_view(GetParam().type).find("empty-string") != std::string_view::npos;
  CrossCheck cross(linchpin::types::map::kRemovalMonitor, specification);
  cross.must_tell_why = false;
  const std::size_t seed = environment_number("LINCHPIN_CROSS_SEED", 20240607);
  SCOPED_TRACE("seed " + std::to_string(seed));
  KeyHistories histories(specification, empty_is_absent, seed);
  Random random(seed);
  const std::size_t count = random_histories(60'000);
  for (std::size_t i = 0; i < count && cross.good(); ++i) {
    const KeyShape shape{.most = 3 + below(random, 9),
                         .appends = GetParam().appends,
                         .removes = true,
                         .comparisons = below(random, 2) == 0,
                         .failures = below(random, 4) == 0,
                         .lost = below(random, 6) == 0,
                         .clients_ending = below(random, 2) == 0 ? 0 : below(random, 30)};
    cross.check(histories.next(shape));
  }
  EXPECT_GT(cross.linearizable, cross.histories / 5);
  EXPECT_GT(cross.violations, cross.histories / 50);
  EXPECT_LT(cross.refused, 2 * cross.histories / 3);
  EXPECT_LT(cross.undecided, cross.histories / 10);
}

INSTANTIATE_TEST_SUITE_P(Types, MapRemovalMonitorOn,
                         testing::Values(Parameter{"Values", "map", false}, Parameter{"Texts", "map", true},
                                         Parameter{"ValuesWhereEmptyIsAbsent", "map absent=empty-string", false},
                                         Parameter{"TextsWhereEmptyIsAbsent", "map absent=empty-string", true}),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

}  // namespace

}  // namespace map_removal_test

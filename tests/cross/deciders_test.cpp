// Every decider against the reference, on random small histories of every type, with all evidence re-checked.
//
// LINCHPIN_CROSS_COUNT sets the number of histories a type, LINCHPIN_CROSS_SEED the seed of the first; a failure prints
// the seed and the history.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cross/agreement.hpp"
#include "cross/random_history.hpp"
#include "cross/type_variants.hpp"
#include "history/subhistory.hpp"
#include "linchpin/check.hpp"
#include "reference/reference.hpp"
#include "support/thoroughness.hpp"

namespace linchpin::deciders_test {
namespace {

std::size_t histories_per_type() { return test::random_histories(6'000); }
std::uint64_t first_seed() { return test::environment_number("LINCHPIN_CROSS_SEED", 0); }

class EveryType : public testing::TestWithParam<std::string> {};

TEST_P(EveryType, DecidersAgreeWithTheReferenceOnRandomHistories) {
  const auto type = TypeName::parse(GetParam());
  ASSERT_TRUE(type);
  const auto specification = make_specification(*type);
  ASSERT_TRUE(specification) << specification.error().to_string();
  const std::size_t count = histories_per_type();
  std::size_t linearizable = 0;
  for (std::size_t k = 0; k < count; ++k) {
    cross::Shape shape;
    shape.operations = 2 + static_cast<std::uint32_t>(k % 8);
    shape.processes = 1 + static_cast<std::uint32_t>(k % 4);
    shape.values = 1 + static_cast<std::int64_t>(k % 3);
    shape.tick_range = k % 2 == 0 ? 8 : 40;
    cross::RandomHistories random(**specification, shape, first_seed() + k);
    const History history = random.next();
    const Ties ties = k % 5 == 0 ? Ties::response_first : Ties::concurrent;
    cross::expect_agreement(history, *specification, ties,
                            fmt::format("type {}, seed {}\n{}", GetParam(), first_seed() + k, cross::text_of(history)));
    if (HasFatalFailure()) return;
    const std::vector specifications{*specification};
    linearizable += reference::linearizable((*history::split_by_object(history, specifications, ties))[0]) ? 1 : 0;
  }
  // The generator must exercise both answers.
  EXPECT_GT(linearizable, count / 20);
  EXPECT_LT(linearizable, count - count / 50);
  RecordProperty("histories", static_cast<int>(count));
  RecordProperty("linearizable", static_cast<int>(linearizable));
}

/// Many operations at once with few values, where searches drop what is no better than something else.
TEST_P(EveryType, DecidersAgreeWithTheReferenceOnWideHistories) {
  const auto type = TypeName::parse(GetParam());
  ASSERT_TRUE(type);
  const auto specification = make_specification(*type);
  ASSERT_TRUE(specification) << specification.error().to_string();
  const std::size_t count = histories_per_type() / 4;
  for (std::size_t k = 0; k < count; ++k) {
    cross::Shape shape;
    shape.operations = 6 + static_cast<std::uint32_t>(k % 4);
    shape.processes = 4 + static_cast<std::uint32_t>(k % 5);
    shape.values = 1 + static_cast<std::int64_t>(k % 2);
    shape.pending = k % 3 == 0 ? 0.15 : 0;
    shape.unknown = k % 3 == 0 ? 0.08 : 0;
    shape.tick_range = k % 7 == 0 ? 10 : 100;
    cross::RandomHistories random(**specification, shape, first_seed() + k);
    const History history = random.next();
    cross::expect_agreement(
        history, *specification, Ties::concurrent,
        fmt::format("type {}, wide, seed {}\n{}", GetParam(), first_seed() + k, cross::text_of(history)));
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Random, EveryType, testing::ValuesIn(cross::type_variants()), cross::variant_name);

}  // namespace
}  // namespace linchpin::deciders_test

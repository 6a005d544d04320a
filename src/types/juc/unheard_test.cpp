// What refutes Java's collections at once, against the oracle of Java's own specification.
#include "types/juc/unheard.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/cross_check.hpp"
#include "support/thoroughness.hpp"
#include "types/juc/java.hpp"
#include "types/juc/sequences.hpp"

namespace linchpin::types::juc {
namespace {

using test::below;
using test::Draft;
using test::Random;
using Methods = SequenceMethods;

enum class Values : std::uint8_t { integers, odd };

/// All methods of the class, about few values; with the answers of each.
test::Drafter drafter(const Specification& specification, ValuePool& pool, Values values) {
  std::vector<Value> results{Value::none(), Value::nil(), Value::boolean(true), Value::boolean(false)};
  for (const std::string_view text : {kNoSuchElement, kIllegalState}) results.push_back(pool.string(text));
  for (std::int64_t v = 0; v <= 4; ++v) results.push_back(Value::integer(v));
  for (const std::string_view text : {"[]", "[1]", "[2]", "[1, 2]", "[2, 1]", "[1, 2, 3]", "[2, 3]", "[9]", "1"}) {
    results.push_back(pool.string(text));
  }
  const std::vector<Value> odd{pool.string(""),      pool.string("a, b"), pool.string("1"),
                               Value::boolean(true), pool.string("[1]"),  pool.integer(INT64_MIN)};
  if (values == Values::odd) {
    results.insert(results.end(), odd.begin(), odd.end());
    for (const std::string_view text : {"[a, b]", "[, ]", "[true]", "[[1]]", "[1, a, b]", "[-9223372036854775808]"}) {
      results.push_back(pool.string(text));
    }
  }
  const std::size_t methods = specification.methods().size();
  return [=, &pool](Random& random) {
    Draft draft{.method = static_cast<std::uint16_t>(below(random, methods)), .arguments = {}, .results = results};
    const auto value = [&] {
      if (values == Values::odd && below(random, 2) == 0) return odd[below(random, odd.size())];
      return Value::integer(1 + static_cast<std::int64_t>(below(random, 6)));
    };
    const std::uint16_t m = draft.method;
    if (m >= Methods::kAddAll && m <= Methods::kContainsAll) {
      std::vector<Value> list;
      for (std::size_t i = below(random, 3); i > 0; --i) list.push_back(value());
      draft.arguments = {pool.list(list)};
    } else if (m <= Methods::kPut || m == Methods::kContains || (m >= Methods::kAddFirst && m <= Methods::kOfferLast) ||
               m == Methods::kRemoveFirstOccurrence || m == Methods::kRemoveLastOccurrence ||
               (m == Methods::kRemove && below(random, 2) == 0)) {
      draft.arguments = {value()};
    }
    return draft;
  };
}

class Unheard : public testing::TestWithParam<const char*> {};

void check(const char* type, Values values) {
  const auto specification = test::specification_of(type);
  test::Oracle oracle(*specification);
  const auto states = specification->make_states();
  Random random(test::environment_number("LINCHPIN_CROSS_SEED", 11));
  std::size_t refuted = 0, passed = 0;
  const std::size_t count = test::random_histories(3000);
  const auto draft = drafter(*specification, test::sketch_pool(), values);
  for (std::size_t i = 0; i < count && !testing::Test::HasFailure(); ++i) {
    if (states->bound() > 100'000) states->retain({});
    test::Sketch sketch = test::random_sketch(random, *states, draft,
                                              {.operations = 1 + below(random, 8),
                                               .most_open = 1 + below(random, 4),
                                               .pending = std::array{0.0, 0.1, 0.3}[below(random, 3)],
                                               .by_simulation = below(random, 8) != 0,
                                               .processes = below(random, 4) == 0 ? 1 + below(random, 4) : 0,
                                               .promised = std::array{0.0, 0.5}[below(random, 2)],
                                               .lost = std::array{0.0, 0.15}[below(random, 2)]});
    if (below(random, 2) == 0) test::mutate(random, sketch, draft(random).results, below(random, 2) == 0);
    if (below(random, 4) == 0) test::tie(sketch);
    if (!test::valid(sketch) || !test::takes(*specification, sketch)) continue;
    const test::Built built = test::build(specification, sketch, below(random, 8) == 0);
    core::Budget budget{Limits{}};
    const core::Outcome outcome = refute_unheard(built.part, {}, budget);
    if (outcome.verdict == Verdict::unknown) {
      ++passed;
      continue;
    }
    ++refuted;
    ASSERT_FALSE(oracle.linearizable(built.part)) << test::to_text(built.part);
    ASSERT_FALSE(oracle.linearizable(history::restrict(built.part, outcome.core))) << test::to_text(built.part);
  }
  EXPECT_GT(refuted, count / 50);
  EXPECT_GT(passed, count / 10);
  if (test::thorough()) std::printf("%s: %zu refuted, %zu passed\n", type, refuted, passed);
}

TEST_P(Unheard, RefutesOnlyWhatTheOracleRefutes) { check(GetParam(), Values::integers); }

TEST_P(Unheard, RefutesOnlyWhatTheOracleRefutesOfValuesOfOtherKinds) { check(GetParam(), Values::odd); }

INSTANTIATE_TEST_SUITE_P(Classes, Unheard,
                         testing::Values("ConcurrentLinkedQueue", "ArrayBlockingQueue capacity=2",
                                         "LinkedBlockingDeque", "PriorityBlockingQueue"),
                         [](const auto& container) {
                           const std::string name(container.param);
                           return name.substr(0, name.find(' '));
                         });

}  // namespace
}  // namespace linchpin::types::juc

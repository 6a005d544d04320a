// Counters and semaphores whose changes are all by one amount, up and down.
#include "types/count_path_search.hpp"

#include <gtest/gtest.h>

#include "support/search_check.hpp"
#include "types/counter/contents.hpp"
#include "types/counter/specification.hpp"
#include "types/semaphore/contents.hpp"
#include "types/semaphore/specification.hpp"

namespace linchpin {
namespace {

using test::below;
using test::Draft;
using test::Random;
using types::Counter;
using types::Semaphore;

std::vector<Value> shown(std::int64_t from, std::int64_t to) {
  std::vector<Value> results;
  for (std::int64_t number = from; number <= to; ++number) results.push_back(Value::integer(number));
  return results;
}

test::SearchCheck check_of(const core::Decider& decider, std::string_view type, std::vector<Value> results) {
  return {.specification = test::specification_of(type),
          .applicable = decider.applicable,
          .decide = [&decider](const history::Subhistory& part,
                               core::Budget& budget) { return decider.decide(part, {.witness = true}, budget); },
          .results = std::move(results)};
}

TEST(CountPaths, AgreeWithTheOracleOnCounters) {
  for (const char* const type : {"counter", "counter initial=-1"}) {
    for (const std::size_t reads : {2U, 6U}) {
      test::SearchCheck check = check_of(types::counter::kPaths, type, shown(-2, 2));
      check.random(
          [reads](Random& random) {
            const std::size_t what = below(random, 6 + reads);
            const std::vector<Value> step{Value::integer(2)};
            if (what < 3) return Draft{Counter::kIncrement, step, {Value::none()}};
            if (what < 6) return Draft{Counter::kDecrement, step, {Value::none()}};
            std::vector<Value> results = shown(-11, 11);
            if (below(random, 12) == 0) results = {Value::unknown()};
            return Draft{Counter::kRead, {}, results};
          },
          11, 4000);
      EXPECT_GT(check.applied, check.drawn / 4);
    }
  }
}

TEST(CountPaths, AgreeWithTheOracleOnSemaphores) {
  for (const char* const type : {"semaphore", "semaphore initial=2"}) {
    for (const std::size_t reads : {2U, 6U}) {
      std::vector<Value> results = shown(0, 3);
      results.push_back(Value::boolean(true));
      results.push_back(Value::boolean(false));
      test::SearchCheck check = check_of(types::semaphore::kPaths, type, results);
      check.random(
          [reads](Random& random) {
            const std::size_t what = below(random, 6 + reads);
            if (what < 3) return Draft{Semaphore::kIncrement, {}, {Value::none()}};
            if (what < 6) return Draft{Semaphore::kDecrement, {}, {Value::boolean(true), Value::boolean(false)}};
            std::vector<Value> counts = shown(0, 8);
            if (below(random, 12) == 0) counts = {Value::unknown()};
            return Draft{Semaphore::kCount, {}, counts};
          },
          11, 4000);
      EXPECT_GT(check.applied, check.drawn / 4);
    }
  }
}

}  // namespace
}  // namespace linchpin

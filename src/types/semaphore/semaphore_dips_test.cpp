#include <gtest/gtest.h>

#include "support/search_check.hpp"
#include "types/semaphore/dips.hpp"
#include "types/semaphore/specification.hpp"

namespace linchpin {
namespace {

using test::Draft;
using test::Random;
using types::Semaphore;

TEST(SemaphoreDips, AgreesWithTheOracle) {
  for (const char* const type : {"semaphore", "semaphore initial=1"}) {
    test::SearchCheck check{
        .specification = test::specification_of(type),
        .applicable = types::semaphore::applicable,
        .decide = [](const history::Subhistory& part,
                     core::Budget& budget) { return types::semaphore::decide(part, {.witness = true}, budget); },
        .results = {Value::boolean(true), Value::boolean(false)}};
    check.random(
        [](Random& random) {
          switch (test::below(random, 7)) {
            case 0:
            case 1:
            case 2: return Draft{Semaphore::kIncrement, {}, {Value::none()}};
            case 3:
            case 4:
            case 5: return Draft{Semaphore::kDecrement, {}, {Value::boolean(true), Value::boolean(false)}};
            default: return Draft{Semaphore::kCount, {}, {Value::integer(0), Value::unknown()}};
          }
        },
        11, 8000);
    EXPECT_GT(check.applied, check.drawn / 8);
  }
}

TEST(SemaphoreDips, LeavesCountsAboveZeroToTheSearch) {
  const auto built = test::build(
      test::specification_of("semaphore initial=2"),
      {{.method = Semaphore::kCount, .arguments = {}, .result = Value::integer(2), .call = 1, .response = 2}});
  EXPECT_FALSE(types::semaphore::applicable(built.part).applies);
}

}  // namespace
}  // namespace linchpin

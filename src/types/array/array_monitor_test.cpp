#include "types/array/monitor.hpp"

#include <gtest/gtest.h>

#include "support/cross_check.hpp"
#include "types/array/specification.hpp"

namespace array_monitor_test {

namespace {

using linchpin::Value;
using linchpin::types::Array;
using namespace linchpin::test;  // NOLINT: the vocabulary of these tests

const Value kIndex = Value::integer(7);

TEST(ArrayMonitor, SaysWhyItDoesNotApply) {
  const auto why = [](const Sketch& sketch) {
    return linchpin::types::array::applicable(build(specification_of("array"), sketch).part).why;
  };
  const SketchedOperation write{.method = Array::kWrite,
                                .arguments = {kIndex, Value::integer(1)},
                                .result = Value::none(),
                                .call = 1,
                                .response = 2};
  SketchedOperation elsewhere = write;
  elsewhere.arguments[0] = Value::integer(8);
  EXPECT_EQ(why({write, elsewhere}), "there are several indices");
  EXPECT_EQ(why({write, write}), "value 1 is written twice");
  EXPECT_EQ(why({write}), "no value is written twice");
}

TEST(ArrayMonitor, AgreesWithTheOracleOnRandomHistories) {
  for (const char* const type : {"array", "array initial=0"}) {
    CrossCheck cross(linchpin::types::array::kMonitor, specification_of(type));
    cross.random(
        [](Random& random) -> Drafter {
          return [next = std::int64_t{1}, most = 2 + static_cast<std::int64_t>(below(random, 6)),
                  failures = below(random, 2) == 0](Random& generator) mutable {
            std::vector<Value> values{Value::nil(), Value::integer(0)};
            for (std::int64_t value = 1; value <= most; ++value) values.push_back(Value::integer(value));
            const auto any = [&] { return values[below(generator, values.size())]; };
            std::vector<Value> yes_or_no{Value::boolean(true)};
            if (failures) yes_or_no.push_back(Value::boolean(false));
            const std::size_t what = below(generator, 8);
            if (next <= most && what < 2)
              return Draft{Array::kWrite, {kIndex, Value::integer(next++)}, {Value::none()}};
            if (next <= most && what < 4) {
              const Value from = any();
              return Draft{Array::kCas, {kIndex, from, Value::integer(next++)}, yes_or_no};
            }
            if (what == 4 && failures) {
              const Value from = any();
              return Draft{Array::kCas, {kIndex, from, from}, yes_or_no};
            }
            if (what == 5 && below(generator, 6) == 0) return Draft{Array::kRead, {kIndex}, {Value::unknown()}};
            return Draft{Array::kRead, {kIndex}, values};
          };
        },
        {Value::nil(), Value::integer(0), Value::integer(1), Value::integer(2), Value::integer(3)}, 12, 8'000);
    EXPECT_LT(cross.undecided, cross.histories / 10);
    EXPECT_GT(cross.violations, cross.histories / 20);
  }
}

}  // namespace

}  // namespace array_monitor_test

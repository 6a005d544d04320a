#include "support/thoroughness.hpp"
#include "types/rmw/monitor.hpp"

#include <gtest/gtest.h>

#include "support/cross_check.hpp"
#include "types/rmw/specification.hpp"

namespace rmw_monitor_test {

namespace {

using linchpin::Value;
using Rmw = linchpin::types::ReadModifyWrite;
using namespace linchpin::test;  // NOLINT: the vocabulary of these tests

SketchedOperation exchange(std::int64_t to, Value from) {
  return {.method = Rmw::kReadModifyWrite, .arguments = {Value::integer(to)}, .result = from};
}

}  // namespace

TEST(RmwMonitor, AgreesWithTheOracleOnAllSmallHistories) {
  CrossCheck cross(linchpin::types::rmw::kMonitor, specification_of("rmw initial=0"));
  const Sketch labels{exchange(1, Value::integer(0)),
                      exchange(2, Value::integer(1)),
                      exchange(2, Value::integer(0)),
                      exchange(1, Value::integer(2)),
                      exchange(3, Value::unknown()),
                      {.method = Rmw::kWrite, .arguments = {Value::integer(4)}, .result = Value::none()},
                      {.method = Rmw::kRead, .arguments = {}, .result = Value::integer(1)},
                      {.method = Rmw::kRead, .arguments = {}, .result = Value::integer(0)}};
  cross.exhaustive(labels, 3, true);
  if (thorough()) cross.exhaustive(labels, 4, true);
  EXPECT_GT(cross.linearizable, 100U);
  EXPECT_GT(cross.violations, 500U);
}

TEST(RmwMonitor, AgreesWithTheOracleOnRandomHistories) {
  CrossCheck cross(linchpin::types::rmw::kMonitor, specification_of("rmw initial=0"));
  cross.random(
      [](Random& random) -> Drafter {
        return [next = std::int64_t{1},
                most = 2 + static_cast<std::int64_t>(below(random, 6))](Random& generator) mutable {
          std::vector<Value> results;
          for (std::int64_t value = 0; value <= most; ++value) results.push_back(Value::integer(value));
          if (below(generator, 15) == 0) results = {Value::unknown()};
          const std::size_t what = below(generator, 4);
          if (next > most || what == 0) return Draft{Rmw::kRead, {}, results};
          const Value fresh = Value::integer(next++);
          if (what == 1) return Draft{Rmw::kWrite, {fresh}, {Value::none()}};
          return Draft{Rmw::kReadModifyWrite, {fresh}, results};
        };
      },
      {Value::integer(0), Value::integer(1), Value::integer(2)}, 12, 60'000);
  EXPECT_GT(cross.linearizable, cross.histories / 5);
  EXPECT_GT(cross.violations, cross.histories / 10);
}

}  // namespace rmw_monitor_test

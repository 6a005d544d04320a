// What regularity refutes is refuted, by its core alone; and what it says.
#include "types/regularity.hpp"
#include "support/thoroughness.hpp"

#include <gtest/gtest.h>

#include "support/cross_check.hpp"
#include "types/array/specification.hpp"
#include "types/cas_register/specification.hpp"
#include "types/map/specification.hpp"
#include "types/register/specification.hpp"
#include "types/rmw/specification.hpp"

namespace linchpin::regularity_test {
namespace {

using namespace test;  // NOLINT: the vocabulary of these tests
using types::Array;
using types::CasRegister;
using types::Map;
using types::ReadModifyWrite;
using types::Register;

Value number(std::size_t value) { return Value::integer(static_cast<std::int64_t>(value)); }
std::vector<Value> yes_or_no() { return {Value::boolean(true), Value::boolean(false)}; }

SketchedOperation write(std::size_t value, Tick call, Tick response) {
  return {.method = Register::kWrite,
          .arguments = {number(value)},
          .result = Value::none(),
          .call = call,
          .response = response};
}
SketchedOperation read(Value value, Tick call, Tick response) {
  return {.method = Register::kRead, .arguments = {}, .result = value, .call = call, .response = response};
}

core::Outcome refuted(const Sketch& sketch, const char* type = "register") {
  const Built built = build(specification_of(type), sketch);
  core::Budget budget{Limits{}};
  return types::refute_by_values_seen(built.part, {}, budget);
}

TEST(Regularity, TellsWhatWasNotThere) {
  const core::Outcome nobody = refuted({write(1, 1, 2), write(1, 3, 4), read(number(2), 5, 6)});
  EXPECT_EQ(nobody.sentence, "read() -> 2: nobody had written 2, and it is not the initial value");
  EXPECT_EQ(nobody.core, (std::vector<std::uint32_t>{2}));
  const core::Outcome later = refuted({write(1, 1, 2), read(number(2), 3, 4), write(2, 5, 6), write(2, 7, 8)});
  EXPECT_EQ(later.sentence, "read() -> 2 returned before write(2) was called, and nothing had written 2 before");
  EXPECT_EQ(later.core, (std::vector<std::uint32_t>{1, 2}));
  const core::Outcome initial = refuted({write(1, 1, 2), write(1, 3, 4), read(Value::nil(), 5, 6)});
  EXPECT_EQ(initial.sentence,
            "read() -> nil saw the initial value nil, but write(1) had returned before it was called");
  EXPECT_EQ(initial.core, (std::vector<std::uint32_t>{1, 2}));
  const core::Outcome gone = refuted({write(1, 1, 2), write(1, 3, 6), write(2, 7, 8), read(number(1), 9, 10)});
  EXPECT_EQ(gone.sentence,
            "read() -> 1 saw a value that was gone: write(2) was called when all that wrote 1 had returned, and "
            "returned before read() -> 1 was called");
  EXPECT_EQ(gone.core, (std::vector<std::uint32_t>{1, 2, 3})) << "the first write was followed by the second";
}

TEST(Regularity, SaysNothingWhereAWriteMayHaveBeenSeen) {
  EXPECT_EQ(refuted({write(1, 1, 4), write(2, 3, 5), read(number(1), 6, 7)}).verdict, Verdict::unknown);
  EXPECT_EQ(refuted({write(1, 1, kPending), write(2, 3, 5), read(number(1), 6, 7)}).verdict, Verdict::unknown);
  // The write returned nothing that a write returns: it may have done anything.
  Sketch strange{write(1, 1, 2), read(number(7), 3, 4)};
  strange[0].result = Value::boolean(false);
  EXPECT_EQ(refuted(strange).verdict, Verdict::unknown);
}

struct Kind {
  const char* type;
  std::function<Draft(Random&, std::size_t values)> draft;
};

std::vector<Value> seen(std::size_t values) {
  std::vector<Value> all{Value::nil(), Value::unknown()};
  for (std::size_t value = 0; value < values; ++value) all.push_back(number(value));
  return all;
}

const std::vector<Kind>& kinds() {
  static const auto any = [](Random& random, std::size_t values) { return number(below(random, values)); };
  static const auto registers = [](Random& random, std::size_t values) {
    if (below(random, 2) == 0) return Draft{Register::kWrite, {any(random, values)}, {Value::none()}};
    return Draft{Register::kRead, {}, seen(values)};
  };
  static const auto compares = [](Random& random, std::size_t values) {
    switch (below(random, 4)) {
      case 0: return Draft{CasRegister::kWrite, {any(random, values)}, {Value::none()}};
      case 1: return Draft{CasRegister::kCas, {any(random, values), any(random, values)}, yes_or_no()};
      case 2: return Draft{CasRegister::kCompareExchange, {any(random, values), any(random, values)}, seen(values)};
      default: return Draft{CasRegister::kRead, {}, seen(values)};
    }
  };
  static const std::vector<Kind> all{
      {"register", registers},
      {"register initial=0", registers},
      {"register initial=undefined", registers},
      {"cas-register", compares},
      {"cas-register initial=1 failed-cas=drop", compares},
      {"rmw",
       [](Random& random, std::size_t values) {
         if (below(random, 3) == 0) return Draft{ReadModifyWrite::kRead, {}, seen(values)};
         return Draft{ReadModifyWrite::kReadModifyWrite, {any(random, values)}, seen(values)};
       }},
      {"array initial=0",
       [](Random& random, std::size_t values) {
         switch (below(random, 3)) {
           case 0: return Draft{Array::kWrite, {number(5), any(random, values)}, {Value::none()}};
           case 1: return Draft{Array::kCas, {number(5), any(random, values), any(random, values)}, yes_or_no()};
           default: return Draft{Array::kRead, {number(5)}, seen(values)};
         }
       }},
      {"map",
       [](Random& random, std::size_t values) {
         switch (below(random, 8)) {
           case 0: return Draft{Map::kRemove, {number(5)}, {Value::boolean(true), Value::boolean(false), Value::nil()}};
           case 1: return Draft{Map::kContains, {number(5)}, yes_or_no()};
           case 2: return Draft{Map::kPutIfAbsent, {number(5), any(random, values)}, seen(values)};
           case 3: return Draft{Map::kCas, {number(5), any(random, values), any(random, values)}, yes_or_no()};
           case 4: return Draft{Map::kReplace, {number(5), any(random, values)}, yes_or_no()};
           case 5:
           case 6: return Draft{Map::kPut, {number(5), any(random, values)}, {Value::none(), Value::nil()}};
           default: return Draft{Map::kGet, {number(5)}, seen(values)};
         }
       }},
  };
  return all;
}

TEST(Regularity, AgreesWithTheOracleOnRandomHistories) {
  for (const Kind& kind : kinds()) {
    CrossCheck cross(types::kRegularity, specification_of(kind.type));
    cross.random(
        [&](Random& random) -> Drafter {
          const std::size_t values = 1 + below(random, 5);
          return [&kind, values](Random& generator) { return kind.draft(generator, values); };
        },
        seen(5), 12, 20'000);
    EXPECT_EQ(cross.refused, 0U) << kind.type;
    EXPECT_EQ(cross.linearizable, 0U) << kind.type << ": it never says so";
    EXPECT_GT(cross.violations, cross.histories / 20) << kind.type;
    EXPECT_LT(cross.violations, cross.histories) << kind.type;
  }
}

TEST(Regularity, AgreesWithTheOracleOnAllSmallHistories) {
  const Sketch labels{write(1, 0, 0), write(2, 0, 0), read(number(1), 0, 0), read(number(2), 0, 0),
                      read(Value::nil(), 0, 0)};
  CrossCheck cross(types::kRegularity, specification_of("register"));
  cross.exhaustive(labels, 3, true);
  if (test::thorough()) cross.exhaustive(labels, 4, true);
  EXPECT_GT(cross.violations, 500U);
}

}  // namespace
}  // namespace linchpin::regularity_test

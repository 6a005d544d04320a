#include <gtest/gtest.h>

#include "decide/framework/decider.hpp"
#include "support/sketch.hpp"

namespace linchpin::decide {
namespace {

using namespace test;  // NOLINT: the vocabulary of these tests

const core::Decider& plain(std::string_view name) {
  for (const core::Decider& decider : plain_deciders()) {
    if (decider.name == name) return decider;
  }
  throw std::invalid_argument(std::string(name));
}

// As the specification does.
TEST(PlainDeciders, TakeTheLastOfARepeatedOption) {
  const Sketch both{{.method = 0, .arguments = {Value::integer(1)}, .call = 1, .response = 2},
                    {.method = 0, .arguments = {Value::integer(2)}, .call = 3, .response = 4},
                    {.method = 1, .result = Value::integer(2), .call = 5, .response = 6}};
  const core::Decider& decider = plain("priority-queue-plain");
  for (const auto& [type, verdict] : {std::pair("priority-queue order=smallest order=largest", Verdict::linearizable),
                                      std::pair("priority-queue order=largest order=smallest", Verdict::violation)}) {
    const Built built = build(specification_of(type), both);
    ASSERT_TRUE(decider.applicable(built.part).applies) << type;
    core::Budget budget{Limits{}};
    EXPECT_EQ(decider.decide(built.part, {.witness = true}, budget).verdict, verdict) << type;
  }
}

}  // namespace
}  // namespace linchpin::decide

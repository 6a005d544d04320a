// Sets of operations: which are linearizable, what is impossible in them, and what can be spared.
#include "explain/subsets.hpp"

#include <gtest/gtest.h>

#include "linchpin/check.hpp"
#include "linchpin/history.hpp"

namespace linchpin::explain {
namespace {

/// The operations of one object of the type, in the order of their calls.
class Few {
 public:
  explicit Few(const std::string& type) : specification_(*make_specification(*TypeName::parse(type))) {}

  Few& add(std::string_view method, std::vector<Value> arguments, Value result, Tick call, Tick response) {
    builder_.add(
        {.method = method, .arguments = std::move(arguments), .result = result, .call = call, .response = response});
    return *this;
  }
  std::optional<Subsets> subsets() {
    history_ = std::move(*std::move(builder_).build());
    part_ = (*history::split_by_object(history_, std::vector{specification_}, Ties::concurrent))[0];
    core::Budget budget((Limits()));
    return Subsets::of(part_, budget);
  }

 private:
  std::shared_ptr<const Specification> specification_;
  HistoryBuilder builder_;
  History history_;
  history::Subhistory part_;
};

Value number(std::int64_t value) { return Value::integer(value); }

TEST(Subsets, OfAQueueOutOfOrderHaveNothingToSpare) {
  Few few("queue");
  few.add("enqueue", {number(1)}, Value::none(), 1, 2).add("enqueue", {number(2)}, Value::none(), 3, 4);
  const auto subsets = few.add("dequeue", {}, number(2), 5, 6).subsets();
  ASSERT_TRUE(subsets);
  EXPECT_FALSE(subsets->linearizable(0b111));
  EXPECT_TRUE(subsets->linearizable(0b110));
  EXPECT_FALSE(subsets->linearizable(0b101));
  EXPECT_EQ(subsets->impossible(0b101), 0b100U) << "nobody enqueued it";
  EXPECT_EQ(subsets->impossible(0b111), 0U);
  EXPECT_TRUE(subsets->nothing_to_spare());
}

TEST(Subsets, WithAnOperationTooManyCanSpareIt) {
  Few few("mutex");
  for (Tick k = 0; k < 3; ++k) few.add("acquire", {}, Value::none(), 2 * k, 2 * k + 1);
  const auto subsets = few.subsets();
  ASSERT_TRUE(subsets);
  EXPECT_FALSE(subsets->linearizable(0b011));
  EXPECT_FALSE(subsets->nothing_to_spare());
}

TEST(Subsets, TellAPendingOperationFromOneThatReturned) {
  Few few("register");
  few.add("read", {}, number(7), 1, kPending).add("write", {number(1)}, Value::none(), 2, 3);
  const auto subsets = few.add("read", {}, number(9), 4, 5).subsets();
  ASSERT_TRUE(subsets);
  EXPECT_TRUE(subsets->linearizable(0b011)) << "what is pending may be left out";
  EXPECT_EQ(subsets->without_effect(0b111), 0b001U);
  EXPECT_EQ(subsets->impossible(0b111), 0b100U);
  EXPECT_FALSE(subsets->nothing_to_spare()) << "the read of 9 alone says it";
}

TEST(Subsets, OfALinearizableSetAreNoCore) {
  Few few("register");
  const auto subsets = few.add("write", {number(1)}, Value::none(), 1, 2).add("read", {}, number(1), 3, 4).subsets();
  ASSERT_TRUE(subsets);
  EXPECT_FALSE(subsets->nothing_to_spare());
}

TEST(Subsets, AreNotLookedAtOfMany) {
  Few few("counter");
  for (std::uint32_t k = 0; k <= Subsets::kMostOperations; ++k) few.add("add", {number(1)}, Value::none(), k, 100);
  EXPECT_FALSE(few.subsets());
}

}  // namespace
}  // namespace linchpin::explain

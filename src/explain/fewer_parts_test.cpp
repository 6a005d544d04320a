// Parts of transactions that have nothing to do with a violation. Through `check`, as users meet it.
#include "explain/fewer_parts.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linchpin/check.hpp"
#include "linchpin/explain.hpp"

namespace linchpin::explain {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct Act {
  bool writes = false;
  std::int64_t key = 0, value = 0;
};
Act w(std::int64_t key, std::int64_t value) { return {true, key, value}; }
Act r(std::int64_t key, std::int64_t value) { return {false, key, value}; }

/// Transactions that follow each other.
class Transactions {
 public:
  Transactions() = default;
  /// Of the last of so many objects; nobody uses the others.
  explicit Transactions(int objects) {
    for (int k = 0; k < objects; ++k) object_ = builder_.object(std::to_string(k));
  }

  void add(const std::vector<Act>& acts) { add(acts, now_, now_ + 1); }
  void add(const std::vector<Act>& acts, Tick call, Tick response) {
    now_ = std::max(now_, response == kPending ? call : response) + 1;
    ValuePool& pool = builder_.pool();
    std::vector<Value> list;
    list.reserve(acts.size());
    for (const Act& act : acts) {
      list.push_back(
          pool.list({pool.string(act.writes ? "w" : "r"), Value::integer(act.key), Value::integer(act.value)}));
    }
    const Value all = pool.list(list);
    builder_.add(
        {.object = object_, .method = "txn", .arguments = {all}, .result = all, .call = call, .response = response});
  }

  /// The violation that they are.
  Violation violation(const std::string& type) {
    builder_.set_type(*TypeName::parse(type));
    history = std::move(*std::move(builder_).build());
    CheckOptions options;
    options.verify = Verify::thoroughly;
    auto verdict = check(history, options);
    EXPECT_EQ(verdict->verdict, Verdict::violation);
    const std::size_t object = object_.number();
    EXPECT_EQ(verdict->objects[object].core_checked, true);
    auto explained = explain_verdict(history, *verdict, options);
    explanation = std::move(explained->objects.at(object));
    return verdict->objects[object].violation.value_or(Violation{});
  }

  History history;
  ObjectExplanation explanation;

 private:
  HistoryBuilder builder_;
  ObjectIndex object_ = 0;
  Tick now_ = 1;
};

/// Each writes three keys, over and over, with few values.
void add_many(Transactions& all, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) {
    const auto n = static_cast<std::int64_t>(k);
    all.add({w(n % 3, n % 2), w(5, n % 4), w((n + 1) % 3, (n + 1) % 2)});
  }
}

TEST(FewerParts, OfAStaleReadOnlyTheWriteIsLeft) {
  Transactions all;
  add_many(all, 40);
  all.add({w(5, 7), w(1, 0)});
  all.add({r(1, 0), r(5, 2), w(2, 0)});
  const Violation violation = all.violation("multi-register");
  EXPECT_EQ(violation.core, (std::vector<OperationIndex>{40, 41}));
  EXPECT_TRUE(violation.minimal);
  ASSERT_TRUE(violation.parts);
  EXPECT_EQ(violation.parts->operations, (std::vector<OperationIndex>{40, 41}));
  EXPECT_EQ(violation.parts->history->describe(0), "txn([[w 5 7]]) -> [[w 5 7]]");
  EXPECT_EQ(violation.parts->history->describe(1), "txn([[r 5 2]]) -> [[r 5 2]]");
  EXPECT_THAT(violation.sentence, StartsWith("Only what was done to 5 matters: txn([[r 5 2]])"));
  // What is shown of it is about the operations as they were recorded.
  EXPECT_EQ(all.explanation.blocked, OperationIndex(41));
  ASSERT_EQ(all.explanation.attempts.size(), 1U);
  EXPECT_EQ(all.explanation.attempts[0].order.steps.at(0).operation, OperationIndex(40));
  EXPECT_EQ(all.explanation.attempts[0].state, "{5: 7}");
}

TEST(FewerParts, OfALaterObjectAsOfTheFirst) {
  Transactions all(3);
  add_many(all, 40);
  all.add({w(5, 7), w(1, 0)});
  all.add({r(1, 0), r(5, 2), w(2, 0)});
  const Violation violation = all.violation("multi-register");
  EXPECT_EQ(violation.core, (std::vector<OperationIndex>{40, 41}));
  ASSERT_TRUE(violation.parts);
  EXPECT_EQ(violation.parts->history->describe(1), "txn([[r 5 2]]) -> [[r 5 2]]");
}

// What the keys hold at first counts then, so a write stays that shows what they held later.
TEST(FewerParts, WhatAKeyHoldsAtFirstIsNotForgotten) {
  Transactions all;
  add_many(all, 40);
  all.add({w(5, 7), w(1, 0)});
  all.add({r(1, 0), r(5, 2), w(2, 0)});
  const Violation violation = all.violation("multi-register initial=2");
  EXPECT_LE(violation.core.size() + violation.context.size(), 3U);
  EXPECT_EQ(violation.blocked, OperationIndex(41));
}

// Two keys are needed: of one alone each read may have been in time.
TEST(FewerParts, SeveralKeysStayWhereNoneRefutesAlone) {
  Transactions all;
  add_many(all, 32);  // in the end 2 holds 0
  const Tick now = 1'000;
  all.add({w(1, 8), w(2, 8), w(5, 1)}, now, now + 9);
  all.add({r(1, 8), r(2, 0), r(5, 1)}, now + 1, now + 8);
  const Violation violation = all.violation("multi-register initial=nil");
  EXPECT_LE(violation.core.size() + violation.context.size(), 4U);
  EXPECT_THAT(violation.sentence, HasSubstr("matters: "));
}

// The read needs a write that is called later: what it returned is known before.
TEST(FewerParts, WhatIsOpenPromisesWhatItReturns) {
  Transactions all;
  add_many(all, 30);
  all.add({w(5, 1), w(6, 1)}, 1'000, 1'001);
  all.add({w(6, 4), r(5, 3)}, 1'002, 1'020);
  all.add({r(6, 4), w(5, 1)}, 1'003, 1'005);
  all.add({w(5, 3)}, 1'006, 1'007);
  const Violation violation = all.violation("multi-register");
  EXPECT_EQ(violation.core, (std::vector<OperationIndex>{30, 31, 32}));
}

}  // namespace
}  // namespace linchpin::explain

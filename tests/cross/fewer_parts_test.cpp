// Parts of transactions that are left out: a linearizable history is never refuted so, and what is left of a violation
// is one, as are the whole operations that it is of.
//
// LINCHPIN_CROSS_COUNT sets the number of histories a type; a failure prints the seed and the history.
#include "explain/fewer_parts.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "cross/random_history.hpp"
#include "history/subhistory.hpp"
#include "linchpin/check.hpp"
#include "support/oracle.hpp"
#include "support/sketch.hpp"
#include "support/thoroughness.hpp"
#include "types/multi_register/specification.hpp"

namespace linchpin::fewer_parts_test {
namespace {

/// Transactions of a few reads and writes over few values, that take effect at moments of their own; mostly with a read
/// or two that saw something else. Some never return, with a known result or none, and of some it is lost.
/// @param later  they are of a second object, and nobody uses the first
History draw(std::mt19937_64& random, std::optional<std::int64_t> initial, bool later) {
  const auto below = [&](std::size_t bound) { return static_cast<std::int64_t>(random() % bound); };
  struct Row {
    std::vector<std::array<std::int64_t, 3>> parts;  // whether it writes, key, value
    Tick call = 0, response = 0, moment = 0;
  };
  std::vector<Row> rows(static_cast<std::size_t>(2 + below(8)));
  const std::size_t values = static_cast<std::size_t>(1 + below(3)), keys = static_cast<std::size_t>(1 + below(3));
  const std::size_t length = static_cast<std::size_t>(1 + below(10));
  for (Row& row : rows) {
    row.call = below(4 * rows.size());
    row.response = row.call + below(length);
    row.moment = row.call + below(static_cast<std::size_t>(row.response - row.call + 1));
    for (std::int64_t parts = 1 + below(3); parts > 0; --parts) {
      row.parts.push_back({below(2), below(keys), below(values)});
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.moment < b.moment; });
  std::map<std::int64_t, std::int64_t> store;
  for (Row& row : rows) {
    for (auto& [writes, key, value] : row.parts) {
      std::int64_t& there = store.try_emplace(key, initial.value_or(below(values))).first->second;
      (writes != 0 ? there : value) = writes != 0 ? value : there;
    }
  }
  for (std::int64_t changes = below(3); changes > 0; --changes) {
    auto& part = rows[random() % rows.size()].parts[0];
    if (part[0] == 0) part[2] = below(values);
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.call < b.call; });
  HistoryBuilder builder;
  if (later) static_cast<void>(builder.object("nobody's"));
  const ObjectIndex object = builder.object("store");
  ValuePool& pool = builder.pool();
  for (const Row& row : rows) {
    std::vector<Value> list;
    list.reserve(row.parts.size());
    for (const auto& [writes, key, value] : row.parts) {
      list.push_back(pool.list({pool.string(writes != 0 ? "w" : "r"), Value::integer(key), Value::integer(value)}));
    }
    const Value all = pool.list(list);
    builder.add({.object = object,
                 .method = "txn",
                 .arguments = {all},
                 .result = below(8) == 0 ? Value::unknown() : all,
                 .call = row.call,
                 .response = below(8) == 0 ? kPending : row.response});
  }
  return std::move(*std::move(builder).build());
}

/// With values and results of every kind.
History any_history(const Specification& specification, std::size_t k, std::size_t seed) {
  const cross::Shape shape{.operations = 2 + static_cast<std::uint32_t>(k % 7),
                           .processes = 1 + static_cast<std::uint32_t>(k % 4),
                           .values = 1 + static_cast<std::int64_t>(k % 3),
                           .spoiled = 0.6,
                           .tick_range = k % 3 == 0 ? 6 : 25};
  return cross::RandomHistories(specification, shape, seed + 1'000'003 * k).next();
}

class FewerParts : public testing::TestWithParam<const char*> {};

TEST_P(FewerParts, ProveWhatTheyAreLeftOfOnRandomHistories) {
  const auto specification = *make_specification(*TypeName::parse(GetParam()));
  test::Oracle oracle(*specification);
  const std::size_t seed = test::environment_number("LINCHPIN_CROSS_SEED", 20261126);
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  const auto& given = specification->get_if<types::MultiRegister>()->initial_value;
  // Nil is what no read says.
  const std::optional<std::int64_t> initial =
      given && !given->is_nil() ? std::optional(given->integer()) : std::nullopt;
  const std::size_t count = test::random_histories(20'000);
  std::size_t linearizable = 0, violations = 0, fewer = 0, late = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const History history = k % 4 == 0 ? any_history(*specification, k, seed) : draw(random, initial, k % 2 == 0);
    const std::vector specifications(history.objects().size(), specification);
    const auto parts = history::split_by_object(history, specifications, Ties::concurrent);
    ASSERT_TRUE(parts);
    if (parts->empty()) continue;
    const history::Subhistory& part = parts->back();
    const auto blocked = static_cast<std::uint32_t>(random() % part.size());
    const bool known = random() % 2 == 0 && !part.pending(blocked);
    core::Budget budget{Limits{}};
    const auto found = explain::with_fewer_parts(part, known ? std::optional(blocked) : std::nullopt, budget);
    const bool truth = oracle.linearizable(part);
    ++(truth ? linearizable : violations);
    if (!found) continue;
    ASSERT_FALSE(truth) << "refuted by parts\n" << test::to_text(part) << "by\n" << test::to_text(found->part);
    ++fewer;
    late += found->from_state ? 1 : 0;
    ASSERT_FALSE(oracle.linearizable(found->part)) << test::to_text(part) << test::to_text(found->part);
    ASSERT_FALSE(oracle.linearizable(history::restrict(part, found->locals)))
        << test::to_text(part) << test::to_text(found->part);
    // What is left is shrunk once more.
    const auto again = explain::with_fewer_parts(found->part, std::nullopt, budget);
    if (again) {
      ASSERT_FALSE(oracle.linearizable(again->part)) << test::to_text(part) << test::to_text(again->part);
    }
  }
  EXPECT_GT(linearizable, count / 4);
  EXPECT_GT(violations, count / 8);
  EXPECT_GT(fewer, violations / 5);
  if (specification->name() == "multi-register") {
    EXPECT_GT(late, fewer / 20);
  }
}

INSTANTIATE_TEST_SUITE_P(Types, FewerParts,
                         testing::Values("multi-register", "multi-register initial=nil", "multi-register initial=1"));

}  // namespace
}  // namespace linchpin::fewer_parts_test

// Knowing less never refutes: a linearizable history stays linearizable when a result is lost, or a part of it where
// the type reads such results, and when an operation that nothing follows in its process never returns, with what it
// would have returned known or not. By every decider. (An aborted transaction has no result to lose: where its fate is
// not known, it never returned.)
//
// LINCHPIN_CROSS_COUNT sets the number of histories a type (default 1,500); a failure prints the seed and the history.
#include <functional>
#include <optional>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cross/agreement.hpp"
#include "cross/partial_results.hpp"
#include "cross/random_history.hpp"
#include "support/thoroughness.hpp"
#include "types/list_append/specification.hpp"

namespace linchpin::weakening_test {
namespace {

std::size_t histories_per_type() { return test::random_histories(1'500); }

/// What becomes of a result, in the pool given.
using Loss = std::function<Value(ValuePool& pool, Value result)>;

Value lost(ValuePool& /*pool*/, Value /*result*/) { return Value::unknown(); }
Value kept(ValuePool& /*pool*/, Value result) { return result; }

/// The history with less of the result of operation `changed`, which never returns where there is no response. Nothing
/// where the type refuses that result.
std::optional<History> with(const History& history, const Specification& specification, OperationIndex changed,
                            const Loss& loss, Tick response) {
  HistoryBuilder builder;
  ValuePool& pool = builder.pool();
  for (OperationIndex i = 0; i < history.size(); ++i) {
    std::vector<Value> arguments;
    for (const Value argument : history.arguments(i)) arguments.push_back(pool.import(argument, history.pool()));
    Value result = pool.import(history.result(i), history.pool());
    if (i == changed) {
      result = loss(pool, result);
      const auto method = specification.find_method(history.method_name(history.method(i)));
      const Operation operation{
          .method = *method, .arguments = arguments, .result = result, .process = history.process(i), .pool = &pool};
      if (!specification.invalid(operation).empty()) return std::nullopt;
    }
    builder.add({.process = history.process(i),
                 .method = history.method_name(history.method(i)),
                 .arguments = std::move(arguments),
                 .result = result,
                 .call = history.call(i),
                 .response = i == changed ? response : history.response(i)});
  }
  auto built = std::move(builder).build();
  EXPECT_TRUE(built) << built.error().to_string();
  return std::move(*built);
}

/// The histories that know less than this one, by one step.
std::vector<History> weaker(const History& history, const Specification& specification) {
  std::vector<History> all;
  const bool transactions = specification.get_if<types::ListAppend>() != nullptr;
  for (OperationIndex i = 0; i < history.size(); ++i) {
    const auto add = [&](const Loss& loss, Tick response) {
      if (auto less = with(history, specification, i, loss, response)) all.push_back(std::move(*less));
    };
    bool last = !history.pending(i);
    for (OperationIndex k = 0; k < history.size(); ++k) {
      const bool later = history.process(k) == history.process(i) && k != i && history.call(k) >= history.call(i);
      last = last && !later;
    }
    const Value result = history.result(i);
    const bool aborted = transactions && result == Value::boolean(false);
    if (!result.is_unknown() && !aborted) add(lost, history.response(i));
    if (last) {
      add(kept, kPending);
      add(lost, kPending);
    }
    if (!specification.reads_partial_results() || !result.is_list()) continue;
    for (std::size_t part = 0; part < history.pool().elements_of(result).size(); ++part) {
      for (const auto lose : {cross::without_part, cross::without_field}) {
        const Loss loss = [&](ValuePool& pool, Value list) { return lose(pool, list, part); };
        add(loss, history.response(i));
        if (last) add(loss, kPending);
      }
    }
  }
  return all;
}

bool linearizable(const History& history, const std::shared_ptr<const Specification>& specification) {
  const std::vector specifications{specification};
  return reference::linearizable((*history::split_by_object(history, specifications, Ties::concurrent))[0]);
}

class Weakening : public testing::TestWithParam<std::string> {};

TEST_P(Weakening, KeepsLinearizableHistoriesLinearizable) {
  const auto specification = make_specification(*TypeName::parse(GetParam()));
  ASSERT_TRUE(specification) << specification.error().to_string();
  const std::size_t count = histories_per_type();
  std::size_t weakened = 0;
  for (std::size_t seed = 0; seed < count; ++seed) {
    const cross::Shape shape{.operations = 2 + static_cast<std::uint32_t>(seed % 5),
                             .processes = 1 + static_cast<std::uint32_t>(seed % 4),
                             .values = 1 + static_cast<std::int64_t>(seed % 3),
                             .odd = 0.5,
                             .spoiled = 0.2,
                             .tick_range = seed % 2 == 0 ? 8 : 40};
    cross::RandomHistories random(**specification, shape, seed);
    const History history = random.next();
    if (!linearizable(history, *specification)) continue;
    for (const History& less : weaker(history, **specification)) {
      const std::string label = fmt::format("type {}, seed {}\n{}which knows less than\n{}", GetParam(), seed,
                                            cross::text_of(less), cross::text_of(history));
      ASSERT_TRUE(linearizable(less, *specification)) << label;
      cross::expect_agreement(less, *specification, Ties::concurrent, label);
      if (HasFatalFailure()) return;
      ++weakened;
    }
  }
  EXPECT_GT(weakened, count);
}

INSTANTIATE_TEST_SUITE_P(Random, Weakening, testing::ValuesIn(cross::type_variants()), cross::variant_name);

}  // namespace
}  // namespace linchpin::weakening_test

// Knowing less never refutes: a linearizable history stays linearizable when a result is lost, and when an operation
// that nothing follows in its process never returns, with what it would have returned known or not. By every decider.
//
// LINCHPIN_CROSS_COUNT sets the number of histories a type (default 1,500); a failure prints the seed and the history.
#include <cstdlib>
#include <optional>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cross/agreement.hpp"
#include "cross/random_history.hpp"

namespace linchpin {
namespace {

std::size_t histories_per_type() {
  const char* const given = std::getenv("LINCHPIN_CROSS_COUNT");
  return given == nullptr ? 1'500 : std::strtoull(given, nullptr, 10);
}

/// The history with another result of operation `changed`, which never returns where there is no response.
History with(const History& history, OperationIndex changed, Value result, Tick response) {
  HistoryBuilder builder;
  for (OperationIndex i = 0; i < history.size(); ++i) {
    std::vector<Value> arguments;
    for (const Value argument : history.arguments(i)) {
      arguments.push_back(builder.pool().import(argument, history.pool()));
    }
    builder.add({.process = history.process(i),
                 .method = history.method_name(history.method(i)),
                 .arguments = std::move(arguments),
                 .result = builder.pool().import(i == changed ? result : history.result(i), history.pool()),
                 .call = history.call(i),
                 .response = i == changed ? response : history.response(i)});
  }
  auto built = std::move(builder).build();
  EXPECT_TRUE(built) << built.error().to_string();
  return std::move(*built);
}

/// The histories that know less than this one, by one step.
std::vector<History> weaker(const History& history) {
  std::vector<History> all;
  for (OperationIndex i = 0; i < history.size(); ++i) {
    const Value result = history.result(i);
    if (!result.is_unknown()) all.push_back(with(history, i, Value::unknown(), history.response(i)));
    bool last = !history.pending(i);
    for (OperationIndex k = 0; k < history.size(); ++k) {
      const bool later = history.process(k) == history.process(i) && k != i && history.call(k) >= history.call(i);
      last = last && !later;
    }
    if (!last) continue;
    all.push_back(with(history, i, result, kPending));
    all.push_back(with(history, i, Value::unknown(), kPending));
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
    for (const History& less : weaker(history)) {
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
}  // namespace linchpin

// Witnesses of Java's collections, and what refutes them at once, against the oracle of Java's own specification.
#include "types/juc/collection_search.hpp"

#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "decide/search/search_task.hpp"
#include "support/search_check.hpp"
#include "types/juc/sequences.hpp"

namespace linchpin::types::juc {
namespace {

using test::below;
using test::Draft;
using test::Random;
using Methods = SequenceMethods;

/// All methods of the class, about few values; with the answers of each.
test::Drafter drafter(const Specification& specification, ValuePool& pool, std::int64_t values) {
  std::vector<Value> results{Value::none(), Value::nil(), Value::boolean(true), Value::boolean(false)};
  for (const std::string_view text : {kNoSuchElement, kIllegalState}) results.push_back(pool.string(text));
  for (std::int64_t v = 0; v <= 4; ++v) results.push_back(Value::integer(v));
  for (const std::string_view text : {"[]", "[1]", "[2]", "[1, 2]", "[2, 1]", "[1, 2, 3]", "[2, 3]", "[9]", "1"}) {
    results.push_back(pool.string(text));
  }
  const std::size_t methods = specification.methods().size();
  return [=, &pool, next = std::int64_t{0}](Random& random) mutable {
    Draft draft{.method = static_cast<std::uint16_t>(below(random, methods)), .arguments = {}, .results = results};
    const auto value = [&] {
      next = next % values + 1;
      return Value::integer(next);
    };
    const std::uint16_t m = draft.method;
    if (m >= Methods::kAddAll && m <= Methods::kContainsAll) {
      std::vector<Value> list;
      for (std::size_t i = below(random, 3); i > 0; --i) list.push_back(value());
      draft.arguments = {pool.list(list)};
    } else if (m <= Methods::kPut || m == Methods::kContains || (m >= Methods::kAddFirst && m <= Methods::kOfferLast) ||
               m == Methods::kRemoveFirstOccurrence || m == Methods::kRemoveLastOccurrence ||
               (m == Methods::kRemove && below(random, 2) == 0)) {
      draft.arguments = {value()};
    }
    return draft;
  };
}

class CollectionSearch : public testing::TestWithParam<const char*> {};

TEST_P(CollectionSearch, AgreesWithTheOracle) {
  for (const std::int64_t values : {2, 8}) {
    const auto specification = test::specification_of(GetParam());
    std::size_t refuted = 0;
    test::SearchCheck check{
        .specification = specification,
        .applicable = collection_applicable,
        .decide =
            [&](const history::Subhistory& part, core::Budget& budget) {
              core::Outcome outcome = refute_unheard(part, {}, budget);
              if (outcome.verdict == Verdict::violation) {
                ++refuted;
                EXPECT_FALSE(test::Oracle(*specification).linearizable(history::restrict(part, outcome.core)))
                    << test::to_text(part);
                return outcome;
              }
              // It proves no violation: so it has a few turns.
              const auto search = start_collection(part, {.witness = true});
              if (search->run(20'000, budget)) return search->outcome();
              return decide::searches()[0].decide(part, {.witness = true}, budget);
            },
        .results = {Value::nil(), Value::boolean(true), Value::boolean(false), Value::integer(1), Value::integer(2)}};
    check.random(drafter(*specification, test::sketch_pool(), values), 9, test::random_histories(1500));
    EXPECT_GT(check.applied, test::random_histories(1500) / 2);
    EXPECT_GT(refuted, 0U);
  }
}

INSTANTIATE_TEST_SUITE_P(Classes, CollectionSearch,
                         testing::Values("ConcurrentLinkedQueue", "ArrayBlockingQueue capacity=2",
                                         "LinkedBlockingDeque", "PriorityBlockingQueue"),
                         [](const auto& info) {
                           const std::string name(info.param);
                           return name.substr(0, name.find(' '));
                         });

}  // namespace
}  // namespace linchpin::types::juc

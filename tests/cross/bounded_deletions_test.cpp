// Section 4 of the thesis on registers: a key of a map whose deletions are bounded is a register. Each deletion writes
// a null of its own, the key starts with another, and what finds nothing reads one of them.
//
// Which null a get read that found nothing the thesis does not say: each is tried, so that this is exponential in such
// gets. On random histories the register by the oracle, the map by the oracle and map-removal-monitor, which bounds
// nothing and tries nothing, agree; and so does the thesis's algorithm, where it takes the history.
#include <gtest/gtest.h>

#include "research/value_blocks/decider.hpp"
#include "support/oracle.hpp"
#include "support/sketch.hpp"
#include "support/thoroughness.hpp"
#include "types/cas_register/specification.hpp"
#include "types/map/removal_monitor.hpp"
#include "types/map/specification.hpp"

namespace linchpin::bounded_deletions_test {
namespace {

using namespace test;  // NOLINT: the vocabulary of these tests
using types::CasRegister;
using types::Map;

constexpr std::int64_t kKey = 7, kFirstNull = 100;

/// One key: put and replace of values that nobody else stores, get, and as many deletions at most.
Drafter one_key(Random& random) {
  return [next = std::int64_t{1}, deletions = below(random, 3)](Random& generator) mutable {
    const Value key = Value::integer(kKey);
    std::vector<Value> stored{Value::nil()};
    for (std::int64_t value = 1; value < next; ++value) stored.push_back(Value::integer(value));
    switch (below(generator, 6)) {
      case 0:
      case 1: return Draft{Map::kPut, {key, Value::integer(next++)}, {Value::none()}};
      case 2:
        if (deletions == 0) break;
        --deletions;
        return Draft{Map::kRemove, {key}, {Value::none()}};
      case 3: {
        if (next == 1) break;
        const Value old = stored[1 + below(generator, stored.size() - 1)];
        return Draft{Map::kReplace, {key, old, Value::integer(next++)}, {Value::boolean(true), Value::boolean(false)}};
      }
      default: break;
    }
    return Draft{Map::kGet, {key}, stored};
  };
}

/// The register's history; `nulls` has the null that each get read that found nothing.
Sketch as_register(const Sketch& map, const std::vector<std::int64_t>& nulls) {
  Sketch sketch{{.method = CasRegister::kWrite, .arguments = {Value::integer(kFirstNull)}, .call = -2, .response = -1}};
  std::size_t gets = 0;
  std::int64_t deletions = 0;
  for (const SketchedOperation& operation : map) {
    SketchedOperation made = operation;
    made.arguments.erase(made.arguments.begin());
    switch (operation.method) {
      case Map::kPut: made.method = CasRegister::kWrite; break;
      case Map::kRemove:
        made.method = CasRegister::kWrite;
        made.arguments = {Value::integer(kFirstNull + ++deletions)};
        break;
      case Map::kReplace: made.method = CasRegister::kCas; break;
      default:
        made.method = CasRegister::kRead;
        if (made.result.is_nil()) made.result = Value::integer(nulls[gets++]);
    }
    sketch.push_back(std::move(made));
  }
  return sketch;
}

class Registers {
 public:
  /// Whether some choice of nulls makes a linearizable register.
  bool linearizable(const Sketch& map) {
    const auto count = [&](auto&& of) { return static_cast<std::size_t>(std::count_if(map.begin(), map.end(), of)); };
    const auto nulls =
        static_cast<std::int64_t>(1 + count([](const SketchedOperation& each) { return each.method == Map::kRemove; }));
    std::vector<std::int64_t> chosen(
        count([](const SketchedOperation& each) { return each.method == Map::kGet && each.result.is_nil(); }),
        kFirstNull);
    while (true) {
      if (says_linearizable(build(specification_, as_register(map, chosen)).part)) return true;
      std::size_t digit = 0;
      while (digit < chosen.size() && ++chosen[digit] == kFirstNull + nulls) chosen[digit++] = kFirstNull;
      if (digit == chosen.size()) return false;
    }
  }

  std::size_t by_thesis = 0, registers = 0;

 private:
  bool says_linearizable(const history::Subhistory& part) {
    ++registers;
    const bool truth = oracle_.linearizable(part);
    const core::Decider& thesis = research::value_block_deciders()[0];
    if (thesis.applicable(part).applies) {
      ++by_thesis;
      core::Budget budget{Limits{}};
      const core::Outcome outcome = thesis.decide(part, {.witness = true}, budget);
      const bool accepts = outcome.verdict == Verdict::linearizable && oracle_.valid_witness(part, outcome.witness);
      EXPECT_EQ(accepts, truth) << to_text(part);
    }
    return truth;
  }

  std::shared_ptr<const Specification> specification_ = specification_of("cas-register initial=undefined");
  Oracle oracle_{*specification_};
};

TEST(BoundedDeletions, OfAKeyAreWritesOfARegister) {
  const auto specification = specification_of("map");
  const auto states = specification->make_states();
  Oracle oracle(*specification);
  Registers registers;
  Random random(environment_number("LINCHPIN_CROSS_SEED", 20240614));
  const std::size_t count = random_histories(200'000) / 20;
  std::size_t linearizable = 0, deleted = 0, monitored = 0;
  for (std::size_t drawn = 0; drawn < count && !HasFailure(); ++drawn) {
    if (states->bound() > 100'000) states->retain({});
    const RandomShape shape{.operations = 2 + below(random, 7),
                            .most_open = 1 + below(random, 4),
                            .pending = 0.0,
                            .by_simulation = below(random, 8) != 0};
    Sketch sketch = random_sketch(random, *states, one_key(random), shape);
    if (below(random, 2) == 0) mutate(random, sketch, {Value::nil(), Value::integer(1), Value::integer(2)});
    if (!valid(sketch)) continue;
    const Built built = build(specification, sketch);
    const bool truth = oracle.linearizable(built.part);
    linearizable += truth ? 1 : 0;
    deleted += std::any_of(sketch.begin(), sketch.end(), [](const auto& each) { return each.method == Map::kRemove; });
    EXPECT_EQ(registers.linearizable(sketch), truth) << to_text(built.part);
    if (!types::map::kRemovalMonitor.applicable(built.part).applies) continue;
    core::Budget budget{Limits{}};
    const core::Outcome outcome = types::map::kRemovalMonitor.decide(built.part, {.witness = false}, budget);
    if (outcome.verdict == Verdict::unknown) continue;
    ++monitored;
    EXPECT_EQ(outcome.verdict == Verdict::linearizable, truth) << to_text(built.part);
  }
  if (thorough()) {
    std::printf(
        "bounded deletions: %zu histories, %zu linearizable, %zu with deletions, %zu by map-removal-monitor, %zu "
        "registers, %zu by value-blocks\n",
        count, linearizable, deleted, monitored, registers.registers, registers.by_thesis);
  }
  EXPECT_GT(linearizable, count / 4);
  EXPECT_LT(linearizable, count);
  EXPECT_GT(deleted, count / 4);
  EXPECT_GT(monitored, count / 2);
  EXPECT_GT(registers.by_thesis, count / 4);
}

}  // namespace
}  // namespace linchpin::bounded_deletions_test

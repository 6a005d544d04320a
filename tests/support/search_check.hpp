// Holds a search of a type against the oracle on random histories: the verdict, every witness, every core, and that
// what was called before the response that it could not pass is refuted on its own. A core is not asked of it.
//
// Some histories have promised results of pending operations, results that were lost, answers of a kind that nobody
// asked for, clients that call again, events at the same time, another object, or nothing in them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "support/cross_check.hpp"
#include "support/thoroughness.hpp"

namespace linchpin::test {

struct SearchCheck {
  std::shared_ptr<const Specification> specification;
  std::function<core::Applicability(const history::Subhistory&)> applicable;
  std::function<core::Outcome(const history::Subhistory&, core::Budget&)> decide;  ///< with a witness
  std::vector<Value> results;                                                      ///< for mutations
  std::optional<SketchedOperation> beside = std::nullopt;  ///< what cannot matter, and `many` of it open all the time
  std::size_t many = 0;
  std::size_t drawn = 0, applied = 0, linearizable = 0;
  std::size_t cores = 0, core_sizes = 0;

  /// `random_histories(count)` histories of up to `most` operations.
  void random(const Drafter& drafter, std::size_t most, std::size_t count) {
    Oracle oracle(*specification);
    const auto states = specification->make_states();
    Random random(environment_number("LINCHPIN_CROSS_SEED", 7));
    drawn = count = random_histories(count);
    applied = linearizable = cores = core_sizes = 0;
    nothing();
    for (std::size_t i = 0; i < count; ++i) {
      if (states->bound() > 100'000) states->retain({});
      Sketch sketch = random_sketch(random, *states, drafter,
                                    {.operations = 1 + below(random, most),
                                     .most_open = 1 + below(random, 5),
                                     .pending = std::array{0.0, 0.1, 0.3}[below(random, 3)],
                                     .by_simulation = below(random, 8) != 0,
                                     .processes = below(random, 4) == 0 ? 1 + below(random, 4) : 0,
                                     .promised = std::array{0.0, 0.0, 0.5}[below(random, 3)],
                                     .lost = std::array{0.0, 0.0, 0.0, 0.15}[below(random, 4)]});
      if (below(random, 2) == 0) mutate(random, sketch, results, below(random, 4) == 0);
      if (!beside && below(random, 4) == 0) tie(sketch);
      if (!valid(sketch) || !takes(*specification, sketch)) continue;
      const Built built = build(specification, sketch, !beside && below(random, 8) == 0);
      const Built asked = beside ? build(specification, with_others_open(sketch)) : Built{};
      const history::Subhistory& part = beside ? asked.part : built.part;
      if (!applicable(part).applies) continue;
      ++applied;
      core::Budget budget{Limits{}};
      const core::Outcome outcome = decide(part, budget);
      const bool truth = oracle.linearizable(built.part);
      ASSERT_EQ(outcome.verdict, truth ? Verdict::linearizable : Verdict::violation) << to_text(built.part);
      linearizable += truth ? 1 : 0;
      if (truth) {
        ASSERT_TRUE(oracle.valid_witness(part, outcome.witness)) << to_text(built.part);
        continue;
      }
      if (!outcome.core.empty() && !beside) {
        ASSERT_TRUE(std::is_sorted(outcome.core.begin(), outcome.core.end())) << to_text(built.part);
        ASSERT_FALSE(oracle.linearizable(history::restrict(built.part, outcome.core)))
            << to_text(built.part) << testing::PrintToString(outcome.core) << outcome.sentence;
        core_sizes += outcome.core.size();
        ++cores;
      }
      if (outcome.blocked && *outcome.blocked >= many) {
        const auto blocked = static_cast<std::uint32_t>(*outcome.blocked - many);  // the others come first
        std::vector<std::uint32_t> before;
        for (std::uint32_t local = 0; local < built.part.size(); ++local) {
          if (built.part.call[local] < built.part.response[blocked]) before.push_back(local);
        }
        ASSERT_FALSE(oracle.linearizable(history::restrict(built.part, before))) << to_text(built.part);
      }
    }
    if (thorough()) {
      std::printf("%s: %zu of %zu histories, %zu linearizable, %zu cores of %zu operations together\n",
                  std::string(specification->name()).c_str(), applied, count, linearizable, cores, core_sizes);
    }
    EXPECT_GT(linearizable, applied / 20);
    EXPECT_LT(linearizable, applied - applied / 20);
  }

 private:
  /// A history in which nothing was done.
  void nothing() const {
    const Built built =
        build(specification, {{.method = 0,
                               .arguments = std::vector(specification->methods()[0].least, Value::integer(1)),
                               .result = Value::unknown()}});
    const history::Subhistory empty = history::restrict(built.part, {});
    core::Budget budget{Limits{}};
    if (!applicable(empty).applies) return;
    const core::Outcome outcome = decide(empty, budget);
    EXPECT_EQ(outcome.verdict, Verdict::linearizable);
    EXPECT_TRUE(outcome.witness.empty());
  }

  /// The others are called first and return last, if they do.
  [[nodiscard]] Sketch with_others_open(Sketch sketch) const {
    Tick end = 0;
    for (SketchedOperation& operation : sketch) {
      operation.call += static_cast<Tick>(many);
      if (operation.response != kPending) operation.response += static_cast<Tick>(many);
      end = std::max({end, operation.call, operation.response == kPending ? Tick{0} : operation.response});
    }
    Sketch all;
    for (std::size_t i = 0; i < many; ++i) {
      all.push_back(*beside);
      all.back().call = static_cast<Tick>(i);
      if (all.back().response != kPending) all.back().response = end + 1 + static_cast<Tick>(i);
    }
    all.insert(all.end(), sketch.begin(), sketch.end());
    return all;
  }
};

}  // namespace linchpin::test

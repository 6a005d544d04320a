// Holds a search of a type against the oracle on random histories: the verdict, every witness, and that what was called
// before the response that it could not pass is refuted on its own. A core is not asked of it.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>

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
  std::size_t applied = 0;

  /// `count` histories of up to `most` operations (LINCHPIN_CROSS_COUNT instead, where it is set).
  void random(const Drafter& drafter, std::size_t most, std::size_t count) {
    Oracle oracle(*specification);
    const auto states = specification->make_states();
    Random random(environment_number("LINCHPIN_CROSS_SEED", 7));
    count = environment_number("LINCHPIN_CROSS_COUNT", count);
    std::size_t linearizable = 0;
    applied = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (states->bound() > 100'000) states->retain({});
      Sketch sketch = random_sketch(random, *states, drafter,
                                    {.operations = 1 + below(random, most),
                                     .most_open = 1 + below(random, 5),
                                     .pending = std::array{0.0, 0.1, 0.3}[below(random, 3)],
                                     .by_simulation = below(random, 8) != 0});
      if (below(random, 2) == 0) mutate(random, sketch, results);
      if (!std::all_of(sketch.begin(), sketch.end(), [](const auto& o) { return o.call < o.response; })) continue;
      const Built built = build(specification, sketch);
      const Built asked = beside ? build(specification, with_others_open(sketch)) : build(specification, sketch);
      if (!applicable(asked.part).applies) continue;
      ++applied;
      core::Budget budget{Limits{}};
      const core::Outcome outcome = decide(asked.part, budget);
      const bool truth = oracle.linearizable(built.part);
      ASSERT_EQ(outcome.verdict, truth ? Verdict::linearizable : Verdict::violation) << to_text(built.part);
      linearizable += truth ? 1 : 0;
      if (truth) {
        ASSERT_TRUE(oracle.valid_witness(asked.part, outcome.witness)) << to_text(built.part);
      } else if (outcome.blocked && *outcome.blocked >= many) {
        const auto blocked = static_cast<std::uint32_t>(*outcome.blocked - many);  // the others come first
        std::vector<std::uint32_t> before;
        for (std::uint32_t local = 0; local < built.part.size(); ++local) {
          if (built.part.call[local] < built.part.response[blocked]) before.push_back(local);
        }
        ASSERT_FALSE(oracle.linearizable(history::restrict(built.part, before))) << to_text(built.part);
      }
    }
    EXPECT_GT(linearizable, applied / 20);
    EXPECT_LT(linearizable, applied - applied / 20);
  }

 private:
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

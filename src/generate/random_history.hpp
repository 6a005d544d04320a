// Histories with random times and results, labelled by the checker: linearizable or not as chance has it.
//
// The generator of section 3.1 of Mark Daychman, "Linearization of Concurrent Data Structures" (thesis, École
// Polytechnique 2023), for any type: operations are given random
// processes and arguments; each begins a random offset after the one before it on its process and lasts a random
// duration; results are random as well. Histories are drawn until one has the wanted label, so that a batch has exactly
// the wanted share of linearizable ones. Deviations: ticks are integers on a grid of a tenth, ties are concurrent and
// therefore harmless; results that no operation could return are not drawn, since they only make refuting trivial.
// Tests: generate_test.cpp.
#pragma once

#include <cstdint>
#include <utility>

#include "generate/plan.hpp"
#include "generate/random.hpp"
#include "linchpin/error.hpp"
#include "linchpin/history.hpp"
#include "linchpin/limits.hpp"

namespace linchpin::generate {

struct RandomPlan {
  Plan plan;                                  ///< type, operations, processes, values, keys, mix, seed
  std::pair<double, double> duration{1, 10};  ///< least and most
  std::pair<double, double> offset{0, 10};    ///< least and most
  std::uint32_t histories = 1;
  std::optional<double> linearizable;  ///< share; unset: as chance has it
};

/// Yields the histories one by one.
class RandomHistories {
 public:
  explicit RandomHistories(const RandomPlan& plan) : plan_(plan), random_(plan.plan.seed) {}

  /// The next history, with the label that keeps the share. Error: unsupported, when all that are drawn within the
  /// limits' time have the other label or cannot be decided; interrupted.
  [[nodiscard]] Result<History> next(const Limits& limits);

 private:
  [[nodiscard]] Result<History> draw();

  RandomPlan plan_;
  Random random_;
  std::uint32_t given_ = 0;
  std::uint32_t linearizable_ = 0;
};

}  // namespace linchpin::generate

// Fits steps that change nothing into an order of all that do (algo/chains.hpp).
//
// Each step is placed as early as possible: after all that has returned, and, if it must not see the value that is
// there, when that is overwritten. This is greedy. It is right in the orders that algo/differing_steps.hpp makes for
// steps that are known to fit; for others it may fail although another order would do. Cost O(n log n).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algo/value_number.hpp"
#include "history/subhistory.hpp"

namespace linchpin::algo {

struct LateStep {
  std::uint32_t operation = 0;
  bool differs = false;   ///< needs a defined value other than `value`; else anything will do
  ValueNumber value = 0;  ///< none: one that is never there
};

/// Puts the steps into `order`; false, and the order is as it was, where one does not fit.
/// @param produced  by operation: the value it writes, or none; the initial value is 0
/// @param steps     by call
[[nodiscard]] bool fit_steps(const history::Subhistory& part, std::span<const ValueNumber> produced,
                             bool initial_defined, std::span<const LateStep> steps, std::vector<std::uint32_t>& order);

}  // namespace linchpin::algo

// Checks evidence before it is an answer: a witness is executed, a core is decided again, by code that shares
// nothing with the decider (src/evidence/), as long as it has time for it. An answer whose evidence does not hold is
// taken back, and another method decides.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/budget.hpp"
#include "decide/units.hpp"
#include "evidence/witness.hpp"
#include "linchpin/check.hpp"

namespace linchpin {

/// Examines the verdicts on a history's objects, one after the other.
class Examiner {
 public:
  Examiner(const History& history, const CheckOptions& options, core::Budget& budget);

  /// Why the evidence does not hold; nothing where it does, there is none, or the budget ended first. Sets
  /// `witness_checked` and `core_checked`.
  [[nodiscard]] std::optional<std::string> examine(ObjectVerdict& verdict, const Specification& specification);

  /// Takes back the answers of those `units` of the object that the refused evidence came from. False where each of
  /// them holds by itself: then it was wrong to decide them apart.
  [[nodiscard]] bool take_back(const ObjectVerdict& refused, const Specification& specification,
                               std::span<decide::Unit> units);

 private:
  [[nodiscard]] std::optional<std::string> examine_core(const Violation& violation, ObjectIndex object,
                                                        const Specification& specification,
                                                        std::optional<bool>& checked);
  [[nodiscard]] bool holds(const decide::Unit& unit, const Specification& specification);
  /// How many seconds a witness may take once many states are possible.
  [[nodiscard]] double for_states() const;

  const History& history_;
  const CheckOptions& options_;
  core::Budget& budget_;
  evidence::WitnessChecker witnesses_;
};

}  // namespace linchpin

// Re-checks a witness: independent of every decider.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/budget.hpp"
#include "linchpin/history.hpp"
#include "linchpin/limits.hpp"
#include "linchpin/specification_interface.hpp"
#include "linchpin/verdict.hpp"

namespace linchpin::evidence {

/// Checks the witnesses of a history's objects, one after the other.
class WitnessChecker {
 public:
  WitnessChecker(const History& history, Ties ties);

  /// Why `witness` is no linearization of the object's operations; empty when it is one. It is one iff
  /// (1) each operation of the object is in `order` once, or is pending and in `omitted`;
  /// (2) no operation stands after one that it happens before;
  /// (3) the specification, run in that order from its initial state, accepts every operation (a nondeterministic or
  ///     unknown step may be resolved in any way that lets the rest succeed).
  /// Reads ticks, not ranks. One pass over the order; O(n) steps of the specification where it is deterministic, else
  /// one for each state that is possible, which may be exponentially many.
  /// Nothing where the budget is spent first, or so many seconds since many states were possible: then the witness is
  /// neither refuted nor confirmed.
  [[nodiscard]] std::optional<std::string> refute(ObjectIndex object, const Specification& specification,
                                                  const Witness& witness, core::Budget& budget, double seconds = 1e9);

 private:
  [[nodiscard]] bool meet(OperationIndex i, ObjectIndex object);
  [[nodiscard]] std::string not_met(OperationIndex i, ObjectIndex object) const;

  const History& history_;
  Ties ties_;
  std::vector<std::size_t> operations_;  // by object: how many there are
  std::vector<bool> begun_;              // by object: whether a witness of it was looked at
  std::vector<bool> met_;                // by operation
};

/// One witness, without limits.
[[nodiscard]] std::string refute_witness(const History& history, ObjectIndex object, const Specification& specification,
                                         const Witness& witness, Ties ties);

}  // namespace linchpin::evidence

#include "evidence/witness.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "evidence/semantics.hpp"

namespace linchpin::evidence {

WitnessChecker::WitnessChecker(const History& history, Ties ties)
    : history_(history),
      ties_(ties),
      operations_(history.objects().size(), 0),
      begun_(history.objects().size(), false),
      met_(history.size(), false) {
  if (operations_.size() == 1) {
    operations_[0] = history.size();
  } else {
    for (OperationIndex i = 0; i < history.size(); ++i) ++operations_[history.object(i)];
  }
}

/// Whether the operation is one of the object's and is met for the first time.
bool WitnessChecker::meet(OperationIndex i, ObjectIndex object) {
  if (i >= met_.size() || history_.object(i) != object || met_[i]) return false;
  met_[i] = true;
  return true;
}

std::string WitnessChecker::not_met(OperationIndex i, ObjectIndex object) const {
  const bool own = i < met_.size() && history_.object(i) == object;
  return fmt::format("operation {} {}", i, own ? "is there twice" : "is not of this object");
}

std::optional<std::string> WitnessChecker::refute(ObjectIndex object, const Specification& specification,
                                                  const Witness& witness, core::Budget& budget) {
  if (begun_[object]) {
    for (OperationIndex i = 0; i < met_.size(); ++i) {
      if (history_.object(i) == object) met_[i] = false;
    }
  }
  begun_[object] = true;
  const Binding binding(history_, specification);
  const auto replay = specification.make_replay();
  // An operation violates happens-before iff it responded before some call that stands earlier in the order.
  bool any = false;
  Tick latest_call = 0;
  for (const OperationIndex i : witness.order) {
    if (budget.spent()) return std::nullopt;
    if (!meet(i, object)) return not_met(i, object);
    if (any && ended_before(history_, i, latest_call, ties_)) {
      return fmt::format("operation {} stands after one that was called after its response", i);
    }
    latest_call = any ? std::max(latest_call, history_.call(i)) : history_.call(i);
    any = true;
    if (!replay->step(binding.view(i))) {
      return fmt::format("operation {}, {}, is illegal where it stands", i, history_.describe(i));
    }
  }
  for (const OperationIndex i : witness.omitted) {
    if (!meet(i, object)) return not_met(i, object);
    if (!history_.pending(i)) return fmt::format("operation {} returned but is left out", i);
  }
  if (witness.order.size() + witness.omitted.size() == operations_[object]) return std::string();
  for (OperationIndex i = 0; i < met_.size(); ++i) {
    if (history_.object(i) == object && !met_[i]) return fmt::format("operation {} is missing", i);
  }
  return std::string();
}

std::string refute_witness(const History& history, ObjectIndex object, const Specification& specification,
                           const Witness& witness, Ties ties) {
  core::Budget unlimited{Limits{}};
  return WitnessChecker(history, ties).refute(object, specification, witness, unlimited).value_or("");
}

}  // namespace linchpin::evidence

#include "evidence/witness.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include <fmt/format.h>

#include "evidence/semantics.hpp"

namespace linchpin::evidence {

namespace {

/// So many operations are looked up before they are executed.
constexpr std::size_t kBlock = 32;

}  // namespace

WitnessChecker::WitnessChecker(const History& history, Ties ties)
    : history_(history),
      ties_(ties),
      operations_(history.objects().size(), 0),
      begun_(history.objects().size(), false),
      met_(history.size(), false) {
  if (operations_.size() == 1) {
    operations_[0] = history.size();
  } else {
    for (OperationIndex i = 0; i < history.size(); ++i) ++operations_[history.object(i).number()];
  }
}

/// Whether the operation is one of the object's and is met for the first time.
bool WitnessChecker::meet(OperationIndex i, ObjectIndex object) {
  if (!(i < met_.size()) || history_.object(i) != object || met_[i.number()]) return false;
  met_[i.number()] = true;
  return true;
}

std::string WitnessChecker::not_met(OperationIndex i, ObjectIndex object) const {
  const bool own = i < met_.size() && history_.object(i) == object;
  return fmt::format("operation {} {}", i.number(), own ? "is there twice" : "is not of this object");
}

std::optional<std::string> WitnessChecker::refute(ObjectIndex object, const Specification& specification,
                                                  const Witness& witness, core::Budget& budget, double seconds) {
  if (begun_[object.number()]) {
    for (OperationIndex i = 0; i < met_.size(); ++i) {
      if (history_.object(i) == object) met_[i.number()] = false;
    }
  }
  begun_[object.number()] = true;
  const Binding binding(history_, specification);
  const auto replay = specification.make_replay();
  std::optional<core::Budget> of_states;  // from the first time that they are many
  bool gave_up = false;
  replay->end_when([&] {
    if (!of_states) of_states.emplace(budget, seconds);
    return gave_up = gave_up || of_states->spent();
  });
  // An operation violates happens-before iff it responded before some call that stands earlier in the order.
  Tick latest_call = std::numeric_limits<Tick>::min();
  std::array<Operation, kBlock> block;
  const std::span<const OperationIndex> order(witness.order);
  for (std::size_t begin = 0; begin < order.size(); begin += kBlock) {
    std::string misplaced;  // why the block ends early
    std::size_t size = 0;
    for (const OperationIndex i : order.subspan(begin, std::min(kBlock, order.size() - begin))) {
      if (budget.spent()) return std::nullopt;
      if (!meet(i, object)) {
        misplaced = not_met(i, object);
      } else if (ended_before(history_, i, latest_call, ties_)) {
        misplaced = fmt::format("operation {} stands after one that was called after its response", i.number());
      }
      if (!misplaced.empty()) break;
      latest_call = std::max(latest_call, history_.call(i));
      block[size++] = binding.view(i);
    }
    const std::size_t legal = replay->steps({block.data(), size});
    if (gave_up) return std::nullopt;
    if (legal < size) {
      const OperationIndex illegal = order[begin + legal];
      return fmt::format("operation {}, {}, is illegal where it stands", illegal.number(), history_.describe(illegal));
    }
    if (!misplaced.empty()) return misplaced;
  }
  for (const OperationIndex i : witness.omitted) {
    if (!meet(i, object)) return not_met(i, object);
    if (!history_.pending(i)) return fmt::format("operation {} returned but is left out", i.number());
  }
  if (witness.order.size() + witness.omitted.size() == operations_[object.number()]) return std::string();
  for (OperationIndex i = 0; i < met_.size(); ++i) {
    if (history_.object(i) == object && !met_[i.number()]) return fmt::format("operation {} is missing", i.number());
  }
  return std::string();
}

std::string refute_witness(const History& history, ObjectIndex object, const Specification& specification,
                           const Witness& witness, Ties ties) {
  core::Budget unlimited{Limits{}};
  return WitnessChecker(history, ties).refute(object, specification, witness, unlimited).value_or("");
}

}  // namespace linchpin::evidence

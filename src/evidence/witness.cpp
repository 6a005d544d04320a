#include "evidence/witness.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "evidence/semantics.hpp"

namespace linchpin::evidence {

namespace {

std::string refute_membership(const History& history, ObjectIndex object, const Witness& witness) {
  std::vector<std::uint8_t> seen(history.size(), 0);
  const auto refute_list = [&](std::span<const OperationIndex> list) -> std::string {
    for (const OperationIndex i : list) {
      if (i >= history.size() || history.object(i) != object)
        return fmt::format("operation {} is not of this object", i);
      if (seen[i]++ != 0) return fmt::format("operation {} is there twice", i);
    }
    return {};
  };
  if (std::string why = refute_list(witness.order); !why.empty()) return why;
  if (std::string why = refute_list(witness.omitted); !why.empty()) return why;
  for (const OperationIndex i : witness.omitted) {
    if (!history.pending(i)) return fmt::format("operation {} returned but is left out", i);
  }
  for (OperationIndex i = 0; i < history.size(); ++i) {
    if (history.object(i) == object && seen[i] == 0) return fmt::format("operation {} is missing", i);
  }
  return {};
}

}  // namespace

std::string refute_witness(const History& history, ObjectIndex object, const Specification& specification,
                           const Witness& witness, Ties ties) {
  if (std::string why = refute_membership(history, object, witness); !why.empty()) return why;
  // An operation violates happens-before iff it responded before some call that stands earlier in the order.
  bool any = false;
  Tick latest_call = 0;
  for (const OperationIndex i : witness.order) {
    if (any && ended_before(history, i, latest_call, ties)) {
      return fmt::format("operation {} stands after one that was called after its response", i);
    }
    latest_call = any ? std::max(latest_call, history.call(i)) : history.call(i);
    any = true;
  }
  const Binding binding(history, specification);
  const auto replay = specification.make_replay();
  for (const OperationIndex i : witness.order) {
    if (!replay->step(binding.view(i))) {
      return fmt::format("operation {}, {}, is illegal where it stands", i, history.describe(i));
    }
  }
  return {};
}

}  // namespace linchpin::evidence

// If an operation found a value missing, all values equal to it were missing at one moment. A lift cannot express this
// with names, so such a value may be added only once.
#include "types/bag/lift.hpp"

#include <fmt/format.h>

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include "types/answers.hpp"
#include "types/bag/specification.hpp"

namespace linchpin::types::bag {

namespace {

/// What the operation did; false where that is not certain.
bool read_act(const Operation& operation, bool pending, core::LiftAct& act) {
  const Value result = operation.result;
  const bool lost = operation.result_unknown();
  switch (operation.method) {
    case Bag::kAdd:
      act = {.role = core::LiftRole::adds, .value = operation.argument(0), .by_argument = true};
      return operation.acknowledged(0) && !act.value.is_nil() && !act.value.is_unknown() && !act.value.is_none();
    case Bag::kRemove:
      act = {.role = core::LiftRole::takes, .value = operation.argument(0), .by_argument = true};
      if (says_false(operation)) act.role = pending ? core::LiftRole::dropped : core::LiftRole::misses;
      return act.role != core::LiftRole::takes || says_true(operation) || (pending && lost);
    case Bag::kTake:
      if (result.is_nil()) {
        act.role = pending ? core::LiftRole::dropped : core::LiftRole::finds_empty;
      } else {
        act = {.role = core::LiftRole::takes, .value = result};
      }
      return !result.is_none();
    case Bag::kClear: return false;
    default: break;
  }
  if (pending) return true;  // dropped: it only looks
  if (operation.method == Bag::kContains) {
    act = {.role = says_true(operation) ? core::LiftRole::looks : core::LiftRole::misses,
           .value = operation.argument(0),
           .by_argument = true};
    return says_true(operation) || says_false(operation);
  }
  act.role = core::LiftRole::finds_empty;
  return !lost && (operation.method == Bag::kIsEmpty ? says_true(operation) : returns_number(operation, 0));
}

}  // namespace

core::LiftHistory read_lift(const history::Subhistory& part) {
  if (part.specification->get_if<Bag>() == nullptr) return {.obstacle = "not a bag", .other_type = true};
  core::LiftHistory read{.added = "added", .taken = "removed"};
  read.acts.resize(part.size());
  absl::flat_hash_set<std::uint64_t> missed;
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    core::LiftAct& act = read.acts[i];
    if (!read_act(part.view(i), part.pending(i), act)) {
      read.obstacle =
          fmt::format("{} does not tell what it did to which value", part.history->describe(part.operation[i]));
      return read;
    }
    if (act.role == core::LiftRole::misses) missed.insert(act.value.bits());
  }
  absl::flat_hash_map<std::uint64_t, std::uint32_t> added;
  for (const core::LiftAct& act : read.acts) {
    if (act.role != core::LiftRole::adds || !missed.contains(act.value.bits())) continue;
    if (++added[act.value.bits()] == 2) {
      read.obstacle = fmt::format("value {} is added twice, and something found it missing",
                                  part.history->pool().to_text(act.value));
    }
  }
  return read;
}

}  // namespace linchpin::types::bag

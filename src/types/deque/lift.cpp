// The first guess of which equal value is meant is the one nearest to the end at which the operation is. Oldest and
// newest say little where values come and go at both ends.
#include "types/deque/lift.hpp"

#include <fmt/format.h>

#include "types/deque/specification.hpp"

namespace linchpin::types::deque {

namespace {

/// Reads one operation; returns why it cannot be read, or nothing.
std::string_view read_act(const Operation& operation, bool pending, core::LiftAct& act) {
  const Value result = operation.result;
  const std::uint16_t method = operation.method;
  if (method <= Deque::kPushBack) {
    act = {.role = core::LiftRole::adds,
           .value = operation.argument(0),
           .by_argument = true,
           .at_front = method == Deque::kPushFront};
    if (act.value.is_nil() || act.value.is_unknown() || act.value.is_none()) {
      return "adds nothing that a result can name";
    }
    return operation.acknowledged(0) ? "" : "has a result that is no acknowledgement";
  }
  const bool pops = method <= Deque::kPopBack;
  const bool at_front = method == Deque::kPopFront || method == Deque::kPeekFront;
  if (pops && result.is_unknown()) {
    act = {.role = core::LiftRole::takes, .value = result, .at_front = at_front};
  } else if (pending && (!pops || result.is_nil())) {
    act.role = core::LiftRole::dropped;
  } else if (result.is_unknown() || result.is_none()) {
    return "has lost its result";
  } else if (method >= Deque::kSize) {
    act.role = core::LiftRole::finds_empty;
    const bool nothing = method == Deque::kSize ? returns_number(operation, 0) : says_true(operation);
    if (!nothing) return "says how many values there are";
  } else if (result.is_nil()) {
    act.role = core::LiftRole::finds_empty;
  } else {
    act = {.role = pops ? core::LiftRole::takes : core::LiftRole::looks, .value = result, .at_front = at_front};
  }
  return "";
}

}  // namespace

core::LiftHistory read_lift(const history::Subhistory& part) {
  if (part.specification->get_if<Deque>() == nullptr) return {.obstacle = "not a deque", .other_type = true};
  core::LiftHistory read{.first_guess = core::LiftGuess::nearest, .added = "pushed", .taken = "popped"};
  read.acts.resize(part.size());
  for (std::uint32_t i = 0; i < part.size() && read.obstacle.empty(); ++i) {
    const std::string_view why = read_act(part.view(i), part.pending(i), read.acts[i]);
    if (!why.empty()) read.obstacle = fmt::format("{} {}", part.history->describe(part.operation[i]), why);
  }
  return read;
}

}  // namespace linchpin::types::deque

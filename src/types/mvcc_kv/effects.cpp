#include "types/mvcc_kv/effects.hpp"

#include <algorithm>

namespace linchpin::types::mvcc_kv {

namespace {

/// The first revision is there from the beginning, and the second one puts something: there is nothing to delete.
constexpr std::int64_t kFirstPut = 2, kFirstDelete = 3;

Sure deletes(Value told) {
  if (told.is_nil()) return Sure::maybe;
  return told == Value::integer(0) ? Sure::no : Sure::yes;
}

Sure sure_of(const Act& act, Value result) {
  switch (act.verb) {
    case Verb::put: return act.lease.is_nil() ? Sure::yes : Sure::maybe;
    case Verb::erase: return deletes(result);
    default: return Sure::no;
  }
}

/// Of the acts of one branch: whether one of them changes something.
Sure branch_makes(const Operation& operation, const Answer& answer, bool success) {
  Answer taken = answer;
  const Value told[] = {Value::boolean(success), answer.at(1)};
  taken.rest = told;
  Sure sure = Sure::no;
  for_each_act(operation, taken, [&](const Act& act, Value result) { sure = std::max(sure, sure_of(act, result)); });
  return sure;
}

Sure makes_revision(const Operation& operation, const Answer& answer) {
  if (operation.method == kPut && !answer.rest.empty()) return Sure::yes;  // what was before is told
  Sure sure = Sure::no;
  if (branch_is_open(operation, answer)) {
    const Sure success = branch_makes(operation, answer, true), failure = branch_makes(operation, answer, false);
    sure = success == failure ? success : Sure::maybe;
  } else {
    for_each_act(operation, answer, [&](const Act& act, Value result) { sure = std::max(sure, sure_of(act, result)); });
  }
  bool puts = false;
  for_each_act(operation, answer, [&](const Act& act, Value) { puts = puts || act.verb == Verb::put; });
  return answer.revision && *answer.revision < (puts ? kFirstPut : kFirstDelete) ? Sure::no : sure;
}

}  // namespace

Effect effect_of(const Operation& operation) {
  const Answer answer = answer_of(operation);
  Effect effect;
  if (!answer.executed()) return effect;
  switch (operation.method) {
    case kRange:
    case kDefragment: break;
    case kGrant: effect.changes_leases = answer.kind == Answer::Kind::unknown ? Sure::maybe : Sure::yes; break;
    case kRevoke:
      effect.makes_revision = answer.revision && *answer.revision < kFirstDelete ? Sure::no : Sure::maybe;
      effect.changes_leases = Sure::maybe;
      break;
    case kCompact:
      if (operation.pool->integer_of(operation.argument(0)) <= 0) break;  // they are gone from the beginning
      effect.compacts = answer.kind == Answer::Kind::unknown ? Sure::maybe : Sure::yes;
      break;
    default: effect.makes_revision = makes_revision(operation, answer); break;
  }
  return effect;
}

}  // namespace linchpin::types::mvcc_kv

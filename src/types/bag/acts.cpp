#include "types/bag/acts.hpp"

#include <array>

#include "types/answers.hpp"
#include "types/bag/specification.hpp"
#include "types/usual_acts.hpp"

namespace linchpin::types::bag {

namespace {

/// What only looks, and says whether what it looks for is there.
Act answer(const Operation& operation, bool pending, const Act& yes, const Act& no) {
  if (pending) return {.kind = ActKind::omitted};
  if (operation.result_unknown()) return {.kind = ActKind::free};
  if (says_true(operation)) return yes;
  return says_false(operation) ? no : Act{.kind = ActKind::never};
}

}  // namespace

Act act_of(const Operation& operation, bool pending) {
  constexpr Act kEmpty{.kind = ActKind::empty};
  switch (operation.method) {
    case Bag::kAdd:
      if (!operation.acknowledged(0)) return {.kind = ActKind::never};
      return {.kind = ActKind::add, .value = operation.argument(0)};
    case Bag::kRemove: {
      const bool did = says_true(operation) || (pending && operation.result_unknown());
      if (did) return {.kind = ActKind::take, .value = operation.argument(0)};
      if (!says_false(operation)) return {.kind = operation.acknowledged(0) ? ActKind::unclear : ActKind::never};
      if (pending) return {.kind = ActKind::omitted};
      return {.kind = ActKind::missing, .value = operation.argument(0)};
    }
    case Bag::kTake:
      if (operation.result_unknown()) return {.kind = ActKind::lost_take};
      if (operation.result.is_nil()) return pending ? Act{.kind = ActKind::omitted} : kEmpty;
      if (operation.result.is_none()) return {.kind = ActKind::never};
      return {.kind = ActKind::take, .value = operation.result};
    case Bag::kContains:
      return answer(operation, pending, {.kind = ActKind::look, .value = operation.argument(0)},
                    {.kind = ActKind::missing, .value = operation.argument(0)});
    case Bag::kSize: {
      if (pending) return {.kind = ActKind::omitted};
      if (operation.result_unknown()) return {.kind = ActKind::free};
      if (!is_integer(operation.result)) return {.kind = ActKind::never};
      const std::int64_t number = operation.pool->integer_of(operation.result);
      return number == 0 ? kEmpty : Act{.kind = ActKind::count, .least = number, .most = number};
    }
    case Bag::kIsEmpty:
      return answer(operation, pending, kEmpty, {.kind = ActKind::count, .least = 1, .most = history::kAnyNumber});
    default: return {.kind = ActKind::unclear};
  }
}

history::Acts read_acts(const history::Subhistory& part) {
  std::array<UsualAct, Bag::methods.size()> usual{};
  usual[Bag::kAdd] = {.kind = ActKind::add};
  usual[Bag::kTake] = {.kind = ActKind::take};
  return read_usual_acts(part, usual, false, act_of);
}

}  // namespace linchpin::types::bag

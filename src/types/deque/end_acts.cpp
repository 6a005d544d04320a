#include "types/deque/end_acts.hpp"

#include <fmt/format.h>

#include "algo/dense_values.hpp"
#include "types/deque/specification.hpp"

namespace linchpin::types::deque {

namespace {

using Kind = EndAct::Kind;

/// The act and the value that it is about, which has no number yet; none: no value.
struct Read {
  EndAct act;
  Value value = Value::none();
};

static_assert(Deque::kPushBack % 2 == 1 && Deque::kPopBack % 2 == 1 && Deque::kPeekBack % 2 == 1);

EndAct of_size(const Operation& operation) {
  if (!is_integer(operation.result)) return {};
  const std::int64_t told = operation.pool->integer_of(operation.result);
  if (told == 0) return {.kind = Kind::empty};
  if (told < 0 || told > std::int64_t{UINT32_MAX}) return {};
  return {.kind = Kind::size, .size = static_cast<std::uint32_t>(told)};
}

Read read(const Operation& operation) {
  const End end = operation.method % 2;
  switch (operation.method) {
    case Deque::kPushFront:
    case Deque::kPushBack:
      if (!operation.acknowledged(0)) return {.act = {}, .value = operation.argument(0)};
      return {.act = {.kind = Kind::push, .end = end}, .value = operation.argument(0)};
    case Deque::kPopFront:
    case Deque::kPopBack:
      if (operation.result_unknown()) return {.act = {.kind = Kind::pop_any, .end = end}};
      if (operation.result.is_nil()) return {.act = {.kind = Kind::empty}};
      if (operation.result.is_none()) return {};
      return {.act = {.kind = Kind::pop, .end = end}, .value = operation.result};
    default: break;
  }
  if (operation.result_unknown()) return {.act = {.kind = Kind::free}};
  switch (operation.method) {
    case Deque::kPeekFront:
    case Deque::kPeekBack:
      if (operation.result.is_nil()) return {.act = {.kind = Kind::empty}};
      if (operation.result.is_none()) return {};
      return {.act = {.kind = Kind::look, .end = end}, .value = operation.result};
    case Deque::kSize: return {.act = of_size(operation)};
    default:
      if (says_true(operation)) return {.act = {.kind = Kind::empty}};
      return {.act = {.kind = says_false(operation) ? Kind::nonempty : Kind::never}};
  }
}

}  // namespace

EndActs read_end_acts(const history::Subhistory& part) {
  EndActs acts;
  std::vector<Value> value(part.size());
  algo::DenseValues numbers;
  for (std::uint32_t local = 0; local < part.size(); ++local) {
    const Operation operation = part.view(local);
    const Read seen = read(operation);
    const bool pushes = operation.method <= Deque::kPushBack;
    if (pushes && (seen.value.is_nil() || seen.value.is_none())) {
      acts.obstacle = fmt::format("{} is pushed", operation.pool->to_text(seen.value));
    }
    if (seen.act.kind == Kind::pop_any && !part.pending(local)) acts.obstacle = "a pop returned with its result lost";
    acts.of.push_back(seen.act);
    value[local] = seen.value;
    numbers.observe(seen.value);
  }
  numbers.prepare();
  std::vector<bool> pushed;  // by number
  for (std::uint32_t local = 0; local < part.size(); ++local) {
    if (value[local].is_none()) continue;
    const auto [number, fresh] = numbers.add(value[local]);
    if (fresh) acts.values.push_back(value[local]);
    acts.of[local].value = number;
    if (part.method[local] > Deque::kPushBack) continue;
    if (number >= pushed.size()) pushed.resize(acts.values.size(), false);
    acts.repeated = acts.repeated || pushed[number];
    pushed[number] = true;
  }
  return acts;
}

}  // namespace linchpin::types::deque

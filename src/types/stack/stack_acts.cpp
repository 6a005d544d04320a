#include "types/stack/stack_acts.hpp"

#include <fmt/format.h>

#include "algo/dense_values.hpp"
#include "types/stack/specification.hpp"

namespace linchpin::types {

namespace {

using Kind = StackAct::Kind;

/// An act at a height that the result tells; one that no stack has makes it illegal everywhere.
StackAct at_height(StackAct act, std::int64_t height) {
  if (height < 0 || height >= std::int64_t{StackAct::kAnyHeight}) return {.kind = Kind::never};
  act.height = static_cast<std::uint32_t>(height);
  return act;
}

/// The act and the value that it is about, which has no number yet; none: no value.
struct Read {
  StackAct act;
  Value value = Value::none();
};

Read read_push(const Stack& stack, const Operation& operation) {
  Read read{.act = {.kind = Kind::push}, .value = operation.argument(0)};
  if (stack.returns_height(operation)) {
    const std::int64_t shown = operation.pool->integer_of(operation.result);
    read.act = at_height(read.act, shown - (stack.heights == Stack::Heights::before ? 0 : 1));
  } else if (!operation.acknowledged(0)) {
    read.act.kind = Kind::never;
  }
  return read;
}

Read read_pop(const Stack& stack, const Operation& operation) {
  const auto pair = stack.popped_pair(operation);
  if (stack.found_empty(operation)) {
    return {.act = {.kind = pair && pair->height != 0 ? Kind::never : Kind::empty}};
  }
  if (operation.result_unknown()) return {.act = {.kind = Kind::pop_any}};
  if (!pair) return {.act = {.kind = Kind::pop}, .value = operation.result};
  const StackAct act = at_height({.kind = Kind::pop}, pair->height + (stack.heights == Stack::Heights::before ? 0 : 1));
  return {.act = act, .value = pair->value};
}

Read read_look(const Operation& operation) {
  if (operation.result_unknown()) return {.act = {.kind = Kind::free}};
  switch (operation.method) {
    case Stack::kPeek:
      if (operation.result.is_nil()) return {.act = {.kind = Kind::empty}};
      return {.act = {.kind = Kind::look}, .value = operation.result};
    case Stack::kSize:
      if (!is_integer(operation.result)) return {};
      return {.act = at_height({.kind = Kind::height}, operation.pool->integer_of(operation.result))};
    default:
      if (says_true(operation)) return {.act = {.kind = Kind::empty}};
      return {.act = {.kind = says_false(operation) ? Kind::nonempty : Kind::never}};
  }
}

}  // namespace

StackActs read_stack_acts(const history::Subhistory& part) {
  const Stack& stack = *part.specification->get_if<Stack>();
  StackActs acts;
  std::vector<Value> value(part.size());
  algo::DenseValues numbers;
  for (std::uint32_t local = 0; local < part.size(); ++local) {
    const Operation operation = part.view(local);
    Read read = operation.method == Stack::kPush  ? read_push(stack, operation)
                : operation.method == Stack::kPop ? read_pop(stack, operation)
                                                  : read_look(operation);
    // Nothing was written where a value should be: no stack holds that.
    const bool nothing = read.value.is_none() && (read.act.kind == Kind::pop || read.act.kind == Kind::look);
    if (nothing) read.act.kind = Kind::never;
    if (operation.method == Stack::kPush && (read.value.is_nil() || read.value.is_none())) {
      acts.obstacle = fmt::format("{} is pushed", operation.pool->to_text(read.value));
    }
    if (read.act.kind == Kind::pop_any && !part.pending(local)) acts.obstacle = "a pop returned with its result lost";
    acts.of.push_back(read.act);
    acts.feel_height = acts.feel_height || read.act.feels_height();
    value[local] = read.value;
    numbers.observe(read.value);
  }
  numbers.prepare();
  std::vector<bool> pushed;  // by number
  for (std::uint32_t local = 0; local < part.size(); ++local) {
    if (value[local].is_none()) continue;
    const auto [number, fresh] = numbers.add(value[local]);
    if (fresh) acts.values.push_back(value[local]);
    acts.of[local].value = number;
    if (part.method[local] != Stack::kPush) continue;
    if (number >= pushed.size()) pushed.resize(acts.values.size(), false);
    acts.repeated = acts.repeated || pushed[number];
    pushed[number] = true;
  }
  return acts;
}

}  // namespace linchpin::types

#include "types/container_acts.hpp"

#include <fmt/format.h>

#include "types/answers.hpp"
#include "types/usual_acts.hpp"

namespace linchpin::types {

Act act_of(const ContainerMethods& methods, const Operation& operation, bool pending) {
  const std::uint16_t method = operation.method;
  const bool at_front = methods.at_front(method);
  if (methods.adds(method)) {
    if (!operation.acknowledged(0)) return {.kind = ActKind::never, .at_front = at_front};
    const Value value = operation.argument(0);
    return {.kind = names_something(value) ? ActKind::add : ActKind::unclear, .value = value, .at_front = at_front};
  }
  const Value result = operation.result;
  const bool removes = methods.removes(method);
  if (removes && result.is_unknown()) return {.kind = ActKind::lost_take, .at_front = at_front};
  if (pending && (!removes || result.is_nil())) return {.kind = ActKind::omitted, .at_front = at_front};
  if (result.is_unknown()) return {.kind = ActKind::free, .at_front = at_front};
  if (result.is_none()) return {.kind = ActKind::never, .at_front = at_front};
  if (method == methods.size) {
    if (!is_integer(result)) return {.kind = ActKind::never};
    const std::int64_t number = operation.pool->integer_of(result);
    if (number == 0) return {.kind = ActKind::empty};
    return {.kind = ActKind::count, .least = number, .most = number};
  }
  if (method == methods.is_empty) {
    if (says_true(operation)) return {.kind = ActKind::empty};
    if (!says_false(operation)) return {.kind = ActKind::never};
    return {.kind = ActKind::count, .least = 1, .most = history::kAnyNumber};
  }
  if (result.is_nil()) return {.kind = ActKind::empty, .at_front = at_front};
  return {.kind = removes ? ActKind::take : ActKind::look, .value = result, .at_front = at_front};
}

history::Acts read_acts(const history::Subhistory& part, const ContainerMethods& methods) {
  std::vector<UsualAct> usual(part.specification->methods().size());
  const auto say = [&](std::uint16_t method, ActKind kind, bool at_front) {
    if (method != kNoMethod) usual[method] = {kind, at_front};
  };
  say(methods.add, ActKind::add, false);
  say(methods.remove, ActKind::take, false);
  say(methods.look, ActKind::look, false);
  say(methods.add_front, ActKind::add, true);
  say(methods.remove_front, ActKind::take, true);
  say(methods.look_front, ActKind::look, true);
  return read_usual_acts(part, usual, methods.add_front != kNoMethod,
                         [&](const Operation& operation, bool pending) { return act_of(methods, operation, pending); });
}

namespace {

std::string_view why_not(const history::Subhistory& part, const ContainerMethods& methods, ActKind kind,
                         std::uint32_t local) {
  if (methods.adds(part.method[local])) {
    return kind == ActKind::never ? "has a result that is no acknowledgement" : "adds nothing that a result can name";
  }
  if (kind == ActKind::count) return "says how many values there are, which the monitor does not follow";
  const bool lost = kind != ActKind::never || part.result(local).is_none();
  return lost ? "has lost its result" : "has a result that the container never gives";
}

}  // namespace

std::string first_obstacle(const history::Subhistory& part, const history::Acts& acts, const ContainerMethods& methods,
                           bool lost_takes) {
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    const ActKind kind = acts.kind[i];
    if (kind <= ActKind::omitted) continue;
    if (kind == ActKind::lost_take && (lost_takes || part.pending(i))) continue;
    return fmt::format("{} {}", part.history->describe(part.operation[i]), why_not(part, methods, kind, i));
  }
  return {};
}

std::string may_be_full(const history::Subhistory& part, const ContainerMethods& methods, std::int64_t capacity) {
  std::int64_t most = 0;  // inside: what was called to put something in, without what has taken something out
  for (const history::Event event : part.events()) {
    const Operation operation = part.view(event.operation());
    const bool adds = methods.adds(operation.method);
    if (adds && says_false(operation)) {
      return fmt::format("{} found no room", part.history->describe(part.operation[event.operation()]));
    }
    // By itself, as in a core, it may be otherwise than among all.
    if (adds && event.is_response() && operation.result.is_unknown()) {
      return fmt::format("{} may have found no room", part.history->describe(part.operation[event.operation()]));
    }
    if (adds && !event.is_response()) ++most;
    const bool took = methods.removes(operation.method) && names_something(operation.result);
    if (took && event.is_response()) --most;
    if (most > capacity) return "the capacity may have been reached";
  }
  return {};
}

}  // namespace linchpin::types

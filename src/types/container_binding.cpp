#include "types/container_binding.hpp"

#include <array>
#include <variant>

#include <fmt/format.h>

#include "algo/number_values.hpp"

namespace linchpin::types {

using algo::Role;

namespace {

/// Whether a value can tell operations apart that add, remove or look at it.
bool names_something(Value value) { return !value.is_nil() && !value.is_unknown() && !value.is_none(); }

/// What an operation does, and to which value.
struct Act {
  Role role = Role::dropped;
  Value about;
};

/// The act of any operation, or why the monitor does not understand it. `role`: that of its method, if it finds a
/// value.
std::variant<Act, std::string_view> act_of(const history::Subhistory& part, const ContainerMethods& methods, Role role,
                                           std::uint32_t i) {
  const std::uint16_t method = part.method[i];
  const Value result = part.result(i);
  if (role == Role::add) {
    const Value value = part.arguments(i)[0];
    if (!names_something(value)) return "adds nothing that a result can name";
    if (!result.is_none() && !part.view(i).acknowledged(0)) return "has a result that the monitor does not understand";
    return Act{Role::add, value};
  }
  const bool pending = part.pending(i);
  const bool removes = role == Role::remove;
  if (removes && pending && result.is_unknown()) return Act{Role::lost_remove, {}};
  if (pending && (!removes || result.is_nil())) return Act{Role::dropped, {}};
  if (result.is_unknown() || result.is_none()) return "has lost its result";
  if (method == methods.size || method == methods.is_empty) {
    const bool nothing = method == methods.size ? result == Value::integer(0) : result == Value::boolean(true);
    if (!nothing) return "says how many values there are, which the monitor does not follow";
    return Act{Role::empty, {}};
  }
  if (result.is_nil()) return Act{Role::empty, {}};
  return Act{removes ? Role::remove : Role::look, result};
}

}  // namespace

core::Applicability bind_container(const history::Subhistory& part, const ContainerMethods& methods,
                                   algo::ContainerHistory& out) {
  const std::uint32_t size = part.size();
  out.role.resize(size);
  out.value.assign(size, algo::kNoValue);
  out.call = part.call;
  out.response = part.response;
  out.ranks = part.ranks();

  std::vector<Role> role_of_method(part.specification->methods().size(), Role::dropped);
  role_of_method[methods.add] = Role::add;
  role_of_method[methods.remove] = Role::remove;
  role_of_method[methods.look] = Role::look;
  if (methods.other_add != kNoMethod) {
    role_of_method[methods.other_add] = Role::add;
    role_of_method[methods.other_remove] = Role::remove;
    role_of_method[methods.other_look] = Role::look;
  }
  std::vector<Value> about(size);  // what each operation adds, removes or looks at
  for (std::uint32_t i = 0; i < size; ++i) {
    // Most operations have returned a value, or added one and say nothing. Nothing branches on which: it is as good as
    // random.
    const Role role = role_of_method[part.method[i]];
    const Value result = part.history->result(part.operation[i]);
    const bool adds = role == Role::add;
    const std::array<const Value*, 2> told_by = {&result, part.arguments(i).data()};
    const Value value = *told_by[adds ? 1 : 0];
    if (role != Role::dropped && !part.pending(i) && names_something(value) && adds == result.is_none()) {
      out.role[i] = role;
      about[i] = value;
      continue;
    }
    const auto act = act_of(part, methods, role, i);
    if (const auto* const why = std::get_if<std::string_view>(&act)) {
      return {false, fmt::format("{} {}", part.history->describe(part.operation[i]), *why)};
    }
    out.role[i] = std::get<Act>(act).role;
    about[i] = std::get<Act>(act).about;
  }
  const algo::NumberedValues numbered = algo::number_values(
      about, [&](std::size_t i) { return out.role[i] == Role::add; }, out.value);
  out.values = numbered.count;
  if (numbered.twice) {
    return {false,
            fmt::format("value {} is {} twice", part.history->pool().to_text(about[*numbered.twice]), methods.added)};
  }
  return {true, fmt::format("no value is {} twice", methods.added)};
}

std::string method_text(const history::Subhistory& part, std::uint32_t local) {
  return std::string(part.history->method_name(part.history->method(part.operation[local])));
}

std::string call_text(const history::Subhistory& part, std::uint32_t local) {
  std::string text = method_text(part, local) + "(";
  for (const Value argument : part.arguments(local)) {
    if (text.back() != '(') text += ", ";
    text += part.history->pool().to_text(argument);
  }
  return text + ")";
}

std::string value_text(const history::Subhistory& part, const algo::ContainerHistory& history, std::uint32_t local) {
  const Value value = history.role[local] == Role::add ? part.arguments(local)[0] : part.result(local);
  return part.history->pool().to_text(value);
}

std::string describe_fault(const history::Subhistory& part, const algo::ContainerHistory& history,
                           const algo::ValueFault& fault, const ContainerMethods& methods, std::string_view removed) {
  const std::string value = value_text(part, history, fault.operations.front());
  const std::string last = method_text(part, fault.operations.back());
  switch (fault.kind) {
    case algo::ValueFault::Kind::never_added:
      return fmt::format("{} returned {}, which nobody had {}", last, value, methods.added);
    case algo::ValueFault::Kind::removed_twice:
      return fmt::format("{} was {} once and {} twice", value, methods.added, removed);
    case algo::ValueFault::Kind::before_add:
      return fmt::format("{} returned {} before {} was called", last, value, call_text(part, fault.operations[0]));
    case algo::ValueFault::Kind::after_remove: break;
  }
  return fmt::format("{} returned {}, but was called when the {} that returned {} had ended", last, value,
                     method_text(part, fault.operations[1]), value);
}

std::string describe_empty(const history::Subhistory& part, const algo::ContainerHistory& history, std::uint32_t empty,
                           std::span<const algo::ValueSpan> chain, const ContainerMethods& methods,
                           std::string_view removed, std::string_view container) {
  const Value result = part.result(empty);
  const std::string said = fmt::format("{} returned {}", method_text(part, empty),
                                       result.is_nil() ? "empty" : part.history->pool().to_text(result));
  if (chain.size() == 1) {
    const bool matched = chain[0].remove != algo::kNoOperation;
    return fmt::format("{} although {} was in the {} during the whole call: {} before, {}", said,
                       value_text(part, history, chain[0].add), container, methods.added,
                       matched ? std::string(removed) + " after" : "not " + std::string(removed) + " by then");
  }
  std::string values;
  for (std::size_t i = 0; i < chain.size() && i < 8; ++i) {
    if (i > 0) values += i + 1 == chain.size() ? " or " : ", ";
    values += value_text(part, history, chain[i].add);
  }
  if (chain.size() > 8) values += " or another value";
  return fmt::format("{} although at each moment of the call {} was in the {}", said, values, container);
}

}  // namespace linchpin::types

#include "types/container_binding.hpp"

#include <utility>

#include <fmt/format.h>

#include "algo/number_values.hpp"
#include "base/none.hpp"

namespace linchpin::types {

core::Applicability bind_container(const history::Subhistory& part, const ContainerMethods& methods,
                                   algo::ContainerHistory& out) {
  history::Acts acts = read_acts(part, methods);
  if (std::string obstacle = first_obstacle(part, acts, methods, false); !obstacle.empty()) {
    return {false, std::move(obstacle)};
  }
  out.kind = std::move(acts.kind);
  out.value.assign(part.size(), algo::ValueNumber::none());
  out.call = part.call;
  out.response = part.response;
  out.ranks = part.ranks();
  const algo::NumberedValues numbered = algo::number_values(
      acts.value, [&](std::size_t i) { return out.kind[i] == ActKind::add; }, out.value);
  out.values = numbered.count;
  if (numbered.twice) {
    return {false, fmt::format("value {} is {} twice", part.history->pool().to_text(acts.value[*numbered.twice]),
                               methods.added)};
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
  const Value value = history.kind[local] == ActKind::add ? part.arguments(local)[0] : part.result(local);
  return part.history->pool().to_text(value);
}

std::string describe_fault(const history::Subhistory& part, const algo::ContainerHistory& history,
                           const algo::ValueFault& fault, const ContainerMethods& methods) {
  const std::string value = value_text(part, history, fault.operations.front());
  const std::string last = method_text(part, fault.operations.back());
  switch (fault.kind) {
    case algo::ValueFault::Kind::never_added:
      return fmt::format("{} returned {}, which nobody had {}", last, value, methods.added);
    case algo::ValueFault::Kind::removed_twice:
      return fmt::format("{} was {} once and {} twice", value, methods.added, methods.taken);
    case algo::ValueFault::Kind::before_add:
      return fmt::format("{} returned {} before {} was called", last, value, call_text(part, fault.operations[0]));
    case algo::ValueFault::Kind::after_remove: break;
  }
  return fmt::format("{} returned {}, but was called when the {} that returned {} had ended", last, value,
                     method_text(part, fault.operations[1]), value);
}

std::string describe_empty(const history::Subhistory& part, const algo::ContainerHistory& history, std::uint32_t empty,
                           std::span<const algo::ValueSpan> chain, const ContainerMethods& methods,
                           std::string_view container) {
  const Value result = part.result(empty);
  const std::string said = fmt::format("{} returned {}", method_text(part, empty),
                                       result.is_nil() ? "empty" : part.history->pool().to_text(result));
  if (chain.size() == 1) {
    const bool matched = chain[0].remove != kNone;
    return fmt::format(
        "{} although {} was in the {} during the whole call: {} before, {}", said,
        value_text(part, history, chain[0].add), container, methods.added,
        matched ? std::string(methods.taken) + " after" : "not " + std::string(methods.taken) + " by then");
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

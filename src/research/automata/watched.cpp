#include "research/automata/watched.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/data_type.hpp"

namespace linchpin::automata {

namespace {

/// Whether it compares values of one priority, which matters only where they are removed in the order of their adds.
bool asks_for_fifo(const Automaton& automaton) {
  std::vector<Colour> equals;
  for (const auto& [from, action, to] : automaton.transitions) {
    if (action.guard != Guard::equal) continue;
    if (std::find(equals.begin(), equals.end(), action.colour) == equals.end()) equals.push_back(action.colour);
  }
  return equals.size() > 1;
}

/// "covered" is the name of covered-1, covered-2 and so on, too.
bool is_called(const Automaton& automaton, const std::string& name) {
  return automaton.name == name || automaton.name.starts_with(name + "-");
}

const Family* family_called(std::string_view type) {
  for (const Family* const family : families()) {
    if (family->type == type) return family;
  }
  return nullptr;
}

}  // namespace

bool Watched::better(unsigned left, unsigned right) const {
  return order.before(Value::integer(left), Value::integer(right), ValuePool());
}

std::string Watched::better_expression(unsigned most) const {
  if (order.kind() == types::PriorityOrder::Kind::smallest) return "((x) < (y))";
  if (order.kind() == types::PriorityOrder::Kind::largest) return "((x) > (y))";
  std::string pairs;
  for (unsigned left = 1; left <= most; ++left) {
    for (unsigned right = 1; right <= most; ++right) {
      if (!better(left, right)) continue;
      pairs += fmt::format("{}((x) == {} && (y) == {})", pairs.empty() ? "" : " || ", left, right);
    }
  }
  return fmt::format("({})", pairs.empty() ? "0" : pairs);
}

std::optional<Error> Watched::priorities_beyond_order(unsigned most) const {
  for (unsigned p = 1; priorities && p <= most; ++p) {
    const std::string why = order.invalid(Value::integer(p), ValuePool());
    if (why.empty()) continue;
    return Error{.code = ErrorCode::unsupported,
                 .message = fmt::format("{}: the priority {} {}", type.to_string(), p, why),
                 .hint = "priorities are integers from 1 here: order=1<2,1<3"};
  }
  return std::nullopt;
}

Result<Watched> watched(const TypeName& type, std::span<const std::string> names) {
  const core::DataType* const known = core::find_data_type(type.name);
  if (known == nullptr) {
    return Error{.code = ErrorCode::unknown_type,
                 .message = fmt::format("there is no data type '{}'", type.name),
                 .hint = "linchpin types lists them"};
  }
  const Family* const family = family_called(known->name);
  if (family == nullptr) {
    std::string with;
    for (const Family* const other : families()) with += fmt::format("{}{}", with.empty() ? "" : ", ", other->type);
    return Error{.code = ErrorCode::unknown_type,
                 .message = fmt::format("the type {} has no automata", known->name),
                 .hint = fmt::format("these have: {}", with)};
  }
  Watched watched{.type = type};
  core::TypeOptions options(type);
  bool fifo = true;
  if (family->type == "priority-queue") {
    watched.priorities = true;
    if (const auto text = options.text("order")) {
      auto order = types::PriorityOrder::parse(*text);
      if (!order) return order.error();
      watched.order = std::move(*order);
    }
    fifo = options.choice("ties", {"any", "fifo"}) == "fifo";
  }
  if (auto finished = options.finish(known->options); !finished) {
    if (auto specification = known->make(type)) {
      return Error{.code = ErrorCode::unknown_type,
                   .message = fmt::format("there are no automata for {}", (*specification)->name()),
                   .hint = fmt::format("there are for {} without such options", known->name)};
    }
    return finished.error();
  }
  if (auto beyond = watched.priorities_beyond_order(1)) return *beyond;
  for (const Automaton& automaton : family->automata) {
    if (automaton.precondition || (!fifo && asks_for_fifo(automaton))) continue;
    const bool named = std::any_of(names.begin(), names.end(),
                                   [&automaton](const std::string& name) { return is_called(automaton, name); });
    if (names.empty() ? !automaton.implied : named) watched.automata.push_back(&automaton);
  }
  for (const std::string& name : names) {
    const bool found = std::any_of(watched.automata.begin(), watched.automata.end(),
                                   [&name](const Automaton* automaton) { return is_called(*automaton, name); });
    if (found) continue;
    return Error{.code = ErrorCode::bad_option,
                 .message = fmt::format("no automaton called '{}' watches a {}", name, type.to_string()),
                 .hint = fmt::format("linchpin automaton {} lists them", known->name)};
  }
  return watched;
}

}  // namespace linchpin::automata

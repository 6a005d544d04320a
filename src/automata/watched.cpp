#include "automata/watched.hpp"

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

const Family* family_called(std::string_view type) {
  for (const Family* const family : families()) {
    if (family->type == type) return family;
  }
  return nullptr;
}

}  // namespace

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
    watched.largest_first = options.choice("order", {"smallest", "largest"}) == "largest";
    fifo = options.choice("ties", {"any", "fifo"}) == "fifo";
  }
  if (auto finished = options.finish(known->options); !finished) return finished.error();
  for (const Automaton& automaton : family->automata) {
    if (automaton.precondition || (!fifo && asks_for_fifo(automaton))) continue;
    const bool named = std::find(names.begin(), names.end(), automaton.name) != names.end();
    if (names.empty() ? !automaton.implied : named) watched.automata.push_back(&automaton);
  }
  for (const std::string& name : names) {
    const bool found = std::any_of(watched.automata.begin(), watched.automata.end(),
                                   [&name](const Automaton* automaton) { return automaton->name == name; });
    if (found) continue;
    return Error{.code = ErrorCode::bad_option,
                 .message = fmt::format("no automaton called '{}' watches a {}", name, type.to_string()),
                 .hint = fmt::format("linchpin automaton {} lists them", known->name)};
  }
  return watched;
}

}  // namespace linchpin::automata

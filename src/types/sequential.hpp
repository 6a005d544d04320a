// For tests of specifications: sequential runs written as text.
//
//   EXPECT_TRUE(legal("queue", {"enqueue 1", "dequeue -> 1", "dequeue -> nil"}));
//
// A line is `[@process] method arguments... [-> result]` in the native notation; without "->" the result is none.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "core/data_type.hpp"
#include "history/text_notation.hpp"

namespace linchpin::types {

namespace detail {

/// The specification; null after a failure.
inline std::shared_ptr<const Specification> specification_of(std::string_view type_text) {
  const auto type = TypeName::parse(type_text);
  const core::DataType* found = type ? core::find_data_type(type->name) : nullptr;
  if (found == nullptr) {
    ADD_FAILURE() << "no type " << type_text;
    return nullptr;
  }
  auto made = found->make(*type);
  if (!made) ADD_FAILURE() << made.error().to_string();
  return made ? *made : nullptr;
}

/// The operation that a line says, whose arguments stay in `arguments`; nothing after a failure.
inline std::optional<Operation> operation_of(const Specification& specification, std::string_view line, ValuePool& pool,
                                             std::vector<Value>& arguments) {
  ProcessId process = 0;
  const auto skip_blanks = [&] { line.remove_prefix(std::min(line.find_first_not_of(' '), line.size())); };
  const auto word = [&] {
    skip_blanks();
    const std::string_view taken = line.substr(0, line.find(' '));
    line.remove_prefix(taken.size());
    return taken;
  };
  std::string_view method = word();
  if (method.starts_with('@')) {
    process = static_cast<ProcessId>(method[1] - '0');
    method = word();
  }
  const auto row = specification.find_method(method);
  if (!row) {
    ADD_FAILURE() << specification.name() << " has no method " << method;
    return std::nullopt;
  }
  arguments.clear();
  Value result = Value::none();
  for (skip_blanks(); !line.empty(); skip_blanks()) {
    const bool last = line.starts_with("->");
    if (last) line.remove_prefix(2);
    skip_blanks();
    const auto value = history::parse_value(line, pool);
    if (!value) {
      ADD_FAILURE() << value.error().message << " in " << line;
      return std::nullopt;
    }
    if (last) {
      result = *value;
    } else {
      arguments.push_back(*value);
    }
  }
  return Operation{.method = *row, .arguments = arguments, .result = result, .process = process, .pool = &pool};
}

}  // namespace detail

/// The descriptions of the states that the run may end in; empty when it is illegal.
inline std::vector<std::string> outcomes(std::string_view type, std::initializer_list<std::string_view> run) {
  const auto specification = detail::specification_of(type);
  if (specification == nullptr) return {};
  ValuePool pool;
  const auto states = specification->make_states();
  std::vector<StateId> current = {states->initial()};
  for (const std::string_view line : run) {
    std::vector<Value> arguments;
    const std::optional<Operation> operation = detail::operation_of(*specification, line, pool, arguments);
    if (!operation) return {};
    EXPECT_EQ(specification->invalid(*operation), "") << line;
    std::vector<StateId> next;
    for (const StateId state : current) states->successors(state, *operation, next);
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    current = std::move(next);
  }
  std::vector<std::string> descriptions;
  for (const StateId state : current) descriptions.push_back(states->describe(state, pool));
  std::sort(descriptions.begin(), descriptions.end());
  return descriptions;
}

/// Why the type refuses the line as an input; empty when it does not.
inline std::string refusal(std::string_view type, std::string_view line) {
  const auto specification = detail::specification_of(type);
  if (specification == nullptr) return {};
  ValuePool pool;
  std::vector<Value> arguments;
  const std::optional<Operation> operation = detail::operation_of(*specification, line, pool, arguments);
  return operation ? specification->invalid(*operation) : std::string();
}

inline bool legal(std::string_view type, std::initializer_list<std::string_view> run) {
  return !outcomes(type, run).empty();
}

}  // namespace linchpin::types

// Containers that hold values when the history begins: the option initial=[1,2,3].
//
// A type of its own beside the container's: what the deciders of the container conclude from its beginning empty (that
// what is removed was added, that values can be erased) does not hold, so none of them applies. They are asked about
// the history in which the values are put in first (filled_as_container.hpp). Tests: filled_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/data_type.hpp"
#include "linchpin/specification.hpp"

namespace linchpin::types {

/// A container with the states of S, whose objects begin with the given content.
template <class S>
struct Filled {
  using State = typename S::State;
  static constexpr const auto& methods = S::methods;

  S container;
  std::vector<Value> values;
  State content;

  [[nodiscard]] State initial() const { return content; }
  bool step(State& state, const Operation& operation) const requires DeterministicSpecification<S> {
    return container.step(state, operation);
  }
  template <class Emit>
  void step(const State& state, const Operation& operation, Emit&& emit) const
      requires(!DeterministicSpecification<S>) {
    container.step(state, operation, emit);
  }
  [[nodiscard]] bool pure(const Operation& operation) const { return container.pure(operation); }
  [[nodiscard]] std::string invalid(const Operation& operation) const { return container.invalid(operation); }
  [[nodiscard]] bool judges_results() const {
    if constexpr (requires { container.judges_results(); }) return container.judges_results();
    return false;
  }
  [[nodiscard]] std::string describe(const State& state, const ValuePool& pool) const {
    return container.describe(state, pool);
  }
};

/// The container's specification, holding the values, which S::inserts, a method of one argument, puts into it one by
/// one; an error where it does not take them all. Without values it is the container's own.
template <class S>
Result<std::shared_ptr<const Specification>> specify_filled(std::string name, const S& container,
                                                            const std::vector<Value>& values) {
  if (values.empty()) return specify(std::move(name), container);
  const ValuePool pool;
  typename S::State content = container.initial();
  std::size_t held = 0;
  for (; held < values.size(); ++held) {
    const Operation insert{.method = S::inserts,
                           .arguments = std::span(values).subspan(held, 1),
                           .result = Value::unknown(),
                           .pool = &pool};
    if (!container.invalid(insert).empty()) break;
    std::optional<typename S::State> after;
    if constexpr (DeterministicSpecification<S>) {
      after = content;
      if (!container.step(*after, insert)) after.reset();
    } else {
      container.step(content, insert, [&](typename S::State state) { after = std::move(state); });
    }
    if (!after || *after == content) break;
    content = std::move(*after);
  }
  if (held < values.size()) {
    return Error{.code = ErrorCode::bad_option,
                 .message = name + ": it cannot hold " + pool.to_text(values[held]) + " as well at the beginning",
                 .hint = "give values that fit, each once where they are members of a set"};
  }
  return specify(std::move(name), Filled<S>{container, values, std::move(content)});
}

}  // namespace linchpin::types

// Containers that hold values when the history begins, in an order that nobody knows: the option unordered=[1,1,2].
//
// For recordings that begin while the container is in use, and for cores that begin late: how often each value is
// inside follows from what returned, its place does not. What is added before a value is seen or taken has no order
// among these, either: who adds it may have been at it when the history began.
//
// A state has cells. Those of what was inside at first are open until an operation comes to them at an end; it says
// which value was there, one of those without a place. So one state stands for all orders, and no order is drawn. A
// type of its own beside the container's, as in filled.hpp: none of the container's deciders applies. Tests:
// unordered_test.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "linchpin/hash.hpp"
#include "linchpin/specification.hpp"
#include "types/answers.hpp"

namespace linchpin::types {

struct UnorderedContent {
  std::vector<Value> cells;     ///< unknown: still open
  std::vector<Value> unplaced;  ///< as many as there are open cells, ascending by their bits
  bool beginning = true;        ///< no value was taken, nor seen as one that is told

  [[nodiscard]] std::uint64_t hash() const { return mix(mix(hash_of(cells), hash_of(unplaced)), beginning ? 1 : 0); }
  bool operator==(const UnorderedContent&) const = default;
};

/// A container with the steps of S, whose states are rows of values, and which finds its values at the ends.
template <class S>
struct Unordered {
  using State = UnorderedContent;
  static constexpr const auto& methods = S::methods;

  S container;
  std::vector<Value> values;

  [[nodiscard]] State initial() const {
    State state{.cells = std::vector<Value>(values.size(), Value::unknown()), .unplaced = values};
    std::sort(state.unplaced.begin(), state.unplaced.end(), by_bits);
    return state;
  }

  template <class Emit>
  void step(const State& state, const Operation& operation, Emit&& emit) const {
    State next = state;
    if (container.step(next.cells, operation)) return done(state, std::move(next), operation, emit);
    // What is open at an end is the value that the operation is about, where it comes to that end.
    const std::optional<Value> value = container.erasable(operation);
    const auto place = value ? std::find(state.unplaced.begin(), state.unplaced.end(), *value) : state.unplaced.end();
    if (place == state.unplaced.end()) return;
    const auto at = static_cast<std::size_t>(place - state.unplaced.begin());
    const std::size_t last = state.cells.size() - 1;
    for (const std::size_t cell : {std::size_t{0}, last}) {
      if (!state.cells[cell].is_unknown()) continue;
      next = state;
      next.cells[cell] = *value;
      next.unplaced.erase(next.unplaced.begin() + static_cast<std::ptrdiff_t>(at));
      if (!container.step(next.cells, operation)) continue;
      next.beginning = false;
      settle(next);
      return emit(std::move(next));
    }
  }
  /// One that sees a value gives it its place.
  [[nodiscard]] bool pure(const Operation& operation) const {
    return container.pure(operation) && !container.erasable(operation);
  }
  [[nodiscard]] std::string invalid(const Operation& operation) const { return container.invalid(operation); }
  [[nodiscard]] std::string describe(const State& state, const ValuePool& pool) const {
    if (state.unplaced.empty()) return container.describe(state.cells, pool);
    if (state.beginning) return fmt::format("[{}] in any order", join(state.unplaced, pool));
    return fmt::format("{}, where ? are {} in any order", container.describe(state.cells, pool),
                       join(state.unplaced, pool));
  }

 private:
  static bool by_bits(Value a, Value b) { return a.bits() < b.bits(); }
  static std::size_t open_cells(const State& state) {
    return static_cast<std::size_t>(std::count(state.cells.begin(), state.cells.end(), Value::unknown()));
  }

  /// Behind a step that met no open cell, or, its result being lost, took what was in one.
  template <class Emit>
  void done(const State& before, State&& after, const Operation& operation, Emit&& emit) const {
    if (open_cells(after) < before.unplaced.size()) {
      after.beginning = false;
      for (std::size_t i = 0; i < before.unplaced.size(); ++i) {
        if (i > 0 && before.unplaced[i] == before.unplaced[i - 1]) continue;
        State next = after;
        next.unplaced.erase(next.unplaced.begin() + static_cast<std::ptrdiff_t>(i));
        settle(next);
        emit(std::move(next));
      }
      return;
    }
    if (after.beginning && after.cells.size() > before.cells.size()) {
      after.cells.assign(after.cells.size(), Value::unknown());
      const Value added = *container.erasable(operation);
      after.unplaced.insert(std::upper_bound(after.unplaced.begin(), after.unplaced.end(), added, by_bits), added);
    } else {
      after.beginning = after.beginning && after.cells == before.cells;
      settle(after);
    }
    emit(std::move(after));
  }

  /// Values that are all the same have one order.
  static void settle(State& state) {
    if (state.beginning || state.unplaced.empty() || state.unplaced.front() != state.unplaced.back()) return;
    std::replace(state.cells.begin(), state.cells.end(), Value::unknown(), Value(state.unplaced.front()));
    state.unplaced.clear();
  }
};

/// The container's specification, holding the values.
template <class S>
Result<std::shared_ptr<const Specification>> specify_unordered(const TypeName& type, std::string name, S container,
                                                               std::vector<Value> values) {
  if (type.options.size() > 1) {
    return Error{.code = ErrorCode::bad_option,
                 .message = name + ": unordered goes with no other option",
                 .hint = "with initial=[1,2] the values are inside in this order"};
  }
  return specify(std::move(name), Unordered<S>{std::move(container), std::move(values)});
}

}  // namespace linchpin::types

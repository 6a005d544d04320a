// A priority queue: insert(v) or insert(v, priority), poll() -> v or nil, peek() -> v or nil, size, is_empty.
//
// With a capacity, an insert that finds no room answers false and does nothing. With one argument the value is its own
// priority. A value may be polled when nothing inside goes before it: priorities may be partially ordered (order.hpp),
// and which of several equal ones is polled is the option `ties`. A poll whose result is unknown may have several
// successors, so this specification is nondeterministic. Semantics and options: README.md beside this file.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "linchpin/error.hpp"
#include "linchpin/history.hpp"
#include "linchpin/specification_interface.hpp"
#include "types/answers.hpp"
#include "types/arguments.hpp"
#include "types/priority_queue/order.hpp"

namespace linchpin::types {

struct PriorityQueue {
  struct Entry {
    Value priority;
    Value value;
    bool operator==(const Entry&) const = default;
    [[nodiscard]] std::uint64_t hash() const { return mix(priority.hash(), value.bits()); }
  };
  /// In an order that extends that of the priorities; equal priorities by age (ties=fifo) or by value (ties=any).
  using State = std::vector<Entry>;
  enum : std::uint16_t { kInsert, kPoll, kPeek, kSize, kIsEmpty };
  static constexpr std::array methods{
      Method{"insert", std::pair{1, 2}, "add offer put push enqueue enq"},
      Method{"poll", 0, "remove remove_min remove_max extract_min extract_max delete_min delete_max pop take dequeue"},
      Method{"peek", 0, "find_min find_max top first element min max"}, Method{"size", 0, "length count"},
      Method{"is_empty", 0, "empty"}};
  static constexpr std::string_view options =
      "order=smallest, largest, componentwise, componentwise-largest or a relation such as a<b,a<c: which priority "
      "goes first; ties=any or fifo: order among equal priorities; capacity=N: insert returns false when N values are "
      "there; initial=[1,2]: what it holds at first";
  static constexpr std::string_view start_option = "initial";
  static std::string start_value(std::string_view state) { return initial_content(state); }
  static constexpr std::uint16_t inserts = kInsert;  ///< what puts in the values that it holds at first

  PriorityOrder order;
  bool fifo_ties = false;
  std::optional<std::int64_t> capacity = {};

  static Result<std::shared_ptr<const Specification>> make(const TypeName& type);

  static State initial() { return {}; }

  /// Executes in place where priorities are totally ordered: replay.hpp.
  [[nodiscard]] std::unique_ptr<Replay> make_replay() const;

  template <class Emit>
  void step(const State& state, const Operation& operation, Emit&& emit) const {
    switch (operation.method) {
      case kInsert:
        if (full(state.size())) {
          if (says_false(operation) || operation.result_unknown()) emit(state);
        } else if (!refused(operation) && operation.acknowledged(0)) {
          emit(inserted(state, operation));
        }
        return;
      case kPoll:
        if (state.empty() && operation.returns(Value::nil())) emit(state);
        for_each_first(state, operation, [&](std::size_t i) {
          emit(without(state, i));
          return true;
        });
        return;
      case kPeek: {
        bool shows = state.empty() && operation.returns(Value::nil());
        for_each_first(state, operation, [&](std::size_t) {
          shows = true;
          return false;
        });
        if (shows) emit(state);
        return;
      }
      case kSize:
        if (returns_number(operation, static_cast<std::int64_t>(state.size()))) emit(state);
        return;
      default:
        if (operation.returns(state.empty())) emit(state);
    }
  }

  bool pure(const Operation& operation) const {
    return operation.method > kPoll || (operation.method == kPoll && operation.result.is_nil()) || refused(operation);
  }

  std::optional<Value> erasable(const Operation& operation) const {
    if (operation.method == kInsert) return refused(operation) ? std::nullopt : std::optional(operation.argument(0));
    if (operation.method > kPeek || operation.result_unknown() || operation.result.is_nil()) return std::nullopt;
    return operation.result;
  }

  bool sensitive(const Operation& operation) const {
    switch (operation.method) {
      // With fewer values the queue may not be full, or a lost answer may have been another one.
      case kInsert: return capacity && (refused(operation) || operation.result_unknown());
      case kPoll: return operation.result_unknown();
      case kSize: return returns_nonzero(operation);
      case kIsEmpty: return says_false(operation);
      default: return false;
    }
  }

  [[nodiscard]] std::string invalid(const Operation& operation) const {
    if (operation.method != kInsert) return {};
    if (std::string why = refuse_putting(operation, operation.arguments.first(1)); !why.empty()) return why;
    return order.invalid(operation.arguments.back(), *operation.pool);
  }

  /// Whether so many values leave no room for another.
  [[nodiscard]] bool full(std::size_t size) const { return capacity && static_cast<std::int64_t>(size) >= *capacity; }
  /// The insert found the queue full. (Without a capacity, false can only repeat the argument.)
  [[nodiscard]] bool refused(const Operation& operation) const {
    return capacity && operation.method == kInsert && says_false(operation);
  }

  [[nodiscard]] std::string describe(const State& state, const ValuePool& pool) const {
    std::string text;
    for (const Entry& entry : state) {
      if (!text.empty()) text += ", ";
      text += pool.to_text(entry.value);
      if (entry.priority != entry.value) text += " at " + pool.to_text(entry.priority);
    }
    return fmt::format("[{}]{}", text, order.total() ? ", best first" : "");
  }

 private:
  [[nodiscard]] State inserted(const State& state, const Operation& operation) const {
    const Entry entry{operation.arguments.back(), operation.argument(0)};
    const auto ahead = [&](const Entry& left, const Entry& right) {
      if (left.priority != right.priority) return order.extended(left.priority, right.priority, *operation.pool) < 0;
      return !fifo_ties && left.value.bits() < right.value.bits();
    };
    State next;
    next.reserve(state.size() + 1);
    const auto at = std::upper_bound(state.begin(), state.end(), entry, ahead);
    next.insert(next.end(), state.begin(), at);
    next.push_back(entry);
    next.insert(next.end(), at, state.end());
    return next;
  }

  /// Calls `visit` with the place of each different entry that the operation may return: nothing inside goes before it,
  /// nor is older where that counts. `visit` says whether to go on.
  template <class Visit>
  void for_each_first(const State& state, const Operation& operation, Visit&& visit) const {
    for (std::size_t i = 0; i < state.size(); ++i) {
      const bool like_previous = i > 0 && state[i].priority == state[i - 1].priority;
      if (i > 0 && order.total() && !like_previous) return;
      if (like_previous && (fifo_ties || state[i] == state[i - 1])) continue;
      if (!operation.returns(state[i].value) || is_behind(state, i, *operation.pool)) continue;
      if (!visit(i)) return;
    }
  }

  /// Whether an entry inside goes before the one at `i`. It stands before it in any case.
  [[nodiscard]] bool is_behind(const State& state, std::size_t i, const ValuePool& pool) const {
    if (order.total()) return false;
    const auto end = state.begin() + static_cast<std::ptrdiff_t>(i);
    return std::any_of(state.begin(), end, [&](const Entry& entry) {
      return entry.priority != state[i].priority && order.before(entry.priority, state[i].priority, pool);
    });
  }

  static State without(const State& state, std::size_t i) {
    State next = state;
    next.erase(next.begin() + static_cast<std::ptrdiff_t>(i));
    return next;
  }
};

}  // namespace linchpin::types

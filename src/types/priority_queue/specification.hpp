// A priority queue: insert(v) or insert(v, priority), poll() -> v or nil, peek() -> v or nil, size, is_empty.
//
// With one argument the value is its own priority. Which of several best values is polled is the option `ties`:
// with ties=any a poll whose result is unknown has several successors, so this specification is nondeterministic.
// Semantics and options: README.md beside this file.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "core/data_type.hpp"
#include "linchpin/specification.hpp"
#include "types/answers.hpp"

namespace linchpin::types {

struct PriorityQueue {
  struct Entry {
    Value priority;
    Value value;
    bool operator==(const Entry&) const = default;
    [[nodiscard]] std::uint64_t hash() const { return mix(priority.hash(), value.bits()); }
  };
  using State = std::vector<Entry>;  // the best first; equal priorities by age (ties=fifo) or by value (ties=any)
  enum : std::uint16_t { kInsert, kPoll, kPeek, kSize, kIsEmpty };
  static constexpr std::array methods{
      Method{"insert", std::pair{1, 2}, "add offer put push enqueue enq"},
      Method{"poll", 0, "remove remove_min remove_max extract_min extract_max delete_min delete_max pop take dequeue"},
      Method{"peek", 0, "find_min find_max top first element min max"}, Method{"size", 0, "length count"},
      Method{"is_empty", 0, "empty"}};
  static constexpr std::string_view options =
      "order=smallest or largest: which priority is best; ties=any or fifo: order among equal priorities";

  bool largest_first = false;
  bool fifo_ties = false;

  static Result<std::shared_ptr<const Specification>> make(const TypeName& type) {
    core::TypeOptions given(type);
    PriorityQueue specification;
    specification.largest_first = given.choice("order", {"smallest", "largest"}) == "largest";
    specification.fifo_ties = given.choice("ties", {"any", "fifo"}) == "fifo";
    if (auto finished = given.finish(options); !finished) return finished.error();
    return specify(full_name("priority-queue", type), specification);
  }

  static State initial() { return {}; }

  template <class Emit>
  void step(const State& state, const Operation& operation, Emit&& emit) const {
    switch (operation.method) {
      case kInsert:
        if (operation.acknowledged()) emit(inserted(state, operation));
        return;
      case kPoll:
        if (state.empty() && operation.returns(Value::nil())) emit(state);
        for (std::size_t i = 0; i < candidates(state); ++i) {
          if (i > 0 && state[i] == state[i - 1]) continue;
          if (operation.returns(state[i].value)) emit(without(state, i));
        }
        return;
      case kPeek:
        if (shows_best(state, operation)) emit(state);
        return;
      case kSize:
        if (returns_number(operation, static_cast<std::int64_t>(state.size()))) emit(state);
        return;
      default:
        if (operation.returns(state.empty())) emit(state);
    }
  }

  static bool pure(const Operation& operation) {
    return operation.method > kPoll || (operation.method == kPoll && operation.result.is_nil());
  }

  static std::optional<Value> erasable(const Operation& operation) {
    if (operation.method == kInsert) return operation.argument(0);
    if (operation.method > kPeek || operation.result_unknown() || operation.result.is_nil()) return std::nullopt;
    return operation.result;
  }

  static bool sensitive(const Operation& operation) {
    switch (operation.method) {
      case kPoll: return operation.result_unknown();
      case kSize: return returns_nonzero(operation);
      case kIsEmpty: return says_false(operation);
      default: return false;
    }
  }

  static std::string describe(const State& state, const ValuePool& pool) {
    std::string text;
    for (const Entry& entry : state) {
      if (!text.empty()) text += ", ";
      text += pool.to_text(entry.value);
      if (entry.priority != entry.value) text += " at " + pool.to_text(entry.priority);
    }
    return fmt::format("[{}], best first", text);
  }

 private:
  [[nodiscard]] bool better(Value left, Value right, const ValuePool& pool) const {
    const std::strong_ordering order = pool.compare(left, right);
    return largest_first ? order > 0 : order < 0;
  }

  [[nodiscard]] State inserted(const State& state, const Operation& operation) const {
    const Entry entry{operation.argument(operation.arguments.size() - 1), operation.argument(0)};
    const auto before = [&](const Entry& left, const Entry& right) {
      if (left.priority != right.priority) return better(left.priority, right.priority, *operation.pool);
      return !fifo_ties && left.value.bits() < right.value.bits();
    };
    State next;
    next.reserve(state.size() + 1);
    const auto at = std::upper_bound(state.begin(), state.end(), entry, before);
    next.insert(next.end(), state.begin(), at);
    next.push_back(entry);
    next.insert(next.end(), at, state.end());
    return next;
  }

  /// How many entries, from the first, may be polled now.
  [[nodiscard]] std::size_t candidates(const State& state) const {
    if (state.empty()) return 0;
    if (fifo_ties) return 1;
    std::size_t count = 1;
    while (count < state.size() && state[count].priority == state[0].priority) ++count;
    return count;
  }

  [[nodiscard]] bool shows_best(const State& state, const Operation& operation) const {
    if (state.empty()) return operation.returns(Value::nil());
    for (std::size_t i = 0; i < candidates(state); ++i) {
      if (operation.returns(state[i].value)) return true;
    }
    return false;
  }

  static State without(const State& state, std::size_t i) {
    State next = state;
    next.erase(next.begin() + static_cast<std::ptrdiff_t>(i));
    return next;
  }
};

}  // namespace linchpin::types

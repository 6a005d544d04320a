// A first-in-first-out queue: enqueue(v), dequeue() -> v or nil, peek() -> v or nil, size, is_empty.
//
// Semantics and options: README.md beside this file.
#pragma once

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
#include "types/executed.hpp"

namespace linchpin::types {

struct Queue {
  using State = std::vector<Value>;  // the oldest value first
  enum : std::uint16_t { kEnqueue, kDequeue, kPeek, kSize, kIsEmpty };
  static constexpr std::array methods{
      Method{"enqueue", 1, "enq add offer push put insert"}, Method{"dequeue", 0, "deq poll remove pop take"},
      Method{"peek", 0, "front first element"}, Method{"size", 0, "length count"}, Method{"is_empty", 0, "empty"}};
  static constexpr std::string_view options =
      "capacity=N: enqueue returns false when N values are there; initial=[1,2]: what it holds at first, oldest first; "
      "unordered=[1,1,2]: the same, in an order that is not known";
  static constexpr std::string_view start_option = "initial";
  static constexpr std::string_view unordered_option = "unordered";
  static std::string start_value(std::string_view state) { return initial_content(state); }
  static constexpr std::uint16_t inserts = kEnqueue;  ///< what puts in the values that it holds at first

  std::optional<std::int64_t> capacity = {};

  static Result<std::shared_ptr<const Specification>> make(const TypeName& type);

  static State initial() { return {}; }
  [[nodiscard]] std::unique_ptr<Replay> make_replay() const;

  /// `Values`: the state, or what a run changes in place.
  template <class Values>
  bool step(Values& state, const Operation& operation) const {
    switch (operation.method) {
      case kEnqueue: {
        const bool full = capacity && static_cast<std::int64_t>(state.size()) >= *capacity;
        if (full) return says_false(operation) || operation.result_unknown();
        if (refused(operation)) return false;
        state.push_back(operation.argument(0));
        return operation.acknowledged(0);
      }
      case kDequeue:
        if (state.empty()) return operation.returns(Value::nil());
        if (!operation.returns(state.front())) return false;
        drop_first(state);
        return true;
      case kPeek: return operation.returns(state.empty() ? Value::nil() : state.front());
      case kSize: return returns_number(operation, static_cast<std::int64_t>(state.size()));
      default: return operation.returns(state.empty());
    }
  }

  bool pure(const Operation& operation) const {
    switch (operation.method) {
      case kEnqueue: return refused(operation);
      case kDequeue: return operation.result.is_nil();
      default: return true;
    }
  }

  std::optional<Value> erasable(const Operation& operation) const {
    switch (operation.method) {
      case kEnqueue: return refused(operation) ? std::nullopt : std::optional(operation.argument(0));
      case kDequeue:
      case kPeek:
        if (operation.result_unknown() || operation.result.is_nil()) return std::nullopt;
        return operation.result;
      default: return std::nullopt;
    }
  }

  bool sensitive(const Operation& operation) const {
    switch (operation.method) {
      // With fewer values the queue may not be full, or a lost answer may have been another one.
      case kEnqueue: return capacity && (refused(operation) || operation.result_unknown());
      case kDequeue: return operation.result_unknown();
      case kPeek: return false;
      case kSize: return returns_nonzero(operation);
      default: return says_false(operation);
    }
  }

  static std::string invalid(const Operation& operation) {
    return refuse_putting(operation, operation.arguments.first(operation.method == kEnqueue ? 1 : 0));
  }

  static std::string describe(const State& state, const ValuePool& pool) {
    return fmt::format("[{}]", join(state, pool));
  }

 private:
  /// The enqueue found the queue full. (Without a capacity, false can only repeat the argument.)
  [[nodiscard]] bool refused(const Operation& operation) const { return capacity && says_false(operation); }
};

}  // namespace linchpin::types

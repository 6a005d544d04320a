// A double-ended queue: push, pop and peek at the front and at the back, size, is_empty.
//
// Three specifications with one method table: with capacity=N a push may find no room; with work-stealing=yes one owner
// works at the back, thieves take values at the front, and may come away with nothing. Semantics and options: README.md
// beside this file.
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

struct Deque {
  using State = std::vector<Value>;  // front first
  enum : std::uint16_t { kPushFront, kPushBack, kPopFront, kPopBack, kPeekFront, kPeekBack, kSize, kIsEmpty };
  static constexpr std::array methods{
      Method{"push_front", 1, "add_first offer_first put_first push_left add_front"},
      Method{"push_back", 1, "add_last offer_last put_last push_right add_back push_bottom"},
      Method{"pop_front", 0, "remove_first poll_first pop_left take_first steal pop_top"},
      Method{"pop_back", 0, "remove_last poll_last pop_right take_last pop_bottom"},
      Method{"peek_front", 0, "peek_first get_first front first"},
      Method{"peek_back", 0, "peek_last get_last back last"},
      Method{"size", 0, "length count"},
      Method{"is_empty", 0, "empty"}};
  static constexpr std::string_view options =
      "capacity=N: a push returns false when N values are there; "
      "work-stealing=no or yes: one owner at the back, thieves at the front, whose pop may return false; "
      "initial=[1,2]: what it holds at first, front first; "
      "unordered=[1,1,2]: the same, in an order that is not known";
  static constexpr std::string_view start_option = "initial";
  static constexpr std::string_view unordered_option = "unordered";
  static std::string start_value(std::string_view state) { return initial_content(state); }
  static constexpr std::uint16_t inserts = kPushBack;  ///< what puts in the values that it holds at first

  static Result<std::shared_ptr<const Specification>> make(const TypeName& type);

  static State initial() { return {}; }
  [[nodiscard]] std::unique_ptr<Replay> make_replay() const;

  /// `Values`: the state, or what a run changes in place.
  template <class Values>
  static bool step(Values& state, const Operation& operation) {
    switch (operation.method) {
      case kPushFront: put_first(state, operation.argument(0)); return operation.acknowledged(0);
      case kPushBack: state.push_back(operation.argument(0)); return operation.acknowledged(0);
      case kPopFront:
        if (!operation.returns(front(state))) return false;
        if (!state.empty()) drop_first(state);
        return true;
      case kPopBack:
        if (!operation.returns(back(state))) return false;
        if (!state.empty()) state.pop_back();
        return true;
      case kPeekFront: return operation.returns(front(state));
      case kPeekBack: return operation.returns(back(state));
      case kSize: return returns_number(operation, static_cast<std::int64_t>(state.size()));
      default: return operation.returns(state.empty());
    }
  }

  static bool pure(const Operation& operation) {
    if (operation.method <= kPushBack) return false;
    return operation.method >= kPeekFront || operation.result.is_nil();
  }

  static std::optional<Value> erasable(const Operation& operation) {
    if (operation.method <= kPushBack) return operation.argument(0);
    if (operation.method >= kSize || operation.result_unknown() || operation.result.is_nil()) return std::nullopt;
    return operation.result;
  }

  static bool sensitive(const Operation& operation) {
    switch (operation.method) {
      case kPopFront:
      case kPopBack: return operation.result_unknown();
      case kSize: return returns_nonzero(operation);
      case kIsEmpty: return says_false(operation);
      default: return false;
    }
  }

  static std::string invalid(const Operation& operation) {
    return refuse_putting(operation, operation.arguments.first(operation.method <= kPushBack ? 1 : 0));
  }

  static std::string describe(const State& state, const ValuePool& pool) {
    return fmt::format("[{}]", join(state, pool));
  }

 private:
  template <class Values>
  static Value front(const Values& state) {
    return state.empty() ? Value::nil() : state.front();
  }
  template <class Values>
  static Value back(const Values& state) {
    return state.empty() ? Value::nil() : state.back();
  }
};

/// A deque that holds so many values at most. A push that finds no room returns false, and changes nothing.
struct BoundedDeque : Deque {
  std::int64_t capacity = 0;

  static bool refused(const Operation& operation) { return operation.method <= kPushBack && says_false(operation); }

  [[nodiscard]] std::unique_ptr<Replay> make_replay() const;

  template <class Values>
  bool step(Values& state, const Operation& operation) const {
    if (operation.method <= kPushBack) {
      const bool full = static_cast<std::int64_t>(state.size()) >= capacity;
      if (full) return refused(operation) || operation.result_unknown();
      if (refused(operation)) return false;
    }
    return Deque::step(state, operation);
  }

  static bool pure(const Operation& operation) { return refused(operation) || Deque::pure(operation); }

  static std::optional<Value> erasable(const Operation& operation) {
    return refused(operation) ? std::nullopt : Deque::erasable(operation);
  }

  /// With fewer values the deque may not be full, or a lost answer may have been another one.
  static bool sensitive(const Operation& operation) {
    if (operation.method <= kPushBack) return refused(operation) || operation.result_unknown();
    return Deque::sensitive(operation);
  }
};

/// A deque as Arora, Blumofe and Plaxton, and Chase and Lev build it: a thief that met another one gives up, and the
/// deque is what it was.
struct WorkStealingDeque : Deque {
  static bool gave_up(const Operation& operation) { return operation.method == kPopFront && says_false(operation); }

  [[nodiscard]] std::unique_ptr<Replay> make_replay() const;

  template <class Emit>
  static void step(const State& state, const Operation& operation, Emit&& emit) {
    const bool lost = operation.method == kPopFront && operation.result_unknown();
    if (gave_up(operation) || (lost && !state.empty())) emit(state);
    State next = state;
    if (Deque::step(next, operation)) emit(std::move(next));
  }

  static bool pure(const Operation& operation) { return gave_up(operation) || Deque::pure(operation); }

  static std::optional<Value> erasable(const Operation& operation) {
    return gave_up(operation) ? std::nullopt : Deque::erasable(operation);
  }

  static std::string invalid(const Operation& operation) {
    if (operation.method <= kPushBack && operation.argument(0) == Value::boolean(false)) {
      return "false cannot be pushed with work-stealing=yes: pop_front returns it when it gave up";
    }
    return Deque::invalid(operation);
  }
};

}  // namespace linchpin::types

// A history as automata read it: calls and responses of adds, removes and removes that find nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "history/subhistory.hpp"
#include "linchpin/error.hpp"
#include "research/automata/automaton.hpp"

namespace linchpin::automata {

struct Letter {
  Method method = Method::add;
  bool response = false;
  std::uint32_t value = 0;  ///< counted from 0; each remove that finds nothing has one of its own
};

struct Execution {
  std::vector<Letter> letters;
  std::uint32_t values = 0;
  /// By value, for values that are added: equal numbers for equal priorities. Where equal ones may be removed in any
  /// order they are incomparable instead, each with a number of its own (section 1 of the paper).
  std::vector<std::uint32_t> priority;
  /// Whether the first of two priorities is strictly better; empty: the smaller number is.
  std::function<bool(std::uint32_t, std::uint32_t)> better = {};

  std::uint32_t left_out = 0;  ///< pending removes, any of which may have removed anything

  // Where it comes from, for messages; empty where an execution is made by hand.
  std::vector<std::uint32_t> operation = {};  ///< by letter: the local index
  std::vector<Value> name = {};               ///< by value; none for removes that find nothing

  /// Whether a guard holds of the priority of `value` and a register.
  [[nodiscard]] bool holds(Guard guard, std::uint32_t value, std::uint32_t reg) const {
    if (guard == Guard::none) return true;
    if (guard == Guard::equal) return priority[value] == reg;
    return better ? better(priority[value], reg) : priority[value] < reg;
  }
};

/// The automata of a data type; null where it has none.
[[nodiscard]] const Family* family_of(const Specification& specification);

/// What an operation of a type with automata is about: sets `about` to the value that it adds or removes, none where it
/// finds nothing, unknown for a pending remove. Else says why the automata do not understand it, and what to do.
struct NotUnderstood {
  ErrorCode code;
  std::string_view why, hint;
};
[[nodiscard]] std::optional<NotUnderstood> subject_of(const Operation& operation, bool pending, Value& about);
/// Whether it is an add.
[[nodiscard]] bool adds(const Operation& operation);

/// The execution of a history of one queue, stack or priority queue. Pending removes are left out; a pending add is
/// kept. Error: bad_option for a type without automata, or with options that they do not know; unknown_method for what
/// is neither an add nor a remove; bad_arguments for results that do not say what was removed.
[[nodiscard]] Result<Execution> execution_of(const history::Subhistory& part);

}  // namespace linchpin::automata

// Specifications as those see them who decide: the methods of a type, and one class behind which every struct of
// linchpin/specification.hpp stands.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

#include "linchpin/history.hpp"
#include "linchpin/value.hpp"

namespace linchpin {

/// One row of a type's method table. Its index in the table is what specifications and monitors see.
struct Method {
  std::string_view name;          ///< the field's usual name
  std::uint8_t least = 0;         ///< fewest arguments
  std::uint8_t most = 0;          ///< most arguments
  std::string_view aliases = {};  ///< further names, separated by blanks; matched without regard to case, '-' and '_'

  constexpr Method(std::string_view method_name, std::uint8_t arguments, std::string_view other_names = {})
      : name(method_name), least(arguments), most(arguments), aliases(other_names) {}
  constexpr Method(std::string_view method_name, std::pair<int, int> arguments, std::string_view other_names = {})
      : name(method_name),
        least(static_cast<std::uint8_t>(arguments.first)),
        most(static_cast<std::uint8_t>(arguments.second)),
        aliases(other_names) {}
};

namespace detail {
[[noreturn]] void no_argument(std::size_t i, std::size_t count);
}  // namespace detail

/// An operation as a specification sees it: bound to the type's method table, without times.
struct Operation {
  std::uint16_t method = 0;  ///< row of the type's method table
  std::span<const Value> arguments;
  Value result;                    ///< unknown: any legal result
  ProcessId process = kNoProcess;  ///< set only for specifications that use it
  const ValuePool* pool = nullptr;

  /// Throws Misread where there is none.
  [[nodiscard]] Value argument(std::size_t i) const {
    if (i >= arguments.size()) detail::no_argument(i, arguments.size());
    return arguments[i];
  }
  [[nodiscard]] bool result_unknown() const { return result.is_unknown(); }
  /// Whether the operation may have returned `value`.
  [[nodiscard]] bool returns(Value value) const { return result == value || result.is_unknown(); }
  [[nodiscard]] bool returns(bool value) const { return returns(Value::boolean(value)); }
  /// Whether the result says no more than "done": none, nil, true, ok, or unknown.
  [[nodiscard]] bool acknowledged() const {
    return result.is_none() || result.is_nil() || result.is_unknown() || result == Value::boolean(true) || says_ok();
  }
  /// The same, or the argument `written`, if it is there, repeated: the value that the operation writes, adds or takes
  /// out. A key or an index that comes back is no acknowledgement.
  [[nodiscard]] bool acknowledged(std::size_t written) const {
    return acknowledged() || (written < arguments.size() && result == arguments[written]);
  }
  /// Whether the result is the text ok, OK or Ok, as stores answer a write.
  [[nodiscard]] bool says_ok() const {
    if (pool == nullptr || !result.is_string()) return false;
    const std::string_view text = pool->text_of(result);
    return text == "ok" || text == "OK" || text == "Ok";
  }
};

/// A specification misread an operation; thrown through deciders to the function that was asked for a verdict, whose
/// error then names the operation.
class MisreadOperation : public Misread {
 public:
  MisreadOperation(const Misread& misread, const Operation& operation)
      : Misread(misread.what()),
        method_(operation.method),
        arguments_(operation.arguments.begin(), operation.arguments.end()),
        result_(operation.result) {}

  [[nodiscard]] bool is_of(const Operation& operation) const {
    return operation.method == method_ && operation.result == result_ &&
           std::equal(arguments_.begin(), arguments_.end(), operation.arguments.begin(), operation.arguments.end());
  }

 private:
  std::uint16_t method_;
  std::vector<Value> arguments_;
  Value result_;
};

using StateId = std::uint32_t;

/// Runs a specification on interned states: equal states have equal ids. One object per run; not thread-safe.
class StateTable {
 public:
  virtual ~StateTable() = default;
  [[nodiscard]] virtual StateId initial() = 0;
  /// Appends the states after `operation` in `state`; none where it is illegal.
  virtual void successors(StateId state, const Operation& operation, std::vector<StateId>& out) = 0;
  [[nodiscard]] virtual std::string describe(StateId state, const ValuePool& pool) const = 0;
  /// Bytes held by states and index.
  [[nodiscard]] virtual std::size_t bytes() const = 0;
  /// Bytes that the next few hundred states may take at once because a table grows; for memory limits.
  [[nodiscard]] virtual std::size_t growth() const { return 0; }
  /// Ids are below this bound.
  [[nodiscard]] virtual std::size_t bound() const = 0;
  /// Forgets all states but `live`, whose ids stay; other ids may be used again, those above them all are given up.
  virtual void retain(std::span<const StateId> live) = 0;
};

/// Runs a specification along one order of operations, keeping only the states that are possible after the last.
class Replay {
 public:
  virtual ~Replay() = default;
  /// Executes the operation. False: it is illegal here, and nothing may be executed after it.
  virtual bool step(const Operation& operation) = 0;
  /// Executes the operations one after the other, up to the first that is illegal. How many were legal.
  virtual std::size_t steps(std::span<const Operation> operations) {
    std::size_t legal = 0;
    while (legal < operations.size() && step(operations[legal])) ++legal;
    return legal;
  }
  /// Where operations do not determine the state, the states that are possible may be exponentially many. While they
  /// are gone through, `ended` is asked again and again; once it says so, the step ends as if it were illegal.
  virtual void end_when(std::function<bool()> ended) { ended_ = std::move(ended); }

 protected:
  /// Whether a step that goes through so many states has to end; asked at each of them.
  [[nodiscard]] bool has_to_end(std::size_t states) const { return states > kFewStates && ended_ && ended_(); }
  [[nodiscard]] const std::function<bool()>& ended() const { return ended_; }

 private:
  static constexpr std::size_t kFewStates = 64;
  std::function<bool()> ended_;
};

/// A specification behind one interface; made from a struct by `specify`. Immutable and thread-safe.
class Specification {
 public:
  virtual ~Specification() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual std::span<const Method> methods() const = 0;
  [[nodiscard]] virtual bool uses_process() const = 0;
  [[nodiscard]] virtual std::unique_ptr<StateTable> make_states() const = 0;
  /// At a cost a step of what the operation changes, where the specification is deterministic or its struct has a
  /// `make_replay` of its own.
  [[nodiscard]] virtual std::unique_ptr<Replay> make_replay() const = 0;
  [[nodiscard]] virtual bool pure(const Operation& operation) const = 0;
  [[nodiscard]] virtual bool has_keys() const = 0;
  [[nodiscard]] virtual std::optional<Value> key(const Operation& operation) const = 0;
  [[nodiscard]] virtual bool has_erasable_values() const = 0;
  [[nodiscard]] virtual std::optional<Value> erasable(const Operation& operation) const = 0;
  /// Whether the operation, once it has returned, may become illegal when operations of erasable values are dropped.
  /// A pending operation is never an obstacle: it may be left out.
  [[nodiscard]] virtual bool sensitive(const Operation& operation) const = 0;
  /// The place that the operation overwrites: it is legal in every state, and what it leaves does not depend on others
  /// of the same place that run directly before it. Nothing: it does not, or the type does not say.
  [[nodiscard]] virtual std::optional<Value> overwrites(const Operation& operation) const = 0;
  [[nodiscard]] virtual std::string invalid(const Operation& operation) const = 0;
  /// Whether `invalid` has anything to say of some operation.
  [[nodiscard]] virtual bool has_invalid() const = 0;
  /// Whether it has something to say of results: otherwise it is not asked of operations without arguments.
  [[nodiscard]] virtual bool judges_results() const { return false; }
  /// Whether the steps take `?` inside a list that is a result for lost.
  [[nodiscard]] virtual bool reads_partial_results() const { return false; }

  /// The struct this was made of, where it is an S; a monitor reads its type's options there.
  template <class S>
  [[nodiscard]] const S* get_if() const {
    return static_cast<const S*>(content(typeid(S)));
  }

  /// The row of the method table for a name or an alias.
  [[nodiscard]] std::optional<std::uint16_t> find_method(std::string_view name) const;

 private:
  [[nodiscard]] virtual const void* content(const std::type_info& /*type*/) const { return nullptr; }
};

}  // namespace linchpin

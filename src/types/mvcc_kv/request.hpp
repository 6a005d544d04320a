// What requests to a store of versions say, and what their answers tell: read from lists of values, for the
// specification and the monitor. The notation: README.md beside this file. Tests: mvcc_kv_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "linchpin/specification_interface.hpp"

namespace linchpin::types::mvcc_kv {

enum class Verb : std::uint8_t { put, erase, range };

/// One act: a range, a put or a delete, by itself or in a transaction.
struct Act {
  Verb verb = Verb::range;
  Value key;                   ///< the first one of a range
  Value end = Value::nil();    ///< after the last one; nil: one key only
  Value value;                 ///< of a put
  Value lease = Value::nil();  ///< of a put; nil: none
  std::int64_t limit = 0;      ///< of a range; 0: none
  std::int64_t revision = 0;   ///< of a range; 0: the current one
  bool keys_only = false;
  bool count_only = false;
};

enum class Target : std::uint8_t { mod, version, create, lease, value };
enum class Relation : std::uint8_t { equal, unequal, less, greater };

struct Compare {
  Target target = Target::mod;
  Relation relation = Relation::equal;
  Value key;
  Value value;
};

/// An act of a transaction: [put k v lease], [delete k end], [range k end options]. Nothing: it is none.
[[nodiscard]] std::optional<Act> parse_act(Value value, const ValuePool& pool);
/// A compare of a transaction: [target key value] or [target key relation value]. Nothing: it is none.
[[nodiscard]] std::optional<Compare> parse_compare(Value value, const ValuePool& pool);

/// The act of a range, a put or a delete that is a request by itself. @pre its arguments are valid
[[nodiscard]] Act range_of(const Operation& operation);
[[nodiscard]] Act put_of(const Operation& operation);
[[nodiscard]] Act delete_of(const Operation& operation);

/// Why the options of a range are none; empty when they are.
[[nodiscard]] std::string refuse_options(Value options, const ValuePool& pool);

/// A lease that is none: nil and 0.
[[nodiscard]] inline bool no_lease(Value lease) { return lease.is_nil() || lease == Value::integer(0); }

/// How an operation was answered.
struct Answer {
  enum class Kind : std::uint8_t {
    unknown,     ///< lost: it was executed
    done,        ///< executed, and nothing else is told
    told,        ///< executed, with what follows
    refused,     ///< false: what it needs was not there
    compacted,   ///< the revision that it names is gone
    future,      ///< the revision that it names was not made yet
    impossible,  ///< no answer
  };
  Kind kind = Kind::impossible;
  std::optional<std::int64_t> revision;  ///< of the store, after the operation
  std::span<const Value> rest;           ///< what stands after the revision

  [[nodiscard]] bool executed() const { return kind == Kind::unknown || kind == Kind::done || kind == Kind::told; }
  /// What stands at a place after the revision; nil: it is not told.
  [[nodiscard]] Value at(std::size_t i) const { return i < rest.size() ? rest[i] : Value::nil(); }
};

[[nodiscard]] Answer answer_of(const Operation& operation);

/// The branch that a transaction took; nothing: it is not told.
[[nodiscard]] std::optional<bool> succeeded(const Answer& answer);

/// The texts that errors are told by.
inline constexpr std::string_view kCompacted = "compacted";
inline constexpr std::string_view kFuture = "future";

}  // namespace linchpin::types::mvcc_kv

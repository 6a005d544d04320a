// What a transaction of list-append says: its appends and reads, with the lists that its reads saw.
//
// Shared by the specification and the monitor. Which results complete a transaction: README.md beside this file.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/names.hpp"
#include "linchpin/specification_interface.hpp"
#include "types/transaction_parts.hpp"

namespace linchpin::types::list_append {

/// One part of a transaction. A read's value is the list that it saw, nil for the empty one, or unknown: not told.
struct MicroOperation {
  bool writes = false;  ///< an append
  Value key;
  Value value;
};

/// Reads parts of transactions; remembers the names that it met, which are few.
class MicroOperations {
 public:
  explicit MicroOperations(const ValuePool& pool) : pool_(pool) {}

  /// The part as it is written, or nothing where it is none. A list that is left out is unknown.
  std::optional<MicroOperation> parse(Value part) {
    if (!part.is_list()) return std::nullopt;
    const std::span<const Value> fields = pool_.elements_of(part);
    if (fields.size() < 2 || fields.size() > 3 || !fields[0].is_string()) return std::nullopt;
    const Kind kind = kind_of(fields[0]);
    if (kind == Kind::none || (kind == Kind::append && fields.size() == 2)) return std::nullopt;
    const Value value = fields.size() == 3 ? fields[2] : Value::unknown();
    if (kind == Kind::read && !value.is_list() && !value.is_nil() && !value.is_unknown()) return std::nullopt;
    return MicroOperation{kind == Kind::append, fields[1], value};
  }

 private:
  enum class Kind : std::uint8_t { none, append, read };

  Kind kind_of(Value name) {
    if (name == last_append_) return Kind::append;
    if (name == last_read_) return Kind::read;
    const std::string_view text = pool_.text_of(name);
    // Names as they are usually written are compared as they stand.
    if (text == "append" || (text != "r" && base::is_listed("append push add", text))) {
      last_append_ = name;
      return Kind::append;
    }
    if (text == "r" || base::is_listed("r read get", text)) {
      last_read_ = name;
      return Kind::read;
    }
    return Kind::none;
  }

  const ValuePool& pool_;
  Value last_append_;
  Value last_read_;
};

/// Whether the transaction says that it did not take effect.
inline bool aborted(const Operation& operation) { return operation.result == Value::boolean(false); }

/// Calls `visitor` for each part, with the lists that the result gives to the reads, until it says no. False when it
/// did, or when the result does not complete the transaction. @pre it is not aborted
template <class Visitor>
bool visit(const Operation& operation, MicroOperations& parts, Visitor&& visitor) {
  const bool completed = operation.result.is_list();
  return visit_parts(
      operation, [&](Value part) { return parts.parse(part); },
      [&](MicroOperation& micro, const MicroOperation& /*asked*/, Value answer) {
        if (micro.writes) return true;
        // In the transaction as it was asked for, nil is a list that is not told yet.
        const bool told = completed ? !answer.is_unknown() : !operation.result_unknown() && !micro.value.is_nil();
        if (!told) micro.value = Value::unknown();
        return true;
      },
      std::forward<Visitor>(visitor));
}

}  // namespace linchpin::types::list_append

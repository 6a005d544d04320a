// Values: what operations take and return, in 64 bits each.
//
// Small integers, booleans and the special values live in the 64 bits themselves; big integers, strings and lists are
// interned in the history's ValuePool, so that two values of one pool are equal iff their 64 bits are.
//
//   ValuePool pool;
//   Value a = Value::integer(7), b = pool.string("seven"), c = pool.list({a, b});
//   std::string text = pool.to_text(c);   // [7 seven]
//
// A value is read as what it is: one that is read as another kind throws Misread. Where a specification does that, the
// check ends with an error that names the operation.
#pragma once

#include <compare>
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "linchpin/hash.hpp"

namespace linchpin {

/// A value was read as a kind that it is not, or does not fit where it is put, or an argument was read that is not
/// there. It is a mistake of the program, most often of a specification that did not look what an operation has.
class Misread : public std::exception {
 public:
  explicit Misread(std::string message) : message_(std::move(message)) {}
  [[nodiscard]] const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

class Value;

namespace detail {
[[noreturn]] void misread(Value value, const char* wanted);
[[noreturn]] void does_not_fit(std::int64_t value);
}  // namespace detail

class Value {
 public:
  enum class Kind : std::uint8_t { none, nil, unknown, boolean, integer, big_integer, string, list };

  /// Absent: a method without a result returns it.
  constexpr Value() = default;
  [[nodiscard]] static constexpr Value none() { return Value(); }
  /// The field's "nothing there": an empty container's answer, an absent key, a register never written.
  [[nodiscard]] static constexpr Value nil() { return special(1); }
  /// The result of an operation that is pending, or whose result was lost.
  [[nodiscard]] static constexpr Value unknown() { return special(2); }
  [[nodiscard]] static constexpr Value boolean(bool value) { return special(value ? 4 : 3); }
  /// Of an integer that fits; else it throws Misread. See ValuePool::integer for any 64-bit integer.
  [[nodiscard]] static constexpr Value integer(std::int64_t value) {
    if (!fits(value)) detail::does_not_fit(value);
    return from_bits((static_cast<std::uint64_t>(value) << kTagBits) | kIntegerTag);
  }
  /// Whether the integer is held inline: 60 bits and a sign.
  [[nodiscard]] static constexpr bool fits(std::int64_t value) {
    return ((value << kTagBits) >> kTagBits) == value && value >= -(std::int64_t{1} << 60) &&
           value < (std::int64_t{1} << 60);
  }

  [[nodiscard]] constexpr Kind kind() const {
    switch (bits_ & kTagMask) {
      case kIntegerTag: return Kind::integer;
      case kBigTag: return Kind::big_integer;
      case kStringTag: return Kind::string;
      case kListTag: return Kind::list;
      default: break;
    }
    switch (bits_ >> kTagBits) {
      case 0: return Kind::none;
      case 1: return Kind::nil;
      case 2: return Kind::unknown;
      default: return Kind::boolean;
    }
  }
  [[nodiscard]] constexpr bool is_none() const { return *this == none(); }
  [[nodiscard]] constexpr bool is_nil() const { return *this == nil(); }
  [[nodiscard]] constexpr bool is_unknown() const { return *this == unknown(); }
  [[nodiscard]] constexpr bool is_boolean() const { return kind() == Kind::boolean; }
  [[nodiscard]] constexpr bool is_integer() const { return (bits_ & kTagMask) == kIntegerTag; }
  [[nodiscard]] constexpr bool is_string() const { return (bits_ & kTagMask) == kStringTag; }
  [[nodiscard]] constexpr bool is_list() const { return (bits_ & kTagMask) == kListTag; }

  /// Throws Misread unless is_integer(). An integer of any size: ValuePool::integer_of.
  [[nodiscard]] constexpr std::int64_t integer() const {
    if (!is_integer()) detail::misread(*this, "an integer");
    return static_cast<std::int64_t>(bits_) >> kTagBits;
  }
  /// Throws Misread unless is_boolean().
  [[nodiscard]] constexpr bool boolean() const {
    if (!is_boolean()) detail::misread(*this, "a boolean");
    return bits_ == boolean(true).bits_;
  }

  /// The 64 bits; equal iff the values are (within one pool).
  [[nodiscard]] constexpr std::uint64_t bits() const { return bits_; }
  [[nodiscard]] static constexpr Value from_bits(std::uint64_t bits) {
    Value value;
    value.bits_ = bits;
    return value;
  }
  [[nodiscard]] constexpr std::uint64_t hash() const { return mix(0x76616c7565ULL, bits_); }
  constexpr bool operator==(const Value&) const = default;

 private:
  friend class ValuePool;
  friend class ListTable;
  static constexpr unsigned kTagBits = 3;
  static constexpr std::uint64_t kTagMask = 7;
  static constexpr std::uint64_t kSpecialTag = 0, kIntegerTag = 1, kBigTag = 2, kStringTag = 3, kListTag = 4;
  [[nodiscard]] static constexpr Value special(std::uint64_t which) {
    return from_bits((which << kTagBits) | kSpecialTag);
  }
  [[nodiscard]] static constexpr Value indexed(std::uint64_t tag, std::uint64_t index) {
    return from_bits((index << kTagBits) | tag);
  }
  [[nodiscard]] constexpr std::uint64_t index() const { return bits_ >> kTagBits; }

  std::uint64_t bits_ = 0;
};

/// Interns the values that do not fit in 64 bits. Not thread-safe while values are added; reading is.
class ValuePool {
 public:
  ValuePool();
  ~ValuePool();
  ValuePool(const ValuePool&) = delete;
  ValuePool& operator=(const ValuePool&) = delete;

  /// Any 64-bit integer: inline where it fits.
  Value integer(std::int64_t value) { return Value::fits(value) ? Value::integer(value) : big_integer(value); }
  Value string(std::string_view text);
  Value list(std::span<const Value> elements);
  Value list(std::initializer_list<Value> elements) { return list(std::span(elements.begin(), elements.size())); }

  /// The same value in this pool, where `value` belongs to `from`.
  Value import(Value value, const ValuePool& from);

  /// Of an integer, held in the value or in this pool. These three throw Misread for another kind.
  [[nodiscard]] std::int64_t integer_of(Value value) const;
  /// Of a string. The view lives as long as the pool.
  [[nodiscard]] std::string_view text_of(Value value) const;
  /// Of a list. The span lives as long as the pool.
  [[nodiscard]] std::span<const Value> elements_of(Value value) const;

  /// Whether it is a list that holds `?`, however deep: a part of it was lost. O(1).
  [[nodiscard]] bool partial(Value value) const;
  /// Whether any value of the pool is. O(1).
  [[nodiscard]] bool has_partial() const;

  /// The value in the native text notation: 7, true, nil, ?, "a b", word, [1 2].
  [[nodiscard]] std::string to_text(Value value) const;

  /// Total order over values: none < nil < unknown < false < true < integers < strings < lists; lists by elements.
  [[nodiscard]] std::strong_ordering compare(Value left, Value right) const;

  /// Bytes held, approximately.
  [[nodiscard]] std::size_t bytes() const;

 private:
  friend class ListTable;
  Value big_integer(std::int64_t value);
  void note_lost_parts(std::uint64_t index, std::span<const Value> elements);
  struct Content;
  std::unique_ptr<Content> content_;
};

}  // namespace linchpin

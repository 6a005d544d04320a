// What can be wrong with an input, and the value-or-error that every fallible call returns.
//
//   auto histories = linchpin::read_histories("queue.log", {});
//   if (!histories) std::cerr << histories.error().to_string() << "\n";
//
// Three outcomes are never mixed: a verdict (a value), bad input (an Error), and misuse of the library
// (a failed LINCHPIN_REQUIRE). The library never prints, exits or throws on data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "linchpin/contract.hpp"

namespace linchpin {

enum class ErrorCode : std::uint8_t {
  io,                      ///< the file cannot be opened, mapped, read or written
  compression,             ///< a .gz or .zst stream is damaged or truncated
  unknown_format,          ///< no reader recognises the content, or no format has that name
  unknown_type,            ///< no data type has that name, or the input names none
  unknown_method,          ///< the data type has no such method
  bad_option,              ///< an option of a type, a format or a command has no such name or value
  bad_arguments,           ///< the number or the kind of a method's arguments does not fit
  syntax,                  ///< the text does not follow the format's grammar
  encoding,                ///< the text is not UTF-8
  missing_field,           ///< a required field is absent
  bad_number,              ///< not a number, or out of its range
  response_before_call,    ///< an operation ends before it begins
  return_without_call,     ///< a response for which no operation is open
  overlapping_operations,  ///< one process has two operations open at the same time
  duplicate_id,            ///< two operations carry the same identifier
  after_pending,           ///< a process goes on after an operation that never returned
  truncated,               ///< the input ends inside an element
  checksum,                ///< the binary file's checksum does not match
  too_large,               ///< more operations, values or bytes than the format or this build can hold
  unsupported,             ///< well-formed, but not something Linchpin can decide or write
  interrupted,             ///< asked to end early
  model,                   ///< code of the caller's own failed: a model (linchpin.h), or what makes containers
};

/// The code's name as written in machine output, for example "unknown_method".
[[nodiscard]] std::string_view name(ErrorCode code);

struct Error {
  ErrorCode code = ErrorCode::syntax;
  std::string source;        ///< file name, "-" for standard input, or empty
  std::uint64_t line = 0;    ///< from 1; 0 where the input has no lines
  std::uint64_t column = 0;  ///< in bytes, from 1; 0 where unknown
  std::string message;       ///< what is wrong
  std::string hint;          ///< what to do about it; may be empty

  /// "file:line:column: error: message [code]" and, on a second line, "  hint: ...". For people: control characters and
  /// the like, which names and quoted input may hold, come out as escapes.
  [[nodiscard]] std::string to_string() const;
};

/// A value or an Error; the shape of std::expected, which C++20 lacks.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool has_value() const { return content_.index() == 0; }
  explicit operator bool() const { return has_value(); }
  /// What there is; required to be one. So with * and ->.
  [[nodiscard]] T& value() {
    LINCHPIN_REQUIRE(has_value(), std::get_if<1>(&content_)->message.c_str());
    return *std::get_if<0>(&content_);
  }
  [[nodiscard]] const T& value() const {
    LINCHPIN_REQUIRE(has_value(), std::get_if<1>(&content_)->message.c_str());
    return *std::get_if<0>(&content_);
  }
  [[nodiscard]] T& operator*() { return value(); }
  [[nodiscard]] const T& operator*() const { return value(); }
  [[nodiscard]] T* operator->() { return &value(); }
  [[nodiscard]] const T* operator->() const { return &value(); }
  /// What is wrong; required to be something.
  [[nodiscard]] Error& error() {
    LINCHPIN_REQUIRE(!has_value(), "there is no error");
    return *std::get_if<1>(&content_);
  }
  [[nodiscard]] const Error& error() const {
    LINCHPIN_REQUIRE(!has_value(), "there is no error");
    return *std::get_if<1>(&content_);
  }

 private:
  std::variant<T, Error> content_;
};

/// Success or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  /// Not defaulted: `return {}` would first set all of an Error's bytes to zero, for each operation of a history.
  Result() {}                                        // NOLINT(modernize-use-equals-default)
  Result(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool has_value() const { return !error_.has_value(); }
  explicit operator bool() const { return has_value(); }
  [[nodiscard]] Error& error() {
    LINCHPIN_REQUIRE(!has_value(), "there is no error");
    return *error_;
  }
  [[nodiscard]] const Error& error() const {
    LINCHPIN_REQUIRE(!has_value(), "there is no error");
    return *error_;
  }

 private:
  std::optional<Error> error_;
};

}  // namespace linchpin

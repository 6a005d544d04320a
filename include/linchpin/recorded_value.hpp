// What a program's own values are as recorded ones; for ThreadLog (record.hpp) and exploring (explore/turn.hpp).
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "linchpin/value.hpp"

namespace linchpin::detail {

inline constexpr std::uint64_t kLargestRecorded = std::numeric_limits<std::int64_t>::max();

/// A boolean, an integer or enumeration, a text, an optional or pointer-like of these (nil when empty), or a Value.
/// @param number     makes the Value of a std::int64_t
/// @param text       makes the Value of a std::string_view
/// @param too_large  what becomes of a std::uint64_t above 2^63 - 1, which no Value is
template <class T, class Number, class Text, class TooLarge>
Value recorded_value(const T& value, const Number& number, const Text& text, const TooLarge& too_large) {
  if constexpr (std::same_as<T, Value>) {
    return value;
  } else if constexpr (std::same_as<T, bool>) {
    return Value::boolean(value);
  } else if constexpr (std::is_enum_v<T>) {
    return recorded_value(static_cast<std::underlying_type_t<T>>(value), number, text, too_large);
  } else if constexpr (std::integral<T>) {
    static_assert(sizeof(T) <= sizeof(std::int64_t), "a recorded integer has at most 64 bits");
    if constexpr (std::unsigned_integral<T> && sizeof(T) == sizeof(std::int64_t)) {
      if (value > kLargestRecorded) return too_large(std::uint64_t{value});
    }
    return number(static_cast<std::int64_t>(value));
  } else if constexpr (std::same_as<T, std::nullopt_t> || std::same_as<T, std::nullptr_t>) {
    return Value::nil();
  } else if constexpr (std::convertible_to<const T&, std::string_view>) {
    if constexpr (std::is_pointer_v<T>) {  // a view of no text would be read
      if (value == nullptr) return Value::nil();
    }
    return text(std::string_view(value));
  } else {
    static_assert(
        requires { static_cast<bool>(value), *value; },
        "a recorded value is a boolean, an integer, an enumeration, a text, a Value, or an optional of these");
    return value ? recorded_value(*value, number, text, too_large) : Value::nil();
  }
}

/// Runs `operation` between log.call(method, arguments...) and log.returned(its result). What it returns.
template <class Log, class Method, class Function, class... Arguments>
auto record_call(Log& log, Method method, Function&& operation, const Arguments&... arguments) {
  log.call(method, arguments...);
  if constexpr (std::is_void_v<std::invoke_result_t<Function>>) {
    std::forward<Function>(operation)();
    log.returned();
  } else {
    auto result = std::forward<Function>(operation)();
    log.returned(result);
    return result;
  }
}

}  // namespace linchpin::detail

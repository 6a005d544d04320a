// What the java.util.concurrent types share: results as Java prints them.
//
// Results are what String.valueOf gives: integers, booleans and null as values, everything else as a string: a
// collection is "[a, b]", a map "{k=v}", an entry "k=v", an exception its class's full name. A void method returns
// nothing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "linchpin/specification.hpp"
#include "types/answers.hpp"
#include "types/arguments.hpp"

namespace linchpin::types::juc {

inline constexpr std::string_view kNoSuchElement = "java.util.NoSuchElementException";
inline constexpr std::string_view kIllegalState = "java.lang.IllegalStateException";
inline constexpr std::int64_t kMaxInteger = 2147483647;

/// The class without its package.
inline std::string class_name(const TypeName& type) {
  const std::size_t dot = type.name.rfind('.');
  return full_name(dot == std::string::npos ? type.name : type.name.substr(dot + 1), type);
}

/// Whether the operation may have returned this text, which need not be in the pool.
inline bool returns_text(const Operation& operation, std::string_view text) {
  if (operation.result_unknown()) return true;
  return operation.result.is_string() && operation.pool->text_of(operation.result) == text;
}
inline bool throws(const Operation& operation, std::string_view exception) {
  return returns_text(operation, exception);
}
/// A definite answer that is this exception.
inline bool threw(const Operation& operation, std::string_view exception) {
  return !operation.result_unknown() && throws(operation, exception);
}
inline bool returns_nothing(const Operation& operation) {
  return operation.result.is_none() || operation.result_unknown();
}

/// String.valueOf
inline std::string text_of(Value value, const ValuePool& pool) {
  if (value.is_nil()) return "null";
  return value.is_string() ? std::string(pool.text_of(value)) : pool.to_text(value);
}
/// "[a, b]" of a range that `show` turns into texts.
template <class Range, class Show>
std::string list_of(const Range& range, Show&& show, char open = '[', char close = ']') {
  std::string text(1, open);
  bool first = true;
  for (const auto& element : range) {
    if (!first) text += ", ";
    first = false;
    text += show(element);
  }
  text += close;
  return text;
}
inline std::string bracketed(std::span<const Value> values, const ValuePool& pool) {
  return list_of(values, [&](Value value) { return text_of(value, pool); });
}

/// A state for people: values as histories write them, so that the text "1" and the number 1 differ.
inline std::string described(std::span<const Value> values, const ValuePool& pool) {
  return list_of(values, [&](Value value) { return pool.to_text(value); });
}

/// What stands between the commas of a text of `list_of`, in order of the alphabet.
inline std::vector<std::string_view> sorted_parts(std::string_view text) {
  std::vector<std::string_view> parts;
  for (text = text.substr(1, text.size() - 2);;) {
    const std::size_t comma = text.find(", ");
    parts.push_back(text.substr(0, comma));
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 2);
  }
  std::sort(parts.begin(), parts.end());
  return parts;
}

/// Whether the text lists the elements, in any order, as `listed` does in one. An element may look like several.
inline bool lists_in_some_order(std::string_view text, std::string_view listed, std::span<const std::string> elements) {
  if (text.size() != listed.size() || text.front() != listed.front() || text.back() != listed.back()) return false;
  const std::vector<std::string_view> parts = sorted_parts(listed);
  if (sorted_parts(text) != parts) return false;
  if (parts.size() <= elements.size()) return true;
  // What is left says how far the text has been read.
  std::map<std::string_view, std::uint32_t> left;
  for (const std::string& element : elements) ++left[element];
  std::set<std::map<std::string_view, std::uint32_t>> in_vain;
  const auto reads = [&](auto&& self, std::string_view rest, std::size_t count) -> bool {
    if (count == 0) return rest.empty();
    if (in_vain.contains(left)) return false;
    for (auto& [element, times] : left) {
      if (times == 0 || !rest.starts_with(element)) continue;
      std::string_view after = rest.substr(element.size());
      if (count > 1) {
        if (!after.starts_with(", ")) continue;
        after.remove_prefix(2);
      }
      --times;
      if (self(self, after, count - 1)) return true;
      ++times;
    }
    in_vain.insert(left);
    return false;
  };
  return reads(reads, text.substr(1, text.size() - 2), elements.size());
}

/// The collection in argument 0.
inline std::span<const Value> collection(const Operation& operation) {
  return operation.pool->elements_of(operation.argument(0));
}
inline bool contains(std::span<const Value> values, Value value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}
inline bool contains_all(std::span<const Value> values, std::span<const Value> wanted) {
  return std::all_of(wanted.begin(), wanted.end(), [&](Value value) { return contains(values, value); });
}
/// Keeps the values that are (or are not) in `chosen`, in order; whether any left.
template <class Values>
bool filter(Values& values, std::span<const Value> chosen, bool keep) {
  return std::erase_if(values, [&](Value value) { return contains(chosen, value) != keep; }) > 0;
}
/// Removes the first of the values that is `value`; whether there was one.
template <class Values>
bool remove_first(Values& values, Value value) {
  const auto at = std::find(values.begin(), values.end(), value);
  if (at == values.end()) return false;
  values.erase(at);
  return true;
}

}  // namespace linchpin::types::juc

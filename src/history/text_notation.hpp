// The native notation of values: 7, -3, true, nil, ?, word, "any text", [1 [2 "x"]].
//
// Written by ValuePool::to_text and the native text writer, read by the native text reader; `parse_value` is total.
#pragma once

#include <string>
#include <string_view>

#include "linchpin/error.hpp"
#include "linchpin/value.hpp"

namespace linchpin::history {

/// Appends `value` in the native notation. Strings are quoted unless they are plain words that read back as strings;
/// what people would not see as what it is (base/foreign_text.hpp) is escaped, and reads back.
void append_text(std::string& out, Value value, const ValuePool& pool);

/// Appends a text in quotes, escaped likewise.
void append_quoted(std::string& out, std::string_view text);

/// Parses one value at the start of `text` and advances `text` past it. The error's column is relative: the number of
/// bytes read from the start of `text`, plus one. Words: "nil", "null", "empty" are nil; "true", "false"; "?" unknown;
/// "none" is none; a number that does not fit in 64 bits and any other word is a string.
Result<Value> parse_value(std::string_view& text, ValuePool& pool);

}  // namespace linchpin::history

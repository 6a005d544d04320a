#include "history/text_notation.hpp"

#include <charconv>
#include <vector>

#include <fmt/format.h>

#include "base/foreign_text.hpp"

namespace linchpin::history {

namespace {

constexpr int kMaxDepth = 64;

bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Ends a word: blanks, brackets, quotes, and the comma that may separate list elements.
bool ends_word(char c) { return is_blank(c) || c == '[' || c == ']' || c == '"' || c == ',' || c == '\n' || c == '\r'; }

bool is_special_word(std::string_view word) {
  return word == "nil" || word == "null" || word == "empty" || word == "true" || word == "false" || word == "?" ||
         word == "none" || word == "-" || word == "->";
}

/// Whether the string can be written bare and read back as the same string, also as a field of a native text line.
bool is_plain_word(std::string_view text) {
  if (text.empty() || is_special_word(text)) return false;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                       c == '.' || c == ':' || c == '/' || c == '-';
    if (!plain) return false;
  }
  const char first = text[0];
  return (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || first == '_' || first == ':';
}

Error notation_error(const char* begin, const char* at, ErrorCode code, std::string message, std::string hint = {}) {
  Error error{.code = code, .message = std::move(message), .hint = std::move(hint)};
  error.column = static_cast<std::uint64_t>(at - begin) + 1;
  return error;
}

Result<Value> parse_quoted(const char* begin, std::string_view& text, ValuePool& pool) {
  const char* const open = text.data();
  std::string content;
  std::size_t i = 1;
  for (; i < text.size() && text[i] != '"'; ++i) {
    if (text[i] != '\\') {
      content.push_back(text[i]);
      continue;
    }
    if (++i == text.size()) break;
    switch (text[i]) {
      case 'n': content.push_back('\n'); break;
      case 't': content.push_back('\t'); break;
      case 'r': content.push_back('\r'); break;
      case '"': content.push_back('"'); break;
      case '\\': content.push_back('\\'); break;
      case 'x': {
        unsigned byte = 0;
        if (i + 2 >= text.size() || std::from_chars(&text[i + 1], &text[i + 3], byte, 16).ptr != &text[i + 3]) {
          return notation_error(begin, &text[i], ErrorCode::syntax, "bad escape in a string",
                                "write \\xHH with two hex digits");
        }
        content.push_back(static_cast<char>(byte));
        i += 2;
        break;
      }
      default:
        return notation_error(begin, &text[i], ErrorCode::syntax, "unknown escape in a string",
                              R"(use \n \t \r \" \\ or \xHH)");
    }
  }
  if (i >= text.size())
    return notation_error(begin, open, ErrorCode::syntax, "the string does not end", "close it with \"");
  text.remove_prefix(i + 1);
  return pool.string(content);
}

Value word_value(std::string_view word, ValuePool& pool) {
  if (word == "nil" || word == "null" || word == "empty") return Value::nil();
  if (word == "true") return Value::boolean(true);
  if (word == "false") return Value::boolean(false);
  if (word == "?") return Value::unknown();
  if (word == "none") return Value::none();
  std::int64_t number = 0;
  const auto parsed = std::from_chars(word.data(), word.data() + word.size(), number);
  if (parsed.ec == std::errc() && parsed.ptr == word.data() + word.size()) return pool.integer(number);
  return pool.string(word);
}

Result<Value> parse(const char* begin, std::string_view& text, ValuePool& pool, int depth) {
  while (!text.empty() && is_blank(text[0])) text.remove_prefix(1);
  if (text.empty()) return notation_error(begin, text.data(), ErrorCode::missing_field, "a value is missing");
  if (text[0] == '"') return parse_quoted(begin, text, pool);
  if (text[0] == '[') {
    const char* const open = text.data();
    if (depth == kMaxDepth) return notation_error(begin, open, ErrorCode::syntax, "lists are nested too deeply");
    text.remove_prefix(1);
    std::vector<Value> elements;
    while (true) {
      while (!text.empty() && (is_blank(text[0]) || text[0] == ',')) text.remove_prefix(1);
      if (text.empty())
        return notation_error(begin, open, ErrorCode::syntax, "the list does not end", "close it with ]");
      if (text[0] == ']') break;
      auto element = parse(begin, text, pool, depth + 1);
      if (!element) return element;
      elements.push_back(*element);
    }
    text.remove_prefix(1);
    return pool.list(elements);
  }
  std::size_t length = 0;
  while (length < text.size() && !ends_word(text[length])) ++length;
  if (length == 0) {
    return notation_error(begin, text.data(), ErrorCode::syntax, fmt::format("unexpected '{}'", text[0]));
  }
  const Value value = word_value(text.substr(0, length), pool);
  text.remove_prefix(length);
  return value;
}

}  // namespace

void append_text(std::string& out, Value value, const ValuePool& pool) {
  switch (value.kind()) {
    case Value::Kind::none: out += "none"; return;
    case Value::Kind::nil: out += "nil"; return;
    case Value::Kind::unknown: out += '?'; return;
    case Value::Kind::boolean: out += value.boolean() ? "true" : "false"; return;
    case Value::Kind::integer:
    case Value::Kind::big_integer: out += fmt::format_int(pool.integer_of(value)).c_str(); return;
    case Value::Kind::list: {
      out += '[';
      bool first = true;
      for (const Value element : pool.elements_of(value)) {
        if (!first) out += ' ';
        first = false;
        append_text(out, element, pool);
      }
      out += ']';
      return;
    }
    case Value::Kind::string: break;
  }
  const std::string_view text = pool.text_of(value);
  if (is_plain_word(text)) {
    out += text;
  } else {
    append_quoted(out, text);
  }
}

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const std::size_t shown = base::shown_as_themselves(text);
    for (const char c : text.substr(0, shown)) {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
    text.remove_prefix(shown);
    if (text.empty()) break;
    base::append_escape(out, text[0]);
    text.remove_prefix(1);
  }
  out += '"';
}

Result<Value> parse_value(std::string_view& text, ValuePool& pool) { return parse(text.data(), text, pool, 0); }

}  // namespace linchpin::history

#include "formats/json/document.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

#include <absl/container/flat_hash_set.h>
#include <absl/container/inlined_vector.h>
#include <fmt/format.h>

#include "core/reading_limits.hpp"
#include "formats/text_place.hpp"
#include "formats/utf8.hpp"

namespace linchpin::formats::json {

namespace dom = simdjson::dom;

Error error_at(const Text& text, std::string_view source, Fault fault) {
  LineCounter counter(text.bytes, text.line);
  counter.advance(std::min(fault.offset, text.bytes.size()));
  return Error{.code = fault.code,
               .source = std::string(source),
               .line = counter.line(),
               .column = counter.column(),
               .message = std::move(fault.message),
               .hint = std::move(fault.hint)};
}

std::optional<Fault> Parser::parse(std::string_view text, dom::element& out) {
  if (limits_ != nullptr) limits_->look(text);
  const char* data = text.data();
  const auto behind = static_cast<std::size_t>(readable_ - (text.data() + text.size()));
  if (behind < simdjson::SIMDJSON_PADDING) {
    padded_.assign(text);
    padded_.append(simdjson::SIMDJSON_PADDING, ' ');
    data = padded_.data();
  }
  const auto error = parser_.parse(data, text.size(), false).get(out);
  if (error == simdjson::SUCCESS) return std::nullopt;
  if (error == simdjson::UTF8_ERROR) {
    return Fault{first_invalid_utf8(text), ErrorCode::encoding, "the text is not UTF-8",
                 "convert the file, or write other bytes as {\"bytes\": \"hex digits\"}"};
  }
  if (auto fault = first_fault(text)) return fault;
  // Well-formed JSON that simdjson does not take: depth, size, or numbers out of every range.
  if (error == simdjson::DEPTH_ERROR) {
    return Fault{0, ErrorCode::syntax, "lists and objects are nested too deeply", "values nest up to 64 deep"};
  }
  if (error == simdjson::NUMBER_ERROR) {
    return Fault{0, ErrorCode::bad_number, "a number out of the range of 64 bits", "write it as a string"};
  }
  if (error == simdjson::CAPACITY || error == simdjson::MEMALLOC) {
    return Fault{0, ErrorCode::too_large, "the JSON text is too large", "write one operation a line"};
  }
  return Fault{0, ErrorCode::syntax, fmt::format("not JSON: {}", simdjson::error_message(error)), "check the text"};
}

std::optional<std::string_view> repeated_key(const dom::object& object) {
  constexpr std::size_t kFew = 16;
  if (object.size() > kFew) {
    absl::flat_hash_set<std::string> seen;
    for (const auto [key, value] : object) {
      if (!seen.insert(std::string(key)).second) return key;
    }
    return std::nullopt;
  }
  absl::InlinedVector<std::string_view, kFew> seen;
  for (const auto [key, value] : object) {
    if (std::find(seen.begin(), seen.end(), key) != seen.end()) return key;
    seen.push_back(key);
  }
  return std::nullopt;
}

Fault repeated(std::string_view text, std::size_t object, std::string_view key) {
  const std::size_t first = member_offset(text, object, key).value_or(0);
  return {member_offset(text, object, key, 2).value_or(first), ErrorCode::syntax,
          fmt::format("the key \"{}\" stands twice in an object", key), "keep one of them"};
}

namespace {

bool fail(Fault& fault, ErrorCode code, std::string message, std::string hint) {
  fault = Fault{0, code, std::move(message), std::move(hint)};
  return false;
}

bool bytes_value(std::string_view digits, ValuePool& pool, Value& out, Fault& fault) {
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    unsigned byte = 0;
    const char* const end = digits.data() + std::min(i + 2, digits.size());
    if (i + 2 > digits.size() || std::from_chars(digits.data() + i, end, byte, 16).ptr != end) {
      return fail(fault, ErrorCode::syntax, "\"bytes\" must hold pairs of hex digits",
                  "for example {\"bytes\":\"00ff\"}");
    }
    bytes.push_back(static_cast<char>(byte));
  }
  out = pool.string(bytes);
  return true;
}

/// {"?": true}, {"none": true}, {"bytes": "..."}; nothing for other objects.
std::optional<bool> special(const dom::object& object, ValuePool& pool, Value& out, Fault& fault) {
  if (object.size() != 1) return std::nullopt;
  const auto [key, value] = *object.begin();
  bool flag = false;
  std::string_view text;
  if (key == "?" && value.get(flag) == simdjson::SUCCESS && flag) {
    out = Value::unknown();
  } else if (key == "none" && value.get(flag) == simdjson::SUCCESS && flag) {
    out = Value::none();
  } else if (key == "bytes" && value.get(text) == simdjson::SUCCESS) {
    return bytes_value(text, pool, out, fault);
  } else {
    return std::nullopt;
  }
  return true;
}

/// A map's key: an integer where it is one as written.
Value key_value(std::string_view key, ValuePool& pool) {
  std::int64_t number = 0;
  const auto parsed = std::from_chars(key.data(), key.data() + key.size(), number);
  if (parsed.ec == std::errc() && parsed.ptr == key.data() + key.size() && fmt::format_int(number).c_str() == key) {
    return pool.integer(number);
  }
  return pool.string(key);
}

bool convert(const dom::element& element, ValuePool& pool, Maps maps, Value& out, Fault& fault, int depth) {
  switch (element.type()) {
    case dom::element_type::INT64: out = pool.integer(element.get_int64().value_unsafe()); return true;
    case dom::element_type::STRING: out = pool.string(element.get_string().value_unsafe()); return true;
    case dom::element_type::NULL_VALUE: out = Value::nil(); return true;
    case dom::element_type::BOOL: out = Value::boolean(element.get_bool().value_unsafe()); return true;
    case dom::element_type::UINT64: out = pool.string(fmt::to_string(element.get_uint64().value_unsafe())); return true;
    case dom::element_type::DOUBLE: out = pool.string(fmt::to_string(element.get_double().value_unsafe())); return true;
    default: break;
  }
  if (depth >= kMaxDepth) {
    return fail(fault, ErrorCode::syntax, "lists are nested too deeply", "values nest up to 64 deep");
  }
  std::vector<Value> elements;
  if (element.type() == dom::element_type::ARRAY) {
    const dom::array array = element.get_array().value_unsafe();
    for (const dom::element part : array) {
      if (!convert(part, pool, maps, elements.emplace_back(), fault, depth + 1)) return false;
    }
  } else {
    const dom::object object = element.get_object().value_unsafe();
    if (maps == Maps::refused) {
      if (const auto done = special(object, pool, out, fault)) return *done;
      return fail(fault, ErrorCode::syntax, "an object is no value here",
                  "use numbers, \"text\", true, false, null, lists, {\"?\":true} for an unknown result");
    }
    if (const auto key = repeated_key(object)) {
      return fail(fault, ErrorCode::syntax, fmt::format("the key \"{}\" stands twice in an object", *key),
                  "keep one of them");
    }
    for (const auto [key, value] : object) {
      Value part;
      if (!convert(value, pool, maps, part, fault, depth + 2)) return false;
      elements.push_back(pool.list({key_value(key, pool), part}));
    }
  }
  out = pool.list(elements);
  return true;
}

}  // namespace

bool to_value(const dom::element& element, ValuePool& pool, Maps maps, Value& out, Fault& fault) {
  return convert(element, pool, maps, out, fault, 0);
}

void append_string(std::string& out, std::string_view text) {
  out += '"';
  std::size_t plain = 0;  // where the bytes not yet copied begin
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0x20 && c != '"' && c != '\\') continue;
    out.append(text, plain, i - plain);
    plain = i + 1;
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\t': out += "\\t"; break;
      case '\r': out += "\\r"; break;
      default: out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    }
  }
  out.append(text, plain, text.size() - plain);
  out += '"';
}

void append_value(std::string& out, Value value, const ValuePool& pool) {
  switch (value.kind()) {
    case Value::Kind::none: out += R"({"none":true})"; return;
    case Value::Kind::nil: out += "null"; return;
    case Value::Kind::unknown: out += R"({"?":true})"; return;
    case Value::Kind::boolean: out += value.boolean() ? "true" : "false"; return;
    case Value::Kind::integer:
    case Value::Kind::big_integer: {
      const fmt::format_int digits(pool.integer_of(value));
      out.append(digits.data(), digits.size());
      return;
    }
    case Value::Kind::list: {
      out += '[';
      bool first = true;
      for (const Value element : pool.elements_of(value)) {
        if (!first) out += ',';
        first = false;
        append_value(out, element, pool);
      }
      out += ']';
      return;
    }
    case Value::Kind::string: break;
  }
  const std::string_view text = pool.text_of(value);
  if (is_utf8(text)) {
    append_string(out, text);
    return;
  }
  out += R"({"bytes":")";
  for (const char c : text) out += fmt::format("{:02x}", static_cast<unsigned char>(c));
  out += "\"}";
}

}  // namespace linchpin::formats::json

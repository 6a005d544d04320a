// JSON texts into simdjson documents, and JSON values into Values; errors with their places.
//
// Values: integers, "text", true, false, null (nil), [...] are themselves. Three objects say what JSON cannot:
// {"?": true} an unknown result, {"none": true} no value, {"bytes": "00ff"} a string that is not UTF-8. Numbers with a
// fraction, and integers from 2^63 to 2^64 - 1, are strings of their digits. Any other object is refused, unless the
// caller wants maps: then it is the list of its [key value] lists in the order written.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <simdjson.h>

#include "core/format.hpp"
#include "formats/json/scan.hpp"
#include "linchpin/error.hpp"
#include "linchpin/value.hpp"

namespace linchpin::formats::json {

/// A JSON text inside an input.
struct Text {
  std::string_view bytes;
  std::uint64_t line = 1;  ///< of the first byte, which stands in column 1
};

/// The error of a fault at its place in the text.
[[nodiscard]] Error error_at(const Text& text, std::string_view source, Fault fault);

class Parser {
 public:
  /// @param input  what the texts to be parsed are parts of: simdjson reads some bytes behind a text, which is fine in
  /// place except at the end of an input without padding.
  explicit Parser(const core::Source& input)
      : limits_(input.limits), readable_(input.bytes.data() + input.bytes.size() + input.padding) {}

  /// The text's one value, valid until the next call.
  [[nodiscard]] std::optional<Fault> parse(std::string_view text, simdjson::dom::element& out);

 private:
  core::ReadingLimits* limits_;
  const char* readable_;  // the end of what may be read
  simdjson::dom::parser parser_;
  std::string padded_;
};

/// A key that stands twice in the object, of which JSON does not say which counts; nothing where all are distinct.
[[nodiscard]] std::optional<std::string_view> repeated_key(const simdjson::dom::object& object);
/// The fault of such a key in the object at `object` of the text, at its second value.
[[nodiscard]] Fault repeated(std::string_view text, std::size_t object, std::string_view key);

inline constexpr int kMaxDepth = 64;  ///< of lists; as in the native text notation

enum class Maps : bool { refused, as_lists };

/// A JSON value as a Value. False, with a fault that has no offset, when it stands for none.
[[nodiscard]] bool to_value(const simdjson::dom::element& element, ValuePool& pool, Maps maps, Value& out,
                            Fault& fault);

/// Appends the string in quotes with its escapes. @pre the text is UTF-8
void append_string(std::string& out, std::string_view text);
/// Appends the value in the notation above.
void append_value(std::string& out, Value value, const ValuePool& pool);

}  // namespace linchpin::formats::json

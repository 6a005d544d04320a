// JSON for a page that people look at, written from front to back: what would not show as itself is escaped in the
// text.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/foreign_text.hpp"

namespace linchpin::explain::page {

class JsonWriter {
 public:
  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }

  /// The name of the value that is written next.
  JsonWriter& name(std::string_view name) {
    separate();
    quote(name);
    text_ += ':';
    first_ = true;
    return *this;
  }
  JsonWriter& value(std::string_view text) {
    separate();
    quote(text);
    return *this;
  }
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(bool truth) { return raw(truth ? "true" : "false"); }
  JsonWriter& value(double number) { return raw(fmt::format("{:.6g}", number)); }
  template <std::integral Number>
  JsonWriter& value(Number number) {
    return raw(fmt::format("{}", number));
  }
  /// A value that is JSON already.
  JsonWriter& raw(std::string_view json) {
    separate();
    text_ += json;
    return *this;
  }

  template <class Value>
  JsonWriter& field(std::string_view field_name, const Value& content) {
    return name(field_name).value(content);
  }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  JsonWriter& open(char bracket) {
    separate();
    text_ += bracket;
    first_ = true;
    return *this;
  }
  JsonWriter& close(char bracket) {
    text_ += bracket;
    first_ = false;
    return *this;
  }
  void separate() {
    if (!first_) text_ += ',';
    first_ = false;
  }
  /// '<' is escaped too: a string must not end the script element that it stands in.
  void quote(std::string_view text) {
    text_ += '"';
    for (const char c : base::foreign_text(text)) {
      if (c == '"' || c == '\\') {
        text_ += '\\';
        text_ += c;
      } else if (c == '<') {
        text_ += "\\u003c";
      } else {
        text_ += c;
      }
    }
    text_ += '"';
  }

  std::string text_;
  bool first_ = true;
};

}  // namespace linchpin::explain::page

#include "formats/json/scan.hpp"

#include <array>

namespace linchpin::formats::json {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && is_blank(text[at])) ++at;
  return at;
}

/// What a byte outside strings is to a walk by depth.
enum class Part : std::uint8_t { plain, quote, open, close, between };
constexpr std::array<Part, 256> make_parts() {
  std::array<Part, 256> parts{};
  for (const char c : {' ', '\t', '\n', '\r', ',', ':'}) parts[static_cast<unsigned char>(c)] = Part::between;
  parts['"'] = Part::quote;
  parts['{'] = parts['['] = Part::open;
  parts['}'] = parts[']'] = Part::close;
  return parts;
}
constexpr std::array<Part, 256> kParts = make_parts();

/// Behind the string whose opening quote is at `at`.
std::size_t skip_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return at < text.size() ? at + 1 : text.size();
}

/// A validator with an explicit stack of what is open.
class Validator {
 public:
  explicit Validator(std::string_view text) : text_(text) {}

  std::optional<Fault> run() {
    bool value_expected = true;
    while (true) {
      at_ = skip_blanks(text_, at_);
      if (value_expected) {
        if (!value(value_expected)) return fault_;
        continue;
      }
      if (open_.empty()) break;
      if (!after_value(value_expected)) return fault_;
    }
    if (at_ < text_.size()) fail(at_, "text after the end of the JSON value", "write one JSON value a line");
    return fault_;
  }

 private:
  bool fail(std::size_t offset, std::string message, std::string hint = {}, ErrorCode code = ErrorCode::syntax) {
    fault_ = Fault{offset, code, std::move(message), std::move(hint)};
    return false;
  }

  bool ends_inside() {
    std::string what = open_.empty() ? "a value" : open_.back() == '{' ? "an object" : "an array";
    return fail(text_.size(), "the text ends inside " + what, "is the file cut off?", ErrorCode::truncated);
  }

  /// A value, or the opening of one; `value_expected` says what follows.
  bool value(bool& value_expected) {
    if (at_ >= text_.size()) return ends_inside();
    value_expected = false;
    const char c = text_[at_];
    if (c == '{') {
      open_.push_back('{');
      at_ = skip_blanks(text_, at_ + 1);
      if (at_ < text_.size() && text_[at_] == '}') return close();
      value_expected = true;
      return key();
    }
    if (c == '[') {
      open_.push_back('[');
      at_ = skip_blanks(text_, at_ + 1);
      if (at_ < text_.size() && text_[at_] == ']') return close();
      value_expected = true;
      return true;
    }
    if (c == '"') return string();
    if (c == '-' || is_digit(c)) return number();
    for (const std::string_view word : {"true", "false", "null"}) {
      const std::string_view rest = text_.substr(at_, word.size());
      if (rest == word) {
        at_ += word.size();
        return true;
      }
      if (at_ + rest.size() == text_.size() && word.substr(0, rest.size()) == rest) return ends_inside();
    }
    return fail(at_, "not a JSON value", "a value is a number, \"text\", true, false, null, [...] or {...}");
  }

  bool close() {
    open_.pop_back();
    ++at_;
    return true;
  }

  bool key() {
    at_ = skip_blanks(text_, at_);
    if (at_ >= text_.size()) return ends_inside();
    if (text_[at_] != '"') return fail(at_, "an object's key must be a string", "write {\"key\": value}");
    if (!string()) return false;
    at_ = skip_blanks(text_, at_);
    if (at_ >= text_.size()) return ends_inside();
    if (text_[at_] != ':') return fail(at_, "':' is missing after a key", "write {\"key\": value}");
    ++at_;
    return true;
  }

  bool after_value(bool& value_expected) {
    if (at_ >= text_.size()) return ends_inside();
    const char c = text_[at_];
    if (c == (open_.back() == '{' ? '}' : ']')) return close();
    if (c != ',') {
      return fail(at_, open_.back() == '{' ? "',' or '}' is missing" : "',' or ']' is missing",
                  "separate elements with commas");
    }
    ++at_;
    value_expected = true;
    return open_.back() != '{' || key();
  }

  bool string() {
    const std::size_t begin = at_;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (static_cast<unsigned char>(text_[at_]) < 0x20) {
        return fail(at_, "a control character in a string", "write it as \\n, \\t or \\u00XX");
      }
      if (text_[at_] != '\\') continue;
      if (++at_ == text_.size()) break;
      if (text_[at_] == 'u') {
        for (int digit = 0; digit < 4; ++digit) {
          if (++at_ == text_.size()) return ends_inside();
          if (!is_hex(text_[at_])) return fail(at_, "bad \\u escape in a string", "write \\u and four hex digits");
        }
      } else if (std::string_view("\"\\/bfnrt").find(text_[at_]) == std::string_view::npos) {
        return fail(at_, "unknown escape in a string", R"(use \" \\ \/ \b \f \n \r \t or \uXXXX)");
      }
    }
    if (at_ >= text_.size()) {
      return fail(begin, "the string does not end", "close it with \"", ErrorCode::truncated);
    }
    ++at_;
    return true;
  }

  bool number() {
    const std::size_t begin = at_;
    if (text_[at_] == '-') ++at_;
    const std::size_t whole = at_;
    digits();
    bool good = at_ > whole && (text_[whole] != '0' || at_ == whole + 1);
    if (good && at_ < text_.size() && text_[at_] == '.') good = (++at_, digits());
    if (good && at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      ++at_;
      if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
      good = digits();
    }
    if (good) return true;
    return fail(begin, "not a JSON number", "write digits without leading zeros or '+'", ErrorCode::bad_number);
  }

  bool digits() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    return at_ > begin;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string open_;  // '{' and '[' of what is open
  std::optional<Fault> fault_;
};

}  // namespace

std::optional<Fault> first_fault(std::string_view text) { return Validator(text).run(); }

std::size_t skip_value(std::string_view text, std::size_t offset) {
  offset = skip_blanks(text, offset);
  std::size_t depth = 0;
  while (offset < text.size()) {
    switch (kParts[static_cast<unsigned char>(text[offset])]) {
      case Part::plain:
        while (offset < text.size() && kParts[static_cast<unsigned char>(text[offset])] == Part::plain) ++offset;
        break;
      case Part::quote: offset = skip_string(text, offset); break;
      case Part::open:
        ++depth;
        ++offset;
        continue;
      case Part::close:
        if (depth == 0) return offset;
        --depth;
        ++offset;
        break;
      case Part::between:
        if (depth == 0) return offset;
        ++offset;
        continue;
    }
    if (depth == 0) return offset;
  }
  return offset;
}

std::optional<std::size_t> member_offset(std::string_view text, std::size_t object, std::string_view key,
                                         std::size_t occurrence) {
  object = skip_blanks(text, object);
  if (object >= text.size() || text[object] != '{') return std::nullopt;
  std::size_t at = object + 1;
  while (true) {
    at = skip_blanks(text, at);
    if (at >= text.size() || text[at] != '"') return std::nullopt;
    const std::size_t key_end = skip_string(text, at);
    const bool found = text.substr(at + 1, key_end - at - 2) == key;
    at = skip_blanks(text, key_end);
    at = skip_blanks(text, at + 1);  // behind the colon
    if (found && --occurrence == 0) return at;
    at = skip_blanks(text, skip_value(text, at));
    if (at >= text.size() || text[at] != ',') return std::nullopt;
    ++at;
  }
}

std::vector<std::size_t> element_offsets(std::string_view text, std::size_t array) {
  std::vector<std::size_t> offsets;
  array = skip_blanks(text, array);
  if (array >= text.size() || text[array] != '[') return offsets;
  std::size_t at = skip_blanks(text, array + 1);
  while (at < text.size() && text[at] != ']') {
    offsets.push_back(at);
    at = skip_blanks(text, skip_value(text, at));
    if (at < text.size() && text[at] == ',') at = skip_blanks(text, at + 1);
  }
  return offsets;
}

}  // namespace linchpin::formats::json

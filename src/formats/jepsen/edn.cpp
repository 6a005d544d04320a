#include "formats/jepsen/edn.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include <fmt/format.h>

namespace linchpin::formats::jepsen::edn {

namespace {

enum : std::uint8_t { kPlain, kBlank, kEnds };  // kEnds: not blank, and not part of the word before it

constexpr std::array<std::uint8_t, 256> make_classes() {
  std::array<std::uint8_t, 256> classes{};
  for (int c = 0; c <= 0x20; ++c) classes[static_cast<std::size_t>(c)] = kBlank;
  classes[','] = kBlank;
  for (const char c : {'(', ')', '[', ']', '{', '}', '"', ';'}) classes[static_cast<unsigned char>(c)] = kEnds;
  return classes;
}
constexpr std::array<std::uint8_t, 256> kClasses = make_classes();

bool is_blank(char c) { return kClasses[static_cast<unsigned char>(c)] == kBlank; }
bool ends_word(char c) { return kClasses[static_cast<unsigned char>(c)] != kPlain; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

char closing(char open) { return open == '(' ? ')' : open == '[' ? ']' : '}'; }

void append_utf8(std::string& out, unsigned point) {
  if (point < 0x80) {
    out += static_cast<char>(point);
  } else if (point < 0x800) {
    out += static_cast<char>(0xc0 | (point >> 6));
    out += static_cast<char>(0x80 | (point & 0x3f));
  } else if (point < 0x10000) {
    out += static_cast<char>(0xe0 | (point >> 12));
    out += static_cast<char>(0x80 | ((point >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (point & 0x3f));
  } else {
    out += static_cast<char>(0xf0 | (point >> 18));
    out += static_cast<char>(0x80 | ((point >> 12) & 0x3f));
    out += static_cast<char>(0x80 | ((point >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (point & 0x3f));
  }
}

/// The four hex digits at `at`.
bool hex4(std::string_view text, std::size_t at, unsigned& out) {
  if (at + 4 > text.size()) return false;
  const char* const end = text.data() + at + 4;
  return std::from_chars(text.data() + at, end, out, 16).ptr == end;
}

/// Whether `text` is digits, optionally with a fraction, an exponent and a final M; or a ratio of digits.
bool is_decimal(std::string_view text) {
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t begin = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at > begin;
  };
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) ++at;
  if (!digits()) return false;
  if (at < text.size() && text[at] == '/') return ++at, digits() && at == text.size();
  if (at < text.size() && text[at] == '.') ++at, digits();
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (!digits()) return false;
  }
  if (at < text.size() && (text[at] == 'M' || text[at] == 'N')) ++at;
  return at == text.size();
}

}  // namespace

bool to_integer(std::string_view text, std::int64_t& out) {
  if (text.ends_with('N')) text.remove_suffix(1);
  if (text.starts_with('+')) text.remove_prefix(1);
  if (text.starts_with('-') && text.substr(1).starts_with("0x")) return false;
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    text.remove_prefix(2);
    if (text.starts_with('-')) return false;
    base = 16;
  }
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), out, base);
  return parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
}

bool Reader::fail(std::size_t offset, ErrorCode code, std::string message, std::string hint) {
  fault_ = Fault{offset, code, std::move(message), std::move(hint)};
  return false;
}

Token Reader::failed(std::size_t offset, ErrorCode code, std::string message, std::string hint) {
  fail(offset, code, std::move(message), std::move(hint));
  return Token{.kind = TokenKind::fault, .offset = offset};
}

/// The next token as it stands; `mark` tells a discard or a tag, which are no tokens of a form.
Token Reader::raw(Mark& mark) {
  const std::size_t begin = at_;
  const Token token = scan(mark);
  if (limits_ != nullptr) limits_->look(text_.substr(begin, at_ - begin));
  return token;
}

Token Reader::scan(Mark& mark) {
  mark = Mark::none;
  while (at_ < text_.size()) {
    if (is_blank(text_[at_])) {
      ++at_;
    } else if (text_[at_] == ';') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else {
      break;
    }
  }
  Token token{.offset = at_};
  if (at_ == text_.size()) return token;
  const char c = text_[at_];
  const auto word = [&](std::size_t begin) {
    while (at_ < text_.size() && !ends_word(text_[at_])) ++at_;
    token.text = text_.substr(begin, at_ - begin);
  };
  switch (c) {
    case '(':
    case '[':
    case '{':
      ++at_;
      token.kind = TokenKind::open;
      token.bracket = closing(c);
      return token;
    case ')':
    case ']':
    case '}':
      ++at_;
      token.kind = TokenKind::close;
      token.bracket = c;
      return token;
    case '"':
      for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
        if (text_[at_] != '\\') continue;
        token.escaped = true;
        if (++at_ == text_.size()) break;
      }
      if (at_ == text_.size()) {
        return failed(token.offset, ErrorCode::truncated, "the string does not end", "close it with \"");
      }
      token.kind = TokenKind::string;
      token.text = text_.substr(token.offset + 1, at_ - token.offset - 1);
      ++at_;
      return token;
    case ':':
      ++at_;
      token.kind = TokenKind::keyword;
      word(at_);
      if (token.text.empty()) {
        return failed(token.offset, ErrorCode::syntax, "a keyword without a name", "for example :read");
      }
      return token;
    case '\\':
      token.kind = TokenKind::character;
      if (++at_ < text_.size()) ++at_;  // any character, a bracket too
      word(token.offset + 1);
      if (token.text.empty()) {
        return failed(token.offset, ErrorCode::truncated, "the text ends inside a character", "for example \\a");
      }
      return token;
    case '#':
      ++at_;
      if (at_ < text_.size() && text_[at_] == '{') {
        ++at_;
        token.kind = TokenKind::open;
        token.bracket = '}';
        token.set = true;
        return token;
      }
      if (at_ < text_.size() && text_[at_] == '_') {
        ++at_;
        mark = Mark::discard;
        return token;
      }
      if (at_ < text_.size() && text_[at_] == '#') {  // ##Inf, ##NaN
        token.kind = TokenKind::symbol;
        word(token.offset);
        return token;
      }
      word(at_);
      if (token.text.empty()) {
        return failed(token.offset, at_ == text_.size() ? ErrorCode::truncated : ErrorCode::syntax,
                      "'#' begins neither a set, a tag nor a discard", "for example #{1 2} or #inst \"2020-01-01\"");
      }
      mark = Mark::tag;
      return token;
    default: break;
  }
  const bool sign = (c == '-' || c == '+') && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]);
  token.kind = sign || is_digit(c) ? TokenKind::number : TokenKind::symbol;
  word(at_);
  return token;
}

Token Reader::next() {
  Mark mark = Mark::none;
  Token token = raw(mark);
  constexpr std::size_t kNone = std::string_view::npos;
  std::size_t tag = kNone, tag_end = 0;
  while (mark != Mark::none) {
    if (mark == Mark::tag) {
      tag = std::min(tag, token.offset);
      tag_end = at_;
    } else if (!discard(token.offset)) {
      return Token{.kind = TokenKind::fault, .offset = token.offset};
    }
    token = raw(mark);
  }
  if (tag == kNone) return token;
  token.tags = text_.substr(tag, tag_end - tag);
  if (token.kind == TokenKind::end || token.kind == TokenKind::close) {
    return failed(tag, token.kind == TokenKind::end ? ErrorCode::truncated : ErrorCode::syntax, "a tag without a value",
                  "write the tagged value behind it");
  }
  return token;
}

/// Behind a #_: passes over the form that it discards. Discards may be stacked: #_ #_ a b discards both.
bool Reader::discard(std::size_t offset) {
  std::size_t forms = 1;
  while (forms > 0) {
    Mark mark = Mark::none;
    const Token token = raw(mark);
    if (mark == Mark::discard) {
      ++forms;
    } else if (mark == Mark::none) {
      if (token.kind == TokenKind::fault) return false;
      if (token.kind == TokenKind::end || token.kind == TokenKind::close) {
        return fail(offset, token.kind == TokenKind::end ? ErrorCode::truncated : ErrorCode::syntax,
                    "#_ discards nothing", "write a form behind it");
      }
      if (!skip(token)) return false;
      --forms;
    }
  }
  return true;
}

bool Reader::unexpected(const Token& token) {
  if (token.kind == TokenKind::fault) return false;
  if (token.kind == TokenKind::end) {
    return fail(token.offset, ErrorCode::truncated, "the text ends where a value is expected", "is the file cut off?");
  }
  return fail(token.offset, ErrorCode::syntax, fmt::format("unexpected '{}'", token.bracket),
              "is a bracket missing before it?");
}

bool Reader::skip(const Token& token) {
  if (token.kind == TokenKind::fault || token.kind == TokenKind::end || token.kind == TokenKind::close) {
    return unexpected(token);
  }
  if (token.kind != TokenKind::open) return true;
  std::string open(1, token.bracket);  // the closing brackets awaited
  while (!open.empty()) {
    Mark mark = Mark::none;
    const Token part = raw(mark);
    switch (part.kind) {
      case TokenKind::fault: return false;
      case TokenKind::end:
        if (mark != Mark::none) break;
        return fail(token.offset, ErrorCode::truncated, fmt::format("the '{}' for this bracket is missing", open[0]),
                    "is the file cut off?");
      case TokenKind::open: open.push_back(part.bracket); break;
      case TokenKind::close:
        if (part.bracket != open.back()) {
          return fail(part.offset, ErrorCode::syntax, fmt::format("'{}' instead of '{}'", part.bracket, open.back()),
                      "brackets must match");
        }
        open.pop_back();
        break;
      default: break;
    }
  }
  return true;
}

bool Reader::parse(const Token& token, Value& out, int depth) {
  // What is tagged otherwise is another value, and no pair of anything. But the tag of a sequence says how it is kept
  // (#ordered/set), and those that stand for pairs, transactions and contents have to be seen.
  const bool sequence = token.kind == TokenKind::open && (token.bracket != '}' || token.set);
  if (!token.tags.empty() && !sequence) {
    Token untagged = token;
    untagged.tags = {};
    if (!parse(untagged, out, depth)) return false;
    out = pool_->string(fmt::format("{} {}", token.tags, pool_->to_text(out)));
    return true;
  }
  switch (token.kind) {
    case TokenKind::open: return collection(token, out, depth);
    case TokenKind::keyword: out = pool_->string(token.text); return true;
    case TokenKind::symbol:
      if (token.text == "nil") {
        out = Value::nil();
      } else if (token.text == "true" || token.text == "false") {
        out = Value::boolean(token.text == "true");
      } else {
        out = pool_->string(token.text);
      }
      return true;
    case TokenKind::string: return string(token, out);
    case TokenKind::character: return character(token, out);
    case TokenKind::number: return number(token, out);
    default: return unexpected(token);
  }
}

bool Reader::collection(const Token& open, Value& out, int depth) {
  const bool map = open.bracket == '}' && !open.set;
  if (depth + (map ? 1 : 0) >= kMaxDepth) {
    return fail(open.offset, ErrorCode::syntax, "collections are nested too deeply", "values nest up to 64 deep");
  }
  std::vector<Value> elements;
  while (true) {
    const Token token = next();
    if (token.kind == TokenKind::close) {
      if (token.bracket == open.bracket) break;
      return fail(token.offset, ErrorCode::syntax, fmt::format("'{}' instead of '{}'", token.bracket, open.bracket),
                  "brackets must match");
    }
    if (token.kind == TokenKind::end) {
      return fail(open.offset, ErrorCode::truncated, fmt::format("the '{}' for this bracket is missing", open.bracket),
                  "is the file cut off?");
    }
    if (!parse(token, elements.emplace_back(), depth + (map ? 2 : 1))) return false;
  }
  if (map) {
    if (elements.size() % 2 != 0) {
      return fail(open.offset, ErrorCode::syntax, "a map's last key has no value", "write {key value, key value}");
    }
    std::vector<Value> pairs;
    for (std::size_t i = 0; i < elements.size(); i += 2) pairs.push_back(pool_->list({elements[i], elements[i + 1]}));
    elements = std::move(pairs);
  }
  if (map || open.set) {
    const auto less = [this](Value a, Value b) { return pool_->compare(a, b) < 0; };
    std::sort(elements.begin(), elements.end(), less);
  }
  out = pool_->list(elements);
  return true;
}

bool Reader::number(const Token& token, Value& out) {
  std::int64_t integer = 0;
  if (to_integer(token.text, integer)) {
    out = pool_->integer(integer);
    return true;
  }
  if (!is_decimal(token.text)) {
    return fail(token.offset, ErrorCode::bad_number, fmt::format("'{}' is not a number", token.text.substr(0, 40)),
                "write other words as :keyword or \"text\"");
  }
  out = pool_->string(token.text);
  return true;
}

bool Reader::string(const Token& token, Value& out) {
  if (!token.escaped) {
    out = pool_->string(token.text);
    return true;
  }
  const std::string_view text = token.text;
  std::string content;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      content += text[i];
      continue;
    }
    const std::size_t escape = token.offset + 1 + i;
    switch (text[++i]) {
      case 'n': content += '\n'; break;
      case 't': content += '\t'; break;
      case 'r': content += '\r'; break;
      case 'b': content += '\b'; break;
      case 'f': content += '\f'; break;
      case '"': content += '"'; break;
      case '\\': content += '\\'; break;
      case 'u': {
        unsigned point = 0;
        unsigned low = 0;
        bool good = hex4(text, i + 1, point) && (point < 0xdc00 || point > 0xdfff);
        i += 4;
        if (good && point >= 0xd800 && point <= 0xdbff) {  // the first half of a pair
          good = text.substr(std::min(i + 1, text.size())).starts_with("\\u") && hex4(text, i + 3, low) &&
                 low >= 0xdc00 && low <= 0xdfff;
          point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
          i += 6;
        }
        if (!good) {
          return fail(escape, ErrorCode::syntax, "bad \\u escape in a string",
                      "write \\u and four hex digits; halves of a pair come in twos");
        }
        append_utf8(content, point);
        break;
      }
      default:
        return fail(escape, ErrorCode::syntax, "unknown escape in a string", R"(use \n \t \r \b \f \" \\ or \uXXXX)");
    }
  }
  out = pool_->string(content);
  return true;
}

bool Reader::character(const Token& token, Value& out) {
  struct Name {
    std::string_view name;
    std::string_view character;
  };
  static constexpr std::array kNames{Name{"newline", "\n"}, Name{"return", "\r"},   Name{"space", " "},
                                     Name{"tab", "\t"},     Name{"formfeed", "\f"}, Name{"backspace", "\b"}};
  for (const Name& known : kNames) {
    if (token.text == known.name) {
      out = pool_->string(known.character);
      return true;
    }
  }
  const auto lead = static_cast<unsigned char>(token.text[0]);
  const std::size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  unsigned point = 0;
  if (token.text.size() == length) {
    out = pool_->string(token.text);
  } else if (token.text.size() == 5 && token.text[0] == 'u' && hex4(token.text, 1, point) &&
             (point < 0xd800 || point > 0xdfff)) {
    std::string text;
    append_utf8(text, point);
    out = pool_->string(text);
  } else {
    return fail(token.offset, ErrorCode::syntax, "not a character", "for example \\a, \\newline or \\u0041");
  }
  return true;
}

void append_string(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\t': out += "\\t"; break;
      case '\r': out += "\\r"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
        } else {
          out += c;
        }
    }
  }
  out += '"';
}

}  // namespace linchpin::formats::jepsen::edn

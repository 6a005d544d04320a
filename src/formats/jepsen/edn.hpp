// EDN, the notation of Clojure's data: a total reader that streams tokens and makes Values of forms.
//
//   edn::Reader reader(text);
//   reader.set_pool(pool);
//   edn::Token token = reader.next();               // comments and #_ discards are passed over
//   Value value;
//   if (!reader.value(token, value)) report(reader.fault());
//
// Values: keywords, symbols and characters are strings without their mark (:x, x and \x are "x"), except the symbols
// nil, true and false; integers are integers, with or without N or 0x; integers beyond 64 bits, floats and ratios are
// strings of their text; vectors and lists are lists; a set is the list of its elements and a map the list of its
// [key value] lists, both in ascending order, as they have none of their own. A tagged value is the value.
//
// Recursion is bounded by kMaxDepth; passing over a form does not recurse. Cost O(bytes). Tests: edn_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/reading_limits.hpp"
#include "linchpin/error.hpp"
#include "linchpin/value.hpp"

namespace linchpin::formats::jepsen::edn {

inline constexpr int kMaxDepth = 64;

enum class TokenKind : std::uint8_t {
  end,        ///< of the text
  open,       ///< ( [ { or #{
  close,      ///< ) ] }
  keyword,    ///< text: without the colon
  symbol,     ///< nil, true and false too
  string,     ///< text: between the quotes, escapes as written
  character,  ///< text: behind the backslash
  number,     ///< digits or a sign and digits first; not checked further
  fault,      ///< see Reader::fault
};

struct Token {
  TokenKind kind = TokenKind::end;
  char bracket = 0;        ///< for open and close: the closing bracket
  bool set = false;        ///< for open: #{
  bool escaped = false;    ///< for string: has escapes
  std::size_t offset = 0;  ///< of its first byte, behind its tags
  std::string_view text;
  std::string_view tags;  ///< from the first '#' to the end of the last one; mostly empty
};

struct Fault {
  std::size_t offset = 0;
  ErrorCode code = ErrorCode::syntax;
  std::string message;
  std::string hint;
};

class Reader {
 public:
  /// @pre text is UTF-8 @param limits asked before each token
  explicit Reader(std::string_view text, core::ReadingLimits* limits = nullptr) : text_(text), limits_(limits) {}

  /// Where values are made from now on.
  void set_pool(ValuePool& pool) { pool_ = &pool; }

  /// The next token of a form.
  Token next();
  /// The value whose first token is `token`; false: see fault(). @pre a pool is set
  bool value(const Token& token, Value& out) { return parse(token, out, 0); }
  /// Passes over the form whose first token is `token`; false: see fault().
  bool skip(const Token& token);

  /// Behind the last token.
  [[nodiscard]] std::size_t offset() const { return at_; }
  [[nodiscard]] const Fault& fault() const { return fault_; }
  bool fail(std::size_t offset, ErrorCode code, std::string message, std::string hint);

 private:
  enum class Mark : std::uint8_t { none, discard, tag };

  Token raw(Mark& mark);
  Token scan(Mark& mark);
  Token failed(std::size_t offset, ErrorCode code, std::string message, std::string hint);
  bool discard(std::size_t offset);
  bool unexpected(const Token& token);
  bool parse(const Token& token, Value& out, int depth);
  bool collection(const Token& open, Value& out, int depth);
  bool number(const Token& token, Value& out);
  bool string(const Token& token, Value& out);
  bool character(const Token& token, Value& out);

  std::string_view text_;
  core::ReadingLimits* limits_;
  ValuePool* pool_ = nullptr;
  std::size_t at_ = 0;
  Fault fault_;
};

/// The text of an integer, with or without N or 0x, when it fits in 64 bits.
[[nodiscard]] bool to_integer(std::string_view text, std::int64_t& out);

/// Appends a string in quotes with its escapes.
void append_string(std::string& out, std::string_view text);

}  // namespace linchpin::formats::jepsen::edn

// What fastlin and fptlin share: a first line "# TYPE", and a table of methods for each type that it can name.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/assert.hpp"
#include "formats/eight_bytes.hpp"
#include "formats/lines.hpp"
#include "linchpin/history.hpp"

namespace linchpin::formats {

/// How a row's values become an operation's arguments and result.
enum class Role : std::uint8_t {
  add,       ///< value: the argument
  take,      ///< value: the result; -1 is nil, for "empty"
  succeed,   ///< value: the argument; the result is true
  find,      ///< the same, of a method that has its answer in its name
  miss,      ///< value: the argument; the result is false
  test,      ///< value, ok: the argument and a result of true or false
  step,      ///< ok: a result of true or false
  exchange,  ///< old, new: the result and the argument
};

struct RowMethod {
  std::string_view word;    ///< in the file
  std::string_view method;  ///< in the history
  Role role;
};

struct RowKind {
  std::string_view name;     ///< in the header
  std::string_view aliases;  ///< further names, also of the type that a caller gives
  std::string_view type;     ///< the history's, with options
  std::span<const RowMethod> methods;
};

/// Finds rows' methods by their words.
class MethodFinder {
 public:
  MethodFinder() = default;
  explicit MethodFinder(const RowKind& kind);
  /// The index of the method with that word, or the number of methods. No byte from `readable` on is looked at.
  [[nodiscard]] std::size_t find(std::string_view word, const char* readable) const {
    if (word.empty() || word.size() > 8 || !has_eight_bytes(word.data(), readable)) return find_slowly(word);
    const std::uint64_t head = eight_bytes(word.data()) & mask(word.size());
    std::size_t which = kMostMethods;
    for (std::size_t i = 0; i < kMostMethods; ++i) {
      const bool same = heads_[i] == head && lengths_[i] == word.size();
      which = same ? i : which;
    }
    return which == kMostMethods ? find_slowly(word) : which;
  }

 private:
  static constexpr std::size_t kMostMethods = 8;
  /// The first `length` of eight bytes. @pre length is 1 to 8
  static std::uint64_t mask(std::size_t length) {
    LINCHPIN_ASSERT(length >= 1 && length <= 8);
    return ~std::uint64_t{0} >> (8 * (8 - length));
  }
  [[nodiscard]] std::size_t find_slowly(std::string_view word) const;

  std::span<const RowMethod> methods_;
  std::array<std::uint64_t, kMostMethods> heads_{};   // words, with zeros after them
  std::array<std::uint8_t, kMostMethods> lengths_{};  // 0: too long, or no method
};

/// By name or alias; null: none.
[[nodiscard]] const RowKind* find_kind(std::span<const RowKind> kinds, std::string_view name);
/// "queue, stack, set".
[[nodiscard]] std::string kind_names(std::span<const RowKind> kinds);
/// "enq, deq, peek".
[[nodiscard]] std::string method_words(const RowKind& kind);

/// Looks at an input's head: the kind that its first line names, and the first row after it (empty: none).
struct RowHead {
  const RowKind* kind = nullptr;
  std::string_view row;
};
[[nodiscard]] RowHead row_head(std::span<const RowKind> kinds, std::string_view head);

/// Reads the first line: the kind, or an error. A type that the caller gives decides where it names a kind.
Result<const RowKind*> read_kind(std::span<const RowKind> kinds, LineReader& lines,
                                 const std::optional<TypeName>& given);

/// Whether the current line is a header again, with which another history would begin: `error` then says so.
[[nodiscard]] bool is_second_header(std::span<const RowKind> kinds, const LineReader& lines,
                                    std::optional<Error>& error);

/// The history's type: the caller's, or the kind's.
[[nodiscard]] TypeName type_of(const RowKind& kind, const std::optional<TypeName>& given);

}  // namespace linchpin::formats

// Cuts a text into the parts of which it was put together.
//
// The parts are given. If none of them begins another one, a text is a sequence of parts in one way at most, and it is
// found from the left: of the parts that the text goes on with there is only one. If none of them ends another one, the
// same holds from the right. The parts are in a hash table that is asked with the hash of every beginning that is as
// long as some part; so the cost is O(length of the text) for each length that parts have within one part's length.
// Used by: appended.cpp. Tests: map_append_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/none.hpp"

namespace linchpin::types::map {

class Parts {
 public:
  using Number = std::uint32_t;

  /// @pre no text is empty; the texts outlive it
  explicit Parts(std::vector<std::string_view> texts);

  /// The texts of some part that is there twice.
  [[nodiscard]] std::optional<Number> twice() const { return twice_; }
  /// Two parts of which one begins the other, where some also ends another: then a text may be cut in several ways.
  [[nodiscard]] std::optional<std::pair<Number, Number>> ambiguous() const { return ambiguous_; }
  [[nodiscard]] bool from_left() const { return from_left_; }

  /// The part that the text begins with, or kNone. @pre from_left()
  [[nodiscard]] Number first(std::string_view text) const { return next(text); }
  /// Sets `parts` to what the text is made of, or says that it is no sequence of parts. @pre !ambiguous()
  [[nodiscard]] bool cut(std::string_view text, std::vector<Number>& parts) const;

 private:
  struct Slot {
    std::uint64_t hash = 0;
    Number number = kNone;
  };
  void enter();
  /// Two parts of which one begins the other; where `from_left_` does not hold, ends.
  [[nodiscard]] std::optional<std::pair<Number, Number>> overlapping() const;
  /// The shortest part that the text begins with (ends with), and that is shorter than `limit`.
  [[nodiscard]] Number next(std::string_view text, std::size_t limit = SIZE_MAX) const;
  [[nodiscard]] std::string_view piece(std::string_view text, std::size_t length) const {
    return from_left_ ? text.substr(0, length) : text.substr(text.size() - length);
  }

  std::vector<std::string_view> texts_;  // by number
  std::vector<Slot> table_;              // open addressing, a power of two
  std::vector<bool> is_length_;          // of some part
  bool from_left_ = true;
  std::optional<Number> twice_;
  std::optional<std::pair<Number, Number>> ambiguous_;
};

}  // namespace linchpin::types::map

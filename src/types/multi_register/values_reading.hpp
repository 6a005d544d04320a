// What transactions on registers whose values repeat need and leave, and when a value of a key is wanted.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "history/subhistory.hpp"

namespace linchpin::types::multi_register {

using Content = std::uint32_t;                 ///< of a key: a value by its number among the key's own
inline constexpr Content kAnyContent = 0;      ///< not known: what is read first. As a need: none
inline constexpr Content kInitialContent = 1;  ///< the initial value, if there is one
inline constexpr Content kSameContent = ~0U;   ///< as what is left: nothing is written, or what was there

/// What a transaction does with one key.
struct ContentTouch {
  std::uint32_t key = 0;
  Content need = kAnyContent;    ///< what it reads of it, before it writes to it
  Content leave = kSameContent;  ///< what it leaves there
};

/// All transactions as flat arrays.
struct ContentTouches {
  std::vector<std::uint32_t> first;  ///< by local index, and one more: where its touches begin
  std::vector<ContentTouch> touches;
  std::vector<bool> idle;            ///< legal anywhere and changes nothing, or need not and cannot take effect
  std::vector<bool> impossible;      ///< returned, and legal nowhere
  std::vector<bool> leaves;          ///< changes something
  std::vector<std::uint32_t> alike;  ///< equal for transactions that need and leave the same
  std::uint32_t keys = 0;
  Content initial = kAnyContent;  ///< of every key

  [[nodiscard]] std::span<const ContentTouch> of(std::uint32_t x) const {
    return std::span(touches).subspan(first[x], first[x + 1] - first[x]);
  }
};

/// @pre the type is a multi-register without versions
[[nodiscard]] ContentTouches read_contents(const history::Subhistory& part);

/// Who reads which value of a key, and who writes it.
class Wants {
 public:
  Wants(const history::Subhistory& part, const ContentTouches& all);

  /// The number of a value of a key, kNone where no transaction that returned reads it.
  [[nodiscard]] std::uint32_t find(std::uint32_t key, Content content) const;

  /// The first response of a transaction that reads it and is called after the event of that rank, or none.
  [[nodiscard]] history::Rank read_by(std::uint32_t want, history::Rank rank) const;
  /// The first call behind that event of a transaction that writes it, or none.
  [[nodiscard]] history::Rank written_from(std::uint32_t want, history::Rank rank) const;

 private:
  struct Want {
    std::vector<history::Rank> called, returned;  ///< of who reads it, by the call; the first response from there on
    std::vector<history::Rank> written;           ///< calls of who writes it
  };
  std::vector<std::vector<std::uint32_t>> number_;  ///< by key and content
  std::vector<Want> wants_;
};

}  // namespace linchpin::types::multi_register

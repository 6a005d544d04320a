// Sets of slots: which of the operations that are open at once are done.
//
// A search through the events of a history gives each operation a slot while it is open (slots.hpp), and keeps with
// each configuration the slots whose operations are done. Nearly always 64 are enough, and then a set is one word.
// Where more are open, which a few crashed clients suffice for, the same search runs with wider sets.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/assert.hpp"
#include "linchpin/hash.hpp"
#include "linchpin/index.hpp"

namespace linchpin::algo {

/// Where an operation stands in sets of those that are open at once.
using Slot = Index<struct PlaceInMask>;

template <std::size_t kWords>
class SlotMask {
 public:
  static constexpr std::uint32_t kSlots = 64 * kWords;

  constexpr SlotMask() = default;
  [[nodiscard]] static constexpr SlotMask of(Slot slot) {
    SlotMask mask;
    mask.words_[word(slot)] = bit(slot);
    return mask;
  }
  [[nodiscard]] static constexpr SlotMask all() { return ~SlotMask(); }

  [[nodiscard]] constexpr bool any() const {
    for (const std::uint64_t each : words_) {
      if (each != 0) return true;
    }
    return false;
  }
  [[nodiscard]] constexpr bool none() const { return !any(); }
  [[nodiscard]] constexpr bool has(Slot slot) const { return (words_[word(slot)] & bit(slot)) != 0; }
  [[nodiscard]] constexpr std::uint32_t count() const {
    std::uint32_t count = 0;
    for (const std::uint64_t each : words_) count += static_cast<std::uint32_t>(std::popcount(each));
    return count;
  }
  /// The lowest slot. @pre any()
  [[nodiscard]] constexpr Slot first() const {
    std::size_t at = 0;
    while (at + 1 < kWords && words_[at] == 0) ++at;
    LINCHPIN_ASSERT(words_[at] != 0);
    return Slot(64 * at + static_cast<std::size_t>(std::countr_zero(words_[at])));
  }
  /// Takes the lowest slot out: for (auto rest = mask; rest.any(); rest.drop_first()) use(rest.first()).
  constexpr void drop_first() {
    std::size_t at = 0;
    while (at + 1 < kWords && words_[at] == 0) ++at;
    words_[at] &= words_[at] - 1;
  }

  constexpr SlotMask& operator|=(const SlotMask& other) {
    for (std::size_t at = 0; at < kWords; ++at) words_[at] |= other.words_[at];
    return *this;
  }
  constexpr SlotMask& operator&=(const SlotMask& other) {
    for (std::size_t at = 0; at < kWords; ++at) words_[at] &= other.words_[at];
    return *this;
  }
  constexpr SlotMask& operator^=(const SlotMask& other) {
    for (std::size_t at = 0; at < kWords; ++at) words_[at] ^= other.words_[at];
    return *this;
  }
  friend constexpr SlotMask operator|(SlotMask a, const SlotMask& b) { return a |= b; }
  friend constexpr SlotMask operator&(SlotMask a, const SlotMask& b) { return a &= b; }
  friend constexpr SlotMask operator^(SlotMask a, const SlotMask& b) { return a ^= b; }
  constexpr SlotMask operator~() const {
    SlotMask inverse;
    for (std::size_t at = 0; at < kWords; ++at) inverse.words_[at] = ~words_[at];
    return inverse;
  }

  bool operator==(const SlotMask&) const = default;
  /// As numbers, slot 0 being the least bit: a set comes behind those that it contains.
  friend constexpr std::strong_ordering operator<=>(const SlotMask& a, const SlotMask& b) {
    for (std::size_t at = kWords; at-- > 0;) {
      if (a.words_[at] != b.words_[at]) return a.words_[at] <=> b.words_[at];
    }
    return std::strong_ordering::equal;
  }
  [[nodiscard]] constexpr std::uint64_t hash() const {
    std::uint64_t seed = 2;
    for (const std::uint64_t each : words_) seed = mix(seed, each);
    return seed;
  }
  template <class H>
  friend H AbslHashValue(H hash, const SlotMask& mask) {
    return H::combine(std::move(hash), mask.words_);
  }
  [[nodiscard]] constexpr const std::array<std::uint64_t, kWords>& words() const { return words_; }

 private:
  static constexpr std::size_t word(Slot slot) { return kWords == 1 ? 0 : slot.number() / 64; }
  static constexpr std::uint64_t bit(Slot slot) { return std::uint64_t{1} << (slot.number() % 64); }

  std::array<std::uint64_t, kWords> words_{};
};

using NarrowMask = SlotMask<1>;
using WideMask = SlotMask<16>;

/// A set of slots without a bound, for the histories in which very many operations are open at once. Slower.
class LongMask {
 public:
  static constexpr std::uint32_t kSlots = 0xffffffffU;

  LongMask() = default;
  [[nodiscard]] static LongMask of(Slot slot) {
    LongMask mask;
    mask.words_.resize(slot.number() / 64 + 1, 0);
    mask.words_[slot.number() / 64] = std::uint64_t{1} << (slot.number() % 64);
    return mask;
  }

  [[nodiscard]] bool any() const {
    return beyond_ != 0 || std::any_of(words_.begin(), words_.end(), [](std::uint64_t each) { return each != 0; });
  }
  [[nodiscard]] bool none() const { return !any(); }
  [[nodiscard]] bool has(Slot slot) const { return (word(slot.number() / 64) >> (slot.number() % 64) & 1U) != 0; }
  /// @pre not all but a few
  [[nodiscard]] std::uint32_t count() const {
    std::uint32_t count = 0;
    for (const std::uint64_t each : words_) count += static_cast<std::uint32_t>(std::popcount(each));
    return count;
  }
  /// @pre any()
  [[nodiscard]] Slot first() const {
    std::size_t at = 0;
    while (word(at) == 0) ++at;
    return Slot(64 * at + static_cast<std::size_t>(std::countr_zero(word(at))));
  }
  void drop_first() {
    const Slot slot = first();
    const std::size_t at = slot.number() / 64;
    if (at >= words_.size()) words_.resize(at + 1, beyond_);
    words_[at] ^= std::uint64_t{1} << (slot.number() % 64);
  }

  LongMask& operator|=(const LongMask& other) {
    return combine(other, [](std::uint64_t a, std::uint64_t b) { return a | b; });
  }
  LongMask& operator&=(const LongMask& other) {
    return combine(other, [](std::uint64_t a, std::uint64_t b) { return a & b; });
  }
  LongMask& operator^=(const LongMask& other) {
    return combine(other, [](std::uint64_t a, std::uint64_t b) { return a ^ b; });
  }
  friend LongMask operator|(LongMask a, const LongMask& b) { return a |= b; }
  friend LongMask operator&(LongMask a, const LongMask& b) { return a &= b; }
  friend LongMask operator^(LongMask a, const LongMask& b) { return a ^= b; }
  LongMask operator~() const {
    LongMask inverse = *this;
    for (std::uint64_t& each : inverse.words_) each = ~each;
    inverse.beyond_ = ~beyond_;
    return inverse;
  }
  bool operator==(const LongMask& other) const { return (*this <=> other) == std::strong_ordering::equal; }
  std::strong_ordering operator<=>(const LongMask& other) const {
    if (beyond_ != other.beyond_) return beyond_ <=> other.beyond_;
    for (std::size_t at = std::max(words_.size(), other.words_.size()); at-- > 0;) {
      if (word(at) != other.word(at)) return word(at) <=> other.word(at);
    }
    return std::strong_ordering::equal;
  }
  [[nodiscard]] std::uint64_t hash() const {
    std::uint64_t seed = mix(2, beyond_);
    for (std::size_t at = 0; at < words_.size(); ++at) {
      if (words_[at] != beyond_) seed = mix(mix(seed, at), words_[at]);
    }
    return seed;
  }

 private:
  [[nodiscard]] std::uint64_t word(std::size_t at) const { return at < words_.size() ? words_[at] : beyond_; }
  template <class Combined>
  LongMask& combine(const LongMask& other, Combined&& combined) {
    if (words_.size() < other.words_.size()) words_.resize(other.words_.size(), beyond_);
    for (std::size_t at = 0; at < words_.size(); ++at) words_[at] = combined(words_[at], other.word(at));
    beyond_ = combined(beyond_, other.beyond_);
    return *this;
  }

  std::vector<std::uint64_t> words_;
  std::uint64_t beyond_ = 0;  // all that follow
};

/// Operations that may be open at once in a search with slots.
inline constexpr std::uint32_t kMostOpen = WideMask::kSlots;
inline constexpr const char* kTooManyOpen = "more than 1,024 operations are open at once";
static_assert(kMostOpen == 1024);

/// `use.operator()<Mask>()` with the narrowest of the masks that has so many slots. @pre open <= kMostOpen
template <class Use>
decltype(auto) with_slots(std::uint32_t open, Use&& use) {
  LINCHPIN_ASSERT(open <= kMostOpen);
  if (open <= NarrowMask::kSlots) return std::forward<Use>(use).template operator()<NarrowMask>();
  return std::forward<Use>(use).template operator()<WideMask>();
}

/// The same for any number.
template <class Use>
decltype(auto) with_any_slots(std::uint32_t open, Use&& use) {
  if (open > kMostOpen) return std::forward<Use>(use).template operator()<LongMask>();
  if (open > NarrowMask::kSlots && open <= SlotMask<2>::kSlots) {
    return std::forward<Use>(use).template operator()<SlotMask<2>>();
  }
  return with_slots(open, std::forward<Use>(use));
}

}  // namespace linchpin::algo

// Radix sort of 64-bit words by a range of their bits.
//
// Stable. The highest digit comes first: it cuts the words into buckets that the cache holds, where the lower digits
// follow from the lowest up. (From the lowest digit up throughout, each pass writes to thousands of places all over the
// memory. And where the words are nearly in order, as the responses of a history are in the order of its calls, the
// first pass here goes through the memory in order.) Few words are sorted by comparing. Cost O(n) for each digit, with
// one buffer of n words; where all words share their highest digits, a pass for each more.
// Compare: std::sort, three times as slow at a million words.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/assert.hpp"

namespace linchpin::algo {

namespace detail {

inline constexpr unsigned kMostDigitBits = 11;

/// Bits [low, high) of a word.
struct BitRange {
  unsigned low = 0, high = 0;
  [[nodiscard]] unsigned size() const { return high - low; }
  [[nodiscard]] std::size_t of(std::uint64_t word) const {
    return static_cast<std::size_t>((word >> low) & ((std::uint64_t{1} << size()) - 1));
  }
};

/// Where each bucket of a digit begins, and after the last bucket the end.
using Buckets = std::array<std::uint32_t, (std::size_t{1} << kMostDigitBits) + 1>;

inline void count_buckets(std::span<const std::uint64_t> words, BitRange digit, Buckets& begin) {
  const std::size_t size = std::size_t{1} << digit.size();
  std::fill_n(begin.begin(), size + 1, 0);
  for (const std::uint64_t word : words) ++begin[digit.of(word)];
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i <= size; ++i) sum += std::exchange(begin[i], sum);
}

/// Moves the words, in order, to where their buckets are; `begin` is moved on by a bucket.
inline void move_to_buckets(std::span<const std::uint64_t> from, BitRange digit, Buckets& begin,
                            std::span<std::uint64_t> to) {
  for (const std::uint64_t word : from) to[begin[digit.of(word)]++] = word;
}

/// From the lowest digit up. The result goes to `words` if `here`, else to `other`. @pre key.size() > 0
inline void sort_from_lowest(std::span<std::uint64_t> words, std::span<std::uint64_t> other, BitRange key, bool here) {
  LINCHPIN_ASSERT(key.size() > 0);
  Buckets begin;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled where it is used
  const unsigned digits = (key.size() + kMostDigitBits - 1) / kMostDigitBits;
  const unsigned bits = (key.size() + digits - 1) / digits;
  for (unsigned low = key.low; low < key.high; low += bits) {
    const BitRange digit{low, std::min(low + bits, key.high)};
    count_buckets(words, digit, begin);
    move_to_buckets(words, digit, begin, other);
    std::swap(words, other);
    here = !here;
  }
  if (!here) std::copy(words.begin(), words.end(), other.begin());
}

}  // namespace detail

/// Sorts `words` by bits [low_bit, high_bit). `buffer` is scratch and is resized.
inline void radix_sort(std::vector<std::uint64_t>& words, unsigned low_bit, unsigned high_bit,
                       std::vector<std::uint64_t>& buffer) {
  constexpr std::size_t kFew = 128;
  if (low_bit >= high_bit) return;
  const auto by_key = [](detail::BitRange key) {
    return [mask = ~std::uint64_t{0} >> (64 - key.size()), key](std::uint64_t a, std::uint64_t b) {
      return ((a >> key.low) & mask) < ((b >> key.low) & mask);
    };
  };
  detail::BitRange key{low_bit, high_bit};
  // Leading bits that all words share tell nothing.
  std::uint64_t different = 0;
  for (const std::uint64_t word : words) different |= word ^ words.front();
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - key.size());
  key.high = key.low + static_cast<unsigned>(std::bit_width((different >> key.low) & mask));
  if (key.size() == 0) return;
  if (words.size() <= kFew) return std::stable_sort(words.begin(), words.end(), by_key(key));
  buffer.resize(words.size());
  if (key.size() <= detail::kMostDigitBits) {
    return detail::sort_from_lowest(words, buffer, key, true);
  }
  const detail::BitRange highest{key.high - detail::kMostDigitBits, key.high};
  const detail::BitRange rest{key.low, highest.low};
  detail::Buckets begin;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled at once
  detail::count_buckets(words, highest, begin);
  detail::move_to_buckets(words, highest, begin, buffer);
  std::uint32_t first = 0;
  for (std::size_t bucket = 0; first < words.size(); ++bucket) {
    const std::uint32_t end = begin[bucket];  // moved on: where the next one began
    const std::size_t size = end - first;
    const std::span<std::uint64_t> from = std::span(buffer).subspan(first, size);
    const std::span<std::uint64_t> to = std::span(words).subspan(first, size);
    if (size <= kFew) {
      std::copy(from.begin(), from.end(), to.begin());
      std::stable_sort(to.begin(), to.end(), by_key(rest));
    } else {
      detail::sort_from_lowest(from, to, rest, false);
    }
    first = end;
  }
}

}  // namespace linchpin::algo

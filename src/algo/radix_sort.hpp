// LSD radix sort of 64-bit words by a range of their bits.
//
// Stable. 11-bit digits; a digit that all words share costs one counting pass and no move. Cost O(n) for each digit
// that varies, with one buffer of n words. Compare: std::sort, about twice as slow at a million words.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace linchpin::algo {

/// Sorts `words` by bits [low_bit, high_bit). `buffer` is scratch and is resized.
inline void radix_sort(std::vector<std::uint64_t>& words, unsigned low_bit, unsigned high_bit,
                       std::vector<std::uint64_t>& buffer) {
  constexpr unsigned kDigitBits = 11;
  constexpr std::size_t kBuckets = std::size_t{1} << kDigitBits;
  buffer.resize(words.size());
  for (unsigned shift = low_bit; shift < high_bit; shift += kDigitBits) {
    const unsigned bits = high_bit - shift < kDigitBits ? high_bit - shift : kDigitBits;
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    std::array<std::uint32_t, kBuckets> start{};
    for (const std::uint64_t word : words) ++start[(word >> shift) & mask];
    std::uint32_t sum = 0;
    bool constant = false;
    for (std::uint32_t& count : start) {
      constant = constant || count == words.size();
      sum += std::exchange(count, sum);
    }
    if (constant) continue;
    for (const std::uint64_t word : words) buffer[start[(word >> shift) & mask]++] = word;
    words.swap(buffer);
  }
}

}  // namespace linchpin::algo

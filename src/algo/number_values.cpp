#include "algo/number_values.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

#include "algo/radix_sort.hpp"

namespace linchpin::algo {

std::optional<std::uint32_t> number_in_order(std::span<const Value> values, std::span<std::uint32_t> number) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t most = std::numeric_limits<std::int64_t>::min();
  std::size_t count = 0;
  for (const Value value : values) {
    if (value.is_none()) continue;
    if (!value.is_integer()) return std::nullopt;
    least = std::min(least, value.integer());
    most = std::max(most, value.integer());
    ++count;
  }
  if (count == 0) return 0;
  const auto index_bits = static_cast<unsigned>(std::bit_width(values.size()));
  // Inline integers have 61 bits: the difference does not overflow.
  const auto value_bits = static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(most - least)));
  if (index_bits + value_bits > 64) return std::nullopt;
  std::vector<std::uint64_t> words;
  words.reserve(count);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].is_none()) continue;
    words.push_back((static_cast<std::uint64_t>(values[i].integer() - least) << index_bits) | i);
  }
  std::vector<std::uint64_t> buffer;
  radix_sort(words, index_bits, index_bits + value_bits, buffer);
  const std::uint64_t index_mask = (std::uint64_t{1} << index_bits) - 1;
  std::uint32_t next = 0;
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (k > 0 && (words[k] >> index_bits) != (words[k - 1] >> index_bits)) ++next;
    number[words[k] & index_mask] = next;
  }
  return next + 1;
}

std::optional<detail::NarrowRange> detail::narrow_range(std::span<const Value> values) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t most = std::numeric_limits<std::int64_t>::min();
  std::uint64_t count = 0;
  for (const Value value : values) {
    if (value.is_none()) continue;
    if (!value.is_integer()) return std::nullopt;
    least = std::min(least, value.integer());
    most = std::max(most, value.integer());
    ++count;
  }
  if (count == 0) return NarrowRange{};
  // Inline integers have 61 bits: the difference does not overflow.
  const auto range = static_cast<std::uint64_t>(most - least);
  if (range >= 2 * count + 1024) return std::nullopt;
  return NarrowRange{least, range + 1};
}

}  // namespace linchpin::algo

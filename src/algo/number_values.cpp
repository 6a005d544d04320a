#include "algo/number_values.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

#include "algo/radix_sort.hpp"
#include "base/assert.hpp"

namespace linchpin::algo {

namespace {

/// The integers among values that are nothing but integers or none.
struct IntegerRange {
  std::int64_t least = 0, most = 0;
  std::uint64_t count = 0;

  // Inline integers have 61 bits: the difference does not overflow.
  [[nodiscard]] std::uint64_t width() const { return static_cast<std::uint64_t>(most - least); }
};

std::optional<IntegerRange> integer_range(std::span<const Value> values) {
  IntegerRange range{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min(), 0};
  for (const Value value : values) {
    if (value.is_none()) continue;
    if (!value.is_integer()) return std::nullopt;
    range.least = std::min(range.least, value.integer());
    range.most = std::max(range.most, value.integer());
    ++range.count;
  }
  return range.count == 0 ? IntegerRange{} : range;
}

}  // namespace

std::optional<std::uint32_t> number_in_order(std::span<const Value> values, std::span<ValueNumber> number) {
  LINCHPIN_ASSERT(number.size() == values.size());
  const auto range = integer_range(values);
  if (!range) return std::nullopt;
  if (range->count == 0) return 0;
  const auto index_bits = static_cast<unsigned>(std::bit_width(values.size()));
  const auto value_bits = static_cast<unsigned>(std::bit_width(range->width()));
  if (index_bits + value_bits > 64) return std::nullopt;
  std::vector<std::uint64_t> words;
  words.reserve(range->count);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].is_none()) continue;
    words.push_back((static_cast<std::uint64_t>(values[i].integer() - range->least) << index_bits) | i);
  }
  std::vector<std::uint64_t> buffer;
  radix_sort(words, index_bits, index_bits + value_bits, buffer);
  const std::uint64_t index_mask = (std::uint64_t{1} << index_bits) - 1;
  ValueNumber next = 0;
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (k > 0 && (words[k] >> index_bits) != (words[k - 1] >> index_bits)) ++next;
    number[words[k] & index_mask] = next;
  }
  return next.number() + 1;
}

std::optional<detail::NarrowRange> detail::narrow_range(std::span<const Value> values) {
  const auto range = integer_range(values);
  if (!range || range->width() >= 2 * range->count + 1024) return std::nullopt;
  return NarrowRange{range->least, range->count == 0 ? 0 : range->width() + 1};
}

}  // namespace linchpin::algo

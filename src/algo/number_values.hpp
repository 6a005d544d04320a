// Numbers the values of a container's history, given all at once.
//
// Integers of a narrow range go through an array, in one pass that branches on nothing that varies. Integers scattered
// over a wide one are sorted by radix, a word each, the value above its index: equal values stand together, at a
// quarter of what a hash table costs, which misses the cache for each of them. All others are hashed
// (dense_values.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "algo/dense_values.hpp"
#include "algo/value_number.hpp"
#include "base/none.hpp"
#include "linchpin/value.hpp"

namespace linchpin::algo {

/// Sets number[i] for each i where values[i] is not none; equal values have equal numbers, larger ones larger. Returns
/// how many numbers there are; nothing, with `number` untouched, where a value is no inline integer or range and count
/// take more than 64 bits together. Cost O(n) a digit of 11 bits, 16 bytes a value while it runs.
/// @pre number.size() == values.size()
[[nodiscard]] std::optional<std::uint32_t> number_in_order(std::span<const Value> values,
                                                           std::span<ValueNumber> number);

struct NumberedValues {
  std::uint32_t count = 0;             ///< how many numbers there are
  std::optional<std::uint32_t> twice;  ///< the first index that adds a value that was added before
};

namespace detail {

/// The range of integers that are none of them far from the others, so that an array over it is in proportion.
struct NarrowRange {
  std::int64_t least = 0;
  std::uint64_t size = 0;
};
[[nodiscard]] std::optional<NarrowRange> narrow_range(std::span<const Value> values);

/// Which numbers were added, as they come.
class Additions {
 public:
  explicit Additions(std::size_t numbers) : added_(numbers, 0) {}
  void see(ValueNumber number, std::size_t i, bool adds) {
    const auto now = static_cast<std::uint8_t>(adds ? 1 : 0);
    if ((added_[number] & now) != 0 && !twice_) twice_ = static_cast<std::uint32_t>(i);
    added_[number] = static_cast<std::uint8_t>(added_[number] | now);
  }
  [[nodiscard]] std::optional<std::uint32_t> twice() const { return twice_; }

 private:
  ByValue<std::uint8_t> added_;
  std::optional<std::uint32_t> twice_;
};

}  // namespace detail

/// Sets number[i] for each i that adds, or where values[i] is not none; equal values that `adds(i)` says are added have
/// equal numbers. Values that are never added have numbers too, of which equal ones may share one. O(n).
///
/// None is no value of those that do not add. What adds has one in any case: none is then a value like others, as it
/// may be in a container of a user's own, and equal nones that do not add are still left out.
/// @pre number.size() == values.size()
template <class Adds>
[[nodiscard]] NumberedValues number_values(std::span<const Value> values, Adds&& adds, std::span<ValueNumber> number) {
  bool adds_none = false;
  for (std::size_t i = 0; i < values.size(); ++i) adds_none = adds_none || (values[i].is_none() && adds(i));
  if (const auto range = adds_none ? std::nullopt : detail::narrow_range(values)) {
    std::vector<std::uint32_t> number_of(range->size, kNone);
    detail::Additions additions(std::min<std::size_t>(range->size, values.size()));
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i].is_none()) continue;
      std::uint32_t& known = number_of[static_cast<std::size_t>(values[i].integer() - range->least)];
      const std::uint32_t fresh = known == kNone ? 1 : 0;
      known = (count & (0U - fresh)) | (known & ~(0U - fresh));
      count += fresh;
      number[i] = ValueNumber(known);
      additions.see(number[i], i, adds(i));
    }
    return {count, additions.twice()};
  }
  DenseValues dense;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (adds(i)) dense.observe(values[i]);
  }
  std::optional<std::uint32_t> count;
  if (!adds_none && !dense.dense_range()) count = number_in_order(values, number);
  if (!count) {
    dense.prepare();
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (adds(i)) number[i] = dense.add(values[i]).first;
    }
    count = dense.count();
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i].is_none() || adds(i)) continue;
      const ValueNumber id = dense.find(values[i]);
      number[i] = id != ValueNumber::none() ? id : ValueNumber((*count)++);
    }
  }
  detail::Additions additions(*count);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (adds(i)) additions.see(number[i], i, true);
  }
  return {*count, additions.twice()};
}

}  // namespace linchpin::algo

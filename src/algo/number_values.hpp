// Numbers the values of a container's history, given all at once.
//
// Integers of a narrow range go through an array (dense_values.hpp). Integers scattered over a wide one are sorted by
// radix, a word each, the value above its index: equal values stand together, at a quarter of what a hash table costs,
// which misses the cache for each of them. All others are hashed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "algo/dense_values.hpp"
#include "linchpin/value.hpp"

namespace linchpin::algo {

/// Sets number[i] for each i where values[i] is not none; equal values have equal numbers, larger ones larger. Returns
/// how many numbers there are; nothing, with `number` untouched, where a value is no inline integer or range and count
/// take more than 64 bits together. Cost O(n) a digit of 11 bits, 16 bytes a value while it runs.
/// @pre number.size() == values.size()
[[nodiscard]] std::optional<std::uint32_t> number_in_order(std::span<const Value> values,
                                                           std::span<std::uint32_t> number);

/// Sets number[i] for each i where values[i] is not none; equal values that `adds(i)` says are added have equal
/// numbers. Values that are never added have numbers too, of which equal ones may share one. Returns how many numbers
/// there are. O(n).
template <class Adds>
[[nodiscard]] std::uint32_t number_values(std::span<const Value> values, Adds&& adds, std::span<std::uint32_t> number) {
  DenseValues dense;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (adds(i)) dense.observe(values[i]);
  }
  if (!dense.dense_range()) {
    if (const auto count = number_in_order(values, number)) return *count;
  }
  dense.prepare();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (adds(i)) number[i] = dense.add(values[i]).first;
  }
  std::uint32_t next = dense.count();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].is_none() || adds(i)) continue;
    const std::uint32_t id = dense.find(values[i]);
    number[i] = id != DenseValues::kNone ? id : next++;
  }
  return next;
}

}  // namespace linchpin::algo

// Numbers the values of a history 0, 1, 2, ... in the order in which they are added.
//
// Monitors index flat arrays by these numbers. Two passes: `observe` every value, then `add` or `find`. Integers whose
// range is small for their number go through an array, as do nil, booleans and the like; all others through a hash
// table. O(1) a call.
//
//   algo::DenseValues values;
//   for (...) values.observe(v);
//   values.prepare();
//   for (...) id = values.add(v).first;
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "algo/value_number.hpp"
#include "linchpin/value.hpp"

namespace linchpin::algo {

class DenseValues {
 public:
  using Id = ValueNumber;

  void observe(Value value) {
    ++observed_;
    if (is_special(value)) return;
    if (!value.is_integer()) {
      only_integers_ = false;
      return;
    }
    least_ = std::min(least_, value.integer());
    most_ = std::max(most_, value.integer());
  }

  /// Whether the values observed so far need no hashing.
  [[nodiscard]] bool dense_range() const {
    // Inline integers have 61 bits: the difference does not overflow.
    return only_integers_ && (least_ > most_ || static_cast<std::uint64_t>(most_ - least_) < 4 * observed_ + 1024);
  }

  /// Call once, after the last `observe` and before the first `add` or `find`.
  void prepare() {
    uses_array_ = dense_range();
    if (uses_array_) {
      array_.assign(least_ > most_ ? 0 : static_cast<std::size_t>(most_ - least_) + 1, Id::none());
    } else {
      table_.reserve(observed_ / 2);
    }
  }

  /// The value's number, and whether it is new. @pre observed
  std::pair<Id, bool> add(Value value) {
    if (uses_array_) {
      Id& id =
          is_special(value) ? special_[value.bits() >> 3U] : array_[static_cast<std::size_t>(value.integer() - least_)];
      if (id != Id::none()) return {id, false};
      id = Id(count_++);
      return {id, true};
    }
    const auto [entry, fresh] = table_.try_emplace(value.bits(), Id(count_));
    if (fresh) ++count_;
    return {entry->second, fresh};
  }

  /// The number of a value that was added, or none. Any value may be asked for.
  [[nodiscard]] Id find(Value value) const {
    if (uses_array_) {
      if (is_special(value)) return special_[value.bits() >> 3U];
      if (!value.is_integer() || value.integer() < least_ || value.integer() > most_) return Id::none();
      return array_[static_cast<std::size_t>(value.integer() - least_)];
    }
    const auto entry = table_.find(value.bits());
    return entry == table_.end() ? Id::none() : entry->second;
  }

  /// How many values were added.
  [[nodiscard]] std::uint32_t count() const { return count_; }

 private:
  /// None, nil, unknown, false or true: their bits are small multiples of eight.
  static bool is_special(Value value) { return value.bits() < 8 * 8 && value.bits() % 8 == 0; }

  std::size_t observed_ = 0;
  bool only_integers_ = true;
  std::int64_t least_ = std::numeric_limits<std::int64_t>::max() / 4;
  std::int64_t most_ = std::numeric_limits<std::int64_t>::min() / 4;
  bool uses_array_ = false;
  std::array<Id, 8> special_ = {Id::none(), Id::none(), Id::none(), Id::none(),
                                Id::none(), Id::none(), Id::none(), Id::none()};
  std::vector<Id> array_;  // by integer - least_, where uses_array_
  absl::flat_hash_map<std::uint64_t, Id> table_;
  std::uint32_t count_ = 0;
};

}  // namespace linchpin::algo

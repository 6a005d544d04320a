// Contents that one run changes in place, for executing witnesses of any length.
//
// The states of specifications are made to be copied, compared and hashed. They are sorted vectors, in which the cost
// of a change grows with what is inside. If a type's `step` takes any content with the same members, a witness is
// executed on one of these instead:
//
//   std::unique_ptr<Replay> make_replay() const { return execute_on<HashedMap<Content>>(*this); }
//
// Tests: executed_test.cpp.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include "linchpin/specification_interface.hpp"

namespace linchpin::types {

/// Executes `specification`, whose objects begin empty, on a Content that begins so, too.
template <class Content, class S>
[[nodiscard]] std::unique_ptr<Replay> execute_on(const S& specification) {
  class Execution final : public Replay {
   public:
    explicit Execution(const S& executed) : specification_(executed) {}
    bool step(const Operation& operation) override { return specification_.step(content_, operation); }
    std::size_t steps(std::span<const Operation> operations) override {
      std::size_t legal = 0;
      while (legal < operations.size() && specification_.step(content_, operations[legal])) ++legal;
      return legal;
    }

   private:
    S specification_;
    Content content_;
  };
  return std::make_unique<Execution>(specification);
}

/// Values in a row, to be changed at both ends in O(1); the members of a vector that queues and deques use.
using Row = std::deque<Value>;

inline void drop_first(std::vector<Value>& row) { row.erase(row.begin()); }
inline void drop_first(Row& row) { row.pop_front(); }
inline void put_first(std::vector<Value>& row, Value value) { row.insert(row.begin(), value); }
inline void put_first(Row& row, Value value) { row.push_front(value); }

/// Values, each once. A state has them ascending by their bits; a run in place has the small natural numbers, which
/// most values are, as bits of a table, and the others in no order. The table grows with the number of insertions, at
/// most to 2 MB, so that everything is O(1) in the long run, also where a large number is the first one.
class MemberSet {
 public:
  [[nodiscard]] bool contains(Value value) const {
    const std::uint64_t number = number_of(value);
    if (number / 64 < numbers_.size() && (numbers_[number / 64] & bit(number)) != 0) return true;
    return !others_.empty() && others_.contains(value.bits());
  }
  /// Whether the value was not there; now it is.
  bool insert(Value value) {
    if (contains(value)) return false;
    ++size_;
    ++inserted_;
    const std::uint64_t number = number_of(value);
    if (number >= kMostNumbers || number / 64 > inserted_) {
      others_.insert(value.bits());
      return true;
    }
    if (number / 64 >= numbers_.size()) numbers_.resize(std::bit_ceil(number / 64 + 1));
    numbers_[number / 64] |= bit(number);
    return true;
  }
  /// Whether the value was there; now it is not.
  bool erase(Value value) {
    if (!contains(value)) return false;
    --size_;
    if (!others_.empty() && others_.erase(value.bits()) != 0) return true;
    const std::uint64_t number = number_of(value);
    numbers_[number / 64] &= ~bit(number);
    return true;
  }
  void clear() { *this = MemberSet(); }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }

 private:
  static constexpr std::uint64_t kMostNumbers = 1 << 24;

  static std::uint64_t bit(std::uint64_t number) { return std::uint64_t{1} << (number % 64); }
  /// At least kMostNumbers for what is no small natural number.
  static std::uint64_t number_of(Value value) {
    return value.is_integer() ? static_cast<std::uint64_t>(value.integer()) : kMostNumbers;
  }

  std::vector<std::uint64_t> numbers_;         // bit n of this: the integer n is there
  absl::flat_hash_set<std::uint64_t> others_;  // by their bits, numbers among them that came too early
  std::size_t size_ = 0;
  std::uint64_t inserted_ = 0;
};

/// Values, each with how often it is there, as MemberSet has those that are there once. O(1) an operation, in the long
/// run.
class MemberCounts {
 public:
  [[nodiscard]] bool contains(Value value) const {
    const std::uint64_t number = number_of(value);
    if (number < counts_.size() && counts_[number] != 0) return true;
    return !others_.empty() && others_.contains(value.bits());
  }
  void add(Value value) {
    ++size_;
    ++added_;
    const std::uint64_t number = number_of(value);
    if (number < counts_.size()) {
      if (counts_[number] != 0 || others_.empty() || !others_.contains(value.bits())) {
        if (counts_[number]++ == 0) come_or_go(value, 1);
        return;
      }
    } else if (number < kMostNumbers && number <= 2 * added_ && !others_.contains(value.bits())) {
      counts_.resize(std::bit_ceil(number + 1));
      counts_[number] = 1;
      come_or_go(value, 1);
      return;
    }
    if (others_[value.bits()]++ == 0) come_or_go(value, 1);
  }
  /// Whether the value was there; now it is there once less.
  bool take(Value value) {
    const std::uint64_t number = number_of(value);
    if (number < counts_.size() && counts_[number] != 0) {
      if (--counts_[number] == 0) come_or_go(value, -1);
    } else {
      const auto at = others_.find(value.bits());
      if (at == others_.end()) return false;
      if (--at->second == 0) {
        others_.erase(at);
        come_or_go(value, -1);
      }
    }
    --size_;
    return true;
  }
  void clear() { *this = MemberCounts(); }
  [[nodiscard]] std::size_t size() const { return size_; }  ///< each value as often as it is there
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t distinct() const { return distinct_; }
  /// The one value that is there. @pre distinct() == 1
  [[nodiscard]] Value only() const { return Value::from_bits(present_); }
  /// All that is there, ascending by bits, each value as often as it is there. O(n log n) and the size of the table.
  [[nodiscard]] std::vector<Value> sorted() const {
    std::vector<Value> all;
    for (std::size_t number = 0; number < counts_.size(); ++number) {
      all.insert(all.end(), counts_[number], Value::integer(static_cast<std::int64_t>(number)));
    }
    for (const auto& [bits, count] : others_) all.insert(all.end(), count, Value::from_bits(bits));
    std::sort(all.begin(), all.end(), [](Value left, Value right) { return left.bits() < right.bits(); });
    return all;
  }

 private:
  static constexpr std::uint64_t kMostNumbers = 1 << 22;

  static std::uint64_t number_of(Value value) {
    return value.is_integer() ? static_cast<std::uint64_t>(value.integer()) : kMostNumbers;
  }
  void come_or_go(Value value, std::ptrdiff_t by) {
    distinct_ += static_cast<std::size_t>(by);
    present_ ^= value.bits();
  }

  std::vector<std::uint32_t> counts_;                         // of the natural numbers that are not in others_
  absl::flat_hash_map<std::uint64_t, std::uint32_t> others_;  // by their bits, numbers among them that came too early
  std::size_t size_ = 0;
  std::size_t distinct_ = 0;
  std::uint64_t present_ = 0;  // the bits of all values that are there, added without carry
  std::uint64_t added_ = 0;
};

constexpr auto kAscendingByBits = [](Value left, Value right) { return left.bits() < right.bits(); };

inline bool has(const std::vector<Value>& set, Value value) {
  return std::binary_search(set.begin(), set.end(), value, kAscendingByBits);
}
inline bool has(const MemberSet& set, Value value) { return set.contains(value); }
/// Whether the value was not there; now it is.
inline bool put_in(std::vector<Value>& set, Value value) {
  const auto at = std::lower_bound(set.begin(), set.end(), value, kAscendingByBits);
  if (at != set.end() && *at == value) return false;
  set.insert(at, value);
  return true;
}
inline bool put_in(MemberSet& set, Value value) { return set.insert(value); }
/// Whether the value was there; now it is not.
inline bool take_out(std::vector<Value>& set, Value value) {
  const auto at = std::lower_bound(set.begin(), set.end(), value, kAscendingByBits);
  if (at == set.end() || *at != value) return false;
  set.erase(at);
  return true;
}
inline bool take_out(MemberSet& set, Value value) { return set.erase(value); }

/// Values to T, as FlatMap (flat_map.hpp), without an order. Everything is O(1).
template <class T>
class HashedMap {
 public:
  [[nodiscard]] const T* find(Value key) const {
    const auto at = entries_.find(key.bits());
    return at != entries_.end() ? &at->second : nullptr;
  }
  void assign(Value key, T content) { entries_.insert_or_assign(key.bits(), std::move(content)); }
  void erase(Value key) { entries_.erase(key.bits()); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] bool empty() const { return entries_.empty(); }

 private:
  absl::flat_hash_map<std::uint64_t, T> entries_;  // by the keys' bits
};

}  // namespace linchpin::types

// What the two searches of queues whose values are counted are made of: a list that takes back what was done to it,
// keys of what took effect, and the set of keys that were met.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_set.h>

#include "core/budget.hpp"
#include "linchpin/hash.hpp"

namespace linchpin::types::queue {

/// Some of the numbers 0..n-1 in the order in which they were put in. Taking out and putting in may be undone in
/// reverse order. All in O(1).
class UndoList {
 public:
  explicit UndoList(std::size_t size)
      : next_(size + 1, static_cast<std::uint32_t>(size)),
        previous_(size + 1, static_cast<std::uint32_t>(size)),
        end_(static_cast<std::uint32_t>(size)) {}

  [[nodiscard]] std::uint32_t first() const { return next_[end_]; }
  [[nodiscard]] std::uint32_t after(std::uint32_t i) const { return next_[i]; }
  [[nodiscard]] std::uint32_t end() const { return end_; }

  void put_last(std::uint32_t i) {
    previous_[i] = previous_[end_];
    next_[i] = end_;
    put_back(i);
  }
  void take_out(std::uint32_t i) {
    next_[previous_[i]] = next_[i];
    previous_[next_[i]] = previous_[i];
  }
  /// Undoes `take_out`.
  void put_back(std::uint32_t i) {
    next_[previous_[i]] = i;
    previous_[next_[i]] = i;
  }

 private:
  std::vector<std::uint32_t> next_, previous_;
  std::uint32_t end_;
};

/// What a key is made of. Numbers of operations, of places and of events must not meet.
enum class KeyFact : std::uint8_t { took_effect = 1, is_inside, stands_at };

/// 128 bits, so that a search may rely on what it met.
struct SearchKey {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  /// Puts a fact in, or takes it out.
  void toggle(KeyFact fact, std::uint64_t a, std::uint64_t b = 0) {
    const auto kind = static_cast<std::uint64_t>(fact);
    low ^= mix(mix(kind, a), b);
    high ^= mix(mix(kind + 0x5851f42d4c957f2dULL, b), a);
  }
  bool operator==(const SearchKey&) const = default;
  template <class H>
  friend H AbslHashValue(H h, const SearchKey& key) {
    return H::combine(std::move(h), key.low);
  }
};

/// The keys that were met. Asks before it takes much memory.
class MetKeys {
 public:
  /// False: it was met before.
  bool insert(const SearchKey& key) { return keys_.insert(key).second; }
  [[nodiscard]] bool may_grow(core::Budget& budget) const {
    constexpr std::size_t kLarge = std::size_t{1} << 20;
    if (keys_.size() + 1 < keys_.capacity() - keys_.capacity() / 8) return true;
    const std::size_t bytes = 2 * keys_.capacity() * (sizeof(SearchKey) + 1);
    return bytes < kLarge || budget.allows(bytes);
  }

 private:
  absl::flat_hash_set<SearchKey> keys_;
};

}  // namespace linchpin::types::queue

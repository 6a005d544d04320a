// A small map as a sorted vector: cheap to copy, compare and hash, which is what states are for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "linchpin/value.hpp"

namespace linchpin::types {

/// Values to T, ascending by the keys' bits. Finding is O(log n), changing O(n).
template <class T>
class FlatMap {
 public:
  using Entry = std::pair<Value, T>;

  [[nodiscard]] const T* find(Value key) const {
    const auto at = place(key);
    return at != entries_.end() && at->first == key ? &at->second : nullptr;
  }
  void assign(Value key, T content) {
    const auto at = entries_.begin() + (place(key) - entries_.begin());
    if (at != entries_.end() && at->first == key) {
      at->second = std::move(content);
    } else {
      entries_.insert(at, Entry{key, std::move(content)});
    }
  }
  void erase(Value key) {
    const auto at = place(key);
    if (at != entries_.end() && at->first == key) entries_.erase(at);
  }

  [[nodiscard]] auto begin() const { return entries_.begin(); }
  [[nodiscard]] auto end() const { return entries_.end(); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t bytes() const { return entries_.capacity() * sizeof(Entry); }

  bool operator==(const FlatMap&) const = default;

 private:
  [[nodiscard]] typename std::vector<Entry>::const_iterator place(Value key) const {
    return std::lower_bound(entries_.begin(), entries_.end(), key,
                            [](const Entry& entry, Value wanted) { return entry.first.bits() < wanted.bits(); });
  }

  std::vector<Entry> entries_;
};

}  // namespace linchpin::types

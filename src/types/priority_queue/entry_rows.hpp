// What is inside a priority queue, for the search over it (entries.cpp): rows of entries, each row once.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "linchpin/hash.hpp"

namespace linchpin::types::priority_queue {

struct Entry {
  std::uint32_t priority = 0, value = 0, earliest = 0, latest = 0;

  friend auto operator<=>(const Entry&, const Entry&) = default;
  [[nodiscard]] std::uint64_t hash() const {
    return mix(mix(0, (std::uint64_t{priority} << 32) | value), (std::uint64_t{earliest} << 32) | latest);
  }
  [[nodiscard]] bool goes_before(const Entry& other) const { return latest <= other.earliest; }
};

/// Rows of entries, ascending, each row once.
class EntryRows {
 public:
  EntryRows() { (void)id_of({}); }

  [[nodiscard]] std::span<const Entry> operator[](std::uint32_t id) const {
    return std::span(entries_).subspan(begin_[id], begin_[id + 1] - begin_[id]);
  }
  std::uint32_t id_of(std::span<const Entry> row) {
    std::uint64_t hash = row.size();
    for (const Entry& each : row) hash += each.hash();
    hash = mix(hash, 0);
    if (2 * (hashes_.size() + 1) > index_.size()) reindex(std::max<std::size_t>(256, 2 * index_.size()));
    std::size_t at = hash & (index_.size() - 1);
    for (; index_[at] != 0; at = (at + 1) & (index_.size() - 1)) {
      const std::uint32_t id = index_[at] - 1;
      if (hashes_[id] == hash && std::ranges::equal(row, (*this)[id])) return id;
    }
    entries_.insert(entries_.end(), row.begin(), row.end());
    begin_.push_back(entries_.size());
    hashes_.push_back(hash);
    index_[at] = static_cast<std::uint32_t>(hashes_.size());
    return index_[at] - 1;
  }
  [[nodiscard]] std::size_t bytes() const { return entries_.size() * sizeof(Entry) + hashes_.size() * 32; }
  /// Bytes that the next few rows may take at once because a table grows.
  [[nodiscard]] std::size_t growth() const {
    return entries_.size() + kAhead > entries_.capacity() ? 2 * entries_.capacity() * sizeof(Entry) : 0;
  }
  /// Keeps those that are referred to, which get new ids.
  void retain(const std::vector<std::uint32_t*>& referring) {
    EntryRows kept;
    for (std::uint32_t* const id : referring) *id = kept.id_of((*this)[*id]);
    *this = std::move(kept);
  }

 private:
  static constexpr std::size_t kAhead = std::size_t{1} << 18;

  void reindex(std::size_t size) {
    index_.assign(size, 0);
    for (std::uint32_t id = 0; id < hashes_.size(); ++id) {
      std::size_t at = hashes_[id] & (size - 1);
      while (index_[at] != 0) at = (at + 1) & (size - 1);
      index_[at] = id + 1;
    }
  }

  std::vector<Entry> entries_;
  std::vector<std::size_t> begin_ = {0};
  std::vector<std::uint64_t> hashes_;  // by id
  std::vector<std::uint32_t> index_;   // open addressing: id + 1
};

}  // namespace linchpin::types::priority_queue

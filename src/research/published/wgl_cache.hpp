// The cache of configurations as published: the set of all linearized operations, one bit each, and a state.
//
// The hash of the bits is kept up to date in constant time when one of them changes. With a bound, the configuration
// that was used the longest ago makes room for a new one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/none.hpp"
#include "linchpin/hash.hpp"
#include "linchpin/specification_interface.hpp"

namespace linchpin::research {

/// Which operations are linearized, with a hash: the exclusive or of a hash for each word of 64.
class LinearizedSet {
 public:
  explicit LinearizedSet(std::size_t operations) : words_((operations + 63) / 64) {}
  void flip(std::uint32_t local) {
    std::uint64_t& word = words_[local >> 6];
    hash_ ^= hash_of_word(local >> 6, word);
    word ^= std::uint64_t{1} << (local & 63);
    hash_ ^= hash_of_word(local >> 6, word);
  }
  [[nodiscard]] std::uint64_t hash() const { return hash_; }
  /// The same hash, of all words anew: O(n / 64), as before the paper.
  [[nodiscard]] std::uint64_t hash_anew() const {
    std::uint64_t hash = 0;
    for (std::uint32_t index = 0; index < words_.size(); ++index) hash ^= hash_of_word(index, words_[index]);
    return hash;
  }
  [[nodiscard]] const std::vector<std::uint64_t>& words() const { return words_; }

 private:
  /// Nothing for an empty word, so that the empty set has the hash 0.
  static std::uint64_t hash_of_word(std::uint32_t index, std::uint64_t word) {
    return word == 0 ? 0 : mix(index + 1, word);
  }
  std::vector<std::uint64_t> words_;
  std::uint64_t hash_ = 0;
};

class WglCache {
 public:
  /// `bound` 0: none.
  WglCache(std::size_t operations, std::size_t bound)
      : stride_((operations + 63) / 64), bound_(bound), index_(kFirstCapacity, kNone) {
    per_chunk_ = std::max<std::size_t>(1, kChunkWords / std::max<std::size_t>(1, stride_));
  }

  /// Adds a configuration; false if it is there.
  /// @param hash_of_set  `set.hash()`, however it was worked out
  bool insert(const LinearizedSet& set, std::uint64_t hash_of_set, StateId state) {
    const std::uint64_t hash = mix(hash_of_set, state);
    for (std::uint32_t at = index_[slot_of(hash)]; at != kNone; at = entries_[at].next) {
      const Entry& entry = entries_[at];
      if (entry.hash != hash || entry.state != state || !std::equal(set.words().begin(), set.words().end(), bits(at)))
        continue;
      if (bound_ != 0) use(at);
      return false;
    }
    std::uint32_t at = static_cast<std::uint32_t>(entries_.size());
    if (bound_ != 0 && entries_.size() == bound_) {
      at = oldest_;
      unlink(at);
      remove_from_index(at);
    } else {
      if (entries_.size() == index_.size()) grow_index();
      if (entries_.size() % per_chunk_ == 0) {
        chunks_.push_back(std::make_unique_for_overwrite<std::uint64_t[]>(per_chunk_ * stride_));
      }
      entries_.emplace_back();
    }
    std::copy(set.words().begin(), set.words().end(), bits(at));
    entries_[at].hash = hash;
    entries_[at].state = state;
    entries_[at].next = std::exchange(index_[slot_of(hash)], at);
    if (bound_ != 0) link_newest(at);
    return true;
  }
  /// Bytes that the next insertion takes at once.
  [[nodiscard]] std::size_t growth() const {
    if (bound_ != 0 && entries_.size() == bound_) return 0;
    return (entries_.size() % per_chunk_ == 0 ? per_chunk_ * stride_ * sizeof(std::uint64_t) : 0) +
           (entries_.size() == entries_.capacity() ? 2 * entries_.capacity() * sizeof(Entry) : 0) +
           (entries_.size() == index_.size() ? 2 * index_.size() * sizeof(std::uint32_t) : 0);
  }

 private:
  static constexpr std::size_t kFirstCapacity = 1024;
  static constexpr std::size_t kChunkWords = std::size_t{1} << 17;
  struct Entry {
    std::uint64_t hash = 0;
    StateId state = 0;
    std::uint32_t next = kNone;                  // of one slot
    std::uint32_t newer = kNone, older = kNone;  // in order of use, with a bound
  };

  [[nodiscard]] std::size_t slot_of(std::uint64_t hash) const { return hash & (index_.size() - 1); }
  [[nodiscard]] std::uint64_t* bits(std::uint32_t at) const {
    return chunks_[at / per_chunk_].get() + (at % per_chunk_) * stride_;
  }
  void grow_index() {
    index_.assign(2 * index_.size(), kNone);
    for (std::uint32_t at = 0; at < entries_.size(); ++at) {
      entries_[at].next = std::exchange(index_[slot_of(entries_[at].hash)], at);
    }
  }
  void remove_from_index(std::uint32_t at) {
    std::uint32_t* link = &index_[slot_of(entries_[at].hash)];
    while (*link != at) link = &entries_[*link].next;
    *link = entries_[at].next;
  }
  void link_newest(std::uint32_t at) {
    entries_[at].older = newest_;
    entries_[at].newer = kNone;
    (newest_ == kNone ? oldest_ : entries_[newest_].newer) = at;
    newest_ = at;
  }
  void unlink(std::uint32_t at) {
    const Entry& entry = entries_[at];
    (entry.older == kNone ? oldest_ : entries_[entry.older].newer) = entry.newer;
    (entry.newer == kNone ? newest_ : entries_[entry.newer].older) = entry.older;
  }
  void use(std::uint32_t at) {
    unlink(at);
    link_newest(at);
  }

  std::size_t stride_;  // words of a set
  std::size_t bound_;
  std::size_t per_chunk_ = 1;
  std::vector<std::unique_ptr<std::uint64_t[]>> chunks_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> index_;  // first entry of each slot
  std::uint32_t newest_ = kNone, oldest_ = kNone;
};

}  // namespace linchpin::research

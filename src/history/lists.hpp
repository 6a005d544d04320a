// Lists of values, each held once: what the pool keeps of them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "base/assert.hpp"
#include "linchpin/hash.hpp"
#include "linchpin/value.hpp"

namespace linchpin::history {

/// Lists, each once, by their numbers.
///
/// Elements lie in blocks that never move. A list that begins like one that is held with the same element in front, or
/// that this one begins like, shares its elements, as lists do that somebody read while they grew: a hundred readings
/// of a growing list take the room of two, not of fifty. Beside its elements a list takes 8 bytes, and about 13 in the
/// index, which is made when a list is looked for.
class Lists {
 public:
  [[nodiscard]] std::span<const Value> at(std::uint64_t number) const { return elements(places_[number]); }
  [[nodiscard]] std::size_t bytes() const {
    return element_bytes_ + sizeof(Place) * places_.size() + sizeof(Slot) * slots_.size();
  }

  /// Its number, and whether it is a new one. O(elements)
  std::pair<std::uint64_t, bool> add(std::span<const Value> elements) {
    make_index();
    if (4 * (places_.size() + 1) > 3 * slots_.size()) grow(2 * slots_.size());
    const std::uint32_t hash = hash_of_list(elements);
    std::size_t slot = home(hash);
    for (; slots_[slot].number != kFree; slot = following(slot)) {
      if (slots_[slot].hash == hash && equal(slots_[slot].number, elements)) return {slots_[slot].number, false};
    }
    const std::uint32_t number = append(elements);
    slots_[slot] = {.hash = hash, .number = number};
    ++indexed_;
    return {number, true};
  }

  void reserve(std::size_t more) {
    places_.reserve(places_.size() + more);
    hashes_.reserve(more);
  }
  /// Adds a list of which it is known, or looked at later (`all_differ`), that it is a new one.
  std::uint32_t add_new(std::span<const Value> elements) {
    LINCHPIN_ASSERT(places_.size() == indexed_ + hashes_.size());
    hashes_.push_back(hash_of_list(elements));
    return append(elements);
  }
  /// Whether no list that add_new added is one of the others. They are cut into parts by their hashes, each of which
  /// fits in the cache. O(lists)
  [[nodiscard]] bool all_differ() {
    std::vector<std::uint32_t> begin((std::size_t{1} << kPartBits) + 1, 0);
    for (const std::uint32_t hash : hashes_) ++begin[(hash >> (32 - kPartBits)) + 1];
    std::size_t largest = 0;
    for (std::size_t part = 0; part + 1 < begin.size(); ++part) {
      largest = std::max<std::size_t>(largest, begin[part + 1]);
      begin[part + 1] += begin[part];
    }
    std::vector<Slot> sorted(hashes_.size());
    for (std::size_t i = 0; i < hashes_.size(); ++i) {
      sorted[begin[hashes_[i] >> (32 - kPartBits)]++] = {.hash = hashes_[i],
                                                         .number = static_cast<std::uint32_t>(indexed_ + i)};
    }
    hashes_ = {};
    std::vector<Slot> table(std::bit_ceil(2 * largest + 1));
    bool differ = indexed_ == 0 || std::all_of(sorted.begin(), sorted.end(), [&](Slot each) { return !indexed(each); });
    for (std::size_t first = 0; first < sorted.size() && differ;) {
      std::fill(table.begin(), table.end(), Slot{});
      const std::uint32_t part = sorted[first].hash >> (32 - kPartBits);
      for (; first < sorted.size() && sorted[first].hash >> (32 - kPartBits) == part && differ; ++first) {
        std::size_t slot = sorted[first].hash & (table.size() - 1);
        for (; table[slot].number != kFree && differ; slot = (slot + 1) & (table.size() - 1)) {
          differ = table[slot].hash != sorted[first].hash || !equal(table[slot].number, at(sorted[first].number));
        }
        table[slot] = sorted[first];
      }
    }
    return differ;
  }

 private:
  /// Where its elements begin, and in the lower bits how many they are.
  using Place = std::uint64_t;
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t number = kFree;
  };
  /// The last list that was put with its first element and others behind it.
  struct Growing {
    std::uint64_t begin = 0;
    std::uint32_t size = 0;
    std::uint32_t room = 0;  // behind it, for so many more elements
  };
  static constexpr std::uint32_t kFree = 0xffffffffU;
  static constexpr unsigned kSizeBits = 26;  // of a place: the other 38 are for where it begins
  static constexpr std::size_t kMostElements = (std::size_t{1} << kSizeBits) - 1;
  static constexpr std::size_t kLeastShared = 5;  // elements: for shorter lists it is not worth a look
  static constexpr unsigned kBlockBits = 14;      // of elements
  static constexpr std::size_t kBlock = std::size_t{1} << kBlockBits;
  static constexpr std::size_t kFirst = 64;  // elements, of the first block: most histories with lists are small
  static constexpr std::size_t kMostGrowing = std::size_t{1} << 16;
  static constexpr unsigned kPartBits = 11;

  static std::uint32_t hash_of_list(std::span<const Value> elements) {
    std::uint64_t hash = 0x6c69737473ULL;
    for (const Value element : elements) hash = mix(hash, element.bits());
    return static_cast<std::uint32_t>(hash >> 32U);
  }

  [[nodiscard]] std::span<const Value> elements(Place place) const {
    const auto size = static_cast<std::size_t>(place & kMostElements);
    if (size == 0) return {};  // there may be no block
    return {where(place >> kSizeBits), size};
  }
  [[nodiscard]] Value* where(std::uint64_t begin) const {
    return blocks_[begin >> kBlockBits] + (begin & (kBlock - 1));
  }
  [[nodiscard]] bool equal(std::uint32_t number, std::span<const Value> elements) const {
    const std::span<const Value> held = at(number);
    return std::equal(elements.begin(), elements.end(), held.begin(), held.end());
  }
  [[nodiscard]] std::size_t home(std::uint32_t hash) const { return hash & (slots_.size() - 1); }
  [[nodiscard]] std::size_t following(std::size_t slot) const { return (slot + 1) & (slots_.size() - 1); }

  /// Whether a list of the index is this one.
  [[nodiscard]] bool indexed(Slot wanted) const {
    for (std::size_t slot = home(wanted.hash); slots_[slot].number != kFree; slot = following(slot)) {
      if (slots_[slot].hash == wanted.hash && equal(slots_[slot].number, at(wanted.number))) return true;
    }
    return false;
  }
  void put_in_index(Slot entry) {
    std::size_t slot = home(entry.hash);
    while (slots_[slot].number != kFree) slot = following(slot);
    slots_[slot] = entry;
  }
  void grow(std::size_t size) {
    std::vector<Slot> before = std::exchange(slots_, std::vector<Slot>(std::max<std::size_t>(64, size)));
    for (const Slot each : before) {
      if (each.number != kFree) put_in_index(each);
    }
  }
  void make_index() {
    if (indexed_ == places_.size()) return;
    hashes_ = {};
    if (3 * slots_.size() < 4 * places_.size()) grow(std::bit_ceil(2 * places_.size()));
    for (; indexed_ < places_.size(); ++indexed_) {
      put_in_index({.hash = hash_of_list(at(indexed_)), .number = static_cast<std::uint32_t>(indexed_)});
    }
  }

  std::uint32_t append(std::span<const Value> elements) {
    if (places_.size() == kFree || elements.size() > kMostElements) throw std::bad_alloc();
    places_.push_back((keep(elements) << kSizeBits) | elements.size());
    return static_cast<std::uint32_t>(places_.size() - 1);
  }

  /// Where its elements begin.
  std::uint64_t keep(std::span<const Value> elements) {
    if (elements.size() < kLeastShared || elements.front().is_list()) return store(elements, elements.size());
    if (growing_.size() < kMostGrowing && places_.size() >= 8 * growing_.size()) more_growing();
    const auto size = static_cast<std::uint32_t>(elements.size());
    Growing& like = growing_with(elements.front());
    const std::size_t common = std::min(like.size, size);
    const bool alike =
        common > 0 &&
        std::equal(elements.begin(), elements.begin() + static_cast<std::ptrdiff_t>(common), where(like.begin));
    if (!alike) {
      like = {.begin = store(elements, size), .size = size, .room = 0};
    } else if (size > like.size + like.room) {
      const std::uint64_t moved = store(elements, 2 * elements.size());
      like = {.begin = moved, .size = size, .room = size};
    } else if (size > like.size) {
      std::copy(elements.begin() + like.size, elements.end(), where(like.begin) + like.size);
      like.room -= size - like.size;
      like.size = size;
    }
    return like.begin;
  }

  Growing& growing_with(Value first) { return growing_[mix(0, first.bits()) & (growing_.size() - 1)]; }
  void more_growing() {
    const std::vector<Growing> before =
        std::exchange(growing_, std::vector<Growing>(std::max<std::size_t>(16, 4 * growing_.size())));
    for (const Growing& each : before) {
      if (each.size > 0) growing_with(*where(each.begin)) = each;
    }
  }

  /// The elements in a place of their own, with room for so many.
  std::uint64_t store(std::span<const Value> elements, std::size_t room) {
    if (elements.empty()) return 0;
    if (room > end_ - next_) {
      const std::size_t held = std::max(room, blocks_.size() < 2 ? kFirst << (4 * blocks_.size()) : kBlock);
      memory_.push_back(std::make_unique<Value[]>(held));
      next_ = blocks_.size() << kBlockBits;
      end_ = next_ + held;
      for (std::size_t i = 0; i < held; i += kBlock) blocks_.push_back(memory_.back().get() + i);
    }
    const std::uint64_t begin = next_;
    std::copy(elements.begin(), elements.end(), where(begin));
    next_ += room;
    element_bytes_ += room * sizeof(Value);
    return begin;
  }

  std::vector<Place> places_;          // by number
  std::vector<Slot> slots_;            // open addressing, a power of two
  std::size_t indexed_ = 0;            // so many lists are in the index
  std::vector<std::uint32_t> hashes_;  // of those that are not, until it is known that they differ
  std::vector<std::unique_ptr<Value[]>> memory_;
  std::vector<Value*> blocks_;        // a list that is longer than a block has several, one behind the other
  std::uint64_t next_ = 0, end_ = 0;  // of the last block, what is free
  std::vector<Growing> growing_;      // by the hash of the first element, of which the last one stays
  std::size_t element_bytes_ = 0;
};

}  // namespace linchpin::history

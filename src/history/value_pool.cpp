// The interning pool behind big integers, strings and lists.
#include <algorithm>
#include <deque>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include "base/string_map.hpp"
#include "history/text_notation.hpp"
#include "linchpin/hash.hpp"
#include "linchpin/value.hpp"

namespace linchpin {

namespace {

/// Lists, each once, by their numbers.
///
/// Elements lie in blocks that never move. A list that is another one and one element more, as those are that somebody
/// read while they grew, takes the place behind that one, where it is free, and shares all the others: a hundred
/// readings of a growing list take the room of two, not of fifty. Beside its elements a list takes about 25 bytes.
class Lists {
 public:
  [[nodiscard]] std::span<const Value> at(std::uint64_t number) const {
    const Entry& entry = entries_[number];
    return {entry.begin, entry.size};
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  /// Its number, and whether it is a new one. O(elements)
  std::pair<std::uint64_t, bool> add(std::span<const Value> elements) {
    if (2 * (entries_.size() + 1) > slots_.size()) grow();
    std::uint64_t before = kSeed, all = kSeed;  // without the last element, and with it
    for (const Value element : elements) {
      before = all;
      all = mix(all, element.bits());
    }
    const auto hash = static_cast<std::uint32_t>(all >> 32U);
    const std::size_t slot = find(hash, elements);
    if (slots_[slot] != kFree) return {slots_[slot], false};
    const auto number = static_cast<std::uint32_t>(entries_.size());
    if (number == kFree || elements.size() > kMostElements) throw std::bad_alloc();
    const Value* const begin = keep(elements, static_cast<std::uint32_t>(before >> 32U));
    entries_.push_back({.begin = begin, .size = static_cast<std::uint32_t>(elements.size()), .hash = hash});
    slots_[slot] = number;
    bytes_ += sizeof(Entry) + 2 * sizeof(std::uint32_t);
    return {number, true};
  }

 private:
  struct Entry {
    const Value* begin = nullptr;
    std::uint32_t size = 0;
    std::uint32_t hash = 0;
  };
  static constexpr std::uint64_t kSeed = 0x6c69737473ULL;
  static constexpr std::uint32_t kFree = 0xffffffffU;
  static constexpr std::size_t kMostElements = 0xffffffffU;
  static constexpr std::size_t kGrowing = 8;        // elements: shorter lists are not worth a look for the one before
  static constexpr std::size_t kBlock = 1U << 14U;  // elements

  /// Where the list is, or where it would be put.
  [[nodiscard]] std::size_t find(std::uint32_t hash, std::span<const Value> elements) const {
    std::size_t slot = hash & (slots_.size() - 1);
    for (; slots_[slot] != kFree; slot = (slot + 1) & (slots_.size() - 1)) {
      const Entry& entry = entries_[slots_[slot]];
      if (entry.hash == hash && std::equal(elements.begin(), elements.end(), entry.begin, entry.begin + entry.size))
        break;
    }
    return slot;
  }

  void grow() {
    slots_.assign(std::max<std::size_t>(64, 2 * slots_.size()), kFree);
    for (std::uint32_t number = 0; number < entries_.size(); ++number) {
      std::size_t slot = entries_[number].hash & (slots_.size() - 1);
      while (slots_[slot] != kFree) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = number;
    }
  }

  /// @param before  the hash of the list without its last element
  const Value* keep(std::span<const Value> elements, std::uint32_t before) {
    if (elements.size() < kGrowing) return store(elements, elements.size());
    const std::size_t slot = find(before, elements.first(elements.size() - 1));
    if (slots_[slot] == kFree) return store(elements, elements.size());
    const Value* const begin = entries_[slots_[slot]].begin;
    if (const auto room = room_.find(begin + elements.size() - 1); room != room_.end()) {
      Value* const place = room->second.first;
      const std::size_t left = room->second.second - 1;
      room_.erase(room);
      *place = elements.back();
      if (left > 0) room_.emplace(place + 1, std::pair(place + 1, left));
      return begin;
    }
    Value* const moved = store(elements, 2 * elements.size());
    room_.emplace(moved + elements.size(), std::pair(moved + elements.size(), elements.size()));
    return moved;
  }

  /// The elements in a place of their own, with room for so many.
  Value* store(std::span<const Value> elements, std::size_t room) {
    if (room > left_) {
      left_ = std::max(room, kBlock);
      blocks_.push_back(std::make_unique<Value[]>(left_));
      next_ = blocks_.back().get();
    }
    Value* const begin = next_;
    std::copy(elements.begin(), elements.end(), begin);
    next_ += room;
    left_ -= room;
    bytes_ += room * sizeof(Value);
    return begin;
  }

  std::deque<Entry> entries_;
  std::vector<std::uint32_t> slots_;  // open addressing, a power of two: numbers of lists
  std::vector<std::unique_ptr<Value[]>> blocks_;
  Value* next_ = nullptr;  // free in the last block, and how many
  std::size_t left_ = 0;
  /// Behind the longest of the lists that share a place: where, and for how many more.
  absl::flat_hash_map<const Value*, std::pair<Value*, std::size_t>> room_;
  std::size_t bytes_ = 0;
};

}  // namespace

struct ValuePool::Content {
  std::deque<std::string> strings;  // by index; a deque so that views stay valid
  Lists lists;
  absl::flat_hash_set<std::uint64_t> partial;  // those of them, by index, that hold `?`
  std::vector<std::int64_t> integers;
  base::StringViewMap<std::uint64_t> string_index;
  absl::flat_hash_map<std::int64_t, std::uint64_t> integer_index;
  std::size_t bytes = 0;  // but for the lists
};

ValuePool::ValuePool() : content_(std::make_unique<Content>()) {}
ValuePool::~ValuePool() = default;

Value ValuePool::big_integer(std::int64_t value) {
  const auto [entry, fresh] = content_->integer_index.try_emplace(value, content_->integers.size());
  if (fresh) {
    content_->integers.push_back(value);
    content_->bytes += 32;
  }
  return Value::indexed(Value::kBigTag, entry->second);
}

Value ValuePool::string(std::string_view text) {
  const auto found = content_->string_index.find(text);
  if (found != content_->string_index.end()) return Value::indexed(Value::kStringTag, found->second);
  const std::uint64_t index = content_->strings.size();
  const std::string& kept = content_->strings.emplace_back(text);
  content_->string_index.emplace(std::string_view(kept), index);
  content_->bytes += kept.capacity() + 64;
  return Value::indexed(Value::kStringTag, index);
}

Value ValuePool::list(std::span<const Value> elements) {
  const auto [index, fresh] = content_->lists.add(elements);
  const auto lost = [this](Value element) { return element.is_unknown() || partial(element); };
  if (fresh && std::any_of(elements.begin(), elements.end(), lost)) content_->partial.insert(index);
  return Value::indexed(Value::kListTag, index);
}

Value ValuePool::import(Value value, const ValuePool& from) {
  switch (value.kind()) {
    case Value::Kind::big_integer: return big_integer(from.integer_of(value));
    case Value::Kind::string: return string(from.text_of(value));
    case Value::Kind::list: {
      std::vector<Value> elements;
      for (const Value element : from.elements_of(value)) elements.push_back(import(element, from));
      return list(elements);
    }
    default: return value;
  }
}

std::int64_t ValuePool::integer_of(Value value) const {
  if (value.is_integer()) return value.integer();
  if (value.kind() != Value::Kind::big_integer) detail::misread(value, "an integer");
  return content_->integers[value.index()];
}

std::string_view ValuePool::text_of(Value value) const {
  if (!value.is_string()) detail::misread(value, "a string");
  return content_->strings[value.index()];
}

std::span<const Value> ValuePool::elements_of(Value value) const {
  if (!value.is_list()) detail::misread(value, "a list");
  return content_->lists.at(value.index());
}

bool ValuePool::partial(Value value) const {
  return value.is_list() && !content_->partial.empty() && content_->partial.contains(value.index());
}

bool ValuePool::has_partial() const { return !content_->partial.empty(); }

std::string ValuePool::to_text(Value value) const {
  std::string text;
  history::append_text(text, value, *this);
  return text;
}

std::strong_ordering ValuePool::compare(Value left, Value right) const {
  if (left == right) return std::strong_ordering::equal;
  const auto rank = [](Value value) {
    const auto kind = value.kind();
    return kind == Value::Kind::big_integer ? Value::Kind::integer : kind;
  };
  if (rank(left) != rank(right)) return rank(left) <=> rank(right);
  switch (rank(left)) {
    case Value::Kind::integer: return integer_of(left) <=> integer_of(right);
    case Value::Kind::string: return text_of(left).compare(text_of(right)) <=> 0;
    case Value::Kind::list: {
      const auto a = elements_of(left);
      const auto b = elements_of(right);
      for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
        if (const auto order = compare(a[i], b[i]); order != 0) return order;
      }
      return a.size() <=> b.size();
    }
    default: return left.bits() <=> right.bits();
  }
}

std::size_t ValuePool::bytes() const { return content_->bytes + content_->lists.bytes(); }

}  // namespace linchpin

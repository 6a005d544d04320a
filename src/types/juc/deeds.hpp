// What the operations of Java's queues, deques and heaps ask of elements and do to them, as far as their answers tell.
//
// Elements are numbered: whatever some operation may put in. An element that nothing puts in has no number; what asks
// for one is impossible, and what forbids one forbids nothing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "history/subhistory.hpp"

namespace linchpin::types::juc {

using Element = std::uint32_t;
inline constexpr Element kNoElement = 0xffffffffU;

enum class Collection : std::uint8_t { queue, deque, heap };
/// Front: where a queue is polled, and where the smallest of a heap is.
enum class End : std::uint8_t { front, back };

struct Deed {
  enum class Kind : std::uint8_t {
    other,        ///< nothing that names elements: a size, what is lost, what changed nothing for want of room
    impossible,   ///< no collection answers so, whatever was put in
    adds,         ///< puts the elements in, in this order
    may_add,      ///< a first part of them
    takes,        ///< the element at the end
    may_take,     ///< whatever is at the end, or nothing: its result is lost
    looks,        ///< the element is at the end
    finds,        ///< the elements are inside
    misses,       ///< none of the elements is inside
    removes,      ///< the element, wherever it is
    may_remove,   ///< so, if it is inside
    is_empty,     ///< nothing is inside
    lists,        ///< the elements are inside, in this order, and nothing else
    only,         ///< nothing else than the elements is inside
    removes_all,  ///< whatever equals one of the elements
    keeps,        ///< removes whatever equals none of the elements
    clears,
  };
  Kind kind = Kind::other;
  End end = End::front;
  std::vector<Element> elements;
  std::vector<Element> sorted;  ///< the same, ascending, where `has` is asked

  [[nodiscard]] bool has(Element element) const { return std::binary_search(sorted.begin(), sorted.end(), element); }
};

struct Deeds {
  Collection collection = Collection::queue;
  std::vector<Deed> of;        ///< by operation
  std::vector<Value> value;    ///< by element
  bool can_read_lists = true;  ///< printed lists tell their elements; else they are `other`
  std::string obstacle;        ///< why this cannot be read; empty: it was
  bool other_type = false;     ///< the obstacle is the type

  /// kNoElement: nothing puts it in.
  [[nodiscard]] Element element(Value value_of) const {
    const auto at = number.find(value_of.bits());
    return at == number.end() ? kNoElement : at->second;
  }
  absl::flat_hash_map<std::uint64_t, Element> number;
};

/// O(n) and the length of what was printed.
[[nodiscard]] Deeds read_deeds(const history::Subhistory& part);

/// Whether, where the element is inside before the deed, or in the middle of it, it is not inside at the end; or the
/// deed cannot be done at all while it is.
[[nodiscard]] bool excludes(const Deed& deed, Element element);
/// Whether the deed can be done only while the element is inside. @pre elements are not looked up for `adds`
[[nodiscard]] bool needs(const Deed& deed, Element element);

}  // namespace linchpin::types::juc

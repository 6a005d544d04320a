// Sets of contents of a deque, of one length: a union of products of two sets of stacks.
//
// A content is cut in two, and each half is a stack whose top is at an end of the deque. What is open about one end is
// mostly independent of what is open about the other, so a few products are enough: words of the front half, each with
// every word of the back half. A step at an end is one step of each product's half. Where a half is used up, the cut is
// moved: what the other half has at its bottom goes over, one product for each set of what can stand there.
// All cut in one place: of two sets that differ in it, one is cut anew where they are combined.
// Cost: a step O(products); a new cut O(nodes of the set). Source: docs/design/search.md, sets of contents for deques.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>
#include <absl/container/inlined_vector.h>

#include "types/shared/end_acts.hpp"
#include "types/shared/stack_images.hpp"
#include "types/shared/stack_sets.hpp"

namespace linchpin::types {

class DequeSets {
 public:
  using Set = std::uint32_t;
  using Half = StackSets::Set;
  using Product = std::array<Half, 2>;          ///< by end
  static constexpr Set kEmpty = 0;              ///< the set of the empty content alone
  static constexpr Set kNothing = 0xffffffffU;  ///< the set without contents

  DequeSets();

  [[nodiscard]] std::uint32_t length(Set set) const { return nodes_[set].length; }
  /// How many values are in the front half.
  [[nodiscard]] std::uint32_t cut(Set set) const { return nodes_[set].cut; }
  /// @pre not kNothing
  [[nodiscard]] Set push(End end, algo::ValueNumber value, Set set);
  /// What is left of the contents that have `value` at the end, or kNothing.
  [[nodiscard]] Set pop(End end, algo::ValueNumber value, Set set);
  /// What is left without the value at the end, whatever it is; kNothing where nothing is inside.
  [[nodiscard]] Set pop_any(End end, Set set);
  /// The values that may be at the end, ascending; floors (StackSets::set_floors) are none.
  [[nodiscard]] std::vector<algo::ValueNumber> values_at(End end, Set set);
  [[nodiscard]] bool has_at(End end, algo::ValueNumber value, Set set);
  /// The contents that have `value` at the end, or none of `values` (ascending); kNothing: there are none.
  [[nodiscard]] Set with(End end, algo::ValueNumber value, Set set);
  [[nodiscard]] Set without(End end, std::span<const algo::ValueNumber> values, Set set);
  /// Both of one length, or kNothing.
  [[nodiscard]] Set unite(Set a, Set b);
  [[nodiscard]] Set intersect(Set a, Set b);
  /// The same contents with so many values in the front half. @pre at most the length
  [[nodiscard]] Set cut_at(std::uint32_t cut, Set set);
  /// A place for the cut about the middle where little is open. @pre at least two values are inside
  [[nodiscard]] std::uint32_t narrow_cut(Set set);
  /// The set of one of its contents alone; kNothing of nothing.
  [[nodiscard]] Set one_of(Set set);
  /// One of the contents, front first. @pre not kNothing
  [[nodiscard]] std::vector<algo::ValueNumber> any_content(Set set) const;
  /// Sets of more products get more contents, so that they have not more: of those that have the fewest, one is made
  /// that has all of these.
  void widen(std::size_t products) {
    most_ = products;
    widens_ = true;
  }
  /// Sets of more products lose some, where they have the fewest contents; then `lost`, until it is asked.
  void limit(std::size_t products) { most_ = products; }
  [[nodiscard]] bool lost() { return std::exchange(lost_, false); }

  /// Contents of up to so many values are not cut: all is in the front half, and one product is enough.
  void keep_whole(std::uint32_t length) { whole_ = length; }
  [[nodiscard]] std::uint32_t longest_whole() const { return whole_; }
  /// Not cut, where it is short enough.
  [[nodiscard]] Set settled(Set set) {
    return set == kNothing || length(set) > whole_ ? set : cut_at(length(set), set);
  }

  // Halves by themselves.
  [[nodiscard]] StackSets& halves() { return halves_; }
  [[nodiscard]] std::span<const Product> products_of(Set set) const {
    return {products_.data() + nodes_[set].first, nodes_[set].count};
  }
  [[nodiscard]] Set of_halves(const Product& product) { return of_products(Products{product}); }

  /// Bytes that the next few operations may take at once because a table grows.
  [[nodiscard]] std::size_t growth() const;
  [[nodiscard]] bool worth_collecting() const {
    return halves_.worth_collecting() || nodes_.size() > 3 * kept_ + kFewNodes;
  }
  /// Keeps what the roots reach: mark them all, `collect`, then rename every set that was marked.
  void mark(Set set) {
    if (set == kNothing) return;
    marked_.resize(nodes_.size(), false);
    marked_[set] = true;
  }
  void mark_half(Half half) { halves_.mark(half); }
  void collect();
  [[nodiscard]] Half renamed_half(Half half) const { return halves_.renamed(half); }
  [[nodiscard]] Set renamed(Set set) const { return set == kNothing ? set : renamed_[set]; }

 private:
  using Products = absl::InlinedVector<Product, 4>;
  struct Node {
    std::uint32_t first = 0;  // into products_
    std::uint32_t count = 0;
    std::uint32_t length = 0;
    std::uint32_t cut = 0;
  };
  static constexpr std::size_t kFewNodes = std::size_t{1} << 13;

  [[nodiscard]] Products copy_of(Set set) const {
    const std::span<const Product> all = products_of(set);
    return {all.begin(), all.end()};
  }
  /// The set of these products, which are all cut in one place; kNothing for none.
  [[nodiscard]] Set of_products(Products products);
  void simplify(Products& products);
  /// Without the products of which nothing is left at that end.
  static void drop_nothing(End end, Products& products);
  [[nodiscard]] std::uint64_t hash(std::span<const Product> products) const;
  [[nodiscard]] bool whole(Set set) const { return length(set) <= whole_ && cut(set) == length(set); }
  /// Has something at that end, if anything is inside.
  [[nodiscard]] Set ready(End end, Set set);
  /// What lies above the stacks of `floor`, in the stacks that stand on it.
  [[nodiscard]] Half above(Half half, Half floor);
  /// Each stack upside down.
  [[nodiscard]] Half reversed(Half half);
  void move(End to, const Product& product, std::uint32_t count, Products& out);

  StackSets halves_;
  std::size_t most_ = SIZE_MAX;
  std::uint32_t whole_ = 0;
  bool lost_ = false;
  bool widens_ = false;  // does not lose
  std::vector<Node> nodes_;
  std::vector<Product> products_;
  absl::flat_hash_map<std::uint64_t, Set> index_;  // by hash; of sets with one hash, the first
  StackImages images_;                             // while halves are rebuilt
  std::vector<bool> marked_;
  std::vector<Set> renamed_;
  std::size_t kept_ = 1;
};

}  // namespace linchpin::types

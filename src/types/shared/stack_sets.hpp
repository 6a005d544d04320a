// Sets of stacks of one height, shared: a set is a node, its edges lead from a top value to the set of what lies below.
//
// Equal sets have equal ids (hash-consing), so push is O(1), pop is one search among the edges, and union recurses only
// where two sets differ below the same top. The ids of what lies below are smaller than a node's own, so that what is
// no longer needed is collected by two linear passes. Source: docs/design/search.md, sets of stacks.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "algo/value_number.hpp"

namespace linchpin::types {

class StackSets {
 public:
  using Set = std::uint32_t;
  static constexpr Set kEmptyStack = 0;         ///< the set of the empty stack alone
  static constexpr Set kNothing = 0xffffffffU;  ///< the set without stacks

  struct Edge {
    algo::ValueNumber top;
    Set below;
    bool operator==(const Edge&) const = default;
  };

  StackSets();

  [[nodiscard]] std::uint32_t height(Set set) const { return nodes_[set].height; }
  /// A hash of the stacks in it, whatever the ids are.
  [[nodiscard]] std::uint64_t content_hash(Set set) const { return nodes_[set].hash; }
  /// The logarithm, to base 2, of how many stacks it has: exactly 0 for one.
  [[nodiscard]] float variety(Set set) const { return nodes_[set].variety; }
  /// By ascending value.
  [[nodiscard]] std::span<const Edge> tops(Set set) const {
    return {edges_.data() + nodes_[set].first, nodes_[set].count};
  }
  /// @pre not kNothing
  [[nodiscard]] Set push(algo::ValueNumber value, Set set);
  /// What lies below `value` in the stacks that have it on top, or kNothing.
  [[nodiscard]] Set pop(algo::ValueNumber value, Set set) const;
  [[nodiscard]] bool has_top(algo::ValueNumber value, Set set) const { return pop(value, set) != kNothing; }
  /// What lies below the top, whatever it is; kNothing for the empty stack.
  [[nodiscard]] Set pop_any(Set set);
  /// At the other end of the stacks: with the value under each, or without it where it is there; else kNothing.
  /// O(nodes of the set) at worst: what was done to a part of it is known for a while.
  [[nodiscard]] Set push_bottom(algo::ValueNumber value, Set set) { return at_bottom(2 * value.number(), set); }
  [[nodiscard]] Set pop_bottom(algo::ValueNumber value, Set set) { return at_bottom(2 * value.number() + 1, set); }
  /// The set of the given tops (ascending) over what is below each; kNothing for none.
  [[nodiscard]] Set of_tops(std::span<const Edge> tops);
  /// A set of stacks of the height that nobody will look into: a floor for others. At most one height a structure.
  [[nodiscard]] Set unseen(std::uint32_t height);
  static constexpr std::size_t kMostFloors = 64;
  /// From that value on, values are not of the history: they stand at the bottom of stacks, and say which floor it is.
  void set_floors(algo::ValueNumber first) { first_floor_ = first; }
  [[nodiscard]] bool is_floor(algo::ValueNumber value) const {
    return first_floor_ != kNoValue && value >= first_floor_;
  }
  /// On which floors stacks of the set stand, a bit each. @pre set_floors, before the set was made
  [[nodiscard]] std::uint64_t floors(Set set) const { return nodes_[set].floors; }
  /// Both of one height, or kNothing.
  [[nodiscard]] Set unite(Set a, Set b);
  [[nodiscard]] Set intersect(Set a, Set b);
  /// The set of one of its stacks alone; kNothing of nothing. O(height) where it has more.
  [[nodiscard]] Set one_of(Set set);
  /// One of the stacks, the top last. @pre not kNothing
  [[nodiscard]] std::vector<algo::ValueNumber> any_stack(Set set) const;

  [[nodiscard]] std::size_t bytes() const;
  /// Bytes that the next few operations may take at once because a table grows.
  [[nodiscard]] std::size_t growth() const;
  [[nodiscard]] bool worth_collecting() const { return nodes_.size() > 3 * kept_ + kFewNodes; }
  /// Keeps what the roots reach: mark them all, `collect`, then rename every set that was marked.
  void mark(Set set) {
    if (set == kNothing) return;
    marked_.resize(nodes_.size(), false);
    marked_[set] = true;
  }
  void collect();
  [[nodiscard]] Set renamed(Set set) const { return set == kNothing ? set : renamed_[set]; }

 private:
  struct Node {
    std::uint32_t first;  // into edges_
    std::uint32_t count;
    std::uint32_t height;
    float variety;
    std::uint64_t hash;
    std::uint64_t floors;
  };
  /// Of the index. Most nodes that are not the one sought differ in the hash already, and are not looked at.
  struct Place {
    std::uint32_t hash = 0;
    std::uint32_t after = 0;  // node + 1; 0: free
  };
  /// Two sets that are being combined, as far as their edges have been merged.
  struct Frame {
    Set a, b;
    std::uint32_t at_a, at_b;
    std::size_t made;  // where the result's edges begin in scratch_
  };
  struct Known {
    Set a = kNothing, b = kNothing, result = kNothing;
  };
  static constexpr Set kUnseen = kNothing - 1;
  static constexpr algo::ValueNumber kNoValue = algo::ValueNumber::none();
  static constexpr std::size_t kFewNodes = std::size_t{1} << 13;
  static constexpr std::size_t kFewest = 64;  // places in the index
  // Less than there are sets would not do: a pair that is forgotten while two sets are combined is combined once more
  // for each way that leads to it.
  static constexpr std::size_t kMostCached = std::size_t{1} << 20;

  [[nodiscard]] Set intern(std::span<const Edge> tops, std::uint32_t height);
  [[nodiscard]] std::uint64_t hash(std::span<const Edge> tops) const;
  [[nodiscard]] float variety(std::span<const Edge> tops) const;
  [[nodiscard]] static std::size_t cache_size(std::size_t nodes) {
    return std::min(kMostCached, std::bit_ceil(4 * nodes));
  }
  /// Whether a cache of that size is too small for the sets, or so many more.
  [[nodiscard]] bool wants_larger_cache(std::size_t size, std::size_t more = 0) const {
    return size < kMostCached && size < nodes_.size() + more;
  }
  void rebuild_index(std::size_t capacity);
  /// Tops ascend, and what lies below each is one lower.
  void check_node(Set set) const;
  template <bool uniting>
  [[nodiscard]] Set combine(Set a, Set b);
  [[nodiscard]] Set at_bottom(std::uint32_t change, Set set);

  algo::ValueNumber first_floor_ = kNoValue;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::vector<Place> index_;                             // open addressing by contents
  std::vector<Known> united_, intersected_, at_bottom_;  // lossy
  std::vector<Set> image_;                               // by node, while the bottom is changed
  std::vector<Set> seen_, anew_;
  std::vector<Frame> frames_;
  std::vector<Edge> scratch_;
  std::vector<bool> marked_;
  std::vector<Set> renamed_;
  std::size_t kept_ = 1;
};

}  // namespace linchpin::types

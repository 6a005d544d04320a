// Sets of stacks that stand on floors: what is done at the two ends of a deque, each end for itself, and what goes with
// what.
//
// A content of a deque is cut in two, and each half is a stack whose top is at an end. Under each half stands a number,
// its floor. The contents are all pairs of a stack of the front and a stack of the back on the same floor. So one set
// of stacks for each end says what many products would, and what is alike above two floors is there once. A floor is a
// value that no history has, at the bottom of a stack. Cost: each function O(nodes of the sets). Source: own:
// docs/design/search.md, sets of contents for deques. Tests: floors_test.cpp, deque_sets_test.cpp.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "algo/value_number.hpp"
#include "types/shared/stack_images.hpp"
#include "types/shared/stack_sets.hpp"

namespace linchpin::types::deque {

class Floors {
 public:
  using Half = StackSets::Set;
  using Numbers = std::uint64_t;  ///< a bit each
  static constexpr std::size_t kMost = StackSets::kMostFloors;
  /// By number; kNothing: none.
  using ByFloor = std::array<Half, kMost>;

  /// @param first  from there on, values are not of the history
  Floors(StackSets& halves, algo::ValueNumber first) : halves_(halves), first_(first) { halves_.set_floors(first); }

  /// The floor alone.
  [[nodiscard]] Half alone(std::size_t number) {
    return halves_.push(algo::ValueNumber(first_.number() + static_cast<std::uint32_t>(number)),
                        StackSets::kEmptyStack);
  }
  [[nodiscard]] bool is_floor(algo::ValueNumber value) const { return value >= first_; }
  /// How many values are on the floor.
  [[nodiscard]] std::uint32_t height(Half half) const { return halves_.height(half) - 1; }
  [[nodiscard]] Numbers of(Half half) const { return halves_.floors(half); }

  /// A half without a floor, on this one.
  [[nodiscard]] Half on(Half half, Half floor) { return images_.on_top_of(halves_, half, floor); }
  /// What stands on these floors; kNothing: nothing.
  void keep(std::vector<Half>& halves, Numbers floors);
  /// What stands under values of the halves, by its height above the floor, up to this one; each once, in an order that
  /// the numbers of nodes do not matter to.
  [[nodiscard]] std::vector<std::vector<Half>> by_height(std::span<const Half> halves, std::uint32_t most);
  /// Each with these at its bottom, upside down, instead of its floor.
  void replace(std::vector<Half>& halves, const ByFloor& bottoms);
  /// All stacks of one height from these nodes down to each floor, upside down, each standing on what is given with its
  /// node.
  [[nodiscard]] ByFloor turned(std::span<const std::pair<Half, Half>> nodes);
  /// Each without these nodes, which are of one height, and the floors of their places instead; kNothing: nothing.
  void cut(std::vector<Half>& halves, std::span<const Half> cuts);
  /// What is under the values, the top first; kNothing: they are not there.
  [[nodiscard]] Half under(std::span<const algo::ValueNumber> values, Half half) const;

 private:
  [[nodiscard]] std::size_t number(algo::ValueNumber floor) const { return floor.number() - first_.number(); }

  StackSets& halves_;
  algo::ValueNumber first_;
  StackImages images_;
};

}  // namespace linchpin::types::deque

// The gaps in which a class of equal priorities may be served: those outside the covers of all strictly better classes.
//
// Classes come in the order of their numbers, each with its covers. How the open gaps of a class are known depends on
// how priorities are ordered:
//   total     one set, out of which covers are taken: O(log64 n) a question;
//   plane     classes with two coordinates: for each gap the least height of the covers so far, in a tree. Of the
//             classes with smaller numbers the better ones are those of no greater height, so that a gap is open iff
//             its least height is above the class's own. O(log n) a question and a cover;
//   rows      few classes: for each class the set of gaps that it or a better one covers, as bits. The open gaps of a
//             class are those in no set of its immediate predecessors. O(n / 64) for each of those;
//   stabbing  otherwise: every cover around a gap is looked at. O(log n + covers around the gap) a step.
// Compare: ContainerReference in tests/support looks at every gap and every value. Tests: open_gaps_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algo/bitset.hpp"
#include "algo/lowering_tree.hpp"
#include "base/none.hpp"
#include "types/priority_queue/classes.hpp"

namespace linchpin::types {

class OpenGaps {
 public:
  enum class Method : std::uint8_t { total, plane, rows, stabbing };

  OpenGaps() = default;
  /// @param classes     outlives this
  /// @param count       classes have numbers below
  /// @param gaps        and gaps
  OpenGaps(const PriorityClasses& classes, std::uint32_t count, std::uint32_t gaps)
      : OpenGaps(classes, count, gaps, best_method(classes, count, gaps)) {}
  /// With a method that fits the order; `total` fits total orders only, `plane` points on one sheet of two coordinates.
  OpenGaps(const PriorityClasses& classes, std::uint32_t count, std::uint32_t gaps, Method method);

  /// From now on open is what no class strictly better than `which` covers. Classes are turned to in ascending order.
  void turn_to(std::uint32_t which);
  /// The class turned to covers [first, last]. Those gaps count as covered as soon as all covers of the class are in.
  void cover(std::uint32_t first, std::uint32_t last);
  /// All classes have been turned to: open is what no class covers.
  void turn_to_end();

  /// The least open gap from `gap` on, or kNone.
  [[nodiscard]] std::uint32_t next(std::uint32_t gap) const {
    if (method_ == Method::total || method_ == Method::rows) return open_.next(gap);
    return method_ == Method::plane ? heights_.next_above(gap, height_) : next_stabbing(gap);
  }
  /// The greatest open gap up to `gap`, or kNone.
  [[nodiscard]] std::uint32_t previous(std::uint32_t gap) const {
    if (method_ == Method::total || method_ == Method::rows) return open_.previous(gap);
    return method_ == Method::plane ? heights_.previous_above(gap, height_) : previous_stabbing(gap);
  }

 private:
  struct Cover {
    std::uint32_t first = 0, last = 0, of = 0;
  };

  [[nodiscard]] static Method best_method(const PriorityClasses& classes, std::uint32_t count, std::uint32_t gaps);
  void link_predecessors(std::uint32_t count);
  void keep_row();
  [[nodiscard]] std::uint32_t next_stabbing(std::uint32_t gap) const;
  [[nodiscard]] std::uint32_t previous_stabbing(std::uint32_t gap) const;
  /// The furthest end of the covers around the gap that close it; the gap itself is returned where it is open.
  template <bool kForward>
  [[nodiscard]] std::uint32_t reach(std::uint32_t gap) const;

  const PriorityClasses* classes_ = nullptr;
  std::uint32_t gaps_ = 0;
  Method method_ = Method::total;
  std::uint32_t current_ = kNone;

  algo::Bitset open_;  // total, rows

  algo::LoweringTree heights_;  // plane
  std::int32_t height_ = 0;     // gaps whose least height is above are open

  // rows
  std::vector<std::vector<std::uint32_t>> predecessors_;  // by class: the immediate ones
  std::vector<std::vector<std::uint64_t>> closed_;        // by class: what it or a better class covers
  std::vector<bool> has_successor_;

  // stabbing: a segment tree over gaps, each cover in the lists of the nodes that make it up
  std::vector<Cover> covers_;
  std::vector<std::uint32_t> head_;  // by node: an entry, or kNone
  struct Entry {
    std::uint32_t cover = 0, next = 0;
  };
  std::vector<Entry> entries_;
  std::uint32_t leaves_ = 0;
  bool own_ = false;  // whether the covers of the class turned to count
};

}  // namespace linchpin::types

// The priorities of a priority queue history as classes of equal ones, numbered, and how they compare.
//
// The numbers ascend in a total order that extends the priorities' own: whoever goes first has the smaller number, and
// so may somebody incomparable. For total orders the numbers say it all; for partial ones there is a ClassOrder.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "algo/container.hpp"
#include "history/subhistory.hpp"
#include "types/priority_queue/order.hpp"

namespace linchpin::types {

/// Which of two classes goes first, where that is a partial order. A class is a point: it goes before another that is
/// on the same sheet and no smaller in any coordinate. (Lists of another length lie on another sheet.) A relation is
/// spelled out instead.
class ClassOrder {
 public:
  ClassOrder(const std::vector<Value>& priorities, const PriorityOrder& order, const ValuePool& pool);

  /// @pre `left` has the smaller number
  [[nodiscard]] bool better(std::uint32_t left, std::uint32_t right) const {
    if (!spelled_out_.empty()) return spelled_out_[std::size_t{left} * classes_ + right] != 0;
    if (sheet_[left] != sheet_[right]) return false;
    for (std::uint32_t i = 0; i < coordinates_; ++i) {
      if (point_[std::size_t{left} * coordinates_ + i] > point_[std::size_t{right} * coordinates_ + i]) return false;
    }
    return true;
  }
  /// Whether every class is a point on one sheet of two coordinates: `left` then goes before `right` iff it has the
  /// smaller number and no greater height.
  [[nodiscard]] bool plane() const { return plane_; }
  [[nodiscard]] std::int32_t height(std::uint32_t which) const { return point_[std::size_t{which} * 2 + 1]; }
  /// Whether the numbers say it all after all.
  [[nodiscard]] bool total() const { return total_; }

 private:
  std::size_t classes_;
  std::uint32_t coordinates_ = 0;
  bool plane_ = false, total_ = false;
  std::vector<std::int32_t> point_;  // by class and coordinate: ranks
  std::vector<std::uint32_t> sheet_;
  std::vector<std::uint8_t> spelled_out_;  // of a relation, by two classes
};

struct PriorityClasses {
  algo::ByValue<std::uint32_t> of;          ///< 0 for values that nobody adds
  std::shared_ptr<const ClassOrder> order;  ///< null: the smaller number goes first
  std::vector<std::uint32_t> original;      ///< of a part, by class: the number that `order` knows

  [[nodiscard]] std::uint32_t known(std::uint32_t which) const { return original.empty() ? which : original[which]; }
  /// Whether the class goes strictly before the other.
  [[nodiscard]] bool better(std::uint32_t left, std::uint32_t right) const {
    return left < right && (order == nullptr || order->better(known(left), known(right)));
  }
};

/// The classes of a history; the last argument of an insert is the priority. O(n) for integers in a range that is small
/// for their number, else O(n log n).
[[nodiscard]] PriorityClasses priority_classes(const history::Subhistory& part, const algo::ContainerHistory& history,
                                               const PriorityOrder& order);

/// The classes of a part's values.
[[nodiscard]] PriorityClasses priority_classes(const algo::ContainerPart& part, std::uint32_t values,
                                               const PriorityClasses& whole);

}  // namespace linchpin::types

// A search for queues whose values are counted, in one order of the values.
//
// Where the order in which values pass is fixed, the i-th add and the i-th remove have windows that ascend: an add must
// come before those behind it must, and not before those ahead can. A remove too, and it must come before a value
// behind it is seen at the front. Then values can be forgotten: adds take the count up, removes take it down, the most
// urgent first, which is the next in order. So it is whether a count can pass where it was seen (algo/count_paths.hpp),
// from 0 to the capacity.
//
// Orders are taken that keep to what is certain (narrowed windows are ascending along it): by the sums of window ends.
// A path is a linearization; that there is none proves nothing about other orders. Looks at the front have no part in
// the path, since they only narrow windows; they are put in their places afterwards. Pending removes: not read.
// Cost: that of the paths. Source: docs/design/search.md, section on counts.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "algo/count_paths.hpp"
#include "types/queue/counted.hpp"

namespace linchpin::types::queue {

/// By which ends of the windows the values are put in order.
enum class OrderedBy : std::uint8_t { all, removes };

class FixedOrder {
 public:
  /// @param history  its windows narrowed; no remove is pending
  FixedOrder(const history::Subhistory& part, const CountedHistory& history, OrderedBy by);

  /// The order leaves some value no moment.
  [[nodiscard]] bool impossible() const { return impossible_; }
  /// @pre not impossible
  [[nodiscard]] algo::CountPaths& paths() { return *paths_; }
  [[nodiscard]] const algo::CountPaths& paths() const { return *paths_; }

  /// A linearization, when a path was found.
  [[nodiscard]] std::vector<std::uint32_t> order() const;

 private:
  void make_input();
  [[nodiscard]] std::vector<std::uint32_t> passage() const;

  const history::Subhistory& part_;
  const CountedHistory& history_;
  OrderedBy by_;
  bool impossible_ = false;
  std::vector<std::uint32_t> values_;  // in order: those that are removed, then the others
  algo::CountPathInput input_;
  std::unique_ptr<algo::CountPaths> paths_;
};

}  // namespace linchpin::types::queue

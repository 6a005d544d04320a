// Who shows the order of the appends in a cycle of dependencies: that a transaction appended before another one is in
// no answer of theirs, but in a list that somebody read. Tests: list_append_monitor_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "types/list_append/lists.hpp"
#include "types/list_append/reading.hpp"
#include "types/shared/cycle.hpp"

namespace linchpin::types::list_append {

class Showing {
 public:
  /// O(reads)
  Showing(const Reading& reading, const Lists& lists);

  /// The transactions of the cycle, and the fewest that show together the orders of appends which these do not show,
  /// ascending. Of more than eight such orders each is shown by the longest list. O(edges * (runs and reads of a key)).
  [[nodiscard]] std::vector<std::uint32_t> core_of(const std::vector<dependencies::Edge>& cycle) const;

 private:
  /// Of a key: how much of its longest list shows all orders of appends that the cycle has of it.
  struct Order {
    std::uint32_t key = 0;
    std::size_t least = 0;
  };
  [[nodiscard]] std::vector<Order> orders(const std::vector<dependencies::Edge>& cycle) const;
  [[nodiscard]] bool shown_by(std::uint32_t transaction, const Order& order) const;
  [[nodiscard]] std::vector<std::uint32_t> fewest(const std::vector<Order>& orders) const;

  const Reading& reading_;
  const Lists& lists_;
  std::vector<std::uint32_t> begin_;  // by key: into `reads_`; one more at the end
  std::vector<std::uint32_t> reads_;  // of each key
};

/// The run of the transaction's appends to the key in its longest list, or kBehind.
[[nodiscard]] std::uint32_t run_of(const Lists& lists, std::uint32_t transaction, std::uint32_t key);

inline constexpr std::uint32_t kBehind = 0xfffffffeU;  // appended, and nobody read it

}  // namespace linchpin::types::list_append

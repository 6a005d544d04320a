// An order of transactions that keeps to edges which come and go.
//
// What is always there: real time, through barriers between responses and the calls after them, and from each writer to
// who read what it wrote. Further edges are added one by one; the order is mended where it breaks them (Pearce and
// Kelly, A Dynamic Topological Sort Algorithm, 2007), which looks only at what stands between the ends of the edge.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/budget.hpp"
#include "types/multi_register/reading.hpp"

namespace linchpin::types::multi_register {

/// A step of a path. Nodes are transactions, by local index, then barriers.
struct Link {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t added = kNone;  ///< the edge that was added; kNone: it was always there
};

class Precedence {
 public:
  explicit Precedence(std::uint32_t transactions) : transactions_(transactions), nodes_(transactions) {}

  /// To be built: barriers, edges, and an order that keeps to them; then `settle`.
  std::uint32_t barrier() { return nodes_++; }
  void edge(std::uint32_t from, std::uint32_t to) { fixed_.push_back({from, to}); }
  void place(std::uint32_t node) { order_.push_back(node); }
  void settle();

  [[nodiscard]] std::span<const std::uint32_t> order() const { return order_; }
  [[nodiscard]] std::uint32_t position(std::uint32_t node) const { return position_[node]; }
  [[nodiscard]] bool is_barrier(std::uint32_t node) const { return node >= transactions_; }

  /// Whether a path leads from one to the other, and which. O(what stands between them).
  [[nodiscard]] bool path(std::uint32_t from, std::uint32_t to, std::vector<Link>& out);
  /// Adds an edge and mends the order. @pre no path leads from `to` to `from`
  void add(std::uint32_t from, std::uint32_t to, std::uint32_t number);
  /// Takes the edge away that was added last of those that are there.
  void remove(std::uint32_t from, std::uint32_t to);

  /// How many nodes were looked at so far: what it has cost.
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

 private:
  struct Half {
    std::uint32_t node = 0;
    std::uint32_t added = kNone;
  };
  template <class Visit>
  void for_each_next(std::uint32_t node, Visit&& visit) const;
  template <class Visit>
  void for_each_previous(std::uint32_t node, Visit&& visit) const;
  void look_at(std::uint32_t node) {
    seen_[node] = round_;
    ++steps_;
  }

  std::uint32_t transactions_;
  std::uint32_t nodes_;
  std::vector<Link> fixed_;
  std::vector<std::uint32_t> next_begin_, next_, previous_begin_, previous_;  // of what is always there
  std::vector<std::vector<Half>> added_next_, added_previous_;                // by node
  std::vector<std::uint32_t> order_, position_;
  std::vector<std::uint32_t> seen_;  // by node: in which round
  std::uint32_t round_ = 0;
  std::uint64_t steps_ = 0;
  std::vector<Link> came_;  // by node: how the search got there
  std::vector<std::uint32_t> stack_, behind_, before_, places_;
};

}  // namespace linchpin::types::multi_register

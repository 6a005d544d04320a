// Where the operations of an order took effect, and the states on the way.
#pragma once

#include <span>
#include <vector>

#include "linchpin/explanation.hpp"
#include "linchpin/specification_interface.hpp"

namespace linchpin::explain {

/// A tick for each operation of `order`, within its interval and ascending along the order: the middle of the interval
/// where the others allow it. @pre no operation of `order` happens before one that stands earlier. O(n).
[[nodiscard]] std::vector<Tick> linearization_points(const History& history, std::span<const OperationIndex> order);

/// The order with its points, and its states as far as `options` asks for them. A nondeterministic step is resolved so
/// that the rest succeeds. The states end where an operation is illegal.
[[nodiscard]] Linearization follow(const History& history, std::span<const OperationIndex> order,
                                   const Specification& specification, const ExplainOptions& options);

}  // namespace linchpin::explain

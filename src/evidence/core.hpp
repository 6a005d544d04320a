// Re-checks a core: a slow, exact decision of its own, independent of every decider.
#pragma once

#include <optional>
#include <span>

#include "core/budget.hpp"
#include "linchpin/history.hpp"
#include "linchpin/limits.hpp"
#include "linchpin/specification_interface.hpp"

namespace linchpin::evidence {

/// Whether the given operations of one object, on their own, are linearizable; nothing when the budget, or the cap of
/// `kMostSteps` steps or `kMostMemoBytes` of memo, ends first. A core is confirmed iff this says false.
/// Method: depth-first over (set of executed operations, state) with a memo of whole sets; exponential, meant for
/// cores.
[[nodiscard]] std::optional<bool> linearizable_alone(const History& history, std::span<const OperationIndex> operations,
                                                     const Specification& specification, Ties ties,
                                                     core::Budget& budget);

inline constexpr std::size_t kMostSteps = 20'000'000;
inline constexpr std::size_t kMostMemoBytes = std::size_t{256} << 20;

}  // namespace linchpin::evidence

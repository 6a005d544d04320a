// Re-checks a core: a slow, exact decision of its own, independent of every decider.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/budget.hpp"
#include "linchpin/history.hpp"
#include "linchpin/limits.hpp"
#include "linchpin/specification_interface.hpp"

namespace linchpin::evidence {

inline constexpr std::size_t kMostSteps = 20'000'000;
inline constexpr std::size_t kMostMemoBytes = std::size_t{256} << 20;

/// Whether the given operations of one object, on their own, are linearizable; nothing when the budget, or the cap of
/// `most_steps` steps or `kMostMemoBytes` of memo, ends first. A core is confirmed iff this says false.
/// @param until  of the history after that nothing is known: what had not returned by then need not have happened
/// Method: depth-first over (set of executed operations, state) with a memo of whole sets; exponential, meant for
/// cores.
[[nodiscard]] std::optional<bool> linearizable_alone(const History& history, std::span<const OperationIndex> operations,
                                                     const Specification& specification, Ties ties,
                                                     core::Budget& budget, std::size_t most_steps = kMostSteps,
                                                     Tick until = kPending);

/// The operations of the object that a violation by `core` is about: those of its key, where each operation of the
/// object has a key and those of the core have the same one, else all. If these are linearizable, so that the core
/// proves nothing, the violation is refuted. Nothing where there are more than `most`. O(n).
[[nodiscard]] std::optional<std::vector<OperationIndex>> operations_at_stake(const History& history, ObjectIndex object,
                                                                             const Specification& specification,
                                                                             std::span<const OperationIndex> core,
                                                                             std::size_t most);

}  // namespace linchpin::evidence

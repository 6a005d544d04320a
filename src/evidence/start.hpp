// Re-checks that a core may start in the state that it is said to start in: slow, exact, independent of what found it.
#pragma once

#include <optional>
#include <span>

#include "core/budget.hpp"
#include "linchpin/history.hpp"
#include "linchpin/limits.hpp"
#include "linchpin/specification_interface.hpp"

namespace linchpin::evidence {

/// Whether every linearization of the object's operations (or of those of the core's key alone, where each has a key
/// and the core has one) up to `tick`, itself excluded, is one from which nothing follows that does not follow from the
/// start: the initial state of `from`, with those operations still to take effect that are in the core, and no others
/// that are open. Then the whole is not linearizable if the core is not, from the start on. (What follows from a state
/// also follows if more pure operations took effect, or others whose places those can take that did not: equal ones, or
/// with a lost result, that return later; or if pending ones did not, which then are left out.) Also that the core has
/// every operation called later, up to its last call, but for pure ones. Nothing when the budget, or the cap of
/// `kMostSteps` steps, ends first (evidence/core.hpp). Method: all that can have happened by the tick
/// (configurations.hpp); then whether each is reached from the start by operations of the core that are open at the
/// tick. Exponential in what overlaps. Values in an unknown order are counted (counted_start.hpp).
/// @param core  ascending
[[nodiscard]] std::optional<bool> leads_to(const History& history, ObjectIndex object,
                                           const Specification& specification, Ties ties,
                                           std::span<const OperationIndex> core, Tick tick, const Specification& from,
                                           core::Budget& budget);

/// Of a core that starts at `tick`: the call of the first operation that it lacks and that may change something, which
/// is not known to be irrelevant (of another key, or of a value that is left out). The core is a violation only if it
/// is one without what happened from then on. `kPending`: it lacks none. O(n).
[[nodiscard]] Tick known_until(const History& history, ObjectIndex object, const Specification& specification,
                               std::span<const OperationIndex> core, Tick tick, const Specification& from);

}  // namespace linchpin::evidence

// Linearizes operations on one register of which one value, *absent*, comes any number of times, and every other value
// at most once: a key of a map, whose values are stored and removed.
//
// Values joined by moves form chains as in chains.hpp. A chain starts with a write, or from absent; it ends open, or
// with a move to absent. If some operation of a chain returns before another one is called, the chain is surely there
// in between: its *zone*, in which nothing else takes effect. All others can take effect at one moment. They are, with
// what only removes and what found nothing: a *set* (any value -> some value), an *up* (absent -> some), a *reset* (any
// -> absent), a *zero* (absent -> absent). Only "absent" is ever asked for. So a sweep over the moments does nothing
// until it must: a set costs nothing while something is there, a zero while nothing is. When "absent" is needed, the
// reset that returns first is taken; where there is none, the history is a violation. What only says that something was
// there is left out at first and fitted in afterwards (fit_steps.hpp); where that fails, nothing is known. A reset that
// says so is checked in the order that was found. Precondition: number_chains(initial_returns), no pending move to
// absent. Cost O(n log n). Source: own; proof in docs/design/monitors.md. Compare: chains.hpp (nothing comes twice),
// bits.hpp (no values). Tests: src/types/map/map_removal_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "algo/chains.hpp"
#include "core/decider.hpp"

namespace linchpin::algo {

/// As decide_chains; value 0 of the reading is absent. `finds` by operation (or empty): a write of absent that needs
/// another value to be there. Where the conflict is of no kind that ChainConflict names, the core has all operations.
[[nodiscard]] core::Outcome decide_chains_with_absence(const history::Subhistory& part, ChainReading& reading,
                                                       const std::vector<bool>& finds,
                                                       const std::function<ChainStep(std::uint32_t)>& step_of,
                                                       core::Budget& budget, ChainConflict* conflict = nullptr);

}  // namespace linchpin::algo

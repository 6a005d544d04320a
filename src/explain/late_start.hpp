// A later state to start a core from, so that counters, locks, registers and containers whose values repeat have cores
// of a few operations as well.
//
// In a counter every increment matters to what a later read returns: no operation can be dropped, and a core that
// starts at 0 has hundreds. It needs not start there. Take a moment T and all configurations that are possible then:
// which operations took effect (all that returned, some that are open), and the state. If one of them, c, can go on to
// each of the others by operations that are open at T, then
//   the history is linearizable  iff  what had not taken effect in c is linearizable from the state of c on:
// from left to right, a linearization passes through some configuration at T, c goes on to that one, and from there as
// before; from right to left, c is possible. (An operation that is open at T may follow any other of the core: none
// ended before T.) So the operations open at T and called later are a core, with the state as the type's `initial`.
//
// "The others" may be less: instead of a configuration, one with the same state does in which more pure operations took
// effect, or operations whose places others can take that did not: equal ones, or with a lost result, that return
// later. Configurations are kept just in time: nothing takes effect before a response needs it, so there are few, and
// often one, which then is c. A pure operation takes effect as soon as it can: whatever is possible without it is with
// it. Of the last moments with such a c the one is taken that leaves the fewest operations. Exponential in the
// operations that overlap; steps and budget end it. A decider that goes by few configurations may know such a moment
// itself (core::CertainMoment), which costs nothing. src/evidence/start.hpp checks the claim again, on its own. Tests:
// late_start_test.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/budget.hpp"
#include "core/decider.hpp"
#include "history/subhistory.hpp"
#include "linchpin/specification_interface.hpp"

namespace linchpin::explain {

struct LateStart {
  Tick tick = 0;                              ///< T: between the events before this tick and those at it
  std::vector<std::uint32_t> locals;          ///< the core, ascending: called before `end`
  history::Rank end = 0;                      ///< no order is left at the response before this rank
  std::shared_ptr<const Specification> from;  ///< the part's type, starting in the state
  std::string state;
};

/// Whether a type's states can be named by an option, so that it is worth looking for a start.
[[nodiscard]] bool has_starts(const Specification& specification);

/// A start for the core of a violation; nothing where none is found within about `steps` steps, where too many
/// operations overlap, and where the part is no violation.
[[nodiscard]] std::optional<LateStart> find_late_start(const history::Subhistory& part, std::uint64_t steps,
                                                       core::Budget& budget);

/// The start that a decider found itself. Nothing where no option names its state. O(n).
[[nodiscard]] std::optional<LateStart> late_start_at(const history::Subhistory& part, const core::CertainMoment& moment,
                                                     std::uint32_t blocked);

/// The type of `specification` with the option that starts it in the state described so; null where there is none.
[[nodiscard]] std::shared_ptr<const Specification> starting_in(const Specification& specification,
                                                               const std::string& state, const ValuePool& pool);

}  // namespace linchpin::explain

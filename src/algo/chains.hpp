// Linearizes operations on one register in which every value is produced at most once.
//
// Registers, compare-and-set registers and exchange registers are decided by this. A step writes a value, reads one,
// moves from one value to another (a successful compare-and-set, an exchange), or says that the value was another one.
// Idea. Values joined by moves form a chain that starts at a write or at the initial value; in every linearization the
// operations of a chain are contiguous and their order is forced up to reads of one value. Chain a must precede chain b
// iff some operation of a returns before some operation of b is called; this has a cycle iff two chains precede each
// other, found by a sweep over the events. Steps that say "another value" change nothing: they are left out at first;
// algo/differing_steps.hpp then refutes them, or sorts the chains so that algo/fit_steps.hpp can put them back. Where
// such a step overlaps a write and fits into no order found the question is NP-complete in general: unknown.
// Precondition: number_chains finds nothing in the way. Cost O(n), O(n log n) with steps of the last kind. Exact but
// for what was just said. Source: docs/design/monitors.md. A chain needs all earlier positions compared, not only the
// neighbouring ones. Tests: the monitor tests of the types register, cas-register and rmw.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "algo/value_number.hpp"
#include "base/none.hpp"
#include "core/decider.hpp"

namespace linchpin::algo {

enum class ChainRole : std::uint8_t {
  writes,   ///< to
  moves,    ///< from -> to
  reads,    ///< from
  differs,  ///< the value is defined and is not `from` (none: any defined value)
  free,     ///< anything, also undefined
  ignored,  ///< not there: a pending operation that changes nothing
};

[[nodiscard]] constexpr bool produces(ChainRole role) { return role == ChainRole::writes || role == ChainRole::moves; }
[[nodiscard]] constexpr bool observes(ChainRole role) { return role == ChainRole::reads || role == ChainRole::moves; }

struct ChainStep {
  ChainRole role = ChainRole::ignored;
  Value from = Value::none();
  Value to = Value::none();
};

/// The steps with their values numbered: 0 is the initial one, the others come as they are produced.
struct ChainReading {
  std::vector<ChainRole> role;        // by operation
  std::vector<ValueNumber> from, to;  // by operation; none: there is none, or nobody produces it
  std::uint32_t values = 0;
  Value initial = Value::none();  // none: the register starts undefined
};

/// Fills `reading` and says nothing where every value is produced once and none is the initial value; else what stands
/// in the way. `steps` by local index. With `initial_returns` the initial value may be produced any number of times.
[[nodiscard]] std::string number_chains(const history::Subhistory& part, std::span<const ChainStep> steps,
                                        Value initial, ChainReading& reading, bool initial_returns = false);

/// What a violation comes from, for types that tell it in other words, and show in another way how a value came about.
struct ChainConflict {
  enum class Kind : std::uint8_t {
    other,
    left_twice,    ///< least and greatest both moved from one value
    out_of_order,  ///< in one chain: least returned before greatest was called, and can only come after it
    crossing,      ///< two chains: least returned before other_greatest was called, other_least before greatest was
  };
  Kind kind = Kind::other;
  std::uint32_t least = kNone, greatest = kNone;  ///< operations; kNone: the initial value, there at first
  std::uint32_t other_least = kNone, other_greatest = kNone;
};

/// Uses the reading up. `step_of` gives the steps again, for sentences. Where `conflict` is given, the core of a
/// violation of its last two kinds has only its operations, without those that produced their values.
[[nodiscard]] core::Outcome decide_chains(const history::Subhistory& part, ChainReading& reading,
                                          const std::function<ChainStep(std::uint32_t)>& step_of, bool witness,
                                          ChainConflict* conflict = nullptr);

}  // namespace linchpin::algo

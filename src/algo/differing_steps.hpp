// Decides where steps that say "the value was another one" leave room in an order of chains (algo/chains.hpp).
//
// A failed compare-and-set of v, F(v) for short, changes nothing; it needs one moment at which the value is defined and
// is not v. Given the chains, whose order inside is forced, every write happens between two events: after the greatest
// call of what must come no later, before the least response of what must come no earlier.
//  1. Removal. F(v) is settled, whatever the order of the chains, when at its call v is certainly not written yet, or
//     at its return v is certainly overwritten, by the move that leaves it or by a write that must come after.
//  2. Layers. An F that overlaps no write sees one value, the same as all others between the same writes: such groups
//     are taken in order. Where a chain is certainly there, it is that chain's last value so far. Otherwise it is the
//     final value of some chain of the layer, the chains completed since the group before; any that nothing of its
//     layer must follow can be made the last. Layers are disjoint, so each group chooses for itself.
//  3. What is neither settled nor quiet is left open: with writes that overlap F the question is NP-complete.
// Exact where nothing is left open and no pending write was left out. Cost O(n log n).
// Source: docs/design/monitors.md, with the proof of NP-completeness. Layers replace the heuristics for "false CAS" of
// the thesis on reads, writes and compare-and-set; its value blocks are our chains.
// Tests: src/types/cas_register/cas_register_monitor_test.cpp, tests/cross/monitors_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algo/value_number.hpp"
#include "base/none.hpp"

namespace linchpin::algo {

/// Times are ranks shifted by 2; the initial value is written at time 1.
using ChainTime = std::uint32_t;
inline constexpr ChainTime kNever = 0xffffffffU;

/// When a value was written. Value 0 is the initial one.
struct WrittenValue {
  ChainTime after = 0;                     ///< no earlier than this
  ChainTime before = kNever;               ///< no later than this
  std::uint32_t chain = kNone;             ///< kNone: nobody writes it, or the register starts undefined
  std::uint32_t stage = 0;                 ///< its place in the chain
  ValueNumber next = ValueNumber::none();  ///< that a move from it wrote
};

struct ChainInterval {
  ChainTime least_response = 0, greatest_call = 0;
};

/// F(value), by its call and response. None: a value that is never there.
struct DifferingStep {
  std::uint32_t operation = 0;
  ValueNumber value = ValueNumber::none();
  ChainTime call = 0, response = 0;
};

struct DifferingAnswer {
  enum class Kind : std::uint8_t {
    fits,       ///< in the order of `layer`
    open,       ///< `open` may or may not fit
    undefined,  ///< nothing was written yet: `steps`
    forced,     ///< the value was steps[0]'s: `values`
    excluded,   ///< it was one of `values`, and steps[k] excludes values[k]
  };
  Kind kind = Kind::fits;
  std::uint32_t open = 0;            ///< an operation
  std::vector<std::uint32_t> steps;  ///< operations
  std::vector<ValueNumber> values;
  std::uint32_t chain = kNone;       ///< for `forced`: the chain that was certainly there
  std::vector<std::uint32_t> layer;  ///< by chain: sort by this, and then as before; chosen chains come last
};

/// @param dropped  the least call of a pending write that was left out, kNever where there is none: it could explain
///                 any later failure
[[nodiscard]] DifferingAnswer settle_differing(const ByValue<WrittenValue>& values,
                                               std::span<const ChainInterval> chains,
                                               std::span<const DifferingStep> steps, ChainTime dropped);

}  // namespace linchpin::algo

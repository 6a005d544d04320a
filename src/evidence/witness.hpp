// Re-checks a witness: independent of every decider.
#pragma once

#include <span>
#include <string>

#include "linchpin/check.hpp"
#include "linchpin/history.hpp"
#include "linchpin/specification.hpp"
#include "linchpin/verdict.hpp"

namespace linchpin::evidence {

/// Why `witness` is no linearization of the object's operations; empty when it is one. It is one iff
/// (1) each operation of the object is in `order` once, or is pending and in `omitted`;
/// (2) no operation stands after one that it happens before;
/// (3) the specification, run in that order from its initial state, accepts every operation (a nondeterministic or
///     unknown step may be resolved in any way that lets the rest succeed).
/// Reads ticks, not ranks. O(n) steps of the specification where it is deterministic.
[[nodiscard]] std::string refute_witness(const History& history, ObjectIndex object, const Specification& specification,
                                         const Witness& witness, Ties ties);

}  // namespace linchpin::evidence

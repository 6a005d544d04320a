// Re-checks that a core may start with values in an unknown order: counts them, on its own.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>

#include "linchpin/history.hpp"
#include "linchpin/specification_interface.hpp"

namespace linchpin::evidence {

/// Whether the specification is that of a container whose values are in an unknown order at first (unordered=[1,2]).
[[nodiscard]] bool starts_unordered(const Specification& from);

/// The values that matter to the core, by their bits: those inside at first, and those of its operations. Nothing where
/// one of these tells more than its value (a size, a lost result): then all values do. @pre `starts_unordered(from)`
[[nodiscard]] std::optional<std::set<std::uint64_t>> values_that_matter(const History& history,
                                                                        const Specification& specification,
                                                                        std::span<const OperationIndex> core,
                                                                        const Specification& from);

/// Whether what returned before `tick` put in, of the values of the core, as many more than it took out as `from` holds
/// at first, and the core has what it needs of the rest; then the whole is not linearizable if the core is not, from
/// there on.
///
/// Why: take a linearization of the whole up to the last operation that returned before the tick. What it leaves inside
/// was put in by these, or by operations open at the tick, and so was what open ones took. So from the values that are
/// counted, in the order in which they are left, open ones can put in and take out the same: first all that put in, as
/// nothing that is put in at first has a place, then those that take. From there the linearization goes on. What tells
/// more than the value that it is about (a size, a height, a lost result) may not be open at the tick or have returned,
/// and values may be left out of the core only where nothing in the core would notice.
/// @pre `starts_unordered(from)`
/// @param core  ascending
[[nodiscard]] bool counts_lead_to(const History& history, ObjectIndex object, const Specification& specification,
                                  std::span<const OperationIndex> core, Tick tick, const Specification& from);

}  // namespace linchpin::evidence

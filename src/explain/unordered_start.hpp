// A later start for the cores of queues, stacks and deques whose values repeat, where no one state leads to all others.
//
// With many operations at once it is seldom known in which order values are inside. How often each is inside is: what
// returned put in and took out, value by value. So take a moment T, and begin there with these values in any order:
//   the history is not linearizable  if  what returned later is not, from the values inside at T in any order on.
// For a linearization of the whole leaves them at T in some order, but for what is open there (evidence/
// counted_start.hpp says why that may be put in anew). The converse does not hold: some orders cannot have come about.
//
// Values are left out as well, where nothing tells more than its own: all but the value that could not be placed, all
// but this one and another, or two others; where no one value could not be placed, all but one or two. Of the moments
// the last one is taken from which the rest is refuted; an earlier one knows more, so it is found by halving. Cost:
// some searches of a few hundred operations. Source: own. Tests: unordered_start_test.cpp; evidence/counted_start.hpp
// counts again, on its own.
#pragma once

#include <cstdint>
#include <optional>

#include "core/budget.hpp"
#include "explain/late_start.hpp"
#include "history/subhistory.hpp"

namespace linchpin::explain {

/// Nothing where the type has no such start, where none is found, or where values have no text in an option.
/// @param blocked  the operation at whose response no order is left
[[nodiscard]] std::optional<LateStart> find_unordered_start(const history::Subhistory& part, std::uint32_t blocked,
                                                            core::Budget& budget);

}  // namespace linchpin::explain

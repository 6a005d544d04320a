// Check-PQ-Conc (section 3.2): Check-PQ-Seq with every predicate asked of some linearization; and its non-recursive
// form, which has to accept every projection instead (Lemma 7).
//
// Cost: a predicate for each value and each step; with ByGraphs O(n^4) at worst. Tests: check_pq_test.cpp.
#pragma once

#include <functional>
#include <optional>

#include "research/check_pq/execution.hpp"
#include "research/check_pq/predicates.hpp"

namespace linchpin::research::check_pq {

/// Which predicate a projection must satisfy for some remove or value.
enum class Gamma : std::uint8_t { empty_remove, unmatched_max_priority, matched_max_priority };

/// The first of Has-EmptyRemoves, Has-UnmatchedMaxPriority and Has-MatchedMaxPriority that holds. @pre e is not empty
[[nodiscard]] Gamma which_gamma(const Projection& e);

/// Where the procedure stopped: no remove or value of the projection satisfies the predicate.
struct Stuck {
  Gamma gamma = Gamma::empty_remove;
  Projection projection;
};

/// Nothing where it returns true, that is where the execution is linearizable. `go_on` is asked before each step;
/// where it says no the answer means nothing.
[[nodiscard]] std::optional<Stuck> check_pq_conc(Projection e, const Predicates& predicates,
                                                 const std::function<bool()>& go_on = nullptr);

/// Whether the first step of Check-PQ-Conc can be taken: Check-PQ-Conc-NonRec.
[[nodiscard]] bool check_pq_conc_nonrec(const Projection& e, const Predicates& predicates);

}  // namespace linchpin::research::check_pq

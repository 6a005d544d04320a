// What a few operations on a store of versions exclude by themselves, whatever else was done: one that is impossible,
// two of one revision, two that returned and were called the wrong way round, two that show different things.
//
// Nothing of this needs to know what everything else did. So it refutes also where the monitor does not apply: what
// tells no revision, and leases that were granted twice or before nobody knows what, are left out of account; so are
// compactions, where one of unknown fate may have done what another one is asked for. As a decider of its own it is a
// necessary condition: it refutes, or says nothing.
// Cost O(n log n). Source: own. Compare: monitor.cpp (exact), decide/search. Tests: mvcc_kv_monitor_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/decider.hpp"
#include "types/mvcc_kv/reading.hpp"
#include "types/mvcc_kv/sightings.hpp"
#include "types/mvcc_kv/times.hpp"

namespace linchpin::types::mvcc_kv {

/// The operation as it was recorded.
[[nodiscard]] std::string text(const history::Subhistory& part, std::uint32_t i);
/// A violation by these operations, in any order.
[[nodiscard]] core::Outcome violation(std::vector<std::uint32_t> core, std::optional<std::uint32_t> blocked,
                                      std::string sentence);

/// Adds who granted the leases under which the operations put something: without the grant a put would do nothing,
/// whatever else there is. Ascending. O(n).
void add_grants(const history::Subhistory& part, std::vector<std::uint32_t>& core);

/// What the operations say one by one, or two that cannot both be; nothing where there are none.
[[nodiscard]] std::optional<core::Outcome> contradiction(const history::Subhistory& part, const Reading& reading);
/// The same of their times, and of what they show.
[[nodiscard]] std::optional<core::Outcome> contradiction(const history::Subhistory& part, const Times& times,
                                                         const Sightings& sightings);

[[nodiscard]] core::Applicability may_contradict(const history::Subhistory& part);
[[nodiscard]] core::Outcome refute_by_contradiction(const history::Subhistory& part,
                                                    const core::DeciderOptions& options, core::Budget& budget);

inline constexpr core::Decider kContradictions{
    .name = "mvcc-contradictions",
    .kind = core::Kind::necessary_condition,
    .about = {.types = "mvcc-kv",
              .when = "some answers tell their revisions; refutes, or says nothing",
              .method = "no two answers exclude each other by their revisions and times, or by what they show",
              .cost = "O(n log n)",
              .source = "own: src/types/mvcc_kv/contradictions.hpp"},
    .applicable = may_contradict,
    .at_once = refute_by_contradiction,
};

}  // namespace linchpin::types::mvcc_kv

// The scenarios of an exploration shared out among processes. Each explores every so many-th scenario and tells this
// one what became of it; the answer is that of one process, since it is read off a ledger of scenarios: the finding
// whose scenario comes first counts, and who is beyond it stops. The schedules of one scenario: divide.hpp.
//
// Processes and not threads, since a runtime stands in front of malloc and pthread_create, with one engine a process.
// They are forked before that engine is used; threads of this process are not in them.
#pragma once

#include <functional>

#include "explore/worker.hpp"

namespace linchpin::explorer {

inline constexpr unsigned kMostJobs = 64;

/// What a job does, in a process of its own.
using Job = std::function<Outcome(const Share& share, Listener& listener)>;

/// Runs the jobs to their ends. `listener` hears of all scenarios; `has_all_before` says whether it has heard of each
/// one before a place. Errors: those of the jobs; a job that has ended otherwise than by itself, unless what it left
/// out comes after a finding.
[[nodiscard]] Outcome explore_by_jobs(unsigned jobs, const std::function<bool(Place)>& has_all_before,
                                      Listener& listener, const Job& job);

[[nodiscard]] Error no_shared_memory();

}  // namespace linchpin::explorer

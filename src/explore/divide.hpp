// The schedules of one scenario, shared out among processes: the answer is that of one process.
//
// The schedules of a bound come depth first, which is the order of their choices, compared one by one. Nodes of that
// tree cut it into stretches (Session::nodes); every process finds the same ones, and takes the next stretch that
// nobody has taken. Bounds come one after the other, as by one process: a larger one is begun when all stretches of the
// smaller one are done. What is found in the first stretch, of the smallest bound, is what one process would have
// found; the counts are those of all stretches before it and of that one up to there; histories that several of them
// have seen count once. Cost beside the schedules: some schedules a process and bound, to find the nodes, and each
// history is decided by each process that sees it. Which strategies: bounded, exhaustive, random (by the numbers of its
// schedules). The others learn from each schedule what comes next. Compare: jobs.hpp, which shares out scenarios.
// Tests: tests/explore/divide_test.cpp.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "explore/session.hpp"
#include "explore/worker.hpp"

namespace linchpin::explorer {

/// Whether the schedules of one scenario can be shared out.
[[nodiscard]] bool divisible(const ExploreOptions& options);

/// What became of all schedules of a scenario, up to a finding.
struct Divided {
  std::optional<Error> error;
  Explored explored;
  std::vector<std::string> outcomes;  ///< of threads by hand, sorted
  bool frees = false;                 ///< threads freed memory
  bool late = false;
};

/// A process' own session, ready to explore the scenario; what went wrong on the way there is in the outcome.
using Prepared = std::function<Session*(Outcome& outcome)>;

/// Forks as many processes as the options say. `prepare` is called in each of them, once; `deadline` is of the
/// schedules. No other thread may be running.
[[nodiscard]] Divided explore_divided(const ExploreOptions& options, std::optional<Session::Clock::time_point> deadline,
                                      const Prepared& prepare,
                                      const std::function<void(std::uint64_t schedules)>& progress);

}  // namespace linchpin::explorer

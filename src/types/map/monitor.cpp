// Decides the history of one key of a map in which no value is stored twice.
//
// A key is a register whose initial value is "absent": put writes, a successful cas, replace or put_if_absent moves,
// get reads; algo/chains.hpp orders chains. Precondition: one key (split first), no append, no removal that found
// something (it would store "absent" again). Cost O(n log n).
// Compare: decide/search (any history). Tests: map_monitor_test.cpp.
#include "types/map/monitor.hpp"

#include "algo/chains.hpp"
#include "types/chain_monitor.hpp"
#include "types/map/specification.hpp"
#include "types/map/steps.hpp"

namespace linchpin::types::map {

namespace {

using history::Subhistory;

constexpr ChainMonitor<Map> kChains{.other_type = "not a map",
                                    .applies = "one key, and no value is stored twice",
                                    .initial = [](const Map&) { return kAbsent; },
                                    .obstacle = &more_than_one_key,
                                    .step_of = &step_of};

}  // namespace

core::Applicability applicable(const Subhistory& part) { return kChains.applicable(part); }

std::optional<algo::ValueSteps> steps(const Subhistory& part) { return kChains.steps(part); }

core::Outcome decide(const Subhistory& part, const core::DeciderOptions& options, core::Budget& budget) {
  return kChains.decide(part, options, budget);
}

}  // namespace linchpin::types::map

// The registry of monitors and lifts: each is a file in its type's folder and one row here, cheapest first.
#include <algorithm>
#include <array>

#include "core/decider.hpp"
#include "types/array/monitor.hpp"
#include "types/bag/contents.hpp"
#include "types/bag/lift.hpp"
#include "types/bag/monitor.hpp"
#include "types/cas_register/monitor.hpp"
#include "types/container_counts.hpp"
#include "types/counter/amounts.hpp"
#include "types/counter/contents.hpp"
#include "types/counter/monitor.hpp"
#include "types/deque/lift.hpp"
#include "types/deque/monitor.hpp"
#include "types/deque/pair_search.hpp"
#include "types/deque/set_search.hpp"
#include "types/deque/without_capacity.hpp"
#include "types/deque/work_stealing.hpp"
#include "types/filled_as_container.hpp"
#include "types/juc/as_container.hpp"
#include "types/juc/contents.hpp"
#include "types/juc/element_lives.hpp"
#include "types/juc/unheard.hpp"
#include "types/list_append/lengths.hpp"
#include "types/list_append/lengths_conflicts.hpp"
#include "types/list_append/monitor.hpp"
#include "types/log/contents.hpp"
#include "types/log/monitor.hpp"
#include "types/log/places.hpp"
#include "types/map/append_monitor.hpp"
#include "types/map/monitor.hpp"
#include "types/map/presence.hpp"
#include "types/map/removal_monitor.hpp"
#include "types/multi_register/monitor.hpp"
#include "types/multi_register/values.hpp"
#include "types/multi_register/versions_monitor.hpp"
#include "types/mutex/monitor.hpp"
#include "types/mutex/owner_monitor.hpp"
#include "types/mvcc_kv/contradictions.hpp"
#include "types/mvcc_kv/monitor.hpp"
#include "types/priority_queue/contents.hpp"
#include "types/priority_queue/entries.hpp"
#include "types/priority_queue/lift.hpp"
#include "types/priority_queue/monitor.hpp"
#include "types/queue/counting.hpp"
#include "types/queue/lift.hpp"
#include "types/queue/monitor.hpp"
#include "types/queue/position_search.hpp"
#include "types/queue/repeated_counting.hpp"
#include "types/register/lift.hpp"
#include "types/register/monitor.hpp"
#include "types/regularity.hpp"
#include "types/rmw/monitor.hpp"
#include "types/semaphore/contents.hpp"
#include "types/semaphore/dips.hpp"
#include "types/set/contents.hpp"
#include "types/set/monitor.hpp"
#include "types/stack/lift.hpp"
#include "types/stack/monitor.hpp"
#include "types/stack/set_search.hpp"
#include "types/stream/monitor.hpp"
#include "types/versioned_map/monitor.hpp"

namespace linchpin::core {

namespace {

constexpr std::array kMonitors{
    types::queue::kMonitor,
    types::set::kMonitor,
    types::mutex::kMonitor,
    types::mutex::kOwnerMonitor,
    types::register_::kMonitor,
    types::cas_register::kMonitor,
    types::rmw::kMonitor,
    types::array::kMonitor,
    types::map::kMonitor,
    types::map::kAppendMonitor,
    types::map::kPresenceMonitor,
    types::map::kRemovalMonitor,
    types::counter::kMonitor,
    types::log_::kMonitor,
    types::log_::kPlaces,
    types::log_::kContents,
    types::versioned_map::kMonitor,
    types::stream::kMonitor,
    types::list_append::kMonitor,
    types::list_append::kLengths,
    types::multi_register::kMonitor,
    types::multi_register::kVersionsMonitor,
    types::multi_register::kValues,
    types::mvcc_kv::kMonitor,
    types::kStackMonitor,
    types::deque::kWorkStealing,
    types::deque::kMonitor,
    types::kPriorityQueueMonitor,
    types::bag::kMonitor,
    types::queue::kPositionSearch,
    types::queue::kCounting,
    types::queue::kRepeatedCounting,
    types::kStackSets,
    types::semaphore::kDips,
    types::bag::kContents,
    types::set::kContents,
    types::counter::kPaths,
    types::counter::kAmounts,
    types::counter::kContents,
    types::semaphore::kPaths,
    types::semaphore::kContents,
    types::priority_queue::kContents,
    types::priority_queue::kEntries,
    types::deque::kPairs,
    types::deque::kSets,
    types::juc::kAsContainer,
    types::juc::kContainerSearch,
    types::juc::kContents,
    types::kFilledMonitor,
    types::kFilledSearch,
};

constexpr std::array kNecessaryConditions{
    types::kRegularity,
    types::deque::kWithoutCapacity,
    types::kContainerCounts,
    types::queue::kCounts,
    types::juc::kUnheard,
    types::juc::kElementLives,
    types::juc::kContainerConditions,
    types::mvcc_kv::kContradictions,
    types::list_append::kConflicts,
    types::kFilledConditions,
};

constexpr std::array kLifts{
    types::queue::kLift,     types::kStackLift,   types::kPriorityQueueLift,  types::bag::kLift,
    types::register_::kLift, types::deque::kLift, types::juc::kContainerLift, types::kFilledLift,
};

template <std::size_t count>
constexpr bool all_are(Kind kind, const std::array<Decider, count>& deciders) {
  return std::all_of(deciders.begin(), deciders.end(), [&](const Decider& decider) { return decider.kind == kind; });
}
static_assert(all_are(Kind::monitor, kMonitors) && all_are(Kind::necessary_condition, kNecessaryConditions) &&
              all_are(Kind::lift, kLifts));

}  // namespace

std::span<const Decider> monitors() { return kMonitors; }
std::span<const Decider> necessary_conditions() { return kNecessaryConditions; }
std::span<const Decider> lifts() { return kLifts; }

}  // namespace linchpin::core

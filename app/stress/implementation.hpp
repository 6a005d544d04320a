// Implementations that `linchpin stress` and `linchpin explore` know: one file each family beside this one, one row
// each in registry.cpp. Each is a plan: what makes the container, and its methods. The sources are compiled for both:
// as they are for stress runs, and with LINCHPIN_EXPLORED, and instrumented, for what explores (CMakeLists.txt).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#ifdef LINCHPIN_EXPLORED
#include "linchpin/explore/turn.hpp"
#endif
#include "linchpin/stress.hpp"
#include "stress/node_store.hpp"

namespace linchpin::app {

#ifdef LINCHPIN_EXPLORED
using Plan = explore_plan::Plan;
constexpr bool kExplored = true;
template <class Node>
using Nodes = controls::FewNodes<Node>;
#else
using Plan = stress_plan::Plan;
constexpr bool kExplored = false;
template <class Node>
using Nodes = controls::NodeStore<Node>;
#endif

template <class... Arguments>
Plan plan_of(Arguments&&... arguments) {
  return stress_plan::plan_of<Plan>(std::forward<Arguments>(arguments)...);
}

/// A plan, and what leaves the members' logs of its last round in a directory, after the run. It can be called once.
/// Errors: io.
struct Recorded {
  Plan plan;
  std::function<Result<void>(const std::string& directory)> leave_logs;
};

/// Which of the two commands has it.
enum class Use : std::uint8_t { both, stress, explore };

struct Implementation {
  std::string_view name;     ///< "boost-queue"
  std::string_view type;     ///< "queue"
  std::string_view summary;  ///< whose it is
  std::string_view promise;  ///< what its documentation says about the order of operations
  Result<Plan> (*plan)();    ///< of a server: starts it, which may be an error
  Use use = Use::both;
  /// Explored unless the options say otherwise: without looking for races, where the library shares memory by
  /// `volatile`, as before C++ had atomic objects; and one scenario, where threads wait for each other.
  bool races = true;
  std::string_view scenario = {};
  /// The same for `stress --report`; null: its servers have no logs that are of use.
  Result<Recorded> (*recorded)() = nullptr;
};

/// Those whose packages were there when this was built.
[[nodiscard]] std::span<const Implementation> implementations();

// Each family. Missing packages leave their function out (app/stress/CMakeLists.txt).
Result<Plan> plan_locked_queue();
Result<Plan> plan_locked_stack();
Result<Plan> plan_locked_deque();
Result<Plan> plan_locked_priority_queue();
Result<Plan> plan_locked_set();
Result<Plan> plan_locked_map();
Result<Plan> plan_atomic_counter();
Result<Plan> plan_atomic_register();
Result<Plan> plan_mutex();

Result<Plan> plan_missing_retry();
Result<Plan> plan_aba();
Result<Plan> plan_split_size();
Result<Plan> plan_lost_update();
Result<Plan> plan_early_unlock();
Result<Plan> plan_check_then_act();
Result<Plan> plan_missing_release();
Result<Plan> plan_missing_acquire();
Result<Plan> plan_wrong_fence();
Result<Plan> plan_early_delete();
Result<Plan> plan_aba_of_oldest();
Result<Plan> plan_lost_wakeup();
Result<Plan> plan_lock_order();

Result<Plan> plan_boost_queue();
Result<Plan> plan_boost_stack();

Result<Plan> plan_tbb_queue();
Result<Plan> plan_tbb_bounded_queue();
Result<Plan> plan_tbb_priority_queue();
Result<Plan> plan_tbb_hash_map();
Result<Plan> plan_tbb_unordered_set();

Result<Plan> plan_cds_treiber_stack();
Result<Plan> plan_cds_elimination_stack();
Result<Plan> plan_cds_ms_queue();
Result<Plan> plan_cds_moir_queue();
Result<Plan> plan_cds_basket_queue();
Result<Plan> plan_cds_optimistic_queue();
Result<Plan> plan_cds_rw_queue();
Result<Plan> plan_cds_segmented_queue();
Result<Plan> plan_cds_vyukov_queue();
Result<Plan> plan_cds_ms_priority_queue();
Result<Plan> plan_cds_skip_list_set();
Result<Plan> plan_cds_michael_list_set();
Result<Plan> plan_cds_skip_list_map();

Result<Plan> plan_moodycamel_queue();
Result<Plan> plan_urcu_queue();
Result<Plan> plan_urcu_wfcqueue();
Result<Plan> plan_urcu_stack();
Result<Plan> plan_ck_ring();
Result<Plan> plan_ck_fifo();
Result<Plan> plan_ck_stack();
Result<Plan> plan_cuckoo_map();
Result<Plan> plan_atomic_queue();
Result<Plan> plan_atomic_queue2();

// Servers that the run starts on the loopback interface; an error where the program is not installed.
Result<Plan> plan_redis();
Result<Plan> plan_redis_replica();
Result<Plan> plan_redis_versions();
Result<Plan> plan_redis_lists();
Result<Plan> plan_etcd();
Result<Plan> plan_etcd_serializable();
Result<Plan> plan_etcd_mvcc();
Result<Recorded> record_etcd_mvcc();
Result<Plan> plan_etcd_versions();
Result<Plan> plan_etcd_lists();

}  // namespace linchpin::app

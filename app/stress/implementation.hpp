// Implementations that `linchpin stress` knows: one file each family beside this one, one row each in registry.cpp.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string_view>

#include "linchpin/stress.hpp"

namespace linchpin::app {

struct Implementation {
  std::string_view name;     ///< "boost-queue"
  std::string_view type;     ///< "queue"
  std::string_view summary;  ///< whose it is
  std::string_view promise;  ///< what its documentation says about the order of operations
  StressResult (*run)(const StressOptions& options);
};

/// Those whose packages were there when this was built.
[[nodiscard]] std::span<const Implementation> implementations();

// Each family. Missing packages leave their function out (app/stress/CMakeLists.txt).
StressResult stress_locked_queue(const StressOptions& options);
StressResult stress_locked_stack(const StressOptions& options);
StressResult stress_locked_deque(const StressOptions& options);
StressResult stress_locked_priority_queue(const StressOptions& options);
StressResult stress_locked_set(const StressOptions& options);
StressResult stress_locked_map(const StressOptions& options);
StressResult stress_atomic_counter(const StressOptions& options);
StressResult stress_atomic_register(const StressOptions& options);
StressResult stress_mutex(const StressOptions& options);

StressResult stress_missing_retry(const StressOptions& options);
StressResult stress_aba(const StressOptions& options);
StressResult stress_split_size(const StressOptions& options);
StressResult stress_lost_update(const StressOptions& options);
StressResult stress_early_unlock(const StressOptions& options);
StressResult stress_check_then_act(const StressOptions& options);

StressResult stress_boost_queue(const StressOptions& options);
StressResult stress_boost_stack(const StressOptions& options);

StressResult stress_tbb_queue(const StressOptions& options);
StressResult stress_tbb_bounded_queue(const StressOptions& options);
StressResult stress_tbb_priority_queue(const StressOptions& options);
StressResult stress_tbb_hash_map(const StressOptions& options);
StressResult stress_tbb_unordered_set(const StressOptions& options);

StressResult stress_cds_treiber_stack(const StressOptions& options);
StressResult stress_cds_elimination_stack(const StressOptions& options);
StressResult stress_cds_ms_queue(const StressOptions& options);
StressResult stress_cds_segmented_queue(const StressOptions& options);
StressResult stress_cds_vyukov_queue(const StressOptions& options);
StressResult stress_cds_ms_priority_queue(const StressOptions& options);
StressResult stress_cds_skip_list_set(const StressOptions& options);
StressResult stress_cds_skip_list_map(const StressOptions& options);

StressResult stress_moodycamel_queue(const StressOptions& options);
StressResult stress_urcu_queue(const StressOptions& options);
StressResult stress_urcu_wfcqueue(const StressOptions& options);
StressResult stress_urcu_stack(const StressOptions& options);
StressResult stress_ck_ring(const StressOptions& options);
StressResult stress_ck_fifo(const StressOptions& options);
StressResult stress_ck_stack(const StressOptions& options);
StressResult stress_cuckoo_map(const StressOptions& options);
StressResult stress_atomic_queue(const StressOptions& options);
StressResult stress_atomic_queue2(const StressOptions& options);

// Servers that the run starts on the loopback interface; an error where the program is not installed.
StressResult stress_redis(const StressOptions& options);
StressResult stress_redis_replica(const StressOptions& options);
StressResult stress_etcd(const StressOptions& options);
StressResult stress_etcd_serializable(const StressOptions& options);

/// Nodes that live as long as their container, whoever takes them out: for libraries that leave nodes to their callers.
/// Each thread has its own, so that making one is not a point at which threads meet.
template <class Node>
class NodeStore {
 public:
  Node& make() { return own().emplace_back(); }

 private:
  static constexpr std::size_t kThreads = 64;
  std::deque<Node>& own() {
    static std::atomic<std::size_t> threads = 0;
    static thread_local const std::size_t thread = threads++ % kThreads;
    return nodes_[thread].nodes;
  }
  struct alignas(128) Own {
    std::deque<Node> nodes;
  };
  std::array<Own, kThreads> nodes_;
};

}  // namespace linchpin::app

// Every implementation that `linchpin stress` knows. What a family promises is what its documentation says, shortened.
#include <array>

#include "app/stress/implementation.hpp"

namespace linchpin::app {

namespace {

constexpr std::string_view kLock = "one lock around all";
constexpr std::string_view kPlanted = "a planted bug: must be found";
constexpr std::string_view kFifo = "first in, first out";
constexpr std::string_view kLifo = "last in, first out";
constexpr std::string_view kSafe = "operations may be called concurrently";

constexpr std::array kImplementations{
    Implementation{"locked-queue", "queue", "std::deque under std::mutex", kLock, stress_locked_queue},
    Implementation{"locked-stack", "stack", "std::deque under std::mutex", kLock, stress_locked_stack},
    Implementation{"locked-deque", "deque", "std::deque under std::mutex", kLock, stress_locked_deque},
    Implementation{"locked-priority-queue", "priority-queue", "std::priority_queue under std::mutex", kLock,
                   stress_locked_priority_queue},
    Implementation{"locked-set", "set", "std::set under std::mutex", kLock, stress_locked_set},
    Implementation{"locked-map", "map", "std::map under std::mutex", kLock, stress_locked_map},
    Implementation{"atomic-counter", "counter", "std::atomic", "one total order", stress_atomic_counter},
    Implementation{"atomic-register", "register", "std::atomic", "one total order", stress_atomic_register},
    Implementation{"mutex", "mutex", "std::mutex", "mutual exclusion", stress_mutex},
    Implementation{"planted-missing-retry", "stack", "a push that does not retry", kPlanted, stress_missing_retry},
    Implementation{"planted-aba", "stack", "nodes used again without tags", kPlanted, stress_aba},
    Implementation{"planted-split-size", "queue", "a size counted outside the lock", kPlanted, stress_split_size},
    Implementation{"planted-lost-update", "counter", "load and store apart", kPlanted, stress_lost_update},
    Implementation{"planted-early-unlock", "map", "a lock given up between looking and storing", kPlanted,
                   stress_early_unlock},
    Implementation{"planted-check-then-act", "queue", "a ring for one consumer, used by several", kPlanted,
                   stress_check_then_act},
#ifdef LINCHPIN_STRESS_BOOST
    Implementation{"boost-queue", "queue", "boost::lockfree::queue", kFifo, stress_boost_queue},
    Implementation{"boost-stack", "stack", "boost::lockfree::stack", kLifo, stress_boost_stack},
#endif
    Implementation{"tbb-queue", "queue", "tbb::concurrent_queue", "first in, first out of each thread",
                   stress_tbb_queue},
    Implementation{"tbb-bounded-queue", "queue", "tbb::concurrent_bounded_queue, try_push and try_pop, capacity 8",
                   "first in, first out of each thread", stress_tbb_bounded_queue},
    Implementation{"tbb-priority-queue", "priority-queue", "tbb::concurrent_priority_queue",
                   "the best of those that are there", stress_tbb_priority_queue},
    Implementation{"tbb-hash-map", "map", "tbb::concurrent_hash_map", kSafe, stress_tbb_hash_map},
    Implementation{"tbb-unordered-set", "set", "tbb::concurrent_unordered_set, without erasing", kSafe,
                   stress_tbb_unordered_set},
#ifdef LINCHPIN_STRESS_CDS
    Implementation{"cds-treiber-stack", "stack", "cds::container::TreiberStack", kLifo, stress_cds_treiber_stack},
    Implementation{"cds-elimination-stack", "stack", "cds::container::TreiberStack with elimination", kLifo,
                   stress_cds_elimination_stack},
    Implementation{"cds-ms-queue", "queue", "cds::container::MSQueue", kFifo, stress_cds_ms_queue},
    Implementation{"cds-segmented-queue", "queue", "cds::container::SegmentedQueue, quasi factor 8",
                   "quasi-linearizable: out of order by up to the quasi factor", stress_cds_segmented_queue},
    Implementation{"cds-vyukov-queue", "queue", "cds::container::VyukovMPMCCycleQueue",
                   "bounded; not lock-free in the strict sense", stress_cds_vyukov_queue},
    Implementation{"cds-ms-priority-queue", "priority-queue", "cds::container::MSPriorityQueue",
                   "a heap with fine-grained locks", stress_cds_ms_priority_queue},
    Implementation{"cds-skip-list-set", "set", "cds::container::SkipListSet", kSafe, stress_cds_skip_list_set},
    Implementation{"cds-skip-list-map", "map", "cds::container::SkipListMap", kSafe, stress_cds_skip_list_map},
#endif
#ifdef LINCHPIN_STRESS_MOODYCAMEL
    Implementation{"moodycamel-queue", "queue", "moodycamel::ConcurrentQueue",
                   "not linearizable: only elements of one producer are in order", stress_moodycamel_queue},
#endif
#ifdef LINCHPIN_STRESS_URCU
    Implementation{"urcu-lfqueue", "queue", "liburcu cds_lfq, lock-free under RCU", kFifo, stress_urcu_queue},
    Implementation{"urcu-wfcqueue", "queue", "liburcu cds_wfcq, wait-free enqueue and blocking dequeue", kFifo,
                   stress_urcu_wfcqueue},
    Implementation{"urcu-lfstack", "stack", "liburcu cds_lfs, lock-free under RCU", kLifo, stress_urcu_stack},
#endif
#ifdef LINCHPIN_STRESS_CK
    Implementation{"ck-ring", "queue", "Concurrency Kit ck_ring, mpmc", "a bounded ring", stress_ck_ring},
    Implementation{"ck-fifo", "queue", "Concurrency Kit ck_fifo_mpmc", kFifo, stress_ck_fifo},
    Implementation{"ck-stack", "stack", "Concurrency Kit ck_stack, upmc", kLifo, stress_ck_stack},
#endif
#ifdef LINCHPIN_STRESS_CUCKOO
    Implementation{"cuckoo-map", "map", "libcuckoo::cuckoohash_map", kSafe, stress_cuckoo_map},
#endif
#ifdef LINCHPIN_STRESS_ATOMIC_QUEUE
    Implementation{"atomic-queue", "queue", "atomic_queue::AtomicQueue, try_push and try_pop",
                   "total order of push and pop only, not of their try_ forms", stress_atomic_queue},
    Implementation{"atomic-queue2", "queue", "atomic_queue::AtomicQueue2, try_push and try_pop",
                   "total order of push and pop only, not of their try_ forms", stress_atomic_queue2},
#endif
    Implementation{"redis", "register", "redis-server: SET and GET on one server",
                   "one thread carries out all commands", stress_redis},
    Implementation{"redis-replica", "register", "redis-server: SET on the primary, GET on a replica",
                   "replication is asynchronous: reads may be stale", stress_redis_replica},
    Implementation{"etcd", "register", "etcd, three members: put, and range through another member", "linearizable",
                   stress_etcd},
    Implementation{"etcd-serializable", "register", "the same with serializable reads",
                   "serializable reads may be stale", stress_etcd_serializable},
};

}  // namespace

std::span<const Implementation> implementations() { return kImplementations; }

}  // namespace linchpin::app

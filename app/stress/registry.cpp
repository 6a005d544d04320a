// Every implementation that `linchpin stress` and `linchpin explore` know. What a family promises is what its
// documentation says, shortened.
#include <array>

#include "app/stress/implementation.hpp"

namespace linchpin::app {

namespace {

constexpr std::string_view kLock = "one lock around all";
constexpr std::string_view kPlanted = "a planted bug: must be found";
constexpr std::string_view kFifo = "first in, first out";
constexpr std::string_view kLifo = "last in, first out";
constexpr std::string_view kStrict = "strictly serializable";
constexpr std::string_view kSafe = "operations may be called concurrently";

constexpr std::array kImplementations{
    Implementation{"locked-queue", "queue", "std::deque under std::mutex", kLock, plan_locked_queue},
    Implementation{"locked-stack", "stack", "std::deque under std::mutex", kLock, plan_locked_stack},
    Implementation{"locked-deque", "deque", "std::deque under std::mutex", kLock, plan_locked_deque},
    Implementation{"locked-priority-queue", "priority-queue", "std::priority_queue under std::mutex", kLock,
                   plan_locked_priority_queue},
    Implementation{"locked-set", "set", "std::set under std::mutex", kLock, plan_locked_set},
    Implementation{"locked-map", "map", "std::map under std::mutex", kLock, plan_locked_map},
    Implementation{"atomic-counter", "counter", "std::atomic", "one total order", plan_atomic_counter},
    Implementation{"atomic-register", "register", "std::atomic", "one total order", plan_atomic_register},
    Implementation{"mutex", "mutex", "std::mutex", "mutual exclusion", plan_mutex},
    Implementation{"planted-missing-retry", "stack", "a push that does not retry", kPlanted, plan_missing_retry},
    Implementation{"planted-aba", "stack", "nodes used again without tags", kPlanted, plan_aba},
    Implementation{"planted-split-size", "queue", "a size counted outside the lock", kPlanted, plan_split_size},
    Implementation{"planted-lost-update", "counter", "load and store apart", kPlanted, plan_lost_update},
    Implementation{"planted-early-unlock", "map", "a lock given up between looking and storing", kPlanted,
                   plan_early_unlock},
    Implementation{"planted-check-then-act", "queue", "a ring for one consumer, used by several", kPlanted,
                   plan_check_then_act},
    Implementation{"planted-missing-release", "stack", "a push that publishes with a relaxed order", kPlanted,
                   plan_missing_release, Use::explore},
    Implementation{"planted-missing-acquire", "stack", "a pop that looks with a relaxed order", kPlanted,
                   plan_missing_acquire, Use::explore},
    Implementation{"planted-wrong-fence", "queue", "an acquire fence where a release fence belongs", kPlanted,
                   plan_wrong_fence, Use::explore},
    Implementation{"planted-early-delete", "stack", "nodes deleted while others may look at them", kPlanted,
                   plan_early_delete, Use::explore},
    Implementation{"planted-aba-of-oldest", "stack", "nodes used again without tags, oldest first, capacity 2",
                   kPlanted, plan_aba_of_oldest, Use::explore},
    Implementation{"planted-lost-wakeup", "queue", "a waiting dequeue, woken only when the queue was empty", kPlanted,
                   plan_lost_wakeup, Use::explore, true, "enqueue 1, enqueue 2 | dequeue | dequeue"},
    Implementation{"planted-lock-order", "register", "two locks, taken in two orders", kPlanted, plan_lock_order,
                   Use::explore},
#ifdef LINCHPIN_STRESS_BOOST
    Implementation{"boost-queue", "queue", "boost::lockfree::queue", kFifo, plan_boost_queue},
    Implementation{"boost-stack", "stack", "boost::lockfree::stack", kLifo, plan_boost_stack},
#endif
    Implementation{"tbb-queue", "queue", "tbb::concurrent_queue", "first in, first out of each thread", plan_tbb_queue},
    Implementation{"tbb-bounded-queue", "queue", "tbb::concurrent_bounded_queue, try_push and try_pop, capacity 8",
                   "first in, first out of each thread", plan_tbb_bounded_queue},
    Implementation{"tbb-priority-queue", "priority-queue", "tbb::concurrent_priority_queue",
                   "the best of those that are there", plan_tbb_priority_queue},
    Implementation{"tbb-hash-map", "map", "tbb::concurrent_hash_map", kSafe, plan_tbb_hash_map},
    Implementation{"tbb-unordered-set", "set", "tbb::concurrent_unordered_set, without erasing", kSafe,
                   plan_tbb_unordered_set},
#ifdef LINCHPIN_STRESS_CDS
    Implementation{"cds-treiber-stack", "stack", "cds::container::TreiberStack", kLifo, plan_cds_treiber_stack},
    Implementation{"cds-elimination-stack", "stack", "cds::container::TreiberStack with elimination", kLifo,
                   plan_cds_elimination_stack},
    Implementation{"cds-ms-queue", "queue", "cds::container::MSQueue", kFifo, plan_cds_ms_queue},
    Implementation{"cds-moir-queue", "queue", "cds::container::MoirQueue", kFifo, plan_cds_moir_queue},
    Implementation{"cds-basket-queue", "queue", "cds::container::BasketQueue", kFifo, plan_cds_basket_queue},
    Implementation{"cds-optimistic-queue", "queue", "cds::container::OptimisticQueue", kFifo,
                   plan_cds_optimistic_queue},
    Implementation{"cds-rw-queue", "queue", "cds::container::RWQueue, a lock at each end", kFifo, plan_cds_rw_queue},
    Implementation{"cds-segmented-queue", "queue", "cds::container::SegmentedQueue, quasi factor 8",
                   "quasi-linearizable: out of order by up to the quasi factor", plan_cds_segmented_queue},
    Implementation{"cds-vyukov-queue", "queue", "cds::container::VyukovMPMCCycleQueue",
                   "bounded; not lock-free in the strict sense", plan_cds_vyukov_queue},
    Implementation{"cds-ms-priority-queue", "priority-queue", "cds::container::MSPriorityQueue",
                   "a heap with fine-grained locks", plan_cds_ms_priority_queue},
    Implementation{"cds-skip-list-set", "set", "cds::container::SkipListSet", kSafe, plan_cds_skip_list_set},
    Implementation{"cds-michael-list-set", "set", "cds::container::MichaelList", kSafe, plan_cds_michael_list_set},
    Implementation{"cds-skip-list-map", "map", "cds::container::SkipListMap", kSafe, plan_cds_skip_list_map},
#endif
#ifdef LINCHPIN_STRESS_MOODYCAMEL
    Implementation{"moodycamel-queue", "queue", "moodycamel::ConcurrentQueue",
                   "not linearizable: only elements of one producer are in order", plan_moodycamel_queue},
#endif
#ifdef LINCHPIN_STRESS_URCU
    Implementation{"urcu-lfqueue", "queue", "liburcu cds_lfq, lock-free under RCU", kFifo, plan_urcu_queue, Use::both,
                   false},
    Implementation{"urcu-wfcqueue", "queue", "liburcu cds_wfcq, wait-free enqueue and blocking dequeue", kFifo,
                   plan_urcu_wfcqueue, Use::both, false},
    Implementation{"urcu-lfstack", "stack", "liburcu cds_lfs, lock-free under RCU", kLifo, plan_urcu_stack, Use::both,
                   false},
#endif
#ifdef LINCHPIN_STRESS_CK
    Implementation{"ck-ring", "queue", "Concurrency Kit ck_ring, mpmc", "a bounded ring", plan_ck_ring, Use::both,
                   false},
    Implementation{"ck-fifo", "queue", "Concurrency Kit ck_fifo_mpmc", kFifo, plan_ck_fifo, Use::both, false},
    Implementation{"ck-stack", "stack", "Concurrency Kit ck_stack, upmc", kLifo, plan_ck_stack, Use::both, false},
#endif
#ifdef LINCHPIN_STRESS_CUCKOO
    Implementation{"cuckoo-map", "map", "libcuckoo::cuckoohash_map", kSafe, plan_cuckoo_map},
#endif
#ifdef LINCHPIN_STRESS_ATOMIC_QUEUE
    Implementation{"atomic-queue", "queue", "atomic_queue::AtomicQueue, try_push and try_pop",
                   "total order of push and pop only, not of their try_ forms", plan_atomic_queue},
    Implementation{"atomic-queue2", "queue", "atomic_queue::AtomicQueue2, try_push and try_pop",
                   "total order of push and pop only, not of their try_ forms", plan_atomic_queue2},
#endif
#ifndef LINCHPIN_EXPLORED
    Implementation{"redis", "register", "redis-server: SET and GET on one server",
                   "one thread carries out all commands", plan_redis, Use::stress},
    Implementation{"redis-replica", "register", "redis-server: SET on the primary, GET on a replica",
                   "replication is asynchronous: reads may be stale", plan_redis_replica, Use::stress},
    Implementation{"redis-versions", "versioned-map", "puts that name a version, over WATCH; the server is stopped",
                   "one thread carries out all commands", plan_redis_versions, Use::stress},
    Implementation{"redis-lists", "list-append", "transactions over MULTI that append to lists; the server is stopped",
                   "one thread carries out all commands", plan_redis_lists, Use::stress},
    Implementation{"etcd", "register", "etcd, three members: put, and range through another member", "linearizable",
                   plan_etcd, Use::stress},
    Implementation{"etcd-serializable", "register", "the same with serializable reads",
                   "serializable reads may be stale", plan_etcd_serializable, Use::stress},
    Implementation{"etcd-mvcc",
                   "mvcc-kv",
                   "etcd with its revisions; members are stopped and restarted",
                   kStrict,
                   plan_etcd_mvcc,
                   Use::stress,
                   true,
                   {},
                   record_etcd_mvcc},
    Implementation{"etcd-versions", "versioned-map", "puts that name a version; members as above", kStrict,
                   plan_etcd_versions, Use::stress},
    Implementation{"etcd-lists", "list-append", "transactions that append to lists; members as above", kStrict,
                   plan_etcd_lists, Use::stress},
#endif
};

}  // namespace

std::span<const Implementation> implementations() { return kImplementations; }

}  // namespace linchpin::app

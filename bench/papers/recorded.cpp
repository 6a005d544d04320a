#include "papers/recorded.hpp"

#include <tbb/concurrent_priority_queue.h>
#include <tbb/concurrent_queue.h>

#include <array>
#include <atomic>

#include "papers/producer_consumer.hpp"
#include "papers/segmented.hpp"
#include "stress/locked.hpp"
#if __has_include(<boost/lockfree/queue.hpp>)
#include <boost/lockfree/queue.hpp>
#include <boost/lockfree/stack.hpp>
#define LINCHPIN_PAPERS_BOOST
#endif
#ifdef LINCHPIN_PAPERS_CDS
#include "papers/recorded_cds.hpp"
#endif

namespace linchpin::papers {

namespace {

struct LockedQueue : private controls::LockedDeque {
  void add(std::int64_t value) { push_back(value); }
  std::optional<std::int64_t> remove() { return pop_front(); }
  std::optional<std::int64_t> peek() { return front(); }
};

struct LockedStack : private controls::LockedDeque {
  void add(std::int64_t value) { push_back(value); }
  std::optional<std::int64_t> remove() { return pop_back(); }
  std::optional<std::int64_t> peek() { return back(); }
};

struct LockedHeap : private controls::LockedHeap {
  void add(std::int64_t value) { push(value); }
  std::optional<std::int64_t> remove() { return pop(); }
  std::optional<std::int64_t> peek() { return top(); }
};

struct LockedSet : private controls::LockedSet {
  bool add(std::int64_t key) { return insert(key); }
  bool remove(std::int64_t key) { return erase(key); }
  using controls::LockedSet::contains;
};

/// As many slots a segment as there are containers below.
using FifoQueueOfSegments = Segmented<Takes::oldest, 4>;
using StackOfSegments = Segmented<Takes::newest, 4>;

/// Several containers, of which each call takes one at random.
template <class Object, std::size_t parts = 4>
class Relaxed {
 public:
  auto add(std::int64_t value) { return next().add(value); }
  auto remove() requires Container<Object> { return next().remove(); }
  auto peek() requires Peekable<Object> { return next().peek(); }
  auto remove(std::int64_t key) requires KeySet<Object> { return next().remove(key); }
  auto contains(std::int64_t key) requires KeySet<Object> { return next().contains(key); }

 private:
  Object& next() { return parts_[generate::Random(calls_.fetch_add(1, std::memory_order_relaxed)).below(parts)]; }
  std::atomic<std::size_t> calls_ = 0;
  std::array<Object, parts> parts_;
};

class TbbQueue {
 public:
  void add(std::int64_t value) { queue_.push(value); }
  std::optional<std::int64_t> remove() {
    std::int64_t value = 0;
    return queue_.try_pop(value) ? std::optional(value) : std::nullopt;
  }

 private:
  tbb::concurrent_queue<std::int64_t> queue_;
};

class TbbHeap {
 public:
  void add(std::int64_t value) { heap_.push(value); }
  std::optional<std::int64_t> remove() {
    std::int64_t value = 0;
    return heap_.try_pop(value) ? std::optional(value) : std::nullopt;
  }

 private:
  tbb::concurrent_priority_queue<std::int64_t, std::greater<>> heap_;
};

#ifdef LINCHPIN_PAPERS_BOOST
template <class Lockfree>
class BoostContainer {
 public:
  void add(std::int64_t value) { container_.push(value); }
  std::optional<std::int64_t> remove() {
    std::int64_t value = 0;
    return container_.pop(value) ? std::optional(value) : std::nullopt;
  }

 private:
  Lockfree container_{4096};
};
using BoostQueue = BoostContainer<boost::lockfree::queue<std::int64_t>>;
using BoostStack = BoostContainer<boost::lockfree::stack<std::int64_t>>;
#endif

template <class Object, const char* type>
constexpr RecordedContainer row(std::string_view name, bool linearizable = true) {
  return {type, name, linearizable, KeySet<Object> || Peekable<Object>, &record_container<Object, type>};
}

template <Takes takes, const char* type, std::size_t... slots>
std::vector<SegmentedContainer> with_slots() {
  return {{slots, &record_container<Segmented<takes, slots>, type>}...};
}

}  // namespace

std::vector<SegmentedContainer> segmented_containers(std::string_view type) {
  return type == "queue" ? with_slots<Takes::oldest, kQueue, 2, 4, 16, 64>()
                         : with_slots<Takes::newest, kStack, 2, 4, 16, 64>();
}

std::vector<RecordedContainer> recorded_containers(std::string_view type) {
  std::vector<RecordedContainer> all{
#ifdef LINCHPIN_PAPERS_BOOST
      row<BoostQueue, kQueue>("Michael-Scott queue (Boost.Lockfree)"),
      row<BoostStack, kStack>("Treiber stack (Boost.Lockfree)"),
#endif
      row<TbbQueue, kQueue>("concurrent_queue (oneTBB)"),
      row<TbbHeap, kHeap>("concurrent_priority_queue (oneTBB)"),
      row<LockedQueue, kQueue>("std::deque under a mutex"),
      row<LockedStack, kStack>("std::deque under a mutex"),
      row<LockedHeap, kHeap>("std::priority_queue under a mutex"),
      row<LockedSet, kSet>("std::set under a mutex"),
      row<FifoQueueOfSegments, kQueue>("k-FIFO queue, k = 4", false),
      row<StackOfSegments, kStack>("k-stack, k = 4", false),
      row<Relaxed<LockedQueue>, kQueue>("one of four queues at random", false),
      row<Relaxed<LockedStack>, kStack>("one of four stacks at random", false),
      row<Relaxed<LockedHeap>, kHeap>("one of four heaps at random", false),
      row<Relaxed<LockedSet>, kSet>("one of four sets at random", false),
  };
#ifdef LINCHPIN_PAPERS_CDS
  all.push_back({kQueue, "SegmentedQueue, quasi factor 8 (libcds)", false, false, &record_segmented_queue});
#endif
  std::erase_if(all, [&](const RecordedContainer& container) { return container.type != type; });
  return all;
}

}  // namespace linchpin::papers

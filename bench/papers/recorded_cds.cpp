#include "papers/recorded_cds.hpp"

#include "app/stress/cds.hpp"

#include <cds/container/ellen_bintree_set_hp.h>
#include <cds/container/lazy_list_hp.h>
#include <cds/container/michael_list_hp.h>
#include <cds/container/michael_set.h>
#include <cds/container/segmented_queue.h>
#include <cds/container/skip_list_set_hp.h>
#include <cds/container/split_list_set.h>
#include <cds/container/striped_set.h>
#include <cds/container/striped_set/std_set.h>

#include "papers/producer_consumer.hpp"
#include "papers/random_calls.hpp"

namespace linchpin::papers {

namespace {

namespace container = cds::container;
using Collector = cds::gc::HP;
using Less = std::less<std::int64_t>;

class SegmentedQueue {
 public:
  SegmentedQueue() {
    app::attach_to_cds();
    queue_ = std::make_unique<Queue>(8);
  }
  void add(std::int64_t value) {
    app::attach_to_cds();
    queue_->push(value);
  }
  std::optional<std::int64_t> remove() {
    app::attach_to_cds();
    std::int64_t value = 0;
    return queue_->pop(value) ? std::optional(value) : std::nullopt;
  }

 private:
  using Queue = container::SegmentedQueue<Collector, std::int64_t>;
  std::unique_ptr<Queue> queue_;
};

/// Any set of libcds, each thread attached before it calls.
template <class Set>
class CdsSet {
 public:
  CdsSet() {
    app::attach_to_cds();
    if constexpr (std::is_constructible_v<Set, std::size_t, std::size_t>) {
      set_ = std::make_unique<Set>(16, 1);  // expected keys, load
    } else {
      set_ = std::make_unique<Set>();
    }
  }
  bool add(std::int64_t key) {
    app::attach_to_cds();
    return set_->insert(key);
  }
  bool contains(std::int64_t key) {
    app::attach_to_cds();
    return set_->contains(key);
  }
  bool remove(std::int64_t key) {
    app::attach_to_cds();
    return set_->erase(key);
  }

 private:
  std::unique_ptr<Set> set_;
};

struct MichaelTraits : container::michael_list::traits {
  using less = Less;  // NOLINT(readability-identifier-naming)
};
using MichaelList = container::MichaelList<Collector, std::int64_t, MichaelTraits>;

struct LazyTraits : container::lazy_list::traits {
  using less = Less;  // NOLINT(readability-identifier-naming)
};
using LazyList = container::LazyList<Collector, std::int64_t, LazyTraits>;

struct HashTraits : container::michael_set::traits {
  using hash = std::hash<std::int64_t>;  // NOLINT(readability-identifier-naming)
};
using MichaelHashSet = container::MichaelHashSet<Collector, MichaelList, HashTraits>;

struct SkipTraits : container::skip_list::traits {
  using less = Less;  // NOLINT(readability-identifier-naming)
};
using SkipListSet = container::SkipListSet<Collector, std::int64_t, SkipTraits>;

struct SplitTraits : container::split_list::traits {
  using ordered_list = container::michael_list_tag;               // NOLINT(readability-identifier-naming)
  using hash = std::hash<std::int64_t>;                           // NOLINT(readability-identifier-naming)
  struct ordered_list_traits : container::michael_list::traits {  // NOLINT(readability-identifier-naming)
    using less = Less;                                            // NOLINT(readability-identifier-naming)
  };
};
using SplitListSet = container::SplitListSet<Collector, std::int64_t, SplitTraits>;

struct KeyOf {
  void operator()(std::int64_t& key, const std::int64_t& value) const { key = value; }
};
struct TreeTraits : container::ellen_bintree::traits {
  using less = Less;            // NOLINT(readability-identifier-naming)
  using key_extractor = KeyOf;  // NOLINT(readability-identifier-naming)
};
using EllenTree = container::EllenBinTreeSet<Collector, std::int64_t, std::int64_t, TreeTraits>;

using StripedSet =
    container::StripedSet<std::set<std::int64_t>, cds::opt::hash<std::hash<std::int64_t>>, cds::opt::less<Less>>;

}  // namespace

Result<History> record_segmented_queue(const Workload& workload) {
  return record_container<SegmentedQueue, kQueue>(workload);
}

std::vector<RecordedSet> recorded_cds_sets() {
  return {
      {"LazyList (libcds)", "LLL", true, &record_set<CdsSet<LazyList>>, &record_set<CheckedFirst<CdsSet<LazyList>>>},
      {"MichaelList (libcds)", "LFLL", true, &record_set<CdsSet<MichaelList>>,
       &record_set<CheckedFirst<CdsSet<MichaelList>>>},
      {"MichaelHashSet (libcds)", "", true, &record_set<CdsSet<MichaelHashSet>>,
       &record_set<CheckedFirst<CdsSet<MichaelHashSet>>>},
      {"SplitListSet (libcds)", "", true, &record_set<CdsSet<SplitListSet>>,
       &record_set<CheckedFirst<CdsSet<SplitListSet>>>},
      {"StripedSet (libcds)", "FGL", true, &record_set<CdsSet<StripedSet>>,
       &record_set<CheckedFirst<CdsSet<StripedSet>>>},
      {"EllenBinTreeSet (libcds)", "", true, &record_set<CdsSet<EllenTree>>,
       &record_set<CheckedFirst<CdsSet<EllenTree>>>},
      {"SkipListSet (libcds)", "LFSL", false, &record_set<CdsSet<SkipListSet>>,
       &record_set<CheckedFirst<CdsSet<SkipListSet>>>},
  };
}

}  // namespace linchpin::papers

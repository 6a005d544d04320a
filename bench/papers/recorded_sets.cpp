#include "papers/recorded_sets.hpp"

#include <tbb/concurrent_hash_map.h>
#include <tbb/concurrent_unordered_set.h>

#include <array>
#include <mutex>
#include <random>
#include <set>

#include "papers/random_calls.hpp"
#ifdef LINCHPIN_PAPERS_CDS
#include "papers/recorded_cds.hpp"
#endif

namespace linchpin::papers {

namespace {

class TbbUnorderedSet {
 public:
  bool add(std::int64_t key) { return set_.insert(key).second; }
  bool contains(std::int64_t key) { return set_.find(key) != set_.end(); }

 private:
  tbb::concurrent_unordered_set<std::int64_t> set_;
};

class TbbHashMap {
 public:
  bool add(std::int64_t key) { return map_.insert({key, true}); }
  bool contains(std::int64_t key) { return map_.count(key) == 1; }
  bool remove(std::int64_t key) { return map_.erase(key); }

 private:
  tbb::concurrent_hash_map<std::int64_t, bool> map_;
};

class MutexSet {
 public:
  bool add(std::int64_t key) {
    const std::lock_guard lock(mutex_);
    return set_.insert(key).second;
  }
  bool contains(std::int64_t key) {
    const std::lock_guard lock(mutex_);
    return set_.contains(key);
  }
  bool remove(std::int64_t key) {
    const std::lock_guard lock(mutex_);
    return set_.erase(key) == 1;
  }

 private:
  std::mutex mutex_;
  std::set<std::int64_t> set_;
};

/// One of four sets at random for each call: a violation as soon as a key is looked for in another one.
class OneOfFour {
 public:
  bool add(std::int64_t key) { return any().add(key); }
  bool contains(std::int64_t key) { return any().contains(key); }
  bool remove(std::int64_t key) { return any().remove(key); }

 private:
  MutexSet& any() {
    thread_local std::mt19937 random(std::random_device{}());
    return sets_[random() % sets_.size()];
  }
  std::array<MutexSet, 4> sets_;
};

}  // namespace

std::vector<RecordedSet> recorded_sets() {
  std::vector<RecordedSet> all{
      {"concurrent_unordered_set (oneTBB)", "TBB", true, &record_set<TbbUnorderedSet>,
       &record_set<CheckedFirst<TbbUnorderedSet>>},
      {"concurrent_hash_map (oneTBB)", "TBB", true, &record_set<TbbHashMap>, &record_set<CheckedFirst<TbbHashMap>>},
      {"std::set under a mutex", "", true, &record_set<MutexSet>, &record_set<CheckedFirst<MutexSet>>},
      {"one of four sets at random", "LFSLF1", false, &record_set<OneOfFour>},
  };
#ifdef LINCHPIN_PAPERS_CDS
  const std::vector<RecordedSet> more = recorded_cds_sets();
  all.insert(all.end(), more.begin(), more.end());
#endif
  return all;
}

}  // namespace linchpin::papers

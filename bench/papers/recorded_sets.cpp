#include "papers/recorded_sets.hpp"

#include <tbb/concurrent_hash_map.h>
#include <tbb/concurrent_unordered_set.h>

#include <mutex>
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

}  // namespace

std::vector<RecordedSet> recorded_sets() {
  std::vector<RecordedSet> all{
      {"concurrent_unordered_set (oneTBB)", "TBB", true, &record_set<TbbUnorderedSet>},
      {"concurrent_hash_map (oneTBB)", "TBB", true, &record_set<TbbHashMap>},
      {"std::set under a mutex", "", true, &record_set<MutexSet>},
  };
#ifdef LINCHPIN_PAPERS_CDS
  const std::vector<RecordedSet> more = recorded_cds_sets();
  all.insert(all.end(), more.begin(), more.end());
#endif
  return all;
}

}  // namespace linchpin::papers

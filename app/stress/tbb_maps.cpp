// The hash tables of oneTBB.
#include <tbb/concurrent_hash_map.h>
#include <tbb/concurrent_unordered_set.h>

#include "app/stress/implementation.hpp"

namespace linchpin::app {

namespace {

class HashMap {
 public:
  void put(std::int64_t key, std::int64_t value) {
    Table::accessor place;
    table_.insert(place, key);
    place->second = value;
  }
  bool insert(std::int64_t key, std::int64_t value) { return table_.insert({key, value}); }
  std::optional<std::int64_t> get(std::int64_t key) {
    Table::const_accessor place;
    return table_.find(place, key) ? std::optional(place->second) : std::nullopt;
  }
  bool erase(std::int64_t key) { return table_.erase(key); }

 private:
  using Table = tbb::concurrent_hash_map<std::int64_t, std::int64_t>;
  Table table_;
};

/// Erasing is not safe beside other operations.
class UnorderedSet {
 public:
  bool insert(std::int64_t key) { return set_.insert(key).second; }
  bool contains(std::int64_t key) { return set_.contains(key); }

 private:
  tbb::concurrent_unordered_set<std::int64_t> set_;
};

}  // namespace

Result<Plan> plan_tbb_hash_map() {
  return plan_of(as::map, [] { return std::make_unique<HashMap>(); });
}
Result<Plan> plan_tbb_unordered_set() {
  return plan_of(as::set, [] { return std::make_unique<UnorderedSet>(); });
}

}  // namespace linchpin::app

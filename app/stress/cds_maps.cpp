// A set and a map of libcds.
#include "app/stress/cds.hpp"

#include <cds/container/skip_list_map_hp.h>
#include <cds/container/skip_list_set_hp.h>

#include "app/stress/implementation.hpp"

namespace linchpin::app {

namespace {

struct Ascending : cds::container::skip_list::traits {
  using less = std::less<std::int64_t>;  // NOLINT(readability-identifier-naming)
};

class SkipListSet {
 public:
  SkipListSet() {
    attach_to_cds();
    set_ = std::make_unique<Set>();
  }
  bool insert(std::int64_t key) {
    attach_to_cds();
    return set_->insert(key);
  }
  bool erase(std::int64_t key) {
    attach_to_cds();
    return set_->erase(key);
  }
  bool contains(std::int64_t key) {
    attach_to_cds();
    return set_->contains(key);
  }

 private:
  using Set = cds::container::SkipListSet<cds::gc::HP, std::int64_t, Ascending>;
  std::unique_ptr<Set> set_;
};

class SkipListMap {
 public:
  SkipListMap() {
    attach_to_cds();
    map_ = std::make_unique<Map>();
  }
  bool insert(std::int64_t key, std::int64_t value) {
    attach_to_cds();
    return map_->insert(key, value);
  }
  std::optional<std::int64_t> get(std::int64_t key) {
    attach_to_cds();
    std::optional<std::int64_t> value;
    map_->find(key, [&](auto& item) { value = item.second; });
    return value;
  }
  bool erase(std::int64_t key) {
    attach_to_cds();
    return map_->erase(key);
  }

 private:
  using Map = cds::container::SkipListMap<cds::gc::HP, std::int64_t, std::int64_t, Ascending>;
  std::unique_ptr<Map> map_;
};

}  // namespace

StressResult stress_cds_skip_list_set(const StressOptions& options) {
  return stress(
      as::set, [] { return std::make_unique<SkipListSet>(); }, options);
}
StressResult stress_cds_skip_list_map(const StressOptions& options) {
  return stress(
      as::map, [] { return std::make_unique<SkipListMap>(); }, options);
}

}  // namespace linchpin::app

// Sets and a map of libcds.
#include "app/stress/cds.hpp"

#include <cds/container/michael_list_hp.h>
#include <cds/container/skip_list_map_hp.h>
#include <cds/container/skip_list_set_hp.h>

#include "app/stress/implementation.hpp"

namespace linchpin::app {

namespace {

#ifdef LINCHPIN_EXPLORED
/// Towers of two levels and of one in turn: the library's own heights come from the clock, and of up to 32 levels all
/// are searched. It wants at least five.
class Heights {
 public:
  static constexpr unsigned c_nUpperBound = 5;  // NOLINT(readability-identifier-naming): the library's name
  unsigned operator()() { return (made_.fetch_add(1, std::memory_order_relaxed) + 1) % 2; }

 private:
  std::atomic<unsigned> made_ = 0;
};
#else
using Heights = cds::container::skip_list::traits::random_level_generator;
#endif

struct Ascending : cds::container::skip_list::traits {
  // NOLINTBEGIN(readability-identifier-naming)
  using less = std::less<std::int64_t>;
  using random_level_generator = Heights;
  // NOLINTEND(readability-identifier-naming)
};

struct AscendingList : cds::container::michael_list::traits {
  using less = std::less<std::int64_t>;  // NOLINT(readability-identifier-naming)
};

/// `Set` with each thread attached before it calls.
template <class Set>
class AttachedSet {
 public:
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
  [[no_unique_address]] Collection<Set> collection_;
  std::unique_ptr<Set> set_ = std::make_unique<Set>();
};

using SkipListSet = cds::container::SkipListSet<cds::gc::HP, std::int64_t, Ascending>;
using MichaelList = cds::container::MichaelList<cds::gc::HP, std::int64_t, AscendingList>;

class SkipListMap {
 public:
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
  [[no_unique_address]] Collection<Map> collection_;
  std::unique_ptr<Map> map_ = std::make_unique<Map>();
};

}  // namespace

Result<Plan> plan_cds_skip_list_set() {
  return plan_of(as::set, [] { return std::make_unique<AttachedSet<SkipListSet>>(); });
}
Result<Plan> plan_cds_michael_list_set() {
  return plan_of(as::set, [] { return std::make_unique<AttachedSet<MichaelList>>(); });
}
Result<Plan> plan_cds_skip_list_map() {
  return plan_of(as::map, [] { return std::make_unique<SkipListMap>(); });
}

}  // namespace linchpin::app

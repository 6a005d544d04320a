// libcuckoo.
#include <libcuckoo/cuckoohash_map.hh>

#include "app/stress/implementation.hpp"

namespace linchpin::app {

Result<Plan> plan_cuckoo_map() {
  using Map = libcuckoo::cuckoohash_map<std::int64_t, std::int64_t>;
  static constexpr std::size_t kSize = kExplored ? 8 : libcuckoo::DEFAULT_SIZE;
  return plan_of(as::map, [] { return std::make_unique<Map>(kSize); });
}

}  // namespace linchpin::app

// libcuckoo.
#include <libcuckoo/cuckoohash_map.hh>

#include "app/stress/implementation.hpp"

namespace linchpin::app {

StressResult stress_cuckoo_map(const StressOptions& options) {
  return stress(
      as::map, [] { return std::make_unique<libcuckoo::cuckoohash_map<std::int64_t, std::int64_t>>(); }, options);
}

}  // namespace linchpin::app

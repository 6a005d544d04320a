// A request of a report with all that is known of it.
#pragma once

#include <cstdint>

#include "formats/etcd_robustness/request.hpp"
#include "linchpin/history.hpp"

namespace linchpin::formats::etcd_robustness {

struct Row {
  std::int64_t client = 0;
  Request request;
  Response response;
  Tick call = 0, returned = 0;
  Place place;
  bool watched = false;  ///< a watch told that it was executed, at the revision of its result
  bool expiry = false;   ///< the end of a lease of which no client was told: a revoke that is the store's own
};

}  // namespace linchpin::formats::etcd_robustness

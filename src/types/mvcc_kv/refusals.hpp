// Requests that were refused for a lease: a grant of one that was there, a put under one that was not, or its revoke.
//
// They change nothing, so what is refuted without them is refuted. They only need a moment at which the lease was
// there, or was not: some have none for sure, and the others are put into an order of the rest, each where it first
// fits. An order in which one of them fits nowhere says nothing. Tests: mvcc_kv_monitor_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "types/mvcc_kv/reading.hpp"

namespace linchpin::types::mvcc_kv {

/// A request that was refused although it could not be, with what shows that.
struct Unrefusable {
  std::uint32_t operation = 0;
  std::vector<std::uint32_t> shown_by;
  std::string why;
};

/// The first one. O(n log n), and nothing where none was refused.
[[nodiscard]] std::optional<Unrefusable> find_unrefusable(const history::Subhistory& part, const Reading& reading);

/// The order with the refused requests in it; empty where one of them fits nowhere. O(n log n).
[[nodiscard]] std::vector<std::uint32_t> with_refused(const history::Subhistory& part, const Reading& reading,
                                                      std::vector<std::uint32_t> order);

}  // namespace linchpin::types::mvcc_kv

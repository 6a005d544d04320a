// The order of all requests that took effect, from a way through the revisions. Tests: mvcc_kv_monitor_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "types/mvcc_kv/layers.hpp"

namespace linchpin::types::mvcc_kv {

/// Empty where there is none, which is a defect.
[[nodiscard]] std::vector<std::uint32_t> order_of(const history::Subhistory& part, const Reading& reading,
                                                  std::span<const WayStep> way);
/// Of what made the revisions before `end` and looked at them, without compactions; empty as above.
[[nodiscard]] std::vector<std::uint32_t> order_up_to(const history::Subhistory& part, const Reading& reading,
                                                     std::span<const WayStep> way, std::int64_t end);

}  // namespace linchpin::types::mvcc_kv

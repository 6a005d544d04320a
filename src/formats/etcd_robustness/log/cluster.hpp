// What the members of a cluster have in common: the entries that are committed, and those behind that most members
// have. Tested in log_test.cpp.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "formats/etcd_robustness/log/member.hpp"
#include "linchpin/error.hpp"

namespace linchpin::formats::etcd_robustness::log {

struct ClusterLog {
  std::vector<Entry> entries;  ///< ascending by index; some may be missing, also at the beginning
  /// So many of them are committed by what members say of themselves. Those behind are on more than half of the members
  /// in the end: if anything was committed at their index, it is they.
  std::size_t sure = 0;
  bool restored = false;  ///< by what a member says, the store was not empty before the first request
};

/// Errors: syntax: two members have committed different entries at one index. Linear.
[[nodiscard]] Result<ClusterLog> join(std::span<const MemberLog> members);

}  // namespace linchpin::formats::etcd_robustness::log

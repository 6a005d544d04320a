#include "formats/etcd_robustness/log/cluster.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace linchpin::formats::etcd_robustness::log {

namespace {

constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();

/// The least index that is still to come in what the members have up to `ends`; kNone: there is none.
std::uint64_t next_index(std::span<const MemberLog> members, const std::vector<std::size_t>& at,
                         const std::vector<std::size_t>& ends) {
  std::uint64_t least = kNone;
  for (std::size_t m = 0; m < members.size(); ++m) {
    if (at[m] < ends[m]) least = std::min(least, members[m].entries[at[m]].index);
  }
  return least;
}

/// The entry of the next index that more than half of the members have; null: there is none.
const Entry* common_entry(std::span<const MemberLog> members, const std::vector<std::size_t>& at, std::uint64_t index) {
  for (std::size_t m = 0; m < members.size(); ++m) {
    if (at[m] == members[m].entries.size()) continue;
    const Entry& entry = members[m].entries[at[m]];
    if (entry.index != index) continue;
    std::size_t have = 0;
    for (std::size_t other = 0; other < members.size(); ++other) {
      if (at[other] < members[other].entries.size() && members[other].entries[at[other]] == entry) ++have;
    }
    if (2 * have > members.size()) return &entry;
  }
  return nullptr;
}

}  // namespace

Result<ClusterLog> join(std::span<const MemberLog> members) {
  ClusterLog log;
  std::vector<std::size_t> at(members.size()), ends;
  for (const MemberLog& member : members) {
    ends.push_back(member.committed());
    log.restored = log.restored || member.restored;
  }
  for (std::uint64_t index = next_index(members, at, ends); index != kNone; index = next_index(members, at, ends)) {
    const MemberLog* first = nullptr;
    for (std::size_t m = 0; m < members.size(); ++m) {
      if (at[m] == ends[m] || members[m].entries[at[m]].index != index) continue;
      const Entry& entry = members[m].entries[at[m]++];
      if (first == nullptr) {
        first = &members[m];
        log.entries.push_back(entry);
      } else if (entry != log.entries.back()) {
        return Error{
            .code = ErrorCode::syntax,
            .source = members[m].name,
            .message = fmt::format("the entry {} is committed here, and another one in {}", index, first->name),
            .hint =
                "are these the logs of one cluster, all of the same run? If so, the members disagree for good, "
                "which no client needs to have seen: remove their directories to check what clients saw"};
      }
    }
  }
  log.sure = log.entries.size();
  const std::uint64_t last = log.entries.empty() ? 0 : log.entries.back().index;
  for (std::size_t m = 0; m < members.size(); ++m) {
    const auto& entries = members[m].entries;
    at[m] = static_cast<std::size_t>(
        std::upper_bound(entries.begin(), entries.end(), last,
                         [](std::uint64_t index, const Entry& entry) { return index < entry.index; }) -
        entries.begin());
  }
  for (std::uint64_t index = last + 1;; ++index) {
    const Entry* const entry = common_entry(members, at, index);
    if (entry == nullptr) break;
    log.entries.push_back(*entry);
    for (std::size_t m = 0; m < members.size(); ++m) {
      if (at[m] < members[m].entries.size() && members[m].entries[at[m]].index == index) ++at[m];
    }
  }
  return log;
}

}  // namespace linchpin::formats::etcd_robustness::log

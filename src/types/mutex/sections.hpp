// Reads the operations on a lock with owners as sections: an acquire, and the release of the same process that ends it.
//
// A process runs one operation at a time, so its k-th acquire goes with its k-th release. Where it returns and calls
// again at one tick, the two are concurrent; then the order of those that do the same is still given, and that is all
// the pairing needs. Whether a try_acquire whose result was lost took the lock is told by what the process does next: a
// release proves that it did, another acquire or an is_held that says no that it did not.
//
// Sections come one after the other. Of two that are both done, that one is first whose release could be called before
// the other's acquire returned. This holds in one direction only, the order of the acquires' returns, unless a release
// is called before its acquire returns: both at one tick. Such short sections come before the other one that starts at
// this tick, and among themselves by their releases' returns, the last holder being the one that may hold on longest.
// `place` counts this order. Proof: docs/design/monitors.md.
//
// Cost O(n), O(n log n) where all is at one tick. Tests: owner_monitor_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/none.hpp"
#include "history/subhistory.hpp"

namespace linchpin::types::mutex {

enum class SectionRole : std::uint8_t {
  acquires,           ///< surely, at some time
  releases,           ///< what its process acquired before; where that is pending, or it is, perhaps not
  may_acquire,        ///< pending: then nobody acquires after it, for its process calls nothing any more
  fails_or_acquires,  ///< a try_acquire whose result was lost and of which nothing else tells: nobody either
  sees_held,
  sees_free,
  free,     ///< takes effect whatever the lock is
  ignored,  ///< not there: a pending operation that only looks
};

struct Sections {
  std::vector<SectionRole> role;       // by operation
  std::vector<std::uint32_t> partner;  // of an acquire its release, and the other way round; or kNone
  std::vector<history::Rank> place;    // of those that surely acquire
  bool unsure = false;                 ///< some operation fails or acquires
  bool owners = true;                  ///< false: no operation names its process; then nothing else is read
};

/// Empty, or why the operations cannot be read as sections.
[[nodiscard]] std::string read_sections(const history::Subhistory& part, Sections& sections);

}  // namespace linchpin::types::mutex

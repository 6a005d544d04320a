// When requests may have acted, where their places in the line of revisions are known. Tests: mvcc_kv_monitor_test.cpp.
//
// A gap is the moment after the call of a rank. Everything acts as early as it can: an event or a look at the latest
// call of those before it in the line. So only what must come before something else has a bound: `until`, which is its
// response, or earlier where a compaction has to wait for it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/none.hpp"
#include "types/mvcc_kv/reading.hpp"

namespace linchpin::types::mvcc_kv {

/// A rank, and who is the reason for it.
struct Bound {
  history::Rank rank = 0;
  std::uint32_t by = kNone;
};

struct Times {
  std::vector<Bound> before;  ///< by revision: the latest call of what comes before its event
  std::vector<Bound> behind;  ///< by revision: the first `until` of its event and of all behind; one more at the end
  Bound end;                  ///< the latest call of all that has a place
  std::vector<Bound> until;   ///< by operation
  std::vector<Bound> compaction_until;  ///< by index of `compactions`

  /// Two operations whose places and times contradict each other: the first returned before the second was called.
  struct Clash {
    std::uint32_t returned = 0, called = 0;
  };
  std::optional<Clash> clash;
};

/// O(n log n).
[[nodiscard]] Times find_times(const history::Subhistory& part, const Reading& reading);

/// The first of `compactions` that compacted to `revision` or more; its size: none.
[[nodiscard]] std::size_t first_compaction(const Reading& reading, std::int64_t revision);

}  // namespace linchpin::types::mvcc_kv

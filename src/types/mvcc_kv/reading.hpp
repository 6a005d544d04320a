// The places of requests in the line of revisions, as their answers tell them: which is the event of a revision, which
// looked at the store between two events, and which may be anywhere. Tests: mvcc_kv_monitor_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/none.hpp"
#include "history/subhistory.hpp"

namespace linchpin::types::mvcc_kv {

/// An operation and the revision that it is about.
struct At {
  std::int64_t revision = 0;
  std::uint32_t operation = 0;
};

struct Reading {
  /// Why the history cannot be read so; empty: it can. If not, what is told of the others is true all the same: just
  /// those are not among them that stand in the way.
  std::string obstacle;
  std::string assumption;  ///< why a way that was found is one, and that none was found says nothing; empty: it does

  std::int64_t last = 1;                           ///< the last revision that is known to have been made
  std::vector<std::uint32_t> event;                ///< by revision: who made it; kNone: nobody told
  std::vector<std::vector<std::uint32_t>> looks;   ///< by revision: who looked at the store as it was then, by call
  std::vector<std::vector<std::uint32_t>> either;  ///< by revision: who made it or looked at it, by call
  std::vector<At> old;                             ///< ranges at an old revision, ascending by it
  std::vector<At> compactions;                     ///< that succeeded, ascending by what they compacted to
  std::vector<At> too_late;   ///< that found their revision compacted; `revision`: to which it must have been at least
  std::vector<At> too_early;  ///< that found their revision not made yet
  std::vector<std::uint32_t> free;         ///< legal anywhere
  std::vector<std::uint32_t> refused;      ///< for a lease, by call: they have no place in the line (refusals.hpp)
  std::vector<std::uint32_t> lost;         ///< pending, and may have made a revision; by call
  std::vector<std::uint32_t> lost_answer;  ///< returned without a revision, and may have made one; by call

  /// By operation: it put something under leases, and these were there for sure, so what it put was put.
  std::vector<bool> leases_are_there;

  /// One that is legal in no state, and why.
  std::optional<std::pair<std::uint32_t, std::string>> impossible;
  /// Two that cannot both be, and why.
  struct Clash {
    std::uint32_t first = 0, second = 0;
    std::string why;
  };
  std::optional<Clash> clash;

  [[nodiscard]] std::size_t index(std::int64_t revision) const { return static_cast<std::size_t>(revision); }
  /// Whether nobody is known to have made the revision.
  [[nodiscard]] bool missing(std::int64_t revision) const { return event[index(revision)] == kNone; }
};

/// O(n log n). @pre the part is of a store of versions
[[nodiscard]] Reading read(const history::Subhistory& part);

}  // namespace linchpin::types::mvcc_kv

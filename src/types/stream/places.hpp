// The places of a stream's operations: what is known of each, and the marks, the tails that were told.
// Tests: stream_monitor_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "history/subhistory.hpp"

namespace linchpin::types::stream {

/// An operation that has a place: it looks at `tail`, or is the append that starts there.
struct Placed {
  std::uint64_t tail = 0;
  bool appends = false;
  std::uint32_t operation = 0;
};

struct Places {
  std::string obstacle;             ///< why the history cannot be read so; empty: it can
  std::vector<Placed> known;        ///< by tail, looks before the append, looks by call
  std::vector<std::uint32_t> free;  ///< what failed: legal anywhere
  std::vector<std::uint32_t> lost;  ///< pending appends without a position to match, by call
  std::vector<std::pair<std::uint64_t, std::uint32_t>> lost_at;  ///< those with one, by it and then by call
  std::vector<history::Rank> latest_call;                        ///< by index of `known`: of those before it
  std::vector<std::uint32_t> latest_caller;                      ///< whose call that is
  std::vector<history::Rank> first_return;                       ///< by index of `known`: of those from it on
  std::vector<std::uint32_t> first_returner;

  std::optional<std::uint32_t> impossible;                          ///< legal in no state
  std::optional<std::pair<std::uint32_t, std::uint32_t>> together;  ///< two appends that start at one place
};

/// O(n log n). @pre the part is of a stream
[[nodiscard]] Places read_places(const history::Subhistory& part);

}  // namespace linchpin::types::stream

// Counting refutes: that no number of values fits what was said about it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "types/queue/counted.hpp"

namespace linchpin::types::queue {

/// What cannot be, in words where there are some that people understand.
struct Miscount {
  std::string sentence = {};
  std::uint32_t test = kNone;  ///< the one operation whose number never fits, where it is one
};

/// Something that no order of the operations fits; nothing where counting finds none, which proves nothing.
/// Narrows the windows of `history`. O(n).
[[nodiscard]] std::optional<Miscount> find_miscount(const history::Subhistory& part, CountedHistory& history);

/// How many adds and removes there are in any linearization, by gap: the least at its start, the greatest at its end.
struct CountLimits {
  std::vector<std::int32_t> least_adds, most_adds, least_removes, most_removes;
};
/// Nothing where counting refutes the history. O(n).
[[nodiscard]] std::optional<CountLimits> count_limits(const history::Subhistory& part, const CountedHistory& history);

}  // namespace linchpin::types::queue

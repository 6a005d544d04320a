// A queue's history seen as what is added, what is removed, and what is said about the front and about the number of
// values: what decides queues with a capacity, and queues whose size is told.
//
// Everything that tells a number is a test of the number of values there: `enqueue -> false` says that it is the
// capacity, `dequeue -> nil` that it is 0, `is_empty -> false` that it is 1 at least. No value is added twice.
//
// Moments are ranks of events, signed, and some beyond the last. An operation takes effect in one of the gaps from
// call + 1 to response, where gap g lies between the events g - 1 and g.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "history/subhistory.hpp"
#include "linchpin/act.hpp"
#include "types/queue/values.hpp"

namespace linchpin::types::queue {

using Moment = std::int32_t;
[[nodiscard]] constexpr Moment moment_of(Rank rank) { return static_cast<Moment>(rank.number()); }
/// @pre an event's, or the end
[[nodiscard]] constexpr Rank rank_of(Moment moment) { return Rank(static_cast<std::uint32_t>(moment)); }

struct CountRange {
  std::int64_t least = 0;
  std::int64_t most = 0;
  [[nodiscard]] bool holds(std::int64_t count) const { return least <= count && count <= most; }
};

/// When a value can enter and leave, by all its operations.
struct CountedValue {
  std::uint32_t add = kNone;
  std::uint32_t remove = kNone;
  Moment enters_after = -1;  ///< call of the add
  Moment enters_by = 0;      ///< least response of its operations
  Moment leaves_after = 0;   ///< greatest call of its remove and looks; `never` where nothing removes it
  Moment leaves_by = 0;      ///< response of its remove; `late` where nothing removes it
  Moment front_by = 0;       ///< least response of its remove and looks
  bool looked_at = false;
};

struct CountedHistory {
  static constexpr std::int64_t kNoCapacity = std::int64_t{1} << 40;

  std::string obstacle;     ///< why it cannot be read so; empty: it could
  bool other_type = false;  ///< the obstacle is the type
  bool repeats = false;     ///< the only obstacle is a value that is enqueued twice: what follows but `values` is read
  bool broken = false;      ///< a value is removed twice, or was never added
  bool counts = false;      ///< there is a capacity, or a test of a number other than 0
  std::int64_t capacity = kNoCapacity;
  std::vector<ActKind> act;        ///< by operation: add, take, look, count; free: legal everywhere, or not needed
  std::vector<ValueNumber> value;  ///< by operation: added, removed or seen; none: there is none, or it is not known
  std::vector<CountRange> range;   ///< by operation, for `count`
  algo::ByValue<CountedValue> values;
  std::vector<std::uint32_t> unfinished;  ///< pending removes of whatever is at the front, by call
  Moment end = 0;                         ///< the number of events

  [[nodiscard]] Moment never() const { return end + 1; }
  [[nodiscard]] Moment late() const { return end + 2; }
  /// A value that nothing removes, but a pending remove may: leaves by then.
  [[nodiscard]] Moment perhaps() const { return end + 3; }
  [[nodiscard]] bool looked() const;
};

/// Reads a queue's history so, or says what stands in the way.
[[nodiscard]] CountedHistory read_counted(const history::Subhistory& part);

/// Reads a queue's history in which values may repeat, where it is known which of equal values each operation means: by
/// a linearization of the history without the tests of a number. Each enqueue has a value of its own then, and pending
/// removes have the values that they take there, or do nothing. Sets `alike` to a number for each value, equal for
/// equal ones, and `order` to the values in the order of that linearization, those that are not in it last.
[[nodiscard]] CountedHistory read_named(const history::Subhistory& part,
                                        const std::vector<std::uint32_t>& linearization,
                                        algo::ByValue<std::uint32_t>& alike, std::vector<ValueNumber>& order);

/// Fills in when values can enter and leave, from `act` and `value`.
void find_windows(const history::Subhistory& part, CountedHistory& history);

/// Narrows the windows by the order of values that is certain: who leaves first entered first. O(n) a round, a few
/// rounds. False: a value has no moment left, so the history is not linearizable.
[[nodiscard]] bool narrow_windows(CountedHistory& history);

}  // namespace linchpin::types::queue

// A queue's history seen value by value: what the monitor and the witness builder work on.
//
// Notation: for a value v with operations H(v) (its enqueue, dequeue and peeks) and F(v) (without the enqueue):
//   X = rank of the enqueue's call           Y = least rank of a response in H(v)
//   M = greatest rank of a call in H(v)      m = least rank of a response in F(v)
// A value that is never dequeued leaves at the end: M = `end`, and m = end + 1 unless it was peeked.
#pragma once

#include <cstdint>
#include <vector>

#include "algo/value_number.hpp"
#include "base/none.hpp"
#include "history/subhistory.hpp"

namespace linchpin::types::queue {

using algo::ValueNumber;
using history::Rank;
using history::Subhistory;

struct ValueRanks {
  Rank enqueue_call = 0;               // X
  Rank first_response = Rank::none();  // Y
  Rank first_seen = Rank::none();      // m
  Rank last_call = 0;                  // M
  std::uint32_t enqueue = kNone;
  std::uint32_t dequeue = kNone;

  /// Certainly at the front at some time: seen there before the last operation on it was called.
  [[nodiscard]] bool certainly_front() const { return first_seen < last_call; }
};

struct Values {
  const Subhistory* part = nullptr;
  Rank end = 0;                           ///< greater than every rank
  std::vector<ValueNumber> value_of;      ///< by operation; none: there is none, or it was dropped
  algo::ByValue<ValueRanks> ranks;        ///< enqueue is kNone where the value was dropped
  std::vector<ValueNumber> left;          ///< values never dequeued
  std::vector<std::uint32_t> unfinished;  ///< pending dequeues, by call
  std::size_t empties = 0;                ///< operations that found the queue empty
  std::size_t peeks = 0;                  ///< completed ones that saw a value
};

/// An operation that returned "empty", and the gap (the moment after the event of that rank) at which it may act.
struct PlacedEmpty {
  Rank gap = 0;
  std::uint32_t operation = 0;
};

/// An order in which the values pass through the queue, those that stay as far as others' relations to them demand.
/// @pre the criterion holds, but for operations that found the queue empty. O(n).
[[nodiscard]] std::vector<ValueNumber> find_passage(const Values& values);

/// The operations in an order that is a linearization, from the order of the values and the moments of the empties.
[[nodiscard]] std::vector<std::uint32_t> linearize(const Values& values, std::vector<ValueNumber> order,
                                                   const std::vector<PlacedEmpty>& empties);

}  // namespace linchpin::types::queue

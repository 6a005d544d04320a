// Why a history with unique values is not that of a queue: the values that exclude each other, and the sentence about
// them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "core/decider.hpp"
#include "types/queue/values.hpp"

namespace linchpin::types::queue {

/// A violation as the check finds it: values, and an empty result where one takes part.
struct Conflict {
  std::vector<ValueNumber> values;
  std::vector<std::uint32_t> operations;  // besides those of the values
  std::string sentence;
};

[[nodiscard]] inline std::uint32_t operation_at(const Values& values, Rank rank) {
  return values.part->events()[rank].operation();
}
[[nodiscard]] inline ValueNumber value_at(const Values& values, Rank rank) {
  return values.value_of[operation_at(values, rank)];
}

[[nodiscard]] std::string text_of(const Subhistory& part, std::uint32_t operation);
[[nodiscard]] std::string value_text(const Values& values, ValueNumber value);

/// What is wrong with one value by itself.
[[nodiscard]] Conflict single(const Values& values, ValueNumber value, std::initializer_list<std::uint32_t> operations,
                              std::string sentence);
/// a was enqueued before b, yet b was at the front before the last operation on a: Y(a) < X(b) and m(b) < M(a).
[[nodiscard]] Conflict overtaken(const Values& values, ValueNumber a, ValueNumber b);
/// While q was certainly at the front, v was seen there, or must have been.
[[nodiscard]] Conflict front_shared(const Values& values, ValueNumber q, ValueNumber v);
/// Y(b) < X(a), m(a) < M(q), m(q) < M(b).
[[nodiscard]] Conflict three_cycle(const Values& values, ValueNumber q, ValueNumber a, ValueNumber b);
/// A least chain of values that covers every moment of an operation that found the queue empty.
[[nodiscard]] Conflict never_empty(const Values& values, std::uint32_t operation);

/// The operations of a conflict: of each value those that give its ranks, and its enqueue and dequeue.
[[nodiscard]] core::Outcome violation(const Values& values, const Conflict& conflict);

}  // namespace linchpin::types::queue

#include "types/queue/pending_dequeues.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "types/queue/monitor.hpp"
#include "types/queue/specification.hpp"

namespace linchpin::types::queue {

namespace {

using core::Outcome;

/// Whether a smaller history is a violation; its core in the indices of `part`.
std::optional<Outcome> refute(const Subhistory& part, std::vector<std::uint32_t> locals, core::Budget& budget) {
  std::sort(locals.begin(), locals.end());
  locals.erase(std::unique(locals.begin(), locals.end()), locals.end());
  if (locals.size() >= part.size()) return std::nullopt;
  Outcome outcome = decide(history::restrict(part, locals), {.witness = false}, budget);
  if (outcome.verdict != Verdict::violation) return std::nullopt;
  for (std::uint32_t& local : outcome.core) local = locals[local];
  return outcome;
}

/// The values that can only have left by a pending dequeue: never dequeued, but enqueued before some value that was
/// seen at the front, or before another of these.
struct Forced {
  std::vector<std::uint32_t> values;  // by Y
  std::uint32_t overtaker = kNone;    // the dequeued value with the greatest X
};

Forced forced_to_leave(const Values& values) {
  Forced forced;
  std::int64_t latest = -1;
  for (std::uint32_t value = 0; value < values.ranks.size(); ++value) {
    const ValueRanks& ranks = values.ranks[value];
    if (ranks.enqueue == kNone || ranks.dequeue == kNone || ranks.enqueue_call <= latest) continue;
    latest = ranks.enqueue_call;
    forced.overtaker = value;
  }
  std::vector<std::uint32_t> left = values.left;
  std::sort(left.begin(), left.end(), [&](std::uint32_t a, std::uint32_t b) {
    return values.ranks[a].first_response < values.ranks[b].first_response;
  });
  for (const std::uint32_t value : left) {
    if (static_cast<std::int64_t>(values.ranks[value].first_response) >= latest) break;
    forced.values.push_back(value);
    latest = std::max<std::int64_t>(latest, values.ranks[value].enqueue_call);
  }
  return forced;
}

/// No passage: values that block each other once the pending dequeues went to those that were enqueued first.
Outcome stuck(const Values& values, const Forced& forced, const Passage& passage, core::Budget& budget) {
  std::vector<bool> gone(values.ranks.size(), false);
  for (const std::uint32_t value : passage.order) gone[value] = true;
  std::vector<std::uint32_t> kept(forced.values);
  kept.push_back(forced.overtaker);
  std::uint32_t first = kNone, front = kNone, second_front = kNone;
  for (std::uint32_t value = 0; value < values.ranks.size(); ++value) {
    const ValueRanks& ranks = values.ranks[value];
    if (ranks.enqueue == kNone || gone[value]) continue;
    if (first == kNone || ranks.first_response < values.ranks[first].first_response) first = value;
    if (front == kNone || ranks.first_seen < values.ranks[front].first_seen) {
      second_front = front;
      front = value;
    } else if (second_front == kNone || ranks.first_seen < values.ranks[second_front].first_seen) {
      second_front = value;
    }
  }
  for (const std::uint32_t value : {first, front, second_front}) {
    if (value != kNone) kept.push_back(value);
  }
  Conflict conflict{.values = kept,
                    .operations = values.unfinished,
                    .sentence = fmt::format("{} pending dequeue{} cannot remove, early enough, the values that must "
                                            "have left before {}",
                                            values.unfinished.size(), values.unfinished.size() == 1 ? "" : "s",
                                            value_text(values, forced.overtaker))};
  const Outcome small = violation(values, conflict);
  if (const auto refuted = refute(*values.part, small.core, budget)) return *refuted;
  for (std::uint32_t value = 0; value < values.ranks.size(); ++value) {
    if (values.ranks[value].enqueue != kNone && !gone[value]) conflict.values.push_back(value);
  }
  return violation(values, conflict);
}

}  // namespace

core::Outcome settle(Values& values, const Conflict& conflict, bool witness, core::Budget& budget) {
  const Subhistory& part = *values.part;
  const bool peeked = std::any_of(values.left.begin(), values.left.end(),
                                  [&](std::uint32_t value) { return values.ranks[value].first_seen < values.end; });
  if (values.empties > 0 || peeked) {
    // Dropping operations that do not change the queue: a violation without them is one.
    std::vector<std::uint32_t> kept;
    for (std::uint32_t i = 0; i < part.size(); ++i) {
      const std::uint32_t value = values.value_of[i];
      const bool pure = part.method[i] != Queue::kEnqueue && part.method[i] != Queue::kDequeue;
      const bool dropped = value == kNone ? !part.pending(i) : pure && values.ranks[value].dequeue == kNone;
      if (!dropped) kept.push_back(i);
    }
    Outcome open{.verdict = Verdict::unknown, .reason = Reason::not_applicable};
    open.sentence =
        "pending dequeues may have made room for what was found empty, or for a value that was seen and stays";
    return refute(part, std::move(kept), budget).value_or(std::move(open));
  }
  const Forced forced = forced_to_leave(values);
  if (forced.values.empty()) {
    Conflict with_pending = conflict;
    with_pending.operations.insert(with_pending.operations.end(), values.unfinished.begin(), values.unfinished.end());
    return violation(values, with_pending);
  }
  if (forced.values.size() > values.unfinished.size()) {
    Conflict too_many{
        .values = {forced.values.begin(),
                   forced.values.begin() + static_cast<std::ptrdiff_t>(values.unfinished.size()) + 1},
        .operations = values.unfinished,
        .sentence = fmt::format("at least {} values must have left before {}, and only {} dequeue{} "
                                "pending",
                                values.unfinished.size() + 1, value_text(values, forced.overtaker),
                                values.unfinished.size(), values.unfinished.size() == 1 ? " is" : "s are")};
    too_many.values.push_back(forced.overtaker);
    return violation(values, too_many);
  }
  const Passage passage = find_passage(values, forced.values);
  if (!passage.complete) return stuck(values, forced, passage, budget);
  Outcome outcome{.verdict = Verdict::linearizable};
  if (witness) outcome.witness = linearize(values, passage.order, {});
  return outcome;
}

}  // namespace linchpin::types::queue

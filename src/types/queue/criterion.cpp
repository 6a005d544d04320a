// Whether values can pass through a queue as their operations say.
//
// Idea. Value b must follow value a when Y(a) < X(b) (a was in the queue before b's enqueue began) or m(a) < M(b) (a
// was seen at the front before the last operation on b began); letters as in values.hpp. Without operations that found
// the queue empty, a history is linearizable iff these two relations together have no cycle; if there is a cycle there
// is one of two or three values, and one sweep over the events with running maxima finds it:
//   1. A[M(a)] <= Y(a) for all a, where A[r] = max X over values with m <= r;
//   2. values certainly at the front during (m, M) do not overlap each other, nor contain the [M, m] of another value;
//   3. for each of these, A[M] <= B[m], where B[r] = min Y over values with M >= r.
// An operation that found the queue empty needs a gap outside [Y(v), M(v)) for every v: the same sweep counts them.
// Cost O(n). Source: "potentially front" of decrease and conquer (Definition 6.1; docs/papers/README.md), restated as
// two interval orders, with the cycle lemma and the criterion for empty queues of docs/design/monitors.md.
#include "types/queue/criterion.hpp"

#include <algorithm>

#include "types/queue/specification.hpp"

namespace linchpin::types::queue {

namespace {

/// Step 3: what was enqueued too late to have passed before q, against what must still follow q.
struct FrontCheck {
  ValueNumber value = 0;
  Rank latest = 0;  // A[M(q)]: of an enqueue's call; 0: of none, or of one that nothing returned before
};

std::optional<Conflict> check_cycles_of_three(const Values& values, const std::vector<FrontCheck>& fronts) {
  algo::ByValue<Rank> latest_of(values.ranks.size());
  for (const FrontCheck& front : fronts) latest_of[front.value] = front.latest;
  Rank earliest = values.end;  // B: least Y over values with M >= rank
  for (const ValueNumber value : values.left) {
    earliest = std::min(earliest, values.ranks[value].first_response);
  }
  for (Rank rank = values.end; rank-- > 0;) {
    const ValueNumber value = value_at(values, rank);
    if (value == ValueNumber::none()) continue;
    const ValueRanks& ranks = values.ranks[value];
    if (ranks.last_call == rank) earliest = std::min(earliest, ranks.first_response);
    if (ranks.first_seen == rank && ranks.certainly_front() && latest_of[value] > earliest) {
      return three_cycle(values, value, value_at(values, latest_of[value]), value_at(values, earliest));
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Conflict> find_conflict(const Values& values, std::vector<PlacedEmpty>& empties) {
  const Subhistory& part = *values.part;
  Rank latest = 0;           // A: greatest X over values with m <= rank; 0 as above
  Rank after_gap = 0;        // one beyond the last gap at which the queue may be empty; 0: there was none
  std::uint32_t inside = 0;  // values with Y <= rank < M
  ValueNumber front = ValueNumber::none();  // the value certainly at the front
  std::vector<FrontCheck> fronts;
  empties.reserve(values.empties);
  // Ranks are distinct, so an event is what it is equal to: nothing branches on its kind, which is as good as random.
  const history::ByRank<history::Event>& events = part.events();
  for (Rank rank = 0; rank < values.end; ++rank) {
    const history::Event event = events[rank];
    const ValueNumber value = values.value_of[event.operation()];
    if (value == ValueNumber::none()) {
      const std::uint32_t i = event.operation();
      if (event.is_response() && part.method[i] != Queue::kEnqueue) {
        if (after_gap <= part.call[i]) return never_empty(values, i);
        empties.push_back({after_gap - 1, i});
      }
    } else {
      const ValueRanks& ranks = values.ranks[value];
      const bool seen = ranks.first_seen == rank;
      const bool leaves = ranks.last_call == rank;
      latest = seen ? std::max(latest, ranks.enqueue_call) : latest;
      if (seen && (front != ValueNumber::none() || ranks.certainly_front())) {
        if (front != ValueNumber::none() &&
            (ranks.certainly_front() || values.ranks[front].first_seen < ranks.last_call)) {
          return front_shared(values, front, value);
        }
        if (ranks.certainly_front()) front = value;
      }
      if (leaves && latest > ranks.first_response) {
        return overtaken(values, value, value_at(values, latest));
      }
      if (leaves && front == value) {
        fronts.push_back({value, latest});
        front = ValueNumber::none();
      }
      inside +=
          static_cast<std::uint32_t>(ranks.first_response == rank) & static_cast<std::uint32_t>(rank < ranks.last_call);
      inside -= static_cast<std::uint32_t>(leaves) & static_cast<std::uint32_t>(ranks.first_response < rank);
    }
    after_gap = inside == 0 ? rank + 1 : after_gap;
  }
  for (const ValueNumber value : values.left) {
    if (latest > values.ranks[value].first_response) {
      return overtaken(values, value, value_at(values, latest));
    }
    if (front == value) fronts.push_back({value, latest});
  }
  return fronts.empty() ? std::nullopt : check_cycles_of_three(values, fronts);
}

}  // namespace linchpin::types::queue

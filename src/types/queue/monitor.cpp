// Decides queue histories in which no value is enqueued twice.
//
// Idea. Value b must follow value a when Y(a) < X(b) (a was in the queue before b's enqueue began) or m(a) < M(b) (a
// was seen at the front before the last operation on b began); letters as in values.hpp. Without operations that found
// the queue empty, a history is linearizable iff these two relations together have no cycle; if there is a cycle there
// is one of two or three values, and one sweep over the events with running maxima finds it:
//   1. A[M(a)] <= Y(a) for all a, where A[r] = max X over values with m <= r;
//   2. values certainly at the front during (m, M) do not overlap each other, nor contain the [M, m] of another value;
//   3. for each of these, A[M] <= B[m], where B[r] = min Y over values with M >= r.
// An operation that found the queue empty needs a gap outside [Y(v), M(v)) for every v: the same sweep counts them.
// Precondition: no value enqueued twice. Cost O(n), memory about 40 bytes an operation.
// Source: "potentially front" of the decrease-and-conquer method (paper 1, Definition 6.1), restated as two interval
// orders, with the cycle lemma and the criterion for empty queues of docs/design; pending dequeues: see `settle`.
// Compare: decide/search (any history). Tests: queue_monitor_test.cpp.
#include "types/queue/monitor.hpp"

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "algo/number_values.hpp"
#include "types/queue/specification.hpp"
#include "types/queue/values.hpp"

namespace linchpin::types::queue {

namespace {

using core::Applicability;
using core::Outcome;

/// A violation as the check finds it: values, and an empty result where one takes part.
struct Conflict {
  std::vector<std::uint32_t> values;
  std::vector<std::uint32_t> operations;  // besides those of the values
  std::string sentence;
};

bool found_empty(const Subhistory& part, std::uint32_t i) {
  switch (part.method[i]) {
    case Queue::kDequeue:
    case Queue::kPeek: return part.result(i).is_nil();
    default: return true;  // is_empty -> true, size -> 0: applicable() lets no others pass
  }
}

std::string text_of(const Subhistory& part, std::uint32_t i) { return part.history->describe(part.operation[i]); }

std::string value_text(const Values& values, std::uint32_t value) {
  const Subhistory& part = *values.part;
  return part.history->pool().to_text(part.arguments(values.ranks[value].enqueue)[0]);
}

std::uint32_t operation_at(const Values& values, Rank rank) { return values.part->events[rank].operation(); }
std::uint32_t value_at(const Values& values, Rank rank) { return values.value_of[operation_at(values, rank)]; }

/// What is wrong with one value by itself.
Conflict single(const Values& values, std::uint32_t value, std::initializer_list<std::uint32_t> operations,
                std::string sentence) {
  Conflict conflict{.values = {}, .operations = operations, .sentence = std::move(sentence)};
  const ValueRanks& ranks = values.ranks[value];
  for (const std::uint32_t each : {ranks.enqueue, ranks.dequeue}) {
    if (each != kNone) conflict.operations.push_back(each);
  }
  return conflict;
}

/// Which value each operation is about: what `applicable` reads.
struct Reading {
  std::vector<std::uint32_t> value_of;  // by operation; kNone: none
  std::uint32_t values = 0;
};

/// Reads the history value by value; a conflict where one value alone shows one. Uses the reading up.
std::optional<Conflict> gather(const Subhistory& part, Reading& reading, Values& values) {
  const std::uint32_t count = part.size();
  values.part = &part;
  values.end = static_cast<Rank>(part.events.size());
  values.value_of = std::move(reading.value_of);
  values.ranks.resize(reading.values);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (part.method[i] == Queue::kEnqueue) values.ranks[values.value_of[i]].enqueue = i;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const bool pending = part.pending(i);
    if (part.method[i] == Queue::kEnqueue) {
      ValueRanks& ranks = values.ranks[values.value_of[i]];
      ranks.enqueue_call = part.call[i];
      ranks.first_response = std::min(ranks.first_response, part.response[i]);
      ranks.last_call = std::max(ranks.last_call, part.call[i]);
      continue;
    }
    if (pending) {
      if (part.method[i] == Queue::kDequeue) values.unfinished.push_back(i);
      continue;
    }
    if (found_empty(part, i)) {
      ++values.empties;
      continue;
    }
    const std::uint32_t value = values.value_of[i];
    if (values.ranks[value].enqueue == kNone) {
      return Conflict{.operations = {i},
                      .sentence = fmt::format("{}, but nobody had enqueued {}", text_of(part, i),
                                              part.history->pool().to_text(part.result(i)))};
    }
    ValueRanks& ranks = values.ranks[value];
    ranks.first_response = std::min(ranks.first_response, part.response[i]);
    ranks.first_seen = std::min(ranks.first_seen, part.response[i]);
    ranks.last_call = std::max(ranks.last_call, part.call[i]);
    if (part.method[i] == Queue::kPeek) {
      ++values.peeks;
    } else if (ranks.dequeue == kNone) {
      ranks.dequeue = i;
    } else {
      return single(values, value, {i},
                    fmt::format("{} is enqueued once and dequeued twice", value_text(values, value)));
    }
  }
  for (std::uint32_t value = 0; value < values.ranks.size(); ++value) {
    ValueRanks& ranks = values.ranks[value];
    if (ranks.first_seen == kNone && part.pending(ranks.enqueue)) {
      values.value_of[ranks.enqueue] = kNone;  // a pending enqueue that nobody saw
      ranks.enqueue = kNone;
      continue;
    }
    if (ranks.first_response < ranks.enqueue_call) {
      const std::uint32_t early = operation_at(values, ranks.first_response);
      return single(
          values, value, {early},
          fmt::format("{} returned before {} was called", text_of(part, early), text_of(part, ranks.enqueue)));
    }
    if (ranks.dequeue == kNone) {
      values.left.push_back(value);
      ranks.last_call = values.end;
      ranks.first_seen = std::min(ranks.first_seen, values.end + 1);
    } else if (ranks.last_call > part.response[ranks.dequeue]) {
      const std::uint32_t late = operation_at(values, ranks.last_call);
      return single(
          values, value, {late},
          fmt::format("{} was called after {} had returned", text_of(part, late), text_of(part, ranks.dequeue)));
    }
  }
  return std::nullopt;
}

/// a was enqueued before b, yet b was at the front before the last operation on a: Y(a) < X(b) and m(b) < M(a).
Conflict overtaken(const Values& values, std::uint32_t a, std::uint32_t b) {
  const Subhistory& part = *values.part;
  const ValueRanks& first = values.ranks[a];
  const ValueRanks& second = values.ranks[b];
  const std::string seen = text_of(part, operation_at(values, second.first_seen));
  const std::string enqueued =
      fmt::format("{} had returned before {} was called", text_of(part, operation_at(values, first.first_response)),
                  text_of(part, second.enqueue));
  if (first.last_call >= values.end) {
    return {.values = {a, b},
            .sentence = fmt::format("{} came too early: {} was ahead of {} in the queue ({}) and had not left yet",
                                    seen, value_text(values, a), value_text(values, b), enqueued)};
  }
  return {.values = {a, b},
          .sentence = fmt::format("{} returned before {} was called, though {}", seen,
                                  text_of(part, operation_at(values, first.last_call)), enqueued)};
}

/// While q was certainly at the front, v was seen there, or must have been.
Conflict front_shared(const Values& values, std::uint32_t q, std::uint32_t v) {
  const Subhistory& part = *values.part;
  const ValueRanks& front = values.ranks[q];
  const std::string until =
      front.last_call >= values.end
          ? std::string("had not left by then")
          : fmt::format("was there until the call of {}", text_of(part, operation_at(values, front.last_call)));
  return {
      .values = {q, v},
      .sentence = fmt::format("{} saw {} at the front, which {}; but in that time {} was seen there too, by {}",
                              text_of(part, operation_at(values, front.first_seen)), value_text(values, q), until,
                              value_text(values, v), text_of(part, operation_at(values, values.ranks[v].first_seen)))};
}

/// Y(b) < X(a), m(a) < M(q), m(q) < M(b).
Conflict three_cycle(const Values& values, std::uint32_t q, std::uint32_t a, std::uint32_t b) {
  const std::string first = value_text(values, a);
  const std::string middle = value_text(values, q);
  const std::string last = value_text(values, b);
  return {.values = {q, a, b},
          .sentence = fmt::format("{} must leave before {} and {} before {}, having been seen at the front before the "
                                  "other's last operation, though {} was in the queue before {} was enqueued",
                                  first, middle, middle, last, last, first)};
}

/// A least chain of values that covers every moment of an operation that found the queue empty.
Conflict never_empty(const Values& values, std::uint32_t operation) {
  const Subhistory& part = *values.part;
  const Rank call = part.call[operation];
  const Rank response = part.response[operation];
  std::vector<std::uint32_t> inside;
  for (std::uint32_t value = 0; value < values.ranks.size(); ++value) {
    const ValueRanks& ranks = values.ranks[value];
    if (ranks.enqueue != kNone && ranks.first_response < std::min(response, ranks.last_call) &&
        ranks.last_call > call) {
      inside.push_back(value);
    }
  }
  std::sort(inside.begin(), inside.end(), [&](std::uint32_t a, std::uint32_t b) {
    return values.ranks[a].first_response < values.ranks[b].first_response;
  });
  Conflict conflict{.values = {}, .operations = {operation}, .sentence = {}};
  std::string names;
  Rank covered = call;
  for (std::size_t next = 0; covered < response;) {
    std::uint32_t best = kNone;
    for (; next < inside.size() && values.ranks[inside[next]].first_response <= covered; ++next) {
      if (best == kNone || values.ranks[inside[next]].last_call > values.ranks[best].last_call) best = inside[next];
    }
    if (best == kNone || values.ranks[best].last_call <= covered) break;
    conflict.values.push_back(best);
    names += fmt::format("{}{}", names.empty() ? "" : ", then ", value_text(values, best));
    covered = values.ranks[best].last_call;
  }
  const std::string said = fmt::format("{} found the queue empty, but", text_of(part, operation));
  if (conflict.values.size() == 1) {
    const bool left = values.ranks[conflict.values[0]].last_call >= values.end;
    conflict.sentence = fmt::format("{} {} was inside during the whole call: enqueued before, {}", said, names,
                                    left ? "not dequeued by then" : "dequeued after");
  } else {
    conflict.sentence = fmt::format("{} at each moment of the call a value was inside: {}", said, names);
  }
  return conflict;
}

/// Step 3: what was enqueued too late to have passed before q, against what must still follow q.
struct FrontCheck {
  std::uint32_t value = 0;
  std::int64_t latest = -1;  // A[M(q)]: rank of an enqueue's call
};

std::optional<Conflict> check_cycles_of_three(const Values& values, const std::vector<FrontCheck>& fronts) {
  std::vector<std::int64_t> latest_of(values.ranks.size(), -1);
  for (const FrontCheck& front : fronts) latest_of[front.value] = front.latest;
  std::int64_t earliest = values.end;  // B: least Y over values with M >= rank
  for (const std::uint32_t value : values.left) {
    earliest = std::min<std::int64_t>(earliest, values.ranks[value].first_response);
  }
  for (Rank rank = values.end; rank-- > 0;) {
    const std::uint32_t value = value_at(values, rank);
    if (value == kNone) continue;
    const ValueRanks& ranks = values.ranks[value];
    if (ranks.last_call == rank) earliest = std::min<std::int64_t>(earliest, ranks.first_response);
    if (ranks.first_seen == rank && ranks.certainly_front() && latest_of[value] > earliest) {
      return three_cycle(values, value, value_at(values, static_cast<Rank>(latest_of[value])),
                         value_at(values, static_cast<Rank>(earliest)));
    }
  }
  return std::nullopt;
}

/// The criterion; places the empties on the way.
std::optional<Conflict> check(const Values& values, std::vector<PlacedEmpty>& empties) {
  const Subhistory& part = *values.part;
  std::int64_t latest = -1;     // A: greatest X over values with m <= rank
  std::int64_t last_gap = -1;   // the last gap at which the queue may be empty
  std::uint32_t inside = 0;     // values with Y <= rank < M
  std::uint32_t front = kNone;  // the value certainly at the front
  std::vector<FrontCheck> fronts;
  empties.reserve(values.empties);
  for (Rank rank = 0; rank < values.end; ++rank) {
    const history::Event event = part.events[rank];
    const std::uint32_t value = values.value_of[event.operation()];
    if (value == kNone) {
      const std::uint32_t i = event.operation();
      if (event.is_response() && part.method[i] != Queue::kEnqueue) {
        if (last_gap < static_cast<std::int64_t>(part.call[i])) return never_empty(values, i);
        empties.push_back({static_cast<Rank>(last_gap), i});
      }
    } else if (const ValueRanks& ranks = values.ranks[value]; event.is_response()) {
      if (ranks.first_seen == rank) {
        latest = std::max<std::int64_t>(latest, ranks.enqueue_call);
        if (ranks.certainly_front()) {
          if (front != kNone) return front_shared(values, front, value);
          front = value;
        } else if (front != kNone && values.ranks[front].first_seen < ranks.last_call) {
          return front_shared(values, front, value);
        }
      }
      if (ranks.first_response == rank && rank < ranks.last_call) ++inside;
    } else if (ranks.last_call == rank) {
      if (latest > static_cast<std::int64_t>(ranks.first_response)) {
        return overtaken(values, value, value_at(values, static_cast<Rank>(latest)));
      }
      if (ranks.first_response < rank) --inside;
      if (front == value) {
        fronts.push_back({value, latest});
        front = kNone;
      }
    }
    if (inside == 0) last_gap = rank;
  }
  for (const std::uint32_t value : values.left) {
    if (latest > static_cast<std::int64_t>(values.ranks[value].first_response)) {
      return overtaken(values, value, value_at(values, static_cast<Rank>(latest)));
    }
    if (front == value) fronts.push_back({value, latest});
  }
  return fronts.empty() ? std::nullopt : check_cycles_of_three(values, fronts);
}

/// The operations of a conflict: of each value those that give its ranks, and its enqueue and dequeue.
Outcome violation(const Values& values, const Conflict& conflict) {
  Outcome outcome{.verdict = Verdict::violation, .core = conflict.operations, .sentence = conflict.sentence};
  for (const std::uint32_t value : conflict.values) {
    const ValueRanks& ranks = values.ranks[value];
    outcome.core.push_back(ranks.enqueue);
    if (ranks.dequeue != kNone) outcome.core.push_back(ranks.dequeue);
    for (const Rank rank : {ranks.first_response, ranks.first_seen, ranks.last_call}) {
      if (rank < values.end) outcome.core.push_back(operation_at(values, rank));
    }
  }
  std::sort(outcome.core.begin(), outcome.core.end());
  outcome.core.erase(std::unique(outcome.core.begin(), outcome.core.end()), outcome.core.end());
  return outcome;
}

Outcome undecided() { return {.verdict = Verdict::unknown, .reason = Reason::not_applicable}; }

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

Outcome linearizable(const Values& values, const std::vector<std::uint32_t>& order,
                     const std::vector<PlacedEmpty>& empties, bool witness) {
  Outcome outcome{.verdict = Verdict::linearizable};
  if (witness) outcome.witness = linearize(values, order, empties);
  return outcome;
}

/// The check failed without the pending dequeues; values were never dequeued. Exact where nothing was found empty and
/// no such value was peeked: then the values forced to leave are known and their number is least, and of two that may
/// go, the one with the smaller Y blocks all that the other blocks.
Outcome settle(Values& values, const Conflict& conflict, bool witness, core::Budget& budget) {
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
    Outcome open = undecided();
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
  return linearizable(values, passage.order, {}, witness);
}

}  // namespace

namespace {

Applicability read(const Subhistory& part, Reading& reading) {
  const auto* const specification = part.specification->get_if<Queue>();
  if (specification == nullptr) return core::not_of_this_type("not a queue");
  if (specification->capacity) return {false, "the queue has a capacity"};
  std::vector<Value> about(part.size());  // what each operation enqueues, dequeues or peeks
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    const Value result = part.result(i);
    switch (part.method[i]) {
      case Queue::kEnqueue: {
        about[i] = part.arguments(i)[0];
        if (about[i].is_none()) return {false, fmt::format("{} enqueues nothing", text_of(part, i))};
        if (about[i].is_nil()) return {false, "nil is enqueued and is also the answer of an empty queue"};
        if (!part.view(i).acknowledged()) {
          return {false, fmt::format("the result of {} is not an acknowledgement", text_of(part, i))};
        }
        break;
      }
      case Queue::kDequeue:
        if (part.pending(i) != result.is_unknown()) {
          return {false, part.pending(i) ? fmt::format("{} is pending with a result", text_of(part, i))
                                         : fmt::format("the result of {} is unknown", text_of(part, i))};
        }
        if (result.is_none()) return {false, fmt::format("{} has no result", text_of(part, i))};
        if (!part.pending(i) && !result.is_nil()) about[i] = result;
        break;
      default: {
        if (part.pending(i)) break;
        const bool empty = part.method[i] == Queue::kPeek      ? !result.is_unknown() && !result.is_none()
                           : part.method[i] == Queue::kIsEmpty ? result == Value::boolean(true)
                                                               : result == Value::integer(0);
        if (!empty)
          return {false, fmt::format("{} tells neither a value nor that the queue is empty", text_of(part, i))};
        if (part.method[i] == Queue::kPeek && !result.is_nil()) about[i] = result;
      }
    }
  }
  reading.value_of.assign(part.size(), kNone);
  reading.values = algo::number_values(
      about, [&](std::size_t i) { return part.method[i] == Queue::kEnqueue; }, reading.value_of);
  std::vector<bool> enqueued(reading.values, false);
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    if (part.method[i] != Queue::kEnqueue) continue;
    if (enqueued[reading.value_of[i]]) {
      return {false, fmt::format("value {} is enqueued twice", part.history->pool().to_text(about[i]))};
    }
    enqueued[reading.value_of[i]] = true;
  }
  return {true, "no value is enqueued twice"};
}

}  // namespace

Applicability applicable(const Subhistory& part) {
  auto reading = std::make_shared<Reading>();
  Applicability applicability = read(part, *reading);
  if (applicability.applies) applicability.reading = std::move(reading);
  return applicability;
}

Outcome decide(const Subhistory& part, const core::DeciderOptions& options, core::Budget& budget) {
  auto reading = std::static_pointer_cast<Reading>(options.reading);
  if (reading == nullptr) {
    reading = std::make_shared<Reading>();
    if (!read(part, *reading).applies) return undecided();
  }
  Values values;
  if (const auto conflict = gather(part, *reading, values)) return violation(values, *conflict);
  if (budget.spent_now()) return {.verdict = Verdict::unknown, .reason = budget.reason()};
  std::vector<PlacedEmpty> empties;
  if (const auto conflict = check(values, empties)) {
    if (!values.unfinished.empty() && !values.left.empty()) return settle(values, *conflict, options.witness, budget);
    return violation(values, *conflict);
  }
  if (!options.witness) return {.verdict = Verdict::linearizable};
  if (budget.spent_now()) return {.verdict = Verdict::unknown, .reason = budget.reason()};
  const Passage passage = find_passage(values, {});
  return linearizable(values, passage.order, empties, true);
}

}  // namespace linchpin::types::queue

#include "types/queue/conflict.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace linchpin::types::queue {

std::string text_of(const Subhistory& part, std::uint32_t i) { return part.history->describe(part.operation[i]); }

std::string value_text(const Values& values, ValueNumber value) {
  const Subhistory& part = *values.part;
  return part.history->pool().to_text(part.arguments(values.ranks[value].enqueue)[0]);
}

Conflict single(const Values& values, ValueNumber value, std::initializer_list<std::uint32_t> operations,
                std::string sentence) {
  Conflict conflict{.values = {}, .operations = operations, .sentence = std::move(sentence)};
  const ValueRanks& ranks = values.ranks[value];
  for (const std::uint32_t each : {ranks.enqueue, ranks.dequeue}) {
    if (each != kNone) conflict.operations.push_back(each);
  }
  return conflict;
}

Conflict overtaken(const Values& values, ValueNumber a, ValueNumber b) {
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

Conflict front_shared(const Values& values, ValueNumber q, ValueNumber v) {
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

Conflict three_cycle(const Values& values, ValueNumber q, ValueNumber a, ValueNumber b) {
  const std::string first = value_text(values, a);
  const std::string middle = value_text(values, q);
  const std::string last = value_text(values, b);
  return {.values = {q, a, b},
          .sentence = fmt::format("{} must leave before {} and {} before {}, having been seen at the front before the "
                                  "other's last operation, though {} was in the queue before {} was enqueued",
                                  first, middle, middle, last, last, first)};
}

Conflict never_empty(const Values& values, std::uint32_t operation) {
  const Subhistory& part = *values.part;
  const Rank call = part.call[operation];
  const Rank response = part.response[operation];
  std::vector<ValueNumber> inside;
  for (ValueNumber value = 0; value < values.ranks.size(); ++value) {
    const ValueRanks& ranks = values.ranks[value];
    if (ranks.enqueue != kNone && ranks.first_response < std::min(response, ranks.last_call) &&
        ranks.last_call > call) {
      inside.push_back(value);
    }
  }
  std::sort(inside.begin(), inside.end(), [&](ValueNumber a, ValueNumber b) {
    return values.ranks[a].first_response < values.ranks[b].first_response;
  });
  Conflict conflict{.values = {}, .operations = {operation}, .sentence = {}};
  std::string names;
  Rank covered = call;
  for (std::size_t next = 0; covered < response;) {
    ValueNumber best = ValueNumber::none();
    for (; next < inside.size() && values.ranks[inside[next]].first_response <= covered; ++next) {
      if (best == ValueNumber::none() || values.ranks[inside[next]].last_call > values.ranks[best].last_call)
        best = inside[next];
    }
    if (best == ValueNumber::none() || values.ranks[best].last_call <= covered) break;
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

core::Outcome violation(const Values& values, const Conflict& conflict) {
  core::Outcome outcome{.verdict = Verdict::violation, .core = conflict.operations, .sentence = conflict.sentence};
  for (const ValueNumber value : conflict.values) {
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

}  // namespace linchpin::types::queue

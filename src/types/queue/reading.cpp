#include "types/queue/reading.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "algo/number_values.hpp"
#include "types/queue/specification.hpp"

namespace linchpin::types::queue {

namespace {

/// The first operation on a value for which `wanted` holds, or kNone.
template <class Wanted>
std::uint32_t find_operation(const Values& values, ValueNumber value, Wanted wanted) {
  for (std::uint32_t i = 0; i < values.part->size(); ++i) {
    if (values.value_of[i] == value && wanted(i)) return i;
  }
  return kNone;
}

Conflict never_enqueued(const Values& values, ValueNumber value) {
  const Subhistory& part = *values.part;
  const std::uint32_t i = find_operation(values, value, [](std::uint32_t) { return true; });
  return {.operations = {i},
          .sentence = fmt::format("{}, but nobody had enqueued {}", text_of(part, i),
                                  part.history->pool().to_text(part.result(i)))};
}

Conflict dequeued_twice(Values& values, ValueNumber value, std::uint32_t again) {
  ValueRanks& ranks = values.ranks[value];
  ranks.enqueue =
      find_operation(values, value, [&](std::uint32_t i) { return values.part->method[i] == Queue::kEnqueue; });
  if (ranks.enqueue == kNone) return never_enqueued(values, value);
  return single(values, value, {again},
                fmt::format("{} is enqueued once and dequeued twice", value_text(values, value)));
}

}  // namespace

core::Applicability read(const Subhistory& part, Reading& reading) {
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
        if (!result.is_none() && !part.view(i).acknowledged(0)) {
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
  reading.value_of.assign(part.size(), ValueNumber::none());
  const algo::NumberedValues numbered = algo::number_values(
      about, [&](std::size_t i) { return part.method[i] == Queue::kEnqueue; }, reading.value_of);
  reading.values = numbered.count;
  if (numbered.twice) {
    return {false, fmt::format("value {} is enqueued twice", part.history->pool().to_text(about[*numbered.twice]))};
  }
  return {true, "no value is enqueued twice"};
}

std::optional<Conflict> gather(const Subhistory& part, Reading& reading, Values& values) {
  const std::uint32_t count = part.size();
  values.part = &part;
  values.end = part.ranks();
  values.value_of = std::move(reading.value_of);
  values.ranks.resize(reading.values);
  for (std::uint32_t i = 0; i < count; ++i) {
    const ValueNumber value = values.value_of[i];
    if (value == ValueNumber::none()) {
      if (!part.pending(i)) {
        ++values.empties;
      } else if (part.method[i] == Queue::kDequeue) {
        values.unfinished.push_back(i);
      }
      continue;
    }
    // Methods take turns as good as at random, so nothing else branches on them.
    ValueRanks& ranks = values.ranks[value];
    const Rank call = part.call[i];
    const Rank response = part.response[i];
    const bool enqueues = part.method[i] == Queue::kEnqueue;
    const bool dequeues = part.method[i] == Queue::kDequeue;
    if (ranks.dequeue != kNone && dequeues) return dequeued_twice(values, value, i);
    ranks.enqueue = enqueues ? i : ranks.enqueue;
    ranks.dequeue = dequeues ? i : ranks.dequeue;
    ranks.enqueue_call = enqueues ? call : ranks.enqueue_call;
    ranks.first_response = std::min(ranks.first_response, response);
    ranks.first_seen = enqueues ? ranks.first_seen : std::min(ranks.first_seen, response);
    ranks.last_call = std::max(ranks.last_call, call);
    values.peeks += part.method[i] == Queue::kPeek ? 1 : 0;
  }
  for (ValueNumber value = 0; value < values.ranks.size(); ++value) {
    ValueRanks& ranks = values.ranks[value];
    if (ranks.enqueue == kNone) return never_enqueued(values, value);
    if (ranks.first_seen == Rank::none() && part.pending(ranks.enqueue)) {
      values.value_of[ranks.enqueue] = ValueNumber::none();  // a pending enqueue that nobody saw
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

}  // namespace linchpin::types::queue

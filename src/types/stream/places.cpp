#include "types/stream/places.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "base/none.hpp"
#include "types/stream/specification.hpp"

namespace linchpin::types::stream {

namespace {

using history::Rank;
using history::Subhistory;

void read_append(const Subhistory& part, std::uint32_t i, Places& places) {
  const Operation operation = part.view(i);
  const ValuePool& pool = *operation.pool;
  const bool told = is_integer(operation.result);
  if (says_false(operation)) {
    if (!part.pending(i)) places.free.push_back(i);
    return;
  }
  if (part.pending(i)) {
    if (told) {
      places.obstacle = fmt::format("{} is pending with a result", part.history->describe(part.operation[i]));
    } else if (operation.acknowledged()) {
      const Value match = Stream::match(operation);
      if (match.is_nil()) {
        places.lost.push_back(i);
      } else {
        places.lost_at.emplace_back(Stream::number(match, pool), i);
      }
    }
    return;
  }
  if (!told && operation.acknowledged()) {
    places.obstacle = fmt::format("{} does not tell its tail", part.history->describe(part.operation[i]));
    return;
  }
  const std::uint64_t records = Stream::records(operation);
  const std::uint64_t tail = told ? Stream::number(operation.result, pool) : 0;
  const Value match = Stream::match(operation);
  const bool elsewhere = !match.is_nil() && Stream::number(match, pool) != tail - records;
  if (!told || tail < records || elsewhere) {
    if (!places.impossible) places.impossible = i;
    return;
  }
  places.known.push_back({.tail = tail - records, .appends = true, .operation = i});
}

void read_look(const Subhistory& part, std::uint32_t i, Places& places) {
  if (part.pending(i)) return;
  const Operation operation = part.view(i);
  if (says_false(operation) || operation.result_unknown()) {
    places.free.push_back(i);
  } else if (const auto seen = Stream::seen(operation)) {
    places.known.push_back({.tail = seen->tail, .appends = false, .operation = i});
  } else if (!places.impossible) {
    places.impossible = i;
  }
}

void bound(const Subhistory& part, Places& places) {
  const std::size_t size = places.known.size();
  places.latest_call.resize(size + 1, 0);
  places.latest_caller.resize(size + 1, kNone);
  places.first_return.resize(size + 1, history::Rank::none());
  places.first_returner.resize(size + 1, kNone);
  // Looks at one tail are not ordered among each other: the bounds of each are those of their group.
  for (std::size_t k = 0; k < size; ++k) {
    const std::uint32_t i = places.known[k].operation;
    const bool later = places.latest_caller[k] == kNone || part.call[i] > places.latest_call[k];
    places.latest_call[k + 1] = later ? part.call[i] : places.latest_call[k];
    places.latest_caller[k + 1] = later ? i : places.latest_caller[k];
  }
  for (std::size_t k = size; k-- > 0;) {
    const std::uint32_t i = places.known[k].operation;
    const bool earlier = part.response[i] < places.first_return[k + 1];
    places.first_return[k] = earlier ? part.response[i] : places.first_return[k + 1];
    places.first_returner[k] = earlier ? i : places.first_returner[k + 1];
  }
}

}  // namespace

Places read_places(const Subhistory& part) {
  Places places;
  for (std::uint32_t i = 0; i < part.size() && places.obstacle.empty(); ++i) {
    if (part.method[i] == Stream::kAppend) {
      read_append(part, i, places);
    } else {
      read_look(part, i, places);
    }
  }
  if (!places.obstacle.empty()) return places;
  // Operations are in the order of their calls.
  std::sort(places.known.begin(), places.known.end(), [](const Placed& a, const Placed& b) {
    return std::tie(a.tail, a.appends, a.operation) < std::tie(b.tail, b.appends, b.operation);
  });
  std::sort(places.lost_at.begin(), places.lost_at.end());
  for (std::size_t k = 1; k < places.known.size() && !places.together; ++k) {
    const Placed &a = places.known[k - 1], &b = places.known[k];
    if (a.appends && b.appends && a.tail == b.tail) places.together = std::pair(a.operation, b.operation);
  }
  bound(part, places);
  return places;
}

}  // namespace linchpin::types::stream

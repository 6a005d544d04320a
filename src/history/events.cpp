#include "history/events.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "algo/radix_sort.hpp"

namespace linchpin::history {

namespace {

/// The operations in `which`, stably sorted by ticks[operation].
std::vector<OperationIndex> sorted_by(std::span<const Tick> ticks, std::vector<OperationIndex> which) {
  const auto by_tick = [ticks](OperationIndex a, OperationIndex b) { return ticks[a] < ticks[b]; };
  if (which.empty() || std::is_sorted(which.begin(), which.end(), by_tick)) return which;
  Tick least = ticks[which[0]];
  Tick most = least;
  for (const OperationIndex i : which) {
    least = std::min(least, ticks[i]);
    most = std::max(most, ticks[i]);
  }
  const std::uint64_t range = static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least);
  const auto index_bits = static_cast<unsigned>(std::bit_width(ticks.size()));
  const auto tick_bits = static_cast<unsigned>(std::bit_width(range));
  if (index_bits + tick_bits > 64) {
    std::stable_sort(which.begin(), which.end(), by_tick);
    return which;
  }
  std::vector<std::uint64_t> words;
  words.reserve(which.size());
  for (const OperationIndex i : which) {
    words.push_back(((static_cast<std::uint64_t>(ticks[i]) - static_cast<std::uint64_t>(least)) << index_bits) | i);
  }
  std::vector<std::uint64_t> buffer;
  algo::radix_sort(words, index_bits, index_bits + tick_bits, buffer);
  const std::uint64_t index_mask = (std::uint64_t{1} << index_bits) - 1;
  for (std::size_t k = 0; k < words.size(); ++k) which[k] = static_cast<OperationIndex>(words[k] & index_mask);
  return which;
}

}  // namespace

std::vector<Event> sort_events(const History& history, Ties ties) {
  const auto n = static_cast<OperationIndex>(history.size());
  std::vector<OperationIndex> all(n);
  std::iota(all.begin(), all.end(), 0);
  std::vector<OperationIndex> completed;
  completed.reserve(n - history.pending_count());
  for (OperationIndex i = 0; i < n; ++i) {
    if (!history.pending(i)) completed.push_back(i);
  }
  const std::vector<OperationIndex> calls = sorted_by(history.calls(), std::move(all));
  std::vector<OperationIndex> responses = sorted_by(history.responses(), std::move(completed));
  const auto zero_length = [&](OperationIndex i) { return history.call(i) == history.response(i); };
  if (ties == Ties::response_first) {
    // At one tick: responses of operations called earlier, then calls, then responses of zero-length operations.
    for (std::size_t begin = 0; begin < responses.size();) {
      std::size_t end = begin;
      while (end < responses.size() && history.response(responses[end]) == history.response(responses[begin])) ++end;
      std::stable_partition(responses.begin() + static_cast<std::ptrdiff_t>(begin),
                            responses.begin() + static_cast<std::ptrdiff_t>(end),
                            [&](OperationIndex i) { return !zero_length(i); });
      begin = end;
    }
  }
  std::vector<Event> events;
  events.reserve(calls.size() + responses.size());
  std::size_t next_response = 0;
  for (const OperationIndex called : calls) {
    const Tick tick = history.call(called);
    while (next_response < responses.size()) {
      const OperationIndex returned = responses[next_response];
      const Tick returns = history.response(returned);
      const bool before = returns < tick || (ties == Ties::response_first && returns == tick && !zero_length(returned));
      if (!before) break;
      events.push_back(Event::response(returned));
      ++next_response;
    }
    events.push_back(Event::call(called));
  }
  for (; next_response < responses.size(); ++next_response) events.push_back(Event::response(responses[next_response]));
  return events;
}

}  // namespace linchpin::history

#include "history/events.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <span>

#include "algo/radix_sort.hpp"

namespace linchpin::history {

namespace {

/// Events sorted by words of 64 bits: a key, which has the tick, above the index of an operation.
class EventWords {
 public:
  EventWords(std::size_t operations, Ties ties)
      : index_bits_(static_cast<unsigned>(std::bit_width(operations))), response_first_(ties == Ties::response_first) {}

  /// Whether ticks that are numbered below 2^`tick_bits` fit.
  [[nodiscard]] bool fit(unsigned tick_bits) const { return tick_bits + (response_first_ ? 1 : 0) + index_bits_ <= 64; }

  // At one tick: calls, then responses; or the responses of operations called earlier, then calls, then responses of
  // operations without length. A response precedes a call iff its key is less.
  [[nodiscard]] std::uint64_t call_key(std::uint64_t tick) const { return response_first_ ? tick << 1 | 1U : tick; }
  [[nodiscard]] std::uint64_t response_key(std::uint64_t tick, bool zero_length) const {
    return response_first_ ? tick << 1 | (zero_length ? 1U : 0U) : tick;
  }
  [[nodiscard]] std::uint64_t word(std::uint64_t key, OperationIndex i) const { return key << index_bits_ | i; }

  [[nodiscard]] std::uint64_t key_of(std::uint64_t word) const { return word >> index_bits_; }
  [[nodiscard]] OperationIndex operation_of(std::uint64_t word) const {
    return static_cast<OperationIndex>(word & ((std::uint64_t{1} << index_bits_) - 1));
  }

  void sort(std::vector<std::uint64_t>& words, unsigned tick_bits) const {
    std::vector<std::uint64_t> buffer;
    algo::radix_sort(words, index_bits_, index_bits_ + tick_bits + (response_first_ ? 1 : 0), buffer);
  }

 private:
  unsigned index_bits_;
  bool response_first_;
};

/// Calls and responses, each in order, zipped. `call_at(k)` is the word of the k-th call. Which comes next is as good
/// as random, so nothing branches on it.
template <class CallAt>
std::vector<Event> zip(const EventWords& words, std::size_t calls, CallAt call_at,
                       std::vector<std::uint64_t> responses) {
  std::vector<Event> events(calls + responses.size());
  responses.push_back(std::numeric_limits<std::uint64_t>::max());  // after every call
  std::size_t called = 0;
  std::size_t returned = 0;
  std::size_t rank = 0;
  while (called < calls) {
    const std::uint64_t call = call_at(called);
    const std::uint64_t response = responses[returned];
    const std::uint32_t returns = words.key_of(response) < words.key_of(call) ? 1 : 0;
    const std::uint32_t mask = 0U - returns;
    events[rank++].packed = (Event::response(words.operation_of(response)).packed & mask) |
                            (Event::call(words.operation_of(call)).packed & ~mask);
    returned += returns;
    called += 1 - returns;
  }
  while (rank < events.size()) events[rank++] = Event::response(words.operation_of(responses[returned++]));
  return events;
}

/// With ticks numbered in their order, below 2^`tick_bits`.
template <class NumberOf>
std::vector<Event> sorted(const History& history, const EventWords& words, unsigned tick_bits, NumberOf number_of) {
  const auto n = static_cast<OperationIndex>(history.size());
  const std::span<const Tick> calls = history.calls();
  const std::span<const Tick> responses = history.responses();
  std::vector<std::uint64_t> returning;
  returning.reserve(n - history.pending_count() + 1);
  for (OperationIndex i = 0; i < n; ++i) {
    if (responses[i] == kPending) continue;
    returning.push_back(words.word(words.response_key(number_of(responses[i]), responses[i] == calls[i]), i));
  }
  words.sort(returning, tick_bits);
  const auto call_of = [&](std::size_t i) {
    return words.word(words.call_key(number_of(calls[i])), static_cast<OperationIndex>(i));
  };
  if (std::is_sorted(calls.begin(), calls.end())) return zip(words, n, call_of, std::move(returning));
  std::vector<std::uint64_t> calling(n);
  for (OperationIndex i = 0; i < n; ++i) calling[i] = call_of(i);
  words.sort(calling, tick_bits);
  return zip(
      words, n, [&](std::size_t k) { return calling[k]; }, std::move(returning));
}

/// The different ticks of a history, ascending.
std::vector<Tick> different_ticks(const History& history) {
  std::vector<Tick> ticks(history.calls().begin(), history.calls().end());
  ticks.insert(ticks.end(), history.responses().begin(), history.responses().end());
  std::sort(ticks.begin(), ticks.end());
  ticks.erase(std::unique(ticks.begin(), ticks.end()), ticks.end());
  return ticks;
}

}  // namespace

std::vector<Event> sort_events(const History& history, Ties ties) {
  if (history.size() == 0) return {};
  const EventWords words(history.size(), ties);
  Tick least = history.call(0);
  Tick most = history.call(0);
  for (OperationIndex i = 0; i < history.size(); ++i) {
    least = std::min(least, history.call(i));
    most = std::max(most, history.pending(i) ? history.call(i) : history.response(i));
  }
  const auto from_least = [least](Tick tick) {
    return static_cast<std::uint64_t>(tick) - static_cast<std::uint64_t>(least);
  };
  const auto range_bits = static_cast<unsigned>(std::bit_width(from_least(most)));
  if (words.fit(range_bits)) return sorted(history, words, range_bits, from_least);
  const std::vector<Tick> ticks = different_ticks(history);
  const auto number_of = [&](Tick tick) {
    return static_cast<std::uint64_t>(std::lower_bound(ticks.begin(), ticks.end(), tick) - ticks.begin());
  };
  return sorted(history, words, static_cast<unsigned>(std::bit_width(ticks.size())), number_of);
}

}  // namespace linchpin::history

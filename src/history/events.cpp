#include "history/events.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <span>
#include <utility>

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
  [[nodiscard]] std::uint64_t word(std::uint64_t key, std::uint32_t i) const { return key << index_bits_ | i; }

  [[nodiscard]] std::uint64_t key_of(std::uint64_t word) const { return word >> index_bits_; }
  [[nodiscard]] std::uint32_t operation_of(std::uint64_t word) const {
    return static_cast<std::uint32_t>(word & ((std::uint64_t{1} << index_bits_) - 1));
  }

  void sort(std::vector<std::uint64_t>& words, unsigned tick_bits) const {
    std::vector<std::uint64_t> buffer;
    algo::radix_sort(words, index_bits_, index_bits_ + tick_bits + (response_first_ ? 1 : 0), buffer);
  }

 private:
  unsigned index_bits_;
  bool response_first_;
};

/// Calls and responses, each in order, zipped: in the order of their ranks `write` is told which call would be next and
/// which response, and by a mask of all bits or none whether it is the response. Which of them comes is as good as
/// random, so nothing branches on it. `call_at(k)` is the word of the k-th call.
template <class CallAt, class Write>
void zip(const EventWords& words, std::size_t calls, CallAt call_at, std::vector<std::uint64_t> responses,
         Write write) {
  const Rank end(calls + responses.size());
  responses.push_back(words.word(~std::uint64_t{0}, 0));  // after every call
  std::uint32_t called = 0;
  std::uint32_t returned = 0;
  Rank rank = 0;
  while (called < calls) {
    const std::uint64_t call = call_at(called);
    const std::uint64_t response = responses[returned];
    const std::uint32_t returns = words.key_of(response) < words.key_of(call) ? 1 : 0;
    write(rank++, called, words.operation_of(call), words.operation_of(response), 0U - returns);
    returned += returns;
    called += 1 - returns;
  }
  for (; rank < end; ++rank) write(rank, called, called, words.operation_of(responses[returned++]), ~0U);
}

std::uint32_t select(std::uint32_t mask, std::uint32_t if_set, std::uint32_t if_not) {
  return (if_set & mask) | (if_not & ~mask);
}

/// Makes the order of all events as a list of them.
class ListOfEvents {
 public:
  ListOfEvents(std::size_t operations, std::size_t pending) : events_(2 * operations - pending) {}
  template <bool kCallsInOrder>
  void begin() {}
  template <bool kCallsInOrder>
  void write(Rank rank, std::uint32_t, std::uint32_t call, std::uint32_t response, std::uint32_t returns) {
    events_[rank.number()].packed = select(returns, response << 1 | 1U, call << 1);
  }
  std::vector<HistoryEvent> take() { return std::move(events_); }

 private:
  std::vector<HistoryEvent> events_;
};

/// Makes the order of all events as ranks of the operations.
class RanksOfOperations {
 public:
  // With room for what follows the last call: an operation that is none.
  explicit RanksOfOperations(std::size_t operations)
      : ranked_{std::vector<OperationIndex>(operations + 1), std::vector<Rank>(operations),
                std::vector<Rank>(operations, Rank::none())} {}
  template <bool kCallsInOrder>
  void begin() {
    if constexpr (kCallsInOrder) {
      std::iota(ranked_.operation.begin(), ranked_.operation.end(), OperationIndex(0));
    } else {
      local_of_.resize(ranked_.operation.size());
    }
  }
  template <bool kCallsInOrder>
  void write(Rank rank, std::uint32_t called, std::uint32_t call, std::uint32_t response, std::uint32_t returns) {
    std::uint32_t local = 0;
    if constexpr (kCallsInOrder) {
      local = select(returns, response, called);
    } else {
      // Of a call that does not come yet, the same is written again when it does.
      ranked_.operation[called] = OperationIndex(call);
      local_of_[call] = called;
      local = select(returns, local_of_[response], called);
    }
    const std::array<Rank*, 2> columns = {ranked_.call.data(), ranked_.response.data()};
    columns[returns & 1U][local] = rank;
  }
  RankedOperations take() {
    ranked_.operation.pop_back();
    return std::move(ranked_);
  }

 private:
  RankedOperations ranked_;
  std::vector<std::uint32_t> local_of_;  // empty where the calls are in order
};

/// Tells `sink` all events in order, with ticks numbered in their order, below 2^`tick_bits`.
template <class Sink, class NumberOf>
void sort_into(Sink& sink, const History& history, const EventWords& words, unsigned tick_bits, NumberOf number_of) {
  const auto n = static_cast<std::uint32_t>(history.size());
  const std::span<const Tick> calls = history.calls();
  const std::span<const Tick> responses = history.responses();
  std::vector<std::uint64_t> returning;
  returning.reserve(n - history.pending_count() + 1);
  for (std::uint32_t i = 0; i < n; ++i) {
    if (responses[i] == kPending) continue;
    returning.push_back(words.word(words.response_key(number_of(responses[i]), responses[i] == calls[i]), i));
  }
  words.sort(returning, tick_bits);
  const auto call_of = [&](std::size_t i) {
    return words.word(words.call_key(number_of(calls[i])), static_cast<std::uint32_t>(i));
  };
  if (std::is_sorted(calls.begin(), calls.end())) {
    sink.template begin<true>();
    zip(words, n, call_of, std::move(returning), [&](auto... event) { sink.template write<true>(event...); });
    return;
  }
  std::vector<std::uint64_t> calling(n);
  for (std::uint32_t i = 0; i < n; ++i) calling[i] = call_of(i);
  words.sort(calling, tick_bits);
  sink.template begin<false>();
  zip(
      words, n, [&](std::size_t k) { return calling[k]; }, std::move(returning),
      [&](auto... event) { sink.template write<false>(event...); });
}

/// The different ticks of a history, ascending.
std::vector<Tick> different_ticks(const History& history) {
  std::vector<Tick> ticks(history.calls().begin(), history.calls().end());
  ticks.insert(ticks.end(), history.responses().begin(), history.responses().end());
  std::sort(ticks.begin(), ticks.end());
  ticks.erase(std::unique(ticks.begin(), ticks.end()), ticks.end());
  return ticks;
}

template <class Sink>
auto sort_into(Sink sink, const History& history, Ties ties) {
  if (history.size() == 0) return sink.take();
  const EventWords words(history.size(), ties);
  const std::span<const Tick> calls = history.calls();
  const std::span<const Tick> responses = history.responses();
  Tick least = calls[0];
  Tick most = calls[0];
  for (std::size_t i = 0; i < history.size(); ++i) {
    least = std::min(least, calls[i]);
    most = std::max(most, responses[i] == kPending ? calls[i] : responses[i]);
  }
  const auto from_least = [least](Tick tick) {
    return static_cast<std::uint64_t>(tick) - static_cast<std::uint64_t>(least);
  };
  const auto range_bits = static_cast<unsigned>(std::bit_width(from_least(most)));
  if (words.fit(range_bits)) {
    sort_into(sink, history, words, range_bits, from_least);
    return sink.take();
  }
  const std::vector<Tick> ticks = different_ticks(history);
  const auto number_of = [&](Tick tick) {
    return static_cast<std::uint64_t>(std::lower_bound(ticks.begin(), ticks.end(), tick) - ticks.begin());
  };
  sort_into(sink, history, words, static_cast<unsigned>(std::bit_width(ticks.size())), number_of);
  return sink.take();
}

}  // namespace

std::vector<HistoryEvent> sort_events(const History& history, Ties ties) {
  return sort_into(ListOfEvents(history.size(), history.pending_count()), history, ties);
}

RankedOperations rank_operations(const History& history, Ties ties) {
  return sort_into(RanksOfOperations(history.size()), history, ties);
}

}  // namespace linchpin::history

// The order of a history's events. Ticks are read here once; everything else uses ranks.
//
// An event is a call or a response. Its rank is its position in the order by (tick, calls before responses at one
// tick), so that ranks are distinct and `a` happens before `b` iff rank(response a) < rank(call b). (With
// Ties::response_first the responses of operations that began earlier precede the calls at the same tick.)
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "linchpin/history.hpp"
#include "linchpin/index.hpp"
#include "linchpin/limits.hpp"

namespace linchpin::history {

/// The place of an event among the events of a history, or of a part. `Rank::none()` is that of the response of a
/// pending operation: after everything.
using Rank = Index<struct PlaceAmongEvents>;

// Ranks have distances, which are numbers of events.
constexpr Rank operator+(Rank rank, std::uint32_t events) { return Rank(rank.number() + events); }
constexpr Rank operator-(Rank rank, std::uint32_t events) { return Rank(rank.number() - events); }
constexpr std::uint32_t operator-(Rank to, Rank from) { return to.number() - from.number(); }
constexpr Rank& operator+=(Rank& rank, std::uint32_t events) { return rank = rank + events; }
constexpr Rank& operator-=(Rank& rank, std::uint32_t events) { return rank = rank - events; }

/// A column with an entry for each event: only a rank leads into it.
template <class T>
class ByRank : std::vector<T> {
  using Column = std::vector<T>;

 public:
  using Column::back;
  using Column::begin;
  using Column::empty;
  using Column::end;
  using Column::push_back;
  using Column::rbegin;
  using Column::rend;
  using Column::size;
  using typename Column::const_iterator;
  using typename Column::iterator;
  using typename Column::value_type;

  ByRank() = default;
  /// For every rank below `ranks`.
  explicit ByRank(Rank ranks, const T& value = T()) : Column(ranks.number(), value) {}
  void resize(Rank ranks) { Column::resize(ranks.number()); }
  [[nodiscard]] decltype(auto) operator[](Rank rank) { return Column::operator[](rank.number()); }
  [[nodiscard]] decltype(auto) operator[](Rank rank) const { return Column::operator[](rank.number()); }
};

/// An operation's call or response, packed: operation << 1 | is_response.
template <class Operation>
struct EventOf {
  std::uint32_t packed = 0;
  static EventOf call(Operation operation) { return EventOf{number(operation) << 1}; }
  static EventOf response(Operation operation) { return EventOf{(number(operation) << 1) | 1U}; }
  [[nodiscard]] Operation operation() const { return static_cast<Operation>(packed >> 1); }
  [[nodiscard]] bool is_response() const { return (packed & 1U) != 0; }
  bool operator==(const EventOf&) const = default;

 private:
  static std::uint32_t number(std::uint32_t local) { return local; }
  static std::uint32_t number(OperationIndex operation) { return operation.number(); }
};
using Event = EventOf<std::uint32_t>;  ///< of a local operation of a sub-history
using HistoryEvent = EventOf<OperationIndex>;

/// All events of the history, by rank; a pending operation has only its call. Stable: calls at one tick in the order of
/// the input. O(n) where ticks are in order or fit a radix sort with the index in 64 bits, else O(n log n).
[[nodiscard]] std::vector<HistoryEvent> sort_events(const History& history, Ties ties);

/// How many of the operations that count are open at once, at most; pending ones stay open. O(n).
template <class Events, class Counts>
[[nodiscard]] std::uint32_t most_open(const Events& events, Counts&& counts) {
  std::uint32_t open = 0;
  std::uint32_t most = 0;
  for (const auto event : events) {
    if (!counts(event.operation())) continue;
    open = event.is_response() ? open - 1 : open + 1;
    most = std::max(most, open);
  }
  return most;
}
template <class Events>
[[nodiscard]] std::uint32_t most_open(const Events& events) {
  return most_open(events, [](auto) { return true; });
}

/// The operations of a history in the order of their calls, with the ranks of their events.
struct RankedOperations {
  std::vector<OperationIndex> operation;
  std::vector<Rank> call;      ///< ascending
  std::vector<Rank> response;  ///< none: pending
};
/// Says the same as `sort_events`, at the same cost.
[[nodiscard]] RankedOperations rank_operations(const History& history, Ties ties);

}  // namespace linchpin::history

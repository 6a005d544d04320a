#include "history/events.hpp"

#include <algorithm>
#include <random>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

using linchpin::History;
using linchpin::HistoryBuilder;
using linchpin::kNoProcess;
using linchpin::kPending;
using linchpin::OperationIndex;
using linchpin::Tick;
using linchpin::Ties;
using linchpin::history::HistoryEvent;
using linchpin::history::Rank;
using linchpin::history::rank_operations;
using linchpin::history::RankedOperations;
using linchpin::history::sort_events;

namespace {

/// Said once more, plainly: by tick, then by what comes first at one tick, then in the order of the input.
std::vector<HistoryEvent> sorted_by_comparing(const History& history, Ties ties) {
  std::vector<std::tuple<Tick, int, OperationIndex, HistoryEvent>> keys;
  for (OperationIndex i = 0; i < history.size(); ++i) {
    const bool zero_length = history.call(i) == history.response(i);
    keys.emplace_back(history.call(i), 1, i, HistoryEvent::call(i));
    if (history.pending(i)) continue;
    const bool early = ties == Ties::response_first && !zero_length;
    keys.emplace_back(history.response(i), early ? 0 : 2, i, HistoryEvent::response(i));
  }
  std::sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) {
    return std::tie(std::get<0>(a), std::get<1>(a), std::get<2>(a)) <
           std::tie(std::get<0>(b), std::get<1>(b), std::get<2>(b));
  });
  std::vector<HistoryEvent> events;
  for (const auto& key : keys) events.push_back(std::get<3>(key));
  return events;
}

}  // namespace

TEST(SortEvents, AgreesWithComparingWhateverTheTicks) {
  std::mt19937_64 random(20261122);
  for (int round = 0; round < 600; ++round) {
    const auto size = static_cast<int>(random() % (round % 50 == 0 ? 3'000 : 40));
    // Few ticks (many ties), as many as operations, or so many that a tick and an index take more than 64 bits.
    const std::uint64_t range = std::vector<std::uint64_t>{4, 5'000, std::uint64_t{1} << 62}[random() % 3];
    const bool in_order = random() % 2 == 0;
    std::vector<Tick> calls;
    for (int i = 0; i < size; ++i) calls.push_back(static_cast<Tick>(random() % range) - static_cast<Tick>(range / 2));
    if (in_order) std::sort(calls.begin(), calls.end());
    HistoryBuilder builder;
    for (const Tick call : calls) {
      const bool pending = random() % 8 == 0;
      const Tick length = static_cast<Tick>(random() % (range / 2));
      builder.add(kNoProcess, 0, builder.method("push"), {}, call, pending ? kPending : call + length);
    }
    const auto history = std::move(builder).build();
    ASSERT_TRUE(history);
    for (const Ties ties : {Ties::concurrent, Ties::response_first}) {
      const std::vector<HistoryEvent> expected = sorted_by_comparing(*history, ties);
      EXPECT_EQ(sort_events(*history, ties), expected) << size << " of " << range;
      const RankedOperations ranked = rank_operations(*history, ties);
      ASSERT_EQ(ranked.operation.size(), history->size());
      std::vector<HistoryEvent> events(expected.size());
      for (std::size_t k = 0; k < ranked.operation.size(); ++k) {
        ASSERT_TRUE(k == 0 || ranked.call[k - 1] < ranked.call[k]);
        events[ranked.call[k].number()] = HistoryEvent::call(ranked.operation[k]);
        ASSERT_EQ(ranked.response[k] == Rank::none(), history->pending(ranked.operation[k]));
        if (ranked.response[k] != Rank::none())
          events[ranked.response[k].number()] = HistoryEvent::response(ranked.operation[k]);
      }
      EXPECT_EQ(events, expected) << size << " of " << range;
    }
  }
}

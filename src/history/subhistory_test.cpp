#include "history/subhistory.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "base/none.hpp"
#include "support/sketch.hpp"

using linchpin::kPending;
using linchpin::OperationIndex;
using linchpin::Tick;
using linchpin::Value;
using linchpin::history::Event;
using linchpin::history::Rank;
using linchpin::history::Subhistory;

namespace {

linchpin::test::Built random_puts(std::mt19937& random, const std::string& type, std::uint16_t method) {
  linchpin::test::Sketch sketch;
  const std::uint32_t size = random() % 200;
  for (std::uint32_t i = 0; i < size; ++i) {
    linchpin::test::SketchedOperation operation;
    operation.method = method;
    operation.arguments = {Value::integer(random() % 5), Value::integer(i)};
    operation.call = static_cast<Tick>(random() % 300);
    operation.response = random() % 6 == 0 ? kPending : operation.call + static_cast<Tick>(random() % 40);
    sketch.push_back(operation);
  }
  return linchpin::test::build(linchpin::test::specification_of(type), sketch);
}

/// The operations that `kept` says of a part, made by walking its events: what ranks are worked out from otherwise.
template <class Kept>
void expect_walk(const Subhistory& whole, const Subhistory& part, Kept&& kept) {
  std::vector<OperationIndex> operations;
  std::vector<Rank> call;
  std::vector<Rank> response;
  std::vector<std::uint32_t> local_of(whole.size(), linchpin::kNone);
  Rank rank = 0;
  for (Rank at = 0; at < whole.events().size(); ++at) {
    const Event event = whole.events()[at];
    if (!kept(event.operation(), at)) continue;
    if (event.is_response()) {
      response[local_of[event.operation()]] = rank++;
    } else {
      local_of[event.operation()] = static_cast<std::uint32_t>(operations.size());
      operations.push_back(whole.operation[event.operation()]);
      call.push_back(rank++);
      response.push_back(Rank::none());
    }
  }
  EXPECT_EQ(part.operation, operations);
  EXPECT_EQ(part.call, call);
  EXPECT_EQ(part.response, response);
  EXPECT_EQ(part.ranks(), rank);
  EXPECT_EQ(part.method.size(), operations.size());
  ASSERT_EQ(part.events().size(), rank.number());
  for (std::uint32_t k = 0; k < part.size(); ++k) {
    EXPECT_EQ(part.events()[part.call[k]], Event::call(k));
    if (!part.pending(k)) {
      EXPECT_EQ(part.events()[part.response[k]], Event::response(k));
    }
  }
}

}  // namespace

TEST(Subhistory, PartsAreWhatWalkingTheEventsGives) {
  std::mt19937 random(20261122);
  for (int round = 0; round < 300; ++round) {
    const linchpin::test::Built built = random_puts(random, "map", 1);
    const Subhistory& whole = built.part;
    expect_walk(whole, whole, [](std::uint32_t, Rank) { return true; });

    std::vector<std::uint32_t> locals;
    std::vector<bool> chosen(whole.size());
    for (std::uint32_t local = 0; local < whole.size(); ++local) {
      if (random() % 3 != 0) continue;
      locals.push_back(local);
      chosen[local] = true;
    }
    expect_walk(whole, restrict(whole, locals), [&](std::uint32_t local, Rank) { return chosen[local]; });

    const Rank end(random() % (whole.ranks().number() + 1));
    expect_walk(whole, prefix(whole, end), [&](std::uint32_t, Rank at) { return at < end; });

    const auto keys = split_by_key(whole);
    ASSERT_TRUE(keys);
    std::size_t together = 0;
    for (const Subhistory& part : *keys) {
      together += part.size();
      expect_walk(whole, part, [&](std::uint32_t local, Rank) { return whole.arguments(local)[0] == part.key; });
    }
    EXPECT_EQ(together, whole.size());
  }
}

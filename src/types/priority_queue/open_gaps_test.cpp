#include "types/priority_queue/open_gaps.hpp"

#include <gtest/gtest.h>

#include <random>

#include "base/none.hpp"

namespace linchpin::types::open_gaps_test {
namespace {

using Method = OpenGaps::Method;

/// Classes of random points, some of them equal, and the covers of each.
struct RandomClasses {
  RandomClasses(std::mt19937& random, std::size_t components, std::uint32_t count, bool reversed) {
    std::vector<Value> priorities;
    while (priorities.size() < count) {
      std::vector<Value> point;
      for (std::size_t i = 0; i < components; ++i)
        point.push_back(Value::integer(static_cast<std::int64_t>(random() % 8)));
      const Value priority = pool.list(point);
      if (std::find(priorities.begin(), priorities.end(), priority) == priorities.end()) priorities.push_back(priority);
    }
    const PriorityOrder order = *PriorityOrder::parse(reversed ? "componentwise-largest" : "componentwise");
    std::sort(priorities.begin(), priorities.end(), [&](Value a, Value b) { return order.extended(a, b, pool) < 0; });
    classes.order = std::make_shared<ClassOrder>(priorities, order, pool);
    for (std::uint32_t a = 0; a < count; ++a) {
      for (std::uint32_t b = 0; b < count; ++b) {
        EXPECT_EQ(classes.better(a, b), order.before(priorities[a], priorities[b], pool));
      }
    }
  }
  ValuePool pool;
  PriorityClasses classes;
};

void expect_open(const OpenGaps& gaps, const std::vector<bool>& open) {
  const auto size = static_cast<std::uint32_t>(open.size());
  for (std::uint32_t i = 0; i < size; ++i) {
    std::uint32_t next = i, previous = i + 1;
    while (next < size && !open[next]) ++next;
    while (previous > 0 && !open[previous - 1]) --previous;
    ASSERT_EQ(gaps.next(i), next < size ? next : kNone);
    ASSERT_EQ(gaps.previous(i), previous > 0 ? previous - 1 : kNone);
  }
}

TEST(OpenGaps, AgreeWithLookingAtEveryCover) {
  std::mt19937 random(5);
  for (int round = 0; round < 300; ++round) {
    const std::size_t components = 2 + random() % 2;
    const std::uint32_t count = 1 + random() % 30, size = 1 + random() % 200;
    const RandomClasses made(random, components, count, round % 2 == 0);
    std::vector<std::vector<bool>> covered(count, std::vector<bool>(size, false));
    std::vector<OpenGaps> all;
    all.emplace_back(made.classes, count, size);
    all.emplace_back(made.classes, count, size, Method::rows);
    all.emplace_back(made.classes, count, size, Method::stabbing);
    if (components == 2) all.emplace_back(made.classes, count, size, Method::plane);
    for (std::uint32_t c = 0; c < count; ++c) {
      std::vector<bool> open(size, true);
      for (std::uint32_t gap = 0; gap < size; ++gap) {
        for (std::uint32_t u = 0; u < c; ++u) open[gap] = open[gap] && !(covered[u][gap] && made.classes.better(u, c));
      }
      for (OpenGaps& gaps : all) {
        gaps.turn_to(c);
        expect_open(gaps, open);
      }
      for (std::uint32_t covers = random() % 4; covers > 0; --covers) {
        const std::uint32_t first = random() % size;
        const std::uint32_t last = std::min<std::uint32_t>(size - 1, first + random() % 20);
        for (OpenGaps& gaps : all) gaps.cover(first, last);
        for (std::uint32_t gap = first; gap <= last; ++gap) covered[c][gap] = true;
      }
      for (std::uint32_t gap = 0; gap < size; ++gap) open[gap] = open[gap] && !covered[c][gap];
      for (const OpenGaps& gaps : all) expect_open(gaps, open);
    }
    std::vector<bool> open(size, true);
    for (std::uint32_t gap = 0; gap < size; ++gap) {
      for (std::uint32_t c = 0; c < count; ++c) open[gap] = open[gap] && !covered[c][gap];
    }
    for (OpenGaps& gaps : all) {
      gaps.turn_to_end();
      expect_open(gaps, open);
    }
  }
}

}  // namespace
}  // namespace linchpin::types::open_gaps_test

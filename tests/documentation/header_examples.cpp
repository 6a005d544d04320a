// The examples at the heads of the public headers, compiled: headers_test.cpp holds them against the headers, line by
// line. What they leave out ("...") stands here after a comment.
#include <array>
#include <atomic>
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>
#include <queue>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linchpin/check.hpp"
#include "linchpin/depth.hpp"
#include "linchpin/explain.hpp"
#include "linchpin/framework.hpp"
#include "linchpin/gtest.hpp"
#include "linchpin/page.hpp"
#include "linchpin/parsing.hpp"
#include "linchpin/record.hpp"
#include "linchpin/recorded.hpp"
#include "linchpin/research.hpp"
#include "linchpin/stress.hpp"
#include "linchpin/stress_point.hpp"

// NOLINTBEGIN: as short as in the headers, and most of it never runs
namespace {

using linchpin::CheckOptions;
using linchpin::History;
using linchpin::HistoryVerdict;
using linchpin::Result;
using linchpin::Value;
using linchpin::ValuePool;

struct Node {
  Node* next = nullptr;
};

struct MyBox {
  explicit MyBox(int first) : content(first) {}
  void set(std::int64_t value) { content = value; }
  std::int64_t get() { return content; }
  std::atomic<std::int64_t> content;
};

struct MyLockedQueue {
  void push(int value) {
    const std::lock_guard lock(mutex);
    values.push(value);
  }
  std::optional<int> try_pop() {
    const std::lock_guard lock(mutex);
    if (values.empty()) return std::nullopt;
    const int first = values.front();
    values.pop();
    return first;
  }
  std::mutex mutex;
  std::queue<int> values;
};

[[maybe_unused]] void of_check() {
  auto histories = linchpin::read_histories("queue.log", {});
  if (!histories) std::cerr << histories.error().to_string() << "\n";
  for (auto& history : *histories) {
    auto verdict = linchpin::check(*history, {});
    if (verdict && verdict->verdict == linchpin::Verdict::violation) std::puts("a violation");
  }
}

[[maybe_unused]] void of_research(const History& history) {
  linchpin::add_research_deciders();
  auto report = linchpin::check(history, {.decider = "wgl"});
}

[[maybe_unused]] void of_depth(const History& history) {
  auto depth = linchpin::measure_depth(history, {});
  if (depth && depth->objects[0].depth) std::cout << *depth->objects[0].depth;
}

[[maybe_unused]] void of_explain(const History& history, const CheckOptions& options) {
  auto verdict = linchpin::check(history, options);
  auto explanation = linchpin::explain_verdict(history, *verdict, options);
  for (const auto& object : explanation->objects) std::puts(object.sentence.c_str());
}

[[maybe_unused]] void of_page(const History& history, const HistoryVerdict& verdict, const CheckOptions& options) {
  auto page = linchpin::ReportPage::open("report.html");
  auto added = page->add("queue.log", history, verdict, options);
  auto closed = page->close();
  if (!added || !closed) std::puts("not written");
}

[[maybe_unused]] void of_stress_point(std::atomic<Node*>& top) {
  Node* first = top.load();
  linchpin::stress_point();  // between looking and acting
  if (top.compare_exchange_weak(first, first->next)) std::puts("taken");
}

[[maybe_unused]] void of_record(linchpin::Recorder& recorder) {
  if (auto written = recorder.write("queue.lch"); !written) std::cerr << written.error().to_string() << "\n";
}

TEST(HeaderExamples, BuildAHistory) {
  linchpin::HistoryBuilder builder;
  builder.add({.process = 0, .method = "enqueue", .arguments = {Value::integer(1)}, .call = 1, .response = 4});
  builder.add({.process = 1, .method = "dequeue", .result = Value::integer(1), .call = 2, .response = 3});
  Result<History> history = std::move(builder).build();
  ASSERT_TRUE(history);
  EXPECT_LINEARIZABLE(history, "queue");
  EXPECT_THAT(history, linchpin::IsLinearizable("queue"));
}

TEST(HeaderExamples, ReadFromMemory) {
  auto parsed = linchpin::parse_histories("# linchpin 1\n# type: queue\n0 1 2 dequeue -> 7\n");
  if (parsed && parsed->front()) std::cout << name(linchpin::check(*parsed->front())->verdict) << "\n";
  ASSERT_TRUE(parsed && parsed->front());
  EXPECT_THAT(parsed->front(), testing::Not(linchpin::IsLinearizable("queue")));
}

TEST(HeaderExamples, MakeValues) {
  ValuePool pool;
  Value a = Value::integer(7), b = pool.string("seven"), c = pool.list({a, b});
  std::string text = pool.to_text(c);
  EXPECT_EQ(text, "[7 seven]");
}

TEST(HeaderExamples, Record) {
  MyLockedQueue queue;
  linchpin::Recorder recorder("queue");
  const auto enqueue = recorder.method("enqueue"), dequeue = recorder.method("dequeue");
  // in each thread
  linchpin::ThreadLog& log = recorder.thread();
  log.record(
      enqueue, [&] { queue.push(7); }, 7);
  std::optional<int> value = log.record(dequeue, [&] { return queue.try_pop(); });
  EXPECT_EQ(value, 7);
  auto history = linchpin::history_of(recorder);
  auto verdict = linchpin::check(*history);
  EXPECT_EQ(verdict->verdict, linchpin::Verdict::linearizable);
}

struct Counter {
  using State = std::int64_t;
  enum Method : std::uint16_t { add, get };
  static constexpr std::array methods{linchpin::Method{"add", 1}, linchpin::Method{"get", 0}};
  static State initial() { return 0; }
  static bool step(State& state, const linchpin::Operation& operation) {
    if (operation.method == add) {
      state += operation.argument(0).integer();
      return true;
    }
    return operation.returns(linchpin::Value::integer(state));
  }
};

TEST(HeaderExamples, Specify) {
  auto specification = linchpin::specify<Counter>("counter");
  linchpin::HistoryBuilder builder;
  builder.add({.method = "add", .arguments = {Value::integer(2)}, .call = 1, .response = 2});
  builder.add({.method = "get", .result = Value::integer(2), .call = 3, .response = 4});
  EXPECT_LINEARIZABLE(std::move(builder).build(), specification);
}

TEST(HeaderExamples, StressWithOperationsOfOnesOwn) {
  linchpin::Operations<MyBox> operations;
  operations.add("write", [](MyBox& box, linchpin::Fresh value) { box.set(value); }).add("read", [](MyBox& box) {
    return box.get();
  });
  auto result =
      linchpin::stress("register initial=0", [] { return std::make_unique<MyBox>(0); }, operations, {.rounds = 20});
  EXPECT_TRUE(result.ok()) << result.to_string();
}

}  // namespace
// NOLINTEND

// Reading under limits: whatever an input holds, no reader takes much more than it may, and says so with a place.
// Inputs of some MB that become ten times as much, under limits of some MB.
#include <functional>
#include <stop_token>

#include <gtest/gtest.h>

#include "core/reading_limits.hpp"
#include "formats/binary/format.hpp"
#include "formats/reading_test.hpp"
#include "formats/source.hpp"

namespace linchpin {
namespace {

using formats::testing::read;

constexpr std::size_t kMega = std::size_t{1} << 20;

ReadOptions options_within(std::size_t bytes) {
  ReadOptions options;
  options.limits.memory = core::own_resident_bytes() + bytes;
  return options;
}

/// The last of what reading gives.
Error last_error(std::string_view format, const std::string& bytes, const ReadOptions& options) {
  auto results = read(format, bytes, options);
  EXPECT_FALSE(results.empty());
  if (results.empty()) return {};
  EXPECT_FALSE(results.back()) << format << " was read";
  return results.back() ? Error{} : results.back().error();
}

std::string repeated(std::string head, std::string_view part, std::size_t bytes, std::string_view tail) {
  head.reserve(bytes + 100);
  while (head.size() < bytes) head += part;
  head += tail;
  return head;
}

/// Rows, each of them a little different, up to that many bytes.
std::string rows(std::string head, std::size_t bytes, const std::function<std::string(std::size_t)>& row) {
  for (std::size_t i = 0; head.size() < bytes; ++i) head += row(i);
  return head;
}

struct Blowup {
  const char* name;
  const char* format;
  std::string bytes;
  std::uint64_t least_line;  // of the error
};

TEST(ReadingLimits, EveryReaderStopsAtTheLimit) {
#ifdef LINCHPIN_SANITIZED
  GTEST_SKIP() << "the sanitizer keeps freed memory resident, so that what a reader takes cannot be told";
#endif
  const auto number = [](std::size_t i) { return std::to_string(i); };
  const std::string text = "# linchpin 1\n# type: queue\n";
  const std::string header = "{\"linchpin\":1,\"type\":\"queue\"}\n";
  const std::vector<Blowup> inputs = {
      {"rows", "text", repeated(text, "- 1 2 d\n", 6 * kMega, ""), 1000},
      {"strings", "text", rows(text, 6 * kMega, [&](auto i) { return "- 1 2 e s" + number(i) + "\n"; }), 1000},
      {"one list", "text", repeated(text + "- 1 2 e [1", " 1", 6 * kMega, "]\n"), 3},
      {"arguments", "text", repeated(text + "- 1 2 e", " 1", 6 * kMega, "\n"), 3},
      {"lists in a list", "text",
       rows(text + "- 1 2 e [", 6 * kMega, [&](auto i) { return "[" + number(i) + "]"; }) + "]\n", 3},
      {"fields", "text",
       rows(text, kMega / 2,
            [&](auto i) { return i < 60 ? "- 1 2 @f" + number(i) + "=1 d\n" : std::string("- 1 2 d\n"); }),
       0},
      {"operations", "jsonl", repeated(header, "{\"call\":1,\"response\":2,\"method\":\"d\"}\n", 24 * kMega, ""), 1000},
      {"one document", "jsonl",
       repeated("{\"linchpin\":1,\"operations\":[[0,1,2,\"d\"]", ",[null,1,2,\"d\"]", 6 * kMega, "]}\n"), 1},
      {"one list", "jsonl",
       repeated(header + "{\"call\":1,\"response\":2,\"method\":\"e\",\"arguments\":[[1", ",1", 6 * kMega, "]]}\n"), 2},
      {"rows", "fastlin", repeated("# queue\n", "enq 1 2 3\n", 8 * kMega, ""), 1000},
      {"rows", "fptlin", repeated("# queue\n", "0 1 1 ENQ 1\n", 8 * kMega, ""), 1000},
      {"events", "violin",
       rows("# @object atomic-queue\n", 8 * kMega, [&](auto i) { return "[" + number(i) + "] call enq(1)\n"; }), 1000},
      {"events", "jepsen",
       rows("", 12 * kMega,
            [&](auto i) { return "{:process " + number(i) + " :type :invoke :f :write :value " + number(i) + "}\n"; }),
       1000},
      {"one value", "jepsen", repeated("{:process 0 :type :invoke :f :write :value [1", " 1", 6 * kMega, "]}\n"), 1},
      {"events", "jepsen-text",
       rows("", 16 * kMega, [&](auto i) { return "INFO  jepsen.util - " + number(i) + " :invoke :write 1\n"; }), 1000},
      {"events", "porcupine-kv",
       rows("", 16 * kMega,
            [&](auto i) {
              return "{:process " + number(i) + ", :type :invoke, :f :put, :key \"k\", :value \"" + number(i) + "\"}\n";
            }),
       1000},
      {"one document", "juc",
       rows("{\"schema\":{\"class\":\"Queue\"},\"events\":[", 6 * kMega,
            [&](auto i) {
              return std::string(i == 0 ? "" : ",") + "{\"kind\":\"call\",\"sid\":" + number(i) +
                     ",\"invocation\":{\"id\":" + number(i) + ",\"method\":{\"name\":\"poll\"},\"arguments\":[]}}";
            }) +
           "]}\n",
       1},
      {"one line", "thesis",
       rows("{\"ops\":[", 6 * kMega,
            [&](auto i) {
              return std::string(i == 0 ? "" : ",") + "{\"thread\":1,\"start\":" + number(i) + ",\"end\":" + number(i) +
                     ",\"type\":\"write\",\"args\":[1]}";
            }) +
           "]}\n",
       1}};
  for (const Blowup& input : inputs) {
    SCOPED_TRACE(std::string(input.format) + ": " + input.name);
    core::return_freed_memory();  // of making the inputs
    [[maybe_unused]] const std::size_t before = core::own_resident_bytes();
    // The reader has a copy of the input besides.
    const Error error = last_error(input.format, input.bytes, options_within(input.bytes.size() + 14 * kMega));
    EXPECT_EQ(name(error.code), "too_large") << error.to_string();
    EXPECT_GE(error.line, input.least_line) << error.to_string();
    EXPECT_NE(error.hint.find("--memory-limit"), std::string::npos) << error.to_string();
    EXPECT_EQ(error.source, "input");
    core::return_freed_memory();
#ifndef LINCHPIN_SANITIZED  // a sanitizer keeps what was freed
    EXPECT_LT(core::own_resident_bytes(), before + 8 * kMega) << "what was taken was not given back";
#endif
  }
}

TEST(ReadingLimits, BinaryColumnsAreCountedBeforeTheyAreCopied) {
  HistoryBuilder builder;
  for (int i = 0; i < 300'000; ++i) builder.add(kNoProcess, 0, builder.method("d"), Value::none(), 1, 2);
  std::string bytes;
  ASSERT_TRUE(formats::binary::write(*std::move(builder).build(), bytes));
  core::return_freed_memory();
  const Error error = last_error("binary", bytes, options_within(bytes.size() + 4 * kMega));
  EXPECT_EQ(error.code, ErrorCode::too_large) << error.to_string();
  EXPECT_TRUE(read("binary", bytes, options_within(bytes.size() + 64 * kMega)).front());
}

TEST(ReadingLimits, AnInputWithinTheLimitIsRead) {
  const std::string text = repeated("# linchpin 1\n# type: queue\n", "- 1 2 d\n", 2 * kMega, "");
  for (const ReadOptions& options : {options_within(256 * kMega), ReadOptions{}}) {
    const auto results = read("text", text, options);
    ASSERT_EQ(results.size(), 1U);
    EXPECT_TRUE(results[0]) << results[0].error().to_string();
  }
}

TEST(ReadingLimits, AnEndThatIsAskedForIsAnErrorOfItsOwn) {
  std::stop_source stop;
  stop.request_stop();
  ReadOptions options;
  options.limits.stop = stop.get_token();
  for (const char* format : {"text", "jsonl", "jepsen"}) {
    const Error error =
        last_error(format,
                   formats::testing::example(std::string(format) == "text"    ? "text/examples/queue.txt"
                                             : std::string(format) == "jsonl" ? "jsonl/examples/queue.jsonl"
                                                                              : "jepsen/examples/register.edn"),
                   options);
    EXPECT_EQ(name(error.code), "interrupted") << error.to_string();
  }
}

}  // namespace
}  // namespace linchpin

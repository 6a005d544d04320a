// Histories from memory are those of files. What formats and compressed streams say is tested with them
// (src/formats/source_test.cpp).
#include <string>

#include <gtest/gtest.h>

#include "linchpin/check.hpp"
#include "linchpin/parsing.hpp"

namespace linchpin {
namespace {

constexpr const char* kTwo =
    "{\"linchpin\":1,\"type\":\"queue\",\"operations\":[[0,1,2,\"enqueue\",[7]],[1,3,4,\"dequeue\",[],7]]}\n"
    "{\"linchpin\":1,\"type\":\"queue\",\"operations\":[[0,1,2,\"dequeue\",[],7]]}\n";

TEST(Parsing, GivesEveryHistoryOfTheBytes) {
  const auto histories = parse_histories(kTwo);
  ASSERT_TRUE(histories) << histories.error().to_string();
  ASSERT_EQ(histories->size(), 2U);
  EXPECT_EQ(check(**histories->begin())->verdict, Verdict::linearizable);
  EXPECT_EQ(check(*histories->at(1))->verdict, Verdict::violation);
  EXPECT_EQ(histories->at(1)->source(), "");
}

TEST(Parsing, ReadsBackWhatIsWrittenInEveryFormatThatIsWritten) {
  const auto histories = parse_histories(kTwo);
  ASSERT_TRUE(histories);
  for (const FormatSummary& format : list_formats()) {
    if (!format.writable) continue;
    const auto written = write_history(*histories->at(0), format.name);
    if (!written) continue;  // it cannot say this history
    ReadOptions options;
    options.format = format.name;
    options.type = TypeName{.name = "queue", .options = {}};
    const auto again = parse_histories(*written, options);
    ASSERT_TRUE(again) << format.name << ": " << again.error().to_string();
    ASSERT_EQ(again->size(), 1U) << format.name;
    ASSERT_TRUE(again->front()) << format.name << ": " << again->front().error().to_string();
    EXPECT_EQ(again->front()->size(), 2U) << format.name;
    EXPECT_EQ(check(*again->front())->verdict, Verdict::linearizable) << format.name;
  }
}

TEST(Parsing, SaysWhatIsWrongUnderTheNameGiven) {
  EXPECT_EQ(parse_histories("").error().code, ErrorCode::truncated);
  const auto unknown = parse_histories("no history", {}, "the body of a request");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::unknown_format);
  EXPECT_EQ(unknown.error().source, "the body of a request");
  const auto broken = parse_histories("# linchpin 1\n# type: queue\n0 5 1 dequeue -> 1\n", {}, "here");
  ASSERT_TRUE(broken);
  ASSERT_EQ(broken->size(), 1U);
  EXPECT_EQ(broken->front().error().code, ErrorCode::response_before_call);
  EXPECT_EQ(broken->front().error().line, 3U);
  EXPECT_EQ(broken->front().error().source, "here");
}

TEST(Parsing, KeepsToTheLimits) {
  ReadOptions options;
  options.limits.memory = 1;
  const auto histories = parse_histories(kTwo, options);
  const Error& error = histories ? histories->front().error() : histories.error();
  EXPECT_EQ(error.code, ErrorCode::too_large);
}

}  // namespace
}  // namespace linchpin

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/reading_test.hpp"

namespace linchpin {
namespace {

using ::testing::ElementsAre;
using namespace formats::testing;  // NOLINT(google-build-using-namespace)

TEST(PorcupineKv, ReadsTheExampleOfItsGrammarPage) {
  const History history = history_of("", example("porcupine_kv/examples/kv.txt"));
  EXPECT_EQ(history.objects()[0].type.to_string(), "map absent=empty-string");
  EXPECT_THAT(operations_of(history), ElementsAre("put(k, \"x 1\")@0-2", "get(k) -> \"\"@1-3",
                                                  "append(k, \"\\\"y\\\\\")@4-5", "get(\"0\") pending@6-"));
}

TEST(PorcupineKv, ReadsFieldsInAnyOrder) {
  EXPECT_EQ(history_of("porcupine-kv", "{:value \"v\" :key \"k\", :f :put :type :invoke, :process 3}\n").describe(0),
            "put(k, v) pending");
}

TEST(PorcupineKv, IsKnownBehindComments) {
  const std::string call = "{:process 0, :type :invoke, :f :put, :key \"k\", :value \"v\"}\n";
  for (const char* const comment : {"# a comment\n", "; a comment\n", "\n#\n  # {:f :get}\n"}) {
    const History history = history_of("", comment + call);
    EXPECT_EQ(history.objects()[0].type.to_string(), "map absent=empty-string") << comment;
    EXPECT_THAT(operations_of(history), ElementsAre("put(k, v) pending@0-")) << comment;
  }
}

TEST(PorcupineKv, RefusesWhatIsWrongWithItsPlace) {
  const std::string call = R"({:process 0, :type :invoke, :f :put, :key "k", :value "v"})"
                           "\n";
  expect_refused(
      "porcupine-kv",
      {{"Empty", "", ErrorCode::truncated, 0, 0},
       {"NotAMap", "hello\n", ErrorCode::syntax, 1, 1},
       {"Truncated", R"({:process 0, :type)", ErrorCode::truncated, 1, 19},
       {"MissingField", R"({:process 0, :type :invoke, :f :put, :key "k"})", ErrorCode::missing_field, 1, 1},
       {"FieldWithoutValue", R"({:process 0, :type})", ErrorCode::missing_field, 1, 19},
       {"FieldTwice", R"({:process 0, :process 0})", ErrorCode::syntax, 1, 14},
       {"UnknownField", R"({:time 0})", ErrorCode::syntax, 1, 2},
       {"WrongProcess", R"({:process x, :type :invoke, :f :put, :key "k", :value "v"})", ErrorCode::bad_number, 1, 11},
       {"ProcessOutOfRange", R"({:process 99999999999, :type :ok, :f :put, :key "k", :value "v"})",
        ErrorCode::bad_number, 1, 11},
       {"WrongMethod", R"({:process 0, :type :invoke, :f :cas, :key "k", :value "v"})", ErrorCode::unknown_method, 1,
        32},
       {"WrongType", R"({:process 0, :type :start, :f :put, :key "k", :value "v"})", ErrorCode::syntax, 1, 20},
       {"KeyNotAString", R"({:process 0, :type :invoke, :f :put, :key k, :value "v"})", ErrorCode::bad_arguments, 1,
        43},
       {"ValueNotAString", R"({:process 0, :type :invoke, :f :put, :key "k", :value nil})", ErrorCode::bad_arguments, 1,
        55},
       {"StringNotClosed", R"({:process 0, :type :invoke, :f :put, :key "k", :value "v})", ErrorCode::syntax, 1, 55},
       {"UnknownEscape", R"({:process 0, :type :invoke, :f :put, :key "\q", :value "v"})", ErrorCode::syntax, 1, 45},
       {"ReturnWithoutCall", R"({:process 0, :type :ok, :f :put, :key "k", :value "v"})",
        ErrorCode::return_without_call, 1, 1},
       {"OtherValue", call + R"({:process 0, :type :ok, :f :put, :key "k", :value "w"})",
        ErrorCode::return_without_call, 2, 1},
       {"TwoOpenInOneProcess", call + call, ErrorCode::overlapping_operations, 2, 1},
       {"NotUtf8", call + "\xff\n", ErrorCode::encoding, 2, 1}});
}

TEST(PorcupineKv, IsTotal) { expect_total("porcupine-kv", example("porcupine_kv/examples/kv.txt")); }

}  // namespace
}  // namespace linchpin

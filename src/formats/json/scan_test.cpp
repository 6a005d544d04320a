#include "formats/json/scan.hpp"

#include <gtest/gtest.h>

namespace linchpin::formats::json {
namespace {

TEST(JsonScan, AcceptsJson) {
  for (const std::string_view text :
       {"0", "-1.5e+3", " [ ] ", "{}", R"({"a":[1,{"b":null}],"c":"\\\"\u00e9"})", "[true,false]"}) {
    EXPECT_FALSE(first_fault(text)) << text;
  }
}

TEST(JsonScan, SaysWhereAndWhy) {
  struct Bad {
    std::string_view text;
    std::size_t offset;
    ErrorCode code;
  };
  for (const Bad& bad :
       {Bad{"", 0, ErrorCode::truncated}, Bad{"[1", 2, ErrorCode::truncated}, Bad{"[1,]", 3, ErrorCode::syntax},
        Bad{"{1:2}", 1, ErrorCode::syntax}, Bad{R"({"a" 1})", 5, ErrorCode::syntax},
        Bad{R"({"a":1]})", 6, ErrorCode::syntax}, Bad{"[1 2]", 3, ErrorCode::syntax},
        Bad{"01", 0, ErrorCode::bad_number}, Bad{"1.", 0, ErrorCode::bad_number}, Bad{"-", 0, ErrorCode::bad_number},
        Bad{"1e", 0, ErrorCode::bad_number}, Bad{"tru", 3, ErrorCode::truncated}, Bad{"truth", 0, ErrorCode::syntax},
        Bad{"1 2", 2, ErrorCode::syntax}, Bad{"\"a", 0, ErrorCode::truncated}, Bad{"\"\\x\"", 2, ErrorCode::syntax},
        Bad{"\"\\u12g4\"", 5, ErrorCode::syntax}, Bad{"\"\n\"", 1, ErrorCode::syntax}}) {
    const auto fault = first_fault(bad.text);
    ASSERT_TRUE(fault) << bad.text;
    EXPECT_EQ(fault->offset, bad.offset) << bad.text;
    EXPECT_EQ(name(fault->code), name(bad.code)) << bad.text;
  }
}

TEST(JsonScan, FindsMembersAndElements) {
  const std::string_view text = R"( {"a, b" : [1, "]," ,{"c":[2]}, -3 ], "d":{"e":"x"},"f":true})";
  const auto array = member_offset(text, 0, "a, b");
  ASSERT_TRUE(array);
  std::string found;
  for (const std::size_t offset : element_offsets(text, *array)) {
    found += std::string(text.substr(offset, skip_value(text, offset) - offset)) + "|";
  }
  EXPECT_EQ(found, R"(1|"],"|{"c":[2]}|-3|)");
  EXPECT_EQ(text.substr(member_offset(text, 0, "f").value_or(0)), "true}");
  EXPECT_EQ(text.substr(member_offset(text, member_offset(text, 0, "d").value_or(0), "e").value_or(0), 3), "\"x\"");
  EXPECT_FALSE(member_offset(text, 0, "c"));
  EXPECT_TRUE(element_offsets(text, 0).empty());
  EXPECT_TRUE(element_offsets("[ ]", 0).empty());
}

}  // namespace
}  // namespace linchpin::formats::json

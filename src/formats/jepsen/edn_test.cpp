#include "formats/jepsen/edn.hpp"

#include <gtest/gtest.h>

namespace linchpin::formats::jepsen::edn {
namespace {

/// The value of the first form in the native notation, or "error @offset".
std::string first(std::string_view text) {
  ValuePool pool;
  Reader reader(text);
  reader.set_pool(pool);
  Value value;
  const Token token = reader.next();
  if (!reader.value(token, value)) return "error @" + std::to_string(reader.fault().offset);
  return pool.to_text(value);
}

TEST(Edn, ReadsScalars) {
  EXPECT_EQ(first("nil"), "nil");
  EXPECT_EQ(first("true"), "true");
  EXPECT_EQ(first(" , 42"), "42");
  EXPECT_EQ(first("-7"), "-7");
  EXPECT_EQ(first("+7N"), "7");
  EXPECT_EQ(first("0x2f"), "47");
  EXPECT_EQ(first("9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(first("9223372036854775808"), "\"9223372036854775808\"");
  EXPECT_EQ(first("1.50"), "\"1.50\"");
  EXPECT_EQ(first("1e-3M"), "\"1e-3M\"");
  EXPECT_EQ(first("2/3"), "\"2/3\"");
  EXPECT_EQ(first(":read"), "read");
  EXPECT_EQ(first(":a/b"), "a/b");
  EXPECT_EQ(first("word"), "word");
  EXPECT_EQ(first("-"), "\"-\"");
  EXPECT_EQ(first("##NaN"), "\"##NaN\"");
}

TEST(Edn, ReadsTextAndCharacters) {
  EXPECT_EQ(first(R"("a b")"), "\"a b\"");
  EXPECT_EQ(first(R"("\t\n\"\\\u0041")"), R"("\t\n\"\\A")");
  EXPECT_EQ(first(R"("\ud83d\ude00")"), "\"\xf0\x9f\x98\x80\"");
  EXPECT_EQ(first("\\a"), "a");
  EXPECT_EQ(first("\\newline"), "\"\\n\"");
  EXPECT_EQ(first("\\u0041"), "A");
  EXPECT_EQ(first("[\\( \\)]"), "[\"(\" \")\"]");
  EXPECT_EQ(first("\\\xc3\xa9"), "\"\xc3\xa9\"");
}

TEST(Edn, ReadsCollections) {
  EXPECT_EQ(first("[1 [2 (3)] []]"), "[1 [2 [3]] []]");
  EXPECT_EQ(first("#{3 1 2}"), "[1 2 3]");
  EXPECT_EQ(first("{:b 1, :a 2}"), "[[a 2] [b 1]]");
}

TEST(Edn, PassesOverCommentsAndDiscardsAndKeepsTags) {
  EXPECT_EQ(first("; a comment\n 1"), "1");
  EXPECT_EQ(first("[1 #_ 2 3]"), "[1 3]");
  EXPECT_EQ(first("[1 #_ #_ 2 3 4]"), "[1 4]");
  EXPECT_EQ(first("[1 #_ [2 (3) {4 5}]]"), "[1]");
  EXPECT_EQ(first("#_ #tag {} 5"), "5");
  EXPECT_EQ(first("#inst \"2020\""), R"("#inst \"2020\"")");
  EXPECT_EQ(first("#a #b [1]"), "[1]");
  EXPECT_EQ(first("#a #b 1"), R"("#a #b 1")");
  EXPECT_EQ(first("#ordered/set (1 2)"), "[1 2]");
  EXPECT_EQ(first("[#a ;of it\n #_ 2 1 #a 1]"), R"(["#a 1" "#a 1"])");
  EXPECT_EQ(first("#jepsen.history.Op{:f 1}"), R"("#jepsen.history.Op [[f 1]]")");
}

TEST(Edn, SaysWhereItFails) {
  EXPECT_EQ(first(""), "error @0");
  EXPECT_EQ(first("  "), "error @2");
  EXPECT_EQ(first("[1 2"), "error @0");
  EXPECT_EQ(first("[1 2)"), "error @4");
  EXPECT_EQ(first("]"), "error @0");
  EXPECT_EQ(first("[1 {2 3 4}]"), "error @3");
  EXPECT_EQ(first("\"abc"), "error @0");
  EXPECT_EQ(first("\"abc\\"), "error @0");
  EXPECT_EQ(first(R"("a\q")"), "error @2");
  EXPECT_EQ(first(R"("\u00")"), "error @1");
  EXPECT_EQ(first(R"("\ud83d")"), "error @1");
  EXPECT_EQ(first("12ab"), "error @0");
  EXPECT_EQ(first("1/"), "error @0");
  EXPECT_EQ(first(":"), "error @0");
  EXPECT_EQ(first("[:]"), "error @1");
  EXPECT_EQ(first("#"), "error @0");
  EXPECT_EQ(first("[#tag]"), "error @1");
  EXPECT_EQ(first("[#_]"), "error @1");
  EXPECT_EQ(first("[#_ #_ 1]"), "error @1");
  EXPECT_EQ(first("\\abc"), "error @0");
}

TEST(Edn, NestingIsBounded) {
  EXPECT_EQ(first(std::string(64, '[') + std::string(64, ']')).size(), 128U);
  EXPECT_EQ(first(std::string(65, '[') + std::string(65, ']')), "error @64");
  EXPECT_EQ(first(std::string(1000000, '[')), "error @64");
  EXPECT_EQ(first(std::string(1000000, '{')), "error @32");
  std::string discards;
  for (int i = 0; i < 500000; ++i) discards += "#_";
  EXPECT_EQ(first(discards).substr(0, 5), "error");
  std::string tags;
  for (int i = 0; i < 500000; ++i) tags += "#t ";
  EXPECT_EQ(first(tags), "error @0");
}

TEST(Edn, PassesOverFormsOfAnyDepth) {
  ValuePool pool;
  const std::string text = std::string(1000000, '[') + std::string(1000000, ']') + " 5";
  Reader reader(text);
  reader.set_pool(pool);
  ASSERT_TRUE(reader.skip(reader.next()));
  Value value;
  ASSERT_TRUE(reader.value(reader.next(), value));
  EXPECT_EQ(value, Value::integer(5));
}

}  // namespace
}  // namespace linchpin::formats::jepsen::edn

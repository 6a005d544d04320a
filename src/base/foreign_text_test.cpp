#include "base/foreign_text.hpp"

#include <array>

#include <gtest/gtest.h>

namespace linchpin::base {
namespace {

TEST(ForeignText, LeavesAloneWhatShowsAsItself) {
  for (const char* const text :
       {"", "queue.log", "say \"hi\" \\ there", "Größe", "日本語", "العربية", "❤️", "\U0001F600"})
    EXPECT_EQ(foreign_text(text), text);
}

TEST(ForeignText, EscapesControlCharactersAndNewlines) {
  EXPECT_EQ(foreign_text("a\x1b[2Jb"), "a\\x1b[2Jb");
  EXPECT_EQ(foreign_text("one\ntwo\r\tthree"), "one\\ntwo\\r\\tthree");
  EXPECT_EQ(foreign_text(std::string("\0\x7f", 2)), "\\x00\\x7f");
  EXPECT_EQ(foreign_text("\u0085\u009b"), "\\xc2\\x85\\xc2\\x9b");  // of the second half, too
}

TEST(ForeignText, EscapesWhatTurnsOrHidesText) {
  EXPECT_EQ(foreign_text("\u202e"), "\\xe2\\x80\\xae");
  for (const char* const mark :
       {"\u061c", "\u200b", "\u200e", "\u200f", "\u202a", "\u202b", "\u202c",     "\u202d", "\u2066", "\u2067",
        "\u2068", "\u2069", "\u2028", "\u2029", "\ufeff", "\u00ad", "\U000e0041", "\ufffe", "\uffff", "\U0010ffff"}) {
    const std::string text = foreign_text(mark);
    EXPECT_TRUE(text.starts_with("\\x")) << text;
    EXPECT_EQ(text.size(), 4 * std::string_view(mark).size()) << text;
  }
}

TEST(ForeignText, EscapesBytesThatAreNoUtf8) {
  EXPECT_EQ(foreign_text("a\xff"), "a\\xff");
  EXPECT_EQ(foreign_text("\xc0\xaf"), "\\xc0\\xaf");                    // overlong
  EXPECT_EQ(foreign_text("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // a surrogate
  EXPECT_EQ(foreign_text("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // beyond the last
  EXPECT_EQ(foreign_text("\xe2\x82"), "\\xe2\\x82");                    // cut off
  EXPECT_EQ(foreign_text("\xe2\x82z"), "\\xe2\\x82z");
}

TEST(ForeignText, KeepsLinesAndTheSequencesThatAreOurs) {
  constexpr std::array<std::string_view, 2> kOurs{"\033[32m", "\033[0m"};
  EXPECT_EQ(foreign_lines("\033[32mgood\033[0m\n\tmore\033[31m\n", kOurs), "\033[32mgood\033[0m\n\tmore\\x1b[31m\n");
  EXPECT_EQ(foreign_lines("a\rb\u202e\xff"), "a\\rb\\xe2\\x80\\xae\\xff");
}

}  // namespace
}  // namespace linchpin::base

#include "formats/eight_bytes.hpp"

#include <random>
#include <string>

#include <gtest/gtest.h>

using linchpin::formats::bytes_before_blank;
using linchpin::formats::Digits;
using linchpin::formats::leading_digits;

namespace {

Digits digits_of(const std::string& text) { return leading_digits(text.data(), text.data() + text.size()); }

}  // namespace

TEST(EightBytes, ReadsNumbersOfEveryLengthBeforeAnyByteAndNearTheEnd) {
  std::mt19937_64 random(20261122);
  for (std::size_t length = 1; length <= 18; ++length) {
    for (int byte = 0; byte < 256; ++byte) {
      if (byte >= '0' && byte <= '9') continue;
      std::string number;
      for (std::size_t i = 0; i < length; ++i) number += static_cast<char>('0' + random() % 10);
      for (const std::size_t after : {0, 1, 6, 7, 8, 20}) {
        std::string text = number;
        if (after > 0) text += static_cast<char>(byte);
        while (text.size() < length + after) text += static_cast<char>(random());
        const Digits found = digits_of(text);
        EXPECT_EQ(found.length, length) << text;
        EXPECT_EQ(std::to_string(found.number), std::to_string(std::stoull(number))) << text;
      }
    }
  }
}

TEST(EightBytes, FindsNoNumberAndSaysWhereOneIsTooLong) {
  EXPECT_EQ(digits_of("").length, 0U);
  EXPECT_EQ(digits_of("-1 2 3 4 5").length, 0U);
  EXPECT_EQ(digits_of("x").length, 0U);
  EXPECT_EQ(digits_of("1234567890123456789").length, 19U);
  EXPECT_EQ(digits_of("99999999999999999999999999999999 1 2 3 4").length, 19U);
}

TEST(EightBytes, FindsTheFirstBlank) {
  const std::string text = "push\t12345678 x";
  const char* const end = text.data() + text.size();
  EXPECT_EQ(bytes_before_blank(text.data(), end), 4U);
  EXPECT_EQ(bytes_before_blank(text.data() + 4, end), 0U);
  EXPECT_EQ(bytes_before_blank(text.data() + 5, end), 8U);   // none among the eight
  EXPECT_EQ(bytes_before_blank(text.data() + 10, end), 0U);  // too near the end to tell
}

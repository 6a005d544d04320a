#include "base/base64.hpp"

#include <array>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace linchpin::base {
namespace {

TEST(Base64, SaysWhatTheStandardSays) {
  const std::array<std::pair<std::string, std::string>, 7> table{{{"", ""},
                                                                  {"f", "Zg=="},
                                                                  {"fo", "Zm8="},
                                                                  {"foo", "Zm9v"},
                                                                  {"foob", "Zm9vYg=="},
                                                                  {"fooba", "Zm9vYmE="},
                                                                  {"foobar", "Zm9vYmFy"}}};
  for (const auto& [bytes, digits] : table) {
    EXPECT_EQ(to_base64(bytes), digits);
    EXPECT_EQ(from_base64(digits), bytes);
  }
}

TEST(Base64, KeepsEveryByte) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  EXPECT_EQ(from_base64(to_base64(bytes)), bytes);
}

}  // namespace
}  // namespace linchpin::base

// Parts of pages that are made from the code: compared with what the code says, or written (LINCHPIN_BLESS).
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace linchpin::documentation {

/// Expects `expected` to stand at [begin, end) of `page`, which is the file's content. With LINCHPIN_BLESS set it
/// writes it there instead.
inline void expect_generated(const std::filesystem::path& path, std::string page, std::size_t begin, std::size_t end,
                             const std::string& expected) {
  if (std::getenv("LINCHPIN_BLESS") != nullptr) {
    page.replace(begin, end - begin, expected);
    std::ofstream(path, std::ios::binary) << page;
    return;
  }
  EXPECT_EQ(page.substr(begin, end - begin), expected) << "LINCHPIN_BLESS=1 writes it";
}

}  // namespace linchpin::documentation

// What the tests of readers share.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/format.hpp"
#include "formats/read.hpp"
#include "linchpin/check.hpp"

namespace linchpin::formats::testing {

/// Every history of `bytes`; an empty format: by content.
inline std::vector<Result<History>> read(std::string_view format, const std::string& bytes, ReadOptions options = {}) {
  options.format = format;
  // A heap copy of the exact size: a reader that looks one byte too far is caught by the address sanitizer.
  const std::vector<char> copy(bytes.begin(), bytes.end());
  const core::Source source{.name = "input", .bytes = {copy.data(), copy.size()}};
  std::vector<Result<History>> histories;
  const auto done = read_source(source, options, [&histories](Result<History> history) {
    histories.push_back(std::move(history));
    return true;
  });
  if (!done) histories.emplace_back(done.error());
  return histories;
}

/// The only history of `bytes`.
inline History history_of(std::string_view format, const std::string& bytes, const ReadOptions& options = {}) {
  auto histories = read(format, bytes, options);
  EXPECT_EQ(histories.size(), 1U);
  if (histories.empty()) return {};
  EXPECT_TRUE(histories[0]) << histories[0].error().to_string();
  return histories[0] ? std::move(*histories[0]) : History();
}

/// The error that reading `bytes` gives.
inline Error error_of(std::string_view format, const std::string& bytes, const ReadOptions& options = {}) {
  auto histories = read(format, bytes, options);
  EXPECT_EQ(histories.size(), 1U);
  if (histories.empty()) return {};
  EXPECT_FALSE(histories[0]) << "read without an error: " << bytes;
  return histories[0] ? Error{} : histories[0].error();
}

/// The name of the format that recognises the bytes; empty: none.
inline std::string detected(std::string_view bytes) {
  const core::Format* const format = core::detect_format(bytes);
  return format == nullptr ? std::string() : std::string(format->name);
}

inline std::string content_of_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

/// A file below src/formats.
inline std::string example(const std::string& path) {
  return content_of_file(std::filesystem::path(LINCHPIN_SOURCE_DIR) / "src/formats" / path);
}

/// The corpus of recorded histories, where the environment names one.
inline std::filesystem::path corpus() {
  const char* const path = std::getenv("LINCHPIN_CORPUS");
  return path == nullptr ? std::filesystem::path() : std::filesystem::path(path);
}

}  // namespace linchpin::formats::testing

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
#include "support/paths.hpp"

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

/// An input that a reader must refuse, and where.
struct BadInput {
  const char* name;
  std::string bytes;
  ErrorCode code;
  std::uint64_t line;
  std::uint64_t column;
};

/// Reads each input and holds the error against the expected code and place; each error has a message and a hint.
inline void expect_refused(std::string_view format, const std::vector<BadInput>& inputs) {
  for (const BadInput& input : inputs) {
    SCOPED_TRACE(input.name);
    const Error error = error_of(format, input.bytes);
    EXPECT_EQ(name(error.code), name(input.code)) << error.to_string();
    EXPECT_EQ(error.line, input.line) << error.to_string();
    EXPECT_EQ(error.column, input.column) << error.to_string();
    EXPECT_EQ(error.source, "input");
    EXPECT_FALSE(error.message.empty());
    EXPECT_FALSE(error.hint.empty()) << error.to_string();
  }
}

/// Every prefix of `whole`, and `whole` with each byte replaced by some others, gives histories or errors with a place.
inline void expect_total(std::string_view format, const std::string& whole) {
  const auto check = [format](const std::string& bytes) {
    for (const auto& result : read(format, bytes)) {
      if (result) continue;
      EXPECT_TRUE(bytes.empty() || result.error().line > 0) << result.error().to_string() << "\n" << bytes;
      EXPECT_FALSE(result.error().message.empty());
    }
  };
  for (std::size_t length = 0; length <= whole.size(); ++length) check(whole.substr(0, length));
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const char byte : {'\0', '\n', ' ', '"', '[', ']', '{', '}', '9', '-', '\xff', '#', ':'}) {
      std::string changed = whole;
      changed[at] = byte;
      check(changed);
    }
  }
}

/// The operations, one description each, with ticks: "enq(1)@1-2".
inline std::vector<std::string> operations_of(const History& history) {
  std::vector<std::string> descriptions;
  for (OperationIndex i = 0; i < history.size(); ++i) {
    descriptions.push_back(history.describe(i) + "@" + std::to_string(history.call(i)) + "-" +
                           (history.pending(i) ? "" : std::to_string(history.response(i))));
  }
  return descriptions;
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
  return content_of_file(test::source_folder() / "src/formats" / path);
}

/// The corpus of recorded histories, where the environment names one.
inline std::filesystem::path corpus() {
  const char* const path = std::getenv("LINCHPIN_CORPUS");
  return path == nullptr ? std::filesystem::path() : std::filesystem::path(path);
}

}  // namespace linchpin::formats::testing

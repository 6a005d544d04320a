// The folder of histories with known verdicts, which the environment variable LINCHPIN_CORPUS names.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>

#include <gtest/gtest.h>

namespace linchpin::test {

inline std::optional<std::filesystem::path> corpus() {
  const char* const path = std::getenv("LINCHPIN_CORPUS");
  if (path == nullptr || !std::filesystem::is_directory(path)) return std::nullopt;
  return std::filesystem::path(path);
}

}  // namespace linchpin::test

#define CORPUS_OR_SKIP(name)                                        \
  const std::optional<std::filesystem::path> name = test::corpus(); \
  if (!name) GTEST_SKIP() << "LINCHPIN_CORPUS does not name the folder of the corpus"

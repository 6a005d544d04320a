// The labels of a file of java.util.concurrent histories: one compressed JSON document a line, with "linearizable".
#pragma once

#include <array>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <zlib.h>
#include <nlohmann/json.hpp>

namespace linchpin::contract {

/// The lines of such a file, compressed or not; none where it cannot be read.
inline std::vector<std::string> java_lines(const std::filesystem::path& path) {
  std::string content;
  gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) return {};
  std::array<char, 1 << 16> buffer{};
  for (int read = 0; (read = gzread(file, buffer.data(), buffer.size())) > 0;) {
    content.append(buffer.data(), static_cast<std::size_t>(read));
  }
  gzclose(file);
  std::vector<std::string> found;
  std::istringstream lines(content);
  for (std::string line; std::getline(lines, line);) found.push_back(std::move(line));
  return found;
}

inline std::vector<bool> labels(const std::filesystem::path& path) {
  std::vector<bool> found;
  for (const std::string& line : java_lines(path)) {
    found.push_back(nlohmann::json::parse(line)["linearizable"].get<bool>());
  }
  return found;
}

}  // namespace linchpin::contract

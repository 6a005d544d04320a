// The documentation as the tests read it: pages, their fenced blocks, their links.
#pragma once

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "support/paths.hpp"

namespace linchpin::documentation {

inline std::filesystem::path root() { return test::source_folder(); }

inline std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Every page, by its path below the root, ascending.
inline std::vector<std::string> pages() {
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(root())) {
    if (entry.path().extension() == ".md") found.push_back(entry.path().filename().string());
  }
  for (const char* const folder : {"docs", "examples", "src"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root() / folder)) {
      if (entry.path().extension() == ".md") found.push_back(entry.path().lexically_relative(root()).string());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// What stands between two lines of three backticks.
struct Block {
  int line = 0;          ///< of the first backticks
  std::string language;  ///< what follows them: "cpp", "console", ...
  std::vector<std::string> lines;
};

/// A line of backticks opens or closes a block; in a list it is indented, and so is what is in it.
inline bool is_fence(std::string_view line) {
  return line.substr(std::min(line.find_first_not_of(' '), line.size())).starts_with("```");
}

inline std::vector<Block> blocks_of(const std::string& page) {
  std::vector<Block> blocks;
  std::ifstream file(root() / page);
  bool inside = false;
  std::size_t indentation = 0;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (is_fence(line)) {
      inside = !inside;
      if (!inside) continue;
      indentation = line.find('`');
      blocks.push_back({.line = number, .language = line.substr(indentation + 3), .lines = {}});
    } else if (inside) {
      blocks.back().lines.push_back(line.substr(std::min(indentation, line.size())));
    }
  }
  return blocks;
}

struct Link {
  int line = 0;
  std::string target;  ///< as written
};

/// The links to files of the repository: [text](target), outside of blocks and of code in a line.
inline std::vector<Link> links_of(const std::string& page) {
  std::vector<Link> links;
  std::ifstream file(root() / page);
  bool block = false;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (is_fence(line)) block = !block;
    if (block || line.starts_with("    ")) continue;
    bool code = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '`') code = !code;
      if (code || !std::string_view(line).substr(i).starts_with("](")) continue;
      std::string target = line.substr(i + 2, line.find(')', i) - i - 2);
      if (target.find("://") == std::string::npos) links.push_back({.line = number, .target = std::move(target)});
    }
  }
  return links;
}

/// The names in backticks of a line or a cell of a table.
inline std::set<std::string> names_in(std::string_view text) {
  std::set<std::string> names;
  for (std::size_t at = text.find('`'); at != std::string_view::npos;) {
    const std::size_t end = text.find('`', at + 1);
    names.emplace(text.substr(at + 1, end - at - 1));
    at = end == std::string_view::npos ? end : text.find('`', end + 1);
  }
  return names;
}

/// Whether the text has the name in backticks.
inline bool names(const std::string& text, std::string_view name) {
  return text.find("`" + std::string(name) + "`") != std::string::npos;
}

/// A page's path as the name of a test.
inline std::string test_name(std::string page) {
  for (char& c : page) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return page;
}

}  // namespace linchpin::documentation

// Code in the pages is code that is compiled and run: each block of C++, C or CMake stands, line for line, in a file of
// examples/, src/, tests/ or include/. (Other languages' are run by their own tests in bindings/.) A line of
// "// ..." leaves out what is between.
#include <gtest/gtest.h>

#include "documentation/markdown.hpp"

namespace linchpin {
namespace {

std::string trimmed(std::string_view line) {
  const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  const std::size_t end = line.find_last_not_of(" \t\r") + 1;
  return std::string(line.substr(begin, std::max(begin, end) - begin));
}

/// A file's lines that are not empty, without the blanks around them.
std::string lines_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string text = "\n";
  for (std::string line; std::getline(file, line);) {
    if (const std::string bare = trimmed(line); !bare.empty()) text += bare + "\n";
  }
  return text;
}

/// Where a block's text may come from.
const std::vector<std::string>& compiled() {
  static const std::vector<std::string> texts = [] {
    std::vector<std::string> found;
    for (const char* const folder : {"examples", "src", "tests", "include", "fuzz"}) {
      for (const auto& entry : std::filesystem::recursive_directory_iterator(documentation::root() / folder)) {
        const std::string extension = entry.path().extension().string();
        if (extension == ".cpp" || extension == ".hpp" || extension == ".c" || extension == ".h" ||
            entry.path().filename() == "CMakeLists.txt") {
          found.push_back(lines_of(entry.path()));
        }
      }
    }
    return found;
  }();
  return texts;
}

/// The pieces of a block, in the order in which one file must have them.
std::vector<std::string> pieces_of(const documentation::Block& block) {
  std::vector<std::string> pieces = {"\n"};
  for (const std::string& line : block.lines) {
    const std::string bare = trimmed(line);
    if (bare == "// ...") {
      pieces.emplace_back("\n");
    } else if (!bare.empty()) {
      pieces.back() += bare + "\n";
    }
  }
  std::erase(pieces, "\n");
  return pieces;
}

bool holds(const std::string& text, const std::vector<std::string>& pieces) {
  std::size_t at = 0;
  for (const std::string& piece : pieces) {
    at = text.find(piece, at);
    if (at == std::string::npos) return false;
    at += piece.size() - 1;  // the next piece begins with the end of this one's last line
  }
  return true;
}

TEST(Documentation, CodeIsCompiled) {
  int blocks = 0;
  for (const std::string& page : documentation::pages()) {
    for (const documentation::Block& block : documentation::blocks_of(page)) {
      if (block.language != "cpp" && block.language != "c" && block.language != "cmake") continue;
      ++blocks;
      const std::vector<std::string> pieces = pieces_of(block);
      EXPECT_FALSE(pieces.empty()) << page << ':' << block.line;
      const bool found = std::any_of(compiled().begin(), compiled().end(),
                                     [&](const std::string& text) { return holds(text, pieces); });
      EXPECT_TRUE(found) << page << ':' << block.line << ": no file has these lines";
    }
  }
  EXPECT_GT(blocks, 5);
}

/// Where a reader of the pages cannot tell that a block is untested, there is none.
TEST(Documentation, BlocksSayWhatTheyAre) {
  const std::vector<std::string> known = {"",        "c",  "clojure", "cmake",  "console", "cpp",
                                          "example", "go", "json",    "python", "rust",    "sh"};
  for (const std::string& page : documentation::pages()) {
    for (const documentation::Block& block : documentation::blocks_of(page)) {
      EXPECT_NE(std::find(known.begin(), known.end(), block.language), known.end())
          << page << ':' << block.line << ": " << block.language;
    }
  }
}

}  // namespace
}  // namespace linchpin

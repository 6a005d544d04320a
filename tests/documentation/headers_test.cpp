// The examples at the heads of the public headers are compiled (header_examples.cpp), in the order of their lines.
#include <gtest/gtest.h>

#include "documentation/markdown.hpp"

namespace linchpin {
namespace {

std::string without_blanks(std::string text) {
  std::erase_if(text, [](unsigned char letter) { return std::isspace(letter) != 0; });
  return text;
}

/// The lines of code at a header's head: comments with an indentation of their own, up to what they leave out.
std::vector<std::string> example_of(const std::filesystem::path& header) {
  std::vector<std::string> lines;
  std::ifstream file(header);
  for (std::string line; std::getline(file, line) && line != "#pragma once";) {
    if (!line.starts_with("//   ") && !lines.empty() && line != "//") break;  // the example is over
    if (!line.starts_with("//   ")) continue;
    std::string code = line.substr(2);
    if (const auto comment = code.find("  //"); comment != std::string::npos) code.resize(comment);
    if (const auto rest = code.find("..."); rest != std::string::npos) code.resize(rest);
    if (!without_blanks(code).empty() && !without_blanks(code).starts_with("//")) lines.push_back(without_blanks(code));
  }
  return lines;
}

TEST(Documentation, ExamplesOfHeadersAreCompiled) {
  const std::string compiled =
      without_blanks(documentation::content_of(documentation::root() / "tests/documentation/header_examples.cpp"));
  for (const char* const name : {"check", "depth", "error", "explain", "history", "page", "parsing", "record",
                                 "recorded", "research", "specification", "stress_point", "value"}) {
    const std::vector<std::string> lines =
        example_of(documentation::root() / "include/linchpin" / (std::string(name) + ".hpp"));
    EXPECT_GT(lines.size(), 1U) << name;
    for (const std::string& line : lines) {
      EXPECT_NE(compiled.find(line), std::string::npos) << "linchpin/" << name << ".hpp: " << line;
    }
  }
}

}  // namespace
}  // namespace linchpin

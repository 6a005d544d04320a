// What the pages point at is there.
#include <gtest/gtest.h>

#include "documentation/markdown.hpp"

namespace linchpin {
namespace {

/// The anchor that readers of Markdown give a heading: lower case, blanks as hyphens, no punctuation.
std::string anchor_of(std::string_view heading) {
  std::string anchor;
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '-' || c == '_' || byte >= 0x80) {
      anchor += static_cast<char>(std::tolower(byte));
    } else if (c == ' ') {
      anchor += '-';
    }
  }
  return anchor;
}

bool has_heading(const std::filesystem::path& page, const std::string& anchor) {
  std::ifstream file(page);
  bool block = false;
  for (std::string line; std::getline(file, line);) {
    if (documentation::is_fence(line)) block = !block;
    if (block || !line.starts_with('#')) continue;
    if (anchor_of(line.substr(line.find_first_not_of("# "))) == anchor) return true;
  }
  return false;
}

TEST(Documentation, LinksLeadSomewhere) {
  int links = 0;
  for (const std::string& page : documentation::pages()) {
    for (const documentation::Link& link : documentation::links_of(page)) {
      ++links;
      const std::size_t hash = std::min(link.target.find('#'), link.target.size());
      const std::filesystem::path here = documentation::root() / page;
      const std::filesystem::path target = hash == 0 ? here : here.parent_path() / link.target.substr(0, hash);
      EXPECT_TRUE(std::filesystem::exists(target)) << page << ':' << link.line << ": " << link.target;
      if (hash < link.target.size()) {
        EXPECT_TRUE(has_heading(target, link.target.substr(hash + 1)))
            << page << ':' << link.line << ": no heading " << link.target;
      }
    }
  }
  EXPECT_GT(links, 50);
}

/// Every page below docs can be reached from the README.
TEST(Documentation, IsReachedFromTheReadme) {
  std::vector<std::filesystem::path> reached = {"README.md"};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    if (reached[i].extension() != ".md") continue;
    for (const documentation::Link& link : documentation::links_of(reached[i].string())) {
      const std::string target = link.target.substr(0, link.target.find('#'));
      if (target.empty()) continue;
      const std::filesystem::path path = (reached[i].parent_path() / target).lexically_normal();
      if (std::find(reached.begin(), reached.end(), path) == reached.end()) reached.push_back(path);
    }
  }
  for (const std::string& page : documentation::pages()) {
    EXPECT_TRUE(std::find(reached.begin(), reached.end(), page) != reached.end()) << page << " is linked from nowhere";
  }
}

}  // namespace
}  // namespace linchpin

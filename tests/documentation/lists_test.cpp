// What the pages list is what the library has: formats and versions (types: types_test.cpp; deciders:
// deciders_test.cpp).
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/format.hpp"
#include "documentation/markdown.hpp"
#include "formats/reading_test.hpp"
#include "linchpin.h"

namespace linchpin {
namespace {

/// The newest released version in the changelog is that of the library; above it stands what is not released yet.
TEST(Documentation, ChangelogHasThisVersionAfterWhatIsUnreleased) {
  std::ifstream file(documentation::root() / "CHANGELOG.md");
  std::vector<std::string> headings;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("## ")) headings.push_back(line.substr(3));
  }
  ASSERT_GE(headings.size(), 2U);
  EXPECT_EQ(headings[0], "Unreleased");
  EXPECT_TRUE(headings[1].starts_with(std::string(linchpin_version()) + " (")) << headings[1];
}

TEST(Documentation, HasAPageForEveryFormat) {
  std::set<std::string> pages;
  for (const auto& entry : std::filesystem::directory_iterator(documentation::root() / "docs/formats")) {
    if (entry.path().stem() != "README") pages.insert(entry.path().stem().string());
  }
  std::set<std::string> formats;
  const std::string index = documentation::content_of(documentation::root() / "docs/formats/README.md");
  for (const core::Format& format : core::formats()) {
    formats.insert(std::string(format.name));
    const bool writes = format.write != nullptr;
    EXPECT_NE(index.find(fmt::format("| [`{0}`]({0}.md) | {1} |", format.name, writes ? "read, written" : "read")),
              std::string::npos)
        << format.name << (writes ? " is written" : " is read only");
  }
  // How recordings of a kind are written in a native format.
  EXPECT_EQ(pages.erase("mit-6.5840"), 1U);
  EXPECT_EQ(pages, formats);
}

/// A block marked `example` on a format's page is recognised as that format and read.
TEST(Documentation, ExamplesOfFormatsAreRead) {
  std::set<std::string> with_example;
  for (const std::string& page : documentation::pages()) {
    if (!page.starts_with("docs/formats/")) continue;
    const std::string format = std::filesystem::path(page).stem().string();
    for (const documentation::Block& block : documentation::blocks_of(page)) {
      if (block.language != "example") continue;
      with_example.insert(format);
      std::string text;
      for (const std::string& line : block.lines) text += line + "\n";
      EXPECT_EQ(formats::testing::detected(text), format) << page << ':' << block.line;
      for (const Result<History>& history : formats::testing::read("", text)) {
        EXPECT_TRUE(history) << page << ':' << block.line << ": " << history.error().to_string();
        if (history) {
          EXPECT_GT(history->size(), 0U) << page << ':' << block.line;
        }
      }
    }
  }
  EXPECT_EQ(with_example.size() + 1, core::formats().size()) << "all but the binary one are texts";
}

}  // namespace
}  // namespace linchpin

// The table in docs/deciding.md is written from the registry of deciders. With LINCHPIN_BLESS set the test writes it.
#include <algorithm>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "decide/choose.hpp"
#include "documentation/generated.hpp"
#include "documentation/markdown.hpp"

namespace linchpin {
namespace {

constexpr std::string_view kBegin = "<!-- deciders: written by ./dev test --bless -->\n";
constexpr std::string_view kEnd = "<!-- end of deciders -->\n";

/// The text with paths of files as links from a page of docs/.
std::string with_links(std::string_view text) {
  static const std::regex kPath("(?:(docs/)|(?:src|include)/)[A-Za-z0-9_/.-]*[A-Za-z0-9_]");
  std::string linked;
  std::string rest(text);
  for (std::smatch found; std::regex_search(rest, found, kPath); rest = found.suffix()) {
    const std::string path = found.str();
    const std::string target = found[1].matched ? path.substr(found[1].length()) : "../" + path;
    linked += found.prefix().str() + fmt::format("[{}]({})", path, target);
  }
  return linked + rest;
}

/// Deciders that differ in their names and types only share a row, in the place of the first.
struct Row {
  std::string names, types;
  core::Description about;
};

std::vector<Row> rows() {
  std::vector<Row> rows;
  for (const core::Decider* const decider : decide::all_deciders()) {
    const core::Description& about = decider->about;
    const auto same = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
      return row.about.when == about.when && row.about.method == about.method && row.about.cost == about.cost &&
             row.about.source == about.source;
    });
    if (same == rows.end()) {
      rows.push_back({fmt::format("`{}`", decider->name), std::string(about.types), about});
    } else {
      same->names += fmt::format(", `{}`", decider->name);
      if (about.types != same->about.types) same->types += fmt::format(", {}", about.types);
    }
  }
  return rows;
}

std::string expected_table() {
  std::string table = "| decider | types | where it applies | how | cost | source |\n|---|---|---|---|---|---|\n";
  for (const auto& [names, types, about] : rows()) {
    table += with_links(fmt::format("| {} | {} | {} | {} | {} | {} |\n", names, types, about.when, about.method,
                                    about.cost, about.source));
  }
  return table;
}

TEST(Documentation, HasTheTableOfDeciders) {
  const std::filesystem::path path = documentation::root() / "docs/deciding.md";
  const std::string page = documentation::content_of(path);
  const std::size_t begin = page.find(kBegin) + kBegin.size();
  const std::size_t end = page.find(kEnd);
  ASSERT_NE(page.find(kBegin), std::string::npos);
  ASSERT_NE(end, std::string::npos);
  documentation::expect_generated(path, page, begin, end, expected_table());
}

/// A row that says nothing is no row.
TEST(Documentation, DescribesEveryDecider) {
  for (const core::Decider* const decider : decide::all_deciders()) {
    const core::Description& about = decider->about;
    for (const std::string_view cell : {about.types, about.when, about.method, about.cost, about.source}) {
      EXPECT_FALSE(cell.empty()) << decider->name;
      EXPECT_EQ(cell.find_first_of("|\n"), std::string_view::npos) << decider->name << ": " << cell;
    }
  }
}

}  // namespace
}  // namespace linchpin

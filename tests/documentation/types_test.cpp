// The pages of types name what the types understand, and nothing else.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <vector>

#include <gtest/gtest.h>

#include "core/data_type.hpp"
#include "core/decider.hpp"
#include "documentation/markdown.hpp"

namespace linchpin {
namespace {

using documentation::names_in;

/// The names before "=" in "name=values; name=values".
std::set<std::string> option_names(std::string_view options) {
  std::set<std::string> names;
  while (options.find('=') != std::string_view::npos) {
    names.emplace(options.substr(0, options.find('=')));
    options.remove_prefix(std::min(options.find("; "), options.size()));
    options.remove_prefix(std::min<std::size_t>(2, options.size()));
  }
  return names;
}

/// Rows of the table under a heading, cells by column.
std::vector<std::vector<std::string>> table(const std::string& readme, std::string_view heading) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(readme.substr(std::min(readme.find(heading), readme.size())));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line) && !line.starts_with("## ")) {
    if (!line.starts_with("| `")) continue;
    std::vector<std::string> cells;
    std::istringstream row(line.substr(1));
    for (std::string cell; std::getline(row, cell, '|');) cells.push_back(cell);
    rows.push_back(std::move(cells));
  }
  return rows;
}

/// What the page says is what the code has: no method, alias or option more, and none less.
TEST(Documentation, OfATypeNamesMethodsAliasesAndOptions) {
  const std::filesystem::path types = documentation::root() / "src" / "types";
  for (const core::DataType& type : core::data_types()) {
    std::string folder(type.name);
    std::replace(folder.begin(), folder.end(), '-', '_');
    if (!std::filesystem::exists(types / folder)) continue;  // the Java classes share a folder
    SCOPED_TRACE(folder);
    const std::string readme = documentation::content_of(types / folder / "README.md");
    ASSERT_FALSE(readme.empty());
    const auto specification = type.make({.name = std::string(type.name), .options = {}});
    ASSERT_TRUE(specification);

    std::map<std::string, std::set<std::string>> said;
    for (const auto& cells : table(readme, "## Methods")) {
      const std::string call = *names_in(cells[0]).begin();
      said[call.substr(0, call.find('('))] = names_in(cells[1]);
    }
    std::map<std::string, std::set<std::string>> there;
    for (const Method& method : (*specification)->methods()) {
      std::istringstream aliases{std::string(method.aliases)};
      there[std::string(method.name)] = {std::istream_iterator<std::string>(aliases), {}};
    }
    EXPECT_EQ(said, there);

    std::set<std::string> options;
    for (const auto& cells : table(readme, "## Options")) options.merge(names_in(cells[0]));
    EXPECT_EQ(options, option_names(type.options));
  }
}

TEST(Documentation, OfTheJavaClassesNamesThem) {
  const std::string readme = documentation::content_of(documentation::root() / "src/types/juc/README.md");
  for (const core::DataType& type : core::data_types()) {
    if (!type.aliases.starts_with("java.util.concurrent.")) continue;
    EXPECT_TRUE(documentation::names(readme, type.name)) << type.name;
  }
}

TEST(Documentation, HasARowForEveryType) {
  const std::string page = documentation::content_of(documentation::root() / "docs/types.md");
  std::map<std::string, std::set<std::string>> rows;  // the options of each
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| [`")) continue;
    std::istringstream cells(line);
    std::string cell;
    for (int column = 0; column < 4; ++column) std::getline(cells, cell, '|');  // "", type, aliases, options
    rows[line.substr(4, line.find('`', 4) - 4)] = names_in(cell);
  }
  std::map<std::string, std::set<std::string>> types;
  for (const core::DataType& type : core::data_types()) {
    if (!type.aliases.starts_with("java.util.concurrent.")) {
      types[std::string(type.name)] = option_names(type.options);
    }
    EXPECT_TRUE(documentation::names(page, type.name)) << type.name;
    std::istringstream aliases{std::string(type.aliases)};
    for (std::string alias; aliases >> alias;) {
      if (!alias.starts_with("java.util.concurrent.")) {
        EXPECT_TRUE(documentation::names(page, alias)) << type.name << ": " << alias;
      }
    }
  }
  EXPECT_EQ(rows, types);
}

/// The page of a type names its own monitors, so each monitor is on one.
TEST(Documentation, OfTypesNamesEveryMonitor) {
  std::string pages;
  for (const std::string& page : documentation::pages()) {
    if (page.starts_with("src/types/")) pages += documentation::content_of(documentation::root() / page);
  }
  for (const std::span<const core::Decider> list : {core::monitors(), core::lifts()}) {
    for (const core::Decider& decider : list) EXPECT_TRUE(documentation::names(pages, decider.name)) << decider.name;
  }
}

}  // namespace
}  // namespace linchpin

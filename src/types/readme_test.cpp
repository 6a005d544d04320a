// A type's README names all that the type understands.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/data_type.hpp"

namespace linchpin {
namespace {

TEST(Readme, NamesEveryMethodAliasAndOption) {
  const std::filesystem::path types = std::filesystem::path(LINCHPIN_SOURCE_DIR) / "src" / "types";
  for (const core::DataType& type : core::data_types()) {
    std::string folder(type.name);
    std::replace(folder.begin(), folder.end(), '-', '_');
    if (!std::filesystem::exists(types / folder)) continue;  // the Java classes share a folder
    std::ifstream file(types / folder / "README.md");
    const std::string readme{std::istreambuf_iterator<char>(file), {}};
    ASSERT_FALSE(readme.empty()) << folder;
    const auto specification = type.make({.name = std::string(type.name), .options = {}});
    ASSERT_TRUE(specification);
    for (const Method& method : (*specification)->methods()) {
      EXPECT_NE(readme.find(fmt::format("`{}(", method.name)), std::string::npos) << folder << ": " << method.name;
      std::istringstream aliases{std::string(method.aliases)};
      for (std::string alias; aliases >> alias;) {
        EXPECT_NE(readme.find(fmt::format("`{}`", alias)), std::string::npos) << folder << ": " << alias;
      }
    }
    // "name=values; name=values"
    for (std::string_view rest = type.options; rest.find('=') != std::string_view::npos;) {
      const std::string_view option = rest.substr(0, rest.find('='));
      EXPECT_NE(readme.find(fmt::format("| `{}` |", option)), std::string::npos) << folder << ": " << option;
      rest.remove_prefix(std::min(rest.find("; "), rest.size()));
      rest.remove_prefix(std::min<std::size_t>(2, rest.size()));
    }
  }
}

TEST(Readme, OfTheJavaClassesNamesThem) {
  std::ifstream file(std::filesystem::path(LINCHPIN_SOURCE_DIR) / "src" / "types" / "juc" / "README.md");
  const std::string readme{std::istreambuf_iterator<char>(file), {}};
  for (const core::DataType& type : core::data_types()) {
    if (!type.aliases.starts_with("java.util.concurrent.")) continue;
    EXPECT_NE(readme.find(fmt::format("`{}`", type.name)), std::string::npos) << type.name;
  }
}

}  // namespace
}  // namespace linchpin

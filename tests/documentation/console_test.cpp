// The pages, followed to the letter: every line after "$ " in a block marked `console` is run by bash, in a folder of
// the page's own in which there is `examples`, and what follows is what it prints. "..." in a line stands for anything
// in it; a line of three dots for any lines.
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <stdlib.h>  // NOLINT: mkdtemp is POSIX

#include "documentation/markdown.hpp"
#include "support/paths.hpp"

namespace linchpin {
namespace {

struct Command {
  int line = 0;
  std::string text;
  std::vector<std::string> expected;
};

std::vector<Command> commands_of(const std::string& page) {
  std::vector<Command> commands;
  for (const documentation::Block& block : documentation::blocks_of(page)) {
    if (block.language != "console") continue;
    int number = block.line;
    for (const std::string& line : block.lines) {
      ++number;
      if (line.starts_with("$ ")) {
        commands.push_back({.line = number, .text = line.substr(2), .expected = {}});
      } else if (line.starts_with("> ")) {
        commands.back().text += "\n" + line.substr(2);
      } else {
        commands.back().expected.push_back(line);
      }
    }
  }
  return commands;
}

/// Whether the line is the pattern, in which "..." stands for anything.
bool fits(std::string_view pattern, std::string_view line) {
  const std::size_t dots = pattern.find("...");
  if (dots == std::string_view::npos) return pattern == line;
  if (!line.starts_with(pattern.substr(0, dots))) return false;
  line.remove_prefix(dots);
  pattern.remove_prefix(dots + 3);
  for (std::size_t skip = 0; skip <= line.size(); ++skip) {
    if (fits(pattern, line.substr(skip))) return true;
  }
  return false;
}

bool lines_fit(std::span<const std::string> patterns, std::span<const std::string> lines) {
  if (patterns.empty()) return lines.empty();
  std::string_view first = patterns[0];
  first.remove_prefix(std::min(first.find_first_not_of(' '), first.size()));
  if (first == "...") {
    for (std::size_t skip = 0; skip <= lines.size(); ++skip) {
      if (lines_fit(patterns.subspan(1), lines.subspan(skip))) return true;
    }
    return false;
  }
  return !lines.empty() && fits(patterns[0], lines[0]) && lines_fit(patterns.subspan(1), lines.subspan(1));
}

std::vector<std::string> run_in(const std::filesystem::path& folder, const std::string& command) {
  const std::filesystem::path script = folder / ".command";
  std::ofstream(script) << "cd " << folder << "\nexport PATH=" << test::binary_folder().string() << "/bin:$PATH\n"
                        << command << "\n";
  std::FILE* const bash = popen(("bash " + script.string() + " 2>&1").c_str(), "r");
  std::string printed;
  std::array<char, 4096> buffer{};
  for (std::size_t size = 0; (size = std::fread(buffer.data(), 1, buffer.size(), bash)) > 0;) {
    printed.append(buffer.data(), size);
  }
  pclose(bash);
  std::vector<std::string> lines;
  for (std::size_t end = 0; (end = printed.find('\n')) != std::string::npos; printed.erase(0, end + 1)) {
    lines.push_back(printed.substr(0, end));
  }
  if (!printed.empty()) lines.push_back(printed);
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

std::vector<std::string> pages_with_commands() {
  std::vector<std::string> pages = documentation::pages();
  std::erase_if(pages, [](const std::string& page) { return commands_of(page).empty(); });
  return pages;
}

class Console : public testing::TestWithParam<std::string> {};

TEST_P(Console, PrintsWhatThePageSays) {
  const std::string& page = GetParam();
  std::string folder_name = testing::TempDir() + "linchpin-" + documentation::test_name(page) + "-XXXXXX";
  ASSERT_NE(mkdtemp(folder_name.data()), nullptr);
  const std::filesystem::path folder = folder_name;
  std::filesystem::create_directory_symlink(documentation::root() / "examples", folder / "examples");
  for (const Command& command : commands_of(page)) {
    const std::vector<std::string> printed = run_in(folder, command.text);
    // Not in every build: another processor, or sanitizers.
    if (command.text.starts_with("linchpin explore ") && joined(printed).find("cannot run") != std::string::npos)
      continue;
    EXPECT_TRUE(lines_fit(command.expected, printed))
        << page << ':' << command.line << ": " << command.text << "\nprinted\n"
        << joined(printed) << "instead of\n"
        << joined(command.expected);
  }
  std::filesystem::remove_all(folder);
}

INSTANTIATE_TEST_SUITE_P(All, Console, testing::ValuesIn(pages_with_commands()),
                         [](const auto& page) { return documentation::test_name(page.param); });

}  // namespace
}  // namespace linchpin

// linchpin explore [NAME]: a known container in all interleavings of small scenarios, up to a bound. What explores is
// another program, which stands beside this one: its malloc and its threads would not do for a command.
#ifdef LINCHPIN_HAS_STRESS
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "app/command.hpp"
#include "app/output.hpp"
#include "app/stress/implementation.hpp"
#include "app/table.hpp"
#include "base/foreign_text.hpp"
#include "explore/command_options.hpp"

namespace linchpin::app {

namespace {

namespace files = std::filesystem;

struct Arguments {
  std::string name;
  std::vector<std::string> passed;  // options with their values, as they are for the other program
};

bool explored(const Implementation& each) { return each.use != Use::stress; }

int list() {
  std::vector<std::vector<std::string>> rows;
  for (const Implementation& each : implementations()) {
    if (!explored(each)) continue;
    rows.push_back(
        {std::string(each.name), std::string(each.type), std::string(each.summary), std::string(each.promise)});
  }
  print(aligned({{"name"}, {"type"}, {"what it is"}, {"what it promises"}}, rows));
  return kLinearizable;
}

/// Beside this program, as it is built; or where installing puts it.
files::path catalogue() {
  std::error_code error;
  const files::path folder = files::read_symlink("/proc/self/exe", error).parent_path();
  constexpr std::string_view kProgram = "linchpin-explore-catalogue";
  files::path beside = folder / kProgram;
  return files::exists(beside, error) ? beside : folder.parent_path() / "libexec" / "linchpin" / kProgram;
}

int fail(const Error& error) {
  print_error(error);
  return kBadInput;
}

/// Returns only if it fails.
int run(Arguments& arguments) {
  if (arguments.name.empty()) return list();
  const auto all = implementations();
  if (std::none_of(all.begin(), all.end(),
                   [&](const auto& each) { return explored(each) && each.name == arguments.name; })) {
    return fail(
        {.code = ErrorCode::bad_option,
         .message = fmt::format("there is nothing to explore of the name '{}'", base::foreign_text(arguments.name)),
         .hint = "'linchpin explore' without a name lists what there is; what has no package is not built"});
  }
  std::string program = catalogue().string();
  std::vector<char*> words = {program.data(), arguments.name.data()};
  for (std::string& word : arguments.passed) words.push_back(word.data());
  words.push_back(nullptr);
  // As other programs expect them.
  std::signal(SIGPIPE, SIG_DFL);
  std::signal(SIGXFSZ, SIG_DFL);
  execv(program.c_str(), words.data());
  return fail({.code = ErrorCode::unsupported,
               .message = fmt::format("cannot run {}: {}", program, std::generic_category().message(errno)),
               .hint = "exploring is for Linux on x86-64, where g++ or clang has built it (LINCHPIN_BUILD_EXPLORE)"});
}

/// "none|lifo|fifo" as a list.
std::vector<std::string> choices(std::string_view text) {
  std::vector<std::string> all;
  for (std::size_t end = 0; end != std::string_view::npos; text.remove_prefix(std::min(end + 1, text.size()))) {
    end = text.find('|');
    all.emplace_back(text.substr(0, end));
  }
  return all;
}

}  // namespace

void add_explore(Command app, int& exit_code) {
  Command command =
      app.add_subcommand("explore", "Run containers of known libraries in all interleavings up to a bound");
  const auto arguments = std::make_shared<Arguments>();
  command.footer(
      "Without a NAME it lists what there is. A finding ends the run, with its interleaving and a token that replays "
      "it.\nExit codes: 0 nothing found, 1 a finding, 2 bad usage or not to be explored, 3 not all was covered.");
  command.add_option("NAME", arguments->name, "An implementation").option_text(" ");
  for (const explorer::CommandOption& option : explorer::kCommandOptions) {
    const std::string name(option.name), value(option.value), help(option.help);
    if (value.empty()) {
      command.add_flag_callback(
          name, [arguments, name] { arguments->passed.push_back(name); }, help);
      continue;
    }
    Option added = command.add_parsed_option(
        name,
        [arguments, name](const std::string& text) -> std::string {
          arguments->passed.insert(arguments->passed.end(), {name, text});
          return "";
        },
        help);
    if (value.find('|') == std::string::npos) {
      added.type_name(value);
    } else {
      added.one_of(choices(value));
    }
  }
  command.callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace linchpin::app
#endif

// linchpin manual [SUBCOMMAND]: the manual page, made from the command line's own description.
#include <fmt/format.h>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "app/command.hpp"
#include "app/command_model.hpp"
#include "app/output.hpp"
#include "base/foreign_text.hpp"
#include "base/output_file.hpp"

namespace linchpin::app {

namespace {

/// Text for troff: backslashes and leading dots mean something there, and hyphens are to be copied as typed.
std::string roff(std::string_view text) {
  std::string escaped;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool starts_line = i == 0 || text[i - 1] == '\n';
    if (starts_line && (text[i] == '.' || text[i] == '\'')) escaped += "\\&";
    if (text[i] == '\\') {
      escaped += "\\e";
    } else if (text[i] == '-') {
      escaped += "\\-";
    } else {
      escaped += text[i];
    }
  }
  return escaped;
}

std::string title_of(const CommandModel& command) {
  return command.name.empty() ? "linchpin" : "linchpin-" + command.name;
}

std::string entry(const OptionModel& option) {
  std::string names;
  for (const std::string& name : option.names) {
    if (!names.empty()) names += ", ";
    names += "\\fB" + roff(name) + "\\fR";
  }
  if (!option.value.empty() && option.names.back().starts_with("-")) names += " \\fI" + roff(option.value) + "\\fR";
  return ".TP\n" + names + "\n" + roff(option.description) + "\n";
}

std::string page(const CommandModel& command, const std::vector<CommandModel>& all) {
  const std::string title = title_of(command);
  std::string text = fmt::format(".TH {} 1 \"\" \"linchpin {}\" \"User commands\"\n", title, LINCHPIN_VERSION);
  text += fmt::format(".SH NAME\n{} \\- {}\n", roff(title), roff(command.description));
  text += fmt::format(".SH SYNOPSIS\n.B linchpin{}\n", command.name.empty() ? "" : " " + command.name);
  text += command.name.empty() ? "\\fISUBCOMMAND\\fR ...\n" : "[\\fIOPTIONS\\fR]";
  for (const OptionModel& positional : command.positionals) text += " \\fI" + roff(positional.value) + "\\fR";
  if (!command.name.empty()) text += "\n";
  if (command.name.empty()) {
    text += ".SH SUBCOMMANDS\n";
    for (const CommandModel& each : all) {
      if (!each.name.empty()) text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", each.name, roff(each.description));
    }
  }
  if (!command.positionals.empty()) {
    text += ".SH ARGUMENTS\n";
    for (const OptionModel& positional : command.positionals) text += entry(positional);
  }
  text += ".SH OPTIONS\n";
  for (const OptionModel& option : command.options) text += entry(option);
  if (!command.footer.empty()) text += ".SH NOTES\n.nf\n" + roff(command.footer) + "\n.fi\n";
  text += ".SH SEE ALSO\n";
  std::string others;
  for (const CommandModel& each : all) {
    if (&each == &command) continue;
    if (!others.empty()) others += ",\n";
    others += fmt::format("\\fB{}\\fR(1)", roff(title_of(each)));
  }
  return text + others + "\n";
}

/// Every page as a file of its own.
Result<void> write_all(const std::filesystem::path& directory, const std::vector<CommandModel>& commands) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  for (const CommandModel& command : commands) {
    const std::filesystem::path path = directory / (title_of(command) + ".1");
    if (auto written = base::write_file(path.string(), page(command, commands)); !written) return written;
  }
  return {};
}

}  // namespace

void add_manual(Command app, int& exit_code) {
  Command command = app.add_subcommand("manual", "Print a manual page: linchpin manual check | man -l -");
  const auto of = std::make_shared<std::string>();
  command.add_option("SUBCOMMAND", *of, "Whose page; none: that of linchpin itself").option_text("SUBCOMMAND");
  const auto directory = std::make_shared<std::string>();
  command.add_option("--all", *directory, "Write every page into this directory, as linchpin.1, linchpin-check.1, ...")
      .option_text("DIR");
  command.callback([of, directory, app, &exit_code] {
    const std::vector<CommandModel> commands = describe_commands(app);
    if (!directory->empty()) {
      const auto written = write_all(*directory, commands);
      if (!written) print_error(written.error());
      exit_code = written ? kLinearizable : kBadInput;
      return;
    }
    for (const CommandModel& each : commands) {
      if (each.name != *of) continue;
      print_for_programs(page(each, commands));
      return;
    }
    print_error(fmt::format("error: there is no subcommand '{}'\n  hint: linchpin --help lists them\n",
                            base::foreign_text(*of)));
    exit_code = kBadInput;
  });
}

}  // namespace linchpin::app

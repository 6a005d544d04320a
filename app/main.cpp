// The command line tool: parses the arguments and leaves the rest to the subcommands.
#include <csignal>
#include <exception>
#include <sstream>

#include <CLI/CLI.hpp>

#include "app/command.hpp"
#include "app/output.hpp"
#include "base/foreign_text.hpp"

namespace {

/// What CLI11 says, the words that it quotes on one line.
std::string failure_message(const CLI::App* command, const CLI::Error& error) {
  const std::string said = error.what();
  return linchpin::base::foreign_text(said) + CLI::FailureMessage::simple(command, error).substr(said.size());
}

int run(int argument_count, char** arguments) {
  using namespace linchpin::app;
  CLI::App app("Decides whether recorded concurrent histories are linearizable.", "linchpin");
  app.set_version_flag("--version", "linchpin " LINCHPIN_VERSION);
  app.require_subcommand(1);
  app.failure_message(failure_message);
  int exit_code = kLinearizable;
  add_check(app, exit_code);
  add_depth(app, exit_code);
  add_explain(app, exit_code);
  add_convert(app, exit_code);
  add_generate(app, exit_code);
#ifdef LINCHPIN_HAS_STRESS
  add_stress(app, exit_code);
#endif
  add_reach(app, exit_code);
  add_automaton(app, exit_code);
  add_watch(app, exit_code);
  add_types(app, exit_code);
  add_formats(app, exit_code);
  add_completion(app, exit_code);
  add_manual(app, exit_code);
  try {
    app.parse(argument_count, arguments);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out, wrong;
    const int ended = app.exit(error, out, wrong);  // help and version also arrive here
    print(out.str());
    print_error(wrong.str());
    return ended == 0 ? kLinearizable : kBadInput;
  }
  return exit_code;
}

}  // namespace

int main(int argument_count, char** arguments) {
  // A write fails instead, and the run ends in order: without a reader, or where a file may not get any larger.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return run(argument_count, arguments);
  } catch (const linchpin::app::BrokenPipe&) {
    return linchpin::app::kBrokenPipe;
  } catch (const std::bad_alloc&) {
    linchpin::app::print_error("error: out of memory\n  hint: --memory-limit gives an unknown verdict instead\n");
    return linchpin::app::kBadInput;
  } catch (const std::exception& error) {
    linchpin::app::print_error("error: " + linchpin::base::foreign_text(error.what()) + "\n");
    return linchpin::app::kBadInput;
  }
}

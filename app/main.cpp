// The command line tool: parses the arguments and leaves the rest to the subcommands.
#include <csignal>
#include <exception>

#include "app/command.hpp"
#include "app/options.hpp"
#include "app/output.hpp"
#include "base/foreign_text.hpp"
#include "linchpin/research.hpp"

namespace {

int run(int argument_count, char** arguments) {
  using namespace linchpin::app;
  CommandLine line("linchpin", "Decides whether recorded concurrent histories are linearizable.",
                   "linchpin " LINCHPIN_VERSION);
  const Command app = line.command();
  int exit_code = kLinearizable;
  add_check(app, exit_code);
  add_depth(app, exit_code);
  add_merge(app, exit_code);
  add_split(app, exit_code);
  add_explain(app, exit_code);
  add_convert(app, exit_code);
  add_generate(app, exit_code);
#ifdef LINCHPIN_HAS_STRESS
  add_stress(app, exit_code);
  add_explore(app, exit_code);
#endif
  add_reach(app, exit_code);
  add_automaton(app, exit_code);
  add_watch(app, exit_code);
  add_types(app, exit_code);
  add_formats(app, exit_code);
  add_completion(app, exit_code);
  add_manual(app, exit_code);
  if (const auto refusal = line.run(argument_count, arguments)) {
    print(refusal->output);
    print_error(refusal->error);
    return refusal->usage_error || output_failed() ? kBadInput : kLinearizable;
  }
  return output_failed() && exit_code != kInterrupted ? kBadInput : exit_code;
}

}  // namespace

int main(int argument_count, char** arguments) {
  // A write fails instead, and the run ends in order: without a reader, or where a file may not get any larger.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  linchpin::add_research_deciders();
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

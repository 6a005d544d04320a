#include "app/deciding_options.hpp"

#include "app/limit_options.hpp"

namespace linchpin::app {

void add_deciding_options(Command command, CheckOptions& check, ReadOptions& read) {
  add_limit_options(command, check.limits, &read.limits);
  command.add_option("--threads", check.threads, "Threads; 0, the default: one a core").type_name("N");
  add_ties_option(command, check.ties);
  // Checked briefly in any case.
  const Option thoroughly = command.add_flag_callback(
      "--verify", [&check] { check.verify = Verify::thoroughly; },
      "Check the evidence as long as that takes, not only for a small part of the time spent on deciding");
  command
      .add_flag_callback(
          "--no-verify", [&check] { check.verify = Verify::never; }, "Do not check the evidence by independent code")
      .excludes(thoroughly);
  command.add_option("--decider", check.decider, "Use only this decider").type_name("NAME");
}

}  // namespace linchpin::app

#include "app/deciding_options.hpp"

#include "app/limit_options.hpp"

namespace linchpin::app {

void add_deciding_options(Command command, CheckOptions& check, ReadOptions& read) {
  add_limit_options(command, check.limits, &read.limits);
  command.add_option("--threads", check.threads, "Number of threads; 0, the default: one for each processor core")
      .type_name("N");
  add_ties_option(command, check.ties);
  // Checked briefly in any case.
  const Option thoroughly = command.add_flag_callback(
      "--verify", [&check] { check.verify = Verify::thoroughly; },
      "Check the evidence for as long as that takes; the default stops after a small part of the time of deciding");
  command
      .add_flag_callback(
          "--no-verify", [&check] { check.verify = Verify::never; }, "Do not check the evidence")
      .excludes(thoroughly);
  command.add_option("--decider", check.decider, "Use only this decider").type_name("NAME");
}

}  // namespace linchpin::app

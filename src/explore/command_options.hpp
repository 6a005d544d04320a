// The options of an exploration's command line, for its help and for whoever passes them on (`linchpin explore`).
#pragma once

#include <array>
#include <string_view>

namespace linchpin::explorer {

struct CommandOption {
  std::string_view section;  ///< the heading that begins here; empty: it belongs to the one before
  std::string_view name;
  std::string_view value;  ///< what the help calls it: "N", or "none|lifo|fifo" for one of these; empty: a flag
  std::string_view help;   ///< with the default in parentheses
};

inline constexpr std::array kCommandOptions{
    CommandOption{"scenarios", "--threads", "N", "up to N threads, at most 6 (2)"},
    CommandOption{"", "--operations", "N", "up to N operations of each, at most 6 (2)"},
    CommandOption{"", "--prefix", "N", "after up to N values added by one thread (2)"},
    CommandOption{"", "--keys", "N", "so many keys of sets and maps (2)"},
    CommandOption{"", "--methods", "A,B", "only these methods"},
    CommandOption{"", "--scenario", "TEXT", "only this one: 'enqueue 1; enqueue 2, dequeue | dequeue'"},
    CommandOption{"schedules", "--deviations", "N",
                  "preemptions and loads of older stores in one schedule, at most (2)"},
    CommandOption{"", "--memory", "sc|c++20", "what loads may see (sc)"},
    CommandOption{"", "--order", "real-time|happens-before", "which operation comes before which (real-time)"},
    CommandOption{"", "--reuse", "none|lifo|fifo", "what becomes of freed memory (none)"},
    CommandOption{"", "--strategy", "NAME",
                  "bounded, dpor, exhaustive, hitting, random or pct: which of them (bounded)"},
    CommandOption{"", "--depth", "N",
                  "of hitting and pct: how many operations or steps, 1 to 8, matter by their order (3)"},
    CommandOption{"", "--seed", "N", "of random and pct (1)"},
    CommandOption{"", "--schedules", "N", "of each scenario, at most (all; 10000 of random and pct)"},
    CommandOption{"", "--time", "SECONDS", "all in all, at most"},
    CommandOption{"", "--beyond", "SECONDS", "beyond these bounds, where nothing is found within them (2)"},
    CommandOption{"", "--steps", "N", "of a schedule, at most (20000)"},
    CommandOption{"", "--allow", "races,leaks,deadlocks", "which are then no findings"},
    CommandOption{"running", "--jobs", "N", "so many processes, up to 64, share the work; the same answer (1)"},
    CommandOption{"", "--shard", "I/N", "only the scenarios with every N-th number, from the I-th on (1/1)"},
    CommandOption{"", "--certificate", "FILE", "what was covered; a run with the same bounds goes on from there"},
    CommandOption{"", "--certificate-new", "", "whatever FILE says: begin it anew"},
    CommandOption{"", "--switching", "fibers|threads",
                  "how threads take turns: threads is slower, for debuggers (fibers)"},
    CommandOption{"output", "--replay", "TOKEN", "run one schedule again"},
    CommandOption{"", "--report", "FILE", "a finding for the browser: its operations, and who ran when, step by step"},
    CommandOption{"", "--json", "", "for programs"},
    CommandOption{"", "--junit", "FILE", "JUnit's XML, for continuous integration"},
    CommandOption{"", "--sarif", "FILE", "SARIF, which code hosts show beside the source"},
};

}  // namespace linchpin::explorer

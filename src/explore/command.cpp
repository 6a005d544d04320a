// The command line of a program that explores one container (linchpin::explore_main).
#include <sys/personality.h>
#include <unistd.h>
#include <charconv>
#include <cstdio>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "linchpin/explore.hpp"

namespace linchpin::explore_plan {

namespace {

constexpr std::string_view kHelp = R"(usage: {} [OPTION...]

Runs small scenarios of the container's methods in all interleavings up to a bound, and decides each history.

scenarios
  --threads N           up to N threads (2)
  --operations N        up to N operations of each (2)
  --prefix N            after up to N values added by one thread (2)
  --keys N              so many keys of sets and maps (2)
  --methods A,B         only these methods
  --scenario TEXT       only this one: 'enqueue 1; enqueue 2, dequeue | dequeue'
schedules
  --deviations N        preemptions and loads of older stores in one schedule, at most (2)
  --memory sc|c++20     what loads may see (sc)
  --reuse none|lifo|fifo  what becomes of freed memory (none)
  --strategy bounded|dpor|exhaustive|hitting|random|pct  which of them (bounded)
  --depth N             of hitting and pct: how many operations or steps matter by their order (3)
  --seed N              of random and pct
  --schedules N         of each scenario, at most (all; 10000 of random and pct)
  --time SECONDS        all in all, at most
  --steps N             of a schedule, at most (20000)
  --allow races|leaks|deadlocks  which is then no finding
output
  --replay TOKEN        run one schedule again
  --json                for programs
  --help                this

Exit codes: 0 nothing found, 1 a finding, 2 wrong options or not to be explored, 3 not all was covered.
)";

/// Reads options one after the other.
class Arguments {
 public:
  Arguments(int argc, char** argv) : argc_(argc), argv_(argv) {}

  /// Empty at the end.
  std::string_view next() { return at_ < argc_ ? argv_[at_++] : std::string_view(); }
  std::string_view value(std::string_view option) {
    if (at_ < argc_) return argv_[at_++];
    fail(fmt::format("{} wants a value", option));
    return "";
  }
  template <class Number>
  void number(std::string_view option, Number& number) {
    const std::string_view text = value(option);
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failed != std::errc() || end != text.data() + text.size()) {
      fail(fmt::format("{} wants a number, and '{}' is none", option, text));
    }
  }
  /// The place of the value among the names.
  std::size_t one_of(std::string_view option, std::initializer_list<std::string_view> names) {
    const std::string_view text = value(option);
    std::size_t i = 0;
    std::string all;
    for (const std::string_view name : names) {
      if (name == text) return i;
      all.append(i++ == 0 ? "" : ", ").append(name);
    }
    fail(fmt::format("{} is one of {}, not '{}'", option, all, text));
    return 0;
  }
  void fail(std::string message) {
    if (error_.empty()) error_ = std::move(message);
  }
  [[nodiscard]] const std::string& error() const { return error_; }

 private:
  int argc_;
  char** argv_;
  int at_ = 1;
  std::string error_;
};

std::vector<std::string> list(std::string_view text) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t end = text.find(',');
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

void allow(std::string_view what, ExploreOptions& options, Arguments& arguments) {
  for (const std::string& one : list(what)) {
    if (one == "races") {
      options.races = false;
    } else if (one == "leaks") {
      options.leaks = false;
    } else if (one == "deadlocks") {
      options.deadlocks = false;
    } else {
      arguments.fail(fmt::format("--allow is one of races, leaks, deadlocks, not '{}'", one));
    }
  }
}

struct Wishes {
  ExploreOptions options;
  bool json = false, help = false;
};

Wishes read(Arguments& arguments) {
  Wishes wishes;
  ExploreOptions& options = wishes.options;
  options.progress = true;
  for (std::string_view option = arguments.next(); !option.empty() && arguments.error().empty();
       option = arguments.next()) {
    if (option == "--threads") {
      arguments.number(option, options.threads);
    } else if (option == "--operations") {
      arguments.number(option, options.operations);
    } else if (option == "--prefix") {
      arguments.number(option, options.prefix);
    } else if (option == "--keys") {
      arguments.number(option, options.keys);
    } else if (option == "--methods") {
      options.methods = list(arguments.value(option));
    } else if (option == "--scenario") {
      options.scenario = arguments.value(option);
    } else if (option == "--deviations") {
      arguments.number(option, options.deviations);
    } else if (option == "--memory") {
      options.memory = static_cast<ExploreMemory>(arguments.one_of(option, {"sc", "c++20"}));
    } else if (option == "--reuse") {
      options.reuse = static_cast<ExploreReuse>(arguments.one_of(option, {"none", "lifo", "fifo"}));
    } else if (option == "--strategy") {
      options.strategy = static_cast<ExploreStrategy>(
          arguments.one_of(option, {"bounded", "random", "pct", "dpor", "exhaustive", "hitting"}));
    } else if (option == "--depth") {
      arguments.number(option, options.depth);
    } else if (option == "--seed") {
      arguments.number(option, options.seed);
    } else if (option == "--schedules") {
      arguments.number(option, options.schedules);
    } else if (option == "--steps") {
      arguments.number(option, options.steps);
    } else if (option == "--time") {
      double seconds = 0;
      arguments.number(option, seconds);
      options.time = std::chrono::duration<double>(seconds);
    } else if (option == "--allow") {
      allow(arguments.value(option), options, arguments);
    } else if (option == "--replay") {
      options.replay = arguments.value(option);
    } else if (option == "--json") {
      wishes.json = true;
    } else if (option == "--help" || option == "-h") {
      wishes.help = true;
    } else {
      arguments.fail(fmt::format("there is no option '{}': see --help", option));
    }
  }
  return wishes;
}

/// The same addresses in each run: code that hashes them then does the same. Begins the program anew, once; where the
/// system does not allow that, the program goes on as it is.
void fix_addresses(char** argv) {
  const int before = personality(0xffffffff);
  if (before == -1 || (before & ADDR_NO_RANDOMIZE) != 0) return;
  if (personality(static_cast<unsigned long>(before) | ADDR_NO_RANDOMIZE) == -1) return;
  execv("/proc/self/exe", argv);
}

}  // namespace

int run_main(int argc, char** argv, Plan plan) {
  constexpr int kFound = 1, kWrong = 2, kNotAll = 3;
  Arguments arguments(argc, argv);
  const Wishes wishes = read(arguments);
  if (wishes.help) {
    fmt::print(kHelp, argv[0]);
    return 0;
  }
  if (!arguments.error().empty()) {
    fmt::print(stderr, "error: {}\n", arguments.error());
    return kWrong;
  }
  fix_addresses(argv);
  const ExploreResult result = run(std::move(plan), wishes.options);
  if (result.error && !wishes.json) {
    fmt::print(stderr, "{}\n", result.error->to_string());
    return kWrong;
  }
  fmt::print("{}\n", wishes.json ? result.to_json() : result.to_string());
  if (result.error) return kWrong;
  if (result.finding == ExploreFinding::nondeterminism || result.finding == ExploreFinding::unsupported) return kWrong;
  if (result.finding == ExploreFinding::undecided) return kNotAll;
  if (result.finding != ExploreFinding::none) return kFound;
  return result.complete ? 0 : kNotAll;
}

}  // namespace linchpin::explore_plan

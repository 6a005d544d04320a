// The command line of a program that explores one container (linchpin::explore_main).
#include <sys/personality.h>
#include <unistd.h>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "base/files_of_run.hpp"
#include "base/output_file.hpp"
#include "explore/command.hpp"
#include "explore/command_options.hpp"
#include "explore/jobs.hpp"
#include "explore/option_names.hpp"
#include "explore/report/files.hpp"
#include "explore/report/page.hpp"
#include "explore/scenario/scenario.hpp"
#include "explore/schedule/hitting.hpp"

namespace linchpin::explorer {

namespace {

std::string help(std::string_view program) {
  std::string text = fmt::format(
      "usage: {} [OPTION...]\n\n"
      "Runs small scenarios of the container's methods in all interleavings up to a bound, and decides each history.\n",
      program);
  for (const CommandOption& option : kCommandOptions) {
    if (!option.section.empty()) text += fmt::format("\n{}\n", option.section);
    text += fmt::format("  {:<31} {}\n", fmt::format("{} {}", option.name, option.value), option.help);
  }
  text +=
      "  --help                          this\n\n"
      "Exit codes: 0 nothing found, 1 a finding, 2 wrong options or not to be explored, 3 not all was covered.\n";
  return text;
}

/// Reads options one after the other.
class Arguments {
 public:
  explicit Arguments(std::span<char* const> given) : given_(given) {}

  std::optional<std::string_view> next() {
    if (at_ == given_.size()) return std::nullopt;
    return given_[at_++];
  }
  /// None is empty: to the exploration, an empty text is an option that was not given.
  std::string_view value(std::string_view option) {
    if (at_ < given_.size() && *given_[at_] != 0) return given_[at_++];
    fail(fmt::format("{} wants a value", option), "leave the option away for its default");
    return "";
  }
  /// From `least` to `most`.
  template <class Number>
  void number(std::string_view option, Number& number, Number least = 0,
              Number most = std::numeric_limits<Number>::max()) {
    Number given = 0;
    const std::string_view text = value(option);
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), given);
    if (failed != std::errc() || end != text.data() + text.size() || given < least || given > most) {
      fail(fmt::format("{} wants a number from {} to {}, not '{}'", option, least, most, text));
      return;
    }
    number = given;
  }
  std::chrono::duration<double> seconds(std::string_view option) {
    double given = 0;
    const std::string_view text = value(option);
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), given);
    if (failed != std::errc() || end != text.data() + text.size() || !(given >= 0)) {
      fail(fmt::format("{} wants seconds, 0 or more, not '{}'", option, text));
    }
    return std::chrono::duration<double>(given);
  }
  /// The place of the value among the names.
  std::size_t one_of(std::string_view option, std::span<const std::string_view> names) {
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
  /// The first one counts.
  void fail(std::string message, std::string hint = "'--help' lists the options") {
    if (error_) return;
    error_.emplace();
    error_->code = ErrorCode::bad_option;
    error_->message = std::move(message);
    error_->hint = std::move(hint);
  }
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  std::span<char* const> given_;
  std::size_t at_ = 0;
  std::optional<Error> error_;
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

/// "2/8": what is found beyond the bounds depends on time, and a shard's answer should not.
void shard(std::string_view text, ExploreOptions& options, Arguments& arguments) {
  constexpr unsigned kMostShards = 1'000'000;
  unsigned number = 0;
  const char* const end = text.data() + text.size();
  const auto [slash, bad_number] = std::from_chars(text.data(), end, number);
  const bool begins = bad_number == std::errc() && slash != end && *slash == '/' && number > 0;
  const auto [rest, bad_count] = begins ? std::from_chars(slash + 1, end, options.shards) : std::from_chars_result{};
  if (!begins || bad_count != std::errc() || rest != end || options.shards < number || options.shards > kMostShards) {
    arguments.fail(fmt::format("--shard is 1/8 to 8/8, not '{}'", text), fmt::format("up to {} shards", kMostShards));
    options.shards = 1;
    return;
  }
  options.shard = number - 1;
  options.beyond = std::chrono::seconds(0);
}

struct Wishes {
  ExploreOptions options;
  bool json = false, help = false;
  std::string junit, sarif, report;  // files; empty: none
};

Wishes read(Arguments& arguments, const ExploreOptions& defaults) {
  Wishes wishes;
  wishes.options = defaults;
  ExploreOptions& options = wishes.options;
  options.beyond = std::chrono::seconds(2);
  options.progress = true;
  for (auto next = arguments.next(); next && !arguments.error(); next = arguments.next()) {
    const std::string_view option = *next;
    if (option == "--threads") {
      arguments.number(option, options.threads, 1U, kMostGeneratedThreads);
    } else if (option == "--operations") {
      arguments.number(option, options.operations, 1U, kMostGeneratedOperations);
    } else if (option == "--prefix") {
      arguments.number(option, options.prefix);
    } else if (option == "--keys") {
      arguments.number(option, options.keys, 1U);
    } else if (option == "--methods") {
      options.methods = list(arguments.value(option));
    } else if (option == "--scenario") {
      options.scenario = arguments.value(option);
    } else if (option == "--deviations") {
      arguments.number(option, options.deviations);
    } else if (option == "--memory") {
      options.memory = static_cast<ExploreMemory>(arguments.one_of(option, kMemoryNames));
    } else if (option == "--order") {
      options.order = static_cast<ExploreOrder>(arguments.one_of(option, kOrderNames));
    } else if (option == "--reuse") {
      options.reuse = static_cast<ExploreReuse>(arguments.one_of(option, kReuseNames));
    } else if (option == "--switching") {
      options.switching = static_cast<ExploreSwitching>(arguments.one_of(option, kSwitchingNames));
    } else if (option == "--strategy") {
      options.strategy = static_cast<ExploreStrategy>(arguments.one_of(option, kStrategyNames));
    } else if (option == "--depth") {
      arguments.number(option, options.depth, 1U, Hitting::kMost);
    } else if (option == "--seed") {
      arguments.number(option, options.seed);
    } else if (option == "--schedules") {
      arguments.number(option, options.schedules, std::uint64_t{1});
    } else if (option == "--steps") {
      arguments.number(option, options.steps, 1U);
    } else if (option == "--time") {
      options.time = arguments.seconds(option);
    } else if (option == "--beyond") {
      options.beyond = arguments.seconds(option);
    } else if (option == "--allow") {
      allow(arguments.value(option), options, arguments);
    } else if (option == "--replay") {
      options.replay = arguments.value(option);
    } else if (option == "--jobs") {
      arguments.number(option, options.jobs, 1U, kMostJobs);
    } else if (option == "--shard") {
      shard(arguments.value(option), options, arguments);
    } else if (option == "--certificate") {
      options.certificate = arguments.value(option);
    } else if (option == "--certificate-new") {
      options.certificate_new = true;
    } else if (option == "--json") {
      wishes.json = true;
    } else if (option == "--junit") {
      wishes.junit = arguments.value(option);
    } else if (option == "--sarif") {
      wishes.sarif = arguments.value(option);
    } else if (option == "--report") {
      wishes.report = arguments.value(option);
    } else if (option == "--help" || option == "-h") {
      wishes.help = true;
    } else {
      arguments.fail(fmt::format("there is no option '{}'", option));
    }
  }
  return wishes;
}

Result<void> write_files(const Wishes& wishes, const ExploreResult& result, std::string_view program) {
  std::error_code error;
  if (!wishes.junit.empty()) {
    if (auto written = base::write_file(wishes.junit, junit_text(result, program)); !written) return written;
  }
  if (!wishes.sarif.empty()) {
    const std::string folder = std::filesystem::current_path(error).string();
    if (auto written = base::write_file(wishes.sarif, sarif_text(result, folder)); !written) return written;
  }
  return wishes.report.empty() ? Result<void>() : write_page(wishes.report, result, program);
}

}  // namespace

void fix_addresses(char** argv) {
  const int before = personality(0xffffffff);
  if (before == -1 || (before & ADDR_NO_RANDOMIZE) != 0) return;
  if (personality(static_cast<unsigned long>(before) | ADDR_NO_RANDOMIZE) == -1) return;
  // The program begins again, and so it needs what it was given, of which it may have taken its own arguments since.
  std::vector<char*> arguments;
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string given{std::istreambuf_iterator<char>(file), {}};
  if (!given.empty() && given.back() != 0) given.push_back(0);
  for (std::size_t at = 0; at < given.size(); at = given.find('\0', at) + 1) arguments.push_back(&given[at]);
  arguments.push_back(nullptr);
  execv("/proc/self/exe", given.empty() ? argv : arguments.data());
}

namespace {

/// `explore` gives the answer to the options.
template <class Explore>
int run_command_with(std::string_view program, std::span<char* const> given, const ExploreOptions& defaults,
                     Explore explore) {
  constexpr int kFound = 1, kWrong = 2, kNotAll = 3;
  Arguments arguments(given);
  const Wishes wishes = read(arguments, defaults);
  if (wishes.help) {
    fmt::print("{}", help(program));
    return 0;
  }
  if (arguments.error()) {
    fmt::print(stderr, "{}\n", arguments.error()->to_string());
    return kWrong;
  }
  const auto differ = base::FilesOfRun::of({}, {wishes.junit, wishes.sarif, wishes.report, wishes.options.certificate});
  if (!differ) {
    fmt::print(stderr, "{}\n", differ.error().to_string());
    return kWrong;
  }
  const ExploreResult result = explore(wishes.options);
  const auto written = write_files(wishes, result, program);
  if (!wishes.report.empty() && result.finding != ExploreFinding::none && result.interleaving.empty()) {
    fmt::print(stderr, "note: {} is not written: what was found has no steps to show\n", wishes.report);
  }
  if (result.error && !wishes.json) {
    fmt::print(stderr, "{}\n", result.error->to_string());
    return kWrong;
  }
  // What was found is said whatever could not be written.
  const std::string text = (wishes.json ? result.to_json() : result.to_string()) + "\n";
  const bool said = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!said) fmt::print(stderr, "error: cannot write to standard output: {}\n", std::strerror(errno));
  if (!written) fmt::print(stderr, "{}\n", written.error().to_string());
  if (result.error || !written || !said) return kWrong;
  if (result.finding == ExploreFinding::nondeterminism || result.finding == ExploreFinding::unsupported) return kWrong;
  if (result.finding == ExploreFinding::undecided) return kNotAll;
  if (result.finding != ExploreFinding::none) return kFound;
  return result.complete ? 0 : kNotAll;
}

}  // namespace

int run_command(std::string_view program, std::span<char* const> given, explore_plan::Plan plan,
                const ExploreOptions& defaults) {
  return run_command_with(program, given, defaults,
                          [&](const ExploreOptions& options) { return explore_plan::run(std::move(plan), options); });
}
int run_command(std::string_view program, std::span<char* const> given, explore_plan::Program threads,
                const ExploreOptions& defaults) {
  return run_command_with(program, given, defaults, [&](const ExploreOptions& options) {
    return explore_plan::run(std::move(threads), options);
  });
}

}  // namespace linchpin::explorer

namespace linchpin::explore_plan {

int run_main(int argc, char** argv, Plan plan) {
  explorer::fix_addresses(argv);
  return explorer::run_command(argv[0], std::span(argv + 1, static_cast<std::size_t>(argc) - 1), std::move(plan), {});
}
int run_main(int argc, char** argv, Program program) {
  explorer::fix_addresses(argv);
  return explorer::run_command(argv[0], std::span(argv + 1, static_cast<std::size_t>(argc) - 1), std::move(program),
                               {});
}

}  // namespace linchpin::explore_plan

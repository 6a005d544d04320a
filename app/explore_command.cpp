// linchpin explore [NAME]: a known container in all interleavings of small scenarios, up to a bound. What explores is
// another program, which stands beside this one: its malloc and its threads would not do for a command.
#ifdef LINCHPIN_HAS_STRESS
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
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
#include "app/json_text.hpp"
#include "app/output.hpp"
#include "app/shard_writer.hpp"
#include "app/stress/implementation.hpp"
#include "app/table.hpp"
#include "base/foreign_text.hpp"
#include "explore/command_options.hpp"

namespace linchpin::app {

namespace {

namespace files = std::filesystem;

struct ExploreArguments {
  std::string name;
  ShardOptions shard;
  bool json = false;
  std::function<Campaign()> campaign;  // once the arguments are read
  std::vector<std::string> passed;     // options with their values, as they are for the other program
};

bool explored(const Implementation& each) { return each.use != Use::stress; }

int list_scenarios() {
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

Error cannot_run(const std::string& program, int number) {
  return {.code = ErrorCode::unsupported,
          .message = fmt::format("cannot run {}: {}", program, std::generic_category().message(number)),
          .hint = "exploring is for Linux on x86-64, where g++ or clang has built it (LINCHPIN_BUILD_EXPLORE)"};
}

/// What the other program prints; its exit code in `exit_code`.
Result<std::string> output_of(const std::string& program, std::vector<char*> words, int& exit_code) {
  std::array<int, 2> ends = {};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return cannot_run(program, errno);
  const pid_t id = fork();
  if (id == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(ends[1], STDOUT_FILENO);
    execv(program.c_str(), words.data());
    _exit(127);
  }
  close(ends[1]);
  std::string output;
  std::array<char, 1 << 16> some = {};
  for (ssize_t got = 0; id > 0 && (got = read(ends[0], some.data(), some.size())) != 0;) {
    if (got < 0 && errno != EINTR) break;
    output.append(some.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  }
  close(ends[0]);
  int status = 0;
  while (id > 0 && waitpid(id, &status, 0) < 0 && errno == EINTR) {
  }
  if (id < 0 || !WIFEXITED(status) || WEXITSTATUS(status) == 127) {
    Error error = cannot_run(program, id < 0 ? EAGAIN : ENOENT);
    if (id > 0 && WIFSIGNALED(status))
      error.message = fmt::format("{} was ended by signal {}", program, WTERMSIG(status));
    return error;
  }
  exit_code = WEXITSTATUS(status);
  return output;
}

/// The other program's answer between a head and an end.
int run_shard(const ExploreArguments& arguments, const std::string& program, const std::vector<char*>& words) {
  Campaign campaign = arguments.campaign();
  campaign.by = "scenarios";
  if (auto added = add_inputs(campaign, {arguments.name}); !added) return fail(added.error());
  auto shard = ShardWriter::open(arguments.shard, campaign);
  if (!shard) return fail(shard.error());
  if (shard->ended()) return *shard->ended();
  const bool asked = shard->takes_input(arguments.name) && shard->takes({.file = arguments.name});
  int exit_code = kLinearizable;
  if (!asked) {  // it was stopped between its answer and its end
    const int before = shard->before().exit_code();
    const auto ended = shard->end(before);
    return ended ? before : fail(ended.error());
  }
  const auto output = output_of(program, words, exit_code);
  if (!output) return fail(output.error());
  if (exit_code == kInterrupted) return kInterrupted;  // --resume explores it again
  const auto answer = nlohmann::ordered_json::parse(*output, nullptr, false);
  // A usage error is on standard error, and not part of a campaign.
  if (!answer.is_object()) return exit_code == kLinearizable ? kBadInput : exit_code;
  nlohmann::ordered_json named = {{"name", arguments.name}};
  named.update(answer);
  shard->write(json_line(named));
  const auto ended = shard->end(exit_code);
  return ended ? exit_code : fail(ended.error());
}

/// Returns only if it fails, or of a shard.
int run(ExploreArguments& arguments) {
  if (auto right = check_shard_options(arguments.shard, arguments.json); !right) return fail(right.error());
  if (arguments.name.empty()) return list_scenarios();
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
  std::string shard = "--shard";
  std::string which;
  if (arguments.shard.given()) {
    const Shard given = arguments.shard.shard.value_or(Shard{});
    which = fmt::format("{}/{}", given.number, given.of);
    words.push_back(shard.data());
    words.push_back(which.data());
    words.push_back(nullptr);
    return run_shard(arguments, program, words);
  }
  words.push_back(nullptr);
  // As other programs expect them.
  std::signal(SIGPIPE, SIG_DFL);
  std::signal(SIGXFSZ, SIG_DFL);
  execv(program.c_str(), words.data());
  return fail(cannot_run(program, errno));
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
  const auto arguments = std::make_shared<ExploreArguments>();
  command.footer(
      "Without a NAME it lists what there is. A finding ends the run, with its interleaving and a token that replays "
      "it.\nExit codes: 0 nothing found, 1 a finding, 2 bad usage or not to be explored, 3 not all was covered.");
  command.add_option("NAME", arguments->name, "An implementation").option_text(" ");
  for (const explorer::CommandOption& option : explorer::kCommandOptions) {
    const std::string name(option.name), value(option.value), help(option.help);
    if (name == "--shard") continue;  // of this command, with a head and an end
    if (value.empty()) {
      command.add_flag_callback(
          name,
          [arguments, name] {
            arguments->passed.push_back(name);
            arguments->json = arguments->json || name == "--json";
          },
          help);
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
  add_shard_options(command, arguments->shard, false);
  arguments->campaign = [command, options = &arguments->shard] { return campaign_of("explore", command, *options); };
  command.callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace linchpin::app
#endif

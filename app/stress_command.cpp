// linchpin stress NAME...: random concurrent calls of a real container, recorded and decided.
#ifdef LINCHPIN_HAS_STRESS
#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "api/json/verdict_json.hpp"
#include "app/command.hpp"
#include "app/format_of_name.hpp"
#include "app/interrupt.hpp"
#include "app/json_text.hpp"
#include "app/output.hpp"
#include "app/quantities.hpp"
#include "app/shard_writer.hpp"
#include "app/stress/etcd_report.hpp"
#include "app/stress/implementation.hpp"
#include "app/table.hpp"
#include "base/output_file.hpp"

namespace linchpin::app {

namespace {

struct StressArguments {
  std::vector<std::string> names;
  std::vector<std::string> mix;
  std::string save;
  std::string report;
  bool no_pin = false;
  bool no_turns = false;
  bool json = false;
  ShardOptions shard;
  std::function<Campaign()> campaign;  // once the arguments are read
  StressOptions stress;
};

int list_implementations() {
  std::vector<std::vector<std::string>> rows;
  for (const Implementation& each : implementations()) {
    if (each.use == Use::explore) continue;
    rows.push_back(
        {std::string(each.name), std::string(each.type), std::string(each.summary), std::string(each.promise)});
  }
  print(aligned({{"name"}, {"type"}, {"what it is"}, {"what it promises"}}, rows));
  return kLinearizable;
}

/// Those named, or all. A name that is nobody's stands for all that it begins: "boost" for "boost-queue",
/// "boost-stack".
Result<std::vector<Implementation>> chosen(const std::vector<std::string>& names) {
  std::vector<Implementation> list;
  for (const std::string& name : names) {
    const std::size_t before = list.size();
    const auto all = implementations();
    const bool exact = std::any_of(all.begin(), all.end(), [&](const auto& each) { return each.name == name; });
    for (const Implementation& each : all) {
      if (each.use == Use::explore) continue;
      const bool family = !exact && each.name.starts_with(name + "-");
      if (name == "all" || each.name == name || family) list.push_back(each);
    }
    if (list.size() == before) {
      return Error{.code = ErrorCode::bad_option,
                   .message = fmt::format("there is no implementation '{}'", name),
                   .hint = "'linchpin stress' without a name lists them; one whose package is missing is not built"};
    }
  }
  return list;
}

Result<void> parse_mix(StressArguments& arguments) {
  for (const std::string& entry : arguments.mix) {
    const std::size_t equals = entry.rfind('=');
    char* end = nullptr;
    const double weight = equals == std::string::npos ? -1 : std::strtod(entry.c_str() + equals + 1, &end);
    if (weight < 0 || equals + 1 == entry.size() || *end != '\0') {
      return Error{.code = ErrorCode::bad_option,
                   .message = fmt::format("the mix has the entry '{}'", entry),
                   .hint = "write METHOD=WEIGHT, such as enqueue=3"};
    }
    arguments.stress.mix.emplace_back(entry.substr(0, equals), weight);
  }
  return {};
}

/// A file has one round, and a later one would replace it without a word.
Result<void> check_outputs(const StressArguments& arguments, const std::vector<Implementation>& list) {
  if (list.size() < 2 || (arguments.save.empty() && arguments.report.empty())) return {};
  return Error{.code = ErrorCode::bad_option,
               .message = fmt::format("{} is for one implementation, and {} are to be run",
                                      arguments.save.empty() ? "--report" : "--save", list.size()),
               .hint = fmt::format("name one of them, such as {}", list.front().name)};
}

Result<void> save(base::OutputFile& file, const History& history) {
  const auto text = write_history(history, format_of_name(file.path()).value_or("text"));
  if (!text) return text.error();
  if (auto written = file.write(*text); !written) return written;
  return file.finish();
}

Error cannot_report(const Implementation& implementation) {
  return Error{.code = ErrorCode::bad_option,
               .message = fmt::format("{} leaves no report", implementation.name),
               .hint = "--report is for etcd-mvcc, whose members have logs; --save writes what clients saw"};
}

/// A report: the members' logs, and what clients asked and were told.
Result<void> leave_report(const Recorded& recorded, const std::string& directory, const History& history) {
  if (auto left = recorded.leave_logs(directory); !left) return left;
  return write_etcd_report(history, directory);
}

/// What leaves logs where a report is wanted.
Result<Recorded> plan_of(const Implementation& implementation, bool report) {
  if (report) return implementation.recorded();
  auto plan = implementation.plan();
  if (!plan) return plan.error();
  return Recorded{.plan = std::move(*plan), .leave_logs = {}};
}

/// docs/json.md lists the fields.
std::string json_of(const Implementation& implementation, const StressResult& result) {
  nlohmann::ordered_json json;
  json["name"] = implementation.name;
  json["type"] = implementation.type;
  json["verdict"] = name(result.verdict);
  json["rounds"] = result.rounds;
  json["operations"] = result.operations;
  json["undecided"] = result.undecided;
  json["seconds"] = result.seconds;
  json["recording_seconds"] = result.recording_seconds;
  json["seed"] = result.seed;
  json["turn_rounds"] = result.turn_rounds;
  json["stress_points"] = result.stress_points;
  json["overlapping"] = result.overlapping;
  json["overlaps"] = result.overlaps;
  json["overlaps_once"] = result.overlaps_once;
  json["stuck"] = result.stuck;
  json["cut_short"] = result.cut_short;
  json["exceptions"] = result.exceptions;
  json["exception"] = result.exception;
  json["round"] = nullptr;
  if (result.history && result.decided) {
    json["round"] = nlohmann::ordered_json::object();
    api::add_verdict(json["round"], *result.history, *result.decided, {});
  }
  return json_line(json);
}

/// The rounds of this shard, with the seeds that they have without shards.
void share_rounds(const Shard& shard, StressOptions& options) {
  const std::uint64_t all = options.rounds;
  const std::uint64_t begin = all * (shard.number - 1) / shard.of, end = all * shard.number / shard.of;
  if (!options.same_seed) options.seed += begin;
  options.rounds = end - begin;
}

/// Each implementation is stressed by every shard.
Result<ShardWriter> begin_shard(const StressArguments& arguments, const std::vector<Implementation>& list) {
  Campaign campaign = arguments.campaign();
  campaign.by = "rounds";
  std::vector<std::string> names;
  names.reserve(list.size());
  for (const Implementation& each : list) names.emplace_back(each.name);
  if (auto added = add_inputs(campaign, names); !added) return added.error();
  return ShardWriter::open(arguments.shard, campaign);
}

int run(StressArguments& arguments) {
  if (auto right = check_shard_options(arguments.shard, arguments.json); !right) {
    print_error(right.error());
    return kBadInput;
  }
  if (arguments.names.empty()) return list_implementations();
  if (auto parsed = parse_mix(arguments); !parsed) {
    print_error(parsed.error());
    return kBadInput;
  }
  const auto list = chosen(arguments.names);
  if (!list) {
    print_error(list.error());
    return kBadInput;
  }
  if (auto right = check_outputs(arguments, *list); !right) {
    print_error(right.error());
    return kBadInput;
  }
  const InterruptWatch interrupt;
  std::optional<base::OutputFile> saved;  // begun before the run, which may be long; there is one to save at most
  if (!arguments.save.empty()) {
    auto file = base::OutputFile::create(arguments.save);
    if (!file) {
      print_error(file.error());
      return kBadInput;
    }
    saved.emplace(std::move(*file));
  }
  StressOptions options = arguments.stress;
  options.stop = interrupt.token();
  options.pin = !arguments.no_pin;
  options.turns = !arguments.no_turns;
  options.progress = terminal_progress();
  options.keep_last = options.keep_last || !arguments.report.empty();
  Tally tally;
  std::optional<ShardWriter> shard;
  if (arguments.shard.given()) {
    auto begun = begin_shard(arguments, *list);
    if (!begun) {
      print_error(begun.error());
      return kBadInput;
    }
    if (begun->ended()) return *begun->ended();
    shard.emplace(std::move(*begun));
    share_rounds(arguments.shard.shard.value_or(Shard{}), options);
    tally = shard->before();
  }
  for (const Implementation& each : *list) {
    const bool taken =
        !shard || (shard->takes_input(std::string(each.name)) && shard->takes({.file = std::string(each.name)}));
    if (!taken) continue;
    if (!arguments.report.empty() && each.recorded == nullptr) {
      print_error(cannot_report(each));
      return kBadInput;
    }
    auto recorded = plan_of(each, !arguments.report.empty());
    if (!recorded) {
      print_error(fmt::format("{}: {}\n", each.name, recorded.error().to_string()));
      return kBadInput;
    }
    const bool has_rounds = !shard || options.rounds > 0;  // there may be fewer than shards
    const StressResult result =
        has_rounds ? stress_plan::run(std::move(recorded->plan), options) : StressResult{.seed = options.seed};
    if (interrupt.interrupted()) return kInterrupted;
    if (result.error) {
      print_error(fmt::format("{}: {}\n", each.name, result.error->to_string()));
      return kBadInput;
    }
    if (arguments.json) {
      const std::string line = json_of(each, result);
      shard ? shard->write(line) : print_for_programs(line);
    } else {
      print(fmt::format("{}: {}\n", each.name, result.to_string()));
    }
    tally.add(answer_of(result.verdict));
    if (result.history && saved) {
      if (auto written = save(*saved, *result.history); !written) {
        print_error(written.error());
        return kBadInput;
      }
    }
    if (result.history && !arguments.report.empty()) {
      if (auto left = leave_report(*recorded, arguments.report, *result.history); !left) {
        print_error(left.error());
        return kBadInput;
      }
    }
  }
  if (shard) {
    if (auto ended = shard->end(tally.exit_code()); !ended) {
      print_error(ended.error());
      return kBadInput;
    }
  }
  return tally.exit_code();
}

}  // namespace

void add_stress(Command app, int& exit_code) {
  Command command = app.add_subcommand("stress", "Stress containers of known libraries and decide what they do");
  const auto arguments = std::make_shared<StressArguments>();
  StressOptions& options = arguments->stress;
  command.footer(
      "Without a NAME it lists the implementations. NAME may be 'all', or the first words of names:\n"
      "'boost' stands for all names that begin with 'boost-'.\n"
      "Exit codes: 0 all linearizable, 1 a violation, 2 bad usage, 3 some round could not be decided.");
  command.add_option("NAME", arguments->names, "Implementations").option_text("...");
  command.add_option("--threads", options.threads, "Threads (default: the number of processors, but 2 to 4)")
      .between(1U, stress_plan::kMostThreads)
      .type_name("N");
  command.add_option("--operations,-n", options.operations, "Operations of a thread in a round (default 100)")
      .between(std::size_t{0}, stress_plan::kMostOperations, false)
      .type_name("N");
  command.add_option("--rounds", options.rounds, "Rounds at most (default 10000)")
      .between(std::size_t{1}, std::numeric_limits<std::size_t>::max(), false)
      .type_name("N");
  command
      .add_parsed_option(
          "--time",
          [&options](const std::string& text) -> std::string {
            options.time = parse_duration(text);
            return options.time ? "" : fmt::format("'{}' is not a time: give 10, 2m", text);
          },
          "Time at most: 10, 500ms, 2m; then a round ends as far as it is")
      .type_name("TIME");
  command
      .add_parsed_option(
          "--stuck",
          [&options](const std::string& text) -> std::string {
            const auto time = parse_duration(text);
            if (!time) return fmt::format("'{}' is not a time: give 10, 2m", text);
            options.stuck = *time;
            return "";
          },
          "Time after which a round is decided as it is, and ends the run (default 1m)")
      .type_name("TIME");
  command
      .add_option("--mix", arguments->mix,
                  "Methods and weights, such as enqueue=3,size=1; 0: not called; those not named keep their own")
      .delimiter(',')
      .type_name("METHOD=WEIGHT,...");
  command.add_option("--prefill", options.prefill, "Values that are there when a round begins")
      .between(std::size_t{0}, stress_plan::kMostOperations, false)
      .type_name("N");
  command.add_option("--keys", options.keys, "Keys of sets and maps (default 8)")
      .between(std::int64_t{1}, stress_plan::kMostKeys)
      .type_name("N");
  command.add_option("--values", options.values, "How many values; 0, the default: none is added twice")
      .between(std::int64_t{0}, stress_plan::kMostKeys)
      .type_name("N");
  command.add_option("--seed", options.seed, "Of the first round; each further round has the next (default 1)")
      .type_name("N");
  command.add_flag("--same-seed", options.same_seed, "Every round draws the operations of --seed: replays a round");
  command.add_option("--delays", options.delays, "Share of operations before which a thread pauses (default 0.2)")
      .between(0.0, 1.0)
      .type_name("SHARE");
  command.add_flag("--no-pin", arguments->no_pin, "Leave threads to the scheduler");
  command.add_flag("--no-turns", arguments->no_turns,
                   "No rounds by turns, which containers with stress points have every second time");
  const Option save_option =
      command
          .add_option("--save", arguments->save,
                      fmt::format("Write the round that is a violation, as text unless the name ends otherwise ({})",
                                  endings_of_formats()))
          .type_name("FILE");
  command
      .add_option("--report", arguments->report, "Leave the last round as a report, with logs of members (etcd-mvcc)")
      .type_name("DIR");
  command.add_flag("--save-last", options.keep_last, "Write the last round to --save, whatever its verdict")
      .needs(save_option);
  command.add_flag("--json", arguments->json, "One JSON object a line for each implementation");
  add_shard_options(command, arguments->shard, false);
  arguments->campaign = [command, options = &arguments->shard] { return campaign_of("stress", command, *options); };
  command.callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace linchpin::app
#endif

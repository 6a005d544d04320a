// linchpin depth FILE...: how many operations have to be delayed to show that a history is linearizable.
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/command.hpp"
#include "app/depth_report.hpp"
#include "app/each_history.hpp"
#include "app/inputs.hpp"
#include "app/interrupt.hpp"
#include "app/limit_options.hpp"
#include "app/output.hpp"
#include "app/progress.hpp"
#include "app/quantities.hpp"
#include "app/reading_options.hpp"
#include "app/shard_writer.hpp"
#include "app/witness_file.hpp"
#include "base/files_of_run.hpp"
#include "base/output_file.hpp"

namespace linchpin::app {

namespace {

constexpr std::uint32_t kDeepestColumn = 5;  // of the tables, where --max-depth does not say

struct DepthArguments {
  std::vector<std::string> paths;
  DepthOptions depth;
  ReadOptions read;
  std::string witness_path;
  TableFormat tables = TableFormat::none;
  std::string figure_path;
  ShardOptions shard;
  std::function<Campaign()> campaign;  // once the arguments are read
  bool json = false;
  bool no_count = false;

  [[nodiscard]] bool summarised() const { return tables != TableFormat::none || !figure_path.empty(); }
};

/// The witnesses as `check` would have them.
HistoryVerdict as_verdict(const HistoryDepth& depth) {
  HistoryVerdict verdict;
  verdict.verdict = depth.verdict;
  for (const ObjectDepth& object : depth.objects) {
    ObjectVerdict& each = verdict.objects.emplace_back();
    each.object = object.object;
    each.name = object.name;
    each.type = object.type;
    each.verdict = object.verdict;
    each.witness = object.witness;
  }
  return verdict;
}

/// One run of the command over all inputs.
class DepthRun {
 public:
  explicit DepthRun(const DepthArguments& arguments)
      : arguments_(arguments), options_(arguments.depth), progress_(true) {
    options_.type = arguments.read.type;
    options_.limits.stop = interrupt_.token();
    options_.count = !arguments.no_count && (arguments.tables != TableFormat::none || arguments.figure_path.empty());
    if (arguments.summarised()) {
      options_.count_to = columns(arguments);
      // Deeper ones are told of below the tables; Algorithm 1 would take too long to find them.
      options_.most = options_.family == ScheduleFamily::published ? options_.count_to : 0;
    }
  }

  int execute() {
    const std::vector<Result<std::string>> files = expand_paths(arguments_.paths);
    if (auto opened = open_outputs(files); !opened) {
      print_error(opened.error());
      return kBadInput;
    }
    if (auto begun = begin_shard_of(arguments_.shard, arguments_.campaign, files, shard_, tally_); !begun) {
      print_error(begun.error());
      return kBadInput;
    }
    if (shard_ && shard_->ended()) return *shard_->ended();
    std::size_t measured = 0;
    for (const Result<std::string>& file : files) {
      if (interrupt_.interrupted()) break;
      if (shard_ && !shard_->takes_input(file ? *file : file.error().source)) {
        // of another shard, or answered before
      } else if (file) {
        if (!measure_file(*file)) break;
      } else {
        fail({.file = file.error().source}, file.error());
      }
      ++measured;
    }
    if (witness_) note_failure(witness_->close());
    if (auto ended = report_->end(); !ended) note_failure(ended);
    if (interrupt_.interrupted()) {
      if (measured < files.size()) {
        print_error(fmt::format("interrupted: {} not measured\n", counted(files.size() - measured, "input")));
      }
      if (shard_) note_failure(shard_->leave());
      return kInterrupted;
    }
    if (shard_) note_failure(shard_->end(exit_code()));
    return exit_code();
  }

 private:
  [[nodiscard]] int exit_code() const { return output_failed() ? kBadInput : tally_.exit_code(); }

  static std::uint32_t columns(const DepthArguments& arguments) {
    return arguments.depth.most == 0 ? kDeepestColumn : arguments.depth.most;
  }

  Result<void> open_outputs(const std::vector<Result<std::string>>& files) {
    const auto differ = base::FilesOfRun::of(readable(files), {arguments_.witness_path, arguments_.figure_path});
    if (!differ) return differ.error();
    if (!arguments_.witness_path.empty()) {
      auto opened = WitnessFile::open(arguments_.witness_path);
      if (!opened) return opened.error();
      witness_.emplace(std::move(*opened));
    }
    std::optional<base::OutputFile> figure;
    if (!arguments_.figure_path.empty()) {
      auto opened = base::OutputFile::create(arguments_.figure_path);
      if (!opened) return opened.error();
      figure.emplace(std::move(*opened));
    }
    if (arguments_.summarised()) {
      report_ = make_depth_tables(arguments_.tables, columns(arguments_), std::move(figure));
    } else {
      report_ = arguments_.json ? make_depth_json_report([this](std::string_view line) {
        shard_ ? shard_->write(line) : print_for_programs(line);
      })
                                : make_depth_text_report(arguments_.depth.count_all);
    }
    return {};
  }

  /// False: an interrupt came before its end.
  bool measure_file(const std::string& file) {
    return for_each_history(
        file, arguments_.read, progress_, interrupt_,
        [this](const Origin& origin, const History& history) {
          if (!shard_ || shard_->takes(origin)) measure(origin, history);
        },
        [this](const Origin& origin, const Error& error) {
          if (!shard_ || shard_->takes(origin)) fail(origin, error);
        });
  }

  void measure(const Origin& origin, const History& history) {
    progress_.begin("measuring " + origin.file);
    const Result<HistoryDepth> depth = measure_depth(history, options_);
    progress_.end();
    if (!depth) {
      fail(origin, depth.error());
      return;
    }
    // What an interrupt left open is not answered: --resume measures it.
    if (shard_ && interrupt_.interrupted()) return;
    for (const ObjectDepth& object : depth->objects) {
      if (object.verdict == Verdict::violation) tally_.add(Answer::violation);
      // The question was the depth: it is open where a limit ended the search, not where --max-depth did.
      if (object.reason != Reason::none) tally_.add(Answer::unknown);
    }
    report_->depth(origin, history, *depth);
    if (witness_) note_failure(witness_->add(origin, history, as_verdict(*depth)));
  }

  void fail(const Origin& origin, Error error) {
    tally_.add(Answer::error);
    if (error.source.empty()) error.source = origin.file;
    report_->error(origin, error);
    print_error(error);
  }

  void note_failure(const Result<void>& written) {
    if (written) return;
    tally_.add(Answer::error);
    print_error(written.error());
    witness_.reset();
  }

  const DepthArguments& arguments_;
  DepthOptions options_;
  InterruptWatch interrupt_;  // before any other thread
  Progress progress_;
  std::unique_ptr<DepthReport> report_;
  std::optional<WitnessFile> witness_;
  std::optional<ShardWriter> shard_;
  Tally tally_;
};

constexpr const char* kDepthFooter =
    "A schedule is an order of all operations that respects happens-before. A strong d-hitting family has, for any d\n"
    "operations, a schedule with each of them as late as the later ones let it be. The depth printed is the smallest "
    "d\n"
    "whose family holds a witness of linearizability (Ozkan, Majumdar, Niksic, PPoPP 2019).\n"
    "FILE may be '-' for standard input, a directory (its files in sorted order), and compressed (.gz, .zst).\n"
    "Exit codes: 0 all linearizable, 1 a violation, 2 bad usage or input, 3 a limit was reached, 130 interrupted.";

void add_summaries(Command command, DepthArguments& arguments, const Option& json) {
  command
      .add_choice<TableFormat>(
          "--tables", arguments.tables,
          "Instead, by class: the histories, the sizes of the families, the shares witnessed for d up to "
          "--max-depth (default 5)",
          {{"text", TableFormat::text}, {"markdown", TableFormat::markdown}, {"csv", TableFormat::csv}})
      .excludes(json);
  command.add_option("--figure", arguments.figure_path, "Draw the shares witnessed by depth, by class, as SVG")
      .option_text("FILE")
      .excludes(json);
}

}  // namespace

void add_depth(Command app, int& exit_code) {
  Command command =
      app.add_subcommand("depth", "Find how few operations have to be delayed to show a history linearizable");
  command.footer(kDepthFooter);
  const auto arguments = std::make_shared<DepthArguments>();
  DepthOptions& depth = arguments->depth;
  command.add_option("FILE", arguments->paths, "Histories to measure").required().option_text("...");
  add_reading_options(command, arguments->read);
  command.add_option("--max-depth", depth.most, "The largest d to try (default: until there is a witness)")
      .between(1U, 1000U, false)
      .type_name("D");
  const Option segments =
      command.add_flag("--by-segment", depth.by_segment, "Between quiet points, each segment with families of its own");
  command.add_flag("--true-depth", depth.linearizability,
                   "Also the linearizability depth: some d operations have only witnesses among all schedules that "
                   "hit them (small histories: all schedules are made)");
  command
      .add_choice<ScheduleFamily>(
          "--family", depth.family,
          "How schedules are made: each once, cut off at the first wrong result (the default), or by the "
          "paper's Algorithm 1",
          {{"enumerated", ScheduleFamily::enumerated}, {"published", ScheduleFamily::published}})
      .excludes(segments);
  command.add_flag("--no-count", arguments->no_count, "Do not count the distinct schedules of the families");
  const Option count_all = command.add_flag("--count-all", depth.count_all,
                                            "Also how many schedules there are in all, and how many of them are "
                                            "witnesses");
  add_limit_options(command, depth.limits, &arguments->read.limits);
  add_ties_option(command, depth.ties);
  command
      .add_option("--witness", arguments->witness_path,
                  "Write the witnesses (text, or JSON Lines where FILE ends in .json or .jsonl)")
      .option_text("FILE");
  const Option json = command.add_flag("--json", arguments->json, "One JSON object a line for each history");
  add_summaries(command, *arguments, json);
  command.option("--tables").excludes(count_all);
  command.option("--figure").excludes(count_all);
  add_shard_options(command, arguments->shard, true);
  command.option("--resume").excludes(command.option("--witness"));
  arguments->campaign = [command, options = &arguments->shard] { return campaign_of("depth", command, *options); };
  command.callback([arguments, &exit_code] {
    if (const auto right = check_shard_options(arguments->shard, arguments->json); !right) {
      print_error(right.error());
      exit_code = kBadInput;
      return;
    }
    exit_code = DepthRun(*arguments).execute();
  });
}

}  // namespace linchpin::app

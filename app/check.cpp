// linchpin check FILE...: a verdict for each history.
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/command.hpp"
#include "app/deciding_options.hpp"
#include "app/each_history.hpp"
#include "app/inputs.hpp"
#include "app/interrupt.hpp"
#include "app/output.hpp"
#include "app/progress.hpp"
#include "app/quantities.hpp"
#include "app/reading_options.hpp"
#include "app/refused_evidence.hpp"
#include "app/report.hpp"
#include "app/shard_writer.hpp"
#include "app/witness_file.hpp"
#include "base/files_of_run.hpp"
#include "base/output_file.hpp"
#include "linchpin/check.hpp"
#include "linchpin/page.hpp"

namespace linchpin::app {

namespace {

struct CheckArguments {
  std::vector<std::string> paths;
  CheckOptions check;
  ReadOptions read;
  std::string witness_path;
  std::string report_path;
  std::uint64_t report_limit = 0;  // operations of a history that the report shows; 0: all
  std::string junit_path, sarif_path;
  std::string save_directory;
  ShardOptions shard;
  std::function<Campaign()> campaign;  // once the arguments are read
  bool json = false;
  bool quiet = false;
  bool no_witness = false;
  bool no_shrink = false;
};

/// One run of the command over all inputs.
class CheckRun {
 public:
  explicit CheckRun(const CheckArguments& arguments)
      : arguments_(arguments), options_(arguments.check), progress_(!arguments.quiet) {
    options_.type = arguments.read.type;
    options_.limits.stop = interrupt_.token();
    options_.witness = !arguments.no_witness;
    options_.shrink = !arguments.no_shrink;
    options_.progress = [this](std::size_t done, std::size_t all) { progress_.update(done, all); };
    options_.shrinking = [this](std::size_t left, std::size_t) { progress_.shrinking(left); };
    reports_.push_back(make_report());
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
    std::size_t checked = 0;
    for (const Result<std::string>& file : files) {
      if (interrupt_.interrupted()) break;
      if (shard_ && !shard_->takes_input(file ? *file : file.error().source)) {
        // of another shard, or answered before
      } else if (file) {
        if (!check_file(*file)) break;
      } else {
        fail({.file = file.error().source}, file.error());
      }
      ++checked;
    }
    if (witness_) note_failure(witness_->close(), witness_);
    if (page_) note_failure(page_->close(), page_);
    for (const auto& report : reports_) {
      if (const auto ended = report->end(); !ended) {
        tally_.add(Answer::error);
        print_error(ended.error());
      }
    }
    if (interrupt_.interrupted()) {
      if (checked < files.size()) {
        print_error(fmt::format("interrupted: {} not checked\n", counted(files.size() - checked, "input")));
      }
      if (shard_) note_shard(shard_->leave());
      return kInterrupted;
    }
    if (shard_) note_shard(shard_->end(exit_code()));
    return exit_code();
  }

 private:
  [[nodiscard]] int exit_code() const { return output_failed() ? kBadInput : tally_.exit_code(); }

  [[nodiscard]] std::unique_ptr<Report> make_report() {
    if (arguments_.quiet) return make_quiet_report();
    const auto write = [this](std::string_view line) { shard_ ? shard_->write(line) : print_for_programs(line); };
    return arguments_.json ? make_json_report(write, options_) : make_text_report(options_.verify);
  }

  void note_shard(const Result<void>& written) {
    if (written) return;
    tally_.add(Answer::error);
    print_error(written.error());
  }

  /// Makes what is written beside standard output, after a look at whether that would overwrite something that is read.
  Result<void> open_outputs(const std::vector<Result<std::string>>& files) {
    auto others = base::FilesOfRun::of(readable(files), {arguments_.witness_path, arguments_.report_path,
                                                         arguments_.junit_path, arguments_.sarif_path});
    if (!others) return others.error();
    if (!arguments_.witness_path.empty()) {
      auto opened = WitnessFile::open(arguments_.witness_path);
      if (!opened) return opened.error();
      witness_.emplace(std::move(*opened));
    }
    if (!arguments_.report_path.empty()) {
      auto opened = ReportPage::open(arguments_.report_path);
      if (!opened) return opened.error();
      page_.emplace(std::move(*opened));
      if (arguments_.report_limit > 0) page_->limit(arguments_.report_limit);
    }
    if (!arguments_.junit_path.empty()) {
      auto opened = base::OutputFile::create(arguments_.junit_path);
      if (!opened) return opened.error();
      reports_.push_back(make_junit_report(std::move(*opened)));
    }
    if (!arguments_.sarif_path.empty()) {
      auto opened = base::OutputFile::create(arguments_.sarif_path);
      if (!opened) return opened.error();
      reports_.push_back(make_sarif_report(std::move(*opened)));
    }
    if (!arguments_.save_directory.empty()) {
      auto opened = SavedViolations::open(arguments_.save_directory, std::move(*others));
      if (!opened) return opened.error();
      save_.emplace(std::move(*opened));
    }
    return {};
  }

  /// False: an interrupt came before its end.
  bool check_file(const std::string& file) {
    return for_each_history(
        file, arguments_.read, progress_, interrupt_,
        [this](const Origin& origin, const History& history) {
          if (!shard_ || shard_->takes(origin)) check_history(origin, history);
        },
        [this](const Origin& origin, const Error& error) {
          if (!shard_ || shard_->takes(origin)) fail(origin, error);
        });
  }

  void check_history(const Origin& origin, const History& history) {
    progress_.begin("checking " + origin.file);
    const Result<HistoryVerdict> verdict = check(history, options_);
    progress_.end();
    if (!verdict) {
      fail(origin, verdict.error());
      return;
    }
    // What an interrupt left undecided is not answered: --resume decides it.
    if (shard_ && verdict->verdict == Verdict::unknown && interrupt_.interrupted()) return;
    report_refused_evidence(origin, history, *verdict, options_.type);
    tally_.add(answer_of(verdict->verdict));
    std::vector<SavedViolation> saved;
    if (save_) {
      auto files = save_->add(origin, history, *verdict, options_);
      if (files) {
        saved = std::move(*files);
      } else {
        tally_.add(Answer::error);
        print_error(files.error());
      }
    }
    for (const auto& report : reports_) report->verdict(origin, history, *verdict, saved);
    if (witness_) note_failure(witness_->add(origin, history, *verdict), witness_);
    if (page_) note_failure(page_->add(label(origin), history, *verdict, options_), page_);
  }

  void fail(const Origin& origin, Error error) {
    tally_.add(Answer::error);
    if (error.source.empty()) error.source = origin.file;
    for (const auto& report : reports_) report->error(origin, error);
    print_error(error);
  }

  /// A file that could not be written is given up.
  template <class File>
  void note_failure(const Result<void>& written, std::optional<File>& file) {
    if (written) return;
    tally_.add(Answer::error);
    print_error(written.error());
    file.reset();
  }

  const CheckArguments& arguments_;
  CheckOptions options_;
  InterruptWatch interrupt_;  // before any other thread
  Progress progress_;
  std::vector<std::unique_ptr<Report>> reports_;
  std::optional<WitnessFile> witness_;
  std::optional<ReportPage> page_;
  std::optional<SavedViolations> save_;
  std::optional<ShardWriter> shard_;
  Tally tally_;
};

constexpr const char* kCheckFooter =
    "FILE may be '-' for standard input, a directory (its files in sorted order), and compressed (.gz, .zst).\n"
    "Exit codes: 0 all linearizable, 1 a violation, 2 bad usage or input, 3 unknown and no violation, 130 interrupted.";

}  // namespace

void add_check(Command app, int& exit_code) {
  Command command = app.add_subcommand("check", "Decide whether histories are linearizable");
  command.footer(kCheckFooter);
  const auto arguments = std::make_shared<CheckArguments>();
  command.add_option("FILE", arguments->paths, "Histories to check").required().option_text("...");
  add_reading_options(command, arguments->read);
  add_deciding_options(command, arguments->check, arguments->read);
  command
      .add_parsed_option(
          "--order-by",
          [arguments](const std::string& field) -> std::string {
            arguments->check.order_by = arguments->read.field = field;
            return {};
          },
          "First try the order that the store claims: that of this field's numbers, such as a revision")
      .type_name("FIELD");
  command.add_flag("--all", arguments->check.all, "Decide every object, even after a violation");
  command.add_flag("--no-witness", arguments->no_witness, "Do not build witnesses: less memory")
      .excludes(command
                    .add_option("--witness", arguments->witness_path,
                                "Write the order that shows each history to be linearizable (text, or JSON Lines "
                                "where FILE ends in .json or .jsonl)")
                    .option_text("FILE"));
  command
      .add_option("--report", arguments->report_path,
                  "Write a page for the browser that shows every history with its verdict and the reason")
      .option_text("FILE.html");
  command
      .add_option(
          "--report-limit", arguments->report_limit,
          "Show at most COUNT operations of a history in the report: the core, what is near it, and counts of the "
          "rest")
      .type_name("COUNT")
      .needs(command.option("--report"));
  command.add_option("--junit", arguments->junit_path, "Write a JUnit file: a test case for each history and object")
      .option_text("FILE");
  command.add_option("--sarif", arguments->sarif_path, "Write the violations as SARIF, for code hosts that show them")
      .option_text("FILE");
  command
      .add_option("--save", arguments->save_directory,
                  "Save each violation in DIR: the history, and the few operations that show it")
      .option_text("DIR");
  command.add_flag("--no-shrink", arguments->no_shrink, "Do not shrink the operations that show a violation");
  const Option json = command.add_flag("--json", arguments->json, "One JSON object a line for each history");
  command.add_flag("--quiet,-q", arguments->quiet, "Print only errors; the exit code says the verdict").excludes(json);
  add_shard_options(command, arguments->shard, true);
  // What a run writes of the histories it checks lacks those that were answered before: merge writes it of all.
  for (const char* const whole : {"--junit", "--sarif", "--report", "--witness"}) {
    command.option("--resume").excludes(command.option(whole));
  }
  arguments->campaign = [command, options = &arguments->shard] { return campaign_of("check", command, *options); };
  command.callback([arguments, &exit_code] {
    if (const auto right = check_shard_options(arguments->shard, arguments->json); !right) {
      print_error(right.error());
      exit_code = kBadInput;
      return;
    }
    arguments->read.mark_failed = !arguments->report_path.empty();
    exit_code = CheckRun(*arguments).execute();
  });
}

}  // namespace linchpin::app

// linchpin merge FILE...: the shards of a campaign, folded into one answer.
//
// A campaign is called clean only if it is whole: every shard is there once, ends as it was written, and is of the same
// command, options, inputs and version as the others; and together they have answered every input. What is not so is
// left out, named, and makes the campaign incomplete.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "app/command.hpp"
#include "app/inputs.hpp"
#include "app/json_text.hpp"
#include "app/merged_files.hpp"
#include "app/output.hpp"
#include "app/quantities.hpp"
#include "app/shard_file.hpp"
#include "app/split_manifest.hpp"
#include "base/files_of_run.hpp"
#include "base/foreign_text.hpp"

namespace linchpin::app {

namespace {

constexpr std::size_t kMostOnOutput = 20;  // findings on standard output

struct MergeArguments {
  std::vector<std::string> paths;
  std::string report_path, junit_path, sarif_path;
  bool json = false;
  bool no_times = false;
};

/// Which answer of which file.
struct Entry {
  const ShardFile* file;
  const ShardAnswer* answer;
};

/// "2, 4 to 7 and 9", of ascending numbers.
std::string numbers(const std::vector<std::uint32_t>& all) {
  std::vector<std::string> runs;
  for (std::size_t i = 0; i < all.size();) {
    std::size_t end = i + 1;
    while (end < all.size() && all[end] == all[end - 1] + 1) ++end;
    runs.push_back(end - i > 2 ? fmt::format("{} to {}", all[i], all[end - 1]) : std::to_string(all[i]));
    i = end - i > 2 ? end : i + 1;
  }
  std::string text = runs.front();
  for (std::size_t i = 1; i < runs.size(); ++i) text += (i + 1 == runs.size() ? " and " : ", ") + runs[i];
  return text;
}

/// What differs from run to run, the same for all: times, memory, and whether there was time to check evidence.
void leave_out_times(nlohmann::ordered_json& json) {
  for (auto& [key, value] : json.items()) {
    if (key == "seconds" || key == "recording_seconds" || key == "peak_bytes") value = 0;
    if (key == "witness_checked" || key == "core_checked") value = nullptr;
    if (value.is_structured()) leave_out_times(value);
  }
}

class Merge {
 public:
  explicit Merge(const MergeArguments& arguments) : arguments_(arguments) {}

  int execute() {
    const std::vector<Result<std::string>> paths = expand_paths(arguments_.paths);
    if (auto opened = open_outputs(readable(paths)); !opened) return fail(opened.error());
    for (const Result<std::string>& path : paths) {
      if (!path) return fail(path.error());
      auto file = read_shard_file(*path);
      if (!file && file.error().code != ErrorCode::truncated) return fail(file.error());
      if (file) {
        files_.push_back(std::move(*file));
      } else {
        problem(fmt::format("{} ends before its head does", *path));
      }
    }
    if (!files_.empty()) take_files();
    find_whole();
    if (auto told = tell(); !told) return fail(told.error());
    if (tally_.of(Answer::violation) > 0 && (!problems_.empty() || tally_.of(Answer::error) == 0)) return kViolation;
    if (!problems_.empty()) return kUnknown;
    if (tally_.of(Answer::error) > 0) return kBadInput;
    return tally_.of(Answer::unknown) > 0 ? kUnknown : kLinearizable;
  }

 private:
  static int fail(const Error& error) {
    print_error(error);
    return kBadInput;
  }

  void problem(const std::string& text) { problems_.push_back(base::foreign_text(text)); }

  Result<void> open_outputs(const std::vector<std::string>& inputs) {
    if (auto differ =
            base::FilesOfRun::of(inputs, {arguments_.report_path, arguments_.junit_path, arguments_.sarif_path});
        !differ) {
      return differ.error();
    }
    using Make = std::unique_ptr<MergedFile> (*)(base::OutputFile);
    const std::pair<const std::string&, Make> wanted[] = {{arguments_.report_path, make_merged_page},
                                                          {arguments_.junit_path, make_merged_junit},
                                                          {arguments_.sarif_path, make_merged_sarif}};
    for (const auto& [path, make] : wanted) {
      if (path.empty()) continue;
      auto file = base::OutputFile::create(path);
      if (!file) return file.error();
      outputs_.push_back(make(std::move(*file)));
    }
    return {};
  }

  [[nodiscard]] const Campaign& campaign() const { return files_.front().campaign; }
  /// By each of which every shard has an answer.
  [[nodiscard]] bool each_shard_has_all() const {
    return campaign().command == "stress" || campaign().command == "explore";
  }

  /// Of the campaign of the first file.
  [[nodiscard]] bool belongs(const ShardFile& file) {
    const Campaign& first = campaign();
    const Campaign& other = file.campaign;
    const std::string& name = files_.front().path;
    if (other.version != first.version) {
      problem(fmt::format("{} was written by linchpin {}, and {} by linchpin {}", file.path, other.version, name,
                          first.version));
    } else if (other.command != first.command || other.options != first.options || other.by != first.by) {
      problem(fmt::format("{} is of another command or of other options than {}", file.path, name));
    } else if (other.inputs != first.inputs || other.fingerprint != first.fingerprint) {
      problem(fmt::format("{} is of other inputs than {}", file.path, name));
    } else if (other.shards != first.shards) {
      problem(fmt::format("{} is one of {} shards, and {} one of {}", file.path, other.shards, name, first.shards));
    } else {
      return true;
    }
    return false;
  }

  void take_files() {
    for (const ShardFile& file : files_) {
      if (!belongs(file)) continue;
      const auto [at, fresh] = shards_.emplace(file.number, &file);
      if (!fresh) {
        problem(fmt::format("shard {} is there twice: {} and {}", file.number, at->second->path, file.path));
        continue;
      }
      if (!file.end) {
        problem(fmt::format("{} ends early, after {}; --resume goes on from there", file.path,
                            counted(file.answers.size(), "answer")));
      }
      for (const ShardAnswer& answer : file.answers) entries_.push_back({&file, &answer});
    }
    std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
      return std::tie(a.answer->input, a.answer->index, a.file->number) <
             std::tie(b.answer->input, b.answer->index, b.file->number);
    });
    if (!each_shard_has_all()) leave_out_duplicates();
    for (const Entry& entry : entries_) tally_.add(entry.answer->answer);
  }

  void leave_out_duplicates() {
    const auto same = [&](const Entry& a, const Entry& b) {
      const bool equal = a.answer->input == b.answer->input && a.answer->index == b.answer->index;
      if (equal) {
        problem(fmt::format("{} #{} is answered in {} and in {}", a.answer->input, a.answer->index, a.file->path,
                            b.file->path));
      }
      return equal;
    };
    // A violation must not be left out for an answer that is none.
    for (std::size_t i = 1; i < entries_.size(); ++i) {
      if (entries_[i].answer->answer == Answer::violation &&
          entries_[i - 1].answer->input == entries_[i].answer->input &&
          entries_[i - 1].answer->index == entries_[i].answer->index) {
        std::swap(entries_[i - 1], entries_[i]);
      }
    }
    entries_.erase(std::unique(entries_.begin(), entries_.end(), same), entries_.end());
  }

  void find_whole() {
    if (files_.empty()) return;
    std::vector<std::uint32_t> missing;
    for (std::uint32_t number = 1; number <= campaign().shards; ++number) {
      if (!shards_.contains(number)) missing.push_back(number);
    }
    if (!missing.empty()) {
      problem(fmt::format("{} {} of {} {} missing", missing.size() == 1 ? "shard" : "shards", numbers(missing),
                          campaign().shards, missing.size() == 1 ? "is" : "are"));
    }
    std::uint64_t answered = 0;
    bool ended = missing.empty();
    for (const auto& [number, file] : shards_) {
      ended = ended && file->end;
      if (file->end) answered += file->end->inputs;
    }
    const bool each = each_shard_has_all() || campaign().by == "history";
    const std::uint64_t all = campaign().inputs * (each ? campaign().shards : 1);
    if (ended && answered != all) {
      problem(fmt::format("the shards have looked at {} of {}", grouped(answered), counted(all, "input")));
    }
  }

  [[nodiscard]] MergedWhole whole() const {
    MergedWhole whole;
    whole.problems = problems_;
    whole.verdict = tally_.of(Answer::violation) > 0 ? "violation"
                    : !problems_.empty()             ? "incomplete"
                    : tally_.of(Answer::error) > 0   ? "error"
                    : tally_.of(Answer::unknown) > 0 ? "unknown"
                                                     : "linearizable";
    whole.headline =
        fmt::format("{} of {} shards, {}: {} linearizable, {}, {} unknown, {}", grouped(shards_.size()),
                    files_.empty() ? "?" : grouped(campaign().shards), counted(tally_.all(), "answer"),
                    grouped(tally_.of(Answer::linearizable)), counted(tally_.of(Answer::violation), "violation"),
                    grouped(tally_.of(Answer::unknown)), counted(tally_.of(Answer::error), "error"));
    return whole;
  }

  Result<void> tell() {
    const MergedWhole all = whole();
    std::string text =
        fmt::format("{}{}: {}\n", all.verdict,
                    all.verdict == "violation" && !problems_.empty() ? ", and incomplete" : "", all.headline);
    std::size_t shown = 0, left_out = 0;
    std::map<const ShardFile*, std::ifstream> streams;
    for (const Entry& entry : entries_) {
      const bool fine = entry.answer->answer == Answer::linearizable;
      if (fine && !arguments_.json && outputs_.empty()) continue;
      auto line = line_of(entry, streams);
      if (!line) return line.error();
      if (arguments_.json) print_answer(*line);
      for (MergedCase& each : cases_of(campaign().command, *line)) {
        name_original(each);
        for (const auto& output : outputs_) output->add(each);
        if (each.answer == Answer::linearizable) continue;
        if (shown++ >= kMostOnOutput) {
          ++left_out;
          continue;
        }
        text += base::foreign_text(
                    fmt::format("  {}: {}, {}: {}", kind(each.answer), each.input, each.test, each.sentence)) +
                "\n";
      }
    }
    if (left_out > 0) text += fmt::format("  and {} more: --report, --junit and --sarif have all\n", grouped(left_out));
    for (const std::string& problem : problems_) text += fmt::format("incomplete: {}\n", problem);
    if (arguments_.json) {
      print_summary(all);
    } else {
      print(text);
    }
    for (const auto& output : outputs_) {
      if (auto ended = output->end(all); !ended) return ended;
    }
    return {};
  }

  /// Of a part of a split history: the lines are those of the original. Where its folder is not here, the part's name
  /// stays.
  void name_original(MergedCase& each) {
    const std::filesystem::path path(each.input);
    const std::string folder = path.parent_path().string();
    const auto [at, fresh] = originals_.try_emplace(folder);
    if (fresh && path.filename().string().starts_with("part-")) {
      auto manifest = read_manifest(folder);
      if (manifest && *manifest) at->second = (*manifest)->original;
    }
    if (at->second.empty()) return;
    each.test += " of " + path.filename().string();
    each.input = at->second;
  }

  static std::string_view kind(Answer answer) {
    return answer == Answer::violation ? "violation" : answer == Answer::unknown ? "unknown" : "error";
  }

  static Result<std::string> line_of(const Entry& entry, std::map<const ShardFile*, std::ifstream>& streams) {
    std::ifstream& stream = streams[entry.file];
    if (!stream.is_open()) stream.open(entry.file->path, std::ios::binary);
    std::string line(entry.answer->length, '\0');
    stream.seekg(static_cast<std::streamoff>(entry.answer->offset));
    stream.read(line.data(), static_cast<std::streamsize>(line.size()));
    if (stream) return entry.file->sealed ? without_seal(line) : line;
    return Error{.code = ErrorCode::io,
                 .source = entry.file->path,
                 .message = "the file has changed while it was read",
                 .hint = "merge shards that are no longer written"};
  }

  void print_answer(const std::string& line) const {
    if (!arguments_.no_times) return print_for_programs(line);
    auto json = nlohmann::ordered_json::parse(line);
    leave_out_times(json);
    print_for_programs(json_line(json));
  }

  void print_summary(const MergedWhole& all) const {
    nlohmann::ordered_json json;
    json["merged"] = {{"verdict", all.verdict},
                      {"whole", problems_.empty()},
                      {"command", files_.empty() ? "" : campaign().command},
                      {"shards", files_.empty() ? 0 : campaign().shards},
                      {"inputs", files_.empty() ? 0 : campaign().inputs},
                      {"linearizable", tally_.of(Answer::linearizable)},
                      {"violations", tally_.of(Answer::violation)},
                      {"unknown", tally_.of(Answer::unknown)},
                      {"errors", tally_.of(Answer::error)},
                      {"problems", problems_}};
    if (arguments_.no_times) json["merged"].erase("shards");  // one process has one
    print_for_programs(json_line(json));
  }

  const MergeArguments& arguments_;
  std::vector<std::unique_ptr<MergedFile>> outputs_;
  std::vector<ShardFile> files_;
  std::map<std::uint32_t, const ShardFile*> shards_;  // those that are taken
  std::vector<Entry> entries_;
  std::vector<std::string> problems_;
  Tally tally_;
  std::map<std::string, std::string> originals_;  // by folder; empty: it is no split history
};

constexpr const char* kMergeFooter =
    "FILE is what check, depth, stress or explore wrote with --shard and --json, or a directory of such files.\n"
    "Exit codes: 0 all linearizable, 1 a violation, 2 bad usage or input, 3 unknown or incomplete, and no violation.";

}  // namespace

void add_merge(Command app, int& exit_code) {
  Command command = app.add_subcommand("merge", "Fold the shards of a campaign into one answer");
  command.footer(kMergeFooter);
  const auto arguments = std::make_shared<MergeArguments>();
  command.add_option("FILE", arguments->paths, "Shards").required().option_text("...");
  command.add_flag("--json", arguments->json,
                   "All answers, sorted by input, one a line, and a last line for the whole");
  command.add_flag("--no-times", arguments->no_times, "With --json: leave out what differs from run to run");
  command.add_option("--report", arguments->report_path, "Write a page for the browser with what was found")
      .option_text("FILE.html");
  command.add_option("--junit", arguments->junit_path, "Write a JUnit file: a test case for each history and object")
      .option_text("FILE");
  command.add_option("--sarif", arguments->sarif_path, "Write the violations as SARIF, for code hosts that show them")
      .option_text("FILE");
  command.callback([arguments, &exit_code] { exit_code = Merge(*arguments).execute(); });
}

}  // namespace linchpin::app

// Faster linearizability checking via P-compositionality: its Table 1, on sets that are to be had here.
//
// Four threads draw methods and keys on a set of oneTBB or libcds, 70,000 operations each; what the recorder wrote down
// is decided by the three variants of the paper and by what is chosen here, each in a process of its own. Time is CPU
// of the check, memory the peak of the process. The paper's rows stand under ours of the same kind. Then the same on
// fewer operations (the figures), and the etcd logs of the authors' repository where the corpus is.
#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/quantities.hpp"
#include "arguments.hpp"
#include "papers/measuring.hpp"
#include "papers/page.hpp"
#include "papers/recorded_sets.hpp"
#include "papers/set_variants.hpp"

namespace linchpin::papers {

namespace {

using app::grouped;

constexpr std::size_t kPublishedVariants = 3;

struct PublishedCell {
  const char* seconds;
  int megabytes;
  int timeouts;  ///< percent
};
struct PublishedSet {
  std::string_view mnemonic;
  std::string_view what;
  std::array<PublishedCell, kPublishedVariants> cells;
};
constexpr std::array kPublished{
    PublishedSet{"TBB", "Intel TBB", {{{"101 s", 9792, 0}, {"11 s", 670, 0}, {"6 s", 672, 0}}}},
    PublishedSet{
        "CRLSL", "collision resistance lazy skip list", {{{"20 s", 15738, 0}, {"25 s", 678, 0}, {"6 s", 400, 0}}}},
    PublishedSet{"CRLFSL",
                 "collision resistance lock-free skip list",
                 {{{"14 s", 15029, 0}, {"18 s", 678, 0}, {"5 s", 401, 0}}}},
    PublishedSet{"FGL", "fine-grained lock", {{{"16 s", 14297, 0}, {"81 s", 678, 0}, {"5 s", 401, 0}}}},
    PublishedSet{"LLL", "lazy linked-list", {{{"23 s", 16494, 0}, {"94 s", 678, 0}, {"6 s", 401, 0}}}},
    PublishedSet{"LSL", "lazy skip list", {{{"20 s", 15736, 0}, {"25 s", 678, 14}, {"6 s", 401, 0}}}},
    PublishedSet{"LFLL", "lock-free linked-list", {{{"11 s", 11847, 0}, {"15 s", 678, 0}, {"5 s", 402, 0}}}},
    PublishedSet{"LFSL", "lock-free skip list", {{{"14 s", 14712, 0}, {"18 s", 678, 0}, {"5 s", 401, 0}}}},
    PublishedSet{
        "LFSLF0", "lock-free skip list, faulty (bad hash)", {{{"14 s", 13125, 0}, {"18 s", 678, 0}, {"5 s", 402, 0}}}},
    PublishedSet{"LFSLF1",
                 "lock-free skip list, faulty (good hash)",
                 {{{"< 1 s", 404, 0}, {"< 1 s", 407, 0}, {"< 1 s", 402, 0}}}},
    PublishedSet{"OPTIMIST", "optimistic lock", {{{"16 s", 13818, 0}, {"54 s", 678, 9}, {"5 s", 401, 0}}}},
};

SetHistories histories_of(const RecordedSet& set) {
  return {.name = std::string(set.name), .linearizable = set.linearizable, .record = set.record};
}

void table_1(const Options& options, Page& page) {
  const SetWorkload paper{};
  const std::size_t operations = options.quick ? 500 : paper.operations;
  const std::size_t histories = options.quick ? 1 : options.histories.value_or(3);
  page.heading("Table 1: sets");
  page.text(fmt::format(
      "{} a set, {} threads of {} operations each on {} keys; time and memory are means of the histories that were "
      "decided, within {} s of wall clock, which are less on a busy machine, and {} GB each. *Published* figures are "
      "the elapsed time and virtual memory of the "
      "paper's checker on its own histories (100 of TBB, 50 to 100 of each other set), terminated after one hour, on a "
      "12-core Xeon at 2.4 GHz.",
      app::counted(histories, "history"), paper.threads, grouped(operations), paper.keys, options.seconds,
      options.memory_gigabytes));
  Table table{.columns = {{"set", false}, {"violations"}}, .rows = {}};
  for (const SetVariant& variant : kSetVariants) {
    table.columns.push_back({variant.name});
  }
  std::vector<std::string_view> shown;
  const auto published = [&](const PublishedSet& set) {
    std::vector<std::string> row{fmt::format("*{}: {}, published*", set.mnemonic, set.what), ""};
    for (const PublishedCell& cell : set.cells) {
      const std::string timeouts = cell.timeouts == 0 ? "" : fmt::format("; {} % timeouts", cell.timeouts);
      row.push_back(
          fmt::format("*{}, {} MB{}*", cell.seconds, grouped(static_cast<std::size_t>(cell.megabytes)), timeouts));
    }
    row.resize(table.columns.size());
    table.rows.push_back(std::move(row));
    shown.push_back(set.mnemonic);
  };
  for (const RecordedSet& set : recorded_sets()) {
    std::array<SetCell, kSetVariants.size()> cells;
    std::size_t violations = 0;
    for (std::size_t seed = 1; seed <= histories; ++seed) {
      const auto decided = decide_set(histories_of(set), {.operations = operations, .keys = paper.keys, .seed = seed},
                                      check_options(options).limits, options, page);
      if (!decided) continue;
      violations += decided->verdict == Verdict::violation ? 1 : 0;
      for (std::size_t i = 0; i < cells.size(); ++i) cells[i].add(decided->by[i]);
    }
    std::vector<std::string> row{std::string(set.name), fmt::to_string(violations)};
    for (const SetCell& cell : cells) row.push_back(cell.means());
    table.rows.push_back(std::move(row));
    for (const PublishedSet& of_kind : kPublished) {
      if (of_kind.mnemonic == set.published && std::find(shown.begin(), shown.end(), of_kind.mnemonic) == shown.end()) {
        published(of_kind);
      }
    }
  }
  for (const PublishedSet& set : kPublished) {
    if (std::find(shown.begin(), shown.end(), set.mnemonic) == shown.end()) published(set);
  }
  page.table(table);
}

void by_length(const Options& options, Page& page) {
  const RecordedSet set = recorded_sets().front();
  const std::vector<std::size_t> sizes =
      options.quick ? std::vector<std::size_t>{100, 300}
                    : std::vector<std::size_t>{250, 1'000, 2'500, 5'000, 10'000, 20'000, 40'000, 70'000};
  app::LineChart time{.title = std::string(set.name) + ", four threads",
                      .x = {.label = "operations", .logarithmic = true},
                      .y = {.label = "CPU time, deciding", .seconds = true, .logarithmic = true},
                      .lines = {}};
  app::LineChart memory = time;
  memory.y = {.label = "resident memory", .unit = " MB", .logarithmic = true};
  for (const SetVariant& variant : kSetVariants) {
    time.lines.push_back({.name = variant.name, .points = {}});
    memory.lines.push_back({.name = variant.name, .points = {}});
  }
  for (const std::size_t size : sizes) {
    const auto decided =
        decide_set(histories_of(set), {.operations = size, .seed = 10}, check_options(options).limits, options, page);
    if (!decided) continue;
    for (std::size_t which = 0; which < kSetVariants.size(); ++which) {
      const std::optional<Measured>& measured = decided->by[which];
      if (!measured || measured->checked.verdict == Verdict::unknown) continue;
      const auto at = static_cast<double>(4 * size);
      time.lines[which].points.emplace_back(at, measured->checked.seconds);
      memory.lines[which].points.emplace_back(at, measured->usage.megabytes);
    }
  }
  page.heading("By the length of the history");
  page.text(
      "A line ends where its variant ran out of time or memory. Memory is the whole process's, the history and "
      "the program included.");
  page.figure("time", time, "Seconds of the variants by operations");
  page.figure("memory", memory, "Memory of the variants by operations");
}

struct Logs {
  double seconds = 0;
  std::size_t decided = 0, right = 0, wrong = 0, failed = 0;
};

void etcd_logs(const Options& options, Page& page) {
  page.heading("The etcd logs");
  if (!options.corpus || !std::filesystem::exists(*options.corpus / "etcd")) {
    page.left_out("the etcd logs, since the environment variable `LINCHPIN_CORPUS` names no folder with them.");
    return;
  }
  std::ifstream file(*options.corpus / "expected.json");
  const auto expected = nlohmann::json::parse(file, nullptr, false);
  std::vector<std::pair<std::string, bool>> logs;
  for (const auto& [path, answer] : expected.items()) {
    if (path.starts_with("etcd/") && answer.is_boolean()) logs.emplace_back(path, answer.get<bool>());
  }
  if (options.quick) logs.resize(std::min<std::size_t>(logs.size(), 5));
  const double seconds = options.quick ? 1 : 10;
  page.text(
      fmt::format("{} logs of one compare-and-set register each, of Jepsen tests of etcd, as the authors' "
                  "repository has them; all in one process, {} s for a log. There is nothing to partition.",
                  logs.size(), seconds));
  Table table{.columns = {{"variant", false}, {"decided"}, {"right"}, {"seconds of CPU, all logs"}, {"MB"}},
              .rows = {}};
  for (const SetVariant& variant : kSetVariants) {
    bench::Usage usage;
    const auto result = bench::in_child<Logs>(usage, [&](Logs& sum) {
      CheckOptions check = check_options(options, variant.decider);
      check.limits.time = std::chrono::duration<double>(seconds);
      check.shrink = false;
      check.witness = false;
      for (const auto& [path, answer] : logs) {
        const auto histories = read_histories((*options.corpus / path).string(), {});
        if (!histories || histories->empty() || !histories->front()) {
          ++sum.failed;
          continue;
        }
        const Checked checked = timed_check(*histories->front(), check);
        sum.seconds += checked.seconds;
        if (checked.verdict == Verdict::unknown) continue;
        ++sum.decided;
        ++((checked.verdict == Verdict::linearizable) == answer ? sum.right : sum.wrong);
      }
    });
    if (!result || result->wrong > 0 || result->failed > 0) {
      page.wrong(fmt::format("etcd logs by {}: {} wrong", variant.name, result ? result->wrong : 0));
      continue;
    }
    page.measured({"etcd logs", fmt::to_string(logs.size()), "", variant.name, "", "",
                   fmt::format("{:.4g}", result->seconds), fmt::format("{:.0f}", usage.megabytes)});
    table.rows.push_back({variant.name, fmt::to_string(result->decided), fmt::to_string(result->right),
                          duration(result->seconds), fmt::format("{:.0f}", usage.megabytes)});
  }
  page.table(table);
}

}  // namespace

bool p_compositionality(const Options& options) {
  Page page(options, "p-compositionality", "Faster linearizability checking via P-compositionality",
            {kSetColumns.begin(), kSetColumns.end()});
#ifndef LINCHPIN_PAPERS_CDS
  page.left_out("the sets of libcds, which is not installed.");
#endif
  table_1(options, page);
  by_length(options, page);
  etcd_logs(options, page);
  return page.finish();
}

}  // namespace linchpin::papers

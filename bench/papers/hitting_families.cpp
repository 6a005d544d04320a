// Checking linearizability using hitting families: Tables 1, 2, 3 and Figure 4, and Table 3 by overlap.
//
// `linchpin depth --tables csv` measures the recorded histories of java.util.concurrent (the corpus), once with the
// families as they are enumerated here and once by the paper's Algorithm 1; the three tables get the paper's rows
// beside them. Every history's label is known: each class has to have as many linearizable ones. Without the corpus,
// random histories of queues stand in, whose share of linearizable ones is known, and there is nothing to compare with.
// `linchpin depth --json` tells the pairs and the depth of each history: for the figure, and for the shares among
// histories that overlap no more than the paper's.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/quantities.hpp"
#include "contract/java_labels.hpp"
#include "papers/hitting_families_published.hpp"
#include "papers/page.hpp"
#include "process.hpp"

namespace linchpin::papers {

namespace {

constexpr int kDeepest = 5;
constexpr std::string_view kOurs = "enumerated", kAlgorithm1 = "published";

/// What one run of the command says: (table, class, d, statistic) -> number.
class Numbers {
 public:
  explicit Numbers(const std::string& csv) {
    std::istringstream lines(csv);
    std::string line;
    std::getline(lines, line);  // the titles
    while (std::getline(lines, line)) {
      const std::size_t comma = line.rfind(',');
      numbers_[line.substr(0, comma)] = std::strtod(line.c_str() + comma + 1, nullptr);
      const std::size_t name = line.find(',') + 1;
      classes_.insert(line.substr(name, line.find(',', name) - name));
    }
  }
  [[nodiscard]] const std::set<std::string>& classes() const { return classes_; }
  [[nodiscard]] double get(int table, const std::string& name, const std::string& d, std::string_view what) const {
    const auto found = numbers_.find(fmt::format("{},{},{},{}", table, name, d, what));
    return found == numbers_.end() ? std::nan("") : found->second;
  }
  [[nodiscard]] double sum(int table, const std::string& d, std::string_view what) const {
    double all = 0;
    for (const std::string& name : classes_) all += get(table, name, d, what);
    return all;
  }

 private:
  std::map<std::string, double> numbers_;
  std::set<std::string> classes_;
};

std::string whole(double number) { return std::isnan(number) ? "-" : fmt::format("{:.0f}", number); }
std::string fraction(double number, int digits) {
  return std::isnan(number) ? "-" : fmt::format("{:.{}f}", number, digits);
}

template <std::size_t n>
std::vector<std::string> published_row(const std::array<std::string_view, n>& cells) {
  std::vector<std::string> row{"*published*"};
  for (const std::string_view cell : cells) row.push_back(cell.empty() ? "" : fmt::format("*{}*", cell));
  return row;
}
const PublishedClass* published_class(std::string_view name) {
  for (const PublishedClass& each : kPublishedClasses) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

void table_1(const Numbers& ours, Page& page) {
  page.heading("Table 1: the histories");
  page.text(
      "c is the level of concurrency, the most operations that are mutually concurrent; cp the number of "
      "concurrent pairs. Deviations are of a sample.");
  Table table{.columns = {{"class", false},
                          {"histories"},
                          {"operations"},
                          {"max c"},
                          {"mean c"},
                          {"dev c"},
                          {"max cp"},
                          {"mean cp"},
                          {"dev cp"}},
              .rows = {}};
  for (const std::string& name : ours.classes()) {
    const auto get = [&](std::string_view what) { return ours.get(1, name, "", what); };
    std::vector<std::string> row{name, whole(get("histories")), whole(get("max operations"))};
    for (const std::string_view what : {"concurrency", "concurrent pairs"}) {
      row.push_back(whole(get(fmt::format("max {}", what))));
      row.push_back(fraction(get(fmt::format("mean {}", what)), 2));
      row.push_back(fraction(get(fmt::format("deviation {}", what)), 2));
    }
    table.rows.push_back(std::move(row));
    if (const auto* const published = published_class(name)) table.rows.push_back(published_row(published->histories));
  }
  page.table(table);
}

void table_2(const Numbers& ours, const Numbers& algorithm_1, Page& page) {
  page.heading("Table 2: distinct schedules in the strong d-hitting families");
  page.text("Histories that are not sequential.");
  Table table{.columns = {{"class", false}}, .rows = {}};
  for (int d = 1; d <= kDeepest; ++d) {
    for (const char* const what : {"max", "mean", "dev"}) table.columns.push_back({fmt::format("d={} {}", d, what)});
  }
  for (const std::string& name : ours.classes()) {
    for (const Numbers* const numbers : {&ours, &algorithm_1}) {
      std::vector<std::string> row{numbers == &ours ? name : "Algorithm 1, the same histories"};
      for (int d = 1; d <= kDeepest; ++d) {
        for (const char* const what : {"max schedules", "mean schedules", "deviation schedules"}) {
          row.push_back(whole(numbers->get(2, name, fmt::to_string(d), what)));
        }
      }
      table.rows.push_back(std::move(row));
    }
    if (const auto* const published = published_class(name)) table.rows.push_back(published_row(published->families));
  }
  page.table(table);
}

void table_3(const Numbers& ours, const Numbers& algorithm_1, Page& page) {
  page.heading("Table 3: linearizable histories witnessed");
  page.text(
      "Histories that are not sequential, those that are linearizable, and how many of these the families "
      "witness.");
  Table table{.columns = {{"class", false}, {"histories"}, {"linearizable"}}, .rows = {}};
  for (int d = 1; d <= kDeepest; ++d) {
    table.columns.push_back({fmt::format("d={}", d)});
    table.columns.push_back({"%"});
  }
  for (const std::string& name : ours.classes()) {
    for (const Numbers* const numbers : {&ours, &algorithm_1}) {
      std::vector<std::string> row{"Algorithm 1, the same histories", "", ""};
      if (numbers == &ours) {
        row = {name, whole(ours.get(3, name, "", "histories")), whole(ours.get(3, name, "", "linearizable"))};
      }
      for (int d = 1; d <= kDeepest; ++d) {
        row.push_back(whole(numbers->get(3, name, fmt::to_string(d), "witnessed")));
        row.push_back(fraction(numbers->get(3, name, fmt::to_string(d), "percent"), 1));
      }
      table.rows.push_back(std::move(row));
    }
    if (const auto* const published = published_class(name)) table.rows.push_back(published_row(published->witnessed));
  }
  const double linearizable = ours.sum(3, "", "linearizable");
  for (const Numbers* const numbers : {&ours, &algorithm_1}) {
    std::vector<std::string> row{"Algorithm 1, the same histories", "", ""};
    if (numbers == &ours) row = {"all", whole(ours.sum(3, "", "histories")), whole(linearizable)};
    for (int d = 1; d <= kDeepest; ++d) {
      const double witnessed = numbers->sum(3, fmt::to_string(d), "witnessed");
      row.push_back(whole(witnessed));
      row.push_back(fraction(100 * witnessed / linearizable, 1));
    }
    table.rows.push_back(std::move(row));
  }
  table.rows.push_back(published_row(kPublishedWitnessed));
  page.table(table);
  page.text(fmt::format("{:.0f} of ours are witnessed deeper than d = {}.",
                        linearizable - ours.sum(3, fmt::to_string(kDeepest), "witnessed"), kDeepest));
}

/// A history that is not sequential.
struct Measured {
  std::size_t pairs = 0;    ///< of operations that are concurrent
  std::uint32_t depth = 0;  ///< at which it is witnessed; 0: it is not linearizable
};
using Histories = std::map<std::string, std::vector<Measured>>;  // by class, by ascending pairs

/// Each history of what `linchpin depth --json` says.
Histories each_history(const std::string& output) {
  Histories histories;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    const auto json = nlohmann::json::parse(line, nullptr, false);
    if (!json.is_object() || !json.contains("objects")) continue;
    for (const auto& object : json["objects"]) {
      const auto pairs = object.value("concurrent_pairs", std::size_t{0});
      if (pairs == 0) continue;
      const bool witnessed = object["depth"].is_number();
      histories[object.value("type", "")].push_back({pairs, witnessed ? object["depth"].get<std::uint32_t>() : 0});
    }
  }
  for (auto& [name, of] : histories) {
    std::sort(of.begin(), of.end(), [](const Measured& a, const Measured& b) { return a.pairs < b.pairs; });
  }
  return histories;
}

/// Of some histories: how many, linearizable ones, and these by depth.
struct Shares {
  std::size_t histories = 0, linearizable = 0, pairs = 0;
  std::map<std::uint32_t, std::size_t> at_depth = {};

  void add(const Measured& history) {
    ++histories;
    pairs += history.pairs;
    if (history.depth == 0) return;
    ++linearizable;
    ++at_depth[history.depth];
  }
  [[nodiscard]] double percent(std::uint32_t deepest) const {
    std::size_t sum = 0;
    for (const auto& [depth, count] : at_depth) sum += depth <= deepest ? count : 0;
    return linearizable == 0 ? std::nan("") : 100 * static_cast<double>(sum) / static_cast<double>(linearizable);
  }
  [[nodiscard]] double mean_pairs() const {
    return histories == 0 ? std::nan("") : static_cast<double>(pairs) / static_cast<double>(histories);
  }
  [[nodiscard]] std::vector<std::string> cells() const {
    std::vector<std::string> row{fmt::to_string(histories), fraction(mean_pairs(), 2), fmt::to_string(linearizable)};
    for (std::uint32_t d = 1; d <= kDeepest; ++d) row.push_back(fraction(percent(d), 1));
    return row;
  }
};

double number_of(std::string_view cell) {
  double number = std::nan("");
  std::from_chars(cell.data(), cell.data() + cell.size(), number);
  return number;
}

/// What the paper has for d = 1, ..., 6. From where all are witnessed on its table has no cell; d = 6 is in its text.
std::vector<double> published_shares(const PublishedClass& each) {
  std::vector<double> shares;
  for (std::size_t d = 1; d <= kDeepest; ++d) {
    const std::string_view cell = each.witnessed[2 * d + 1];
    shares.push_back(cell.empty() ? 100 : number_of(cell));
  }
  const double linearizable = number_of(each.witnessed[1]);
  shares.push_back(100 *
                   (number_of(each.witnessed[10].empty() ? each.witnessed[1] : each.witnessed[10]) +
                    static_cast<double>(each.witnessed_at_6)) /
                   linearizable);
  return shares;
}

void by_overlap(const Histories& histories, Page& page) {
  page.heading("Table 3 by overlap");
  page.text(
      "The share of linearizable histories that is witnessed, among histories in which at most so many pairs of "
      "operations are concurrent (cp); sequential histories aside. All classes:");
  std::vector<Column> columns{{"cp at most"}, {"histories"}, {"mean cp"}, {"linearizable"}};
  for (int d = 1; d <= kDeepest; ++d) columns.push_back({fmt::format("d={} %", d)});
  Table table{.columns = columns, .rows = {}};
  for (const std::size_t most :
       {std::size_t{2}, std::size_t{4}, std::size_t{8}, std::size_t{16}, std::size_t{32}, SIZE_MAX}) {
    Shares shares;
    for (const auto& [name, of] : histories) {
      for (const Measured& history : of) {
        if (history.pairs <= most) shares.add(history);
      }
    }
    std::vector<std::string> row{most == SIZE_MAX ? "any number" : fmt::to_string(most)};
    for (std::string& cell : shares.cells()) row.push_back(std::move(cell));
    table.rows.push_back(std::move(row));
  }
  page.table(table);
  page.text(
      "By class, the histories of fewest pairs: as many as can be so that their mean is no larger than the paper's of "
      "this class.");
  columns.front() = {"class", false};
  columns.insert(columns.begin() + 1, {"cp at most"});
  Table matched{.columns = columns, .rows = {}};
  Shares all;
  for (const auto& [name, of] : histories) {
    const PublishedClass* const published = published_class(name);
    if (published == nullptr) continue;
    const double mean = number_of(published->histories[6]);
    Shares shares;
    std::size_t most = 0;
    for (auto next = of.begin(); next != of.end();) {
      Shares more = shares;  // all of one number of pairs, or none
      const std::size_t pairs = next->pairs;
      for (; next != of.end() && next->pairs == pairs; ++next) more.add(*next);
      if (more.mean_pairs() > mean) break;
      shares = more;
      most = pairs;
    }
    for (const Measured& history : of) {
      if (history.pairs <= most) all.add(history);
    }
    std::vector<std::string> row{name, fmt::to_string(most)};
    for (std::string& cell : shares.cells()) row.push_back(std::move(cell));
    matched.rows.push_back(std::move(row));
    std::vector<std::string> theirs{"*published*", "", fmt::format("*{}*", published->witnessed[0]),
                                    fmt::format("*{}*", published->histories[6]),
                                    fmt::format("*{}*", published->witnessed[1])};
    for (std::size_t d = 1; d <= kDeepest; ++d) {
      theirs.push_back(fmt::format("*{}*", fraction(published_shares(*published)[d - 1], 1)));
    }
    matched.rows.push_back(std::move(theirs));
    for (std::uint32_t d = 1; d <= kDeepest; ++d) {
      page.measured({std::string(kOurs), "3 by overlap", name, fmt::to_string(d),
                     fmt::format("percent of {} with at most {} pairs", shares.linearizable, most),
                     fraction(shares.percent(d), 1)});
    }
  }
  std::vector<std::string> row{"all", ""};
  for (std::string& cell : all.cells()) row.push_back(std::move(cell));
  matched.rows.push_back(std::move(row));
  std::vector<std::string> theirs{"*published*", "", fmt::format("*{}*", kPublishedWitnessed[0]), "",
                                  fmt::format("*{}*", kPublishedWitnessed[1])};
  for (std::size_t d = 1; d <= kDeepest; ++d) theirs.push_back(fmt::format("*{}*", kPublishedWitnessed[2 * d + 1]));
  matched.rows.push_back(std::move(theirs));
  page.table(matched);
}

void figure_4(const Histories& histories, Page& page) {
  page.heading("Figure 4: the share witnessed, by depth");
  app::LineChart chart{.x = {.label = "depth d"}, .y = {.unit = " %"}, .lines = {}};
  std::uint32_t deepest = kDeepest;
  double least = 90;
  for (const auto& [name, of] : histories) {
    for (const Measured& history : of) deepest = std::max(deepest, history.depth);
  }
  for (const auto& [name, of] : histories) {
    Shares shares;
    for (const Measured& history : of) shares.add(history);
    app::ChartLine line{.name = name, .points = {}};
    for (std::uint32_t d = 1; d <= deepest; ++d) line.points.emplace_back(d, shares.percent(d));
    least = std::min(least, shares.percent(1));
    chart.lines.push_back(std::move(line));
  }
  for (const auto& [name, of] : histories) {
    const PublishedClass* const published = published_class(name);
    if (published == nullptr) continue;
    app::ChartLine line{.name = name + ", published", .points = {}, .published = true};
    std::uint32_t d = 0;
    for (const double share : published_shares(*published)) line.points.emplace_back(++d, share);
    least = std::min(least, line.points.front().second);
    chart.lines.push_back(std::move(line));
  }
  chart.y.from = std::floor(least / 10) * 10;
  page.text(
      "Ours in colours, the paper's in grey, up to d = 6 (Table 3 and the text below it; its figure goes on to 7, with "
      "no numbers).");
  page.figure("", chart, "The share of linearizable histories witnessed up to each depth, by class");
}

/// By class: histories labelled linearizable.
using Labels = std::map<std::string, double>;

std::vector<std::string> corpus_files(const Options& options, Labels& labels) {
  std::vector<std::string> files;
  if (!options.corpus || !std::filesystem::exists(*options.corpus / "juc")) return files;
  for (const PublishedClass& each : kPublishedClasses) {
    if (options.quick && !each.name.starts_with("LinkedBlocking")) continue;
    const auto path = *options.corpus / "juc" / fmt::format("{}.jsonl.gz", each.name);
    if (!std::filesystem::exists(path)) continue;
    files.push_back(path.string());
    double& count = labels[std::string(each.name)];
    for (const bool linearizable : contract::labels(path)) count += linearizable ? 1 : 0;
  }
  return files;
}

/// Where there is no corpus.
std::vector<std::string> random_queues(const Options& options, Labels& labels) {
  const std::string path = (options.scratch / "queues.jsonl").string();
  const auto generated =
      bench::run_command({options.linchpin, "generate", "queue", "--random", "-p", "5", "-n", "9", "--values", "unique",
                          "--linearizable", "0.7", "--histories", "40", "--format", "jsonl", "-o", path});
  if (generated.exit_code != 0) return {};
  labels["queue"] = 28;
  return {path};
}

}  // namespace

bool hitting_families(const Options& options) {
  Page page(options, "hitting-families", "Checking linearizability using hitting families",
            {"family", "table", "class", "d", "statistic", "value"});
  Labels labels;
  std::vector<std::string> files = corpus_files(options, labels);
  const bool corpus = !files.empty();
  if (!corpus) {
    page.left_out(
        "the ten classes of java.util.concurrent, since the environment variable `LINCHPIN_CORPUS` names no folder "
        "with "
        "their histories. Random queues stand in, to see that it runs.");
    files = random_queues(options, labels);
  }
  std::vector<Numbers> numbers;
  std::vector<bench::Usage> usages;
  progress("the depth of each history");
  std::vector<std::string> each{options.linchpin, "depth", "--json", "--no-count"};
  each.insert(each.end(), files.begin(), files.end());
  std::string told;
  if (const auto usage = bench::run_command(each, &told); usage.exit_code != 1) {
    page.wrong(fmt::format("linchpin depth --json ended with {}", usage.exit_code));
  }
  const Histories histories = each_history(told);
  for (const std::string_view family : {kOurs, kAlgorithm1}) {
    progress(fmt::format("schedules of the family '{}'", family));
    std::vector<std::string> command{options.linchpin,         "depth",    "--tables",         "csv", "--max-depth",
                                     fmt::to_string(kDeepest), "--family", std::string(family)};
    command.insert(command.end(), files.begin(), files.end());
    std::string csv;
    usages.push_back(bench::run_command(command, &csv));
    numbers.emplace_back(csv);
    std::istringstream lines(csv);
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
      std::vector<std::string> row{std::string(family)};
      std::istringstream fields(line);
      for (std::string field; std::getline(fields, field, ',');) row.push_back(field);
      page.measured(row);
    }
    // Violations are among them: 1. Algorithm 1 stops before the deepest witnesses, which leaves nothing undecided.
    if (usages.back().exit_code != 1) page.wrong(fmt::format("linchpin depth ended with {}", usages.back().exit_code));
    for (const auto& [name, count] : labels) {
      const double found = numbers.back().get(3, name, "", "linearizable");
      if (found != count) {
        page.wrong(fmt::format("{}: {} are labelled linearizable, {} were found so ({})", name, count, found, family));
      }
    }
  }
  page.text(
      fmt::format("Each class has as many linearizable histories as are labelled so. All of it, reading and "
                  "deciding included: {} of user CPU and {:.0f} MB; with `--family published`, which makes the "
                  "schedules by Algorithm 1, {}.",
                  duration(usages[0].user), usages[0].megabytes, duration(usages[1].user)));
  table_1(numbers[0], page);
  table_2(numbers[0], numbers[1], page);
  table_3(numbers[0], numbers[1], page);
  by_overlap(histories, page);
  figure_4(histories, page);
  return page.finish();
}

}  // namespace linchpin::papers

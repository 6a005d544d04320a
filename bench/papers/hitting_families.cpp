// Checking linearizability using hitting families: Tables 1, 2, 3, Figures 2 and 4, and Table 3 by overlap.
//
// Histories of java.util.concurrent, recorded on the spot (recorded_java.hpp), and on a page of its own those of the
// corpus. `linchpin depth --tables csv` measures them, once with the families as they are enumerated here and once by
// the paper's Algorithm 1; the three tables get the paper's rows beside them. Every history brings a label, which is
// what a replay on the Java class itself said; the general search and the schedules have to say the same of each.
// `linchpin depth --json` tells the pairs and the depth of each history: for the figure, for the shares among histories
// that overlap no more than the paper's, and with --true-depth for the linearizability depth of short ones.
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
#include "papers/hitting_families_published.hpp"
#include "papers/page.hpp"
#include "papers/quick_witnesses.hpp"
#include "papers/recorded_java.hpp"
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
      const std::string type = object.value("type", "");  // the tables name it without its options
      histories[type.substr(0, type.find(' '))].push_back(
          {pairs, witnessed ? object["depth"].get<std::uint32_t>() : 0});
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

/// What a command's lines of JSON say of each history, in the order of the files.
std::vector<nlohmann::json> lines_of(const std::string& output) {
  std::vector<nlohmann::json> all;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    auto json = nlohmann::json::parse(line, nullptr, false);
    if (json.is_object() && json.contains("verdict")) all.push_back(std::move(json));
  }
  return all;
}

/// Runs `linchpin` on the files, which may be violations.
std::string run_on(const std::vector<JavaHistories>& classes, const std::vector<std::string>& arguments,
                   const Options& options, Page& page, bench::Usage* usage = nullptr) {
  std::vector<std::string> command{options.linchpin};
  command.insert(command.end(), arguments.begin(), arguments.end());
  for (const JavaHistories& each : classes) command.push_back(each.file);
  std::string output;
  const bench::Usage used = bench::run_command(command, &output);
  if (used.exit_code != 0 && used.exit_code != 1) {
    page.wrong(fmt::format("linchpin {} ended with {}", fmt::join(arguments, " "), used.exit_code));
  }
  if (usage != nullptr) *usage = used;
  return output;
}

/// Each history's label against what is said of it.
void compare(const std::vector<JavaHistories>& classes, const std::string& output, std::string_view by, Page& page) {
  const std::vector<nlohmann::json> said = lines_of(output);
  std::size_t next = 0, differ = 0;
  for (const JavaHistories& each : classes) {
    for (const bool linearizable : each.linearizable) {
      const std::string_view label = linearizable ? "linearizable" : "violation";
      if (next == said.size() || said[next++]["verdict"].get<std::string>() != label) ++differ;
    }
  }
  if (next != said.size()) page.wrong(fmt::format("{}: {} histories too many", by, said.size() - next));
  if (differ > 0) page.wrong(fmt::format("{} histories are labelled other than {} says", differ, by));
}

/// The history that the paper counts the schedules of.
void figure_2(const Options& options, Page& page) {
  page.heading("Figure 2: one operation delayed");
  page.text(
      "The paper's example is drawn, not written out. Its text tells the calls, which of them saw an empty queue, the "
      "order of the events of three of the seven threads, and which operations are last. "
      "`bench/papers/java/figure_2.jsonl` is a history with all of that and the published numbers of schedules, but "
      "for "
      "the number of concurrent pairs: in a search by simulated annealing over the histories that the text admits, "
      "these "
      "numbers came with 47 pairs only.");
  const std::vector<JavaHistories> file{
      {.name = "", .file = (options.sources / "bench/papers/java/figure_2.jsonl").string(), .linearizable = {true}}};
  const auto said = lines_of(run_on(file, {"depth", "--json", "--count-all"}, options, page));
  if (said.size() != 1) {
    page.wrong("Figure 2: the history was not measured");
    return;
  }
  const nlohmann::json& object = said.front()["objects"][0];
  Table table{.columns = {{"", false}, {"ours"}, {"*published*"}}, .rows = {}};
  const auto row = [&](const char* what, const nlohmann::json& ours, std::size_t published, bool agrees) {
    const auto number = ours.is_number() ? ours.get<std::size_t>() : 0;
    if (agrees && number != published) {
      page.wrong(fmt::format("Figure 2, {}: {}", what, number));
    }
    page.measured({std::string(kOurs), "Figure 2", "ConcurrentLinkedQueue", "", what, fmt::to_string(number)});
    table.rows.push_back({what, app::grouped(number), fmt::format("*{}*", app::grouped(published))});
  };
  row("schedules in all", object["schedules"], 1'004'640, true);
  row("witnesses", object["witnesses"], 134'400, true);
  row("schedules of the strong 1-hitting family", object["levels"][0]["schedules"], 7, true);
  row("depth", object["depth"], 1, true);
  row("level of concurrency", object["concurrency"], 7, true);
  row("concurrent pairs", object["concurrent_pairs"], 48, false);
  page.table(table);
}

/// Definition 4.2 beside what the families witness, of the classes whose schedules are few enough to make them all.
void true_depths(const std::vector<JavaHistories>& classes, const Options& options, Page& page) {
  page.heading("Witness depth and linearizability depth");
  page.text(
      "A family can hold a witness by chance at a smaller d than the history's linearizability depth (Definition 4.2: "
      "some d operations have only witnesses among *all* schedules that strongly hit them). With `--true-depth`, for "
      "the two classes whose histories are short enough to make every schedule; histories that are not sequential:");
  Table table{.columns = {{"class", false}, {"", false}, {"linearizable"}}, .rows = {}};
  for (int d = 1; d <= kDeepest; ++d) table.columns.push_back({fmt::format("d={}", d)});
  table.columns.push_back({"deeper"});
  for (const JavaHistories& each : classes) {
    if (each.name != "LinkedBlockingDeque" && each.name != "LinkedBlockingQueue") continue;
    progress(fmt::format("the linearizability depth of each history of {}", each.name));
    std::array<std::vector<std::size_t>, 2> counts{std::vector<std::size_t>(kDeepest + 1),
                                                   std::vector<std::size_t>(kDeepest + 1)};
    std::size_t linearizable = 0;
    for (const nlohmann::json& line :
         lines_of(run_on({each}, {"depth", "--json", "--no-count", "--true-depth"}, options, page))) {
      const nlohmann::json& object = line["objects"][0];
      if (object["verdict"] != "linearizable" || object["concurrent_pairs"] == 0) continue;
      ++linearizable;
      const std::array depths{object["depth"], object["linearizability_depth"]};
      if (!depths[0].is_number() || !depths[1].is_number() || depths[1] < depths[0]) {
        page.wrong(fmt::format("{}: a linearizability depth is missing, or below the witness depth", each.name));
        continue;
      }
      for (std::size_t which = 0; which < 2; ++which) {
        ++counts[which][std::min<std::size_t>(depths[which].get<std::size_t>() - 1, kDeepest)];
      }
    }
    for (std::size_t which = 0; which < 2; ++which) {
      std::vector<std::string> row{which == 0 ? each.name : "", which == 0 ? "witness depth" : "linearizability depth",
                                   fmt::to_string(linearizable)};
      for (const std::size_t count : counts[which]) row.push_back(fmt::to_string(count));
      table.rows.push_back(std::move(row));
    }
  }
  page.table(table);
}

/// All tables and figures of some histories.
void measure(const std::vector<JavaHistories>& classes, const Options& options, Page& page) {
  std::size_t all = 0, linearizable = 0;
  for (const JavaHistories& each : classes) {
    all += each.linearizable.size();
    linearizable += static_cast<std::size_t>(std::count(each.linearizable.begin(), each.linearizable.end(), true));
  }
  progress("the verdict of the general search on each history");
  compare(classes, run_on(classes, {"check", "--json", "--decider", "search", "--no-shrink"}, options, page),
          "the general search", page);
  progress("the depth of each history");
  const std::string depths = run_on(classes, {"depth", "--json", "--no-count"}, options, page);
  compare(classes, depths, "linchpin depth", page);
  std::size_t witnessed = 0;
  for (const nlohmann::json& line : lines_of(depths)) witnessed += line["objects"][0]["depth"].is_number() ? 1 : 0;
  if (witnessed != linearizable) {
    page.wrong(fmt::format("{} are labelled linearizable, schedules witness {}", linearizable, witnessed));
  }
  const Histories histories = each_history(depths);
  std::vector<Numbers> numbers;
  std::vector<bench::Usage> usages;
  for (const std::string_view family : {kOurs, kAlgorithm1}) {
    progress(fmt::format("schedules of the family '{}'", family));
    const std::string csv = run_on(
        classes, {"depth", "--tables", "csv", "--max-depth", fmt::to_string(kDeepest), "--family", std::string(family)},
        options, page, &usages.emplace_back());
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
  }
  page.text(fmt::format(
      "{} histories, {} of them linearizable by their labels, which are those of a replay of every order on the Java "
      "class. `linchpin check --decider search` says the same of each, and schedules alone, of all depths, witness "
      "exactly the linearizable ones.",
      app::grouped(all), app::grouped(linearizable)));
  page.text(
      fmt::format("Tables 2 and 3 cost, reading and deciding included, {} of user CPU and {:.0f} MB; with `--family "
                  "published`, which makes the schedules by Algorithm 1, {}.",
                  duration(usages[0].user), usages[0].megabytes, duration(usages[1].user)));
  table_1(numbers[0], page);
  table_2(numbers[0], numbers[1], page);
  table_3(numbers[0], numbers[1], page);
  by_overlap(histories, page);
  figure_4(histories, page);
  true_depths(classes, options, page);
}

constexpr std::array kMeasured{"family", "table", "class", "d", "statistic", "value"};

}  // namespace

bool hitting_families(const Options& options) {
  Page page(options, "hitting-families", "Checking linearizability using hitting families",
            {kMeasured.begin(), kMeasured.end()});
  figure_2(options, page);
  const JavaSources recorded = record_java(options);
  if (!recorded.missing.empty()) {
    page.left_out(fmt::format("the ten classes of java.util.concurrent: {}.", recorded.missing));
  } else {
    measure(recorded.classes, options, page);
    quick_witnesses(recorded.classes, options, page);
  }
  return page.finish();
}

bool hitting_families_corpus(const Options& options) {
  Page page(options, "hitting-families-corpus", "Checking linearizability using hitting families: more overlap",
            {kMeasured.begin(), kMeasured.end()});
  const JavaSources corpus = corpus_java(options);
  if (!corpus.missing.empty()) page.left_out(fmt::format("recorded histories of another corpus: {}.", corpus.missing));
  if (!corpus.classes.empty()) measure(corpus.classes, options, page);
  return page.finish();
}

}  // namespace linchpin::papers

// The tables of the hitting-families paper over many histories, class by class.
//
// 1: histories, operations, the level of concurrency and the concurrent pairs. 2: the sizes of the families. 3: how
// many linearizable histories the families witness. As in the paper, tables 2 and 3 leave out histories that are
// sequential, and deviations are those of a sample.
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "app/depth_figure.hpp"
#include "app/depth_report.hpp"
#include "app/output.hpp"
#include "app/quantities.hpp"
#include "app/table.hpp"

namespace linchpin::app {

namespace {

/// The greatest, the mean and the deviation of a sequence of numbers.
class Summary {
 public:
  void add(std::uint64_t number) {
    const auto value = static_cast<double>(number);
    least_ = count_ == 0 ? number : std::min(least_, number);
    most_ = std::max(most_, number);
    ++count_;
    const double from_mean = value - mean_;
    mean_ += from_mean / static_cast<double>(count_);
    squares_ += from_mean * (value - mean_);
  }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::uint64_t least() const { return least_; }
  [[nodiscard]] std::uint64_t most() const { return most_; }
  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double deviation() const {
    return count_ < 2 ? 0 : std::sqrt(squares_ / static_cast<double>(count_ - 1));
  }

 private:
  std::size_t count_ = 0;
  std::uint64_t least_ = 0, most_ = 0;
  double mean_ = 0, squares_ = 0;
};

struct Class {
  Summary operations, concurrency, pairs;
  std::size_t concurrent = 0;  // histories that are not sequential; only those count below
  std::vector<Summary> sizes;  // by d - 1
  std::size_t linearizable = 0;
  std::size_t undecided = 0;
  std::map<std::uint32_t, std::size_t> witnessed;  // by depth

  [[nodiscard]] std::size_t up_to(std::uint32_t d) const {
    std::size_t sum = 0;
    for (const auto& [depth, count] : witnessed) sum += depth <= d ? count : 0;
    return sum;
  }
  [[nodiscard]] double percent(std::uint32_t d) const {
    return linearizable == 0 ? 100 : 100 * static_cast<double>(up_to(d)) / static_cast<double>(linearizable);
  }
};

struct Table {
  std::string title;
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
};

std::string as_text(const Table& table) { return table.title + "\n\n" + aligned(table.columns, table.rows) + "\n"; }

std::string as_markdown(const Table& table) {
  std::string text = table.title + "\n\n|";
  for (const Column& column : table.columns) text += " " + column.title + " |";
  text += "\n|";
  for (const Column& column : table.columns) text += column.right ? "--:|" : "---|";
  for (const auto& row : table.rows) {
    text += "\n|";
    for (const std::string& cell : row) text += " " + cell + " |";
  }
  return text + "\n\n";
}

class Tables final : public DepthReport {
 public:
  Tables(TableFormat format, std::uint32_t deepest, std::optional<base::OutputFile> figure)
      : format_(format), deepest_(deepest), figure_(std::move(figure)) {}

  void depth(const Origin& /*origin*/, const History& /*history*/, const HistoryDepth& depth) override {
    for (const ObjectDepth& object : depth.objects) {
      add(classes_[object.type.substr(0, object.type.find(' '))], object);
      add(all_, object);
    }
  }
  void error(const Origin& /*origin*/, const Error& /*error*/) override { ++errors_; }

  Result<void> end() override {
    if (classes_.empty()) return {};
    if (format_ == TableFormat::csv) {
      print_for_programs(csv());
    } else if (format_ != TableFormat::none) {
      const bool text = format_ == TableFormat::text;
      for (const Table& table : {histories(), families(), witnesses()}) {
        print(text ? as_text(table) : as_markdown(table));
      }
      print(notes());
    }
    return figure_ ? write_figure() : Result<void>();
  }

 private:
  void add(Class& into, const ObjectDepth& object) {
    into.operations.add(object.operations);
    into.concurrency.add(object.concurrency);
    into.pairs.add(object.concurrent_pairs);
    if (object.concurrent_pairs == 0) return;
    ++into.concurrent;
    into.sizes.resize(deepest_);
    for (std::uint32_t d = 0; d < deepest_ && d < object.levels.size(); ++d) {
      if (object.levels[d].schedules) into.sizes[d].add(*object.levels[d].schedules);
    }
    into.linearizable += object.verdict == Verdict::linearizable ? 1 : 0;
    into.undecided += object.verdict == Verdict::unknown ? 1 : 0;
    if (object.depth) ++into.witnessed[*object.depth];
  }

  [[nodiscard]] Table histories() const {
    Table table{.title =
                    "Table 1. The histories: their operations, their level of concurrency c (the most operations "
                    "that are mutually concurrent) and their concurrent pairs cp.",
                .columns = {{"class"},
                            {"histories", true},
                            {"operations", true},
                            {"max c", true},
                            {"mean c", true},
                            {"dev c", true},
                            {"max cp", true},
                            {"mean cp", true},
                            {"dev cp", true}},
                .rows = {}};
    for (const auto& [name, each] : classes_) {
      const Summary& n = each.operations;
      table.rows.push_back(
          {name, fmt::to_string(n.count()),
           n.least() == n.most() ? fmt::to_string(n.most()) : fmt::format("{} to {}", n.least(), n.most()),
           fmt::to_string(each.concurrency.most()), fmt::format("{:.2f}", each.concurrency.mean()),
           fmt::format("{:.2f}", each.concurrency.deviation()), fmt::to_string(each.pairs.most()),
           fmt::format("{:.2f}", each.pairs.mean()), fmt::format("{:.2f}", each.pairs.deviation())});
    }
    return table;
  }

  [[nodiscard]] Table families() const {
    Table table{.title =
                    "Table 2. Distinct schedules in the strong d-hitting families of the histories that are not "
                    "sequential: the most, the mean, the deviation.",
                .columns = {{"class"}},
                .rows = {}};
    for (std::uint32_t d = 1; d <= deepest_; ++d) {
      for (const char* what : {"max", "mean", "dev"}) table.columns.push_back({fmt::format("d={} {}", d, what), true});
    }
    for (const auto& [name, each] : classes_) {
      std::vector<std::string> row = {name};
      for (std::uint32_t d = 0; d < deepest_; ++d) {
        const bool counted = d < each.sizes.size() && each.sizes[d].count() == each.concurrent;
        row.push_back(counted ? fmt::to_string(each.sizes[d].most()) : "-");
        row.push_back(counted ? fmt::format("{:.1f}", each.sizes[d].mean()) : "-");
        row.push_back(counted ? fmt::format("{:.1f}", each.sizes[d].deviation()) : "-");
      }
      table.rows.push_back(std::move(row));
    }
    return table;
  }

  [[nodiscard]] Table witnesses() const {
    Table table{.title =
                    "Table 3. Histories that are not sequential, those of them that are linearizable, and how many "
                    "of these a strong d-hitting family witnesses.",
                .columns = {{"class"}, {"histories", true}, {"linearizable", true}},
                .rows = {}};
    for (std::uint32_t d = 1; d <= deepest_; ++d) {
      table.columns.push_back({fmt::format("d={}", d), true});
      table.columns.push_back({"%", true});
    }
    const auto add_row = [&](const std::string& name, const Class& each) {
      std::vector<std::string> row = {name, fmt::to_string(each.concurrent), fmt::to_string(each.linearizable)};
      for (std::uint32_t d = 1; d <= deepest_; ++d) {
        row.push_back(fmt::to_string(each.up_to(d)));
        row.push_back(fmt::format("{:.1f}", each.percent(d)));
      }
      table.rows.push_back(std::move(row));
    };
    for (const auto& [name, each] : classes_) add_row(name, each);
    if (classes_.size() > 1) add_row("all", all_);
    return table;
  }

  /// What the tables do not show.
  [[nodiscard]] std::string notes() const {
    std::string text;
    for (const auto& [depth, count] : all_.witnessed) {
      if (depth > deepest_) text += fmt::format("{} witnessed at d = {}.\n", counted(count, "more history"), depth);
    }
    const std::size_t missing = all_.linearizable - all_.up_to(UINT32_MAX);
    if (missing > 0) text += fmt::format("{} linearizable without a witness found.\n", grouped(missing));
    if (all_.undecided > 0) text += fmt::format("{} undecided.\n", grouped(all_.undecided));
    if (errors_ > 0) text += fmt::format("{} not read.\n", grouped(errors_));
    return text;
  }

  /// One number a line: table, class, d where there is one, statistic, value.
  [[nodiscard]] std::string csv() const {
    std::string text = "table,class,d,statistic,value\n";
    for (const auto& [name, each] : classes_) {
      const auto line = [&, &name = name](int table, std::string_view d, std::string_view statistic, auto value) {
        text += fmt::format("{},{},{},{},{}\n", table, name, d, statistic, value);
      };
      const auto summary = [&](int table, std::string_view d, std::string_view what, const Summary& of) {
        line(table, d, fmt::format("max {}", what), of.most());
        line(table, d, fmt::format("mean {}", what), of.mean());
        line(table, d, fmt::format("deviation {}", what), of.deviation());
      };
      line(1, "", "histories", each.operations.count());
      line(1, "", "max operations", each.operations.most());
      summary(1, "", "concurrency", each.concurrency);
      summary(1, "", "concurrent pairs", each.pairs);
      line(3, "", "histories", each.concurrent);
      line(3, "", "linearizable", each.linearizable);
      for (std::uint32_t d = 1; d <= deepest_; ++d) {
        const std::string depth = fmt::to_string(d);
        if (d <= each.sizes.size() && each.sizes[d - 1].count() == each.concurrent) {
          summary(2, depth, "schedules", each.sizes[d - 1]);
        }
        line(3, depth, "witnessed", each.up_to(d));
        line(3, depth, "percent", each.percent(d));
      }
    }
    return text;
  }

  [[nodiscard]] Result<void> write_figure() {
    std::uint32_t deepest = deepest_;
    if (!all_.witnessed.empty()) deepest = std::max(deepest, all_.witnessed.rbegin()->first);
    std::vector<DepthLine> lines;
    for (const auto& [name, each] : classes_) {
      DepthLine line{.name = name, .percent = {}};
      for (std::uint32_t d = 1; d <= deepest; ++d) line.percent.push_back(each.percent(d));
      lines.push_back(std::move(line));
    }
    auto written = figure_->write(depth_figure(lines));
    return written ? figure_->finish() : written;
  }

  TableFormat format_;
  std::uint32_t deepest_;
  std::optional<base::OutputFile> figure_;
  std::map<std::string, Class> classes_;
  Class all_;
  std::size_t errors_ = 0;
};

}  // namespace

std::unique_ptr<DepthReport> make_depth_tables(TableFormat format, std::uint32_t deepest,
                                               std::optional<base::OutputFile> figure) {
  return std::make_unique<Tables>(format, deepest, std::move(figure));
}

}  // namespace linchpin::app

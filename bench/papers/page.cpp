#include "papers/page.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include <fmt/format.h>

namespace linchpin::papers {

namespace {

constexpr std::string_view kBegin = "<!-- results: written by ./dev papers -->\n";
constexpr std::string_view kEnd = "<!-- end of the results -->\n";

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

/// What follows "KEY   : " in a file of /proc.
std::string from_proc(const char* path, std::string_view key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key)) continue;
    const std::size_t value = line.find_first_not_of(" \t:", key.size());
    return value == std::string::npos ? "" : line.substr(value);
  }
  return "unknown";
}

double load_average() {
  std::array<double, 1> load{};
  return getloadavg(load.data(), 1) == 1 ? load[0] : 0;
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields) {
    if (&field != &fields.front()) line += ',';
    const bool quoted = field.find_first_of(",\"\n") != std::string::npos;
    if (quoted) line += '"';
    for (const char c : field) line += c == '"' ? "\"\"" : std::string(1, c);
    if (quoted) line += '"';
  }
  return line + "\n";
}

std::vector<std::string>& all_left_out() {
  static std::vector<std::string> all;  // of the pages of a run
  return all;
}

}  // namespace

Page::Page(const Options& options, std::string name, std::string title, std::vector<std::string> measured)
    : options_(options),
      name_(std::move(name)),
      title_(std::move(title)),
      csv_(csv_line(measured)),
      load_before_(load_average()) {}

void Page::heading(const std::string& text) { results_ += "## " + text + "\n\n"; }
void Page::text(const std::string& paragraph) { results_ += paragraph + "\n\n"; }

void Page::table(const Table& table) {
  results_ += "|";
  for (const Column& column : table.columns) results_ += " " + column.title + " |";
  results_ += "\n|";
  for (const Column& column : table.columns) results_ += column.right ? "--:|" : "---|";
  for (const auto& row : table.rows) {
    results_ += "\n|";
    for (const std::string& cell : row) results_ += " " + cell + " |";
  }
  results_ += "\n\n";
}

void Page::figure(const std::string& suffix, const app::LineChart& chart, const std::string& description) {
  const std::string file = name_ + (suffix.empty() ? "" : "-" + suffix) + ".svg";
  figures_.emplace_back(file, app::to_svg(chart));
  picture(file, description);
}

void Page::picture(const std::string& file, const std::string& description) {
  results_ += fmt::format("![{}]({})\n\n", description, file);
}

void Page::measured(const std::vector<std::string>& row) { csv_ += csv_line(row); }

void Page::wrong(const std::string& what) {
  ++wrong_;
  fmt::print(stderr, "WRONG ANSWER: {}\n", what);
  text("**Wrong answer:** " + what);
}

void Page::left_out(const std::string& what) {
  whole_ = false;
  all_left_out().push_back(fmt::format("{}: {}", title_, what));
  text("**Left out:** " + what);
}

std::string Page::head() const {
  const double kilobytes = std::strtod(from_proc("/proc/meminfo", "MemTotal").c_str(), nullptr);
  return fmt::format(
      "Made by `{}` at commit {} on {} processors of {}, {:.0f} GiB of memory, g++ {}, `-O3`; load average {:.1f} at "
      "the beginning and {:.1f} at the end (what is there at the beginning is other work, from which CPU times "
      "suffer, too). All measurements: [{}.csv]({}.csv).\n\n",
      options_.command, options_.commit, std::thread::hardware_concurrency(), from_proc("/proc/cpuinfo", "model name"),
      kilobytes / (1 << 20), __VERSION__, load_before_, load_average(), name_, name_);
}

bool Page::write(const std::string& file, const std::string& content) const {
  std::ofstream stream(options_.output / file, std::ios::binary);
  stream << content;
  if (stream.flush()) return true;
  fmt::print(stderr, "error: cannot write {}\n", (options_.output / file).string());
  return false;
}

bool Page::finish() {
  const std::string file = name_ + ".md";
  std::string page = content_of(options_.output / file);
  if (page.empty()) page = fmt::format("# {}\n\n{}{}", title_, kBegin, kEnd);
  const std::size_t begin = page.find(kBegin), end = page.find(kEnd);
  if (begin == std::string::npos || end == std::string::npos || end < begin) {
    fmt::print(stderr, "error: {} has not the two marks between which results go\n", file);
    return false;
  }
  const bool has_results = end > begin + kBegin.size() + 1;
  if (!whole_ && has_results && !options_.quick) {
    fmt::print(stderr, "{} stays as it is: this run leaves something out\n", file);
    return wrong_ == 0;
  }
  for (const auto& [figure, content] : figures_) written_ = write(figure, content) && written_;
  results_.insert(0, fmt::format("\n{}", head()));
  page.replace(begin + kBegin.size(), end - begin - kBegin.size(), results_);
  written_ = write(file, page) && write(name_ + ".csv", csv_) && written_;
  return written_ && wrong_ == 0;
}

void print_left_out() {
  if (all_left_out().empty()) fmt::print(stderr, "nothing was left out\n");
  for (const std::string& what : all_left_out()) fmt::print(stderr, "left out: {}\n", what);
}

std::string duration(double seconds) {
  const auto three_digits = [](double number) {
    return number >= 99.95 ? fmt::format("{:.0f}", number) : fmt::format("{:.{}f}", number, number >= 9.995 ? 1 : 2);
  };
  if (seconds >= 0.9995) return three_digits(seconds) + " s";
  if (seconds >= 0.9995e-3) return three_digits(seconds * 1e3) + " ms";
  return three_digits(seconds * 1e6) + " µs";
}

void progress(const std::string& what) { fmt::print(stderr, "{}\n", what); }

}  // namespace linchpin::papers

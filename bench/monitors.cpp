// What does checking a large history with unique values cost, from the file to the verdict?
//
//   bench_monitors [FILTER] [--operations 1000000] [--runs 3]
//
// Each row is a generated history: 40 processes, 26 operations in flight, written to a temporary folder in fastlin's
// format and in the binary one. The command runs as a process of its own: user CPU seconds, wall clock seconds and peak
// resident memory, medians over runs that are interleaved over the columns, and the ratio of CPU to the floor. The
// floor is another process that maps the fastlin file, parses it by hand and sorts its 2n ticks by radix, which no
// checker that looks at every tick can do without. Exit codes are compared with what was generated.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "core/format.hpp"
#include "generate/simulation.hpp"
#include "generate/stream.hpp"
#include "generate/violation.hpp"
#include "process.hpp"

namespace linchpin::bench {
namespace {

/// Maps the file, takes the last two numbers of each line, sorts them: 11 bits a pass, as many as the largest needs.
int floor_of(const char* path) {
  const int file = open(path, O_RDONLY);
  struct stat status {};
  if (file < 0 || fstat(file, &status) != 0) return 2;
  const auto size = static_cast<std::size_t>(status.st_size);
  const char* at = static_cast<const char*>(mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0));
  const char* const end = at + size;
  std::vector<std::uint64_t> ticks, sorted;
  std::uint64_t largest = 0, checksum = 0;
  while (at < end) {
    std::array<std::uint64_t, 3> numbers{};
    std::size_t count = 0;
    const bool header = *at == '#';
    while (at < end && *at != '\n') {
      if (*at >= '0' && *at <= '9') {
        std::uint64_t number = 0;
        while (at < end && *at >= '0' && *at <= '9') number = number * 10 + static_cast<std::uint64_t>(*at++ - '0');
        if (count < 3) numbers[count++] = number;
      } else {
        ++at;
      }
    }
    ++at;
    if (header) continue;
    checksum += numbers[0];
    for (const std::uint64_t tick : {numbers[1], numbers[2]}) {
      ticks.push_back(tick);
      largest = std::max(largest, tick);
    }
  }
  sorted.resize(ticks.size());
  for (unsigned shift = 0; shift < 64 && (largest >> shift) != 0; shift += 11) {
    std::array<std::size_t, 2049> begin{};
    for (const std::uint64_t tick : ticks) ++begin[((tick >> shift) & 2047U) + 1];
    for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    for (const std::uint64_t tick : ticks) sorted[begin[(tick >> shift) & 2047U]++] = tick;
    ticks.swap(sorted);
  }
  return std::is_sorted(ticks.begin(), ticks.end()) && checksum > 0 ? 0 : 2;
}

struct Case {
  std::string name;
  generate::Plan plan;
  bool broken = false;
};

/// Whether fastlin's format has no word for histories of the type.
bool only_binary(const generate::Plan& plan) {
  return plan.type.name != "queue" && plan.type.name != "stack" && plan.type.name != "priority-queue" &&
         plan.type.name != "set";
}

std::vector<Case> cases(std::uint64_t operations) {
  std::vector<Case> all;
  for (const char* type : {"queue", "stack", "priority-queue order=largest", "set", "register", "cas-register", "rmw",
                           "counter", "log", "mutex", "bag", "map"}) {
    generate::Plan plan;
    plan.type = *TypeName::parse(type);
    plan.operations = operations;
    plan.processes = 40;
    plan.in_flight = 26;
    plan.values = 0;
    // A key that is removed holds "absent" again and again.
    if (plan.type.name == "map") plan.mix = {{"get", 4}, {"put", 4}, {"cas", 2}};
    all.push_back({plan.type.name, plan});
    all.push_back({plan.type.name + " broken", plan, true});
    if (only_binary(plan)) continue;
    plan.peeks = 0.2;
    all.push_back({plan.type.name + " peeks", plan});
    if (plan.type.name == "set") continue;
    plan.peeks.reset();
    plan.empties = true;
    all.push_back({plan.type.name + " empties", plan});
  }
  return all;
}

bool write(const Case& which, const std::string& format, const std::string& path) {
  const core::Format* const found = core::find_format(format);
  if (found == nullptr || found->write == nullptr) return false;
  auto simulation = generate::Simulation::make(which.plan);
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  const auto sink = [&](std::string_view text) {
    return std::fwrite(text.data(), 1, text.size(), file) == text.size();
  };
  Result<void> written;
  if (!which.broken) {
    written = generate::write(*simulation, *found, sink);
  } else {
    auto rows = generate::all_rows(*simulation);
    (void)generate::break_history(*rows, *simulation, simulation->pool(), generate::Where::late);
    auto history = generate::to_history(simulation->plan(), simulation->specification(), simulation->pool(), *rows);
    std::string text;
    written = found->write(*history, text);
    sink(text);
  }
  std::fclose(file);
  return written.has_value();
}

int measure(const Arguments& arguments, const std::string& self) {
  const auto operations = static_cast<std::uint64_t>(arguments.number("operations", 1e6));
  const int runs = static_cast<int>(arguments.number("runs", 3));
  std::string folder = (std::filesystem::temp_directory_path() / "linchpin-bench-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return 2;
  fmt::print("{} operations, 40 processes, 26 in flight; medians of {} runs; x: CPU over the floor's\n\n", operations,
             runs);
  fmt::print("{:<24} {:<8} | {:>6} {:>6} {:>6} {:>5} | {:>6} {:>6} {:>5} | {:>6}\n", "history", "format", "CPU s",
             "wall s", "MB", "x", "CPU s", "MB", "x", "floor");
  fmt::print("{:<24} {:<8} | {:^26} | {:^19} |\n", "", "", "with witness", "--no-witness");
  int failures = 0;
  for (const Case& which : cases(operations)) {
    if (!arguments.wants(which.name)) continue;
    const std::string text = folder + "/history.fastlin", binary = folder + "/history.bin";
    const std::string plain = folder + "/floor.fastlin";
    // The floor is that of the history before it was broken; where there is no fastlin format, a queue stands in.
    Case for_floor{which.name, which.plan};
    if (only_binary(which.plan)) {
      for_floor.plan.type = *TypeName::parse("queue");
      for_floor.plan.mix.clear();
    }
    if (!write(for_floor, "fastlin", plain)) {
      fmt::print("{:<24} the fastlin file could not be written\n", which.name);
      ++failures;
      continue;
    }
    std::vector<std::pair<std::string, std::string>> files;
    // A set whose add fails cannot be said in fastlin's format.
    if (!only_binary(which.plan) && write(which, "fastlin", text)) files.emplace_back("fastlin", text);
    if (write(which, "binary", binary)) files.emplace_back("binary", binary);
    for (const auto& [format, path] : files) {
      std::vector<double> with[3], without[2], floors;
      for (int i = 0; i < runs; ++i) {
        const Usage witness = run_command({LINCHPIN_COMMAND, "check", "--json", path});
        const Usage none = run_command({LINCHPIN_COMMAND, "check", "--json", "--no-witness", path});
        const Usage least = run_command({self, "--floor", plain});
        const int expected = which.broken ? 1 : 0;
        if (witness.exit_code != expected || none.exit_code != expected || least.exit_code != 0) {
          fmt::print("{:<24} {:<8} WRONG ANSWER: exit codes {} and {}, expected {}\n", which.name, format,
                     witness.exit_code, none.exit_code, expected);
          ++failures;
          break;
        }
        with[0].push_back(witness.user);
        with[1].push_back(witness.wall);
        with[2].push_back(witness.megabytes);
        without[0].push_back(none.user);
        without[1].push_back(none.megabytes);
        floors.push_back(least.user);
      }
      if (floors.empty()) continue;
      const double floor = std::max(median(floors), 1e-3);
      fmt::print("{:<24} {:<8} | {:>6.2f} {:>6.2f} {:>6.0f} {:>5.1f} | {:>6.2f} {:>6.0f} {:>5.1f} | {:>6.3f}\n",
                 which.name, format, median(with[0]), median(with[1]), median(with[2]), median(with[0]) / floor,
                 median(without[0]), median(without[1]), median(without[0]) / floor, floor);
      std::fflush(stdout);
    }
  }
  std::filesystem::remove_all(folder);
  return failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace linchpin::bench

int main(int count, char** values) {
  if (count == 3 && std::string_view(values[1]) == "--floor") return linchpin::bench::floor_of(values[2]);
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  return linchpin::bench::measure(linchpin::bench::Arguments(count, values), self);
}

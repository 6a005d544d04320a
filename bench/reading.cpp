// How fast is each format read? MB/s and operations/s of every reader, over one generated queue, register or map
// history written in that format, beside the floor: one scan of the same mapped bytes for line ends.
//
//   cmake --preset bench && cmake --build build/bench --target bench_reading && build/bench/bin/bench_reading
//
// Inputs are generated with a fixed seed; a reader whose history has not the expected operations fails the benchmark.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include "core/format.hpp"
#include "formats/read.hpp"
#include "formats/source.hpp"

namespace {

using linchpin::History;
using linchpin::OperationIndex;
using linchpin::Result;

constexpr std::size_t kOperations = 1'000'000;

struct Row {
  unsigned process;
  std::int64_t value;
  std::int64_t call;
  std::int64_t response;
  bool add;
};

/// Forty processes, some 26 operations open at a time, distinct ticks, every value added and removed once.
const std::vector<Row>& rows() {
  static const std::vector<Row> kRows = [] {
    std::mt19937_64 random(20'240'607);
    constexpr std::size_t kProcesses = 40;
    std::vector<Row> out;
    out.reserve(kOperations);
    std::vector<Row> open(kProcesses);
    std::vector<bool> busy(kProcesses, false);
    std::int64_t tick = 0;
    std::int64_t added = 0;
    std::int64_t removed = 0;
    while (out.size() < kOperations) {
      const auto process = static_cast<unsigned>(random() % kProcesses);
      if (busy[process]) {
        if (random() % 2 == 0) continue;
        open[process].response = tick++;
        busy[process] = false;
        out.push_back(open[process]);
        continue;
      }
      const bool add = removed == added || random() % 2 == 0;
      open[process] = Row{process, add ? ++added : ++removed, tick++, 0, add};
      busy[process] = true;
    }
    std::sort(out.begin(), out.end(), [](const Row& a, const Row& b) { return a.call < b.call; });
    return out;
  }();
  return kRows;
}

/// The same history as events in the order of ticks: (row, is the response).
std::vector<std::pair<std::size_t, bool>> events() {
  std::vector<std::pair<std::int64_t, std::pair<std::size_t, bool>>> timed;
  for (std::size_t i = 0; i < rows().size(); ++i) {
    timed.push_back({rows()[i].call, {i, false}});
    timed.push_back({rows()[i].response, {i, true}});
  }
  std::sort(timed.begin(), timed.end());
  std::vector<std::pair<std::size_t, bool>> out;
  for (const auto& event : timed) out.push_back(event.second);
  return out;
}

template <class... Arguments>
void line(std::string& out, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Arguments>(arguments)...);
}

std::string text() {
  std::string out = "# linchpin 1\n# type: queue\n";
  for (const Row& row : rows()) {
    if (row.add) {
      line(out, "{} {} {} enqueue {}\n", row.process, row.call, row.response, row.value);
    } else {
      line(out, "{} {} {} dequeue -> {}\n", row.process, row.call, row.response, row.value);
    }
  }
  return out;
}

std::string fastlin() {
  std::string out = "# queue\n";
  for (const Row& row : rows()) {
    line(out, "{} {} {} {}\n", row.add ? "enq" : "deq", row.value, row.call, row.response);
  }
  return out;
}

std::string fptlin() {
  std::string out = "# queue\n";
  for (const Row& row : rows()) {
    line(out, "{} {} {} {} {}\n", row.process, row.call, row.response, row.add ? "ENQ" : "DEQ", row.value);
  }
  return out;
}

std::string violin() {
  std::string out = "# @object atomic-queue\n";
  for (const auto& [index, response] : events()) {
    const Row& row = rows()[index];
    if (!response) {
      row.add ? line(out, "[{}] call enq({})\n", row.process, row.value) : line(out, "[{}] call deq\n", row.process);
    } else {
      row.add ? line(out, "[{}] return\n", row.process) : line(out, "[{}] return {}\n", row.process, row.value);
    }
  }
  return out;
}

std::string jepsen_text() {
  std::string out;
  for (const auto& [index, response] : events()) {
    const Row& row = rows()[index];
    line(out, "INFO  jepsen.util - {}\t:{}\t:{}\t", row.process, response ? "ok" : "invoke",
         row.add ? "write" : "read");
    row.add || response ? line(out, "{}\n", row.value) : line(out, "nil\n");
  }
  return out;
}

std::string jepsen_edn() {
  std::string out;
  for (const auto& [index, response] : events()) {
    const Row& row = rows()[index];
    line(out, "{{:process {}, :type :{}, :f :{}, :value ", row.process, response ? "ok" : "invoke",
         row.add ? "enqueue" : "dequeue");
    row.add || response ? line(out, "{}}}\n", row.value) : line(out, "nil}}\n");
  }
  return out;
}

std::string porcupine_kv() {
  std::string out;
  for (const auto& [index, response] : events()) {
    const Row& row = rows()[index];
    line(out, "{{:process {}, :type :{}, :f :{}, :key \"{}\", :value ", row.process, response ? "ok" : "invoke",
         row.add ? "put" : "get", index % 10);
    row.add || response ? line(out, "\"{}\"}}\n", row.value) : line(out, "nil}}\n");
  }
  return out;
}

std::string thesis() {
  std::string out;
  constexpr std::size_t kInALine = 10;
  for (std::size_t i = 0; i < rows().size(); ++i) {
    const Row& row = rows()[i];
    if (i % kInALine == 0) out += "{\"ops\": [";
    // Threads of their own: ten operations of one recording, each by another client.
    line(out, R"({{"thread": {}, "start": {}.5, "end": {}.25, "type": "{}", "args": [{}]}})", i % kInALine, row.call,
         row.response, row.add ? "write" : "read", row.value);
    out += (i + 1) % kInALine == 0 ? "]}\n" : ", ";
  }
  return out;
}

std::string jsonl() {
  std::string out = "{\"linchpin\":1,\"type\":\"queue\"}\n";
  for (const Row& row : rows()) {
    line(out, R"({{"process":{},"call":{},"response":{},"method":"{}","{}":{}}})", row.process, row.call, row.response,
         row.add ? "enqueue" : "dequeue", row.add ? "arguments" : "result",
         row.add ? fmt::format("[{}]", row.value) : fmt::to_string(row.value));
    out += '\n';
  }
  return out;
}

/// All in one line.
std::string juc() {
  std::string out = R"({"schema":{"class":"java.util.concurrent.ConcurrentLinkedQueue"},"events":[)";
  for (const auto& [index, response] : events()) {
    const Row& row = rows()[index];
    if (out.back() != '[') out += ',';
    if (!response) {
      line(out, R"({{"kind":"call","sid":{},"invocation":{{"id":{},"method":{{"name":"{}"}},"arguments":[{}]}}}})",
           row.process, index, row.add ? "offer" : "poll", row.add ? fmt::to_string(row.value) : "");
    } else {
      line(out, R"({{"kind":"return","sid":{},"invocation":{{"id":{}}},"value":"{}"}})", row.process, index,
           row.add ? "true" : fmt::to_string(row.value));
    }
  }
  return out + "]}\n";
}

std::string binary() {
  std::string out;
  const std::string text = jsonl();
  const linchpin::core::Source source{.name = "generated", .bytes = text};
  linchpin::core::find_format("jsonl")->read(source, {}, [&out](const Result<History>& history) {
    return history && linchpin::core::find_format("binary")->write(*history, out);
  });
  return out;
}

/// The bytes as a mapped file, as the command reads them.
class MappedInput {
 public:
  explicit MappedInput(const std::string& content)
      : path_(std::filesystem::temp_directory_path() / fmt::format("linchpin_bench_{}", getpid())) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  MappedInput(const MappedInput&) = delete;
  MappedInput& operator=(const MappedInput&) = delete;
  ~MappedInput() { std::filesystem::remove(path_); }
  [[nodiscard]] Result<linchpin::formats::Input> load() const { return linchpin::formats::Input::load(path_.string()); }

 private:
  std::filesystem::path path_;
};

void count(benchmark::State& state, std::size_t bytes) {
  state.counters["MB/s"] = benchmark::Counter(
      static_cast<double>(bytes) / 1e6 * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
  state.counters["operations/s"] = benchmark::Counter(
      static_cast<double>(kOperations) * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
  state.counters["MB"] = static_cast<double>(bytes) / 1e6;
}

/// The floor: mapping the file and looking at every byte once.
void scan(benchmark::State& state, const std::string& content) {
  const MappedInput file(content);
  const auto expected = std::count(content.begin(), content.end(), '\n');
  for (auto unused : state) {
    const auto input = file.load();
    const std::string_view bytes = input ? input->source().bytes : std::string_view();
    std::ptrdiff_t lines = 0;
    for (std::size_t at = 0; (at = bytes.find('\n', at)) != std::string_view::npos; ++at) ++lines;
    if (lines != expected) return state.SkipWithError("the scan has missed lines");
  }
  count(state, content.size());
}

/// Reads everything; the error, or empty. `look` is called with every history.
std::string read_all(const linchpin::core::Source& source, const std::string& format,
                     const std::function<void(const History&)>& look) {
  linchpin::ReadOptions options;
  options.format = format;
  std::string error;
  const auto done = linchpin::formats::read_source(source, options, [&](const Result<History>& history) {
    if (!history) {
      error = history.error().to_string();
      return false;
    }
    look(*history);
    return true;
  });
  return done ? error : done.error().to_string();
}

void read(benchmark::State& state, const std::string& format, const std::string& content) {
  const MappedInput file(content);
  {
    // Once, untimed: is it the history that was written?
    const auto input = file.load();
    if (!input) return state.SkipWithError(input.error().to_string().c_str());
    std::int64_t expected = 0;
    for (const Row& row : rows()) expected += row.add ? row.value : 0;
    std::int64_t added = 0;
    const std::string error = read_all(input->source(), format, [&added](const History& history) {
      for (OperationIndex i = 0; i < history.size(); ++i) {
        if (history.arguments(i).empty()) continue;
        const linchpin::Value value = history.arguments(i).back();
        std::int64_t number = value.is_integer() ? value.integer() : 0;
        // Porcupine's values are strings; a get has its key as its last argument.
        if (value.is_string() && history.arguments(i).size() == 2)
          number = std::stoll(std::string(history.pool().text_of(value)));
        added += number;
      }
    });
    if (!error.empty()) return state.SkipWithError(error.c_str());
    if (added != expected) return state.SkipWithError("not the history that was written");
  }
  for (auto unused : state) {
    const auto input = file.load();
    std::size_t operations = 0;
    const std::string error =
        read_all(input->source(), format, [&](const History& history) { operations += history.size(); });
    if (!error.empty() || operations != kOperations) return state.SkipWithError("an operation is missing");
  }
  count(state, content.size());
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const std::vector<std::pair<std::string, std::function<std::string()>>> formats{
      {"text", text},
      {"fastlin", fastlin},
      {"fptlin", fptlin},
      {"violin", violin},
      {"jepsen-text", jepsen_text},
      {"jepsen", jepsen_edn},
      {"thesis", thesis},
      {"porcupine-kv", porcupine_kv},
      {"jsonl", jsonl},
      {"juc", juc},
      {"binary", binary},
  };
  for (const auto& [format, make] : formats) {
    // Made when the benchmark runs, so that a filter costs nothing.
    benchmark::RegisterBenchmark(("scan/" + format).c_str(), [make](benchmark::State& state) {
      scan(state, make());
    })->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("read/" + format).c_str(), [format, make](benchmark::State& state) {
      read(state, format, make());
    })->Unit(benchmark::kMillisecond);
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

// What partitioning by key is worth: the published searches on a set recorded here.
//
//   bench_partitioned_set [--threads 4] [--operations 70000] [--keys 1024] [--seconds 60] [--megabytes 3000]
//
// Threads insert into and look into a tbb::concurrent_unordered_set (paper: A. Horn, D. Kroening, FORTE 2015, Table 1),
// the recorder writes down what they see, and every decider checks the same history, each in a process of its own
// (forked), with one thread: user time and peak memory of that process, of which the first line is the recording alone.
// The answer has to be that it is linearizable; "unknown" rows ran into the limit that they name.
#include <fmt/format.h>
#include <tbb/concurrent_unordered_set.h>

#include <cstdio>
#include <random>
#include <thread>
#include <vector>

#include "arguments.hpp"
#include "linchpin/check.hpp"
#include "linchpin/record.hpp"
#include "linchpin/recorded.hpp"
#include "linchpin/research.hpp"
#include "process.hpp"

namespace linchpin::bench {
namespace {

void run_threads(Recorder& recorder, const Arguments& arguments) {
  const auto threads = static_cast<unsigned>(arguments.number("threads", 4));
  const auto operations = static_cast<std::size_t>(arguments.number("operations", 70'000));
  const auto keys = static_cast<std::uint64_t>(arguments.number("keys", 1024));
  tbb::concurrent_unordered_set<std::uint64_t> set;
  const RecordedMethod add = recorder.method("add");
  const RecordedMethod contains = recorder.method("contains");
  std::vector<std::jthread> running;
  for (unsigned thread = 0; thread < threads; ++thread) {
    running.emplace_back([&, thread] {
      std::mt19937_64 random(thread + 1);
      ThreadLog& log = recorder.thread();
      for (std::size_t i = 0; i < operations; ++i) {
        const std::uint64_t key = random() % keys;
        if (random() % 2 == 0) {
          log.record(
              add, [&] { return set.insert(key).second; }, key);
        } else {
          log.record(
              contains, [&] { return set.find(key) != set.end(); }, key);
        }
      }
    });
  }
}

struct Measured {
  char verdict[16] = "";
  char reason[16] = "";
};

int measure(const Arguments& arguments) {
  Recorder recorder("set");
  run_threads(recorder, arguments);
  const auto history = history_of(recorder);
  if (!history) {
    fmt::print("{}\n", history.error().to_string());
    return 2;
  }
  fmt::print("{} operations recorded\n\n{:<22} {:<14} {:>9} {:>9}\n", history->size(), "decider", "verdict", "user s",
             "peak MB");
  for (const char* const decider :
       {"", "wgl", "wgl-lru", "wgl-partitioned", "wgl-lru-partitioned", "search", "chosen"}) {
    if (!arguments.wants(decider)) continue;
    Usage usage;
    const bool nothing = *decider == '\0';
    const auto measured = in_child<Measured>(usage, [&](Measured& own) {
      if (nothing) return;
      CheckOptions options;
      options.decider = std::string_view(decider) == "chosen" ? "" : decider;
      options.threads = 1;
      options.limits.time = std::chrono::duration<double>(arguments.number("seconds", 60));
      options.limits.memory = static_cast<std::size_t>(arguments.number("megabytes", 3000)) << 20;
      const auto verdict = check(*history, options);
      if (!verdict) return;
      std::snprintf(own.verdict, sizeof(own.verdict), "%s", std::string(name(verdict->verdict)).c_str());
      std::snprintf(own.reason, sizeof(own.reason), "%s", std::string(name(verdict->reason)).c_str());
    });
    if (!measured || std::string_view(measured->verdict) == "violation") {
      fmt::print("WRONG ANSWER or a failure: {}\n", decider);
      return 1;
    }
    const std::string shown = std::string_view(measured->verdict) == "unknown"
                                  ? fmt::format("unknown: {}", measured->reason)
                                  : std::string(measured->verdict);
    fmt::print("{:<22} {:<14} {:>9.3f} {:>9.0f}\n", nothing ? "(recording alone)" : decider, shown, usage.user,
               usage.megabytes);
  }
  return 0;
}

}  // namespace
}  // namespace linchpin::bench

int main(int count, char** values) {
  linchpin::add_research_deciders();
  return linchpin::bench::measure(linchpin::bench::Arguments(count, values));
}

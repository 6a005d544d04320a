// What does recording cost? Nanoseconds an operation of one thread, alone and beside a second one, with an empty call
// and an increment of a shared counter for comparison.
//
//   cmake --preset bench && cmake --build build/bench --target bench_recording && build/bench/bin/bench_recording
//
// The figure is the median over bursts of 20,000 operations, which all threads begin together. The recorded operation
// is an empty one with one argument and an integer result. Each burst's recording has to have all its operations.
#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <functional>
#include <thread>
#include <vector>

#include <benchmark/benchmark.h>

#include "linchpin/record.hpp"

namespace {

using linchpin::ClockSource;
using linchpin::Recorder;
using linchpin::RecorderOptions;

constexpr std::int64_t kBurst = 20'000;
constexpr int kBursts = 401;

/// Not inlined, as an operation of a library would not be.
[[gnu::noipa]] std::int64_t empty_call(std::int64_t argument) {
  benchmark::DoNotOptimize(argument);
  return argument;
}

/// Runs `burst(thread)` on each thread, over and over; the median time of an operation, in seconds.
double median(std::size_t threads, const std::function<void(std::size_t)>& burst,
              const std::function<void()>& between) {
  std::vector<std::vector<double>> seconds(threads);
  std::barrier begin(static_cast<std::ptrdiff_t>(threads));
  std::barrier end(static_cast<std::ptrdiff_t>(threads), between);
  const auto work = [&](std::size_t thread) {
    for (int i = 0; i < kBursts; ++i) {
      begin.arrive_and_wait();
      const auto from = std::chrono::steady_clock::now();
      burst(thread);
      const std::chrono::duration<double> time = std::chrono::steady_clock::now() - from;
      seconds[thread].push_back(time.count() / kBurst);
      end.arrive_and_wait();
    }
  };
  std::vector<std::thread> others;
  for (std::size_t thread = 1; thread < threads; ++thread) others.emplace_back(work, thread);
  work(0);
  for (std::thread& other : others) other.join();
  std::vector<double> all;
  for (const auto& own : seconds) all.insert(all.end(), own.begin(), own.end());
  std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end());
  return all[all.size() / 2];
}

void report(
    benchmark::State& state, const std::function<void(std::size_t)>& burst,
    const std::function<void()>& between = [] {}) {
  const auto threads = static_cast<std::size_t>(state.range(0));
  for (auto _ : state) {
    const double time = median(threads, burst, between);
    state.SetIterationTime(time);
    state.counters["ns_per_operation"] = time * 1e9;
  }
}

void empty(benchmark::State& state) {
  report(state, [](std::size_t) {
    for (std::int64_t i = 0; i < kBurst; ++i) benchmark::DoNotOptimize(empty_call(i));
  });
}

void shared_counter(benchmark::State& state) {
  std::atomic<std::int64_t> counter = 0;
  report(state, [&](std::size_t) {
    for (std::int64_t i = 0; i < kBurst; ++i) counter.fetch_add(1);
  });
}

void recorded(benchmark::State& state, const RecorderOptions& options) {
  const auto threads = static_cast<std::size_t>(state.range(0));
  Recorder recorder("counter", options);
  const auto method = recorder.method("add");
  std::vector<linchpin::ThreadLog*> logs;
  for (std::size_t thread = 0; thread < threads; ++thread) logs.push_back(&recorder.thread());
  report(
      state,
      [&](std::size_t thread) {
        linchpin::ThreadLog& log = *logs[thread];
        for (std::int64_t i = 0; i < kBurst; ++i) {
          benchmark::DoNotOptimize(log.record(
              method, [&] { return empty_call(i); }, i));
        }
      },
      [&] {
        if (recorder.size() != threads * kBurst) std::abort();
        recorder.clear();
      });
}

#define LINCHPIN_ONE_AND_TWO_THREADS \
  Arg(1)->Arg(2)->ArgName("threads")->UseManualTime()->Iterations(1)->Unit(benchmark::kNanosecond)
BENCHMARK(empty)->LINCHPIN_ONE_AND_TWO_THREADS;
BENCHMARK(shared_counter)->LINCHPIN_ONE_AND_TWO_THREADS;
BENCHMARK_CAPTURE(recorded, by_default, {})->LINCHPIN_ONE_AND_TWO_THREADS;
BENCHMARK_CAPTURE(recorded, without_drain, RecorderOptions{.drain = false})->LINCHPIN_ONE_AND_TWO_THREADS;
BENCHMARK_CAPTURE(recorded, without_gaps, RecorderOptions{.gaps = false})->LINCHPIN_ONE_AND_TWO_THREADS;
BENCHMARK_CAPTURE(recorded, without_both, RecorderOptions{.drain = false, .gaps = false})->LINCHPIN_ONE_AND_TWO_THREADS;
BENCHMARK_CAPTURE(recorded, steady_clock, RecorderOptions{.clock = ClockSource::steady})->LINCHPIN_ONE_AND_TWO_THREADS;

}  // namespace

BENCHMARK_MAIN();

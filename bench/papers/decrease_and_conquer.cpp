// Efficient decrease-and-conquer linearizability monitoring: its evaluations of sets, stacks, queues and priority
// queues.
//
// Small histories, of 100 to 1,000 operations: ten for each point, recorded from a real container with as many
// producers and consumers as the paper had, decided by the monitor and by the published search (in place of Verilin,
// which is a search as well), beside the paper's tables. Large ones, of 100,000 to 1,000,000 and 10,000,000 operations
// by 20 producers and 20 consumers: recorded and simulated, linearizable and not, with and without peeks (the paper's
// figures). Simulated histories have known verdicts. Of recorded ones, what the container's kind says is compared where
// it says something; where it does not, and to be sure, src/evidence verifies the evidence of one untimed check: of
// small histories all of it, of large ones the cores.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "app/quantities.hpp"
#include "arguments.hpp"
#include "papers/decrease_and_conquer_published.hpp"
#include "papers/measuring.hpp"
#include "papers/page.hpp"
#include "papers/recorded.hpp"

namespace linchpin::papers {

namespace {

using app::grouped;

constexpr std::size_t kHistories = 10;                              // a point, as in the paper
constexpr std::size_t kQuickOperations = 500;                       // of the published sizes
constexpr double kSearchSeconds = 0.2, kQuickSearchSeconds = 0.02;  // that the search gets for one small history
constexpr int kRepetitions = 5;                                     // of a small check: the median is taken
constexpr double kLargePauses = 0.01;  // enough: whoever gives way does so inside an operation
constexpr std::array kTypes{"set", "stack", "queue", "priority-queue"};

/// What the search gets for one small history.
double search_seconds(const Options& options) { return options.quick ? kQuickSearchSeconds : kSearchSeconds; }

/// One history of a small point.
struct Small {
  Checked monitor, verdict_alone, search;
  bool linearizable_by_verified_evidence = false;
};
using Point = std::array<Small, kHistories>;

Point small_point(const RecordedContainer& container, Workload workload, const Options& options) {
  Point point{};
  for (Small& small : point) {
    ++workload.seed;
    const auto history = container.record(workload);
    if (!history) continue;
    CheckOptions check = check_options(options);
    CheckOptions alone = check;
    alone.witness = alone.shrink = false;
    std::vector<double> seconds, seconds_alone;
    for (int i = 0; i < kRepetitions; ++i) {
      small.monitor = timed_check(*history, check);
      seconds.push_back(small.monitor.seconds);
      small.verdict_alone = timed_check(*history, alone);
      seconds_alone.push_back(small.verdict_alone.seconds);
    }
    check.verify = Verify::thoroughly;
    const Checked verified = timed_check(*history, check);
    small.monitor.evidence_refuted = verified.evidence_refuted || verified.verdict != small.monitor.verdict;
    small.monitor.seconds = bench::median(seconds);
    small.verdict_alone.seconds = bench::median(seconds_alone);
    CheckOptions search = check_options(options, "wgl");
    search.limits.time = std::chrono::duration<double>(search_seconds(options));
    search.shrink = false;
    small.search = timed_check(*history, search);
  }
  return point;
}

/// Notes what is wrong, and every measurement.
void judge(const Point& point, const RecordedContainer& container, std::size_t operations, Page& page) {
  for (std::size_t i = 0; i < point.size(); ++i) {
    const Checked& monitor = point[i].monitor;
    const Checked& search = point[i].search;
    const std::string what =
        fmt::format("{} ({}), {} operations, history {}", container.type, container.name, operations, i + 1);
    if (monitor.verdict == Verdict::unknown) page.wrong(what + " was not decided");
    if (monitor.evidence_refuted) page.wrong(what + ": the evidence was refuted");
    if (container.linearizable && monitor.verdict == Verdict::violation) page.wrong(what + " is linearizable");
    if (search.verdict == Verdict::unknown && search.reason == Reason::not_applicable) {
      page.wrong(what + ": the search does not apply");
    }
    if (search.verdict != Verdict::unknown && search.verdict != monitor.verdict) {
      page.wrong(what + ": monitor and search differ");
    }
    for (const Checked* checked : {&monitor, &search}) {
      page.measured({std::string(container.type), std::string(container.name), fmt::to_string(operations),
                     fmt::to_string(i + 1), std::string(checked->decided_by()), std::string(name(checked->verdict)),
                     fmt::format("{:.3g}", checked->seconds), "", ""});
    }
  }
}

struct Spread {
  double mean = 0, most = 0;
};
template <class Each>
Spread spread_of(const Point& point, const Each& each) {
  Spread spread;
  for (const Small& small : point) {
    spread.mean += each(small).seconds / static_cast<double>(point.size());
    spread.most = std::max(spread.most, each(small).seconds);
  }
  return spread;
}

/// What the search made of the histories of one kind. One that it gave up counts as long as it was given, as the paper
/// counts its own.
struct Searched {
  std::size_t all = 0, decided = 0;
  double seconds = 0;

  void add(const Checked& search, double limit) {
    const bool gave_up = search.verdict == Verdict::unknown;
    ++all;
    decided += gave_up ? 0 : 1;
    seconds += gave_up ? limit : search.seconds;
  }
  [[nodiscard]] std::string decided_of() const { return fmt::format("{}/{}", decided, all); }
  [[nodiscard]] std::string mean() const {
    if (all == 0) return "";
    return duration(seconds / static_cast<double>(all)) + (decided < all ? " (TO)" : "");
  }
};

void small_histories(const std::string& type, const Options& options, Page& page) {
  const PublishedSmall published = published_small(type);
  const auto containers = recorded_containers(type);
  const auto usual =
      std::find_if(containers.begin(), containers.end(), [](const auto& one) { return one.linearizable; });
  const auto relaxed =
      std::find_if(containers.begin(), containers.end(), [](const auto& one) { return !one.linearizable; });
  page.text(fmt::format("### {} of 100 to 1,000 operations", published.title));
  page.text(fmt::format(
      "Ten histories a row, {0} producers and {0} consumers, of a {1}, and ten of a relaxed one ({2}). Mean CPU "
      "time of deciding: the verdict alone, and with its evidence, a witness or a core. The search is `--decider wgl`, "
      "given {3} s for each history; linearizable histories and violations apart, TO where it gave one up, which "
      "counts "
      "as {3} s. *Published* are the paper's mean times of linearizable histories, TO where one of the ten exceeded "
      "its 100 s and counts as that.",
      published.producers, usual->name, relaxed->name, search_seconds(options)));
  Table table{.columns = {{"operations"},
                          {"in flight"},
                          {"verdict alone"},
                          {"with evidence"},
                          {"max"},
                          {"*LinP, published*"},
                          {"relaxed: mean"},
                          {"violations"},
                          {"search: linearizable decided"},
                          {"mean"},
                          {"search: violations decided"},
                          {"mean"},
                          {"*Verilin, published*"}},
              .rows = {}};
  if (published.has_violin) table.columns.push_back({"*Violin, published*"});
  app::LineChart chart{.title = published.title + ", ten histories a point",
                       .x = {.label = "operations"},
                       .y = {.label = "mean time", .seconds = true, .logarithmic = true},
                       .lines = {{.name = "ours", .points = {}},
                                 {.name = "ours, relaxed", .points = {}},
                                 {.name = "LinP, published", .points = {}, .published = true},
                                 {.name = "Verilin, published (TO = 100 s)", .points = {}, .published = true}}};
  if (published.has_violin) chart.lines.push_back({.name = "Violin, published", .points = {}, .published = true});
  for (const PublishedRow& row : published.rows) {
    if (options.quick && row.operations != kQuickOperations) continue;
    progress(fmt::format("{}: {} operations", type, row.operations));
    const Workload workload{.operations = row.operations,
                            .producers = published.producers,
                            .consumers = published.producers,
                            .peeks = false,
                            .seed = row.operations};
    bench::Usage usage;
    const auto good = bench::in_child<Point>(usage, [&](Point& p) { p = small_point(*usual, workload, options); });
    const auto bad = bench::in_child<Point>(usage, [&](Point& p) { p = small_point(*relaxed, workload, options); });
    if (!good || !bad) {
      page.wrong(fmt::format("{} of {} operations: the process failed", type, row.operations));
      continue;
    }
    judge(*good, *usual, row.operations, page);
    judge(*bad, *relaxed, row.operations, page);
    const Spread alone = spread_of(*good, [](const Small& small) -> const Checked& { return small.verdict_alone; });
    const Spread ours = spread_of(*good, [](const Small& small) -> const Checked& { return small.monitor; });
    const Spread ours_relaxed = spread_of(*bad, [](const Small& small) -> const Checked& { return small.monitor; });
    std::size_t violations = 0;
    double in_flight = 0;
    Searched linearizable, violating;
    for (const Point* point : {&*good, &*bad}) {
      for (const Small& small : *point) {
        in_flight += small.monitor.in_flight / (2 * kHistories);
        const bool violation = small.monitor.verdict == Verdict::violation;
        if (point == &*bad) violations += violation ? 1 : 0;
        (violation ? violating : linearizable).add(small.search, search_seconds(options));
      }
    }
    table.rows.push_back({grouped(row.operations), fmt::format("{:.1f}", in_flight), duration(alone.mean),
                          duration(ours.mean), duration(ours.most), fmt::format("*{}*", duration(row.linp)),
                          duration(ours_relaxed.mean), fmt::format("{}/10", violations), linearizable.decided_of(),
                          linearizable.mean(), violating.decided_of(), violating.mean(),
                          fmt::format("*{}{}*", duration(row.verilin), row.verilin_timed_out ? " (TO)" : "")});
    if (published.has_violin) {
      table.rows.back().push_back(fmt::format("*{}{}*", duration(row.violin), row.violin_timed_out ? " (TO)" : ""));
    }
    const auto at = static_cast<double>(row.operations);
    const std::array points{ours.mean, ours_relaxed.mean, row.linp, row.verilin, row.violin};
    for (std::size_t i = 0; i < chart.lines.size(); ++i) chart.lines[i].points.emplace_back(at, points[i]);
  }
  page.table(table);
  page.figure(type + "-small", chart, published.title + ": seconds by operations");
}

/// A kind of large history: a line of the figure.
struct Variant {
  std::string name;
  std::optional<bool> linearizable;  ///< where it is known beforehand
  std::function<Result<History>(std::size_t)> make;
};

std::vector<Variant> variants(const std::string& type) {
  std::vector<Variant> all;
  for (const bool peeks : {false, true}) {
    for (const bool broken : {false, true}) {
      const std::string name =
          fmt::format("simulated, {}{}", broken ? "violation" : "linearizable", peeks ? ", peeks" : "");
      all.push_back({name, !broken, [=](std::size_t operations) {
                       generate::Plan plan;
                       plan.type = TypeName{.name = type, .options = {}};
                       plan.operations = operations;
                       plan.processes = 40;
                       plan.in_flight = 26;
                       plan.values = 0;
                       plan.peeks = peeks ? 0.2 : 0;
                       return simulated(plan, broken);
                     }});
    }
  }
  bool lock_free_done = false;
  for (const RecordedContainer& container : recorded_containers(type)) {
    const bool locked = container.name.find("mutex") != std::string_view::npos;
    // Of those without a lock one is enough; relaxed ones with peeks, which hide nothing.
    if (container.linearizable && !locked && std::exchange(lock_free_done, true)) continue;
    const bool peeks = locked;
    all.push_back({fmt::format("recorded: {}{}", container.name, peeks ? ", peeks" : ""),
                   container.linearizable ? std::optional(true) : std::nullopt, [=](std::size_t operations) {
                     return container.record({.operations = operations,
                                              .producers = 20,
                                              .consumers = 20,
                                              .peeks = peeks,
                                              .pauses = kLargePauses,
                                              .seed = operations});
                   }});
  }
  return all;
}

struct Large {
  double seconds = 0, process = 0, megabytes = 0, in_flight = 0;
  Verdict verdict = Verdict::unknown;
};

std::optional<Large> large_history(const std::string& type, const Variant& variant, std::size_t operations,
                                   const Options& options, Page& page) {
  const std::string what = fmt::format("{}, {}, {} operations", type, variant.name, operations);
  const auto file = options.scratch / "large.lch";
  if (!make_history(file, [&] { return variant.make(operations); })) {
    page.wrong(what + ": it could not be made");
    return std::nullopt;
  }
  std::vector<double> seconds, process, megabytes;
  Large large;
  const int runs = options.quick || operations > 1'000'000 ? 1 : 3;
  for (int run = 0; run <= runs; ++run) {
    CheckOptions check = check_options(options);
    // The last one is not timed: it is there for the evidence.
    const bool timed = run < runs;
    check.verify = timed ? Verify::never : Verify::thoroughly;
    if (!timed && operations > 1'000'000) break;
    const auto measured = measured_check(file, check);
    if (!measured || measured->checked.verdict == Verdict::unknown) {
      page.wrong(what + " was not decided");
      return std::nullopt;
    }
    const bool linearizable = measured->checked.verdict == Verdict::linearizable;
    if (variant.linearizable && *variant.linearizable != linearizable) page.wrong(what + ": the wrong verdict");
    if (measured->checked.evidence_refuted) page.wrong(what + ": the evidence was refuted");
    if (!timed) continue;
    large.verdict = measured->checked.verdict;
    large.in_flight = measured->checked.in_flight;
    seconds.push_back(measured->checked.seconds);
    process.push_back(measured->usage.user);
    megabytes.push_back(measured->usage.megabytes);
    page.measured({type, variant.name, fmt::to_string(operations), fmt::to_string(run + 1),
                   std::string(measured->checked.decided_by()), std::string(name(measured->checked.verdict)),
                   fmt::format("{:.4g}", measured->checked.seconds), fmt::format("{:.4g}", measured->usage.user),
                   fmt::format("{:.0f}", measured->usage.megabytes)});
  }
  std::filesystem::remove(file);
  large.seconds = bench::median(seconds);
  large.process = bench::median(process);
  large.megabytes = bench::median(megabytes);
  return large;
}

void large_histories(const std::string& type, const Options& options, Page& page) {
  const PublishedSmall published = published_small(type);
  std::vector<std::size_t> sizes{2'000, 4'000};
  if (!options.quick) sizes = {100'000, 250'000, 500'000, 1'000'000, 10'000'000};
  std::erase_if(sizes, [&](std::size_t size) { return size > options.largest; });
  page.text(fmt::format("### {} of up to {} operations", published.title, grouped(sizes.back())));
  page.text(
      fmt::format("Of the paper's figure the text says: *{}*. Seconds of deciding, witness or core included; "
                  "for the largest also the whole process from a file in the binary format, in user CPU and "
                  "resident memory.",
                  published.stress));
  Table table{.columns = {{"history", false}, {"verdict", false}, {"in flight"}}, .rows = {}};
  for (const std::size_t size : sizes) {
    table.columns.push_back({grouped(size)});
  }
  table.columns.push_back({"whole process"});
  table.columns.push_back({"MB"});
  app::LineChart chart{.title = published.title + ", 20 producers and 20 consumers",
                       .x = {.label = "operations"},
                       .y = {.label = "CPU time, deciding", .seconds = true, .from = 0},
                       .lines = {}};
  for (const Variant& variant : variants(type)) {
    app::ChartLine line{.name = variant.name, .points = {}};
    std::vector<std::string> row{variant.name, "", ""};
    std::vector<std::string> whole(2);
    for (const std::size_t size : sizes) {
      progress(fmt::format("{}: {}, {} operations", type, variant.name, size));
      const auto large = large_history(type, variant, size, options, page);
      if (!large) return;
      row[1] = name(large->verdict);
      row[2] = fmt::format("{:.1f}", large->in_flight);
      if (size <= 1'000'000) line.points.emplace_back(static_cast<double>(size), large->seconds);
      if (row.size() + 2 < table.columns.size() && table.columns[row.size()].title == grouped(size)) {
        row.push_back(duration(large->seconds));
      }
      whole = {large->process > 0 ? duration(large->process) : "-", fmt::format("{:.0f}", large->megabytes)};
    }
    row.insert(row.end(), whole.begin(), whole.end());
    table.rows.push_back(std::move(row));
    chart.lines.push_back(std::move(line));
  }
  page.table(table);
  page.figure(type + "-large", chart, published.title + ": seconds of deciding by operations");
}

}  // namespace

bool decrease_and_conquer(const Options& options) {
  Page page(options, "decrease-and-conquer", "Efficient decrease-and-conquer linearizability monitoring",
            {"type", "history", "operations", "run", "decider", "verdict", "deciding_cpu_seconds",
             "process_user_seconds", "process_megabytes"});
#ifndef LINCHPIN_PAPERS_CDS
  page.left_out("the SegmentedQueue of libcds, which is not installed.");
#endif
  page.heading("Results");
  for (const char* type : kTypes) {
    small_histories(type, options, page);
    large_histories(type, options, page);
  }
  return page.finish();
}

}  // namespace linchpin::papers

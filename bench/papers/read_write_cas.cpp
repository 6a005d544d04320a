// Linearization of concurrent data structures (M. Daychman, thesis): its Table 1.
//
// The table's configurations (threads, operations, values, share of linearizable histories) with fewer histories than
// the thesis had, decided by brute force and by what decides in polynomial time here, in histories a second of CPU. The
// deciders take turns on the same histories; all of them have to agree on every one. A fourth group, which the thesis's
// algorithm does not take, has failed compare-and-sets that overlap writes.
#include <array>
#include <cmath>
#include <deque>
#include <vector>

#include <fmt/format.h>

#include "app/quantities.hpp"
#include "arguments.hpp"
#include "history/subhistory.hpp"
#include "linchpin/check.hpp"
#include "papers/page.hpp"
#include "papers/register_histories.hpp"
#include "process.hpp"
#include "types/cas_register/monitor.hpp"

namespace linchpin::papers {

namespace {

using app::grouped;

struct Configuration {
  std::uint32_t tests;  ///< that the thesis had
  double share;         ///< of linearizable ones
  std::uint32_t threads, operations, values;
  double brute, polynomial;  ///< published, tests a second; 0: nothing published
};

struct Group {
  std::string_view name;
  std::string_view file;
  bool cas, failed_cas, overlapping;
  std::array<Configuration, 6> configurations;
};

constexpr std::array kGroups{
    Group{"writes and reads only",
          "reads",
          false,
          false,
          false,
          {{{2'000'000, 0.30, 1, 7, 3, 4950, 9634},
            {1'000'000, 0.30, 3, 10, 4, 687, 8550},
            {500'000, 0.20, 4, 12, 4, 281, 9201},
            {200'000, 0.20, 5, 12, 4, 175, 10553},
            {50'000, 0.15, 6, 12, 5, 47, 10550},
            {25'000, 0.15, 7, 15, 5, 19, 9147}}}},
    Group{"writes, reads and true CASes",
          "cas",
          true,
          false,
          false,
          {{{2'000'000, 0.30, 1, 7, 3, 5552, 11779},
            {1'000'000, 0.30, 3, 10, 4, 916, 9523},
            {500'000, 0.20, 4, 12, 4, 783, 22041},
            {200'000, 0.20, 5, 12, 4, 483, 20808},
            {50'000, 0.15, 6, 12, 5, 238, 36964},
            {25'000, 0.15, 7, 15, 5, 215, 79588}}}},
    Group{"writes, reads, true CASes and false CASes",
          "failed-cas",
          true,
          true,
          false,
          {{{2'000'000, 0.30, 1, 7, 3, 13735, 39106},
            {1'000'000, 0.30, 3, 10, 4, 3799, 111910},
            {500'000, 0.20, 4, 12, 4, 1546, 13335},
            {200'000, 0.15, 5, 12, 4, 969, 116712},
            {50'000, 0.15, 6, 12, 5, 218, 130497},
            {25'000, 0.15, 7, 15, 5, 56, 123499}}}},
    Group{"the same, false CASes overlapping writes",
          "overlapping",
          true,
          true,
          true,
          {{{2'000'000, 0.30, 1, 7, 3, 0, 0},
            {1'000'000, 0.30, 3, 10, 4, 0, 0},
            {500'000, 0.20, 4, 12, 4, 0, 0},
            {200'000, 0.15, 5, 12, 4, 0, 0},
            {50'000, 0.15, 6, 12, 5, 0, 0},
            {25'000, 0.15, 7, 15, 5, 0, 0}}}},
};

constexpr int kRounds = 3;
constexpr double kLeastSeconds = 0.05;  // a round repeats the histories until it took as long
constexpr std::uint32_t kShare = 100;   // of the thesis's tests, one in so many
constexpr std::uint64_t kMostDrawn = 20'000'000;

CheckOptions verdict_only(std::string decider) {
  CheckOptions options;
  options.decider = std::move(decider);
  options.witness = false;
  options.shrink = false;
  options.threads = 1;
  return options;
}

struct Sample {
  std::vector<RegisterHistory> plain;
  std::deque<History> histories;  // parts point to them
  std::vector<history::Subhistory> parts;
  std::vector<bool> linearizable;
  std::uint64_t drawn = 0;

  [[nodiscard]] std::size_t size() const { return plain.size(); }
};

const std::shared_ptr<const Specification>& specification() {
  static const std::shared_ptr<const Specification> kSpecification = *make_specification(register_type());
  return kSpecification;
}

history::Subhistory part_of(const History& history) {
  const std::array specifications{specification()};
  auto parts = history::split_by_object(history, specifications, Ties::concurrent);
  return std::move(parts->front());
}

/// The monitor without the library around it, as brute force has its operations ready as well.
std::optional<bool> by_monitor(const history::Subhistory& part) {
  const core::Decider& monitor = types::cas_register::kMonitor;
  const core::Applicability applies = monitor.applicable(part);
  if (!applies.applies) return std::nullopt;
  core::Budget budget{Limits{}};
  const core::Outcome outcome = monitor.decide(part, {.witness = false, .reading = applies.reading}, budget);
  if (outcome.verdict == Verdict::unknown) return std::nullopt;
  return outcome.verdict == Verdict::linearizable;
}

/// Draws until there are enough of both kinds, labelled by the chosen decider; brute force confirms each label later.
Sample draw(const Group& group, const Configuration& configuration, std::uint32_t count) {
  const RegisterShape shape{.threads = configuration.threads,
                            .operations = configuration.operations,
                            .values = configuration.values,
                            .cas = group.cas,
                            .failed_cas = group.failed_cas,
                            .overlapping = group.overlapping};
  generate::Random random(configuration.threads * 1000 + configuration.operations);
  const auto good = static_cast<std::size_t>(std::lround(configuration.share * count));
  std::array<std::size_t, 2> missing{count - good, good};
  Sample sample;
  const CheckOptions options = verdict_only("");
  while (missing[0] + missing[1] > 0 && sample.drawn < kMostDrawn) {
    auto plain = draw_register_history(shape, random);
    if (!plain) continue;
    ++sample.drawn;
    auto history = to_history(*plain);
    if (!history) continue;
    const auto verdict = check(*history, options);
    if (!verdict || verdict->verdict == Verdict::unknown) continue;
    const bool linearizable = verdict->verdict == Verdict::linearizable;
    if (missing[linearizable ? 1 : 0] == 0) continue;
    --missing[linearizable ? 1 : 0];
    sample.plain.push_back(std::move(*plain));
    sample.histories.push_back(std::move(*history));
    sample.parts.push_back(part_of(sample.histories.back()));
    sample.linearizable.push_back(linearizable);
  }
  return sample;
}

/// Histories a second of CPU, and how many were decided as they are labelled, otherwise, or not at all.
struct Speed {
  std::vector<double> per_second;
  std::size_t wrong = 0, undecided = 0;

  template <class Decide>
  void round(const Sample& sample, const Decide& decide) {
    wrong = undecided = 0;
    std::size_t passes = 0;
    const double before = bench::cpu_seconds();
    double after = before;
    do {
      for (std::size_t i = 0; i < sample.size(); ++i) {
        const std::optional<bool> answer = decide(i);
        if (passes > 0) continue;
        undecided += answer ? 0 : 1;
        wrong += answer && *answer != sample.linearizable[i] ? 1 : 0;
      }
      ++passes;
      after = bench::cpu_seconds();
    } while (after - before < kLeastSeconds);
    per_second.push_back(static_cast<double>(passes * sample.size()) / (after - before));
  }
};

std::string speed(double per_second) { return grouped(static_cast<std::size_t>(std::llround(per_second))); }

void measure(const Group& group, const Options& options, Page& page) {
  Table table{.columns = {{"threads"},
                          {"operations"},
                          {"values"},
                          {"histories"},
                          {"linearizable"},
                          {"brute force"},
                          {"*published*"},
                          {"monitor"},
                          {"of them decided"},
                          {"*polynomial, published*"},
                          {"`check`"},
                          {"`--decider search`"}},
              .rows = {}};
  app::LineChart chart{.title = std::string(group.name),
                       .x = {.label = "threads"},
                       .y = {.label = "histories a second", .logarithmic = true},
                       .lines = {{.name = "brute force", .points = {}},
                                 {.name = "monitor", .points = {}},
                                 {.name = "check", .points = {}},
                                 {.name = "check --decider search", .points = {}}}};
  if (!group.overlapping) {
    chart.lines.push_back({.name = "brute force, published", .points = {}, .published = true});
    chart.lines.push_back({.name = "polynomial, published", .points = {}, .published = true});
  }
  for (const Configuration& configuration : group.configurations) {
    const std::uint32_t count = options.quick ? 20 : configuration.tests / kShare;
    if (options.quick && configuration.threads > 4) continue;
    progress(fmt::format("{}: {} threads, {} operations", group.name, configuration.threads, configuration.operations));
    const Sample sample = draw(group, configuration, count);
    std::array<Speed, 4> speeds;
    const std::array<CheckOptions, 2> deciders{verdict_only(""), verdict_only("search")};
    for (int round = 0; round < (options.quick ? 1 : kRounds); ++round) {
      speeds[0].round(sample,
                      [&](std::size_t i) { return std::optional(linearizable_by_brute_force(sample.plain[i])); });
      speeds[1].round(sample, [&](std::size_t i) { return by_monitor(sample.parts[i]); });
      for (std::size_t which = 0; which < deciders.size(); ++which) {
        speeds[which + 2].round(sample, [&](std::size_t i) -> std::optional<bool> {
          const auto verdict = check(sample.histories[i], deciders[which]);
          if (!verdict || verdict->verdict == Verdict::unknown) return std::nullopt;
          return verdict->verdict == Verdict::linearizable;
        });
      }
    }
    const std::string what =
        fmt::format("{}, {} threads, {} operations", group.name, configuration.threads, configuration.operations);
    constexpr std::array kNames{"brute-force", "cas-register-monitor", "check", "check --decider search"};
    std::array<double, 4> medians{};
    for (std::size_t which = 0; which < speeds.size(); ++which) {
      medians[which] = bench::median(speeds[which].per_second);
      if (speeds[which].wrong > 0) {
        page.wrong(fmt::format("{}: {} decides {} histories otherwise", what, kNames[which], speeds[which].wrong));
      }
      // The monitor alone may stand aside where failed compare-and-sets overlap writes.
      if (which != 1 && speeds[which].undecided > 0) page.wrong(what + ": not all were decided");
      for (const double per_second : speeds[which].per_second) {
        page.measured({std::string(group.name), fmt::to_string(configuration.threads),
                       fmt::to_string(configuration.operations), fmt::to_string(configuration.values),
                       fmt::to_string(sample.size()), kNames[which], fmt::format("{:.0f}", per_second)});
      }
    }
    const auto good =
        static_cast<std::size_t>(std::count(sample.linearizable.begin(), sample.linearizable.end(), true));
    if (good == 0 || good == sample.size()) page.wrong(what + ": all drawn are of one kind");
    const auto published = [&](double number) { return number > 0 ? fmt::format("*{}*", speed(number)) : ""; };
    table.rows.push_back(
        {fmt::to_string(configuration.threads), fmt::to_string(configuration.operations),
         fmt::to_string(configuration.values), grouped(sample.size()),
         fmt::format("{:.0f} %", 100.0 * static_cast<double>(good) / static_cast<double>(sample.size())),
         speed(medians[0]), published(configuration.brute), speed(medians[1]),
         fmt::format("{:.0f} %",
                     100.0 - 100.0 * static_cast<double>(speeds[1].undecided) / static_cast<double>(sample.size())),
         published(configuration.polynomial), speed(medians[2]), speed(medians[3])});
    const auto at = static_cast<double>(configuration.threads);
    const std::array lines{medians[0], medians[1],          medians[2],
                           medians[3], configuration.brute, configuration.polynomial};
    for (std::size_t i = 0; i < chart.lines.size(); ++i) chart.lines[i].points.emplace_back(at, lines[i]);
  }
  page.heading(fmt::format("Group {}: {}", &group - kGroups.data() + 1, group.name));
  page.table(table);
  page.figure(std::string(group.file), chart, fmt::format("Histories a second by threads: {}", group.name));
}

}  // namespace

bool read_write_cas(const Options& options) {
  Page page(options, "read-write-cas", "Linearization of concurrent data structures: read, write and compare-and-set",
            {"group", "threads", "operations", "values", "histories", "decider", "histories_per_second"});
  for (const Group& group : kGroups) measure(group, options, page);
  return page.finish();
}

}  // namespace linchpin::papers

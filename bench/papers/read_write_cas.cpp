// Linearization of concurrent data structures (M. Daychman, thesis): its Table 1.
//
// The table's configurations (threads, operations, values, share of linearizable histories) with fewer histories than
// the thesis had, decided by brute force and by what decides in polynomial time here, in histories a second of CPU. The
// deciders take turns on the same histories; all of them have to agree on every one. A fourth group, which the thesis's
// algorithm does not take, has failed compare-and-sets that overlap writes.
#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <vector>

#include <fmt/format.h>

#include "app/quantities.hpp"
#include "arguments.hpp"
#include "generate/simulation.hpp"
#include "generate/stream.hpp"
#include "generate/violation.hpp"
#include "history/subhistory.hpp"
#include "linchpin/check.hpp"
#include "papers/page.hpp"
#include "papers/register_histories.hpp"
#include "process.hpp"
#include "research/value_blocks/decider.hpp"
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

using Configurations = std::array<Configuration, 6>;

struct Group {
  std::string_view number;
  std::string_view name;
  std::string_view file;
  bool cas, failed_cas, overlapping;
  bool by_program;  ///< drawn as the thesis's program does, not as its text says
  Configurations configurations;
};

constexpr Configurations kReads{{{2'000'000, 0.30, 1, 7, 3, 4950, 9634},
                                 {1'000'000, 0.30, 3, 10, 4, 687, 8550},
                                 {500'000, 0.20, 4, 12, 4, 281, 9201},
                                 {200'000, 0.20, 5, 12, 4, 175, 10553},
                                 {50'000, 0.15, 6, 12, 5, 47, 10550},
                                 {25'000, 0.15, 7, 15, 5, 19, 9147}}};
constexpr Configurations kTrueCases{{{2'000'000, 0.30, 1, 7, 3, 5552, 11779},
                                     {1'000'000, 0.30, 3, 10, 4, 916, 9523},
                                     {500'000, 0.20, 4, 12, 4, 783, 22041},
                                     {200'000, 0.20, 5, 12, 4, 483, 20808},
                                     {50'000, 0.15, 6, 12, 5, 238, 36964},
                                     {25'000, 0.15, 7, 15, 5, 215, 79588}}};
constexpr Configurations kFalseCases{{{2'000'000, 0.30, 1, 7, 3, 13735, 39106},
                                      {1'000'000, 0.30, 3, 10, 4, 3799, 111910},
                                      {500'000, 0.20, 4, 12, 4, 1546, 13335},
                                      {200'000, 0.15, 5, 12, 4, 969, 116712},
                                      {50'000, 0.15, 6, 12, 5, 218, 130497},
                                      {25'000, 0.15, 7, 15, 5, 56, 123499}}};
constexpr Configurations kOurConfigurations{{{2'000'000, 0.30, 1, 7, 3, 0, 0},
                                             {1'000'000, 0.30, 3, 10, 4, 0, 0},
                                             {500'000, 0.20, 4, 12, 4, 0, 0},
                                             {200'000, 0.15, 5, 12, 4, 0, 0},
                                             {50'000, 0.15, 6, 12, 5, 0, 0},
                                             {25'000, 0.15, 7, 15, 5, 0, 0}}};

constexpr std::array kGroups{
    Group{"1", "writes and reads only", "reads", false, false, false, false, kReads},
    Group{"2", "writes, reads and true CASes", "cas", true, false, false, false, kTrueCases},
    Group{"3", "writes, reads, true CASes and false CASes", "failed-cas", true, true, false, false, kFalseCases},
    Group{"3, drawn by the program", "the same, half of the operations CASes", "failed-cas-program", true, true, false,
          true, kFalseCases},
    Group{"4", "the same, false CASes overlapping writes", "overlapping", true, true, true, false, kOurConfigurations},
};

constexpr int kRounds = 3;
constexpr double kLeastSeconds = 0.05;                // a round repeats the histories until it took as long
constexpr std::uint32_t kShare = 1000, kLeast = 100;  // of the thesis's tests one in so many, but at least
constexpr std::uint64_t kMostDrawn = 10'000'000;
constexpr std::uint64_t kMostSteps = 200'000;  // of brute force on a longer history

CheckOptions verdict_only(std::string decider) {
  CheckOptions options;
  options.decider = std::move(decider);
  options.witness = false;
  options.shrink = false;
  options.threads = 1;
  return options;
}

struct RegisterSample {
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

/// A decider without the library around it, as brute force has its operations ready as well.
std::optional<bool> by(const core::Decider& decider, const history::Subhistory& part) {
  const core::Applicability applies = decider.applicable(part);
  if (!applies.applies) return std::nullopt;
  core::Budget budget{Limits{}};
  const core::Outcome outcome = decider.decide(part, {.witness = false, .reading = applies.reading}, budget);
  if (outcome.verdict == Verdict::unknown) return std::nullopt;
  return outcome.verdict == Verdict::linearizable;
}

/// Draws until there are enough of both kinds, labelled by brute force, which is the quickest at this size; the others
/// have to confirm each label.
RegisterSample draw(const Group& group, const Configuration& configuration, std::uint32_t count) {
  const RegisterShape shape{.threads = configuration.threads,
                            .operations = configuration.operations,
                            .values = configuration.values,
                            .cas = group.cas,
                            .failed_cas = group.failed_cas,
                            .overlapping = group.overlapping};
  generate::Random random(configuration.threads * 1000 + configuration.operations);
  const auto good = static_cast<std::size_t>(std::lround(configuration.share * count));
  std::array<std::size_t, 2> missing{count - good, good};
  RegisterSample sample;
  while (missing[0] + missing[1] > 0 && sample.drawn < kMostDrawn) {
    auto plain = group.by_program ? draw_as_the_program(shape, random) : draw_register_history(shape, random);
    ++sample.drawn;
    if (!plain) continue;
    const bool linearizable = *linearizable_by_brute_force(*plain);
    if (missing[linearizable ? 1 : 0] == 0) continue;
    auto history = to_history(*plain);
    if (!history) continue;
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
  std::size_t refused = 0, accepted = 0, undecided = 0;  ///< the first two wrongly

  [[nodiscard]] std::size_t wrong() const { return refused + accepted; }

  template <class Decide>
  void round(const RegisterSample& sample, const Decide& decide) {
    refused = accepted = undecided = 0;
    std::size_t passes = 0;
    const double before = bench::cpu_seconds();
    double after = before;
    do {
      for (std::size_t i = 0; i < sample.size(); ++i) {
        const std::optional<bool> answer = decide(i);
        if (passes > 0) continue;
        if (!answer) {
          ++undecided;
        } else if (*answer != sample.linearizable[i]) {
          ++(*answer ? accepted : refused);
        }
      }
      ++passes;
      after = bench::cpu_seconds();
    } while (after - before < kLeastSeconds);
    per_second.push_back(static_cast<double>(passes * sample.size()) / (after - before));
  }
};

std::string speed(double per_second) { return grouped(static_cast<std::size_t>(std::llround(per_second))); }

constexpr std::size_t kBruteForce = 0, kMonitor = 1, kCheck = 2, kSearch = 3, kThesis = 4;
constexpr std::array kDeciders{"brute-force", "cas-register-monitor", "check", "check --decider search",
                               "value-blocks"};
using Speeds = std::array<Speed, kDeciders.size()>;

/// All deciders in turn; brute force takes so many steps at most.
Speeds speeds_of(const RegisterSample& sample, int rounds, std::uint64_t steps) {
  Speeds speeds;
  const std::array<CheckOptions, 2> options{verdict_only(""), verdict_only("search")};
  for (int round = 0; round < rounds; ++round) {
    speeds[kBruteForce].round(sample,
                              [&](std::size_t i) { return linearizable_by_brute_force(sample.plain[i], steps); });
    speeds[kMonitor].round(sample, [&](std::size_t i) { return by(types::cas_register::kMonitor, sample.parts[i]); });
    speeds[kThesis].round(sample,
                          [&](std::size_t i) { return by(research::value_block_deciders()[0], sample.parts[i]); });
    for (std::size_t which = 0; which < options.size(); ++which) {
      speeds[which + kCheck].round(sample, [&](std::size_t i) -> std::optional<bool> {
        const auto verdict = check(sample.histories[i], options[which]);
        if (!verdict || verdict->verdict == Verdict::unknown) return std::nullopt;
        return verdict->verdict == Verdict::linearizable;
      });
    }
  }
  return speeds;
}

/// Notes wrong answers and every measurement. @return the medians
std::array<double, kDeciders.size()> judge(const Speeds& speeds, const RegisterSample& sample,
                                           const std::vector<std::string>& row, Page& page) {
  std::array<double, kDeciders.size()> medians{};
  for (std::size_t which = 0; which < speeds.size(); ++which) {
    medians[which] = bench::median(speeds[which].per_second);
    // What the thesis's algorithm gets wrong is what its column is for; it refuses nothing that is linearizable.
    const std::size_t wrong = which == kThesis ? speeds[which].refused : speeds[which].wrong();
    if (wrong > 0) {
      page.wrong(fmt::format("{}: {} decides {} histories otherwise", fmt::join(row, ", "), kDeciders[which], wrong));
    }
    for (const double per_second : speeds[which].per_second) {
      std::vector<std::string> measured = row;
      measured.insert(measured.end(),
                      {fmt::to_string(sample.size()), kDeciders[which], fmt::format("{:.0f}", per_second)});
      page.measured(measured);
    }
  }
  return medians;
}

std::size_t good_ones(const RegisterSample& sample) {
  return static_cast<std::size_t>(std::count(sample.linearizable.begin(), sample.linearizable.end(), true));
}
std::string percent(std::size_t part, std::size_t all) {
  return fmt::format("{:.0f} %", 100.0 * static_cast<double>(part) / static_cast<double>(all));
}

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
                          {"`check`"},
                          {"`--decider search`"}},
              .rows = {}};
  if (!group.overlapping) {
    for (const char* const title : {"thesis's algorithm", "*published*", "refused wrongly", "accepted wrongly"}) {
      table.columns.push_back({title});
    }
  }
  app::LineChart chart{.title = std::string(group.name),
                       .x = {.label = "threads"},
                       .y = {.label = "histories a second", .logarithmic = true},
                       .lines = {{.name = "brute force", .points = {}},
                                 {.name = "monitor", .points = {}},
                                 {.name = "check", .points = {}},
                                 {.name = "check --decider search", .points = {}}}};
  if (!group.overlapping) {
    chart.lines.push_back({.name = "brute force, published", .points = {}, .published = true});
    chart.lines.push_back({.name = "thesis's algorithm, published", .points = {}, .published = true});
    chart.lines.push_back({.name = "thesis's algorithm", .points = {}});
  }
  for (const Configuration& configuration : group.configurations) {
    const std::uint32_t count = options.quick ? 20 : std::max(kLeast, configuration.tests / kShare);
    if (options.quick && configuration.threads > 4) continue;
    progress(fmt::format("{}: {} threads, {} operations", group.name, configuration.threads, configuration.operations));
    const RegisterSample sample = draw(group, configuration, count);
    const Speeds speeds = speeds_of(sample, options.quick ? 1 : kRounds, UINT64_MAX);
    const auto medians = judge(speeds, sample,
                               {std::string(group.number), fmt::to_string(configuration.threads),
                                fmt::to_string(configuration.operations), fmt::to_string(configuration.values)},
                               page);
    const std::string what =
        fmt::format("{}, {} threads, {} operations", group.name, configuration.threads, configuration.operations);
    for (const std::size_t which : {kBruteForce, kCheck, kSearch}) {  // the monitor may leave false CASes to the search
      if (speeds[which].undecided > 0) page.wrong(fmt::format("{}: {} did not decide all", what, kDeciders[which]));
    }
    const std::size_t good = good_ones(sample);
    if (sample.size() == 0) {
      page.wrong(what + ": no history could be drawn");
      continue;
    }
    const auto published = [&](double number) { return number > 0 ? fmt::format("*{}*", speed(number)) : ""; };
    table.rows.push_back({fmt::to_string(configuration.threads), fmt::to_string(configuration.operations),
                          fmt::to_string(configuration.values), grouped(sample.size()), percent(good, sample.size()),
                          speed(medians[kBruteForce]), published(configuration.brute), speed(medians[kMonitor]),
                          percent(sample.size() - speeds[kMonitor].undecided, sample.size()), speed(medians[kCheck]),
                          speed(medians[kSearch])});
    const auto at = static_cast<double>(configuration.threads);
    const std::array lines{medians[kBruteForce], medians[kMonitor],        medians[kCheck], medians[kSearch],
                           configuration.brute,  configuration.polynomial, medians[kThesis]};
    for (std::size_t i = 0; i < chart.lines.size(); ++i) chart.lines[i].points.emplace_back(at, lines[i]);
    if (group.overlapping) continue;
    const Speed& thesis = speeds[kThesis];
    if (thesis.undecided > 0) page.wrong(fmt::format("{}: the thesis's algorithm does not take all", what));
    for (std::string& cell :
         std::vector<std::string>{speed(medians[kThesis]), published(configuration.polynomial),
                                  fmt::format("{} of {}", thesis.refused, grouped(good)),
                                  fmt::format("{} of {}", thesis.accepted, grouped(sample.size() - good))}) {
      table.rows.back().push_back(std::move(cell));
    }
  }
  page.heading(fmt::format("Group {}: {}", group.number, group.name));
  page.table(table);
  page.figure(std::string(group.file), chart, fmt::format("Histories a second by threads: {}", group.name));
}

/// Simulated histories of eight processes, every second one with a result or a value changed.
RegisterSample longer(std::uint32_t operations, std::size_t count) {
  RegisterSample sample;
  const CheckOptions options = verdict_only("");
  for (std::uint64_t seed = 1; sample.size() < count && seed < 10 * count; ++seed) {
    generate::Plan plan;
    plan.type = register_type();
    plan.operations = operations;
    plan.values = 0;
    plan.seed = seed;
    auto simulation = generate::Simulation::make(plan);
    if (!simulation) continue;
    auto rows = generate::all_rows(*simulation);
    if (!rows) continue;
    generate::Random random(seed);
    if (seed % 2 == 0 && !generate::change_one(*rows, rows->size() / 2, random, simulation->pool())) continue;
    auto history = generate::to_history(simulation->plan(), simulation->specification(), simulation->pool(), *rows);
    if (!history) continue;
    auto plain = register_history(*history);
    const auto verdict = check(*history, options);
    if (!plain || !verdict || verdict->verdict == Verdict::unknown) continue;
    sample.linearizable.push_back(verdict->verdict == Verdict::linearizable);
    sample.plain.push_back(std::move(*plain));
    sample.histories.push_back(std::move(*history));
    sample.parts.push_back(part_of(sample.histories.back()));
  }
  return sample;
}

/// Where brute force ends.
void measure_longer(const Options& options, Page& page) {
  const std::size_t count = options.quick ? 10 : 50;
  page.heading("Longer histories");
  page.text(fmt::format(
      "{} simulated histories a row, of eight processes with writes, reads and compare-and-sets, half of them with one "
      "natural change. Brute force gives up after {} steps, so where it does not decide all its speed is an upper "
      "bound.",
      count, grouped(kMostSteps)));
  Table table{.columns = {{"operations"},
                          {"linearizable"},
                          {"brute force: decided"},
                          {"histories/s"},
                          {"monitor: decided"},
                          {"histories/s"},
                          {"`check`"},
                          {"`--decider search`"}},
              .rows = {}};
  app::LineChart chart{.title = "Longer histories",
                       .x = {.label = "operations", .logarithmic = true},
                       .y = {.label = "histories a second", .logarithmic = true},
                       .lines = {{.name = "brute force, at most", .points = {}},
                                 {.name = "monitor", .points = {}},
                                 {.name = "check", .points = {}},
                                 {.name = "check --decider search", .points = {}}}};
  std::vector<std::uint32_t> sizes{10, 20};
  if (!options.quick) sizes = {10, 20, 40, 80, 160, 320, 640};
  for (const std::uint32_t operations : sizes) {
    progress(fmt::format("{} operations", operations));
    const RegisterSample sample = longer(operations, count);
    const Speeds speeds = speeds_of(sample, 1, kMostSteps);
    const auto medians = judge(speeds, sample, {"longer", "8", fmt::to_string(operations), ""}, page);
    for (const std::size_t which : {kCheck, kSearch}) {
      if (speeds[which].undecided > 0) page.wrong(fmt::format("{} operations: not all were decided", operations));
    }
    table.rows.push_back({fmt::to_string(operations), percent(good_ones(sample), sample.size()),
                          percent(sample.size() - speeds[kBruteForce].undecided, sample.size()),
                          speed(medians[kBruteForce]),
                          percent(sample.size() - speeds[kMonitor].undecided, sample.size()), speed(medians[kMonitor]),
                          speed(medians[kCheck]), speed(medians[kSearch])});
    for (std::size_t i = 0; i < chart.lines.size(); ++i) {
      chart.lines[i].points.emplace_back(operations, medians[i]);
    }
  }
  page.table(table);
  page.figure("longer", chart, "Histories a second by their length");
}

}  // namespace

bool read_write_cas(const Options& options) {
  Page page(options, "read-write-cas", "Linearization of concurrent data structures: read, write and compare-and-set",
            {"group", "threads", "operations", "values", "histories", "decider", "histories_per_second"});
  for (const Group& group : kGroups) measure(group, options, page);
  measure_longer(options, page);
  return page.finish();
}

}  // namespace linchpin::papers

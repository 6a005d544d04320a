// The families for d = 1, 2, ... are tried first, with 20 n executed operations at most; where they hold no witness the
// general search decides. Against the search alone, on the same bound history, with the poset and the memo made anew
// each time; the median of five times of CPU. A verdict that is not the label's is a wrong answer.
#include "papers/quick_witnesses.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "app/quantities.hpp"
#include "arguments.hpp"
#include "decide/choose.hpp"
#include "history/subhistory.hpp"
#include "papers/measuring.hpp"
#include "research/schedules/witness_search.hpp"

namespace linchpin::papers {

namespace {

constexpr std::array<std::uint32_t, 3> kDepths{1, 2, 3};
constexpr std::int64_t kStepsAnOperation = 20;  // of an attempt
constexpr int kWitnessRepetitions = 5;
constexpr double kSecondsOfSearch = 0.3;  // of a generated history

/// One attempt with the families up to `most`: whether it found a witness.
bool attempt(const history::Subhistory& part, std::uint32_t most) {
  const research::OperationPoset poset = research::OperationPoset::of(part);
  research::StateSets sets(part);
  research::WitnessSearch search(poset, 0, sets);
  core::Budget budget{Limits{}};
  std::int64_t steps = kStepsAnOperation * part.size();
  for (std::uint32_t d = 1; d <= most; ++d) {
    search.begin(d, sets.initial());
    const auto status = search.run(steps, budget);
    if (status != research::WitnessSearch::Status::none) return status == research::WitnessSearch::Status::found;
  }
  return false;
}

Verdict searched(const history::Subhistory& part, double seconds) {
  Limits limits;
  limits.time = std::chrono::duration<double>(seconds);
  core::Budget budget{limits};
  return decide::find_decider("search")->decide(part, {.witness = false}, budget).verdict;
}

double median_of(const std::function<void()>& run) {
  std::vector<double> seconds;
  for (int i = 0; i < kWitnessRepetitions; ++i) {
    const double before = bench::cpu_seconds();
    run();
    seconds.push_back(bench::cpu_seconds() - before);
  }
  return bench::median(seconds);
}

/// Of the histories of a row. Trivially copyable: it comes from a process of its own.
struct Row {
  std::size_t histories = 0, undecided = 0, wrong = 0;
  double search = 0;  // seconds, the sum, of the search alone
  std::array<std::size_t, kDepths.size()> found{};
  std::array<double, kDepths.size()> attempts{}, together{};  // with the search where the attempt was in vain

  void add(const history::Subhistory& part, std::optional<bool> linearizable, double limit) {
    ++histories;
    const Verdict verdict = searched(part, limit);
    const bool decided = verdict != Verdict::unknown;
    undecided += decided ? 0 : 1;
    if (decided && linearizable && *linearizable != (verdict == Verdict::linearizable)) ++wrong;
    const double alone = decided ? median_of([&] { (void)searched(part, limit); }) : limit;
    search += alone;
    for (std::size_t i = 0; i < kDepths.size(); ++i) {
      bool witness = false;
      const double time = median_of([&] { witness = attempt(part, kDepths[i]); });
      if (witness && linearizable == std::optional(false)) ++wrong;
      found[i] += witness ? 1 : 0;
      attempts[i] += time;
      together[i] += time + (witness ? 0 : alone);
    }
  }
};

Table empty_table(const char* what) {
  Table table{.columns = {{what, false}, {"histories"}, {"search alone"}}, .rows = {}};
  for (const std::uint32_t d : kDepths) {
    table.columns.push_back({fmt::format("d <= {}: found", d)});
    table.columns.push_back({"attempt"});
    table.columns.push_back({"with the search"});
  }
  return table;
}

void add_row(const std::string& name, const Row& row, Table& table, Page& page) {
  if (row.wrong > 0) page.wrong(fmt::format("{}: {} verdicts are wrong", name, row.wrong));
  const auto mean = [&](double sum) { return sum / static_cast<double>(std::max<std::size_t>(row.histories, 1)); };
  std::string alone = duration(mean(row.search));
  if (row.undecided > 0) alone += fmt::format("; {} gave up", row.undecided);
  std::vector<std::string> cells{name, fmt::to_string(row.histories), std::move(alone)};
  page.measured({"search", "quick witnesses", name, "", "mean seconds", fmt::format("{:.4g}", mean(row.search))});
  for (std::size_t i = 0; i < kDepths.size(); ++i) {
    cells.push_back(fmt::format("{:.0f} %", 100 * mean(static_cast<double>(row.found[i]))));
    cells.push_back(duration(mean(row.attempts[i])));
    cells.push_back(duration(mean(row.together[i])));
    const std::string d = fmt::to_string(kDepths[i]);
    page.measured({"enumerated", "quick witnesses", name, d, "found", fmt::to_string(row.found[i])});
    page.measured(
        {"enumerated", "quick witnesses", name, d, "mean seconds", fmt::format("{:.4g}", mean(row.attempts[i]))});
  }
  table.rows.push_back(std::move(cells));
}

/// A history of one object as deciders see it. It points into the history.
struct Bound {
  std::shared_ptr<const Specification> specification;
  history::Subhistory part;
};

std::optional<Bound> bind(const History& history) {
  const auto specification = make_specification(history.objects()[0].type);
  if (!specification) return std::nullopt;
  const std::array specifications{*specification};
  auto parts = history::split_by_object(history, specifications, Ties::concurrent);
  if (!parts || parts->size() != 1) return std::nullopt;
  return Bound{.specification = *specification, .part = std::move(parts->front())};
}

struct Generated {
  const char* type;
  std::uint64_t operations;
  std::uint32_t processes;
};
constexpr std::array kGenerated{
    Generated{"log", 20, 9},   Generated{"log", 40, 4},           Generated{"log", 40, 9},   Generated{"log", 80, 4},
    Generated{"log", 80, 9},   Generated{"queue", 20, 9},         Generated{"queue", 40, 9}, Generated{"queue", 80, 9},
    Generated{"stack", 20, 9}, Generated{"stack", 80, 4},         Generated{"deque", 40, 9}, Generated{"deque", 80, 4},
    Generated{"map", 80, 4},   Generated{"cas-register", 150, 4},
};

}  // namespace

void quick_witnesses(const std::vector<JavaHistories>& classes, const Options& options, Page& page) {
  page.heading("As a quick witness finder before the search");
  page.text(fmt::format(
      "The families for d = 1, 2, ... are tried first, {} executed operations for each of the history's at most, and "
      "where they hold no witness, or none so soon, the general search decides. Means of CPU time over all histories "
      "of "
      "a class, sequential ones and violations among them: *found* says how many get a witness in the attempt, *with "
      "the search* is the attempt and, for the others, the search.",
      kStepsAnOperation));
  Table recorded = empty_table("class");
  for (const JavaHistories& each : classes) {
    progress(fmt::format("quick witnesses of {}", each.name));
    bench::Usage usage;
    const auto row = bench::in_child<Row>(usage, [&](Row& sum) {
      const auto histories = read_histories(each.file, {});
      for (std::size_t i = 0; histories && i < histories->size(); ++i) {
        const Result<History>& history = (*histories)[i];
        const auto bound = history ? bind(*history) : std::nullopt;
        if (bound) {
          sum.add(bound->part, each.linearizable[i], options.seconds);
        } else {
          ++sum.wrong;
        }
      }
    });
    if (row && row->histories == each.linearizable.size()) {
      add_row(each.name, *row, recorded, page);
    } else {
      page.wrong(fmt::format("{}: its histories were not all measured", each.name));
    }
  }
  page.table(recorded);
  const std::size_t histories = options.quick ? 1 : 10;
  page.text(
      fmt::format("The same on longer, linearizable histories that are generated, with three values and three keys, so "
                  "that values repeat; {} a row, {} s each for the search, which count where it gave up.",
                  app::counted(histories, "history"), kSecondsOfSearch));
  Table generated = empty_table("type, operations, processes");
  for (const Generated& each : kGenerated) {
    const std::string name = fmt::format("{}, {}, {}", each.type, each.operations, each.processes);
    progress("quick witnesses of " + name);
    bench::Usage usage;
    const auto row = bench::in_child<Row>(usage, [&](Row& sum) {
      for (std::uint64_t seed = 1; seed <= histories; ++seed) {
        generate::Plan plan;
        plan.type = TypeName{.name = each.type, .options = {}};
        plan.operations = each.operations;
        plan.processes = each.processes;
        plan.values = 3;
        plan.keys = 3;
        plan.seed = seed;
        const auto history = simulated(plan, false);
        const auto bound = history ? bind(*history) : std::nullopt;
        if (bound) {
          sum.add(bound->part, true, kSecondsOfSearch);
        } else {
          ++sum.wrong;
        }
      }
    });
    if (row) {
      add_row(name, *row, generated, page);
    } else {
      page.wrong(name + ": the process failed");
    }
  }
  page.table(generated);
}

}  // namespace linchpin::papers

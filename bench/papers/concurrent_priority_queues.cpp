// Checking linearizability of concurrent priority queues: its automata counted, run over histories, and explored by
// SPIN.
//
// The paper has constructions and proofs, and no measurements to stand beside. Here: the automata of each type and
// their sizes; random histories, half of them linearizable, that all automata of the type read one after the other,
// held against `check`; and the models of examples/models in product with the automata (`linchpin reach`), whose
// verdicts are known.
#include <array>
#include <cstdlib>
#include <deque>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/quantities.hpp"
#include "generate/random_history.hpp"
#include "history/subhistory.hpp"
#include "papers/measuring.hpp"
#include "papers/page.hpp"
#include "research/automata/automaton.hpp"
#include "research/automata/execution.hpp"
#include "research/automata/simulate.hpp"

namespace linchpin::papers {

namespace {

using app::grouped;

constexpr std::array kWatchedTypes{"queue", "stack", "priority-queue ties=fifo"};

void the_automata(Page& page) {
  page.heading("The automata");
  Table table{.columns = {{"type", false},
                          {"automaton", false},
                          {"accepts", false},
                          {"in the papers", false},
                          {"colours"},
                          {"registers"},
                          {"states"},
                          {"transitions"}},
              .rows = {}};
  for (const automata::Family* const family : automata::families()) {
    for (const automata::Automaton& automaton : family->automata) {
      if (const auto flaw = automaton.flaw()) page.wrong(fmt::format("{}: {}", automaton.name, *flaw));
      table.rows.push_back({std::string(family->type), fmt::format("`{}`", automaton.name), automaton.summary,
                            automaton.source, fmt::to_string(automaton.colours.size()),
                            fmt::to_string(automaton.registers), fmt::to_string(automaton.states.size()),
                            fmt::to_string(automaton.transitions.size())});
    }
  }
  page.table(table);
}

struct Sample {
  std::deque<History> histories;
  std::vector<automata::Execution> executions;
  std::size_t linearizable = 0;
};

Sample random_histories(const std::string& type, std::uint32_t operations, std::uint32_t count, Page& page) {
  generate::RandomPlan random;
  random.plan.type = *TypeName::parse(type);
  random.plan.operations = operations;
  random.plan.processes = 3;
  random.plan.values = 0;
  random.plan.empties = true;
  random.plan.peeks = 0;
  random.plan.seed = operations;
  random.linearizable = 0.5;
  random.histories = count;
  generate::RandomHistories histories(random);
  Sample sample;
  const auto specification = *make_specification(random.plan.type);
  const std::array specifications{specification};
  for (std::uint32_t i = 0; i < count; ++i) {
    auto history = histories.next();
    if (!history) {
      page.text(fmt::format("{} of {} operations: {}.", type, operations, history.error().message));
      break;
    }
    sample.histories.push_back(std::move(*history));
    const auto parts = history::split_by_object(sample.histories.back(), specifications, Ties::concurrent);
    auto execution = automata::execution_of(parts->front());
    if (!execution) {
      page.wrong(fmt::format("{}: {}", type, execution.error().message));
      sample.histories.pop_back();
      break;
    }
    sample.executions.push_back(std::move(*execution));
  }
  return sample;
}

/// Whether no automaton of the type accepts.
bool linearizable_by_automata(const automata::Family& family, const automata::Execution& execution) {
  for (const automata::Automaton& automaton : family.automata) {
    if (!automaton.implied && !automaton.precondition && automata::simulate(automaton, execution)) return false;
  }
  return true;
}

void on_histories(const Options& options, Page& page) {
  page.heading("On histories");
  const std::uint32_t count = options.quick ? 10 : 100;
  page.text(fmt::format(
      "{} random histories a row of three processes, no two priorities equal, half of them linearizable as far as they "
      "could be drawn, by the "
      "automata one after the other (`automata::simulate`, which follows all runs at once) and by `check`; mean CPU "
      "time. Every verdict of the one is that of the other.",
      count));
  Table table{.columns = {{"type", false}, {"operations"}, {"histories"}, {"linearizable"}, {"automata"}, {"`check`"}},
              .rows = {}};
  app::LineChart chart{.title = "A history read by all automata of its type",
                       .x = {.label = "operations"},
                       .y = {.label = "mean CPU time", .seconds = true, .logarithmic = true},
                       .lines = {}};
  for (const std::string type : kWatchedTypes) {
    const auto specification = *make_specification(*TypeName::parse(type));
    const automata::Family* const family = automata::family_of(*specification);
    if (family == nullptr) {
      page.wrong(type + " has no automata");
      continue;
    }
    app::ChartLine by_automata{.name = type + ", automata", .points = {}};
    app::ChartLine by_check{.name = type + ", check", .points = {}};
    std::vector<std::uint32_t> sizes{4, 8};
    if (!options.quick) sizes = {4, 8, 12, 16, 20};
    for (const std::uint32_t operations : sizes) {
      progress(fmt::format("{}: {} operations", type, operations));
      const Sample sample = random_histories(type, operations, count, page);
      if (sample.executions.empty()) continue;
      double automata_seconds = 0, check_seconds = 0;
      std::size_t linearizable = 0;
      for (std::size_t i = 0; i < sample.executions.size(); ++i) {
        const double before = bench::cpu_seconds();
        const bool answer = linearizable_by_automata(*family, sample.executions[i]);
        automata_seconds += bench::cpu_seconds() - before;
        CheckOptions check = check_options(options);
        check.witness = check.shrink = false;
        const Checked checked = timed_check(sample.histories[i], check);
        check_seconds += checked.seconds;
        linearizable += answer ? 1 : 0;
        if (checked.verdict != (answer ? Verdict::linearizable : Verdict::violation)) {
          page.wrong(fmt::format("{}, {} operations, history {}: automata and check differ", type, operations, i + 1));
        }
      }
      const auto histories = static_cast<double>(sample.executions.size());
      automata_seconds /= histories;
      check_seconds /= histories;
      table.rows.push_back({type, fmt::to_string(operations), grouped(sample.executions.size()), grouped(linearizable),
                            duration(automata_seconds), duration(check_seconds)});
      page.measured({"histories", type, fmt::to_string(operations), fmt::to_string(sample.executions.size()), "",
                     fmt::format("{:.4g}", automata_seconds), fmt::format("{:.4g}", check_seconds)});
      by_automata.points.emplace_back(operations, automata_seconds);
      by_check.points.emplace_back(operations, check_seconds);
    }
    chart.lines.push_back(std::move(by_automata));
    chart.lines.push_back(std::move(by_check));
  }
  page.table(table);
  page.figure("", chart, "Time for a history by its operations");
}

struct Model {
  const char* file;
  const char* type;
  std::vector<std::string> options;
  const char* what;
  bool linearizable;
  bool quick = false;  ///< takes a moment only
};

std::vector<Model> models() {
  const char* const fifo = "priority-queue ties=fifo";
  return {
      {"locked.pml", fifo, {"--capacity", "2"}, "a list under a lock", true},
      {"no_fifo.pml", "priority-queue ties=any", {"--capacity", "2"}, "equals in any order, which may be", true},
      {"two_lock_queue.pml", "queue", {"--capacity", "2"}, "two-lock queue", true},
      {"treiber_stack.pml", "stack", {"--capacity", "2"}, "Treiber stack", true},
      {"no_fifo.pml", fifo, {"--priorities", "1"}, "equals in any order, which may not be", false, true},
      {"wrong_empty.pml", fifo, {"--capacity", "2"}, "finds nothing where there is something", false, true},
      {"bins.pml", fifo, {"--capacity", "2"}, "a bin for each priority: quiescently consistent", false},
      {"minimum_outside_lock.pml", fifo, {"--capacity", "2"}, "the minimum is read outside the lock", false},
      {"two_lock_queue.pml",
       "queue",
       {"--capacity", "2", "-D", "EXCHANGE"},
       "two-lock queue, two steps exchanged",
       false},
      {"treiber_stack.pml", "stack", {"--capacity", "2", "-D", "ABA"}, "Treiber stack, nodes used again", false},
  };
}

void by_spin(const Options& options, Page& page) {
  page.heading("Implementations, by SPIN");
  for (const char* const program : {"spin -V", "cc --version"}) {
    if (std::system(fmt::format("{} > /dev/null 2>&1", program).c_str()) == 0) continue;
    page.text(fmt::format("Left out: the first word of `{}` is not installed.", program));
    return;
  }
  page.text(
      "`linchpin reach`: each model in product with the automata of its type, two threads, unless said otherwise "
      "two priorities; the search of SPIN alone. A trail is as short as can be, becomes a history, and is refuted "
      "by `check`.");
  Table table{.columns = {{"model", false},
                          {"", false},
                          {"type", false},
                          {"options", false},
                          {"verdict", false},
                          {"accepting automaton", false},
                          {"states"},
                          {"seconds"}},
              .rows = {}};
  for (const Model& model : models()) {
    if (options.quick && !model.quick) continue;
    progress(fmt::format("{} as {}", model.file, model.type));
    std::vector<std::string> command{options.linchpin, "reach", "--json", "--type", model.type};
    command.insert(command.end(), model.options.begin(), model.options.end());
    command.push_back((options.sources / "examples" / "models" / model.file).string());
    std::string output;
    const auto usage = bench::run_command(command, &output);
    const auto json = nlohmann::json::parse(output, nullptr, false);
    if (usage.exit_code != (model.linearizable ? 0 : 1) || !json.is_object()) {
      page.wrong(fmt::format("{} as {}: linchpin reach ended with {}", model.file, model.type, usage.exit_code));
      continue;
    }
    const auto states = json.value("states", std::uint64_t{0});
    const double seconds = json.value("seconds", 0.0);
    table.rows.push_back({fmt::format("[{0}](../../examples/models/{0})", model.file), model.what, model.type,
                          fmt::format("`{}`", fmt::join(model.options, " ")), json.value("verdict", ""),
                          json.value("automaton", ""), grouped(states), duration(seconds)});
    page.measured({"spin", model.type, model.file, fmt::to_string(fmt::join(model.options, " ")),
                   fmt::to_string(states), fmt::format("{:.4g}", seconds), ""});
  }
  page.table(table);
}

}  // namespace

bool concurrent_priority_queues(const Options& options) {
  Page page(options, "concurrent-priority-queues-runs", "Concurrent priority queues: automata and SPIN, run",
            {"what", "type", "operations_or_model", "histories_or_options", "states", "seconds", "check_seconds"});
  the_automata(page);
  on_histories(options, page);
  by_spin(options, page);
  return page.finish();
}

}  // namespace linchpin::papers

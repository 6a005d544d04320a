// Checking linearizability of concurrent priority queues: its automata counted, run over histories, and explored by
// SPIN.
//
// The paper has constructions and proofs, and no measurements to stand beside. Here: the automata of each type and
// their sizes; random histories, half of them linearizable, that all automata of the type read one after the other,
// held against `check`, with and without equal priorities; random violations, with a count of those that each automaton
// accepts; and the models of examples/models in product with the automata (`linchpin reach`), whose verdicts are known.
#include <array>
#include <cstdlib>
#include <deque>
#include <map>
#include <optional>
#include <set>
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

/// What random histories are drawn of.
struct Kind {
  const char* type;
  const char* priorities;  ///< in words
  std::optional<std::uint64_t> different = {};
};
constexpr std::array<Kind, 6> kKinds{{{"queue", ""},
                                      {"stack", ""},
                                      {"priority-queue", "none equal"},
                                      {"priority-queue ties=fifo", "16", 16},
                                      {"priority-queue ties=fifo", "2", 2},
                                      {"priority-queue ties=any", "2", 2}}};

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
  std::size_t tied = 0;  ///< histories with two values of one priority
};

/// Whether two values are added with one priority: as their second argument, or else they are their own.
bool has_equal_priorities(const history::Subhistory& part) {
  std::set<std::uint64_t> seen;
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    if (!automata::adds(part.view(i))) continue;
    if (!seen.insert(part.arguments(i).back().bits()).second) return true;
  }
  return false;
}

/// The times at which operations are called and return.
enum class Times {
  usual,    ///< three processes, pauses as long as the operations
  crowded,  ///< six processes, no pauses, operations up to forty times as long as others
};

/// `linearizable`: the share of them.
Sample random_histories(const Kind& kind, std::uint32_t operations, std::uint32_t count, double linearizable,
                        Times times, Page& page) {
  generate::RandomPlan random;
  random.plan.type = *TypeName::parse(kind.type);
  random.plan.operations = operations;
  random.plan.processes = 3;
  random.plan.values = 0;
  random.plan.priorities = kind.different;
  random.plan.empties = times == Times::usual;
  random.plan.peeks = 0;
  random.plan.seed = operations;
  if (times == Times::crowded) {
    random.plan.processes = 6;
    random.duration = {1, 40};
    random.offset = {0, 0};
  }
  random.linearizable = linearizable;
  random.histories = count;
  generate::RandomHistories histories(random);
  Sample sample;
  const auto specification = *make_specification(random.plan.type);
  const std::array specifications{specification};
  for (std::uint32_t i = 0; i < count; ++i) {
    auto history = histories.next({});
    if (!history) {
      page.text(fmt::format("{} of {} operations: {}.", kind.type, operations, history.error().message));
      break;
    }
    sample.histories.push_back(std::move(*history));
    const auto parts = history::split_by_object(sample.histories.back(), specifications, Ties::concurrent);
    auto execution = automata::execution_of(parts->front());
    if (!execution) {
      page.wrong(fmt::format("{}: {}", kind.type, execution.error().message));
      sample.histories.pop_back();
      break;
    }
    sample.tied += has_equal_priorities(parts->front()) ? 1 : 0;
    sample.executions.push_back(std::move(*execution));
  }
  return sample;
}

/// The automata of the kind's type; null, told on the page, where there are none.
const automata::Family* family_of(const Kind& kind, Page& page) {
  const automata::Family* const family = automata::family_of(**make_specification(*TypeName::parse(kind.type)));
  if (family == nullptr) page.wrong(fmt::format("{} has no automata", kind.type));
  return family;
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
      "{} random histories a row of three processes, no value twice, half of them linearizable, by the automata one "
      "after the other (`automata::simulate`, which follows all runs at once) and by `check`; mean CPU time. "
      "Priorities "
      "are all different, or drawn from so many; *with ties* are histories in which two values have one priority. "
      "Every "
      "verdict of the one is that of the other.",
      count));
  Table table{.columns = {{"type", false},
                          {"priorities", false},
                          {"operations"},
                          {"histories"},
                          {"with ties"},
                          {"linearizable"},
                          {"automata"},
                          {"`check`"}},
              .rows = {}};
  app::LineChart chart{.title = "A history read by all automata of its type",
                       .x = {.label = "operations"},
                       .y = {.label = "mean CPU time", .seconds = true, .logarithmic = true},
                       .lines = {}};
  for (const Kind& kind : kKinds) {
    const automata::Family* const family = family_of(kind, page);
    if (family == nullptr) continue;
    const std::string type = kind.type;
    const std::string name = kind.different ? fmt::format("{}, {} priorities", type, kind.priorities) : type;
    app::ChartLine by_automata{.name = name + ", automata", .points = {}};
    app::ChartLine by_check{.name = name + ", check", .points = {}};
    std::vector<std::uint32_t> sizes{4, 8};
    if (!options.quick) sizes = {4, 8, 12, 16, 20};
    for (const std::uint32_t operations : sizes) {
      progress(fmt::format("{}: {} operations", name, operations));
      const Sample sample = random_histories(kind, operations, count, 0.5, Times::usual, page);
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
          page.wrong(fmt::format("{}, {} operations, history {}: automata and check differ", name, operations, i + 1));
        }
      }
      const auto histories = static_cast<double>(sample.executions.size());
      automata_seconds /= histories;
      check_seconds /= histories;
      const bool prioritized = *kind.priorities != '\0';
      table.rows.push_back({type, kind.priorities, fmt::to_string(operations), grouped(sample.executions.size()),
                            prioritized ? grouped(sample.tied) : "", grouped(linearizable), duration(automata_seconds),
                            duration(check_seconds)});
      page.measured({"histories", type, fmt::to_string(operations), fmt::to_string(sample.executions.size()), "",
                     fmt::format("{:.4g}", automata_seconds), fmt::format("{:.4g}", check_seconds), kind.priorities,
                     prioritized ? fmt::to_string(sample.tied) : "", "", ""});
      by_automata.points.emplace_back(operations, automata_seconds);
      by_check.points.emplace_back(operations, check_seconds);
    }
    chart.lines.push_back(std::move(by_automata));
    chart.lines.push_back(std::move(by_check));
  }
  page.table(table);
  page.figure("", chart, "Time for a history by its operations");
}

/// How many of the violations one automaton accepts.
struct Accepted {
  std::size_t accepted = 0;
  std::size_t alone = 0;  ///< where no other that is needed does
};

void which_accept(const Options& options, Page& page) {
  page.heading("Which automata accept");
  const std::uint32_t count = options.quick ? 20 : 2000;
  std::vector<std::pair<Times, std::uint32_t>> sizes{{Times::usual, 6}, {Times::crowded, 10}};
  if (!options.quick) {
    sizes = {{Times::usual, 5}, {Times::usual, 8}, {Times::usual, 12}, {Times::crowded, 8}, {Times::crowded, 12}};
  }
  const auto sizes_of = [&](Times wanted) {
    std::vector<std::string> found;
    for (const auto& [times, operations] : sizes) {
      if (times == wanted) found.push_back(fmt::to_string(operations));
    }
    return fmt::to_string(fmt::join(found, ", "));
  };
  page.text(fmt::format(
      "Random violations of each kind of the table above, {} of each size: of three processes as there, {} "
      "operations; and crowded, of six processes without pauses, operations up to forty times as long as others, no "
      "empty removes, {} operations. In how many an automaton accepts, and in how many it is the only one that "
      "does, the implied ones aside (which are in brackets). Each violation is accepted by one that is not implied. "
      "Results are dealt out again among the removes, so that nothing is removed twice, or without being added: "
      "*removed-twice* and *removed-never-added* have nothing to accept here; *added-twice*, which is no violation, is "
      "left out.",
      grouped(count), sizes_of(Times::usual), sizes_of(Times::crowded)));
  Table table{.columns = {{"automaton", false}}, .rows = {}};
  std::map<std::string, std::vector<std::string>> rows;
  std::set<std::string> idle;  // implied ones that accept nothing
  std::vector<std::string> order;
  std::vector<std::string> totals{"that accept anything, of all that are looked at"};
  for (const Kind& kind : kKinds) {
    const automata::Family* const family = family_of(kind, page);
    if (family == nullptr) continue;
    const std::size_t column = table.columns.size();
    table.columns.push_back(
        {*kind.priorities == '\0' ? kind.type : fmt::format("{}, priorities: {}", kind.type, kind.priorities)});
    progress(fmt::format("which automata accept violations of {}", table.columns.back().title));
    std::map<std::string, Accepted> of;
    std::size_t violations = 0;
    for (const auto& [times, operations] : sizes) {
      const Sample sample = random_histories(kind, operations, count, 0, times, page);
      violations += sample.executions.size();
      for (const automata::Execution& execution : sample.executions) {
        const automata::Automaton* last = nullptr;
        std::size_t needed = 0;
        for (const automata::Automaton& automaton : family->automata) {
          if (automaton.precondition || !automata::simulate(automaton, execution)) continue;
          ++of[automaton.name].accepted;
          if (automaton.implied) continue;
          ++needed;
          last = &automaton;
        }
        if (needed == 0) page.wrong(fmt::format("{}: no automaton that is needed accepts a violation", kind.type));
        if (needed == 1) ++of[last->name].alone;
      }
    }
    std::size_t all = 0, some = 0;
    for (const automata::Automaton& automaton : family->automata) {
      if (automaton.precondition) continue;
      ++all;
      const Accepted& found = of[automaton.name];
      some += found.accepted > 0 ? 1 : 0;
      auto& row = rows[automaton.name];
      if (row.empty()) order.push_back(automaton.name);
      if (row.empty() && automaton.implied) idle.insert(automaton.name);
      if (found.accepted > 0) idle.erase(automaton.name);
      if (row.empty()) row.push_back(fmt::format(fmt::runtime(automaton.implied ? "(`{}`)" : "`{}`"), automaton.name));
      row.resize(column);
      row.push_back(automaton.implied ? grouped(found.accepted)
                                      : fmt::format("{}, alone {}", grouped(found.accepted), grouped(found.alone)));
      page.measured({"accepted", kind.type, automaton.name, fmt::to_string(violations), "", "", "", kind.priorities, "",
                     fmt::to_string(found.accepted), fmt::to_string(found.alone)});
    }
    totals.push_back(fmt::format("{} of {}", some, all));
  }
  for (const std::string& name : order) {
    if (idle.contains(name)) continue;
    rows[name].resize(table.columns.size());
    table.rows.push_back(rows[name]);
  }
  table.rows.push_back(totals);
  page.table(table);
  page.text(fmt::format(
      "{} of the implied automata accept none of these and have no row: they want a, a1 and b of one priority "
      "beside a better d, in an order that chance seldom draws.",
      idle.size()));
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
    page.left_out(
        fmt::format("implementations explored by SPIN, since the first word of `{}` is not installed.", program));
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
                   fmt::to_string(states), fmt::format("{:.4g}", seconds), "", "", "", "", ""});
  }
  page.table(table);
}

}  // namespace

bool concurrent_priority_queues(const Options& options) {
  Page page(options, "concurrent-priority-queues-runs", "Concurrent priority queues: automata and SPIN, run",
            {"what", "type", "operations_or_model_or_automaton", "histories_or_options", "states", "seconds",
             "check_seconds", "priorities", "with_ties", "accepted", "alone"});
  the_automata(page);
  on_histories(options, page);
  which_accept(options, page);
  by_spin(options, page);
  return page.finish();
}

}  // namespace linchpin::papers

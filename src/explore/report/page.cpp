#include "explore/report/page.hpp"

#include <algorithm>
#include <array>

#include "explore/recorded.hpp"
#include "linchpin/page.hpp"
#include "linchpin/specification.hpp"

namespace linchpin::explorer {

namespace {

/// What threads written by hand are on the page: each runs, and nothing is said of what that means.
struct Running {
  using State = bool;
  static constexpr std::array methods{Method{"run", 0}};
  static State initial() { return false; }
  static bool step(State& /*state*/, const Operation& /*operation*/) { return true; }
};

/// Each thread's first and last step, as one operation; the steps are told to which one they belong.
Result<History> history_of_threads(std::vector<InterleavingStep>& steps) {
  struct Thread {
    unsigned number;
    Tick first, last;
  };
  std::vector<Thread> threads;  // by their first steps
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto number = static_cast<Tick>(i + 1);
    auto thread = std::find_if(threads.begin(), threads.end(),
                               [&](const Thread& each) { return each.number == steps[i].thread; });
    if (thread == threads.end()) {
      thread = threads.insert(thread, {.number = steps[i].thread, .first = number, .last = number});
    }
    thread->last = number;
    steps[i].operation = OperationIndex(static_cast<std::size_t>(thread - threads.begin()));
  }
  HistoryBuilder builder;
  annotate_turns(builder, steps.size(), [&](std::size_t step) { return steps[step].thread; });
  for (const Thread& thread : threads) {
    builder.add({.process = static_cast<ProcessId>(thread.number + 1),
                 .method = "run",
                 .result = Value::none(),
                 .call = thread.first,
                 .response = thread.last});
  }
  return std::move(builder).build();
}

/// A verdict that says nothing: the finding does.
Result<HistoryVerdict> verdict_on_threads(const History& history, const CheckOptions& options) {
  auto verdict = check(history, options);
  if (!verdict) return verdict;
  verdict->verdict = Verdict::unknown;
  for (ObjectVerdict& object : verdict->objects) {
    object.verdict = Verdict::unknown;
    object.decider = object.why = "";
    object.witness.reset();
    object.witness_checked.reset();
  }
  return verdict;
}

}  // namespace

Result<void> write_page(const std::string& path, const ExploreResult& result, std::string_view label) {
  if (result.interleaving.empty()) return {};
  Interleaving interleaving{.finding = std::string(name(result.finding)),
                            .message = result.message,
                            .scenario = result.scenario,
                            .token = result.token,
                            .steps = result.interleaving};
  CheckOptions options;
  std::optional<History> threads;
  if (!result.history) {
    options.specification = specify<Running>("threads");
    auto made = history_of_threads(interleaving.steps);
    if (!made) return made.error();
    threads = std::move(*made);
  }
  const History& history = threads ? *threads : *result.history;
  const auto verdict = threads ? verdict_on_threads(history, options) : check(history);
  if (!verdict) return verdict.error();
  auto page = ReportPage::open(path);
  if (!page) return page.error();
  if (auto added = page->add(label, history, *verdict, options, interleaving); !added) return added;
  return page->close();
}

}  // namespace linchpin::explorer

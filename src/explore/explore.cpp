// The whole exploration: scenarios from small to large, the first finding, made smaller and told.
#include <algorithm>

#include <fmt/format.h>
#include <unistd.h>

#include "explore/report/interleaving.hpp"
#include "explore/runtime/signals.hpp"
#include "explore/scenario/token.hpp"
#include "explore/session.hpp"

namespace linchpin::explore_plan {

namespace {

using explorer::ContainerSubject;
using explorer::Explored;
using explorer::Found;
using explorer::Scenario;
using explorer::Session;
using explorer::Size;
using explorer::Symbols;
using explorer::ThreadsSubject;
using Clock = Session::Clock;

constexpr unsigned kMostThreads = 6, kMostOperations = 6;

Error wrong(std::string message, std::string hint) {
  Error error;
  error.code = ErrorCode::bad_option;
  error.message = std::move(message);
  error.hint = std::move(hint);
  return error;
}

/// What both kinds of subjects have in common.
class Exploration {
 public:
  Exploration(explorer::Subject& subject, ContainerSubject* container, const ExploreOptions& options)
      : guard_(options.replay.empty()),
        subject_(subject),
        session_(subject, container, options),
        container_(container) {
    result_.options = options;
    if (options.time) set_deadline(begin_ + std::chrono::duration_cast<Clock::duration>(*options.time));
    if (options.progress && isatty(STDERR_FILENO) != 0) {
      session_.progress = [this] { show_progress(); };
    }
  }

  bool prepare() {
    result_.error = session_.prepare();
    return !result_.error;
  }
  Session& session() { return session_; }
  ExploreResult& result() { return result_; }

  [[nodiscard]] bool late() const { return deadline_ && Clock::now() >= *deadline_; }
  [[nodiscard]] bool frees_memory() const { return explorer::engine.counts().freed > freed_before_; }
  /// From now on nothing counts for what the bounds cover.
  void go_beyond() {
    beyond_ = true;
    deadline_in_all_ = deadline_;
    const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(result_.options.beyond);
    set_deadline(deadline_ ? std::min(*deadline_, end) : end);
  }
  void set_reuse(ExploreReuse reuse) {
    session_.set_reuse(reuse);
    result_.options.reuse = reuse;
  }
  [[nodiscard]] ExploreCoverage coverage_of(const Size& size) const {
    return {.threads = size.threads, .operations = size.operations, .reuse = result_.options.reuse, .beyond = beyond_};
  }
  void add(const ExploreCoverage& covered, bool all) {
    if (!all && !beyond_) result_.complete = false;
    result_.coverage.push_back(covered);
  }

  /// Adds a scenario's part. True: something was found.
  bool explore(ExploreCoverage& covered) {
    Explored explored = session_.explore();
    ++result_.scenarios;
    result_.schedules += explored.schedules;
    result_.histories += explored.histories;
    covered.schedules += explored.schedules;
    covered.histories += explored.histories;
    if (explored.complete) ++covered.scenarios;
    if (explored.one_by_one) ++covered.one_by_one;
    if (explored.found) {
      found(std::move(*explored.found));
      return true;
    }
    return false;
  }

  /// The only scenario there is.
  void explore_alone(unsigned operations) {
    ExploreCoverage covered = coverage_of({.threads = subject_.threads(), .operations = operations});
    covered.scenarios_in_all = 1;
    explore(covered);
    result_.complete = covered.scenarios == 1;
    result_.coverage.push_back(covered);
  }

  void replay(const explorer::Token& token) {
    auto found = session_.replay(token.choices);
    result_.schedules = result_.scenarios = 1;
    if (found) tell(*found);
    result_.complete = true;
  }

  void found(Found found) {
    result_.steps = explorer::engine.counts().steps - steps_before_;
    result_.seconds = seconds();
    if (beyond_) set_deadline(deadline_in_all_);  // what it is made to must not depend on the time that is left
    // Of those that wait for ever, whom they wait for must not be left out.
    const bool waits = found.finding == ExploreFinding::deadlock || found.finding == ExploreFinding::lost_wakeup;
    if (result_.options.minimise && !found.details.blocks && !waits && container_ != nullptr &&
        result_.options.replay.empty())
      minimise(found);
    tell(found);
  }

  void tell(const Found& found) {
    Symbols symbols;
    result_.finding = found.finding;
    result_.deviations = found.deviations;
    result_.history = found.history;
    result_.message = found.history || found.details.kind == explorer::FindingKind::none
                          ? found.message
                          : explorer::describe(found.details, symbols);
    for (const void* const place : {found.details.place, found.details.other_place}) {
      if (place == nullptr) continue;
      const explorer::Symbol symbol = symbols.of(place);
      if (symbol.line != 0) result_.places.push_back({.path = symbol.path, .line = symbol.line});
    }
    if (container_ != nullptr) result_.scenario = container_->vocabulary().text(container_->scenario());
    result_.token = explorer::write_token(result_.options, result_.scenario, found.choices);
    if (found.finding == ExploreFinding::nondeterminism || found.details.blocks) return;
    const std::optional<Found> again = session_.replay(found.choices);
    result_.interleaving =
        explorer::interleaving(symbols, container_ == nullptr ? std::vector<std::string>() : container_->methods());
    if (!again || again->finding != found.finding) {
      result_.message += "\nThis did not come again when its schedule was repeated: something outlives a schedule";
    }
  }

  ExploreResult finish() {
    if (result_.finding == ExploreFinding::none) {
      result_.steps = explorer::engine.counts().steps - steps_before_;
      result_.seconds = seconds();
    }
    result_.outcomes.assign(session_.outcomes().begin(), session_.outcomes().end());
    if (session_.progress) std::fputs("\r\x1b[K", stderr);
    return std::move(result_);
  }

 private:
  void set_deadline(std::optional<Clock::time_point> deadline) {
    deadline_ = deadline;
    session_.set_deadline(deadline);
  }
  [[nodiscard]] double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  /// Without one call, or one value of the prefix, as long as the same kind of thing is found.
  void minimise(Found& found) {
    constexpr std::uint64_t kTries = 20'000;  // schedules each
    const auto smaller = [&](const Scenario& scenario) {
      const Scenario before = container_->scenario();
      container_->set_scenario(scenario);
      Explored explored = session_.explore(kTries);
      if (explored.found && explored.found->finding == found.finding) {
        found = std::move(*explored.found);
        return true;
      }
      container_->set_scenario(before);
      return false;
    };
    for (bool again = true; again;) {
      again = false;
      const Scenario scenario = container_->scenario();
      for (std::size_t i = 0; i < scenario.prefix.size() && !again; ++i) {
        Scenario without = scenario;
        without.prefix.erase(without.prefix.begin() + static_cast<std::ptrdiff_t>(i));
        again = smaller(without);
      }
      for (std::size_t thread = 0; thread < scenario.threads.size() && !again; ++thread) {
        for (std::size_t i = 0; i < scenario.threads[thread].size() && !again; ++i) {
          Scenario without = scenario;
          auto& calls = without.threads[thread];
          calls.erase(calls.begin() + static_cast<std::ptrdiff_t>(i));
          if (calls.empty()) without.threads.erase(without.threads.begin() + static_cast<std::ptrdiff_t>(thread));
          if (!without.threads.empty()) again = smaller(without);
        }
      }
    }
  }

  void show_progress() {
    const double now = seconds();
    if (now < shown_ + 0.2) return;
    shown_ = now;
    const auto schedules = static_cast<double>(session_.schedules());
    fmt::print(stderr, "\r\x1b[K{:.1f} million schedules, {:.0f} thousand a second, {} scenarios", schedules / 1e6,
               schedules / 1e3 / now, result_.scenarios);
    std::fflush(stderr);
  }

  const explorer::SignalGuard guard_;
  const Clock::time_point begin_ = Clock::now();
  const std::uint64_t steps_before_ = explorer::engine.counts().steps;
  const std::uint64_t freed_before_ = explorer::engine.counts().freed;
  std::optional<Clock::time_point> deadline_, deadline_in_all_;
  bool beyond_ = false;
  double shown_ = 0;
  explorer::Subject& subject_;
  Session session_;
  ContainerSubject* container_;
  ExploreResult result_;
};

/// Whether the code under test has shown itself at all.
std::optional<Error> unseen(std::uint64_t accesses_before) {
  if (explorer::engine.counts().accesses > accesses_before) return std::nullopt;
  Error error;
  error.code = ErrorCode::unsupported;
  error.message = "cannot explore: no access to memory of the object's own was seen, so that it is not instrumented";
  error.hint = "compile it with -fsanitize=thread: linchpin_explore(TARGET) in CMake";
  return error;
}

/// By their number of calls; of as many, those with fewer threads first.
std::vector<Size> sizes_up_to(unsigned most_threads, unsigned most_operations) {
  std::vector<Size> sizes;
  for (unsigned threads = std::min(2U, most_threads); threads <= most_threads; ++threads) {
    for (unsigned operations = 1; operations <= most_operations; ++operations) {
      sizes.push_back({.threads = threads, .operations = operations});
    }
  }
  std::stable_sort(sizes.begin(), sizes.end(),
                   [](const Size& a, const Size& b) { return a.threads * a.operations < b.threads * b.operations; });
  return sizes;
}

/// All scenarios of a size, each after all prefixes. True: something was found.
bool explore_size(Exploration& exploration, ContainerSubject& subject, const ExploreOptions& options,
                  const Size& size) {
  constexpr std::size_t kMostScenarios = 1'000'000;
  ExploreCoverage covered = exploration.coverage_of(size);
  bool all = true;
  std::vector<Scenario> scenarios;
  for (unsigned prefix = 0; prefix <= options.prefix; ++prefix) {
    const Size sized{.threads = size.threads, .operations = size.operations, .prefix = prefix};
    auto more = explorer::generate(subject.vocabulary(), sized, options.keys, kMostScenarios);
    all = all && more.size() < kMostScenarios;
    std::move(more.begin(), more.end(), std::back_inserter(scenarios));
  }
  covered.scenarios_in_all = scenarios.size();
  bool found = false;
  for (Scenario& scenario : scenarios) {
    if (exploration.late()) break;
    subject.set_scenario(std::move(scenario));
    if ((found = exploration.explore(covered))) break;
  }
  exploration.add(covered, all && covered.scenarios == covered.scenarios_in_all);
  return found;
}

/// What the bounds leave out and is found most easily, as long as the time allows: addresses that come again, then more
/// calls.
void explore_beyond(Exploration& exploration, ContainerSubject& subject, const ExploreOptions& options) {
  exploration.go_beyond();
  const std::vector<Size> within = sizes_up_to(options.threads, options.operations);
  if (options.reuse == ExploreReuse::none && exploration.frees_memory()) {
    exploration.set_reuse(ExploreReuse::lifo);
    for (const Size& size : within) {
      if (exploration.late() || explore_size(exploration, subject, options, size)) return;
    }
    exploration.set_reuse(options.reuse);
  }
  const unsigned threads = std::min(options.threads + 1, kMostThreads);
  const unsigned operations = std::min(options.operations + 1, kMostOperations);
  for (const Size& size : sizes_up_to(threads, operations)) {
    const auto is_size = [&](const Size& other) {
      return other.threads == size.threads && other.operations == size.operations;
    };
    if (std::any_of(within.begin(), within.end(), is_size)) continue;
    if (exploration.late() || explore_size(exploration, subject, options, size)) return;
  }
}

ExploreResult failed(Error error, const ExploreOptions& options) {
  ExploreResult result;
  result.options = options;
  result.error = std::move(error);
  return result;
}

}  // namespace

ExploreResult run(Plan plan, const ExploreOptions& given) {
  ExploreOptions options = given;
  if (options.threads < 1 || options.threads > kMostThreads || options.operations < 1 ||
      options.operations > kMostOperations || options.keys < 1) {
    return failed(wrong("scenarios have 1 to 6 threads with 1 to 6 operations each, and 1 key or more",
                        "larger scenarios are given by hand, up to 6 threads with 8 calls"),
                  options);
  }
  std::optional<explorer::Token> token;
  if (!options.replay.empty()) {
    auto read = explorer::read_token(options.replay, options);
    if (!read) return failed(read.error(), options);
    token = std::move(*read);
    options.scenario = token->scenario;
  }
  ContainerSubject subject(std::move(plan));
  if (!options.methods.empty()) {
    for (auto& word : subject.vocabulary().words) word.used = false;
    for (const std::string& method : options.methods) {
      bool known = false;
      for (auto& word : subject.vocabulary().words) {
        if (word.name != method) continue;
        word.used = known = true;
      }
      if (!known) return failed(wrong(fmt::format("the object has no method '{}'", method), ""), options);
    }
  }
  Exploration exploration(subject, &subject, options);
  if (!exploration.prepare()) return exploration.finish();
  // Each action once, alone: what arguments it wants, and what is made on first use.
  const std::uint64_t accesses = explorer::engine.counts().accesses;
  for (unsigned action = 0; action < subject.vocabulary().words.size(); ++action) {
    const explorer::Call call{.action = action, .numbers = {1, 1}};
    subject.set_scenario({.prefix = {}, .threads = {{call}, {call}}});
    if (const auto blocked = exploration.session().warm_up()) {
      exploration.tell(*blocked);
      return exploration.finish();
    }
  }
  exploration.result().error = unseen(accesses);
  if (exploration.result().error) return exploration.finish();
  ExploreResult& result = exploration.result();
  if (!options.scenario.empty()) {
    auto scenario = subject.vocabulary().parse(options.scenario);
    if (!scenario) return failed(scenario.error(), options);
    subject.set_scenario(*scenario);
    if (token) {
      exploration.replay(*token);
    } else {
      exploration.explore_alone(static_cast<unsigned>(scenario->threads[0].size()));
    }
    return exploration.finish();
  }
  result.complete = true;
  for (const Size& size : sizes_up_to(options.threads, options.operations)) {
    if (explore_size(exploration, subject, options, size)) return exploration.finish();
  }
  if (options.beyond.count() > 0 && result.complete && options.strategy == ExploreStrategy::bounded) {
    explore_beyond(exploration, subject, options);
  }
  return exploration.finish();
}

ExploreResult run(Program program, const ExploreOptions& given) {
  ExploreOptions options = given;
  std::optional<explorer::Token> token;
  if (!options.replay.empty()) {
    auto read = explorer::read_token(options.replay, options);
    if (!read) return failed(read.error(), options);
    token = std::move(*read);
  }
  if (program.threads.empty() || program.threads.size() > explorer::kMostThreads) {
    return failed(wrong(fmt::format("the scenario has {} threads", program.threads.size()),
                        "there are 1 to 8, those that it creates itself included"),
                  options);
  }
  ThreadsSubject subject(std::move(program));
  Exploration exploration(subject, nullptr, options);
  if (!exploration.prepare()) return exploration.finish();
  if (const auto blocked = exploration.session().warm_up()) {
    exploration.tell(*blocked);
    return exploration.finish();
  }
  if (token) {
    exploration.replay(*token);
  } else {
    exploration.explore_alone(1);
  }
  return exploration.finish();
}

}  // namespace linchpin::explore_plan

// The whole exploration: scenarios from small to large, here or by jobs, up to the first finding; and what is told of
// it.
#include <algorithm>

#include <fmt/format.h>
#include <unistd.h>

#include "core/budget.hpp"
#include "explore/certificate.hpp"
#include "explore/divide.hpp"
#include "explore/jobs.hpp"
#include "explore/recorded.hpp"
#include "explore/report/interleaving.hpp"
#include "explore/runtime/signals.hpp"
#include "explore/scenario/token.hpp"
#include "explore/worker.hpp"
#include "linchpin/hash.hpp"

namespace linchpin::explore_plan {

namespace {

using explorer::Certificate;
using explorer::ContainerSubject;
using explorer::Course;
using explorer::Entry;
using explorer::Found;
using explorer::Ledger;
using explorer::Outcome;
using explorer::Place;
using explorer::Portion;
using explorer::Session;
using explorer::SignalGuard;
using explorer::Size;
using explorer::Symbols;
using explorer::ThreadsSubject;
using explorer::Worker;
using Clock = Session::Clock;

Error wrong(std::string message, std::string hint) {
  Error error;
  error.code = ErrorCode::bad_option;
  error.message = std::move(message);
  error.hint = std::move(hint);
  return error;
}

/// A line on a terminal that says how far it is.
class Progress {
 public:
  explicit Progress(bool wanted) : shows_(wanted && isatty(STDERR_FILENO) != 0) {}
  ~Progress() {
    if (shows_) std::fputs("\r\x1b[K", stderr);
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(std::uint64_t schedules, std::size_t scenarios) {
    const double now = std::chrono::duration<double>(Clock::now() - begin_).count();
    if (!shows_ || now < shown_ + 0.2) return;
    shown_ = now;
    const auto many = static_cast<double>(schedules);
    fmt::print(stderr, "\r\x1b[K{:.1f} million schedules, {:.0f} thousand a second, {} scenarios", many / 1e6,
               many / 1e3 / now, scenarios);
    std::fflush(stderr);
  }

 private:
  bool shows_;
  Clock::time_point begin_ = Clock::now();
  double shown_ = 0;
};

/// Keeps what jobs, or the worker of this process, have explored.
class Keeper final : public explorer::Listener {
 public:
  Keeper(Ledger& ledger, const Certificate* certificate, Progress& progress)
      : ledger_(ledger), certificate_(certificate), progress_(progress) {}

  void began(std::uint32_t portion, std::size_t scenarios_in_all, bool all) override {
    ledger_.begin(portion, scenarios_in_all, all);
  }
  void explored(const Entry& entry) override {
    constexpr std::chrono::seconds kBetween(5);
    ledger_.add(entry);
    ++scenarios_;
    if (certificate_ == nullptr || Clock::now() < saved_ + kBetween) return;
    saved_ = Clock::now();
    // Should that fail, it fails at the end as well, and is told there.
    static_cast<void>(certificate_->write(ledger_, nullptr));
  }
  void progress(std::uint64_t schedules) override { progress_.show(schedules, scenarios_); }
  [[nodiscard]] bool is_over(Place /*place*/) const override { return false; }
  void found(Place /*place*/) override {}

 private:
  Ledger& ledger_;
  const Certificate* certificate_;
  Progress& progress_;
  std::size_t scenarios_ = 0;
  Clock::time_point saved_ = Clock::now();
};

/// What is found, with its interleaving: the schedule is run once more for that. `container` is null for threads by
/// hand, and otherwise has the scenario.
void tell(ExploreResult& result, const Found& found, Session& session, const ContainerSubject* container) {
  Symbols symbols;
  result.finding = found.finding;
  result.deviations = found.deviations;
  result.message =
      found.details.kind == ExploreFinding::none ? found.message : explorer::describe(found.details, symbols);
  for (const void* const place : {found.details.place, found.details.other_place}) {
    if (place == nullptr) continue;
    const explorer::Symbol symbol = symbols.of(place);
    if (symbol.line != 0) result.places.push_back({.path = symbol.path, .line = symbol.line});
  }
  if (container != nullptr) result.scenario = container->vocabulary().text(container->scenario());
  result.token = explorer::write_token(result.options, result.scenario, found.choices);
  if (found.finding == ExploreFinding::nondeterminism || found.details.blocks) return;
  const std::optional<Found> again = session.replay(found.choices);
  result.interleaving =
      explorer::interleaving(symbols, container == nullptr ? std::vector<std::string>() : container->methods());
  if (container != nullptr) {
    if (auto history = explorer::recorded_history(*container, explorer::Ticks::steps)) {
      result.history = std::move(*history);
    }
  }
  if (!again || again->finding != found.finding) {
    result.message += "\nThis did not come again when its schedule was repeated: something outlives a schedule";
    return;
  }
  // Its times are now the steps of the interleaving.
  if (found.finding == ExploreFinding::not_linearizable) result.message = again->message;
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

std::vector<Portion> portions_within(const ExploreOptions& options) {
  std::vector<Portion> portions;
  for (const Size& size : sizes_up_to(options.threads, options.operations)) {
    portions.push_back({.size = size, .reuse = options.reuse});
  }
  return portions;
}

/// What the bounds leave out and is found most easily: addresses that come again, then more calls.
std::vector<Portion> portions_beyond(const ExploreOptions& options, bool frees_memory) {
  std::vector<Portion> portions;
  const std::vector<Size> within = sizes_up_to(options.threads, options.operations);
  if (options.reuse == ExploreReuse::none && frees_memory) {
    for (const Size& size : within) {
      portions.push_back({.size = size, .reuse = ExploreReuse::lifo, .beyond = true});
    }
  }
  const unsigned threads = std::min(options.threads + 1, explorer::kMostGeneratedThreads);
  const unsigned operations = std::min(options.operations + 1, explorer::kMostGeneratedOperations);
  for (const Size& size : sizes_up_to(threads, operations)) {
    const auto is_size = [&](const Size& other) {
      return other.threads == size.threads && other.operations == size.operations;
    };
    if (std::any_of(within.begin(), within.end(), is_size)) continue;
    portions.push_back({.size = size, .reuse = options.reuse, .beyond = true});
  }
  return portions;
}

ExploreResult failed(Error error, const ExploreOptions& options) {
  ExploreResult result;
  result.options = options;
  result.error = std::move(error);
  return result;
}

/// Those that matter to threads written by hand, too.
std::optional<Error> wrong_run(const ExploreOptions& options) {
  if (options.jobs < 1 || options.jobs > explorer::kMostJobs) {
    return wrong(fmt::format("there are 1 to {} jobs, not {}", explorer::kMostJobs, options.jobs), "");
  }
  if (options.steps < 1) return wrong("a schedule has 1 step or more", "without one no operation ends");
  return std::nullopt;
}

std::optional<Error> wrong_options(const ExploreOptions& options) {
  if (auto error = wrong_run(options)) return error;
  if (options.threads < 1 || options.threads > explorer::kMostGeneratedThreads || options.operations < 1 ||
      options.operations > explorer::kMostGeneratedOperations || options.keys < 1) {
    return wrong(fmt::format("scenarios have 1 to {} threads with 1 to {} operations each, and 1 key or more",
                             explorer::kMostGeneratedThreads, explorer::kMostGeneratedOperations),
                 "larger scenarios are given by hand, up to 6 threads with 8 calls");
  }
  if (options.shards < 1 || options.shard >= options.shards) {
    return wrong("a shard is one of those that there are", "--shard 1/8 to 8/8");
  }
  if (options.shards > 1 && (!options.scenario.empty() || !options.replay.empty())) {
    return wrong("one scenario, or one schedule, is not shared out", "leave --shard away");
  }
  if (options.certificate.empty() && options.certificate_new) {
    return wrong("a certificate can be begun anew only where one is asked for", "--certificate FILE");
  }
  if (!options.certificate.empty() && !options.replay.empty()) {
    return wrong("one schedule that is run again has no certificate", "leave --certificate away");
  }
  return std::nullopt;
}

/// Only these methods. The name of one that there is not; nothing: there are all.
std::optional<std::string> use_only(explorer::Vocabulary& vocabulary, const std::vector<std::string>& methods) {
  if (methods.empty()) return std::nullopt;
  for (auto& word : vocabulary.words) word.used = false;
  for (const std::string& method : methods) {
    bool known = false;
    for (auto& word : vocabulary.words) {
      if (word.name != method) continue;
      word.used = known = true;
    }
    if (!known) return method;
  }
  return std::nullopt;
}

/// An exploration of a container.
class Exploration {
 public:
  Exploration(ContainerSubject& subject, const ExploreOptions& options, const Certificate* certificate)
      : subject_(subject),
        options_(options),
        certificate_(certificate),
        progress_(options.progress),
        ledger_(options.shard, options.shards),
        keeper_(ledger_, certificate, progress_),
        by_jobs_(options.jobs > 1 && options.scenario.empty()),
        divided_(options.jobs > 1 && !options.scenario.empty() && explorer::divisible(options)) {
    result_.options = options;
    if (options.time) deadline_ = core::Budget::moment_after(begin_, *options.time);
  }

  ExploreResult run() {
    Outcome outcome = explore();
    if (outcome.error) {
      result_.error = outcome.error;
    } else {
      ledger_.tell(result_, outcome.place);
      result_.known = std::min(known_, result_.scenarios);
    }
    result_.seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    if (outcome.found && !outcome.error) told(outcome);
    if (certificate_ != nullptr && read_) {
      const auto written = certificate_->write(ledger_, result_.error ? nullptr : &result_);
      if (!written && !result_.error) result_.error = written.error();
    }
    return std::move(result_);
  }

  ExploreResult replay(const explorer::Token& token) {
    Outcome outcome = prepare();
    if (!outcome.error && !outcome.found) {
      auto scenario = worker_->given_scenario();
      if (!scenario) return failed(scenario.error(), options_);
      subject_.set_scenario(std::move(*scenario));
      const std::uint64_t steps_before = explorer::engine.counts().steps;
      outcome.found = worker_->session().replay(token.choices);
      result_.steps = explorer::engine.counts().steps - steps_before;
      result_.schedules = result_.scenarios = 1;
      result_.complete = true;
    }
    result_.error = outcome.error;
    if (outcome.found) tell(result_, *outcome.found, worker_->session(), &subject_);
    result_.seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    return std::move(result_);
  }

 private:
  Outcome explore() {
    Outcome outcome;
    if (!by_jobs_) {
      outcome = prepare();
      if (outcome.error || outcome.found) return outcome;
    }
    std::vector<Portion> within = portions_within(options_);
    if (!options_.scenario.empty()) {
      const auto scenario = worker_->given_scenario();
      if (!scenario) return {.error = scenario.error(), .found = {}, .scenario = {}};
      const Size size{.threads = static_cast<unsigned>(scenario->threads.size()),
                      .operations = static_cast<unsigned>(scenario->threads[0].size())};
      within = {{.size = size, .reuse = options_.reuse}};
    }
    ledger_.append(within);
    if (certificate_ != nullptr) {
      if (!options_.certificate_new) {
        const auto read = certificate_->read(ledger_);
        if (!read) return {.error = read.error(), .found = {}, .scenario = {}};
      }
      read_ = true;
      for (const Ledger::Page& page : ledger_.pages()) known_ += page.entries.size();
    }
    outcome = divided_ ? explore_shared_out(within)
                       : explore({.first = 0, .portions = within, .deadline = deadline_, .deadline_in_all = deadline_});
    if (outcome.error || outcome.found) return outcome;
    result_.complete = ledger_.complete();
    if (!(options_.beyond.count() > 0) || !result_.complete || options_.strategy != ExploreStrategy::bounded ||
        !options_.scenario.empty()) {
      return outcome;
    }
    const std::vector<Portion> beyond = portions_beyond(options_, ledger_.frees_memory());
    const auto first = static_cast<std::uint32_t>(ledger_.pages().size());
    ledger_.append(beyond);
    return explore({.first = first,
                    .portions = beyond,
                    .deadline = deadline_,
                    .deadline_in_all = deadline_,
                    .processor_time = options_.beyond.count()});
  }

  /// The one scenario, its schedules by several processes.
  Outcome explore_shared_out(const std::vector<Portion>& portions) {
    auto scenario = worker_->given_scenario();
    if (!scenario) return {.error = scenario.error(), .found = {}, .scenario = {}};
    subject_.set_scenario(std::move(*scenario));
    const std::string text = subject_.vocabulary().text(subject_.scenario());
    Entry entry{.portion = 0, .number = 0, .fingerprint = hash_of(text)};
    if (const Entry* const known = ledger_.find(0, 0); known != nullptr && known->complete) {
      // A process that is to do nothing says whether the certificate is of this scenario.
      return worker_->explore({.first = 0, .portions = portions, .deadline = deadline_, .deadline_in_all = deadline_},
                              {}, ledger_, keeper_);
    }
    ledger_.begin(0, 1, true);
    std::optional<Worker> own;  // of each process
    std::optional<SignalGuard> guard;
    explorer::Divided divided = explorer::explore_divided(
        options_, deadline_,
        [&](Outcome& outcome) -> Session* {
          guard.emplace(true);
          own.emplace(subject_, options_);
          const explorer::Scenario wanted = subject_.scenario();
          outcome = own->prepare();
          subject_.set_scenario(wanted);
          return outcome.error || outcome.found ? nullptr : &own->session();
        },
        [&](std::uint64_t schedules) { progress_.show(schedules, 1); });
    Outcome outcome;
    if (divided.error) {
      outcome.error = std::move(divided.error);
      return outcome;
    }
    entry.schedules = divided.explored.schedules;
    entry.steps = divided.explored.steps;
    entry.histories = divided.explored.histories;
    entry.complete = divided.explored.complete;
    entry.late = divided.late;
    entry.held_back = divided.explored.held_back;
    entry.frees = divided.frees;
    keeper_.explored(entry);
    if (!divided.explored.found) return outcome;
    outcome.found = std::move(divided.explored.found);
    outcome.place = explorer::place_of(0, 0);
    worker_->make_smaller(outcome, deadline_);
    return outcome;
  }

  Outcome explore(const Course& course) {
    if (!by_jobs_) {
      return worker_->explore(course, {.job = options_.shard, .jobs = options_.shards}, ledger_, keeper_);
    }
    return explorer::explore_by_jobs(
        options_.jobs, [&](Place place) { return ledger_.has_all_before(place); }, keeper_,
        [&](const explorer::Share& of_shard, explorer::Listener& listener) {
          const explorer::Share share{.job = options_.shard + options_.shards * of_shard.job,
                                      .jobs = options_.shards * of_shard.jobs};
          const SignalGuard guard(true);
          Worker worker(subject_, options_);
          Outcome outcome = worker.prepare();
          if (outcome.found) listener.found(outcome.place);
          return outcome.error || outcome.found ? outcome : worker.explore(course, share, ledger_, listener);
        });
  }

  /// The engine of this process. It comes after jobs, which are forked without it.
  Outcome prepare() {
    guard_.emplace(options_.replay.empty());
    worker_.emplace(subject_, options_);
    return worker_->prepare();
  }

  void told(const Outcome& outcome) {
    if (by_jobs_) {
      const Outcome prepared = prepare();
      if (prepared.error) {
        result_.error = prepared.error;
        return;
      }
    }
    auto scenario = subject_.vocabulary().parse(outcome.scenario);
    if (!scenario) {
      result_.error = scenario.error();
      return;
    }
    subject_.set_scenario(std::move(*scenario));
    const Portion* const portion =
        outcome.place == 0 ? nullptr : &ledger_.pages()[explorer::portion_of(outcome.place)].portion;
    if (portion != nullptr) {
      result_.options.reuse = portion->reuse;
      worker_->session().set_reuse(portion->reuse);
      result_.complete = portion->beyond;  // what the bounds cover was covered
    }
    tell(result_, *outcome.found, worker_->session(), &subject_);
  }

  const Clock::time_point begin_ = Clock::now();
  ContainerSubject& subject_;
  const ExploreOptions& options_;
  const Certificate* certificate_;
  Progress progress_;
  Ledger ledger_;
  Keeper keeper_;
  bool by_jobs_;           // scenarios, or
  bool divided_;           // the schedules of one
  bool read_ = false;      // the certificate, so that it may be written
  std::size_t known_ = 0;  // scenarios, by the certificate
  std::optional<Clock::time_point> deadline_;
  std::optional<SignalGuard> guard_;
  std::optional<Worker> worker_;
  ExploreResult result_;
};

}  // namespace

ExploreResult run(Plan plan, const ExploreOptions& given) {
  ExploreOptions options = given;
  if (const auto error = wrong_options(options)) return failed(*error, options);
  std::optional<explorer::Token> token;
  if (!options.replay.empty()) {
    auto read = explorer::read_token(options.replay, options);
    if (!read) return failed(read.error(), options);
    token = std::move(*read);
    options.scenario = token->scenario;
  }
  std::optional<Certificate> certificate;
  if (!options.certificate.empty()) certificate.emplace(options, plan);
  ContainerSubject subject(std::move(plan));
  if (const auto unknown = use_only(subject.vocabulary(), options.methods)) {
    return failed(wrong(fmt::format("the object has no method '{}'", *unknown), ""), options);
  }
  Exploration exploration(subject, options, certificate ? &*certificate : nullptr);
  return token ? exploration.replay(*token) : exploration.run();
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
  if (auto error = wrong_run(options)) return failed(std::move(*error), options);
  if (!options.certificate.empty()) {
    return failed(wrong("threads written by hand have no certificate", "containers have: explore(type, make)"),
                  options);
  }
  const auto begin = Clock::now();
  std::optional<Clock::time_point> deadline;
  if (options.time) deadline = core::Budget::moment_after(begin, *options.time);
  ExploreResult result;
  result.options = options;
  Progress progress(options.progress);
  ThreadsSubject subject(std::move(program));
  const bool divided = options.jobs > 1 && !token && explorer::divisible(options);
  explorer::Explored explored;
  if (divided) {  // before there is an engine here
    std::optional<Session> own;
    std::optional<SignalGuard> guard;
    explorer::Divided all = explorer::explore_divided(
        options, deadline,
        [&](explorer::Outcome& outcome) -> Session* {
          guard.emplace(true);
          own.emplace(subject, nullptr, options);
          outcome.error = own->prepare();
          if (outcome.error) return nullptr;
          const std::uint64_t accesses_before = explorer::engine.counts().accesses;
          outcome.found = own->warm_up();
          if (!outcome.found) outcome.error = explorer::unseen(accesses_before);
          if (outcome.found) outcome.place = 0;
          return outcome.error || outcome.found ? nullptr : &*own;
        },
        [&](std::uint64_t schedules) { progress.show(schedules, 1); });
    if (all.error) return failed(*all.error, options);
    explored = std::move(all.explored);
    result.outcomes = std::move(all.outcomes);
  }
  const SignalGuard guard(options.replay.empty());
  Session session(subject, nullptr, options);
  result.error = session.prepare();
  if (result.error) return result;
  session.progress = [&] { progress.show(session.schedules(), 1); };
  session.set_deadline(deadline);
  const std::uint64_t accesses_before = explorer::engine.counts().accesses;
  std::optional<Found> found = session.warm_up();
  if (!found && token) {
    const std::uint64_t steps_before = explorer::engine.counts().steps;
    found = session.replay(token->choices);
    result.steps = explorer::engine.counts().steps - steps_before;
    result.schedules = result.scenarios = 1;
    result.complete = true;
  } else if (!found) {
    if (!divided) explored = session.explore();
    found = std::move(explored.found);
    result.scenarios = 1;
    result.schedules = explored.schedules;
    result.steps = explored.steps;
    result.complete = explored.complete && !found;
    result.coverage.push_back({.threads = subject.threads(),
                               .operations = 1,
                               .reuse = options.reuse,
                               .scenarios = result.complete ? 1U : 0U,
                               .scenarios_in_all = 1,
                               .schedules = explored.schedules,
                               .histories = explored.histories,
                               .one_by_one = explored.one_by_one ? 1U : 0U,
                               .held_back = explored.held_back ? 1U : 0U});
  }
  result.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  if (!divided) result.outcomes.assign(session.outcomes().begin(), session.outcomes().end());
  if (found) {
    tell(result, *found, session, nullptr);
  } else {
    result.error = explorer::unseen(accesses_before);
  }
  return result;
}

}  // namespace linchpin::explore_plan

#include "explore/worker.hpp"

#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "linchpin/hash.hpp"

namespace linchpin::explorer {

namespace {

Error other_scenario(const std::string& text) {
  Error error;
  error.code = ErrorCode::bad_option;
  error.message = fmt::format("the certificate has another scenario in the place of '{}'", text);
  error.hint = "--certificate-new begins it anew";
  return error;
}

}  // namespace

Worker::Worker(ContainerSubject& subject, const ExploreOptions& options)
    : subject_(subject), options_(options), session_(subject, &subject, options) {}

Outcome Worker::prepare() {
  Outcome outcome;
  outcome.error = session_.prepare();
  if (outcome.error) return outcome;
  const std::uint64_t accesses = engine.counts().accesses;
  const auto run_once = [&](Scenario scenario) {
    subject_.set_scenario(std::move(scenario));
    outcome.found = session_.warm_up();
    if (!outcome.found) return;
    outcome.place = 0;
    outcome.scenario = subject_.vocabulary().text(subject_.scenario());
  };
  for (unsigned action = 0; action < subject_.vocabulary().words.size() && !outcome.found; ++action) {
    const Call call{.action = action, .numbers = {1, 1}};
    run_once({.prefix = {}, .threads = {{call}}});  // alone, as a race may end it before its arguments are known
    if (!outcome.found) run_once({.prefix = {}, .threads = {{call}, {call}}});
  }
  if (!outcome.found) outcome.error = unseen(accesses);
  return outcome;
}

Result<Scenario> Worker::given_scenario() const { return subject_.vocabulary().parse(options_.scenario); }

std::optional<bool> Worker::generate(const Portion& portion, std::vector<Scenario>& scenarios) const {
  constexpr std::size_t kMostScenarios = 1'000'000;
  if (!options_.scenario.empty()) {
    if (auto given = given_scenario()) scenarios.push_back(std::move(*given));
    return true;
  }
  bool all = true;
  constexpr std::size_t kBetween = std::size_t{1} << 19;  // calls that are compared, between two looks at the clock
  std::size_t compared = 0;
  const auto late = [&](std::size_t more) {
    if ((compared += more) < kBetween) return false;
    compared = 0;
    return session_.late();
  };
  for (unsigned prefix = 0; prefix <= options_.prefix; ++prefix) {
    Size size = portion.size;
    size.prefix = prefix;
    auto more = explorer::generate(subject_.vocabulary(), size, options_.keys, kMostScenarios, late);
    if (!more) return std::nullopt;
    all = all && more->size() < kMostScenarios;
    std::move(more->begin(), more->end(), std::back_inserter(scenarios));
  }
  return all;
}

Outcome Worker::explore(const Course& course, const Share& share, const Ledger& done, Listener& listener) {
  Outcome outcome;
  session_.set_deadline(course.deadline);
  if (course.processor_time) session_.set_processor_deadline(Session::processor_time() + *course.processor_time);
  for (std::uint32_t i = 0; i < course.portions.size(); ++i) {
    const Portion& portion = course.portions[i];
    const std::uint32_t number_of_portion = course.first + i;
    if (listener.is_over(place_of(number_of_portion, 0))) return outcome;
    if (portion.beyond && session_.late()) return outcome;
    session_.set_reuse(portion.reuse);
    std::vector<Scenario> scenarios;
    const std::optional<bool> all = generate(portion, scenarios);
    if (!all) return outcome;
    listener.began(number_of_portion, scenarios.size(), *all);
    for (std::size_t number = share.job; number < scenarios.size(); number += share.jobs) {
      const Place place = place_of(number_of_portion, static_cast<std::uint32_t>(number));
      if (session_.late() || listener.is_over(place)) break;
      const std::string text = subject_.vocabulary().text(scenarios[number]);
      Entry entry{
          .portion = number_of_portion, .number = static_cast<std::uint32_t>(number), .fingerprint = hash_of(text)};
      if (const Entry* const known = done.find(entry.portion, entry.number); known != nullptr && known->complete) {
        if (known->fingerprint == entry.fingerprint) continue;
        outcome.error = other_scenario(text);
        return outcome;
      }
      subject_.set_scenario(std::move(scenarios[number]));
      session_.stopped = [&] { return listener.is_over(place); };
      session_.progress = [&] { listener.progress(session_.schedules()); };
      const Counts before = engine.counts();
      Explored explored = session_.explore();
      session_.stopped = nullptr;
      entry.schedules = explored.schedules;
      entry.steps = explored.steps;
      entry.histories = explored.histories;
      entry.complete = explored.complete && !explored.found;
      entry.late = !explored.complete && session_.late();
      entry.one_by_one = explored.one_by_one;
      entry.held_back = explored.held_back;
      entry.frees = engine.counts().freed > before.freed;
      listener.explored(entry);
      if (!explored.found) continue;
      listener.found(place);
      outcome.found = std::move(explored.found);
      outcome.place = place;
      make_smaller(outcome, course.deadline_in_all);
      return outcome;
    }
  }
  return outcome;
}

void Worker::make_smaller(Outcome& outcome, std::optional<Session::Clock::time_point> deadline) {
  // What it is made to must not depend on the time that is left of the portions.
  session_.set_deadline(deadline);
  session_.set_processor_deadline(std::nullopt);
  // Of those that wait for ever, whom they wait for must not be left out.
  const bool waits =
      outcome.found->finding == ExploreFinding::deadlock || outcome.found->finding == ExploreFinding::lost_wakeup;
  if (options_.minimise && !outcome.found->details.blocks && !waits) minimise(*outcome.found);
  outcome.scenario = subject_.vocabulary().text(subject_.scenario());
}

void Worker::minimise(Found& found) {
  constexpr std::uint64_t kTries = 20'000;  // schedules each
  const auto smaller = [&](const Scenario& scenario) {
    const Scenario before = subject_.scenario();
    subject_.set_scenario(scenario);
    Explored explored = session_.explore(kTries);
    if (explored.found && explored.found->finding == found.finding) {
      found = std::move(*explored.found);
      return true;
    }
    subject_.set_scenario(before);
    return false;
  };
  for (bool again = true; again;) {
    again = false;
    const Scenario scenario = subject_.scenario();
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

}  // namespace linchpin::explorer

#include "explore/session.hpp"

#include <algorithm>
#include <climits>
#include <ctime>
#include <set>
#include <utility>

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include "explore/orderable.hpp"
#include "explore/recorded.hpp"
#include "explore/schedule/bounded.hpp"
#include "explore/schedule/dpor.hpp"
#include "explore/schedule/hitting.hpp"
#include "explore/schedule/pct.hpp"
#include "explore/schedule/random.hpp"
#include "explore/schedule/replay.hpp"
#include "linchpin/message.hpp"

namespace linchpin::explorer {

namespace {

constexpr unsigned kMostSteps = 300'000;  // all of whose choices have room

Error cannot(std::string message, std::string hint = {}) {
  Error error;
  error.code = ErrorCode::unsupported;
  error.message = std::move(message);
  error.hint = std::move(hint);
  return error;
}

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
  return hash ^ (hash >> 29U);
}

/// A line an operation: its number, who called it, and which others come right before it.
std::string operations_with_order(const History& history, const std::vector<std::uint64_t>& before) {
  std::string text;
  for (std::size_t i = 0; i < before.size(); ++i) {
    std::uint64_t right_before = before[i];
    for (std::size_t j = 0; j < before.size(); ++j) {
      if ((before[i] >> j & 1U) != 0) right_before &= ~before[j];
    }
    const auto operation = static_cast<OperationIndex>(i);
    text += fmt::format("  {:>3}  process {}: {}", i + 1, history.process_name(history.process(operation)),
                        history.describe(operation));
    std::string_view between = ", after ";
    for (std::size_t j = 0; j < before.size(); ++j) {
      if ((right_before >> j & 1U) == 0) continue;
      text += fmt::format("{}{}", std::exchange(between, " and "), j + 1);
    }
    text += "\n";
  }
  text.pop_back();
  return text;
}

}  // namespace

std::uint64_t samples_of(const ExploreOptions& options) {
  constexpr std::uint64_t kSamples = 10'000;
  return options.schedules > 0 ? options.schedules : kSamples;
}

namespace {

Bounded& bounded() {
  static Bounded strategy;  // its choices are reserved once
  return strategy;
}
Dpor& dpor() {
  static Dpor strategy;
  return strategy;
}

}  // namespace

std::optional<Error> unseen(std::uint64_t accesses_before) {
  if (engine.counts().accesses > accesses_before) return std::nullopt;
  // What ended early, where the container is made, has not come to what would show: it is found again.
  if (engine.finding().kind != ExploreFinding::none) return std::nullopt;
  return cannot("cannot explore: no access to memory of the object's own was seen, so that it is not instrumented",
                "compile it with -fsanitize=thread: linchpin_explore(TARGET) in CMake");
}

struct Session::Seen {
  absl::flat_hash_set<Fingerprint> histories;
  std::uint64_t schedules = 0, steps = 0;
};

Session::Session(Subject& subject, const ContainerSubject* container, const ExploreOptions& options)
    : subject_(subject), container_(container), options_(options) {}

std::optional<Error> Session::prepare() {
  if (options_.depth < 1 || options_.depth > Hitting::kMost) {
    Error error;
    error.code = ErrorCode::bad_option;
    error.message = fmt::format("a depth is 1 to {}, not {}", Hitting::kMost, options_.depth);
    return error;
  }
  const char* why = nullptr;
  if (!engine.prepare(options_.switching == ExploreSwitching::threads, &why) || !bounded().prepare() ||
      !dpor().prepare()) {
    return cannot(fmt::format("cannot explore: {}", why == nullptr ? "there is not enough address space" : why));
  }
  if (engine.instrumented_modules == 0) {
    return cannot("cannot explore: no part of the program is instrumented, so that nothing of it could be seen",
                  "compile the code under test with -fsanitize=thread: linchpin_explore(TARGET) in CMake");
  }
  if (container_ == nullptr) return std::nullopt;
  auto type = TypeName::parse(container_->type());
  if (!type) return type.error();
  auto specification = make_specification(*type);
  if (!specification) return specification.error();
  check_.specification = *specification;
  check_.limits.time = std::chrono::seconds(60);
  check_.threads = 1;  // other threads must not run beside a schedule
  check_.witness = false;
  return std::nullopt;
}

Settings Session::settings() const {
  return {.memory = options_.memory == ExploreMemory::cpp20 ? MemoryModel::cpp20 : MemoryModel::sequential,
          .reuse = options_.reuse == ExploreReuse::none   ? Reuse::none
                   : options_.reuse == ExploreReuse::lifo ? Reuse::lifo
                                                          : Reuse::fifo,
          .races = options_.races,
          .leaks = options_.leaks,
          .real_time = options_.order == ExploreOrder::real_time,
          .deadlocks = options_.deadlocks,
          .most_steps = std::min(options_.steps, kMostSteps)};
}

std::optional<Found> Session::warm_up() {
  Settings once = settings();
  once.keep_memory = true;
  Replay ordinary(nullptr, 0);
  ordinary.begin();
  engine.run(subject_.program(), once, ordinary);
  if (!engine.finding().blocks) return std::nullopt;  // anything else is found again, with its schedule
  return Found{.finding = engine.finding().kind, .message = {}, .details = engine.finding()};
}

double Session::processor_time() {
  timespec now = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

bool Session::run_all(Strategy& strategy, std::uint64_t most_schedules, Seen& seen, Explored& explored) {
  constexpr std::uint64_t kBetweenLooks = 256;
  for (bool first = true; strategy.begin(); first = false) {
    const bool looks = schedules_ % kBetweenLooks == 0;
    if (seen.schedules >= most_schedules || (looks && (late() || (stopped && stopped())))) {
      explored.complete = explored.exhausted = false;
      return false;
    }
    if (looks && progress) progress();
    explored.found = first ? run_first(strategy, seen) : run(strategy, seen);
    explored.schedules = seen.schedules;
    explored.steps = seen.steps;
    explored.histories = seen.histories.size();
    if (explored.found) return false;
  }
  return true;
}

Explored Session::explore(std::uint64_t most_schedules) {
  Explored explored;
  Seen seen;
  const std::uint64_t held_back = engine.counts().held_back;
  kept_ = false;
  if (options_.schedules > 0) most_schedules = std::min(most_schedules, options_.schedules);
  const std::uint64_t samples = std::min(most_schedules, samples_of(options_));
  const auto run_everything = [&] {
    bounded().restart(UINT_MAX);
    run_all(bounded(), most_schedules, seen, explored);
  };
  switch (options_.strategy) {
    case ExploreStrategy::random: {
      Random strategy(options_.seed);
      run_all(strategy, samples, seen, explored);
      break;
    }
    case ExploreStrategy::pct: {
      Pct strategy(options_.seed, options_.depth);
      run_all(strategy, samples, seen, explored);
      break;
    }
    case ExploreStrategy::dpor:
      dpor().restart();
      if (run_all(dpor(), most_schedules, seen, explored) && dpor().lost_track()) {
        explored.one_by_one = true;
        kept_ = false;
        run_everything();
      }
      break;
    case ExploreStrategy::exhaustive: run_everything(); break;
    case ExploreStrategy::hitting: {
      Hitting strategy(options_.depth);
      run_all(strategy, most_schedules, seen, explored);
      break;
    }
    case ExploreStrategy::bounded:
      for (unsigned bound = 0; bound <= options_.deviations; ++bound) {
        bounded().restart(bound);
        const bool all = run_all(bounded(), most_schedules, seen, explored);
        if (explored.found) explored.found->deviations = bound;
        if (!all) break;
        explored.exhausted = !bounded().limited();
        if (explored.exhausted) break;
      }
      break;
  }
  if (!explored.found && kept_) explored.found = repeat_first();
  explored.held_back = engine.counts().held_back > held_back;
  return explored;
}

Explored Session::explore(const Stretch& stretch, std::vector<Fingerprint>& histories) {
  Explored explored;
  Seen seen;
  const std::uint64_t held_back = engine.counts().held_back;
  kept_ = false;
  if (options_.strategy == ExploreStrategy::random) {
    Random strategy(options_.seed, stretch.first);
    run_all(strategy, stretch.count, seen, explored);
  } else {
    bounded().restart(stretch.bound, stretch.from.data(), stretch.from.size(), stretch.to.data(), stretch.to.size());
    run_all(bounded(), UINT64_MAX, seen, explored);
    explored.exhausted = !bounded().limited();
    if (explored.found && options_.strategy == ExploreStrategy::bounded) explored.found->deviations = stretch.bound;
  }
  if (!explored.found && kept_) explored.found = repeat_first();
  explored.held_back = engine.counts().held_back > held_back;
  histories.assign(seen.histories.begin(), seen.histories.end());
  return explored;
}

std::vector<Stretch::Node> Session::nodes(unsigned bound, std::size_t wanted) {
  // The shorter it is, the more there is below it: those are divided first.
  const auto shorter = [](const Stretch::Node& one, const Stretch::Node& other) {
    return one.size() != other.size() ? one.size() < other.size() : one < other;
  };
  std::set<Stretch::Node, decltype(shorter)> undivided(shorter);
  undivided.insert(Stretch::Node{});
  std::vector<Stretch::Node> nodes = {{}};
  while (!undivided.empty() && nodes.size() < wanted) {
    const Stretch::Node node = *undivided.begin();
    undivided.erase(undivided.begin());
    bounded().restart(bound, node.data(), node.size(), nullptr, 0);
    bounded().begin();
    engine.run(subject_.program(), settings(), bounded());
    Stretch::Node below;
    for (const Bounded::Choice& choice : bounded().path()) {
      for (unsigned taken = choice.taken + 1; below.size() >= node.size() && taken < choice.alternatives; ++taken) {
        Stretch::Node other = below;
        other.push_back(static_cast<std::uint8_t>(taken));
        undivided.insert(other);
        nodes.push_back(std::move(other));
      }
      below.push_back(static_cast<std::uint8_t>(choice.taken));
    }
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

std::optional<Found> Session::run_first(Strategy& strategy, Seen& seen) {
  engine.set_tracing(true);
  std::optional<Found> found = run(strategy, seen);
  engine.set_tracing(false);
  if (found || engine.cut()) return found;
  if (kept_) return difference();
  kept_ = true;
  first_.assign(engine.trace().begin(), engine.trace().end());
  first_choices_.assign(engine.choices().begin(), engine.choices().end());
  return repeat_first();
}

std::optional<Found> Session::repeat_first() {
  Replay strategy(first_choices_.data(), first_choices_.size());
  strategy.begin();
  engine.set_tracing(true);
  engine.run(subject_.program(), settings(), strategy);
  engine.set_tracing(false);
  return difference();
}

std::optional<Found> Session::difference() const {
  const auto same = [](const TraceStep& one, const TraceStep& other) {
    return one.thread == other.thread && one.access.kind == other.access.kind &&
           one.access.place == other.access.place && one.access.address == other.access.address &&
           one.value == other.value && one.failed == other.failed;
  };
  const Array<TraceStep>& now = engine.trace();
  std::size_t i = 0;
  while (i < first_.size() && i < now.size() && same(first_[i], now[i])) ++i;
  if (i == first_.size() && i == now.size()) return std::nullopt;
  Found found{.finding = ExploreFinding::nondeterminism, .message = {}, .details = {}};
  found.details.kind = ExploreFinding::nondeterminism;
  found.details.address = i + 1;
  if (i < now.size()) {
    found.details.thread = now[i].thread;
    found.details.place = now[i].access.place;
  }
  if (i < first_.size()) {
    found.details.other_thread = first_[i].thread;
    found.details.other_place = first_[i].access.place;
  }
  return found;
}

std::optional<Found> Session::replay(const std::vector<std::uint8_t>& choices) {
  Replay strategy(choices.data(), choices.size());
  strategy.begin();
  Seen seen;
  engine.set_tracing(true);
  std::optional<Found> found = run(strategy, seen);
  engine.set_tracing(false);
  return found;
}

std::optional<Found> Session::run(Strategy& strategy, Seen& seen) {
  engine.run(subject_.program(), settings(), strategy);
  ++schedules_;
  ++seen.schedules;
  seen.steps += engine.steps();
  std::optional<Found> found;
  if (engine.cut()) return found;
  if (engine.finding().kind != ExploreFinding::none) {
    found.emplace();
    found->finding = engine.finding().kind;
    found->details = engine.finding();
  } else if (container_ != nullptr) {
    if (seen.histories.insert(fingerprint()).second) found = decide();
  } else if (const auto* const threads = dynamic_cast<const ThreadsSubject*>(&subject_)) {
    if (threads->outcome()[0] != 0) outcomes_.insert(threads->outcome());
  }
  if (found) found->choices.assign(engine.choices().begin(), engine.choices().end());
  return found;
}

/// Of what was called, what came back, and what came before what: not of the order in which concurrent calls came.
Fingerprint Session::fingerprint() {
  std::uint64_t cancelled = 0;
  for (const OperationRecord& operation : engine.operations()) {
    if (operation.cancelled && operation.thread < explorer::kMostThreads)
      cancelled |= std::uint64_t{1} << (operation.thread * kMostOperations + operation.number);
  }
  Fingerprint all;
  for (const OperationRecord& operation : engine.operations()) {
    if (operation.cancelled || operation.called < 0) continue;
    std::uint64_t hash = mixed(operation.thread * 256U + operation.number, operation.method);
    for (const std::uint64_t value : operation.values) hash = mixed(hash, value);
    hash = mixed(hash, operation.returned < 0 ? 1 : 2 * operation.result);
    hash = mixed(hash, operation.before & ~cancelled);
    hash = mixed(hash, operation.wide);
    all.first += mixed(hash, 1);
    all.second += mixed(hash, 2) ^ (hash << 1U);
  }
  return all;
}

std::optional<Found> Session::decide() {
  // Who looks at a trace finds its steps in the history.
  auto made = recorded_history(*container_, engine.tracing() ? Ticks::steps : Ticks::events);
  if (!made) return Found{.finding = ExploreFinding::undecided, .message = made.error().to_string(), .details = {}};
  auto verdict = check(*made, check_);
  if (!verdict)
    return Found{.finding = ExploreFinding::undecided, .message = verdict.error().to_string(), .details = {}};
  if (verdict->verdict == Verdict::linearizable) return std::nullopt;
  if (options_.order == ExploreOrder::happens_before) return decide_by_happens_before(*made);
  Found found;
  found.finding = verdict->verdict == Verdict::violation ? ExploreFinding::not_linearizable : ExploreFinding::undecided;
  found.message = message_of(*made, *verdict, check_);
  return found;
}

/// What happens before what also came before it in the schedule: an order for real time would have done as well.
std::optional<Found> Session::decide_by_happens_before(const History& history) const {
  const auto undecided = [](std::string why) {
    return Found{.finding = ExploreFinding::undecided, .message = std::move(why), .details = {}};
  };
  const auto before = operations_before();
  if (!before) return undecided("more than 64 operations are not decided by what happens before what");
  const std::shared_ptr<const Specification> specifications[] = {check_.specification};
  const auto parts = history::split_by_object(history, specifications, check_.ties);
  if (!parts) return undecided(parts.error().to_string());
  const history::Subhistory& part = parts->front();
  std::vector<std::uint32_t> local(part.size());  // of each operation of the history
  for (std::uint32_t i = 0; i < part.size(); ++i) local[part.operation[i].number()] = i;
  std::vector<std::uint64_t> locally(part.size(), 0);
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    for (std::uint32_t j = 0; j < part.size(); ++j) {
      if (((*before)[i] >> j & 1U) != 0) locally[local[i]] |= std::uint64_t{1} << local[j];
    }
  }
  const std::optional<bool> possible = orderable(part, locally);
  if (possible == true) return std::nullopt;
  if (!possible) return undecided("there are too many orders of what happens before what");
  return Found{.finding = ExploreFinding::not_linearizable,
               .message = fmt::format("not linearizable as a {}: no order explains what the operations returned and "
                                      "keeps what happens before what\n{}",
                                      container_->type(), operations_with_order(history, *before)),
               .details = {}};
}

}  // namespace linchpin::explorer

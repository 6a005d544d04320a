// The engine: threads, rounds, deciding each round before the next.
//
// The threads live as long as the run and share it with the caller, so that they can be left behind when one of them
// never comes back from an operation. A round: the caller makes a container and wakes the threads. One of them fills
// the container; they wait for one another and begin together. The caller decides what they did when the last one is
// done, or what they did until then when the time is up.
#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <set>
#include <string_view>
#include <thread>

#include <fmt/format.h>

#include "linchpin/recorded.hpp"
#include "linchpin/stress/plan.hpp"
#include "stress/notation.hpp"
#include "stress/overlaps.hpp"
#include "stress/schedule.hpp"

#if defined(__linux__)
#include <pthread.h>
#include <sched.h>
#endif

namespace linchpin::stress_plan {

namespace {

using SteadyClock = std::chrono::steady_clock;

double seconds_since(SteadyClock::time_point begin) {
  return std::chrono::duration<double>(SteadyClock::now() - begin).count();
}

/// Of a clock, which cannot hold every duration.
SteadyClock::duration clock_time(std::chrono::duration<double> time) {
  return std::chrono::duration_cast<SteadyClock::duration>(std::min(time, kLongestTime));
}

/// The n-th thread on the n-th processor that this process may use. Left to itself, a scheduler likes to keep threads
/// that wake one another on one processor, where short rounds are over before another is found to be free.
void pin_to_processor(unsigned thread) {
#if defined(__linux__)
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  const auto count = static_cast<unsigned>(CPU_COUNT(&allowed));
  if (count < 2) return;
  unsigned skip = thread % count;
  for (unsigned processor = 0; processor < CPU_SETSIZE; ++processor) {
    if (!CPU_ISSET(processor, &allowed) || skip-- > 0) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    pthread_setaffinity_np(pthread_self(), sizeof one, &one);
    return;
  }
#else
  (void)thread;
#endif
}

/// Where threads meet so that they begin together, each on a processor. Meeting once is not enough: whoever comes first
/// may have lost its processor by the time that the last one comes. So they meet until one meeting is a short one.
class Meeting {
 public:
  explicit Meeting(unsigned threads) : threads_(threads) {}

  /// By one thread, before the others are woken.
  void reset() {
    arrived_ = 0;
    phase_ = 0;
    over_ = false;
  }
  void lead() {
    const auto first = SteadyClock::now();
    for (unsigned phase = 1;; ++phase) {
      const auto begin = SteadyClock::now();
      phase_ = phase;
      for (unsigned tries = 0; arrived_ < phase * (threads_ - 1); ++tries) wait_a_little(tries);
      const auto now = SteadyClock::now();
      if (phase >= most_ || now - first > kLong || (phase > 1 && now - begin < kShort)) break;
    }
    over_ = true;
  }
  void follow() {
    for (unsigned phase = 1;; ++phase) {
      for (unsigned tries = 0; phase_ < phase; ++tries) {
        if (over_) return;
        wait_a_little(tries);
      }
      ++arrived_;
    }
  }

 private:
  static constexpr auto kShort = std::chrono::microseconds(5);
  static constexpr auto kLong = std::chrono::milliseconds(10);  // a busy machine would take half a second a round

  const unsigned threads_;
  const unsigned most_ = threads_ > std::thread::hardware_concurrency() ? 1 : 50;  // meetings
  alignas(128) std::atomic<unsigned> arrived_ = 0;
  alignas(128) std::atomic<unsigned> phase_ = 0;
  std::atomic<bool> over_ = false;
};

/// What the threads of a run share.
struct Shared {
  Shared(Plan given, const StressOptions& wanted)
      : plan(std::move(given)),
        options(wanted),
        recorder(plan.type, options.recorder),
        meeting(options.threads),
        turns(options.threads) {
    for (const Action& action : plan.actions) {
      methods.emplace_back();
      for (const std::string& method : action.methods) methods.back().push_back(recorder.method(method));
    }
    for (unsigned thread = 0; thread <= options.threads; ++thread) logs.push_back(&recorder.thread());
  }

  const Plan plan;
  const StressOptions options;
  Recorder recorder;
  std::vector<std::vector<RecordedMethod>> methods;  // of each action
  std::vector<double> weights;                       // of the actions up to each
  std::vector<ThreadLog*> logs;                      // the last one fills the container
  std::shared_ptr<void> container;
  std::uint64_t seed = 0;  // of the round

  std::mutex mutex;  // guards what follows
  std::condition_variable changed;
  std::size_t round = 0;
  std::size_t done = 0;  // threads that have finished the round
  bool filled = false;   // the container, as far as there was time
  std::size_t filled_with = 0;
  bool cut_short = false;  // some operations of the round were not begun
  bool ending = false;
  std::size_t exceptions = 0;
  std::string exception;
  std::size_t points = 0;

  std::atomic<bool> cut = false;  // the round: no thread begins another operation
  Meeting meeting;
  bool by_turns = false;  // this round
  Turns turns;

  /// No operation is to begin any more: it could not be recorded, or there is no time for it.
  [[nodiscard]] bool over() const { return cut || options.stop.stop_requested() || recorder.full(); }
};

const Action& choose(const Shared& shared, Turn& turn, std::size_t& at) {
  const double draw = static_cast<double>(turn.random() >> 11U) * 0x1p-53 * shared.weights.back();
  at = static_cast<std::size_t>(std::upper_bound(shared.weights.begin(), shared.weights.end(), draw) -
                                shared.weights.begin());
  at = std::min(at, shared.plan.actions.size() - 1);
  return shared.plan.actions[at];
}

void note_exception(Shared& shared, const std::string& what) {
  const std::lock_guard lock(shared.mutex);
  if (shared.exceptions++ == 0) shared.exception = what;
}

/// One operation; what it throws leaves it pending.
void act(Shared& shared, const Action& action, std::size_t at, Turn& turn) {
  turn.set_methods(shared.methods[at]);
  try {
    action.run(shared.container.get(), turn);
  } catch (const std::exception& exception) {
    note_exception(shared, exception.what());
  } catch (...) {
    note_exception(shared, "something that is no std::exception");
  }
}

Turn make_turn(Shared& shared, unsigned thread) {
  const StressOptions& options = shared.options;
  const std::int64_t all = options.threads + 1;
  return Turn(*shared.logs[thread], mix(shared.seed, thread), thread + 1 - all, all, options);
}

/// By one thread, while the others wait.
void fill(Shared& shared) {
  std::vector<std::size_t> adding;
  for (std::size_t i = 0; i < shared.plan.actions.size(); ++i) {
    if (shared.plan.actions[i].adds) adding.push_back(i);
  }
  Turn turn = make_turn(shared, shared.options.threads);
  std::size_t i = 0;
  for (; i < shared.options.prefill && !adding.empty() && !shared.over(); ++i) {
    const std::size_t at = adding[turn.random() % adding.size()];
    act(shared, shared.plan.actions[at], at, turn);
  }
  const std::lock_guard lock(shared.mutex);
  shared.filled = true;
  shared.filled_with = adding.empty() ? shared.options.prefill : i;
  shared.changed.notify_all();
}

struct Part {
  std::size_t points = 0;  // stress points in its operations
  bool whole = true;
};

Part take_part(Shared& shared, unsigned thread) {
  Turn turn = make_turn(shared, thread);
  Visitor visitor(mix(shared.seed, thread + 0x100U), shared.options.delays, thread,
                  shared.by_turns ? &shared.turns : nullptr);
  for (std::size_t i = 0; i < shared.options.operations; ++i) {
    if (shared.over()) return {.points = visitor.points(), .whole = false};
    visitor.between_operations();
    std::size_t at = 0;
    const Action& action = choose(shared, turn, at);
    act(shared, action, at, turn);
  }
  return {.points = visitor.points(), .whole = true};
}

void work(const std::shared_ptr<Shared>& shared, unsigned thread) {
  if (shared->options.pin) pin_to_processor(thread);
  for (std::size_t round = 1;; ++round) {
    {
      std::unique_lock lock(shared->mutex);
      shared->changed.wait(lock, [&] { return shared->ending || shared->round == round; });
      if (shared->ending) return;
    }
    if (shared->options.prefill > 0) {
      if (thread == 0) fill(*shared);
      std::unique_lock lock(shared->mutex);
      shared->changed.wait(lock, [&] { return shared->ending || shared->filled; });
      if (shared->ending) return;
    }
    if (shared->by_turns) {
      // They begin together anyway.
    } else if (thread == 0) {
      shared->meeting.lead();
    } else {
      shared->meeting.follow();
    }
    const Part part = take_part(*shared, thread);
    const std::lock_guard lock(shared->mutex);
    shared->points += part.points;
    shared->cut_short |= !part.whole;
    if (++shared->done == shared->options.threads) shared->changed.notify_all();
  }
}

/// Makes the plan's weights; bad_option where they make no sense.
std::optional<Error> weigh(Shared& shared) {
  std::vector<double> own;
  for (const Action& action : shared.plan.actions) own.push_back(action.weight);
  std::set<std::string_view> named;
  for (const auto& [method, weight] : shared.options.mix) {
    if (!named.insert(method).second) {
      return Error{.code = ErrorCode::bad_option,
                   .message = fmt::format("the mix names '{}' twice", method),
                   .hint = "each method has one weight"};
    }
    bool known = false;
    std::string names;
    for (std::size_t i = 0; i < own.size(); ++i) {
      const std::string& name = shared.plan.actions[i].methods[0];
      if (names.find(name) == std::string::npos) names += (names.empty() ? "" : ", ") + name;
      if (name != method) continue;
      own[i] = weight;
      known = true;
    }
    if (!known || !(weight >= 0) || !std::isfinite(weight)) {
      return Error{.code = ErrorCode::bad_option,
                   .message = known ? fmt::format("the weight of '{}' is {}", method, weight)
                                    : fmt::format("the container has no method '{}'", method),
                   .hint = known ? "weights are numbers from 0" : fmt::format("it has {}", names)};
    }
  }
  double sum = 0;
  for (const double weight : own) shared.weights.push_back(sum += weight);
  if (sum > 0) return std::nullopt;
  return Error{
      .code = ErrorCode::bad_option, .message = "there is no method to call", .hint = "some weight is above 0"};
}

class Run {
 public:
  Run(Plan plan, const StressOptions& options) : shared_(std::make_shared<Shared>(std::move(plan), options)) {}

  StressResult run() {
    if (auto error = prepare()) {
      result_.verdict = Verdict::unknown;
      result_.error = std::move(error);
      return std::move(result_);
    }
    const StressOptions& options = shared_->options;
    const std::stop_callback at_stop(options.stop, [shared = shared_] {
      const std::lock_guard lock(shared->mutex);
      shared->changed.notify_all();
    });
    for (unsigned thread = 0; thread < options.threads; ++thread) {
      threads_.emplace_back([shared = shared_, thread] { work(shared, thread); });
    }
    try {
      while (result_.rounds < options.rounds && !options.stop.stop_requested() &&
             (!options.time || seconds_since(begin_) < options.time->count())) {
        if (!round()) break;
        show_progress();
      }
    } catch (...) {  // the threads wait for a round
      end();
      throw;
    }
    end();
    if (result_.rounds == 0 && !result_.error) fail(nothing_done());
    return std::move(result_);
  }

 private:
  std::optional<Error> prepare() {
    auto type = TypeName::parse(shared_->plan.type);
    if (!type) return type.error();
    auto specification = make_specification(*type);
    if (!specification) return specification.error();
    check_.specification = *specification;
    return weigh(*shared_);
  }

  /// False: the run is over.
  bool round() {
    const StressOptions& options = shared_->options;
    Shared& shared = *shared_;
    shared.recorder.clear();
    shared.seed = result_.seed = options.same_seed ? options.seed : options.seed + result_.rounds;
    shared.by_turns = takes_turns();
    if (shared.by_turns) shared.turns.begin(mix(shared.seed, 0x200U), options.threads * options.operations * kPoints);
    if (!make()) return false;
    const auto begin = SteadyClock::now();
    const bool in_time = have_it_done(begin);
    result_.recording_seconds += seconds_since(begin);
    if (options.stop.stop_requested()) return false;  // deciding would not begin
    // A container that was not filled is not what was asked for.
    if (filled_with_ < options.prefill && !result_.stuck && !shared.recorder.full()) return false;
    ++result_.rounds;
    result_.by_turns = shared.by_turns && !shared.turns.given_up();
    if (shared.by_turns) {
      ++result_.turn_rounds;
      in_vain_ = shared.turns.given_up() ? in_vain_ + 1 : 0;
    }
    return decide() && in_time;
  }

  /// False: there is no container.
  bool make() {
    std::string why = "it is null";
    try {
      shared_->container = shared_->plan.make();
      if (shared_->container != nullptr) return true;
    } catch (const std::exception& exception) {
      why = exception.what();
    } catch (...) {
      why = "something was thrown that is no std::exception";
    }
    return fail({.code = ErrorCode::model,
                 .message = fmt::format("there is no container for round {}: {}", result_.rounds + 1, why)});
  }

  /// The threads' part of a round. False: it took so long that the run ends.
  bool have_it_done(SteadyClock::time_point begin) {
    const StressOptions& options = shared_->options;
    Shared& shared = *shared_;
    std::unique_lock lock(shared.mutex);
    shared.done = 0;
    shared.filled = false;
    shared.filled_with = 0;
    shared.cut_short = false;
    shared.cut = false;
    shared.meeting.reset();
    ++shared.round;
    shared.changed.notify_all();

    const auto done = [&] { return shared.done == options.threads; };
    const auto done_or_stopped = [&] { return done() || options.stop.stop_requested(); };
    const auto stuck = begin + clock_time(options.stuck);
    const auto over = options.time ? std::min(stuck, begin_ + clock_time(*options.time)) : stuck;
    bool ended = shared.changed.wait_until(lock, over, done_or_stopped) && done();
    bool in_time = true;
    if (!ended) {
      shared.cut = true;
      shared.changed.wait_until(lock, stuck, done_or_stopped);
      in_time = done();
      // Whoever comes out of an operation sees that the round is over.
      ended = shared.changed.wait_for(lock, kGrace, done);
    }
    result_.stuck = !ended;
    result_.cut_short = shared.cut_short;
    filled_with_ = shared.filled_with;
    result_.exceptions = shared.exceptions;
    result_.exception = shared.exception;
    result_.stress_points = shared.points;
    return in_time;
  }

  /// Why not even one round was run.
  [[nodiscard]] Error nothing_done() const {
    const StressOptions& options = shared_->options;
    if (options.stop.stop_requested()) {
      return {.code = ErrorCode::interrupted, .message = "the run was stopped before its first round had ended"};
    }
    if (filled_with_ < options.prefill) {
      return {.code = ErrorCode::bad_option,
              .message = fmt::format("the time was up when {} of {} values were in the container", filled_with_,
                                     options.prefill),
              .hint = "fill in fewer, or give more time: all in all (--time), or for a round (--stuck)"};
    }
    return {.code = ErrorCode::bad_option,
            .message = "the time was up before the first round had begun",
            .hint = "give more time"};
  }

  /// Turns need points. Whether the container has any is known after the first round.
  [[nodiscard]] bool takes_turns() const {
    const StressOptions& options = shared_->options;
    return options.turns && options.threads > 1 && shared_->seed % 2 == 0 &&
           (result_.rounds == 0 || result_.stress_points > 0) && in_vain_ < kMostInVain;
  }

  bool decide() {
    auto history = history_of(shared_->recorder);
    if (history && shared_->plan.notation) history = read_notation(*history);
    if (!history) return fail(history.error());
    if (history->size() == 0 && result_.cut_short) {
      --result_.rounds;
      if (shared_->by_turns) --result_.turn_rounds;
      return true;
    }
    result_.operations += history->size();
    overlaps_.add(*history);
    result_.overlapping = overlaps_.operations();
    result_.overlaps = overlaps_.kinds();
    result_.overlaps_once = overlaps_.once();
    check_.limits = shared_->options.limits;
    check_.limits.stop = shared_->options.stop;
    check_.verify = Verify::thoroughly;
    check_.threads = history->size() > kLong ? 0 : 1;
    auto verdict = check(*history, check_);
    if (!verdict) return fail(verdict.error());
    if (verdict->verdict == Verdict::unknown) {
      ++result_.undecided;
      result_.verdict = Verdict::unknown;
    }
    if (shared_->options.keep_last) result_.history = *history;
    // A history whose answer did not hold is worth as much as one that is a violation: somebody has to look at it.
    if (verdict->verdict != Verdict::violation && verdict->reason != Reason::internal) return true;
    result_.verdict = verdict->verdict;
    result_.history = std::move(*history);
    result_.decided = std::move(*verdict);
    return false;
  }

  bool fail(Error error) {
    result_.verdict = Verdict::unknown;
    result_.error = std::move(error);
    return false;
  }

  void show_progress() {
    constexpr double kEvery = 0.1;
    result_.seconds = seconds_since(begin_);
    if (!shared_->options.progress || result_.seconds < shown_ + kEvery) return;
    shown_ = result_.seconds;
    shared_->options.progress({.rounds = result_.rounds, .operations = result_.operations, .seconds = result_.seconds});
  }

  void end() {
    {
      const std::lock_guard lock(shared_->mutex);
      shared_->ending = true;
      shared_->changed.notify_all();
    }
    for (std::thread& thread : threads_) {
      if (result_.stuck) {
        thread.detach();
      } else {
        thread.join();
      }
    }
    if (!result_.stuck) shared_->container.reset();
    result_.seconds = seconds_since(begin_);
    if (shared_->options.progress) shared_->options.progress({});  // wipes its line
  }

  static constexpr std::size_t kLong = 100'000;            // operations that are worth several threads
  static constexpr std::chrono::milliseconds kGrace{200};  // for an operation, when its round has to end
  static constexpr std::size_t kPoints = 3;                // an operation, about
  static constexpr std::size_t kMostInVain = 3;            // rounds by turns, one after the other

  std::shared_ptr<Shared> shared_;
  const SteadyClock::time_point begin_ = SteadyClock::now();
  double shown_ = 0;
  std::size_t filled_with_ = 0;  // values, of the last round
  std::size_t in_vain_ = 0;      // rounds by turns that were given up, the latest ones
  Overlaps overlaps_;
  CheckOptions check_;
  std::vector<std::thread> threads_;
  StressResult result_;
};

/// bad_option, where a number is none of those that the option may have.
template <class T>
std::optional<Error> wrong_number(const char* option, T value, T least, T most) {
  if (value >= least && value <= most) return std::nullopt;  // no NaN is
  return Error{.code = ErrorCode::bad_option,
               .message = fmt::format("the option '{}' is {}", option, value),
               .hint = fmt::format("it is a number from {} to {}", least, most)};
}

std::optional<Error> wrong_time(const char* option, std::chrono::duration<double> time) {
  if (time.count() > 0 && time <= kLongestTime) return std::nullopt;
  return Error{.code = ErrorCode::bad_option,
               .message = fmt::format("the option '{}' is {} seconds", option, time.count()),
               .hint = "it is more than 0, and at most 10^9 seconds"};
}

/// The first option that is not what its limits say (plan.hpp), which the command refuses likewise.
std::optional<Error> wrong_option(const StressOptions& options) {
  constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();
  auto wrong = wrong_number("threads", options.threads, 1U, kMostThreads);
  if (!wrong) wrong = wrong_number("operations", options.operations, std::size_t{0}, kMostOperations);
  if (!wrong) wrong = wrong_number("rounds", options.rounds, std::size_t{1}, kAnyNumber);
  if (!wrong) wrong = wrong_number("prefill", options.prefill, std::size_t{0}, kMostOperations);
  if (!wrong) wrong = wrong_number("keys", options.keys, std::int64_t{1}, kMostKeys);
  if (!wrong) wrong = wrong_number("values", options.values, std::int64_t{0}, kMostKeys);
  if (!wrong) wrong = wrong_number("delays", options.delays, 0.0, 1.0);
  if (!wrong) wrong = wrong_time("stuck", options.stuck);
  if (!wrong && options.time) wrong = wrong_time("time", *options.time);
  return wrong;
}

}  // namespace

StressResult run(Plan plan, const StressOptions& options) {
  StressOptions resolved = options;
  if (resolved.threads == 0) resolved.threads = std::clamp(std::thread::hardware_concurrency(), 2U, 4U);
  if (auto wrong = wrong_option(resolved)) {
    StressResult result;
    result.verdict = Verdict::unknown;
    result.error = std::move(wrong);
    return result;
  }
  return Run(std::move(plan), resolved).run();
}

}  // namespace linchpin::stress_plan

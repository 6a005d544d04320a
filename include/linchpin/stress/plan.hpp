// The options and the result of a stress run, and the interface between the templates that bind a container's methods
// and the engine that runs them.
#pragma once

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "linchpin/check.hpp"
#include "linchpin/record.hpp"
#include "linchpin/stress_point.hpp"

namespace linchpin {

struct StressProgress {
  std::size_t rounds = 0;
  std::size_t operations = 0;
  double seconds = 0;
};

struct StressOptions {
  unsigned threads = 0;          ///< 0: as many as there are processors, but 2 to 4; to 256
  std::size_t operations = 100;  ///< of one thread in one round
  std::size_t rounds = 10'000;   ///< at most; from 1
  /// At most, all in all. Then each thread ends after its operation, and what was recorded of the round is decided.
  std::optional<std::chrono::duration<double>> time = {};
  std::size_t prefill = 0;  ///< values or keys added by one thread before the others begin
  /// Weights of methods by their names in the type ("enqueue", "dequeue", "size"); those not named keep their own.
  std::vector<std::pair<std::string, double>> mix = {};
  std::int64_t keys = 8;  ///< of sets and maps: how many different ones
  /// How many different values; 0: none is added twice, which is what the fast deciders want.
  std::int64_t values = 0;
  std::uint64_t seed = 1;  ///< round r draws from seed + r; how threads meet in free rounds is nobody's to repeat
  bool same_seed = false;  ///< all rounds draw from `seed`: replays the operations of one round, and its turns if any
  double delays = 0.2;     ///< share of operations before which, and points in them at which, a thread pauses
  /// Where the container has stress points, every second round, of even seed, is run by turns: one thread at a time,
  /// from point to point, in an order that the seed draws. Needs no luck, and no second processor.
  bool turns = true;
  bool pin = true;  ///< each thread on a processor of its own, as far as they reach
  /// A round that takes longer, filling included, is decided as it is, with the operations that do not return as
  /// pending; then the run ends, and the threads are left behind.
  std::chrono::duration<double> stuck = std::chrono::seconds(60);
  bool keep_last = false;  ///< StressResult::history is the last round, whatever its verdict
  RecorderOptions recorder = {};
  Limits limits = {.time = std::chrono::seconds(60), .memory = {}};  ///< of deciding one round
  std::stop_token stop = {};
  /// Called some ten times a second.
  std::function<void(const StressProgress&)> progress = {};
};

/// Writes progress to standard error, on one line, if that is a terminal.
[[nodiscard]] std::function<void(const StressProgress&)> terminal_progress();

struct StressResult {
  Verdict verdict = Verdict::linearizable;  ///< unknown: some round could not be decided, and none was a violation
  std::size_t rounds = 0;
  std::size_t operations = 0;
  std::size_t undecided = 0;  ///< rounds that ran out of their limits
  double seconds = 0;
  double recording_seconds = 0;                ///< of these, while threads ran
  std::uint64_t seed = 0;                      ///< of the last round: with `same_seed`, its operations come again
  bool by_turns = false;                       ///< the last round was: its schedule comes again with its seed, too
  bool stuck = false;                          ///< a round did not end
  bool cut_short = false;                      ///< the last round: time was up before all its operations had begun
  std::optional<History> history = {};         ///< the round that is a violation; with `keep_last`, the last one
  std::optional<HistoryVerdict> decided = {};  ///< and its verdict, if it is a violation
  /// An option or the plan makes no sense, what makes containers failed, or operations were lost (RecorderOptions).
  std::optional<Error> error = {};
  std::size_t turn_rounds = 0;    ///< of the rounds, those by turns
  std::size_t stress_points = 0;  ///< that operations came by
  std::size_t overlapping = 0;    ///< operations with others in progress beside them
  std::size_t overlaps = 0;       ///< of how many kinds these were: what began and ended during them
  std::size_t overlaps_once = 0;  ///< and how many kinds came once
  std::size_t exceptions = 0;     ///< thrown by operations, which are pending then
  std::string exception = {};     ///< what the first one said

  [[nodiscard]] bool ok() const { return verdict == Verdict::linearizable && !error; }
  /// An estimate (Good and Turing): of the overlaps still to come, how many would be of a kind not seen yet; 1 where
  /// none was seen. A bug that shows in one kind only is still unseen with about that chance.
  [[nodiscard]] double unseen() const {
    return overlapping == 0 ? 1 : static_cast<double>(overlaps_once) / static_cast<double>(overlapping);
  }
  /// For people: the verdict, and why.
  [[nodiscard]] std::string to_string() const;
};

/// A value that no operation has added before (StressOptions::values).
struct Fresh {
  std::int64_t number;
  template <class T>
  requires(std::integral<T> && !std::same_as<T, bool>) operator T() const {
    return static_cast<T>(number);
  }  // NOLINT(google-explicit-constructor)
};

/// One of a few keys.
struct Key {
  std::int64_t number;
  template <class T>
  requires(std::integral<T> && !std::same_as<T, bool>) operator T() const {
    return static_cast<T>(number);
  }  // NOLINT(google-explicit-constructor)
};

namespace stress_plan {

// What options may be at most; `run` refuses more.
inline constexpr unsigned kMostThreads = 256;
inline constexpr std::size_t kMostOperations = std::size_t{1} << 40U;  // also of those that prefill
inline constexpr std::int64_t kMostKeys = std::int64_t{1} << 40U;      // and values
inline constexpr std::chrono::duration<double> kLongestTime{1e9};      // some thirty years

/// Waits a little, now and then, in a thread of a run: where it matters that a thread stays, and not who comes next.
void pause_perhaps();

/// What an action has at hand: one thread's log, and where its arguments come from.
class Turn {
 public:
  Turn(ThreadLog& log, std::uint64_t seed, std::int64_t first, std::int64_t stride, const StressOptions& options)
      : log_(&log), state_(seed), next_(first), stride_(stride), keys_(options.keys), values_(options.values) {
    const auto most = static_cast<std::int64_t>((options.threads + 1) * (options.operations + options.prefill) + 1);
    span_ = most;
    levels_ = std::clamp<std::int64_t>(INT32_MAX / most, 1, 1000);
  }

  [[nodiscard]] ThreadLog& log() { return *log_; }
  /// The method of the action that is being run.
  [[nodiscard]] RecordedMethod method(std::size_t i = 0) const { return (*methods_)[i]; }
  void set_methods(const std::vector<RecordedMethod>& methods) { methods_ = &methods; }

  std::uint64_t random() {  // splitmix64
    std::uint64_t x = state_ += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31U);
  }
  Fresh fresh() {
    if (values_ > 0) return {static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(values_)) + 1};
    next_ += stride_;
    return {next_};
  }
  /// The same, in random order: for priorities.
  Fresh fresh_priority() {
    const std::int64_t number = fresh().number;
    if (values_ > 0) return {number};
    return {static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(levels_)) * span_ + number};
  }
  Key key() { return {static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(keys_))}; }
  /// The operation in progress was refused, which the type has no word for.
  void refuse() { log_->cancel(); }
  /// A good moment for others to come by.
  static void pause() { pause_perhaps(); }

 private:
  ThreadLog* log_;
  const std::vector<RecordedMethod>* methods_ = nullptr;
  std::uint64_t state_;
  std::int64_t next_, stride_;
  std::int64_t keys_, values_;
  std::int64_t span_, levels_;  // numbers are below span_; a fresh priority is one of them above a level
};

/// Something that a thread can do to the container: mostly one recorded operation. `AnyTurn` is a Turn, or has the same
/// functions: what explores schedules (linchpin/explore.hpp) has another one.
template <class AnyTurn>
struct ActionFor {
  std::vector<std::string> methods;  ///< that it records, by their names in the type
  double weight = 1;
  bool adds = false;  ///< used to prefill
  std::function<void(void* container, AnyTurn& turn)> run;
};
using Action = ActionFor<Turn>;

template <class AnyTurn>
struct PlanFor {
  using TurnType = AnyTurn;
  std::string type;
  std::function<std::shared_ptr<void>()> make;
  std::vector<ActionFor<AnyTurn>> actions = {};
  /// Texts that it records are values in the native notation, such as "[1 [2 nil]]": lists, which recorders do not
  /// know.
  bool notation = false;
};
using Plan = PlanFor<Turn>;

[[nodiscard]] StressResult run(Plan plan, const StressOptions& options);

template <class T>
struct PointedTo {
  using Type = T;
};
template <class T, class D>
struct PointedTo<std::unique_ptr<T, D>> {
  using Type = T;
};
template <class T>
struct PointedTo<std::shared_ptr<T>> {
  using Type = T;
};
template <class T>
using Pointed = typename PointedTo<T>::Type;

/// `make` without its type. A container may be returned by value even if it cannot be moved.
template <class Make>
std::function<std::shared_ptr<void>()> eraser(Make make) {
  using Made = std::invoke_result_t<Make>;
  if constexpr (std::same_as<Pointed<Made>, Made>) {
    struct Holder {
      explicit Holder(Make& function) : container(function()) {}
      Made container;
    };
    return [make = std::move(make)]() mutable -> std::shared_ptr<void> {
      auto holder = std::make_shared<Holder>(make);
      return {holder, &holder->container};
    };
  } else {
    return
        [make = std::move(make)]() mutable -> std::shared_ptr<void> { return std::shared_ptr<Pointed<Made>>(make()); };
  }
}

}  // namespace stress_plan

/// The operations of a container, by hand. Each is a lambda of the container and of the Fresh values and Keys that it
/// wants; what it returns is the result of the operation.
template <class Container, class AnyTurn = stress_plan::Turn>
class Operations {
 public:
  /// `method` is one of the type's methods, as `linchpin types` and the types' READMEs have them.
  template <class Function>
  Operations& add(std::string_view method, Function function, double weight = 1) {
    return add_callable(method, std::move(function), &Function::operator(), weight);
  }
  [[nodiscard]] const std::vector<stress_plan::ActionFor<AnyTurn>>& actions() const { return actions_; }

 private:
  template <class Function, class Result, class... Wanted>
  Operations& add_callable(std::string_view method, Function function,
                           Result (Function::*)(Container&, Wanted...) const, double weight) {
    return add_function<Result, Function, Wanted...>(method, std::move(function), weight);
  }

  template <class Result, class Function, class... Wanted>
  Operations& add_function(std::string_view method, Function function, double weight) {
    constexpr bool kAdds = (std::same_as<Wanted, Fresh> || ...);
    actions_.push_back({.methods = {std::string(method)},
                        .weight = weight,
                        .adds = kAdds,
                        .run = [function](void* container, AnyTurn& turn) {
                          auto& object = *static_cast<Container*>(container);
                          call(function, object, turn, draw<Wanted>(turn)...);
                        }});
    return *this;
  }

  template <class Function, class... Arguments>
  static void call(const Function& function, Container& object, AnyTurn& turn, Arguments... arguments) {
    turn.log().record(
        turn.method(), [&] { return function(object, arguments...); }, arguments.number...);
  }

  template <class Wanted>
  static Wanted draw(AnyTurn& turn) {
    static_assert(std::same_as<Wanted, Fresh> || std::same_as<Wanted, Key>,
                  "an operation takes linchpin::Fresh and linchpin::Key");
    if constexpr (std::same_as<Wanted, Fresh>) {
      return turn.fresh();
    } else {
      return turn.key();
    }
  }

  std::vector<stress_plan::ActionFor<AnyTurn>> actions_;
};

}  // namespace linchpin

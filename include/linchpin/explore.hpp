// Exploring a concurrent container: the interleavings of small scenarios, all up to a bound, on its real code.
//
//   #include "linchpin/explore.hpp"
//   #include "my_queue.hpp"
//
//   int main(int argc, char** argv) {
//     return linchpin::explore_main(argc, argv, linchpin::as::queue, [] { return std::make_unique<MyQueue<int>>(); });
//   }
//
//   find_package(linchpin REQUIRED COMPONENTS explore)
//   add_executable(explore_my_queue explore_my_queue.cpp)
//   linchpin_explore(explore_my_queue)     # compiles with -fsanitize=thread and links a runtime of our own
//
// The code under test is compiled unmodified, with its own <atomic>, locks and containers. All small scenarios of its
// methods are generated (2 threads with one operation each, then two, ...), and of each all schedules with at most so
// many deviations are run: another thread goes on although one could, or a load sees an older store than the newest.
// Each distinct history is decided once, and each schedule is watched for data races, use of freed memory, leaks,
// deadlocks and the like. The first finding ends the run, with the interleaving by source lines and a token that runs
// exactly that schedule again. A clean answer says what was covered (docs/explore.md).
//
// Methods are bound as by linchpin::stress (linchpin/stress/bind.hpp). A scenario can also be written by hand, as a
// lambda a thread:
//
//   linchpin::Threads<Shared> threads([] { return std::make_unique<Shared>(); });
//   threads.add([](Shared& s) { s.data = 1; s.ready.store(true, std::memory_order_release); })
//          .add([](Shared& s) { if (s.ready.load(std::memory_order_acquire)) assert(s.data == 1); });
//   auto result = linchpin::explore(threads);
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "linchpin/check.hpp"
#include "linchpin/explore/finding.hpp"
#include "linchpin/explore/turn.hpp"
#include "linchpin/interleaving.hpp"
#include "linchpin/judgement.hpp"
#include "linchpin/stress/bind.hpp"

namespace linchpin {

enum class ExploreMemory : std::uint8_t {
  sequential,  ///< every load sees the newest store; missing orders show as data races
  cpp20,       ///< loads may see older stores, as C++20 allows, but for what docs/explore.md names
};
/// Which operation comes before which, so that the type's order has to keep it.
enum class ExploreOrder : std::uint8_t {
  real_time,       ///< returned before the other was called; under C++20 its effects are then seen, too
  happens_before,  ///< its return happens before the other's call, as C++ has it; nothing else is seen or ordered
};
enum class ExploreStrategy : std::uint8_t {
  bounded,  ///< all schedules with at most `deviations`, fewest first
  random,
  pct,         ///< random priorities that change a few times
  dpor,        ///< one or a few of all schedules that only swap steps which do not depend on each other
  exhaustive,  ///< all schedules, for small scenarios
  hitting,     ///< each operation as a whole, in orders that hit all tuples of `depth` operations
};
/// What a scenario's threads are, of which one runs at a time.
enum class ExploreSwitching : std::uint8_t {
  fibers,   ///< of one thread of the system, each with thread-local storage of its own
  threads,  ///< of the system: slower; for code that asks the system which thread it is, and for debuggers
};
/// What becomes of memory that was freed.
enum class ExploreReuse : std::uint8_t { none, lifo, fifo };

struct ExploreOptions {
  unsigned threads = 2;                   ///< of generated scenarios, at most; up to 6
  unsigned operations = 2;                ///< of a thread, at most; up to 6
  unsigned prefix = 2;                    ///< values added by one thread before the others begin, at most
  unsigned keys = 2;                      ///< of sets and maps: how many different ones
  unsigned deviations = 2;                ///< preemptions and loads of older stores in one schedule, together, at most
  std::string scenario = {};              ///< only this one: "enqueue 1; enqueue 2, dequeue | dequeue"
  std::vector<std::string> methods = {};  ///< of the type, to be called; empty: those that stress calls
  ExploreMemory memory = ExploreMemory::sequential;
  ExploreOrder order = ExploreOrder::real_time;
  ExploreStrategy strategy = ExploreStrategy::bounded;
  ExploreReuse reuse = ExploreReuse::none;
  ExploreSwitching switching = ExploreSwitching::fibers;   ///< threads where fibers cannot be had
  std::uint64_t seed = 1;                                  ///< of random and pct
  unsigned depth = 3;                                      ///< of pct and hitting, at most 8: operations or steps whose
                                                           ///< order matters
  std::uint64_t schedules = 0;                             ///< of one scenario, at most; 0: as many as there are, and
                                                           ///< 10,000 by random and pct
  std::optional<std::chrono::duration<double>> time = {};  ///< at most, all in all
  /// What is found within the bounds comes first. Where nothing is, so long beyond them, by the bounded strategy:
  /// freed memory used again, one more operation each, one more thread. It is told apart from what the bounds cover.
  std::chrono::duration<double> beyond = std::chrono::duration<double>(0);
  unsigned steps = 20'000;  ///< a schedule with more is an endless loop
  bool races = true;        ///< a data race is a finding; without, plain accesses are steps that may interleave, too
  bool leaks = true;        ///< a block that outlives the object is a finding
  bool deadlocks = true;    ///< waiting for ever is a finding; without, such operations are pending
  bool minimise = true;     ///< make the scenario of a finding smaller
  std::string replay = {};  ///< a token: only that schedule
  /// Processes that share generated scenarios; 1 to 64. The answer is that of one. They are forked: no other thread of
  /// the program may be running, and each has its memory.
  unsigned jobs = 1;
  /// Only the generated scenarios of this shard: those whose number is `shard` (from 0) modulo `shards`. `complete` is
  /// then about these.
  unsigned shard = 0, shards = 1;
  /// A file that says what was covered. A run with the same program and the same bounds goes on from it
  /// (docs/explore.md).
  std::string certificate = {};
  bool certificate_new = false;  ///< whatever the file says: begin it anew
  bool progress = false;         ///< on standard error
};

[[nodiscard]] std::string_view name(ExploreFinding finding);

using ExploreStep = InterleavingStep;

/// A line of the program.
struct ExplorePlace {
  std::string path;  ///< as it was compiled
  unsigned line = 0;
};

/// What was covered of scenarios of one size.
struct ExploreCoverage {
  unsigned threads = 0, operations = 0;
  ExploreReuse reuse = ExploreReuse::none;
  bool beyond = false;  ///< of the bounds
  std::size_t scenarios = 0, scenarios_in_all = 0;
  std::uint64_t schedules = 0;
  std::size_t histories = 0;
  std::size_t one_by_one =
      0;  ///< scenarios of which dpor ran all schedules: threads spin for ever or share their stacks
  std::size_t held_back = 0;  ///< scenarios in which a thread waited for others although it could have gone on: it had
                              ///< looked in vain 31 times, or taken 1,000 steps, and was not done
};

struct ExploreResult {
  ExploreFinding finding = ExploreFinding::none;
  std::string message;               ///< of a finding: what is wrong, in a few lines
  std::string scenario;              ///< of a finding
  std::string token;                 ///< replays it
  unsigned deviations = 0;           ///< with which it was found
  std::vector<ExplorePlace> places;  ///< of a finding that is at a line: that one, and then what it conflicts with
  std::vector<ExploreStep> interleaving;
  std::optional<History> history;  ///< of a container: what the schedule's operations did; the times are steps of the
                                   ///< interleaving, from 1
  std::uint64_t schedules = 0;     ///< until the finding, or all in all; without those of making it smaller
  std::uint64_t steps = 0;
  std::size_t scenarios = 0;
  std::size_t known = 0;              ///< of the scenarios: by the certificate, from an earlier run
  std::size_t histories = 0;          ///< distinct ones, a scenario each
  std::vector<std::string> outcomes;  ///< of Threads::observe: all that there are, sorted
  std::vector<ExploreCoverage> coverage;
  bool complete = false;  ///< nothing was left out within the bounds
  double seconds = 0;
  ExploreOptions options;
  std::optional<Error> error;  ///< it could not be explored

  [[nodiscard]] bool ok() const { return finding == ExploreFinding::none && !error; }
  /// For people: the finding with its interleaving, or what was covered.
  [[nodiscard]] std::string to_string() const;
  [[nodiscard]] std::string to_json() const;
};

/// For the matchers of linchpin/gtest.hpp and linchpin/catch2.hpp: nothing was found, and nothing within the bounds was
/// left out.
[[nodiscard]] inline Judgement judge(const ExploreResult& result) {
  return {.linearizable = result.ok() && result.complete, .message = result.to_string()};
}
inline void PrintTo(const ExploreResult& result, std::ostream* out) {  // NOLINT(readability-identifier-naming)
  *out << "an exploration of " << result.schedules << " schedules";
}

namespace explore_plan {

/// Threads by hand, without their types.
struct Program {
  std::function<std::shared_ptr<void>()> make;
  std::vector<std::function<void(void*)>> threads;
  std::function<void(void*)> after;
  std::function<std::string(void*)> observe;
};

[[nodiscard]] ExploreResult run(Plan plan, const ExploreOptions& options);
[[nodiscard]] ExploreResult run(Program program, const ExploreOptions& options);
[[nodiscard]] int run_main(int argc, char** argv, Plan plan);
[[nodiscard]] int run_main(int argc, char** argv, Program program);

}  // namespace explore_plan

/// The operations of a container by hand, as linchpin::Operations.
template <class Container>
using ExploredOperations = Operations<Container, explore_plan::Turn>;

/// Explores what `make` makes, as an object of the type (linchpin::as::queue, stack, ...).
template <class Type, class Make>
requires stress_plan::Bindable<Type>
[[nodiscard]] ExploreResult explore(const Type& type, Make make, const ExploreOptions& options = {}) {
  return explore_plan::run(stress_plan::plan_of<explore_plan::Plan>(type, std::move(make)), options);
}
/// The same for any type that `linchpin types` lists, with the operations given.
template <class Make, class Container>
[[nodiscard]] ExploreResult explore(std::string_view type, Make make,
                                    const Operations<Container, explore_plan::Turn>& operations,
                                    const ExploreOptions& options = {}) {
  return explore_plan::run(stress_plan::plan_of<explore_plan::Plan>(type, std::move(make), operations), options);
}

/// A program of its own: options from the command line (--help lists them), the answer on standard output. Returns the
/// exit code: 0 nothing found, 1 a finding, 2 wrong options or not to be explored, 3 not all was covered in time.
template <class Type, class Make>
requires stress_plan::Bindable<Type>
[[nodiscard]] int explore_main(int argc, char** argv, const Type& type, Make make) {
  return explore_plan::run_main(argc, argv, stress_plan::plan_of<explore_plan::Plan>(type, std::move(make)));
}

/// A scenario by hand: what threads do to a shared state.
template <class State>
class Threads {
 public:
  template <class Make>
  explicit Threads(Make make) {
    program_.make = stress_plan::eraser(std::move(make));
  }
  /// A thread, from its beginning to its end.
  template <class Function>
  Threads& add(Function function) {
    program_.threads.push_back([function](void* state) { function(*static_cast<State*>(state)); });
    return *this;
  }
  /// When all threads are done; assert here.
  template <class Function>
  Threads& after(Function function) {
    program_.after = [function](void* state) { function(*static_cast<State*>(state)); };
    return *this;
  }
  /// When all threads are done: a text that says how it ended. ExploreResult::outcomes has all that are possible.
  template <class Function>
  Threads& observe(Function function) {
    program_.observe = [function](void* state) -> std::string { return function(*static_cast<State*>(state)); };
    return *this;
  }
  [[nodiscard]] const explore_plan::Program& program() const { return program_; }

 private:
  explore_plan::Program program_;
};

/// Explores the schedules of threads written by hand.
template <class State>
[[nodiscard]] ExploreResult explore(const Threads<State>& threads, const ExploreOptions& options = {}) {
  return explore_plan::run(threads.program(), options);
}
/// The same as a program of its own; see above. Options of scenarios have no effect.
template <class State>
[[nodiscard]] int explore_main(int argc, char** argv, const Threads<State>& threads) {
  return explore_plan::run_main(argc, argv, threads.program());
}

}  // namespace linchpin

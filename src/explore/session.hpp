// Explores one scenario: runs schedules, decides each distinct history once, and tells the first thing that is wrong.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "explore/subject.hpp"
#include "linchpin/explore.hpp"

namespace linchpin::explorer {

/// Something wrong, with the schedule that shows it.
struct Found {
  ExploreFinding finding = ExploreFinding::none;
  std::string message;
  Finding details;  ///< of what the runtime finds
  std::vector<std::uint8_t> choices = {};
  unsigned deviations = 0;
};

/// Two histories with the same one are taken to be the same.
struct Fingerprint {
  std::uint64_t first = 0, second = 0;
  auto operator<=>(const Fingerprint&) const = default;
  template <class Hash>
  friend Hash AbslHashValue(Hash hash, const Fingerprint& fingerprint) {
    return Hash::combine(std::move(hash), fingerprint.first, fingerprint.second);
  }
};

/// Some schedules of a scenario that come one after the other: from one node of the tree of choices up to another
/// (schedule/bounded.hpp), or so many at random.
struct Stretch {
  using Node = std::vector<std::uint8_t>;
  unsigned bound = 0;  ///< deviations
  Node from, to;       ///< `to` empty: to the end
  std::uint64_t first = 0, count = 0;
};

struct Explored {
  std::optional<Found> found;
  std::uint64_t schedules = 0, steps = 0;
  std::size_t histories = 0;
  bool complete = true;     ///< all schedules within the bound were run
  bool exhausted = true;    ///< a larger bound would give no more
  bool one_by_one = false;  ///< dpor could not follow, and all schedules were run
  bool held_back = false;   ///< a thread that looked in vain was (Counts::held_back)
};

/// How many schedules of a scenario are run by strategies that have no end.
[[nodiscard]] std::uint64_t samples_of(const ExploreOptions& options);

/// The error that there is where nothing of the code under test has shown itself since.
[[nodiscard]] std::optional<Error> unseen(std::uint64_t accesses_before);

class Session {
 public:
  using Clock = std::chrono::steady_clock;

  /// `container` is null for threads by hand.
  Session(Subject& subject, const ContainerSubject* container, const ExploreOptions& options);

  /// Errors: what the machine lacks; a type that there is not; code that is not instrumented.
  [[nodiscard]] std::optional<Error> prepare();
  /// Runs the scenario once, so that what the program makes on first use is made, and actions' arguments are known.
  /// What blocks for good is found here already.
  [[nodiscard]] std::optional<Found> warm_up();
  [[nodiscard]] Explored explore(std::uint64_t most_schedules = UINT64_MAX);
  /// Only these, by the strategies that can be divided (divide.hpp). `histories` gets what was seen.
  [[nodiscard]] Explored explore(const Stretch& stretch, std::vector<Fingerprint>& histories);
  /// Nodes of the tree of all schedules with at most so many deviations, at least so many unless there are fewer, in
  /// their order: the first is the root. Runs some schedules for that, which are not counted.
  [[nodiscard]] std::vector<Stretch::Node> nodes(unsigned bound, std::size_t wanted);
  /// Runs one schedule with its trace kept in the engine.
  [[nodiscard]] std::optional<Found> replay(const std::vector<std::uint8_t>& choices);

  void set_deadline(std::optional<Clock::time_point> deadline) { deadline_ = deadline; }
  /// The same for the time that the process has had the processor, which other programs do not use up; in seconds.
  void set_processor_deadline(std::optional<double> deadline) { processor_deadline_ = deadline; }
  /// How much of that the process has had.
  [[nodiscard]] static double processor_time();
  void set_reuse(ExploreReuse reuse) { options_.reuse = reuse; }
  [[nodiscard]] bool late() const {
    return (deadline_ && Clock::now() >= *deadline_) ||
           (processor_deadline_ && processor_time() >= *processor_deadline_);
  }
  [[nodiscard]] std::uint64_t schedules() const { return schedules_; }
  [[nodiscard]] const std::set<std::string>& outcomes() const { return outcomes_; }
  void forget_outcomes() { outcomes_.clear(); }
  std::function<void()> progress;  ///< called now and then
  std::function<bool()> stopped;   ///< asked now and then: the rest of the scenario is of no use

 private:
  struct Seen;

  /// All that the strategy gives, up to a finding. False: one was found, or the rest is left out.
  bool run_all(Strategy& strategy, std::uint64_t most_schedules, Seen& seen, Explored& explored);
  std::optional<Found> run(Strategy& strategy, Seen& seen);
  /// The same, for a strategy's first schedule: kept for comparing, or compared with the one that was kept.
  std::optional<Found> run_first(Strategy& strategy, Seen& seen);
  /// Runs the choices of the schedule that was kept once more. It must be the same one.
  std::optional<Found> repeat_first();
  /// Where the latest schedule is another one than that.
  [[nodiscard]] std::optional<Found> difference() const;
  [[nodiscard]] Settings settings() const;
  [[nodiscard]] static Fingerprint fingerprint();
  std::optional<Found> decide();
  /// A history that real time makes a violation may still have an order by what happens before what.
  [[nodiscard]] std::optional<Found> decide_by_happens_before(const History& history) const;

  Subject& subject_;
  const ContainerSubject* container_;
  ExploreOptions options_;
  CheckOptions check_;
  std::optional<Clock::time_point> deadline_;
  std::optional<double> processor_deadline_;
  std::uint64_t schedules_ = 0;
  std::set<std::string> outcomes_;
  bool kept_ = false;
  std::vector<TraceStep> first_;  // the steps of the first schedule
  std::vector<std::uint8_t> first_choices_;
};

}  // namespace linchpin::explorer

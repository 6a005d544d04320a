#include "explore/divide.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <climits>
#include <iterator>
#include <map>
#include <set>
#include <thread>
#include <utility>

#include "explore/jobs.hpp"
#include "explore/shared_memory.hpp"
#include "linchpin/hash.hpp"

namespace linchpin::explorer {

namespace {

constexpr unsigned kMostRounds = 64;         // bounds
constexpr std::size_t kStretches = 256;      // of a bound, at least, unless there are fewer schedules
constexpr std::uint64_t kSamplesEach = 100;  // schedules at random, of a stretch

/// What all processes see. A round is a bound.
struct Allotment {
  struct Round {
    std::atomic<std::uint64_t> fingerprint = 0;  ///< of its stretches; 0: not yet known
    std::atomic<std::uint32_t> taken = 0, done = 0;
    std::atomic<bool> limited = false;  ///< a larger bound would give more
  };
  std::array<Round, kMostRounds> rounds = {};
};

unsigned rounds_of(const ExploreOptions& options) {
  return options.strategy == ExploreStrategy::bounded ? options.deviations + 1 : 1;
}

std::vector<Stretch> stretches_of(Session& session, const ExploreOptions& options, unsigned round) {
  std::vector<Stretch> stretches;
  if (options.strategy == ExploreStrategy::random) {
    const std::uint64_t samples = samples_of(options);
    for (std::uint64_t first = 0; first < samples; first += kSamplesEach) {
      Stretch stretch;
      stretch.first = first;
      stretch.count = std::min(kSamplesEach, samples - first);
      stretches.push_back(std::move(stretch));
    }
    return stretches;
  }
  const unsigned bound = options.strategy == ExploreStrategy::bounded ? round : UINT_MAX;
  const std::vector<Stretch::Node> nodes = session.nodes(bound, kStretches);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    Stretch stretch;
    stretch.bound = bound;
    stretch.from = nodes[i];
    if (i + 1 < nodes.size()) stretch.to = nodes[i + 1];
    stretches.push_back(std::move(stretch));
  }
  return stretches;
}

/// Never 0.
std::uint64_t fingerprint_of(const std::vector<Stretch>& stretches) {
  std::string text;
  for (const Stretch& stretch : stretches) {
    text.append(stretch.from.begin(), stretch.from.end());
    text += static_cast<char>(0xff);
  }
  return hash_of(text) | 1U;
}

Error other_schedules() {
  Error error;
  error.code = ErrorCode::unsupported;
  error.message = "the schedules of the scenario are not the same in each process: something outlives a schedule";
  error.hint = "--jobs 1 tells the first difference";
  return error;
}

/// A process' side: stretch by stretch.
class Helper {
 public:
  Helper(Session& session, const ExploreOptions& options, Allotment& allotment, Listener& listener)
      : session_(session), options_(options), shared_(allotment), listener_(listener) {}

  Outcome run() {
    for (unsigned round = 0; round < rounds_of(options_); ++round) {
      const std::vector<Stretch> stretches = stretches_of(session_, options_, round);
      std::uint64_t before = 0;
      const std::uint64_t own = fingerprint_of(stretches);
      if (!shared_.rounds[round].fingerprint.compare_exchange_strong(before, own) && before != own) {
        return {.error = other_schedules(), .found = {}, .scenario = {}};
      }
      listener_.began(round, stretches.size(), true);
      if (!take_part(round, stretches) || !all_done(round, stretches.size())) break;
      if (!shared_.rounds[round].limited) break;
    }
    return std::move(outcome_);
  }

 private:
  /// False: something was found, or there is no more time.
  bool take_part(unsigned round, const std::vector<Stretch>& stretches) {
    Allotment::Round& shared = shared_.rounds[round];
    for (;;) {
      const std::uint32_t number = shared.taken.fetch_add(1);
      if (number >= stretches.size()) return true;
      const Place place = place_of(round, number);
      if (session_.late() || listener_.is_over(place)) return false;
      session_.stopped = [&] { return listener_.is_over(place); };
      session_.progress = [&] { listener_.progress(session_.schedules()); };
      const std::uint64_t freed = engine.counts().freed;
      Piece piece;
      Explored explored = session_.explore(stretches[number], piece.histories);
      session_.stopped = nullptr;
      piece.place = place;
      piece.schedules = explored.schedules;
      piece.steps = explored.steps;
      piece.complete = explored.complete || explored.found.has_value();
      piece.limited = !explored.exhausted;
      piece.held_back = explored.held_back;
      piece.frees = engine.counts().freed > freed;
      piece.outcomes.assign(session_.outcomes().begin(), session_.outcomes().end());
      session_.forget_outcomes();
      if (piece.limited) shared.limited = true;
      listener_.explored_piece(piece);
      if (explored.found) {
        listener_.found(place);
        outcome_.found = std::move(explored.found);
        outcome_.place = place;
        return false;
      }
      // What ends at random ends by its number, and not since the time is up.
      if (!piece.complete && (session_.late() || listener_.is_over(place))) return false;
      ++shared.done;
    }
  }

  /// Waits for the other processes. False: it is of no use, since something was found, or the time is up.
  bool all_done(unsigned round, std::size_t stretches) const {
    while (shared_.rounds[round].done < stretches) {
      if (session_.late() || listener_.is_over(place_of(round + 1, 0))) return false;
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    return true;
  }

  Session& session_;
  const ExploreOptions& options_;
  Allotment& shared_;
  Listener& listener_;
  Outcome outcome_;
};

/// The side of who has started them.
class Collector final : public Listener {
 public:
  explicit Collector(const std::function<void(std::uint64_t)>& progress) : progress_(progress) {}

  void began(std::uint32_t round, std::size_t stretches, bool /*all*/) override { stretches_[round] = stretches; }
  void explored(const Entry& /*entry*/) override {}
  void explored_piece(const Piece& piece) override { pieces_[piece.place] = piece; }
  void progress(std::uint64_t schedules) override { progress_(schedules); }
  [[nodiscard]] bool is_over(Place /*place*/) const override { return false; }
  void found(Place /*place*/) override {}

  [[nodiscard]] bool has_all_before(Place place) const {
    for (const auto& [round, stretches] : stretches_) {
      for (std::uint32_t number = 0; number < stretches && place_of(round, number) < place; ++number) {
        const auto found = pieces_.find(place_of(round, number));
        if (found == pieces_.end() || !found->second.complete) return false;
      }
    }
    return true;
  }

  /// All pieces up to the place.
  void tell(Divided& divided, const ExploreOptions& options, Place end) const {
    Explored& all = divided.explored;
    std::set<Fingerprint> histories;
    std::set<std::string> outcomes;
    std::map<std::size_t, std::size_t> complete, limited;  // pieces, of each round
    for (const auto& [place, piece] : pieces_) {
      if (place > end) break;
      all.schedules += piece.schedules;
      all.steps += piece.steps;
      histories.insert(piece.histories.begin(), piece.histories.end());
      outcomes.insert(piece.outcomes.begin(), piece.outcomes.end());
      all.held_back = all.held_back || piece.held_back;
      divided.frees = divided.frees || piece.frees;
      complete[portion_of(place)] += piece.complete ? 1 : 0;
      limited[portion_of(place)] += piece.limited ? 1 : 0;
    }
    all.histories = histories.size();
    divided.outcomes.assign(outcomes.begin(), outcomes.end());
    const std::size_t last = stretches_.empty() ? 0 : stretches_.rbegin()->first;
    all.exhausted = !stretches_.empty() && limited[last] == 0;
    all.complete = all.exhausted || last + 1 == rounds_of(options);
    for (const auto& [round, stretches] : stretches_) all.complete = all.complete && complete[round] == stretches;
    all.complete = all.complete && !stretches_.empty();
    all.exhausted = all.exhausted && all.complete;
  }

 private:
  const std::function<void(std::uint64_t)>& progress_;
  std::map<std::uint32_t, std::size_t> stretches_;  // of each round that was begun
  std::map<Place, Piece> pieces_;
};

}  // namespace

bool divisible(const ExploreOptions& options) {
  switch (options.strategy) {
    case ExploreStrategy::random: return true;
    case ExploreStrategy::exhaustive: return options.schedules == 0;
    case ExploreStrategy::bounded: return options.schedules == 0 && options.deviations < kMostRounds;
    default: return false;
  }
}

Divided explore_divided(const ExploreOptions& options, std::optional<Session::Clock::time_point> deadline,
                        const Prepared& prepare, const std::function<void(std::uint64_t schedules)>& progress) {
  Divided divided;
  const SharedMemory<Allotment> allotment;
  if (allotment.get() == nullptr) {
    divided.error = no_shared_memory();
    return divided;
  }
  Collector collector(progress);
  Outcome outcome = explore_by_jobs(
      options.jobs, [&](Place place) { return collector.has_all_before(place); }, collector,
      [&](const Share& /*share*/, Listener& listener) {
        Outcome prepared;
        Session* const session = prepare(prepared);
        if (prepared.found) listener.found(prepared.place);
        if (session == nullptr) return prepared;
        session->set_deadline(deadline);
        return Helper(*session, options, *allotment.get(), listener).run();
      });
  divided.error = std::move(outcome.error);
  divided.explored.found = std::move(outcome.found);
  collector.tell(divided, options, outcome.place);
  if (divided.explored.found) divided.explored.complete = false;
  divided.late = !divided.explored.complete && deadline && Session::Clock::now() >= *deadline;
  return divided;
}

}  // namespace linchpin::explorer

// Decides histories of a container whose values repeat and whose order matters: a set of contents for each mask.
//
// Idea: go through the events with the window of open operations, as the configuration set of decide/search does, but
// keep one set of contents for each mask instead of one configuration for each content: what a mask has done leaves
// only the order open, operations touch an end, and sets share what lies further inside. The domain says how
// (stack/stack_frontier.hpp, deque/deque_frontier.hpp).
// A witness often needs few configurations: at first only a few (`width`), the most promising, are kept after each
// response (the domain's `cost`). Where none of them goes on, the search goes back some responses, keeps more there,
// and weighs them in another way; every other time it goes back to where values were added that lie at the end in
// question, and keeps more about that place. A response that cannot be passed refutes the history if nothing was left
// out up to there, or if the last events refute it whatever was before them (`Past`), which is tried from time to time.
// Cost: O(n) in practice for a fixed number k of open operations, 2^k masks at worst; memory the sets of one moment.
// Witness: copies of the configurations at checkpoints; from the last one to the first, the events between two are run
// again with the configurations before each response kept, and walked back with contents all of which lead to the end.
// Core: none but the response that cannot be passed (a prefix); decide/explain makes it small. Source:
// docs/design/search.md, sets of stacks and of contents. Tests: tests/cross, stack/stack_sets_test.cpp,
// deque/deque_sets_test.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "algo/frontier/frontier.hpp"
#include "base/none.hpp"
#include "core/search_task.hpp"
#include "history/subhistory.hpp"

namespace linchpin::types {

/// How the search goes about it; the verdict does not depend on it.
struct ContentSetEffort {
  std::size_t width = 24;    ///< configurations kept at first
  std::uint32_t past = 128;  ///< events before the failing one from which it is first refuted with an unknown past
  unsigned past_level = 3;   ///< how often it goes back before
  unsigned past_share = 1;   ///< of the steps that were made in vain, it gets one in so many
};

/// Of what is due soon, against how early or late operations are done.
inline constexpr std::array<std::int64_t, 4> kDueWeights{4, 1, 2, 8};
/// In how many ways it can go about it: with which weight it begins.
inline constexpr unsigned kContentSetWays = kDueWeights.size();

/// What is kept after a response, and how the configurations are weighed.
struct ContentSetManner {
  std::size_t width;
  std::size_t first_weight;  ///< which of kDueWeights counts first
  bool sparing;              ///< what is seldom needed may be left out too: nothing was missed about here so far
  bool all_ways;             ///< nothing is left out but for the width
  bool operator==(const ContentSetManner&) const = default;
  /// A domain's cost, by the first weight or the one `further` behind it.
  [[nodiscard]] std::int64_t weigh(const auto& cost, std::size_t further = 0) const {
    return cost.order + kDueWeights[(first_weight + further) % kDueWeights.size()] * cost.due;
  }
  [[nodiscard]] algo::Effort effort() const {
    return {.passed = width + width / 4, .met_before_passed = kMetBeforeStuck * width};
  }

 private:
  static constexpr std::size_t kMetBeforeStuck = 256;  // configurations, for each that is kept
};

/// Where the search stands: configurations of one domain.
template <class OfDomain>
class OneFrontier {
 public:
  using Domain = OfDomain;
  using Mask = typename Domain::Mask;
  using Joint = algo::Frontier<Domain>;
  using Configurations = std::vector<typename Joint::Configuration>;
  /// What is copied to go back to.
  using State = Configurations;

  OneFrontier(const algo::FixedSlots& slots, const history::Subhistory& part, const typename Domain::Acts& acts)
      : frontier_(slots, algo::Order{.due = part.response}, false, part, acts) {}

  /// The frontier that goes through the events, which also finds the way back.
  [[nodiscard]] Joint& joint() { return frontier_; }
  [[nodiscard]] const Joint& joint() const { return frontier_; }
  [[nodiscard]] State state() const { return frontier_.current(); }
  void go_to(State state) { frontier_.current() = std::move(state); }
  /// Calls `attempt(configurations, target)` for configurations of the state that are within the mask, until it says
  /// true; some of these lead to the mask and the target over the response of x, if any do.
  template <class Attempt>
  bool try_within(State state, const Mask& mask, std::uint32_t, typename Domain::Set target, Attempt&& attempt) {
    std::erase_if(state, [&](const auto& each) { return (each.mask & ~mask).any(); });
    return attempt(std::move(state), target);
  }
  /// Contents of the set to go back with: each of them came about, so that some are as good as all.
  [[nodiscard]] typename Domain::Set to_follow(typename Domain::Set set) const { return set; }
  /// Of what is known, the mask with the most operations done, and its contents.
  [[nodiscard]] std::pair<Mask, typename Domain::Set> furthest() const {
    const auto fewer = [](const auto& a, const auto& b) { return a.mask.count() < b.mask.count(); };
    const auto most = std::max_element(frontier_.current().begin(), frontier_.current().end(), fewer);
    return {most->mask, most->set};
  }
  [[nodiscard]] typename Domain::Level level(std::uint32_t passed) const {
    return frontier_.domain().level(frontier_.current().front(), passed);
  }

  // As of algo::Frontier.
  void call(std::uint32_t x) { frontier_.call(x); }
  void respond(std::uint32_t x, const ContentSetManner& manner, history::Rank) {
    if constexpr (requires { frontier_.domain().limit(true); }) frontier_.domain().limit(manner.all_ways);
    frontier_.respond(x, manner.effort());
  }
  [[nodiscard]] bool busy() const { return frontier_.busy(); }
  void step() { frontier_.step(); }
  [[nodiscard]] bool refuted() const { return frontier_.refuted(); }
  /// Whether the last response left something out.
  [[nodiscard]] bool left_out() const { return frontier_.left_out(); }
  void open(std::uint32_t x) { frontier_.open(x); }
  void shut(std::uint32_t x) { frontier_.shut(x); }
  [[nodiscard]] std::uint64_t steps() const { return frontier_.steps(); }
  [[nodiscard]] bool may_grow(core::Budget& budget) const { return frontier_.may_grow(budget); }

  void set_staying(std::vector<bool> staying) { frontier_.domain().set_staying(std::move(staying)); }
  /// Keeps the most promising configurations, after the event before that rank, as many by each weight that
  /// counts; true if there were more.
  bool narrow(const ContentSetManner& manner, history::Rank now) {
    if (frontier_.current().size() <= manner.width) return false;
    frontier_.domain().weigh(now);
    constexpr std::size_t kWeights = Domain::kWeightsAtOnce;
    return frontier_.template narrow_by<kWeights>(manner.width, [&](const auto& each) {
      const auto cost = frontier_.domain().cost(each);
      std::array<std::int64_t, kWeights> costs;
      for (std::size_t k = 0; k < kWeights; ++k) costs[k] = manner.weigh(cost, k);
      return costs;
    });
  }

  /// Keeps what these states need, and renames it there.
  void collect(std::span<State* const> states, std::span<typename Domain::Set* const> sets) {
    auto& all = frontier_.domain().sets();
    const auto each_set = [&](auto&& body) {
      for (auto& each : frontier_.current()) body(each.set);
      for (State* const state : states) {
        for (auto& each : *state) body(each.set);
      }
      for (auto* const set : sets) body(*set);
    };
    each_set([&](typename Domain::Set set) { all.mark(set); });
    all.collect();
    each_set([&](typename Domain::Set& set) { set = all.renamed(set); });
  }

 private:
  Joint frontier_;
};

/// @tparam OfFrontier  as OneFrontier
/// @tparam OfPast      refutes without a past: `begin(from, until)`, `advance()`, `rank()`, `steps()`,
///                     `may_grow(budget)`
template <class OfFrontier, class OfPast>
class ContentSetSearch final : public core::SearchTask {
  using Domain = typename OfFrontier::Domain;
  using Past = OfPast;
  using State = typename OfFrontier::State;
  using Manner = ContentSetManner;
  using Mask = typename Domain::Mask;
  using Acts = typename Domain::Acts;
  using Set = typename Domain::Set;
  using Derivation = typename Domain::Derivation;
  using Level = typename Domain::Level;
  using Event = history::Event;
  using Rank = history::Rank;
  using Configurations = typename OfFrontier::Configurations;
  static constexpr Set kNothing = Domain::Sets::kNothing;

 public:
  static constexpr std::uint32_t kApart = 16;  ///< responses between two checkpoints

  /// @param slots    fixed ones, of all operations that are not `skipped`
  /// @param staying  by operation: additions of which a guess says that they stay long
  /// @param wider    by section of kApart responses: how often the width is doubled there from the beginning
  /// @param more     of the frontier
  template <class... More>
  ContentSetSearch(const history::Subhistory& part, const core::DeciderOptions& options, const ContentSetEffort& effort,
                   Acts acts, const algo::FixedSlots& slots, std::vector<bool> staying, std::vector<std::uint8_t> wider,
                   More... more)
      : part_(part),
        options_(options),
        effort_(effort),
        acts_(std::move(acts)),
        frontier_(slots, part, acts_, more...),
        width_(effort.width),
        wider_(std::move(wider)) {
    // About as many checkpoints as events between two.
    while (stride_ * stride_ < part.ranks().number()) stride_ *= 2;
    frontier_.set_staying(std::move(staying));
    wider_.resize(part.size() / kApart + 1, 0);
  }

  bool run(std::uint64_t steps, core::Budget& budget) override {
    const std::uint64_t stop_at = steps_taken() + steps;
    while (status_ == Status::searching) {
      if (steps_taken() >= stop_at) return false;
      ++turns_;
      if (budget.spent() || !may_grow(budget)) {
        status_ = Status::gave_up;
        reason_ = budget.reason();
        break;
      }
      advance();
    }
    if (!walked_back_ && options_.witness && status_ != Status::gave_up) {
      walked_back_ = true;
      walk_back(budget);
    }
    return true;
  }

  core::Outcome outcome() const override {
    core::Outcome outcome;
    switch (status_) {
      case Status::found:
        outcome.verdict = Verdict::linearizable;
        outcome.witness = path_;
        return outcome;
      case Status::refuted: outcome.verdict = Verdict::violation; break;
      case Status::searching:
      case Status::gave_up: outcome.reason = reason_; break;
    }
    Rank rank = status_ == Status::refuted ? refuted_at_ : rank_;
    while (rank < part_.ranks() && !part_.events()[rank].is_response()) ++rank;
    if (rank < part_.ranks()) outcome.blocked = part_.events()[rank].operation();
    outcome.longest = path_;
    outcome.states = states_;
    return outcome;
  }

  std::uint32_t passed() const override { return passed_; }

 private:
  enum class Status : std::uint8_t { searching, found, refuted, gave_up };
  static constexpr std::size_t kStatesShown = 16;

  static constexpr std::uint64_t kLeastPast = 4096;  // steps, or as many as were made in vain
  static constexpr std::uint32_t kAround = 32;       // responses about a place of additions
  static constexpr std::uint32_t kNextToEnd = 16;    // values whose additions are looked at
  static constexpr unsigned kWidest = 16;            // how often a section's width is doubled
  static constexpr std::uint32_t kSafely = 48;       // so many responses further, few are kept again
  static constexpr std::size_t kNear = 64;           // checkpoints that are all kept
  static constexpr std::uint32_t kMostInVain = 40;   // attempts, before all ways are gone
  static constexpr std::size_t kMostWidth = std::size_t{1} << 40;
  static constexpr std::uint32_t kMostBack = std::uint32_t{1} << 30;

  /// Where the search stood before an event, to begin from again.
  struct Checkpoint {
    Rank rank;
    std::uint32_t passed;
    Manner manner;  // of what follows
    bool exact;     // nothing was left out up to here
    State state;
  };

  /// The configurations before the response of a rank.
  struct Before {
    Rank rank;
    State state;
  };

  [[nodiscard]] auto& joint() { return frontier_.joint(); }
  [[nodiscard]] const auto& joint() const { return frontier_.joint(); }

  [[nodiscard]] std::uint64_t steps_taken() const { return frontier_.steps() + (past_ ? past_->steps() : 0) + turns_; }

  bool may_grow(core::Budget& budget) { return in_past_ ? past_->may_grow(budget) : frontier_.may_grow(budget); }

  void advance() {
    if (in_past_) {
      advance_past();
      return;
    }
    if (frontier_.busy()) {
      frontier_.step();
      after_response();
      return;
    }
    if (rank_ == part_.ranks()) {
      status_ = Status::found;
      return;
    }
    if (checkpoints_.empty() || passed_ >= checkpoints_.back().passed + kApart) note();
    if (joint().domain().sets().worth_collecting()) collect();
    const Event event = part_.events()[rank_];
    if (event.is_response()) {
      frontier_.respond(event.operation(), checkpoints_.back().manner, rank_);
      after_response();
      return;
    }
    if (!joint().domain().skipped(event.operation())) frontier_.call(event.operation());
    ++rank_;
  }

  void after_response() {
    if (frontier_.busy()) return;
    if (!frontier_.refuted()) {
      exact_ = !frontier_.narrow(checkpoints_.back().manner, rank_) && !frontier_.left_out() && !lost() && exact_;
      ++passed_;
      levels_.resize(passed_ - 1);
      levels_.push_back(frontier_.level(passed_));
      ++rank_;
    } else if (exact_ && !frontier_.left_out() && !lost()) {
      status_ = Status::refuted;
      refuted_at_ = rank_;
      states_ = some_states();
    } else if (!begin_past()) {
      go_back();
    }
  }

  [[nodiscard]] bool lost() {
    if constexpr (requires { joint().domain().lost(); }) return joint().domain().lost();
    return false;
  }

  [[nodiscard]] Manner manner() const {
    const std::size_t section = passed_ / kApart;
    const unsigned wider = section < wider_.size() ? wider_[section] : 0;
    return {.width = std::min(kMostWidth, width_ << wider),
            .first_weight = (attempts_ + options_.way) % kDueWeights.size(),
            .sparing = wider == 0 && width_ == effort_.width && attempts_ < kMostInVain,
            .all_ways = attempts_ >= kMostInVain};
  }

  void note() {
    if (attempts_ > 0 && passed_ > stuck_at_ + kSafely) {
      width_ = effort_.width;
      back_ = kApart;
      attempts_ = 0;
      pasts_ = 0;
    }
    checkpoints_.push_back(
        {.rank = rank_, .passed = passed_, .manner = manner(), .exact = exact_, .state = frontier_.state()});
    if (checkpoints_.size() % kNear == 0) thin_out();
  }

  /// Keeps, further back, a few of the checkpoints between which events are searched in one manner.
  void thin_out() {
    const std::size_t near = checkpoints_.size() > kNear ? checkpoints_.size() - kNear : 0;
    std::size_t kept = std::min<std::size_t>(near, 1);
    for (std::size_t at = kept; at < checkpoints_.size(); ++at) {
      const bool needless = at < near && checkpoints_[at].rank < checkpoints_[kept - 1].rank + stride_ &&
                            checkpoints_[at].manner == checkpoints_[kept - 1].manner;
      if (needless) continue;
      if (kept != at) checkpoints_[kept] = std::move(checkpoints_[at]);
      ++kept;
    }
    checkpoints_.erase(checkpoints_.begin() + static_cast<std::ptrdiff_t>(kept), checkpoints_.end());
  }

  /// Tries whether the events about the one that cannot be passed refute the history by themselves: more of them each
  /// time, where the last attempt came to an end. False: not to be tried.
  bool begin_past() {
    if (attempts_ < effort_.past_level) return false;
    if (!past_) past_.emplace(part_, acts_);
    if (!past_goes_on_ || past_for_ != rank_) {
      const std::uint32_t back = effort_.past << std::min(pasts_, 20U);
      if (rank_.number() < back) return false;
      ++pasts_;
      past_for_ = rank_;
      past_goes_on_ = past_->begin(rank_ - back, std::min(rank_ + back, part_.ranks()));
      if (!past_goes_on_) return false;
    }
    past_until_ = past_->steps() + std::max(kLeastPast, (frontier_.steps() - stuck_since_) / effort_.past_share);
    stuck_since_ = frontier_.steps();
    in_past_ = true;
    return true;
  }

  void advance_past() {
    const typename Past::Status status = past_->advance();
    past_goes_on_ = status == Past::Status::going;
    if (past_goes_on_ && past_->steps() < past_until_) return;
    in_past_ = false;
    if (status == Past::Status::refuted) {
      status_ = Status::refuted;
      refuted_at_ = past_->rank();
    } else {
      go_back();
    }
  }

  /// No configuration that was kept passes the response: back to an earlier checkpoint, to keep more from there, near
  /// by and where values were added that lie at an end now, in turns. What lies between is kept as before.
  void go_back() {
    stuck_at_ = std::max(stuck_at_, passed_);
    if (attempts_ == 0) stuck_since_ = frontier_.steps();
    ++attempts_;
    std::uint32_t to = passed_ > back_ ? passed_ - back_ : 0;
    std::uint32_t until = passed_;
    unsigned times = 2;
    const std::vector<std::uint32_t> places = places_of_additions();
    if (attempts_ % 2 == 0 && !places.empty()) {
      const std::uint32_t place = places[(attempts_ / 2 - 1) % places.size()];
      to = place > kAround ? place - kAround : 0;
      until = place + kAround;
      times = 1;
    } else if (attempts_ % 4 == 3) {
      back_ = std::min(2 * back_, kMostBack);
    }
    for (std::size_t section = to / kApart; section <= until / kApart && section < wider_.size(); ++section) {
      wider_[section] = static_cast<std::uint8_t>(std::min(wider_[section] + times, kWidest));
    }
    if (!acts_.repeated || attempts_ % 4 == 0) width_ = std::min(2 * width_, kMostWidth);
    while (checkpoints_.size() > 1 && checkpoints_.back().passed > to) checkpoints_.pop_back();
    Checkpoint& checkpoint = checkpoints_.back();
    checkpoint.manner = manner();
    while (rank_ > checkpoint.rank) reopen(part_.events()[--rank_]);
    frontier_.go_to(checkpoint.state);
    passed_ = checkpoint.passed;
    exact_ = checkpoint.exact;
  }

  /// When values were added that lie at an end now: how many responses had come before, apart from each other and from
  /// where the search is. The order that they were added in may be what is wrong.
  [[nodiscard]] std::vector<std::uint32_t> places_of_additions() const {
    std::vector<std::uint32_t> places;
    std::uint32_t last = passed_;
    const Level now = frontier_.level(passed_);
    const std::span<const Level> levels = std::span(levels_).first(std::min<std::size_t>(passed_, levels_.size()));
    const auto note_place = [&](std::uint32_t place) {
      if (place + 2 * kApart >= last) return;
      places.push_back(place);
      last = place;
    };
    joint().domain().each_addition(levels, now, part_.events()[rank_].operation(), kNextToEnd, note_place);
    return places;
  }

  void collect() {
    std::vector<State*> states;
    for (Checkpoint& checkpoint : checkpoints_) states.push_back(&checkpoint.state);
    for (Before& before : trail_) states.push_back(&before.state);
    frontier_.collect(states, std::array{&target_});
  }

  /// Finds how one of the present configurations came about: the whole witness, or the longest partial one.
  void walk_back(core::Budget& budget) {
    std::tie(mask_, target_) = frontier_.furthest();
    target_ = frontier_.to_follow(target_);
    joint().domain().record(true);
    for (Rank rank = rank_; rank-- > 0;) {
      const Event event = part_.events()[rank];
      const std::uint32_t local = event.operation();
      if (joint().domain().skipped(local)) continue;
      if (!event.is_response()) {
        frontier_.shut(local);
        if ((mask_ & joint().window().bit(local)).any() && joint().domain().is_pure(local)) {
          path_.push_back(local);
          mask_ &= ~joint().window().bit(local);
        }
        continue;
      }
      const bool known = !trail_.empty() && trail_.back().rank == rank;
      if (budget.spent() || !may_grow(budget) || (!known && !run_again_until(rank, budget))) {
        give_up_way_back(budget);
        return;
      }
      State earlier = std::move(trail_.back().state);
      trail_.pop_back();
      frontier_.open(local);
      if (!undo_response(local, std::move(earlier))) {
        give_up_way_back(budget);
        return;
      }
      if (joint().domain().sets().worth_collecting()) {
        frontier_.go_to({});
        collect();
      }
    }
    joint().domain().record(false);
    std::reverse(path_.begin(), path_.end());
  }

  /// Not even the verdict is certain to be shown: says what is known without the way to it.
  void give_up_way_back(const core::Budget& budget) {
    path_.clear();
    if (status_ != Status::found) return;
    status_ = Status::gave_up;
    reason_ = budget.reason();
  }

  /// Undoes what an event did to the lists of open operations.
  void reopen(Event event) {
    if (joint().domain().skipped(event.operation())) return;
    if (event.is_response()) {
      frontier_.open(event.operation());
    } else {
      frontier_.shut(event.operation());
    }
  }

  /// On the way back, what was not kept: the events from a checkpoint up to that rank, once more. What is open is what
  /// is open behind the event of the rank. False: the budget is spent.
  bool run_again_until(Rank until, core::Budget& budget) {
    while (checkpoints_.back().rank > until) checkpoints_.pop_back();
    const Checkpoint& checkpoint = checkpoints_.back();
    joint().domain().record(false);
    for (Rank rank = until + 1; rank-- > checkpoint.rank;) reopen(part_.events()[rank]);
    frontier_.go_to(checkpoint.state);
    for (Rank rank = checkpoint.rank; rank <= until; ++rank) {
      if (budget.spent() || !may_grow(budget)) return false;
      const Event event = part_.events()[rank];
      if (!event.is_response()) {
        if (!joint().domain().skipped(event.operation())) frontier_.call(event.operation());
        continue;
      }
      trail_.push_back({.rank = rank, .state = frontier_.state()});
      frontier_.respond(event.operation(), checkpoint.manner, rank);
      while (frontier_.busy()) {
        if (budget.spent() || !may_grow(budget)) return false;
        frontier_.step();
      }
      (void)frontier_.narrow(checkpoint.manner, rank);
    }
    joint().domain().record(true);
    return true;
  }

  /// From (mask_, target_) after a response to a configuration before it, over operations that are put on the path.
  /// False: there is none, which cannot be.
  bool undo_response(std::uint32_t local, State earlier) {
    mask_ |= joint().window().bit(local);
    const auto attempt = [&](Configurations configurations, Set target) {
      target_ = target;
      return lead_back(local, std::move(configurations));
    };
    if (!frontier_.try_within(std::move(earlier), mask_, local, target_, attempt)) return false;
    target_ = frontier_.to_follow(target_);
    return true;
  }
  /// False: none of these configurations is the one before it.
  bool lead_back(std::uint32_t local, Configurations configurations) {
    for (const auto& configuration : configurations) {
      if (configuration.mask != mask_) continue;
      const Set common = joint().domain().sets().intersect(configuration.set, target_);
      if (common == kNothing) continue;
      target_ = common;
      return true;  // it was done before
    }
    const Mask own = joint().window().bit(local);
    if (std::ranges::all_of(configurations, [&](const auto& each) { return (each.mask & own).any(); })) return false;
    joint().current() = std::move(configurations);
    joint().domain().allow(mask_);
    joint().respond(local);
    while (joint().expand()) continue;
    joint().abandon();
    joint().domain().allow(Mask::all());
    const auto& met = joint().met();
    const auto reached = std::find_if(met.begin(), met.end(), [&](const auto& each) {
      return each.mask == mask_ && joint().domain().sets().intersect(each.set, target_) != kNothing;
    });
    if (reached == met.end()) return false;
    auto entry = static_cast<std::uint32_t>(reached - met.begin());
    while (entry != Derivation::kStart) entry = undo_derivation(entry);
    return true;
  }

  /// One step back from an entry of the response; some derivation has contents in common with the target.
  std::uint32_t undo_derivation(std::uint32_t entry) {
    const auto& starts = joint().current();
    if (entry < starts.size()) {
      const Set common = joint().domain().sets().intersect(starts[entry].set, target_);
      if (common != kNothing) {
        target_ = common;
        mask_ = starts[entry].mask;
        return Derivation::kStart;
      }
    }
    for (const Derivation& way : joint().domain().derivations()) {
      if (way.to != entry) continue;
      const Set common = joint().domain().sets().intersect(way.part, target_);
      if (common == kNothing) continue;
      target_ = common;
      mask_ = joint().met()[entry].mask;
      const Mask start = joint().met()[way.from].mask;
      if (way.second != kNone) {
        // Pushed, looked at, popped: the content is the same before and after.
        take_pure(mask_ & ~way.between & ~joint().window().bit(way.second));
        path_.push_back(way.second);
        take_pure(way.between & ~start & ~joint().window().bit(way.first));
        path_.push_back(way.first);
        return way.from;
      }
      take_pure(mask_ & ~start & ~joint().window().bit(way.first));
      path_.push_back(way.first);
      target_ = joint().domain().before(way.first, joint().met()[way.from].set, target_);
      return way.from;
    }
    return Derivation::kStart;  // not reached: each entry is the union of its derivations
  }

  /// Puts the pure operations of the mask on the path; they are among the open ones.
  void take_pure(Mask mask) {
    for (; mask.any(); mask.drop_first()) path_.push_back(joint().window().holder(mask.first()));
  }

  [[nodiscard]] std::vector<std::string> some_states() const {
    std::vector<std::string> states;
    for (const auto& configuration : joint().current()) {
      std::string text = joint().domain().describe(configuration.set);
      if (states.size() == kStatesShown || text.empty()) break;
      if (std::find(states.begin(), states.end(), text) == states.end()) states.push_back(std::move(text));
    }
    return states;
  }

  const history::Subhistory& part_;
  core::DeciderOptions options_;
  ContentSetEffort effort_;
  Acts acts_;
  OfFrontier frontier_;
  Rank rank_ = 0;
  std::uint32_t passed_ = 0;
  std::uint64_t turns_ = 0;

  std::size_t width_;           // of what is kept
  std::uint32_t attempts_ = 0;  // to pass the place at which it is stuck
  std::uint32_t back_ = kApart;
  std::uint32_t stuck_at_ = 0;
  std::uint64_t stuck_since_ = 0;    // steps
  std::vector<std::uint8_t> wider_;  // by section of kApart responses: how often its width is doubled
  std::vector<Level> levels_;        // by response
  bool exact_ = true;                // nothing was left out so far
  std::size_t stride_ = 64;
  std::vector<Checkpoint> checkpoints_;
  std::optional<Past> past_;
  bool in_past_ = false;          // its turn
  bool past_goes_on_ = false;     // it has not come to an end
  Rank past_for_ = 0;             // the event it was begun for
  unsigned pasts_ = 0;            // tried so far about the place
  std::uint64_t past_until_ = 0;  // steps
  bool walked_back_ = false;
  std::vector<Before> trail_;  // on the way back: the responses since a checkpoint
  Mask mask_;                  // what is done
  Set target_ = kNothing;      // contents that lead on
  std::vector<std::uint32_t> path_;
  Rank refuted_at_ = 0;
  std::vector<std::string> states_;  // just before the response that refutes

  Status status_ = Status::searching;
  Reason reason_ = Reason::none;
};

}  // namespace linchpin::types

// Decides stack histories in which values may repeat. Compare: monitor.cpp (unique values, O(n log n)), decide/search.
//
// Idea: go through the events with the window of open operations, as the configuration set of decide/search does, but
// keep one set of stacks for each mask instead of one configuration for each stack (stack_frontier.hpp): what a mask
// has done leaves only the order open, pushes and pops touch the top, and sets share what lies below.
// Precondition: no pop that returned with its result lost, nil is not pushed, at most 1,024 operations open at once.
// A witness often needs few configurations: at first only the 24 most promising are kept after each response
// (stack_frontier.hpp, `cost`). Where none of them goes on, the search goes back some responses, keeps more there, and
// weighs them in another way; every other time it goes back to where values were pushed that lie on top, and keeps more
// about that place. A response that cannot be passed refutes the history if nothing was left out up to
// there, or if the last events refute it whatever was before them (unknown_past.hpp), which is tried from time to time.
// Cost: O(n) in practice for a fixed number k of open operations, 2^k masks at worst; memory the sets of one moment.
// Witness: copies of the configurations at checkpoints; from the last one to the first, the events between two are run
// again with the configurations after each kept, and walked back with a set of stacks all of which lead to the end.
// Core: none but the response that cannot be passed (a prefix); decide/explain makes it small. Source:
// docs/design/search.md, sets of stacks. Tests: tests/cross, stack_sets_test.cpp.
#include "types/stack/set_search.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "types/stack/specification.hpp"
#include "types/stack/stack_frontier.hpp"
#include "types/stack/unknown_past.hpp"

namespace linchpin::types {

namespace {

using history::Event;
using history::Rank;
using Set = StackSets::Set;

template <class Mask>
class StackSetSearch final : public core::SearchTask {
  using Frontier = algo::Frontier<Stacks<Mask>>;
  using Past = StackUnknownPast<Mask>;
  using Domain = Stacks<Mask>;
  using Configurations = std::vector<typename Frontier::Configuration>;

 public:
  StackSetSearch(const history::Subhistory& part, const core::DeciderOptions& options, const StackSetEffort& effort,
                 StackActs acts)
      : part_(part),
        options_(options),
        effort_(effort),
        acts_(std::move(acts)),
        frontier_(stack_slots(part, acts_), algo::Order{.due = part.response}, false, part, acts_),
        width_(effort.width) {
    // About as many checkpoints as events between two.
    while (stride_ * stride_ < part.ranks()) stride_ *= 2;
    frontier_.domain().set_staying(acts_.repeated ? long_staying_pushes(part, acts_) : std::vector<bool>(part.size()));
    find_what_stays();
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
  static constexpr std::uint32_t kHeightShown = 64;

  static constexpr std::uint64_t kLeastPast = 4096;                    // steps, or as many as were made in vain
  static constexpr std::array<std::uint64_t, 4> kWeights{4, 1, 2, 8};  // of what is due, by attempt
  static constexpr std::uint32_t kApart = 16;                          // responses between two checkpoints
  static constexpr std::size_t kLong = 32;                             // sections that a value stays
  static constexpr std::uint32_t kAround = 32;                         // responses about a place of pushes
  static constexpr std::uint32_t kOnTop = 16;                          // values whose pushes are looked at
  static constexpr unsigned kWidest = 16;                              // how often a section's width is doubled
  static constexpr std::uint32_t kSafely = 48;                         // so many responses further, few are kept again
  static constexpr std::size_t kNear = 64;                             // checkpoints that are all kept
  static constexpr std::size_t kMetBeforeStuck = 256;                  // configurations, for each that is kept
  static constexpr std::size_t kMostWidth = std::size_t{1} << 40;
  static constexpr std::uint32_t kMostBack = std::uint32_t{1} << 30;

  /// What is kept after a response.
  struct Manner {
    std::size_t width;
    std::uint64_t weight;
    bool operator==(const Manner&) const = default;
    [[nodiscard]] algo::Effort effort() const {
      return {.passed = width + width / 4, .met_before_passed = kMetBeforeStuck * width};
    }
  };
  /// The configurations before an event, to begin from again.
  struct Checkpoint {
    Rank rank;
    std::uint32_t passed;
    Manner manner;  // of what follows
    bool exact;     // nothing was left out up to here
    Configurations configurations;
  };

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
    if (frontier_.domain().sets().worth_collecting()) collect();
    const Event event = part_.events()[rank_];
    if (event.is_response()) {
      frontier_.respond(event.operation(), checkpoints_.back().manner.effort());
      after_response();
      return;
    }
    if (!frontier_.domain().skipped(event.operation())) frontier_.call(event.operation());
    ++rank_;
  }

  void after_response() {
    if (frontier_.busy()) return;
    if (!frontier_.refuted()) {
      exact_ = !narrow(rank_, checkpoints_.back().manner) && !frontier_.left_out() && exact_;
      heights_.resize(passed_);
      heights_.push_back(height());
      ++passed_;
      ++rank_;
    } else if (exact_ && !frontier_.left_out()) {
      status_ = Status::refuted;
      refuted_at_ = rank_;
      states_ = some_states();
    } else if (!begin_past()) {
      go_back();
    }
  }

  /// Keeps the most promising configurations.
  bool narrow(Rank now, const Manner& manner) {
    if (frontier_.current().size() <= manner.width) return false;
    frontier_.domain().weigh(manner.weight, now);
    return frontier_.narrow(manner.width, [&](const auto& each) { return frontier_.domain().cost(each); });
  }

  [[nodiscard]] Manner manner() const {
    const std::size_t section = passed_ / kApart;
    const unsigned wider = section < wider_.size() ? wider_[section] : 0;
    return {.width = std::min(kMostWidth, width_ << wider), .weight = kWeights[attempts_ % kWeights.size()]};
  }

  /// Where values are pushed that stay long, it shows late in which order: there, more is kept.
  void find_what_stays() {
    std::vector<std::int64_t> least;  // by section: the height, as far as what has returned tells
    std::int64_t height = 0;
    std::size_t responses = 0;
    for (const Event event : part_.events()) {
      if (!event.is_response()) continue;
      const StackAct& act = acts_.of[event.operation()];
      if (!act.pure()) height += act.pops() ? -1 : 1;
      const std::size_t section = responses++ / kApart;
      if (section == least.size()) least.push_back(height);
      least[section] = std::min(least[section], height);
    }
    wider_.assign(least.size(), 0);
    for (std::size_t section = 0; section < least.size(); ++section) {
      std::size_t until = section + 1;
      while (until < least.size() && until - section <= kLong && least[until] >= least[section]) ++until;
      const std::size_t stays = until - section - 1;
      const unsigned times = stays >= kLong ? effort_.wider : stays >= kLong / 4 ? effort_.wider / 2 : 0;
      wider_[section] = static_cast<std::uint8_t>(times);
    }
  }

  void note() {
    if (attempts_ > 0 && passed_ > stuck_at_ + kSafely) {
      width_ = effort_.width;
      back_ = kApart;
      attempts_ = 0;
    }
    checkpoints_.push_back(
        {.rank = rank_, .passed = passed_, .manner = manner(), .exact = exact_, .configurations = frontier_.current()});
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
      const Rank back = effort_.past << std::min(pasts_, 20U);
      if (rank_ < back) return false;
      ++pasts_;
      past_for_ = rank_;
      past_goes_on_ = past_->begin(rank_ - back, std::min<Rank>(rank_ + back, part_.ranks()));
      if (!past_goes_on_) return false;
    }
    past_until_ = past_->steps() + std::max(kLeastPast, frontier_.steps() - stuck_since_);
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
  /// by and where values were pushed that lie on top now, in turns. What lies between is kept as before.
  void go_back() {
    stuck_at_ = std::max(stuck_at_, passed_);
    if (attempts_ == 0) stuck_since_ = frontier_.steps();
    ++attempts_;
    std::uint32_t to = passed_ > back_ ? passed_ - back_ : 0;
    std::uint32_t until = passed_;
    unsigned times = 2;
    const std::vector<std::uint32_t> places = places_of_pushes();
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
    frontier_.current() = checkpoint.configurations;
    passed_ = checkpoint.passed;
    exact_ = checkpoint.exact;
  }

  /// When values were pushed that lie on top: how many responses had come before, the latest first, apart from each
  /// other and from where the search is. The order that they were pushed in may be what is wrong.
  [[nodiscard]] std::vector<std::uint32_t> places_of_pushes() const {
    std::vector<std::uint32_t> places;
    const std::uint32_t top = height();
    std::uint32_t at = std::min(passed_, static_cast<std::uint32_t>(heights_.size()));
    std::uint32_t last = passed_;
    for (std::uint32_t below = 0; below < kOnTop && below < top; ++below) {
      while (at > 0 && heights_[at - 1] >= top - below) --at;
      if (at + 2 * kApart >= last) continue;
      places.push_back(at);
      last = at;
    }
    return places;
  }
  [[nodiscard]] std::uint32_t height() const {
    return frontier_.current().empty() ? 0 : frontier_.domain().sets().height(frontier_.current().front().set);
  }

  void collect() {
    StackSets& sets = frontier_.domain().sets();
    const auto each_root = [&](auto&& body) {
      for (auto& configuration : frontier_.current()) body(configuration.set);
      for (Checkpoint& checkpoint : checkpoints_) {
        for (auto& configuration : checkpoint.configurations) body(configuration.set);
      }
      body(target_);
    };
    each_root([&](Set set) { sets.mark(set); });
    sets.collect();
    each_root([&](Set& set) { set = sets.renamed(set); });
  }

  /// Finds how one of the present configurations came about: the whole witness, or the longest partial one.
  void walk_back(core::Budget& budget) {
    const auto& current = frontier_.current();
    const auto most = std::max_element(current.begin(), current.end(),
                                       [](const auto& a, const auto& b) { return a.mask.count() < b.mask.count(); });
    mask_ = most->mask;
    target_ = most->set;
    // The operations open now, to be taken out again on the way back.
    Rank end = rank_;
    while (!checkpoints_.empty()) {
      const Checkpoint checkpoint = std::move(checkpoints_.back());
      checkpoints_.pop_back();
      for (Rank rank = end; rank-- > checkpoint.rank;) reopen(part_.events()[rank]);
      if (!walk_back(checkpoint, end, budget)) {
        // Not even the verdict is certain to be shown: say what is known without the way to it.
        path_.clear();
        if (status_ == Status::found) {
          status_ = Status::gave_up;
          reason_ = budget.reason();
        }
        return;
      }
      end = checkpoint.rank;
      if (frontier_.domain().sets().worth_collecting()) {
        frontier_.current().clear();
        collect();
      }
    }
    std::reverse(path_.begin(), path_.end());
  }

  /// Undoes what an event did to the lists of open operations.
  void reopen(Event event) {
    if (frontier_.domain().skipped(event.operation())) return;
    if (event.is_response()) {
      frontier_.open(event.operation());
    } else {
      frontier_.shut(event.operation());
    }
  }

  /// The events from a checkpoint to `end`: forwards, then backwards. False: the budget is spent.
  bool walk_back(const Checkpoint& checkpoint, Rank end, core::Budget& budget) {
    std::vector<Configurations> before(end - checkpoint.rank);
    frontier_.current() = checkpoint.configurations;
    for (Rank rank = checkpoint.rank; rank < end; ++rank) {
      if (budget.spent() || !may_grow(budget)) return false;
      before[rank - checkpoint.rank] = frontier_.current();
      const Event event = part_.events()[rank];
      if (!event.is_response()) {
        if (!frontier_.domain().skipped(event.operation())) frontier_.call(event.operation());
        continue;
      }
      frontier_.respond(event.operation(), checkpoint.manner.effort());
      while (frontier_.busy()) {
        if (budget.spent() || !may_grow(budget)) return false;
        frontier_.step();
      }
      (void)narrow(rank, checkpoint.manner);
    }
    frontier_.domain().record(true);
    for (Rank rank = end; rank-- > checkpoint.rank;) {
      if (budget.spent() || !may_grow(budget)) return false;
      const Event event = part_.events()[rank];
      const std::uint32_t local = event.operation();
      if (frontier_.domain().skipped(local)) continue;
      Configurations& earlier = before[rank - checkpoint.rank];
      if (event.is_response()) {
        frontier_.open(local);
        undo_response(local, std::move(earlier));
      } else {
        frontier_.shut(local);
        if ((mask_ & frontier_.window().bit(local)).any() && acts_.of[local].pure()) {
          path_.push_back(local);
          mask_ &= ~frontier_.window().bit(local);
        }
      }
      earlier.clear();
      earlier.shrink_to_fit();
    }
    frontier_.domain().record(false);
    return true;
  }

  /// From (mask_, target_) after a response to a configuration before it, over operations that are put on the path.
  void undo_response(std::uint32_t local, Configurations earlier) {
    mask_ |= frontier_.window().bit(local);
    for (const auto& configuration : earlier) {
      if (configuration.mask != mask_) continue;
      const Set common = frontier_.domain().sets().intersect(configuration.set, target_);
      if (common == StackSets::kNothing) continue;
      target_ = common;
      return;  // it was done before
    }
    std::erase_if(earlier, [&](const auto& configuration) { return (configuration.mask & ~mask_).any(); });
    frontier_.current() = std::move(earlier);
    frontier_.domain().allow(mask_);
    frontier_.respond(local);
    while (frontier_.expand()) continue;
    frontier_.abandon();
    frontier_.domain().allow(Mask::all());
    const auto& met = frontier_.met();
    const Mask own = frontier_.window().bit(local);
    std::uint32_t entry = 0;
    while (met[entry].mask != mask_ || (met[entry].mask & own).none()) ++entry;
    while (entry != Domain::kStart) entry = undo_derivation(entry);
  }

  /// One step back from an entry of the response; some derivation has stacks in common with the target.
  std::uint32_t undo_derivation(std::uint32_t entry) {
    const auto& starts = frontier_.current();
    if (entry < starts.size()) {
      const Set common = frontier_.domain().sets().intersect(starts[entry].set, target_);
      if (common != StackSets::kNothing) {
        target_ = common;
        mask_ = starts[entry].mask;
        return Domain::kStart;
      }
    }
    for (const typename Domain::Derivation& way : frontier_.domain().derivations()) {
      if (way.to != entry) continue;
      const Set common = frontier_.domain().sets().intersect(way.part, target_);
      if (common == StackSets::kNothing) continue;
      target_ = common;
      mask_ = frontier_.met()[entry].mask;
      const Mask start = frontier_.met()[way.from].mask;
      if (way.second != Domain::kNone) {
        // Pushed, looked at, popped: the stack is the same before and after.
        take_pure(mask_ & ~way.between & ~frontier_.window().bit(way.second));
        path_.push_back(way.second);
        take_pure(way.between & ~start & ~frontier_.window().bit(way.first));
        path_.push_back(way.first);
        return way.from;
      }
      take_pure(mask_ & ~start & ~frontier_.window().bit(way.first));
      path_.push_back(way.first);
      target_ = before(acts_.of[way.first], frontier_.met()[way.from].set, target_);
      return way.from;
    }
    return Domain::kStart;  // not reached: each entry is the union of its derivations
  }

  /// The stacks of `from` that the act takes into `to`.
  Set before(const StackAct& act, Set from, Set to) {
    StackSets& sets = frontier_.domain().sets();
    switch (act.kind) {
      case StackAct::Kind::push: return sets.pop(act.value, to);
      case StackAct::Kind::pop: return sets.push(act.value, to);
      default: {
        std::vector<StackSets::Edge> tops(sets.tops(from).begin(), sets.tops(from).end());
        for (StackSets::Edge& edge : tops) edge.below = sets.intersect(edge.below, to);
        std::erase_if(tops, [](const StackSets::Edge& edge) { return edge.below == StackSets::kNothing; });
        return sets.of_tops(tops);
      }
    }
  }

  /// Puts the pure operations of the mask on the path; they are among the open ones.
  void take_pure(Mask mask) {
    for (; mask.any(); mask.drop_first()) path_.push_back(frontier_.window().holder(mask.first()));
  }

  [[nodiscard]] std::vector<std::string> some_states() const {
    std::vector<std::string> states;
    const StackSets& sets = frontier_.domain().sets();
    for (const auto& configuration : frontier_.current()) {
      if (states.size() == kStatesShown || sets.height(configuration.set) > kHeightShown) break;
      Stack::State state;
      for (const std::uint32_t value : sets.any_stack(configuration.set)) state.push_back(acts_.values[value]);
      std::string text = Stack::describe(state, part_.history->pool());
      if (std::find(states.begin(), states.end(), text) == states.end()) states.push_back(std::move(text));
    }
    return states;
  }

  const history::Subhistory& part_;
  core::DeciderOptions options_;
  StackSetEffort effort_;
  StackActs acts_;
  Frontier frontier_;
  Rank rank_ = 0;
  std::uint32_t passed_ = 0;
  std::uint64_t turns_ = 0;

  std::size_t width_;           // of what is kept
  std::uint32_t attempts_ = 0;  // to pass the place at which it is stuck
  std::uint32_t back_ = kApart;
  std::uint32_t stuck_at_ = 0;
  std::uint64_t stuck_since_ = 0;       // steps
  std::vector<std::uint8_t> wider_;     // by section of kApart responses: how often its width is doubled
  std::vector<std::uint32_t> heights_;  // by response
  bool exact_ = true;                   // nothing was left out so far
  std::size_t stride_ = 64;
  std::vector<Checkpoint> checkpoints_;
  std::optional<Past> past_;
  bool in_past_ = false;          // its turn
  bool past_goes_on_ = false;     // it has not come to an end
  Rank past_for_ = 0;             // the event it was begun for
  unsigned pasts_ = 0;            // tried so far
  std::uint64_t past_until_ = 0;  // steps
  bool walked_back_ = false;
  Mask mask_;                         // on the way back: what is done
  Set target_ = StackSets::kNothing;  // stacks that lead on
  std::vector<std::uint32_t> path_;
  Rank refuted_at_ = 0;
  std::vector<std::string> states_;  // just before the response that refutes

  Status status_ = Status::searching;
  Reason reason_ = Reason::none;
};

}  // namespace

core::Applicability stack_sets_applicable(const history::Subhistory& part) {
  if (part.specification->get_if<Stack>() == nullptr) return core::not_of_this_type("the type is not a stack");
  const StackActs acts = read_stack_acts(part);
  if (!acts.obstacle.empty()) return {.applies = false, .why = acts.obstacle};
  if (stack_slots(part, acts).used > algo::kMostOpen) return {.applies = false, .why = algo::kTooManyOpen};
  constexpr std::string_view kHow = "one set of stacks for each set of done operations";
  if (part.specification->get_if<Stack>()->heights != Stack::Heights::no) {
    return {.applies = true, .why = fmt::format("results carry heights: {}", kHow)};
  }
  return {.applies = true, .why = fmt::format("{}{}", acts.repeated ? "values repeat: " : "", kHow)};
}

namespace {

/// @pre stack_sets_applicable(part)
std::unique_ptr<core::SearchTask> start(const history::Subhistory& part, const core::DeciderOptions& options,
                                        const StackSetEffort& effort) {
  StackActs acts = read_stack_acts(part);
  return algo::with_slots(stack_slots(part, acts).used, [&]<class Mask>() -> std::unique_ptr<core::SearchTask> {
    return std::make_unique<StackSetSearch<Mask>>(part, options, effort, std::move(acts));
  });
}

}  // namespace

std::unique_ptr<core::SearchTask> start_stack_sets(const history::Subhistory& part,
                                                   const core::DeciderOptions& options) {
  return start(part, options, StackSetEffort{});
}

core::Outcome stack_sets_decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                core::Budget& budget, const StackSetEffort& effort) {
  const auto search = start(part, options, effort);
  search->run(UINT64_MAX / 2, budget);
  return search->outcome();
}

}  // namespace linchpin::types

// A search that keeps few configurations, for types that know better than a specification what a configuration is.
//
// Two searches take turns, each a walk through the events (Walk) that keeps configurations from response to response:
// - Forward, from the start of the history. Where there are more configurations than a width, the most promising are
//   kept: those that have done little before it was due, and in which what is due soon can be done. Where none passes a
//   response, it goes back some responses, and keeps twice as many from there. At the end there is a witness.
// - A refuter, once the first has been stuck at one place several times. It looks at a window before that place, and
//   forgets what came before: it starts in *any* state, and operations that are open there may have taken effect
//   already, or not at all. If no configuration passes the window so, none does with a past: the history is refuted. It
//   keeps every configuration; its windows grow. The last one is the whole history from its true start.
// So both answers are exact: a witness is an order, and a refuter leaves nothing out.
//
// Cost: O(width * open operations) a response where few are enough; exponential at worst. Memory: the configurations of
// one in sixteen responses near the place and one in 512 before. Source: own; the widening is that of
// algo/frontier/narrowing.hpp, the windows without a past are new here. Compare: types/content_search.hpp (keeps all),
// decide/search (any type), algo/frontier (the engine that this is to become a part of). Tests: those of the types that
// use it.
//
// A type brings a Problem, which does not change:
//   Mask                              a set of slots (algo/frontier/slot_mask.hpp)
//   kLooksAhead                       whether it refutes with what is called later; then a core is the whole history
//   Configuration                     equal and hashable; `done`: slots of open operations that took effect; `excused`:
//                                     slots of those that need not
//   Window                            made of a Problem; see below
//   slot(x), counts(x)                the slot of an operation; whether it is part of the search at all
//   looks(x)                          it changes nothing
//   start(), anywhere()               the configuration at first; one that stands for every state
//   forgive(configuration, x)         x is open where a window begins, and may have taken effect before
//   witness(operations done)          with those that do not count, and those that were excused
// and its Window, which knows what is open:
//   prepare(open, x, rank)            before the event of that rank, while these are open; x called or responded last,
//   or
//                                     responds now
//   called(configuration, x)          x, which looks, was called; true: it takes effect at once
//   expand(configuration, x, last, emit)   emit(configuration, operations taken): if `last`, the moves that end with x;
//                                     else all others that may lead there
//   ready(configuration, y)           whether y, undone, can be done now; where that is not known, it can
//   burden(configuration)             how far it is from what has to be done soon; 0 where that is not known
//   lives(configuration, x)           false: x responds, is excused and undone, and something that is to come needs it
//   forget(configuration, x)          x has returned
//   prune(entries)                    then, leaves out entries that others make needless; entries have .configuration
//   growth()                          bytes that the next steps may take at once
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_set.h>

#include "algo/shared_chains.hpp"
#include "base/assert.hpp"
#include "core/search_task.hpp"
#include "history/subhistory.hpp"

namespace linchpin::types {

/// A walk through the events of a history that keeps configurations.
template <class Problem>
class NarrowWalk {
 public:
  using Configuration = typename Problem::Configuration;
  using Local = std::uint32_t;
  struct Entry {
    Configuration configuration;
    std::uint32_t tail = algo::kNoLink;  // what was done last
  };
  enum class Status : std::uint8_t { going, stuck, ended };
  static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

  /// `turn` by operation: how many responses come before its own.
  NarrowWalk(const history::Subhistory& part, const Problem& problem, const std::vector<std::uint32_t>& turn,
             bool witness)
      : part_(part), problem_(problem), turn_(turn), witness_(witness), window_(problem) {}

  /// Stands before the event of that rank, with these operations open.
  void stand(std::uint32_t rank, std::uint32_t passed, std::vector<Local> open, std::vector<Entry> entries) {
    rank_ = rank;
    passed_ = passed;
    open_ = std::move(open);
    current_ = std::move(entries);
    expanding_ = false;
  }

  /// Some work; keeps about `width` configurations, chosen with the weight of what is due. @pre the last time it was
  /// going
  Status advance(std::size_t width, std::int64_t weight) {
    if (expanding_) return expand_one(width, weight);
    if (rank_ == part_.ranks()) return Status::ended;
    const history::Event event = part_.events()[rank_];
    const Local x = event.operation();
    ++steps_;
    if (!problem_.counts(x)) {
      passed_ += event.is_response() ? 1 : 0;
      ++rank_;
      return Status::going;
    }
    if (event.is_response()) return respond(x, width, weight);
    open_.push_back(x);
    if (problem_.looks(x)) {
      window_.prepare(std::span<const Local>(open_), x, rank_);
      for (Entry& each : current_) {
        if (window_.called(each.configuration, x)) each.tail = extended(each.tail, x);
      }
      steps_ += current_.size();
    }
    ++rank_;
    return Status::going;
  }

  [[nodiscard]] std::uint32_t rank() const { return rank_; }
  [[nodiscard]] std::uint32_t passed() const { return passed_; }
  [[nodiscard]] const std::vector<Local>& open() const { return open_; }
  [[nodiscard]] std::vector<Entry>& entries() { return current_; }
  [[nodiscard]] const std::vector<Entry>& entries() const { return current_; }
  [[nodiscard]] bool between_events() const { return !expanding_; }
  [[nodiscard]] std::uint64_t steps() const { return steps_; }
  /// Whether something was left out since it was last told not to have been.
  [[nodiscard]] bool has_cut() const { return cut_; }
  void set_cut(bool cut) { cut_ = cut; }
  [[nodiscard]] algo::SharedChains<Local>& chains() { return chains_; }
  [[nodiscard]] const algo::SharedChains<Local>& chains() const { return chains_; }
  /// Bytes that its next steps may take at once.
  [[nodiscard]] std::size_t growth() const {
    constexpr std::size_t kAhead = 8192;
    const auto of = [](const auto& list, std::size_t each) {
      return list.size() + kAhead > list.capacity() ? 2 * list.capacity() * each : 0;
    };
    return chains_.growth(kAhead) + window_.growth() + of(queue_, sizeof(Entry)) + of(result_, sizeof(Entry)) +
           of(met_, 2 * sizeof(Configuration));
  }

 private:
  static constexpr std::size_t kPassed = 2;            // are enough, for each that is kept
  static constexpr std::size_t kMetBeforeStuck = 128;  // are too many, for each that is kept
  static constexpr std::int64_t kSoon = 16;            // what has to be done within so many responses counts
  static constexpr std::int64_t kPending = 64;         // a pending operation is as early as one after so many

  /// Whether it passes the response of x, and whether there is more to try from it: what is excused need not take
  /// effect, but can, and this is its last moment.
  void sort_in(const Entry& entry, Local x) {
    const std::uint32_t slot = problem_.slot(x);
    const bool done = entry.configuration.done.has(slot);
    if (done || entry.configuration.excused.has(slot)) result_.push_back(entry);
    if (!done) queue_.push_back(entry);
  }

  Status respond(Local x, std::size_t width, std::int64_t weight) {
    result_.clear();
    queue_.clear();
    next_ = level_begin_ = 0;
    window_.prepare(std::span<const Local>(open_), x, rank_);
    for (const Entry& each : current_) sort_in(each, x);
    if (queue_.empty()) return finish(x, width, weight);
    met_.clear();
    for (const Entry& each : current_) met_.insert(each.configuration);
    level_end_ = queue_.size();
    finishing_ = true;
    expanding_ = true;
    return Status::going;
  }

  /// Level by level: from each configuration first what leads to x at once, then, if these are too few, whatever else
  /// may be done before x.
  Status expand_one(std::size_t width, std::int64_t weight) {
    const Local x = part_.events()[rank_].operation();
    if (next_ == level_end_) {
      if (finishing_) {
        const bool enough = width != kAll && result_.size() >= kPassed * width;
        const bool stuck = width != kAll && met_.size() >= kMetBeforeStuck * width;
        if (enough || stuck) cut_ = true;
        if (enough || stuck) return finish(x, width, weight);
        finishing_ = false;
        next_ = level_begin_;
        return Status::going;
      }
      if (level_end_ == queue_.size()) return finish(x, width, weight);
      level_begin_ = level_end_;
      level_end_ = queue_.size();
      finishing_ = true;
      return Status::going;
    }
    if (!finishing_ && width != kAll && met_.size() >= kMetBeforeStuck * width) {
      cut_ = true;
      next_ = level_end_;
      return Status::going;
    }
    const Entry from = queue_[next_++];
    ++steps_;
    steps_ +=
        window_.expand(from.configuration, x, finishing_, [&](const Configuration& to, std::span<const Local> taken) {
          ++steps_;
          if (!met_.insert(to).second) return;
          Entry entry{to, from.tail};
          for (const Local y : taken) entry.tail = extended(entry.tail, y);
          sort_in(entry, x);
        });
    return Status::going;
  }

  Status finish(Local x, std::size_t width, std::int64_t weight) {
    if (result_.empty()) {
      expanding_ = false;
      return Status::stuck;
    }
    std::size_t kept = 0;
    for (Entry& each : result_) {
      if (!window_.lives(each.configuration, x)) continue;
      window_.forget(each.configuration, x);
      result_[kept++] = each;
    }
    result_.resize(kept);
    if (result_.empty()) {
      expanding_ = false;
      return Status::stuck;
    }
    open_.erase(std::find(open_.begin(), open_.end(), x));
    ++rank_;
    if (result_.size() > 1) {
      window_.prepare(std::span<const Local>(open_), x, rank_);
      steps_ += window_.prune(result_);
    }
    if (result_.size() > width) keep_best(width, weight);
    std::swap(current_, result_);
    ++passed_;
    expanding_ = false;
    return Status::going;
  }

  void keep_best(std::size_t width, std::int64_t weight) {
    cut_ = true;
    ranking_.clear();
    for (std::uint32_t at = 0; at < result_.size(); ++at) {
      const Configuration& configuration = result_[at].configuration;
      std::int64_t cost = weight * window_.burden(configuration);
      for (const Local y : open_) {
        const std::int64_t ahead = part_.pending(y) ? kPending : std::int64_t{turn_[y]} - passed_;
        if (configuration.done.has(problem_.slot(y))) {
          if (!problem_.looks(y)) cost += ahead;
        } else if (ahead < kSoon && !configuration.excused.has(problem_.slot(y)) && !window_.ready(configuration, y)) {
          cost += weight * (kSoon - ahead);
        }
      }
      ranking_.emplace_back(cost, at);
    }
    steps_ += result_.size();
    std::nth_element(ranking_.begin(), ranking_.begin() + static_cast<std::ptrdiff_t>(width), ranking_.end());
    ranking_.resize(width);
    std::sort(ranking_.begin(), ranking_.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    for (std::size_t kept = 0; kept < width; ++kept) result_[kept] = result_[ranking_[kept].second];
    result_.resize(width);
  }

  std::uint32_t extended(std::uint32_t tail, Local y) { return witness_ ? chains_.extend(tail, y) : algo::kNoLink; }

  const history::Subhistory& part_;
  const Problem& problem_;
  const std::vector<std::uint32_t>& turn_;
  bool witness_;
  typename Problem::Window window_;
  std::vector<Local> open_;                      // that count
  std::vector<Entry> current_;                   // before the next event
  std::vector<Entry> queue_, result_;            // during a response: to go on from, and those that have passed it
  std::size_t next_ = 0;                         // of the queue
  std::size_t level_begin_ = 0, level_end_ = 0;  // of the queue: those that are so many moves away
  bool finishing_ = false;                       // looking for what leads to x at once
  absl::flat_hash_set<Configuration> met_;
  std::vector<std::pair<std::int64_t, std::uint32_t>> ranking_;  // cost, number
  algo::SharedChains<Local> chains_;
  std::uint32_t rank_ = 0;    // of the next event
  std::uint32_t passed_ = 0;  // responses
  bool expanding_ = false;    // in the middle of a response
  bool cut_ = false;
  std::uint64_t steps_ = 0;
};

template <class Problem>
class NarrowSearch final : public core::SearchTask {
 public:
  NarrowSearch(const history::Subhistory& part, Problem problem, const core::DeciderOptions& options)
      : part_(part),
        problem_(std::move(problem)),
        turn_(turns(part)),
        witness_(options.witness),
        forward_(part, problem_, turn_, options.witness),
        refuter_(part, problem_, turn_, false) {
    forward_.stand(0, 0, {}, {Entry{problem_.start()}});
    checkpoints_.push_back({.rank = 0, .passed = 0, .cut = false, .open = {}, .entries = forward_.entries()});
  }
  NarrowSearch(const NarrowSearch&) = delete;
  NarrowSearch& operator=(const NarrowSearch&) = delete;

  bool run(std::uint64_t steps, core::Budget& budget) override {
    const std::uint64_t stop_at = all_steps() + steps;
    while (verdict_ == Verdict::unknown) {
      if (all_steps() >= stop_at) return false;
      if (budget.spent() || !may_grow(budget)) {
        reason_ = budget.reason();
        return true;
      }
      if (refuting_) {
        refute();
      } else {
        go_forward();
      }
    }
    return true;
  }

  [[nodiscard]] core::Outcome outcome() const override {
    core::Outcome outcome;
    outcome.verdict = verdict_;
    if (verdict_ == Verdict::linearizable) {
      if (witness_) outcome.witness = problem_.witness(forward_.chains().from_start(forward_.entries().front().tail));
      return outcome;
    }
    if (verdict_ == Verdict::unknown) outcome.reason = reason_;
    if (verdict_ == Verdict::violation && Problem::kLooksAhead) {
      // What is called later was heeded: no beginning of the history is refuted by itself.
      outcome.core.resize(part_.size());
      std::iota(outcome.core.begin(), outcome.core.end(), 0U);
    }
    const std::uint32_t from = verdict_ == Verdict::violation ? refuted_at_ : furthest_;
    for (std::uint32_t rank = from; rank < part_.ranks() && !outcome.blocked; ++rank) {
      if (part_.events()[rank].is_response()) outcome.blocked = part_.events()[rank].operation();
    }
    return outcome;
  }

  [[nodiscard]] std::uint32_t passed() const override { return std::max(stuck_at_, forward_.passed()); }

 private:
  using Walk = NarrowWalk<Problem>;
  using Entry = typename Walk::Entry;
  using Local = std::uint32_t;
  /// Forward as it stood between two events.
  struct Checkpoint {
    std::uint32_t rank = 0;    // of the next event
    std::uint32_t passed = 0;  // responses
    bool cut = false;          // something was left out on the way
    std::vector<Local> open;
    std::vector<Entry> entries;
  };
  static constexpr std::size_t kFirstWidth = 16;
  static constexpr std::size_t kMostWidth = std::size_t{1} << 40;
  static constexpr std::array<std::int64_t, 4> kWeights{4, 1, 2, 8};  // by attempt
  static constexpr std::uint32_t kApart = 16;                         // responses between two checkpoints
  static constexpr std::uint32_t kSafely = 48;                        // so many responses further, few are kept again
  static constexpr std::size_t kNear = 64;                            // checkpoints that are all kept
  static constexpr std::uint32_t kFar = 512;                          // responses between two further back
  static constexpr std::uint32_t kMostBack = std::uint32_t{1} << 30;
  static constexpr std::uint32_t kPatience = 3;      // attempts before the refuter is asked
  static constexpr std::uint32_t kFirstWindow = 16;  // responses that the refuter looks at first
  static constexpr std::uint32_t kBeyond = 32;       // and so many behind the place
  static constexpr std::uint64_t kLeastTurn = 4096;  // steps of the refuter at a time

  static std::vector<std::uint32_t> turns(const history::Subhistory& part) {
    std::vector<std::uint32_t> turn(part.size(), history::kNoRank);
    std::uint32_t responses = 0;
    for (const history::Event event : part.events()) {
      if (event.is_response()) turn[event.operation()] = responses++;
    }
    return turn;
  }

  [[nodiscard]] std::uint64_t all_steps() const { return forward_.steps() + refuter_.steps(); }

  void go_forward() {
    const std::int64_t weight = kWeights[attempts_ % kWeights.size()];
    switch (forward_.advance(width_, weight)) {
      case Walk::Status::going: break;
      case Walk::Status::ended: verdict_ = Verdict::linearizable; return;
      case Walk::Status::stuck: is_stuck(); return;
    }
    if (!forward_.between_events()) return;
    const std::uint32_t passed = forward_.passed();
    furthest_ = std::max(furthest_, forward_.rank());
    if (attempts_ > 0 && passed > stuck_at_ + kSafely) {
      width_ = kFirstWidth;
      back_ = kApart;
      attempts_ = 0;
    }
    if (passed < checkpoints_.back().passed + kApart) return;
    if (!forward_.has_cut()) checkpoints_.clear();
    checkpoints_.push_back({forward_.rank(), passed, forward_.has_cut(), forward_.open(), forward_.entries()});
    if (checkpoints_.size() % kNear == 0) thin_out();
    if (!witness_ || !forward_.chains().worth_collecting(std::size_t{1} << 18)) return;
    std::vector<Entry*> all;
    for (Entry& entry : forward_.entries()) all.push_back(&entry);
    for (Checkpoint& checkpoint : checkpoints_) {
      for (Entry& entry : checkpoint.entries) all.push_back(&entry);
    }
    forward_.chains().collect(all, [](Entry* entry) -> std::uint32_t& { return entry->tail; });
  }

  /// Keeps the first one, the last ones, and a few between.
  void thin_out() {
    const std::size_t near = checkpoints_.size() > kNear ? checkpoints_.size() - kNear : 0;
    std::size_t kept = std::min<std::size_t>(near, 1);
    for (std::size_t at = kept; at < checkpoints_.size(); ++at) {
      if (at < near && checkpoints_[at].passed < checkpoints_[kept - 1].passed + kFar) continue;
      if (kept != at) checkpoints_[kept] = std::move(checkpoints_[at]);
      ++kept;
    }
    checkpoints_.erase(checkpoints_.begin() + static_cast<std::ptrdiff_t>(kept), checkpoints_.end());
  }

  void is_stuck() {
    if (!forward_.has_cut()) {
      refuted_at_ = forward_.rank();
      verdict_ = Verdict::violation;
      return;
    }
    if (attempts_ == 0) stuck_since_ = forward_.steps();
    const std::uint32_t passed = forward_.passed();
    if (passed > stuck_at_ || attempts_ == 0) {
      stuck_at_ = std::max(stuck_at_, passed);
      stuck_rank_ = forward_.rank();
      if (stuck_rank_ > target_rank_ + kBeyond) target_ = 0;
    }
    ++attempts_;
    width_ = std::min(2 * width_, kMostWidth);
    const std::uint32_t to = passed > back_ ? passed - back_ : 0;
    if (attempts_ % 2 == 0) back_ = std::min(2 * back_, kMostBack);
    while (checkpoints_.size() > 1 && checkpoints_.back().passed > to) checkpoints_.pop_back();
    const Checkpoint& checkpoint = checkpoints_.back();
    forward_.stand(checkpoint.rank, checkpoint.passed, checkpoint.open, checkpoint.entries);
    forward_.set_cut(checkpoint.cut);
    if (attempts_ < kPatience || refuter_idle_) return;
    refuting_ = true;
    refuter_until_ = refuter_.steps() + std::max(kLeastTurn, forward_.steps() - stuck_since_);
    stuck_since_ = forward_.steps();
    if (target_ == 0) set_window(kFirstWindow);
  }

  /// Makes the refuter look at so many responses before the place where forward is stuck.
  void set_window(std::uint32_t responses) {
    target_ = responses;
    target_rank_ = stuck_rank_;
    std::uint32_t rank = stuck_rank_;
    for (std::uint32_t left = responses; rank > 0 && left > 0; --rank) {
      if (part_.events()[rank - 1].is_response() && --left == 0) break;
    }
    std::vector<Local> open;
    Entry entry{rank == 0 ? problem_.start() : problem_.anywhere()};
    if (rank > 0) {
      for (Local x = 0; x < part_.size() && part_.call[x] < rank; ++x) {
        if (!problem_.counts(x) || (!part_.pending(x) && part_.response[x] < rank)) continue;
        open.push_back(x);
        problem_.forgive(entry.configuration, x);
      }
    }
    whole_ = rank == 0;
    refuter_.stand(rank, 0, std::move(open), {entry});
  }

  void refute() {
    if (refuter_.steps() >= refuter_until_) {
      refuting_ = false;
      return;
    }
    const auto status = refuter_.advance(Walk::kAll, 0);
    if (status == Walk::Status::stuck) {
      refuted_at_ = refuter_.rank();
      verdict_ = Verdict::violation;
      return;
    }
    if (status == Walk::Status::going && refuter_.rank() < target_rank_ + kBeyond) return;
    // The window has a way through. The whole history has none to be sought for twice.
    if (whole_) {
      target_ = 0;
      refuting_ = false;
      refuter_idle_ = true;
    } else {
      set_window(4 * target_);
    }
  }

  [[nodiscard]] bool may_grow(core::Budget& budget) const {
    const std::size_t bytes = forward_.growth() + refuter_.growth();
    return bytes < (std::size_t{1} << 21) || budget.allows(bytes);
  }

  const history::Subhistory& part_;
  const Problem problem_;
  const std::vector<std::uint32_t> turn_;
  bool witness_;
  Walk forward_, refuter_;
  std::vector<Checkpoint> checkpoints_;  // ascending; the first one with nothing left out
  std::size_t width_ = kFirstWidth;
  std::uint32_t attempts_ = 0;  // to pass the place at which forward is stuck
  std::uint32_t back_ = kApart;
  std::uint32_t stuck_at_ = 0, stuck_rank_ = 0;  // the furthest such place: responses before it, and its rank
  std::uint64_t stuck_since_ = 0;                // steps
  std::uint32_t furthest_ = 0;                   // rank
  bool refuting_ = false, refuter_idle_ = false, whole_ = false;
  std::uint32_t target_ = 0, target_rank_ = 0;  // responses of the refuter's window, and the place behind it
  std::uint64_t refuter_until_ = 0;             // steps
  std::uint32_t refuted_at_ = 0;                // rank
  Verdict verdict_ = Verdict::unknown;
  Reason reason_ = Reason::none;
};

}  // namespace linchpin::types

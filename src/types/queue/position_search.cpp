// Decides queue histories in which values may repeat. Compare: monitor.cpp (unique values, linear), decide/search
// (any).
//
// Idea: the i-th value enqueued is the i-th dequeued. Instead of moving through time, move through positions: choose
// the enqueue and the dequeue of position 0, of position 1, ... A node is the set of enqueues, of dequeues, of peeks
// and of empty results that are placed; each set is a prefix of an interval order up to a window, so there are at most
// n * 4^k nodes (k: operations open at once), whatever the length of the queue.
//
//   rE, rD, rK, rO   least response among the enqueues, dequeues, peeks, empties not placed (infinity: none)
//   mx               greatest call among placed dequeues and peeks
//   on entering a node:   if rE > mx, place every empty called before min(rE, rD, rK)        (pure, so eagerly)
//   enqueue of a value:   called before min(rE, rD, rK, rO); of equal values the one that responds first
//   peek of the front v:  called before min(rD, rO, rK). Placed at once if no empty remains or it was called before
//                         max(rE, mx); else it raises mx, which may forbid an empty: branch over prefixes by call
//   dequeue of v:         called before min(rD, rO, rK); of equal values the one that responds first, but while empties
//                         remain every one that no other beats in both call and response
//   a pending dequeue may take any value: called before min(rD, rO); the pending ones are used in order of their calls
//   end: no dequeue, peek or empty remains (enqueues that remain follow behind)
// An enqueue that remains may happen before a dequeue that is placed (it is enqueued behind); an empty separates all
// that is placed from all that remains, hence the test rE > mx.
//
// Precondition: enqueue, dequeue and peek with known results, no capacity; at most 64 operations of a kind open at
// once. Cost: exponential in k only; memory one entry a node. Source: docs/design/search.md, section on positions.
// Tests: tests/cross (verdicts, witnesses).
#include "types/queue/position_search.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>

#include "algo/dense_values.hpp"
#include "linchpin/hash.hpp"
#include "types/queue/position_memo.hpp"
#include "types/queue/specification.hpp"

namespace linchpin::types::queue {

namespace {

using history::kNoRank;
using history::Rank;

constexpr std::uint32_t kNoMember = 0xffffffffU;

struct Placement {
  Kind kind;
  std::uint32_t member;
};

class PositionSearch final : public core::SearchTask {
 public:
  PositionSearch(const history::Subhistory& part, const core::DeciderOptions& options)
      : part_(part),
        options_(options),
        tracks_{PositionTrack(part), PositionTrack(part), PositionTrack(part), PositionTrack(part)} {
    for (std::uint32_t local = 0; local < part.size(); ++local) {
      if (part.method[local] == Queue::kEnqueue) {
        tracks_[kEnqueues].add(local);
      } else if (part.pending(local) && part.result(local).is_unknown()) {
        if (part.method[local] == Queue::kDequeue) wildcards_.push_back(local);
      } else if (part.result(local).is_nil()) {
        if (!part.pending(local)) tracks_[kEmpties].add(local);
      } else if (part.method[local] == Queue::kDequeue) {
        tracks_[kDequeues].add(local);
      } else if (!part.pending(local)) {
        tracks_[kPeeks].add(local);
      }
    }
    for (PositionTrack& track : tracks_) fits_ = track.prepare() && fits_;
    number_values();
  }
  PositionSearch(const PositionSearch&) = delete;
  PositionSearch& operator=(const PositionSearch&) = delete;

  bool run(std::uint64_t steps, core::Budget& budget) override {
    if (!fits_) {
      reason_ = Reason::not_applicable;
      return true;
    }
    if (!started_) {
      started_ = true;
      enter();
    }
    for (; !found_ && !frames_.empty(); --steps) {
      if (steps == 0) return false;
      if (budget.spent() || !memo_may_grow(budget)) {
        reason_ = budget.reason();
        return true;
      }
      advance();
    }
    return true;
  }

  core::Outcome outcome() const override {
    core::Outcome outcome;
    if (found_) {
      outcome.verdict = Verdict::linearizable;
      if (options_.witness) outcome.witness = witness();
    } else if (started_ && frames_.empty()) {
      outcome.verdict = Verdict::violation;
    } else {
      outcome.reason = reason_;
      if (started_) tell_how_far(outcome);
    }
    return outcome;
  }

  std::uint32_t passed() const override { return static_cast<std::uint32_t>(trail_.size()); }

 private:
  /// An enqueue, the number of peeks of its value placed by branching, and a dequeue.
  struct Choice {
    std::uint32_t enqueue;
    std::uint32_t branched_peeks;
    std::uint32_t dequeue;  // member; kNoMember: a pending dequeue, or none at the last position
    bool wildcard;
    Rank order;  // least response of the two
  };
  struct Frame {
    std::size_t trail;   // length on entering, before eager empties
    std::size_t placed;  // length after them
    std::vector<Choice> choices;
    std::size_t tried = 0;
    Rank latest;  // mx on entering
    std::uint32_t wildcards_used;
  };

  [[nodiscard]] Value value_of_enqueue(std::uint32_t member) const {
    return part_.arguments(tracks_[kEnqueues].local(member))[0];
  }
  [[nodiscard]] Value value_of(Kind kind, std::uint32_t member) const {
    return part_.result(tracks_[kind].local(member));
  }
  [[nodiscard]] Rank least(std::initializer_list<Kind> kinds) const {
    Rank rank = kNoRank;
    for (const Kind kind : kinds) rank = std::min(rank, tracks_[kind].least_response());
    return rank;
  }

  void number_values() {
    algo::DenseValues numbers;
    const auto each = [&](auto&& body) {
      for (std::uint32_t i = 0; i < tracks_[kEnqueues].end(); ++i) body(kEnqueues, value_of_enqueue(i));
      for (std::uint32_t i = 0; i < tracks_[kDequeues].end(); ++i) body(kDequeues, value_of(kDequeues, i));
    };
    each([&](Kind, Value value) { numbers.observe(value); });
    numbers.prepare();
    std::uint32_t values = 0;
    each([&](Kind kind, Value value) {
      const auto [number, fresh] = numbers.add(value);
      values += fresh ? 1 : 0;
      numbers_[kind].push_back(number);
    });
    memo_.emplace(tracks_, numbers_, values);
  }

  /// What a placed member adds to the hash of how many of each value are placed.
  [[nodiscard]] std::uint64_t weight(Kind kind, std::uint32_t member) const {
    return kind == kEnqueues || kind == kDequeues ? mix(kind, numbers_[kind][member]) : 0;
  }

  void place(Kind kind, std::uint32_t member) {
    placed_ += weight(kind, member);
    turns_.push_back(tracks_[kind].turn());
    trail_.push_back({kind, member});
    tracks_[kind].place(member);
    if (kind == kDequeues || kind == kPeeks) latest_ = std::max(latest_, tracks_[kind].call(member) + 1);
  }
  void undo_to(std::size_t length) {
    for (; trail_.size() > length; trail_.pop_back(), turns_.pop_back()) {
      if (trail_.back().member == kNoMember) continue;  // a pending dequeue: counted apart
      tracks_[trail_.back().kind].put_back(trail_.back().member, turns_.back());
      placed_ -= weight(trail_.back().kind, trail_.back().member);
    }
  }

  /// Asks before the memo doubles.
  bool memo_may_grow(core::Budget& budget) {
    constexpr std::size_t kLargeGrowth = std::size_t{1} << 20;
    const std::size_t growth = memo_->growth();
    return growth < kLargeGrowth || budget.allows(growth);
  }

  /// Whether rE > mx. `latest_` is one more than mx, so that 0 means that nothing is placed.
  [[nodiscard]] bool enqueues_follow() const { return tracks_[kEnqueues].least_response() >= latest_; }

  void enter() {
    Frame frame{
        .trail = trail_.size(), .placed = 0, .choices = {}, .latest = latest_, .wildcards_used = wildcards_used_};
    if (enqueues_follow()) {
      const Rank bound = least({kEnqueues, kDequeues, kPeeks});
      PositionTrack& empties = tracks_[kEmpties];
      while (empties.first() != empties.end() && empties.call(empties.first()) < bound)
        place(kEmpties, empties.first());
    }
    frame.placed = trail_.size();
    if (tracks_[kDequeues].finished() && tracks_[kPeeks].finished() && tracks_[kEmpties].finished()) {
      found_ = true;
      return;
    }
    if (memo_->insert(key(), placed_, latest_)) list_choices(frame);
    frames_.push_back(std::move(frame));
  }

  [[nodiscard]] PositionKey key() const {
    PositionKey key{};
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      key.masks[kind] = tracks_[kind].mask();
      key.turns[kind] = tracks_[kind].turn();
    }
    key.turns[kKinds] = wildcards_used_;
    return key;
  }

  void list_choices(Frame& frame) {
    const PositionTrack& enqueues = tracks_[kEnqueues];
    const Rank bound = least({kEnqueues, kDequeues, kPeeks, kEmpties});
    std::vector<std::uint32_t> candidates;
    for (std::uint32_t i = enqueues.first(); i != enqueues.end() && enqueues.call(i) < bound; i = enqueues.after(i)) {
      const auto same = std::find_if(candidates.begin(), candidates.end(), [&](std::uint32_t other) {
        return value_of_enqueue(other) == value_of_enqueue(i);
      });
      if (same == candidates.end()) {
        candidates.push_back(i);
      } else if (enqueues.response(i) < enqueues.response(*same)) {
        *same = i;
      }
    }
    for (const std::uint32_t enqueue : candidates) list_choices_of(enqueue, frame);
    std::stable_sort(frame.choices.begin(), frame.choices.end(),
                     [](const Choice& a, const Choice& b) { return a.order < b.order; });
  }

  /// Tries the enqueue, with the peeks of its value, to see which dequeues can follow; puts everything back.
  void list_choices_of(std::uint32_t enqueue, Frame& frame) {
    const std::size_t before = trail_.size();
    const Rank latest_before = latest_;
    const Value value = value_of_enqueue(enqueue);
    place(kEnqueues, enqueue);
    place_free_peeks(value);
    for (std::uint32_t branched = 0;; ++branched) {
      list_dequeues(enqueue, branched, value, frame);
      if (!place_next_peek(value)) break;
      place_free_peeks(value);
    }
    undo_to(before);
    latest_ = latest_before;
  }

  [[nodiscard]] std::uint32_t next_peek(Value value) const {
    const PositionTrack& peeks = tracks_[kPeeks];
    const Rank bound = least({kDequeues, kEmpties, kPeeks});
    for (std::uint32_t i = peeks.first(); i != peeks.end() && peeks.call(i) < bound; i = peeks.after(i)) {
      if (value_of(kPeeks, i) == value) return i;
    }
    return kNoMember;
  }
  /// Peeks of the front value whose placement forbids nothing.
  void place_free_peeks(Value value) {
    for (std::uint32_t i = next_peek(value); i != kNoMember; i = next_peek(value)) {
      const bool harmless = tracks_[kEmpties].finished() || tracks_[kPeeks].call(i) + 1 <= latest_ ||
                            tracks_[kPeeks].call(i) < tracks_[kEnqueues].least_response();
      if (!harmless) return;
      place(kPeeks, i);
    }
  }
  bool place_next_peek(Value value) {
    const std::uint32_t i = next_peek(value);
    if (i == kNoMember) return false;
    place(kPeeks, i);
    return true;
  }

  void list_dequeues(std::uint32_t enqueue, std::uint32_t branched, Value value, Frame& frame) {
    const PositionTrack& dequeues = tracks_[kDequeues];
    const Rank own = tracks_[kEnqueues].response(enqueue);
    const Rank bound = least({kDequeues, kEmpties, kPeeks});
    std::vector<std::uint32_t> kept;
    for (std::uint32_t i = dequeues.first(); i != dequeues.end() && dequeues.call(i) < bound; i = dequeues.after(i)) {
      if (value_of(kDequeues, i) != value) continue;
      // Members come by call: an earlier one with a smaller response beats this one in both.
      if (!kept.empty() && dequeues.response(kept.back()) <= dequeues.response(i)) continue;
      if (tracks_[kEmpties].finished()) kept.clear();
      kept.push_back(i);
    }
    for (const std::uint32_t i : kept) {
      frame.choices.push_back({enqueue, branched, i, false, std::min(own, dequeues.response(i))});
    }
    if (wildcards_used_ < wildcards_.size() && part_.call[wildcards_[wildcards_used_]] < bound) {
      frame.choices.push_back({enqueue, branched, kNoMember, true, own});
    }
    // The last position may keep its value.
    if (dequeues.finished() && tracks_[kPeeks].finished() && tracks_[kEmpties].finished()) {
      frame.choices.push_back({enqueue, branched, kNoMember, false, own});
    }
  }

  void advance() {
    Frame& frame = frames_.back();
    undo_to(frame.placed);
    latest_ = frame.latest;
    wildcards_used_ = frame.wildcards_used;
    if (frame.tried == frame.choices.size()) {
      undo_to(frame.trail);
      frames_.pop_back();
      return;
    }
    const Choice choice = frame.choices[frame.tried++];
    const Value value = value_of_enqueue(choice.enqueue);
    place(kEnqueues, choice.enqueue);
    place_free_peeks(value);
    for (std::uint32_t k = 0; k < choice.branched_peeks; ++k) {
      place_next_peek(value);
      place_free_peeks(value);
    }
    if (choice.dequeue != kNoMember) {
      place(kDequeues, choice.dequeue);
    } else if (choice.wildcard) {
      turns_.push_back(0);
      trail_.push_back({kDequeues, kNoMember});
      latest_ = std::max(latest_, part_.call[wildcards_[wildcards_used_++]] + 1);
    }
    enter();
  }

  /// What is placed is a linearization without the rest, and so is its beginning up to the first operation that was
  /// called after something of the rest had returned: there the search stands.
  void tell_how_far(core::Outcome& outcome) const {
    Rank first = kNoRank;
    for (const Kind kind : {kDequeues, kPeeks, kEmpties}) first = std::min(first, tracks_[kind].least_response());
    if (first != kNoRank) outcome.blocked = part_.events[first].operation();
    if (!options_.witness) return;
    outcome.longest = witness();
    const auto past = std::find_if(outcome.longest.begin(), outcome.longest.end(),
                                   [&](std::uint32_t local) { return part_.call[local] > first; });
    outcome.longest.erase(past, outcome.longest.end());
  }

  /// Merges the two sequences and the empties by the times at which they can act.
  [[nodiscard]] std::vector<std::uint32_t> witness() const {
    struct Point {
      std::uint32_t segment;  // empties that were placed up to here: each divides what is before it from what is after
      Rank time;
      std::uint8_t side;  // at one time: empties, then enqueues, then peeks and dequeues
      std::uint32_t position;
      std::uint32_t local;
    };
    std::vector<Point> points;
    Rank back = 0;   // no enqueue to come may act before
    Rank front = 0;  // no peek or dequeue to come may act before
    std::uint32_t segment = 0;
    std::uint32_t wildcard = 0;
    const auto add = [&](Rank time, std::uint8_t side, std::uint32_t local) {
      points.push_back({segment, time, side, static_cast<std::uint32_t>(points.size()), local});
    };
    for (const Placement& placement : trail_) {
      const bool pending_dequeue = placement.member == kNoMember;
      const std::uint32_t local =
          pending_dequeue ? wildcards_[wildcard++] : tracks_[placement.kind].local(placement.member);
      const Rank call = part_.call[local];
      switch (placement.kind) {
        case kEnqueues:
          back = std::max(back, call);
          front = std::max(front, back);
          add(back, 1, local);
          break;
        case kEmpties:
          front = std::max(front, call);
          back = std::max(back, front);
          ++segment;
          add(front, 0, local);
          break;
        default: front = std::max(front, call); add(front, 2, local);
      }
    }
    std::vector<std::uint32_t> rest;
    const PositionTrack& enqueues = tracks_[kEnqueues];
    for (std::uint32_t i = enqueues.first(); i != enqueues.end(); i = enqueues.after(i)) {
      if (!part_.pending(enqueues.local(i))) rest.push_back(enqueues.local(i));
    }
    for (const std::uint32_t local : rest) {
      back = std::max(back, part_.call[local]);
      add(back, 1, local);
    }
    std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) {
      return std::tie(a.segment, a.time, a.side, a.position) < std::tie(b.segment, b.time, b.side, b.position);
    });
    std::vector<std::uint32_t> order;
    order.reserve(points.size());
    for (const Point& point : points) order.push_back(point.local);
    return order;
  }

  const history::Subhistory& part_;
  core::DeciderOptions options_;
  std::array<PositionTrack, kKinds> tracks_;
  std::vector<std::uint32_t> wildcards_;  // pending dequeues, by call
  bool fits_ = true;

  std::vector<Placement> trail_;      // what is placed, in order; member kNoMember: the next pending dequeue
  std::vector<std::uint32_t> turns_;  // of the track before each placement
  Rank latest_ = 0;                   // one more than mx
  std::uint32_t wildcards_used_ = 0;
  std::vector<Frame> frames_;
  std::array<std::vector<std::uint32_t>, 2> numbers_;  // of the values of enqueues and dequeues
  std::uint64_t placed_ = 0;                           // sum of weights
  std::optional<PositionMemo> memo_;
  bool started_ = false, found_ = false;
  Reason reason_ = Reason::none;
};

}  // namespace

core::Applicability positions_applicable(const history::Subhistory& part) {
  const Queue* const specification = part.specification->get_if<Queue>();
  if (specification == nullptr) return core::not_of_this_type("not a queue");
  if (specification->capacity) return {.applies = false, .why = ""};
  for (std::uint32_t local = 0; local < part.size(); ++local) {
    const Value result = part.result(local);
    switch (part.method[local]) {
      case Queue::kEnqueue:
        if (!part.view(local).acknowledged()) return {.applies = false, .why = ""};
        break;
      case Queue::kDequeue:
      case Queue::kPeek:
        if (result.is_unknown() && !part.pending(local)) return {.applies = false, .why = ""};
        break;
      default: return {.applies = false, .why = ""};
    }
  }
  return {.applies = true, .why = "values repeat: orders are matched by position"};
}

std::unique_ptr<core::SearchTask> start_positions(const history::Subhistory& part,
                                                  const core::DeciderOptions& options) {
  return std::make_unique<PositionSearch>(part, options);
}

core::Outcome decide_positions(const history::Subhistory& part, const core::DeciderOptions& options,
                               core::Budget& budget) {
  PositionSearch search(part, options);
  search.run(UINT64_MAX, budget);
  return search.outcome();
}

}  // namespace linchpin::types::queue

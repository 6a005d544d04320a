// Decides queue histories in which values may repeat. Compare: monitor.cpp (unique values, linear), decide/search
// (any).
//
// Idea: the i-th value enqueued is the i-th dequeued. Instead of moving through time, move through positions: choose
// the enqueue and the dequeue of position 0, of position 1, ... (position_walk.hpp, depth first). To refute a history
// so, every node would have to be entered that can be reached from the beginning. But what refutes it is mostly near
// where the walk gets no further: from some positions before, from starts no worse than all that can be there, another
// walk tries whether any way leads on (position_past.hpp).
//
// Which value a pending dequeue took shows much later, where the walk does not come back to in time. So with pending
// dequeues, once it gets no further, walks that try their values in other orders take turns with it.
//
// Precondition: enqueue, dequeue and peek with known results, no capacity. Cost: exponential in k only; memory one
// entry a node. Source: docs/design/search.md, section on positions. Tests: tests/cross (verdicts, witnesses).
#include "types/queue/position_search.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <tuple>

#include "base/none.hpp"
#include "types/queue/position_past.hpp"
#include "types/queue/position_walk.hpp"
#include "types/queue/specification.hpp"

namespace linchpin::types::queue {

namespace {

using history::Rank;

class PositionSearch final : public core::SearchTask {
 public:
  PositionSearch(const history::Subhistory& part, const core::DeciderOptions& options, const PositionEffort& effort)
      : part_(part),
        options_(options),
        effort_(effort),
        walk_(part, effort.takes.front()),
        patience_(std::max<std::uint64_t>(effort.patience, part.size() / 8)) {
    walk_.begin({.base = {}, .more = {{}}, .latest = 0});
  }
  PositionSearch(const PositionSearch&) = delete;
  PositionSearch& operator=(const PositionSearch&) = delete;

  bool run(std::uint64_t steps, core::Budget& budget) override {
    for (; walk().status() == Status::going && !refuted_; --steps) {
      if (steps == 0) return false;
      if (budget.spent() || !may_grow(budget)) {
        reason_ = budget.reason();
        return true;
      }
      advance(budget);
    }
    return true;
  }

  core::Outcome outcome() const override {
    core::Outcome outcome;
    if (walk().status() == Status::found) {
      outcome.verdict = Verdict::linearizable;
      if (options_.witness) outcome.witness = witness();
    } else if (walk().status() == Status::nowhere || refuted_) {
      outcome.verdict = Verdict::violation;
    } else {
      outcome.reason = reason_;
      tell_how_far(outcome);
    }
    return outcome;
  }

  std::uint32_t passed() const override { return static_cast<std::uint32_t>(walk_.trail().size()); }

 private:
  using Status = PositionWalk::Status;

  static constexpr std::uint64_t kLeastPast = 1024;  // steps, and as many as half of those so far

  static constexpr double kSecondsToBegin = 3e-7;  // an operation

  /// The walk that has ended, or the first one.
  [[nodiscard]] const PositionWalk& walk() const {
    for (const PositionWalk& other : others_) {
      if (other.status() != Status::going) return other;
    }
    return walk_;
  }

  /// Asks before a memo doubles.
  bool may_grow(core::Budget& budget) {
    constexpr std::size_t kLargeGrowth = std::size_t{1} << 20;
    std::size_t growth = std::max(walk_.growth(), past_ ? past_->growth() : 0);
    for (const PositionWalk& other : others_) growth = std::max(growth, other.growth());
    return growth < kLargeGrowth || budget.allows(growth);
  }

  void advance(core::Budget& budget) {
    if (in_past_) {
      advance_past();
      return;
    }
    if (turn_ < others_.size()) {
      others_[turn_++].advance();
      return;
    }
    turn_ = 0;
    ++steps_;
    const std::size_t deepest = walk_.deepest();
    walk_.advance();
    if (walk_.deepest() > deepest) {
      progress_at_ = steps_;
    } else if (steps_ - progress_at_ >= patience_ && budget.allows_step(kSecondsToBegin * part_.size())) {
      if (others_.empty() && !walk_.wildcards().empty()) {
        for (const Takes takes : effort_.takes.subspan(1)) {
          others_.emplace_back(part_, takes).begin({.base = {}, .more = {{}}, .latest = 0});
        }
      }
      begin_past();
    }
  }

  /// The walk has not got further for long: tries whether the positions about there lead nowhere whatever was before.
  void begin_past() {
    patience_ *= 2;
    progress_at_ = steps_;
    const std::size_t back = std::size_t{effort_.past} << std::min(pasts_++, 30U);
    if (walk_.deepest() < back) return;
    if (!past_) past_.emplace(part_);
    auto starts = position_starts(*past_, static_cast<std::uint32_t>(walk_.deepest() - back));
    if (!starts) return;
    past_->begin(std::move(*starts), 2 * back + 1);
    past_left_ = steps_ / 2 + kLeastPast;
    in_past_ = true;
  }

  void advance_past() {
    past_->advance();
    refuted_ = past_->status() == Status::nowhere;
    in_past_ = past_->status() == Status::going && --past_left_ > 0;
  }

  /// What is placed is a linearization without the rest, and so is its beginning up to the first operation that was
  /// called after something of the rest had returned: there the search stands.
  void tell_how_far(core::Outcome& outcome) const {
    Rank first = Rank::none();
    for (const Kind kind : {kDequeues, kPeeks, kEmpties})
      first = std::min(first, walk_.tracks()[kind].least_response());
    if (first != Rank::none()) outcome.blocked = part_.events()[first].operation();
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
    const std::array<PositionTrack, kKinds>& tracks = walk().tracks();
    const auto add = [&](Rank time, std::uint8_t side, std::uint32_t local) {
      points.push_back({segment, time, side, static_cast<std::uint32_t>(points.size()), local});
    };
    for (const Placement& placement : walk().trail()) {
      const bool pending_dequeue = placement.member == kNone;
      const std::uint32_t local =
          pending_dequeue ? walk().wildcards()[wildcard++] : tracks[placement.kind].local(placement.member);
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
    const PositionTrack& enqueues = tracks[kEnqueues];
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
  PositionEffort effort_;
  PositionWalk walk_;
  Reason reason_ = Reason::none;

  std::uint64_t steps_ = 0;
  std::uint64_t progress_at_ = 0;
  std::uint64_t patience_;
  std::deque<PositionWalk> others_;
  std::size_t turn_ = 0;  // of the others, then of the walk
  std::optional<PositionWalk> past_;
  unsigned pasts_ = 0;
  bool in_past_ = false;
  std::uint64_t past_left_ = 0;
  bool refuted_ = false;
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
        if (!part.view(local).acknowledged(0)) return {.applies = false, .why = ""};
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
  return start_positions(part, options, {});
}

std::unique_ptr<core::SearchTask> start_positions(const history::Subhistory& part, const core::DeciderOptions& options,
                                                  const PositionEffort& effort) {
  return std::make_unique<PositionSearch>(part, options, effort);
}

core::Outcome decide_positions(const history::Subhistory& part, const core::DeciderOptions& options,
                               core::Budget& budget, const PositionEffort& effort) {
  PositionSearch search(part, options, effort);
  search.run(UINT64_MAX, budget);
  return search.outcome();
}

}  // namespace linchpin::types::queue

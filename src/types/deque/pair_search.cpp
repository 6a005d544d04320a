// Depth first, in the orders that any two values leave. Compare: decide/search (any history).
//
// What makes deques hard for a search is that the order of overlapping pushes shows much later, when the values are
// popped. But two values are enough to tell most of it (pairs.hpp): those orders are forced before the search begins,
// which then hardly ever has to turn back. Otherwise it is Wing, Gong and Lowe's: events in a linked list, an operation
// may be next iff its call stands before the first response, looks that are legal are taken without alternatives.
// Where a value is in the way of one that has to leave first, the search goes back at once to the choice that put it
// there; where it turns back a thousand times without getting further, it goes some way back and on in another order.
// Content is kept in place, and configurations that led nowhere are remembered by a hash of what is done and what is
// inside: should two have the same, a witness may be missed, so an exhausted search says nothing. A violation is what
// two values prove: orders that exclude each other, or, at the furthest dead end, a value in the way of another; and
// what some more prove: where it does not get further, up to 32 values next to that place are searched by themselves,
// with configurations as they are instead of their hashes, so that an exhausted search is a proof.
// Pending pops of unknown result are tried last.
// Precondition: no value pushed twice. Cost: O(n k) for the pairs; O(n) where the search never turns back. Exact where
// it answers; else the general searches decide. Tests: deque_pairs_test.cpp.
#include "types/deque/pair_search.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include <absl/container/flat_hash_set.h>

#include "linchpin/hash.hpp"
#include "types/deque/pairs.hpp"

namespace linchpin::types::deque {

namespace {

using algo::ValueNumber;
using history::Rank;
using history::Subhistory;

/// What is inside, front first, in a line that has room at both ends, and a hash of it: a sum over neighbours.
class Content {
 public:
  explicit Content(std::size_t most) : line_(2 * most + 2, ValueNumber::none()), front_(most + 1), end_(most + 1) {}

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(end_ - front_); }
  [[nodiscard]] bool empty() const { return front_ == end_; }
  [[nodiscard]] ValueNumber front() const { return line_[front_]; }
  [[nodiscard]] ValueNumber back() const { return line_[end_ - 1]; }
  [[nodiscard]] std::uint64_t hash() const { return hash_; }
  /// By position, from the front.
  [[nodiscard]] ValueNumber operator[](std::size_t i) const { return line_[front_ + i]; }

  /// The value at one end. @pre !empty()
  [[nodiscard]] ValueNumber at(End end) const { return end == 0 ? front() : back(); }

  void push(End end, ValueNumber value) {
    if (!empty()) hash_ += end == 0 ? neighbours(value, front()) : neighbours(back(), value);
    line_[end == 0 ? --front_ : end_++] = value;
    if (size() == 1) hash_ += alone(value);
  }
  /// What was there. @pre !empty()
  ValueNumber pop(End end) {
    if (size() == 1) hash_ -= alone(front());
    const ValueNumber value = line_[end == 0 ? front_++ : --end_];
    if (!empty()) hash_ -= end == 0 ? neighbours(value, front()) : neighbours(back(), value);
    return value;
  }

 private:
  static std::uint64_t neighbours(ValueNumber left, ValueNumber right) {
    return mix(0x6e65696768ULL, (std::uint64_t{left.number()} << 32) | right.number());
  }
  static std::uint64_t alone(ValueNumber value) { return mix(0x616c6f6e65ULL, value.number()); }

  std::vector<ValueNumber> line_;
  std::size_t front_, end_;
  std::uint64_t hash_ = 0;
};

class PairSearch final : public core::SearchTask {
 public:
  /// @param looks_around  whether a few values about a place that cannot be passed are searched by themselves
  PairSearch(const Subhistory& part, const core::DeciderOptions& options, bool looks_around = true)
      : part_(part),
        witness_(options.witness),
        looks_around_(looks_around),
        applicability_(read(part, acts_)),
        content_(acts_.push.size()),
        exact_(part.size() <= kMostExact) {}

  bool run(std::uint64_t steps, core::Budget& budget) override {
    const std::uint64_t stop_at = steps_ + std::min(steps, UINT64_MAX - steps_);
    if (status_ == Status::fresh) begin(budget);
    while (status_ == Status::searching) {
      if (steps_ >= stop_at) return false;
      if (budget.spent() || !may_grow(budget)) {
        finish(Status::gave_up, budget.reason());
        return true;
      }
      if (turned_back_ > patience_) {
        look_around(budget);
        if (status_ == Status::searching) begin_elsewhere();
      } else {
        advance();
        if (status_ == Status::searching && frames_.empty()) exhausted(budget);
      }
    }
    return true;
  }

  core::Outcome outcome() const override {
    core::Outcome outcome;
    outcome.reason = reason_;
    if (status_ == Status::found) {
      outcome.verdict = Verdict::linearizable;
      if (witness_) outcome.witness = path_;
    } else if (status_ == Status::refuted) {
      outcome.verdict = Verdict::violation;
      outcome.core = core_;
      outcome.sentence = sentence_;
    } else {
      if (best_turn_ < responders_.size()) outcome.blocked = responders_[best_turn_];
      outcome.longest = best_path_;
      if (reason_ == Reason::not_applicable) {
        outcome.sentence = applicability_.applies ? "more values have to be looked at together" : applicability_.why;
      }
    }
    return outcome;
  }

  std::uint32_t passed() const override { return std::max(turn_, best_turn_); }

 private:
  enum class Status : std::uint8_t { fresh, searching, found, refuted, gave_up };
  static constexpr std::size_t kMostInTheWay = 4096;  // values looked at, at a dead end
  static constexpr std::size_t kMostPassed = 64;      // values between an end and the one that is wanted
  static constexpr std::uint32_t kMostExact = 192;    // operations of which configurations are kept as they are
  static constexpr std::uint32_t kWayAround = 512;    // events
  static constexpr std::uint64_t kStepsAround = 100'000;

  static constexpr std::uint64_t kPatience = 1000;  // times of turning back without getting further
  static constexpr std::size_t kWayBack = 32;       // operations
  static constexpr std::size_t kMostWayBack = 1 << 14;

  struct Frame {
    std::size_t first = 0;  // of its candidates
    std::size_t tried = 0;
    std::uint32_t taken = kNone;              // the operation that was taken to leave it
    ValueNumber value = ValueNumber::none();  // what that popped
    std::uint32_t turn = 0;
  };

  void finish(Status status, Reason reason = Reason::none) {
    status_ = status;
    reason_ = reason;
  }
  void refute(std::span<const std::uint32_t> core, std::string sentence) {
    core_.assign(core.begin(), core.end());
    sentence_ = std::move(sentence);
    finish(Status::refuted);
  }

  [[nodiscard]] bool may_grow(core::Budget& budget) const {
    const std::size_t size = exact_ ? exactly_known_.size() : known_.size();
    const std::size_t capacity = exact_ ? exactly_known_.capacity() : known_.capacity();
    const std::size_t bytes = sizeof(std::uint64_t) + (exact_ ? 4 * std::size_t{part_.size()} : 1);
    const bool grows = size + 1 >= capacity && capacity > (1U << 16U);
    return !grows || budget.allows(2 * capacity * bytes);
  }

  /// No order is left. A proof where configurations were told apart by more than a hash.
  void exhausted(core::Budget& budget) {
    look_around(budget);
    if (status_ != Status::searching) return;
    if (!exact_) return finish(Status::gave_up, Reason::not_applicable);
    std::vector<std::uint32_t> all(part_.size());
    std::iota(all.begin(), all.end(), 0);
    refute(all, {});
  }

  /// Whether the values about the response that is never passed, more and more of them, have no order by themselves.
  void look_around(core::Budget& budget) {
    if (!looks_around_ || looked_around_ > furthest_) return;
    looked_around_ = furthest_ + 1;
    for (const std::size_t values : {4U, 8U, 16U, 24U, 32U}) {
      const std::vector<std::uint32_t> locals = about(responders_[furthest_], values);
      const Subhistory few = history::restrict(part_, locals);
      PairSearch search(few, {.witness = false}, false);
      search.run(kStepsAround, budget);
      steps_ += search.steps_;
      if (search.status_ != Status::refuted) continue;
      std::vector<std::uint32_t> core;
      for (const std::uint32_t local : search.core_) core.push_back(locals[local]);
      return refute(core, std::move(search.sentence_));
    }
  }

  /// The operation with all that tells about its value and the values next to that in time.
  [[nodiscard]] std::vector<std::uint32_t> about(std::uint32_t operation, std::size_t most) const {
    std::vector<std::uint32_t> locals;
    std::vector<ValueNumber> values;
    const auto add = [&](std::uint32_t local) {
      if (local != kNone) locals.push_back(local);
    };
    const auto add_value_of = [&](std::uint32_t local) {
      if (!tells(acts_, local)) return;
      add(local);
      const ValueNumber value = acts_.of[local].value;
      if (acts_.of[local].kind == ActKind::empty || std::find(values.begin(), values.end(), value) != values.end())
        return;
      values.push_back(value);
      add(acts_.push[value]);
      add(acts_.pop[value]);
      for (const std::uint32_t peek : acts_.peeks[value]) add(peek);
    };
    add_value_of(operation);
    const Rank end = part_.ranks();
    std::vector<Rank> centres = {part_.response[operation]};
    for (const std::uint32_t local : locals) {
      centres.push_back(part_.call[local]);
      if (!part_.pending(local)) centres.push_back(part_.response[local]);
    }
    for (std::uint32_t way = 0; way < kWayAround; ++way) {
      for (const Rank centre : centres) {
        if (values.size() < most && centre.number() >= way) add_value_of(part_.events()[centre - way].operation());
        if (values.size() < most && centre + way < end) add_value_of(part_.events()[centre + way].operation());
      }
    }
    std::sort(locals.begin(), locals.end());
    locals.erase(std::unique(locals.begin(), locals.end()), locals.end());
    return locals;
  }

  void begin(core::Budget& budget) {
    if (!applicability_.applies) return finish(Status::gave_up, Reason::not_applicable);
    if (!acts_.wrong.empty()) return refute(acts_.wrong, acts_.why);
    if (!forced_.by_pairs(part_, acts_, budget)) return finish(Status::gave_up, budget.reason());
    if (!forced_.core().empty()) return refute(forced_.core(), forced_.why());
    const Rank end = part_.ranks();
    next_.resize(end + 1);
    previous_.resize(end + 1);
    Rank last = end;  // the head
    for (Rank rank = 0; rank < end; ++rank) {
      const history::Event event = part_.events()[rank];
      if (acts_.of[event.operation()].kind == ActKind::omitted) continue;
      if (event.is_response()) responders_.push_back(event.operation());
      next_[last] = rank;
      previous_[rank] = last;
      last = rank;
    }
    next_[last] = Rank::none();
    done_.assign(part_.size(), false);
    position_.assign(part_.size(), kNone);
    waits_for_ = forced_.earlier();
    status_ = Status::searching;
    enter();
  }

  /// Where it does not get further: some way back, and on from there in another order.
  void begin_elsewhere() {
    turned_back_ = 0;
    patience_ += patience_ / 4;
    for (std::size_t left = way_back_; left > 0 && frames_.size() > 1; --left) {
      frames_.pop_back();
      sizes_.pop_back();
      put_back(frames_.back());
    }
    way_back_ = way_back_ >= kMostWayBack ? kWayBack : 2 * way_back_;
    ++shuffle_;
    frames_.pop_back();
    sizes_.pop_back();
    last_useful_ = SIZE_MAX;
    enter();
  }

  void lift(Rank rank) {
    next_[previous_[rank]] = next_[rank];
    if (next_[rank] != Rank::none()) previous_[next_[rank]] = previous_[rank];
  }
  void unlift(Rank rank) {
    next_[previous_[rank]] = rank;
    if (next_[rank] != Rank::none()) previous_[next_[rank]] = rank;
  }

  [[nodiscard]] bool legal(std::uint32_t local) const {
    const EndAct& act = acts_.of[local];
    switch (act.kind) {
      case ActKind::take:
      case ActKind::look: return !content_.empty() && content_.at(act.end) == act.value;
      case ActKind::lost_take: return !content_.empty() && acts_.pop[content_.at(act.end)] == kNone;
      case ActKind::empty:
      case ActKind::count: return act.fits(content_.size());
      default: return true;
    }
  }

  void take(Frame& frame, std::uint32_t local) {
    frame.taken = local;
    lift(part_.call[local]);
    if (!part_.pending(local)) lift(part_.response[local]);
    done_[local] = true;
    done_hash_ += mix(0x646f6e65ULL, local);
    for (const std::uint32_t later : forced_.later(local)) --waits_for_[later];
    const EndAct& act = acts_.of[local];
    if (act.kind == ActKind::add) content_.push(act.end, act.value);
    if (act.pops()) frame.value = content_.pop(act.end);
    position_[local] = static_cast<std::uint32_t>(path_.size());
    path_.push_back(local);
    while (turn_ < responders_.size() && done_[responders_[turn_]]) ++turn_;
    if (turn_ <= furthest_) return;
    furthest_ = turn_;
    turned_back_ = 0;
    patience_ = kPatience;
    way_back_ = kWayBack;
    shuffle_ = 0;
  }

  void put_back(const Frame& frame) {
    const std::uint32_t local = frame.taken;
    path_.pop_back();
    common_ = std::min(common_, path_.size());
    turn_ = frame.turn;
    const EndAct& act = acts_.of[local];
    if (act.kind == ActKind::add) content_.pop(act.end);
    if (act.pops()) content_.push(act.end, frame.value);
    for (const std::uint32_t later : forced_.later(local)) ++waits_for_[later];
    done_hash_ -= mix(0x646f6e65ULL, local);
    done_[local] = false;
    if (!part_.pending(local)) unlift(part_.response[local]);
    unlift(part_.call[local]);
  }

  /// Arrives at a configuration: finished, known, or a frame with its candidates.
  void enter() {
    if (turn_ == responders_.size()) return finish(Status::found);
    const std::size_t first = frames_.empty() ? 0 : frames_.back().first + sizes_.back();
    candidates_.resize(first);
    bool look = false;
    for (Rank rank = next_[part_.ranks()]; rank != Rank::none(); rank = next_[rank]) {
      const history::Event event = part_.events()[rank];
      if (event.is_response()) break;
      const std::uint32_t local = event.operation();
      ++steps_;
      if (!legal(local)) {
        last_useful_ = std::min(last_useful_, wrong_choice(local));
        continue;
      }
      if (waits_for_[local] != 0) continue;
      if (is_look(acts_.of[local]) && last_useful_ == SIZE_MAX) {  // now is as good as any time
        candidates_.resize(first);
        candidates_.push_back(local);
        look = true;
        break;
      }
      candidates_.push_back(local);
    }
    if (last_useful_ != SIZE_MAX) candidates_.resize(first);
    if (candidates_.size() == first) {
      if (turn_ >= looked_at_) look_at_dead_end();
      if (status_ != Status::searching) return;
    }
    if (!look) {
      if (exact_ ? exactly_known_.contains(exact_configuration()) : known_.contains(configuration())) {
        candidates_.resize(first);
      }
      std::sort(candidates_.begin() + static_cast<std::ptrdiff_t>(first), candidates_.end(),
                [&](std::uint32_t a, std::uint32_t b) { return preference(a) < preference(b); });
    }
    frames_.push_back({.first = first, .turn = turn_});
    sizes_.push_back(candidates_.size() - first);
  }

  [[nodiscard]] std::uint64_t configuration() const { return mix(done_hash_, content_.hash()); }
  /// What is done, 32 operations a number, and what is inside.
  [[nodiscard]] std::vector<std::uint32_t> exact_configuration() const {
    std::vector<std::uint32_t> all((part_.size() + 31) / 32, 0);
    for (const std::uint32_t local : path_) all[local / 32] |= 1U << (local % 32);
    for (std::size_t i = 0; i < content_.size(); ++i) all.push_back(content_[i].number());
    return all;
  }
  /// What responds first goes first, or some other order; what need not be done at all last.
  [[nodiscard]] std::pair<bool, std::uint64_t> preference(std::uint32_t local) const {
    return {acts_.of[local].kind == ActKind::lost_take,
            shuffle_ == 0 ? part_.response[local].number() : mix(shuffle_, local)};
  }

  /// Nothing can be next: where a value is in the way of another, those two may prove a violation.
  void look_at_dead_end() {
    looked_at_ = turn_ + 1;
    std::size_t looked = 0;
    for (Rank rank = next_[part_.ranks()]; rank != Rank::none(); rank = next_[rank]) {
      const history::Event event = part_.events()[rank];
      if (event.is_response()) break;
      const std::uint32_t local = event.operation();
      const EndAct& act = acts_.of[local];
      const bool names = act.kind == ActKind::take || act.kind == ActKind::look;
      if (!names && act.kind != ActKind::empty) continue;
      const bool at_front = names && act.end == 0;
      for (std::size_t i = 0; i < content_.size() && looked < kMostInTheWay; ++i, ++looked) {
        const ValueNumber other = content_[at_front ? i : content_.size() - 1 - i];
        if (other == act.value) break;
        if (acts_.lost_takes && (acts_.pop[other] == kNone || (names && acts_.pop[act.value] == kNone))) {
          continue;
        }
        const Handful handful(acts_, local, acts_.push[other]);
        if (possible(part_, acts_, handful)) continue;
        return refute(handful.operations(), why_impossible(part_, acts_, local, acts_.push[other]));
      }
    }
    steps_ += looked;
  }

  /// The last choice that has to be made otherwise for an operation that was called to be possible, where something is
  /// in its way that can leave only after it returned; SIZE_MAX where nothing is.
  [[nodiscard]] std::size_t wrong_choice(std::uint32_t local) const {
    const EndAct& act = acts_.of[local];
    const bool names = act.kind == ActKind::take || act.kind == ActKind::look;
    if (!names && act.kind != ActKind::empty) return SIZE_MAX;
    const bool at_front = names && act.end == 0;
    const ValueNumber value = act.value;
    if (names && !done_[acts_.push[value]]) return SIZE_MAX;
    std::size_t wrong = SIZE_MAX;
    const std::size_t most = std::min<std::size_t>(content_.size(), kMostPassed);
    for (std::size_t i = 0; i < most; ++i) {
      const ValueNumber other = content_[at_front ? i : content_.size() - 1 - i];
      if (names && other == value) break;
      const std::uint32_t pop = acts_.pop[other];
      if (pop == kNone ? acts_.lost_takes : !part_.happens_before(local, pop)) continue;  // it may leave in time
      std::uint32_t later = position_[acts_.push[other]];
      if (names) later = std::max(later, position_[acts_.push[value]]);
      wrong = std::min<std::size_t>(wrong, later);
    }
    return wrong;
  }

  void advance() {
    Frame& frame = frames_.back();
    if (frame.tried < sizes_.back()) {
      take(frame, candidates_[frame.first + frame.tried++]);
      return enter();
    }
    remember_best();
    ++turned_back_;
    if (sizes_.back() > 0) {
      if (exact_) {
        exactly_known_.insert(exact_configuration());
      } else {
        known_.insert(configuration());
      }
    }
    frames_.pop_back();
    sizes_.pop_back();
    if (frames_.empty()) return;
    put_back(frames_.back());
    for (; frames_.size() - 1 > last_useful_; put_back(frames_.back())) {
      frames_.pop_back();
      sizes_.pop_back();
    }
    last_useful_ = SIZE_MAX;
  }

  /// Keeps the path that got furthest; copies only what changed since the last copy.
  void remember_best() {
    if (turn_ <= best_turn_) return;
    best_turn_ = turn_;
    best_path_.resize(std::min(common_, best_path_.size()));
    best_path_.insert(best_path_.end(), path_.begin() + static_cast<std::ptrdiff_t>(best_path_.size()), path_.end());
    common_ = path_.size();
  }

  const Subhistory& part_;
  bool witness_, looks_around_;
  Acts acts_;
  core::Applicability applicability_;
  Content content_;
  bool exact_;  // few enough operations that an exhausted search is a proof
  ForcedOrders forced_;

  history::ByRank<Rank> next_, previous_;  // the head is at ranks()
  std::vector<std::uint32_t> responders_;  // completed operations, by response
  std::vector<std::uint32_t> waits_for_;   // how many forced orders each operation still waits for
  std::vector<bool> done_;
  std::uint64_t done_hash_ = 0;
  std::vector<std::uint32_t> path_;
  std::uint32_t turn_ = 0;  // first response whose operation is not done
  absl::flat_hash_set<std::uint64_t> known_;
  absl::flat_hash_set<std::vector<std::uint32_t>> exactly_known_;

  std::vector<Frame> frames_;
  std::vector<std::size_t> sizes_;  // candidates of each frame
  std::vector<std::uint32_t> candidates_;

  std::vector<std::uint32_t> position_;  // in path_, of what is done
  std::size_t last_useful_ = SIZE_MAX;   // frames beyond need not be gone on with
  std::uint32_t looked_at_ = 0;          // dead ends before this turn were looked at
  std::uint32_t looked_around_ = 0;      // and what is about them
  std::uint32_t best_turn_ = 0;
  std::vector<std::uint32_t> best_path_;
  std::size_t common_ = 0;  // best_path_ and path_ agree so far

  std::uint32_t furthest_ = 0;     // greatest turn so far
  std::uint64_t turned_back_ = 0;  // since it was reached
  std::uint64_t patience_ = kPatience;
  std::size_t way_back_ = kWayBack;
  std::uint64_t shuffle_ = 0;

  Status status_ = Status::fresh;
  Reason reason_ = Reason::none;
  std::vector<std::uint32_t> core_;
  std::string sentence_;
  std::uint64_t steps_ = 0;
};

}  // namespace

core::Applicability pairs_applicable(const Subhistory& part) {
  Acts acts;
  return read(part, acts);
}

std::unique_ptr<core::SearchTask> start_pairs(const Subhistory& part, const core::DeciderOptions& options) {
  return std::make_unique<PairSearch>(part, options);
}

}  // namespace linchpin::types::deque

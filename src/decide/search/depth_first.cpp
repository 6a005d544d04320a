// Depth-first search over linearizations (Wing, Gong and Lowe) with a windowed memo. Any specification.
//
// Idea: keep the events that are still to come in a linked list. An operation may be next iff its call stands before
// the first response in the list. Take one, lift its two events out, go on; when the first response's operation cannot
// be reached any more, put the last one back and try another. A configuration seen before is not searched again. The
// memo's key is (first response still to come, mask over the operations open there, state): see window.hpp. Lowe's
// algorithm stores the set of all linearized operations instead, n bits an entry.
// Prunings: a pure operation that is legal now is taken without alternatives; of several candidates with one label only
// the one that responds first is tried (interchangeable: nothing that remains happens before either of them).
// Cost: exponential in the worst case; linear when a witness is met without backtracking.
// Source: G. Lowe, Testing for linearizability, 2017; P-compositionality (Horn, Kroening 2015), Algorithms 1-3.
// Compare: configuration_set.cpp (breadth first; better on long histories with few states). Tests: tests/cross.
#include <algorithm>

#include "decide/search/search_task.hpp"
#include "decide/search/transitions.hpp"
#include "decide/search/window.hpp"

namespace linchpin::decide {

namespace {

using history::Rank;

/// Set of (turn, state, mask): open addressing over one flat array.
class Memo {
 public:
  explicit Memo(std::uint32_t words) : words_(words), stride_(words + 1) {
    table_.assign(kFirstCapacity * stride_, kEmpty);
  }

  /// Adds the configuration; false if it was there.
  bool insert(std::uint32_t turn, StateId state, const std::uint64_t* mask) {
    if ((used_ + 1) * 4 > capacity_ * 3) grow();
    if (!place(table_, capacity_, (std::uint64_t{turn} << 32) | state, mask)) return false;
    ++used_;
    return true;
  }
  [[nodiscard]] std::size_t growth() const {
    return (used_ + 1) * 4 > capacity_ * 3 ? 2 * capacity_ * stride_ * sizeof(std::uint64_t) : 0;
  }

 private:
  static constexpr std::size_t kFirstCapacity = 256;
  static constexpr std::uint64_t kEmpty = ~std::uint64_t{0};

  bool place(std::vector<std::uint64_t>& table, std::size_t capacity, std::uint64_t head,
             const std::uint64_t* mask) const {
    std::uint64_t hash = mix(1, head);
    for (std::uint32_t w = 0; w < words_; ++w) hash = mix(hash, mask[w]);
    std::size_t slot = hash & (capacity - 1);
    while (true) {
      std::uint64_t* const entry = &table[slot * stride_];
      if (entry[0] == kEmpty) {
        entry[0] = head;
        std::copy_n(mask, words_, entry + 1);
        return true;
      }
      if (entry[0] == head && std::equal(mask, mask + words_, entry + 1)) return false;
      slot = (slot + 1) & (capacity - 1);
    }
  }

  void grow() {
    std::vector<std::uint64_t> larger(2 * capacity_ * stride_, kEmpty);
    for (std::size_t slot = 0; slot < capacity_; ++slot) {
      const std::uint64_t* const entry = &table_[slot * stride_];
      if (entry[0] != kEmpty) place(larger, 2 * capacity_, entry[0], entry + 1);
    }
    table_ = std::move(larger);
    capacity_ *= 2;
  }

  std::uint32_t words_;
  std::uint32_t stride_;  // words of an entry: head and mask
  std::size_t capacity_ = kFirstCapacity;
  std::size_t used_ = 0;
  std::vector<std::uint64_t> table_;
};

class DepthFirst final : public SearchTask {
 public:
  DepthFirst(const history::Subhistory& part, const core::DeciderOptions& options)
      : part_(part),
        options_(options),
        labels_(part),
        transitions_(part, labels_),
        window_(part, labels_),
        memo_(window_.words()),
        mask_(window_.words(), 0),
        linearized_(part.size(), false),
        state_(transitions_.initial()),
        seen_at_(labels_.count(), 0) {
    link_events();
  }

  bool run(std::uint64_t steps, core::Budget& budget) override {
    const std::uint64_t stop_at = steps_ + steps;
    if (!started_) {
      started_ = true;
      enter();
    }
    while (status_ == Status::searching) {
      if (steps_ >= stop_at) return false;
      // Where very many operations overlap, one more is a long step.
      if (steps_ >= look_at_ ? budget.spent_now() : budget.spent()) return give_up(budget.reason());
      if (steps_ >= look_at_) look_at_ = steps_ + kLooks;
      if (const std::size_t growth = memo_.growth() + transitions_.growth();
          growth > kLargeGrowth && !budget.allows(growth)) {
        return give_up(budget.reason());
      }
      advance();
    }
    return true;
  }

  core::Outcome outcome() const override {
    core::Outcome outcome;
    switch (status_) {
      case Status::found:
        outcome.verdict = Verdict::linearizable;
        if (options_.witness) outcome.witness = path_;
        return outcome;
      case Status::exhausted: outcome.verdict = Verdict::violation; break;
      case Status::searching:
      case Status::gave_up: outcome.reason = reason_; break;
    }
    const bool now_is_best = turn_ > best_turn_;
    const std::uint32_t turn = now_is_best ? turn_ : best_turn_;
    outcome.longest = now_is_best ? path_ : best_path_;
    if (turn < window_.responder.size()) outcome.blocked = window_.responder[turn];
    if (status_ == Status::exhausted) outcome.states = best_states_;
    return outcome;
  }

  std::uint32_t passed() const override { return std::max(turn_, best_turn_); }

 private:
  enum class Status : std::uint8_t { searching, found, exhausted, gave_up };
  static constexpr std::size_t kLargeGrowth = std::size_t{1} << 20;
  static constexpr std::uint64_t kLooks = 1 << 16;  // steps, after which the clock is looked at

  struct Candidate {
    std::uint32_t local;
    StateId next;
  };
  /// One operation taken, and what else could have been.
  struct Frame {
    std::size_t first_candidate;  // into candidates_
    std::size_t tried;            // how many of them were tried
    StateId state;                // before the operation
    std::uint32_t turn;           // before the operation
  };

  bool give_up(Reason reason) {
    status_ = Status::gave_up;
    reason_ = reason;
    return true;
  }

  /// The list holds, in order of rank, the events of operations that are kept; the head stands before them.
  void link_events() {
    const Rank end = part_.ranks();
    next_.resize(end + 1);
    previous_.resize(end + 1);
    Rank last = end;  // the head
    for (Rank rank = 0; rank < end; ++rank) {
      if (window_.dropped(part_.events()[rank].operation())) continue;
      next_[last] = rank;
      previous_[rank] = last;
      last = rank;
    }
    next_[last] = Rank::none();
  }
  void lift(Rank rank) {
    next_[previous_[rank]] = next_[rank];
    if (next_[rank] != Rank::none()) previous_[next_[rank]] = previous_[rank];
  }
  void unlift(Rank rank) {
    next_[previous_[rank]] = rank;
    if (next_[rank] != Rank::none()) previous_[next_[rank]] = rank;
  }

  void set_bit(std::uint32_t local) {
    const std::uint32_t slot = window_.slot[local].number();
    mask_[slot >> 6] |= std::uint64_t{1} << (slot & 63);
  }
  void clear_bit(std::uint32_t local) {
    const std::uint32_t slot = window_.slot[local].number();
    mask_[slot >> 6] &= ~(std::uint64_t{1} << (slot & 63));
  }

  void take(std::uint32_t local, StateId next) {
    lift(part_.call[local]);
    if (!part_.pending(local)) lift(part_.response[local]);
    set_bit(local);
    path_.push_back(local);
    linearized_[local] = true;
    while (turn_ < window_.responder.size() && linearized_[window_.responder[turn_]])
      clear_bit(window_.responder[turn_++]);
    state_ = next;
  }
  void put_back(const Frame& frame) {
    const std::uint32_t local = path_.back();
    path_.pop_back();
    while (turn_ > frame.turn) set_bit(window_.responder[--turn_]);
    linearized_[local] = false;
    clear_bit(local);
    if (!part_.pending(local)) unlift(part_.response[local]);
    unlift(part_.call[local]);
    state_ = frame.state;
    common_ = std::min(common_, path_.size());
  }

  /// Arrives at a configuration: finished, known, or a new frame with its candidates.
  void enter() {
    if (turn_ == window_.responder.size()) {
      status_ = Status::found;
      return;
    }
    candidates_.resize(frames_.empty() ? 0 : frames_.back().first_candidate + frame_size_.back());
    const std::size_t first = candidates_.size();
    for (Rank rank = next_[part_.ranks()]; rank != Rank::none(); rank = next_[rank]) {
      const history::Event event = part_.events()[rank];
      if (event.is_response()) break;
      const std::uint32_t local = event.operation();
      const Label label = labels_.of(local);
      ++steps_;
      const std::span<const StateId> after = transitions_.after(state_, label);
      if (after.empty()) continue;
      if (labels_.pure(label)) {
        // Pure and legal: taking it now loses nothing, and there is no other choice to come back to.
        candidates_.resize(first);
        candidates_.push_back({local, after[0]});
        break;
      }
      for (const StateId next : after) candidates_.push_back({local, next});
    }
    const bool forced = candidates_.size() == first + 1 && labels_.pure(labels_.of(candidates_[first].local));
    if (!forced) {
      if (!memo_.insert(turn_, state_, mask_.data())) candidates_.resize(first);
      order_candidates(first);
    }
    frames_.push_back({.first_candidate = first, .tried = 0, .state = state_, .turn = turn_});
    frame_size_.push_back(candidates_.size() - first);
  }

  /// Earliest response first, pending last; one operation a label.
  void order_candidates(std::size_t first) {
    const auto begin = candidates_.begin() + static_cast<std::ptrdiff_t>(first);
    std::stable_sort(begin, candidates_.end(), [&](const Candidate& a, const Candidate& b) {
      return part_.response[a.local] < part_.response[b.local];
    });
    ++sorted_;
    std::size_t kept = first;
    for (std::size_t i = first; i < candidates_.size(); ++i) {
      const Candidate candidate = candidates_[i];
      const Label label = labels_.of(candidate.local);
      const bool same_operation = kept > first && candidates_[kept - 1].local == candidate.local;
      if (!same_operation) {
        if (seen_at_[label] == sorted_) continue;
        seen_at_[label] = sorted_;
      }
      candidates_[kept++] = candidate;
    }
    candidates_.resize(kept);
  }

  void advance() {
    Frame& frame = frames_.back();
    if (frame.tried < frame_size_.back()) {
      const Candidate candidate = candidates_[frame.first_candidate + frame.tried++];
      take(candidate.local, candidate.next);
      enter();
      return;
    }
    remember_best();
    frames_.pop_back();
    frame_size_.pop_back();
    if (frames_.empty()) {
      status_ = Status::exhausted;
      return;
    }
    put_back(frames_.back());
  }

  /// Keeps the path that got furthest; copies only what changed since the last copy.
  void remember_best() {
    if (turn_ < best_turn_ || (turn_ == best_turn_ && has_best_)) {
      if (turn_ == best_turn_ && best_states_.size() < kStatesKept) note_state();
      return;
    }
    has_best_ = true;
    best_turn_ = turn_;
    best_path_.resize(std::min(common_, best_path_.size()));
    best_path_.insert(best_path_.end(), path_.begin() + static_cast<std::ptrdiff_t>(best_path_.size()), path_.end());
    common_ = path_.size();
    best_states_.clear();
    note_state();
  }
  void note_state() {
    std::string text = transitions_.describe(state_);
    if (std::find(best_states_.begin(), best_states_.end(), text) == best_states_.end())
      best_states_.push_back(std::move(text));
  }
  static constexpr std::size_t kStatesKept = 16;

  const history::Subhistory& part_;
  core::DeciderOptions options_;
  Labels labels_;
  Transitions transitions_;
  Window window_;
  Memo memo_;

  history::ByRank<Rank> next_, previous_;  // the head is at ranks()
  std::vector<std::uint64_t> mask_;        // of linearized operations open at the turn
  std::vector<bool> linearized_;
  std::vector<std::uint32_t> path_;
  StateId state_;
  std::uint32_t turn_ = 0;  // first response whose operation is not linearized

  std::vector<Frame> frames_;
  std::vector<std::size_t> frame_size_;
  std::vector<Candidate> candidates_;
  std::vector<std::uint64_t> seen_at_;  // by label: which list of candidates had it last
  std::uint64_t sorted_ = 0;

  bool has_best_ = false;
  std::uint32_t best_turn_ = 0;
  std::vector<std::uint32_t> best_path_;
  std::vector<std::string> best_states_;
  std::size_t common_ = 0;  // best_path_ and path_ agree so far

  bool started_ = false;
  Status status_ = Status::searching;
  Reason reason_ = Reason::none;
  std::uint64_t steps_ = 0;
  std::uint64_t look_at_ = kLooks;  // the clock, at latest
};

}  // namespace

std::unique_ptr<SearchTask> make_depth_first(const history::Subhistory& part, const core::DeciderOptions& options) {
  return std::make_unique<DepthFirst>(part, options);
}

}  // namespace linchpin::decide

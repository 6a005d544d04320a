// A search for witnesses that keeps a few configurations, with contents as they are, and knows what is needed later.
//
// It is few-configurations of the general searches (docs/design/search.md) for types whose states are cheap to copy, so
// that nothing is interned. Of what the type knows of the whole history it uses this: a value that is added once must
// not leave while an operation that needs it there is not done. So a configuration that has lost such a value is
// dropped at once, not when that operation returns.
//
// Just before the response of x, configurations without x are expanded, those that did least first, until enough were
// met; then the best are kept: those whose operations were done late, and in which what is due soon is done or legal.
// Where none goes on, the search goes back some responses, and keeps more from there on.
//
// It finds witnesses; it never proves that there is none. At most 128 operations open at once. Cost: O(width * open
// operations) steps of the type a response. Memory: the configurations of checkpoints, and the chains of what was done.
// Source: own: docs/design/search.md, few configurations. Compare: decide/search/narrowing.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_set.h>

#include "algo/frontier/slot_mask.hpp"
#include "algo/frontier/slots.hpp"
#include "algo/shared_chains.hpp"
#include "core/search_task.hpp"
#include "linchpin/hash.hpp"

namespace linchpin::types {

/// Where a search stands, for the question which operations are not done.
struct GuidedMoment {
  const history::Subhistory* part = nullptr;
  const algo::FixedSlots* slots = nullptr;
  history::Rank rank = 0;       ///< of the response that is being passed
  algo::SlotMask<2> done = {};  ///< of what is open

  [[nodiscard]] bool undone(std::uint32_t x) const {
    if (part->call[x] > rank) return true;
    if (part->response[x] < rank) return false;
    return slots->slot[x] != algo::FixedSlots::kNone && !done.has(slots->slot[x]);
  }
};

/// `Rules` has
///   State                                   copied, and emptied by `State{}` at first
///   bool step(State&, local)                 does it; false: it is illegal
///   bool legal(const State&, local)
///   bool pure(local)                         never changes a state in which it is legal
///   std::uint64_t hash(const State&)
///   bool lost(before, after, local, moment)  what the operation took out or put in leaves an undone one no chance
template <class Rules>
class GuidedSearch final : public core::SearchTask {
 public:
  using Local = std::uint32_t;
  using Mask = algo::SlotMask<2>;
  using State = typename Rules::State;
  static constexpr std::uint32_t kMostOpen = Mask::kSlots;

  /// An operation that is pending and pure never has to run.
  [[nodiscard]] static bool counts(const history::Subhistory& part, Local x) {
    return !part.pending(x) || !part.specification->pure(part.view(x));
  }

  GuidedSearch(const history::Subhistory& part, Rules rules, const core::DeciderOptions& options)
      : part_(part),
        rules_(std::move(rules)),
        witness_(options.witness),
        slots_(algo::fixed_slots(part, [&](Local x) { return counts(part, x); })) {
    turn_.resize(part.size(), kPending);
    std::uint32_t turn = 0;
    for (const history::Event event : part.events()) {
      if (event.is_response()) turn_[event.operation()] = turn++;
    }
    current_.emplace_back();
    checkpoints_.push_back({0, 0, {}, current_});
  }
  GuidedSearch(const GuidedSearch&) = delete;
  GuidedSearch& operator=(const GuidedSearch&) = delete;

  bool run(std::uint64_t steps, core::Budget& budget) override {
    const std::uint64_t stop_at = steps_ + steps;
    while (!found_) {
      if (steps_ >= stop_at) return false;
      if (budget.spent() || !may_grow(budget)) {
        reason_ = budget.reason();
        return true;
      }
      advance();
    }
    return true;
  }

  [[nodiscard]] core::Outcome outcome() const override {
    core::Outcome outcome;
    if (found_) {
      outcome.verdict = Verdict::linearizable;
      if (witness_) outcome.witness = chains_.from_start(current_.front().tail);
    } else {
      outcome.reason = reason_;
    }
    return outcome;
  }

  [[nodiscard]] std::uint32_t passed() const override { return furthest_; }

 private:
  struct Node {
    State state{};
    Mask done;
    std::uint32_t tail = algo::kNoLink;
  };
  struct Checkpoint {
    history::Rank rank;
    std::uint32_t passed;
    std::vector<Local> open;
    std::vector<Node> nodes;
  };
  static constexpr std::uint32_t kPending = 0x3fffffffU;
  static constexpr std::uint32_t kApart = 16;  // responses between checkpoints
  static constexpr std::size_t kFirstWidth = 16;
  static constexpr std::size_t kMostWidth = std::size_t{1} << 14;
  static constexpr std::size_t kMet = 6;        // for each that is kept, where one has passed
  static constexpr std::size_t kMetStuck = 64;  // where none has
  static constexpr std::int64_t kSoon = 12;
  static constexpr std::int64_t kLate = 48;  // a pending operation is as early as one that returns after so many
  static constexpr std::array<std::int64_t, 4> kWeights{4, 1, 2, 8};
  static constexpr std::uint32_t kSafely = 64;
  static constexpr std::size_t kCheckpoints = 512;

  void advance() {
    if (rank_ == part_.ranks()) {
      found_ = true;
      return;
    }
    const history::Event event = part_.events()[rank_];
    const Local x = event.operation();
    if (slots_.slot[x] == algo::FixedSlots::kNone) {
      ++rank_;
    } else if (event.is_response()) {
      respond(x);
    } else {
      open_.push_back(x);
      ++rank_;
      ++steps_;
      if (!rules_.pure(x)) return;
      for (Node& each : current_) {
        if (rules_.legal(each.state, x)) take(each, x);
      }
    }
  }

  [[nodiscard]] Mask bit(Local x) const { return Mask::of(slots_.slot[x]); }
  void take(Node& node, Local x) {
    node.done |= bit(x);
    if (witness_) node.tail = chains_.extend(node.tail, x);
  }

  void respond(Local x) {
    const std::uint32_t slot = slots_.slot[x];
    ++steps_;
    if (!std::all_of(current_.begin(), current_.end(), [&](const Node& each) { return each.done.has(slot); })) {
      expand(x);
      if (result_.empty()) {
        go_back();
        return;
      }
      keep_best();
      std::swap(current_, result_);
    }
    for (Node& each : current_) each.done &= ~bit(x);
    std::erase(open_, x);
    ++rank_;
    ++passed_;
    furthest_ = std::max(furthest_, passed_);
    if (passed_ > stuck_at_ + kSafely) {
      width_ = kFirstWidth;
      attempts_ = 0;
      back_ = kApart;
    }
    if (passed_ >= checkpoints_.back().passed + kApart) note();
  }

  void expand(Local x) {
    const std::uint32_t slot = slots_.slot[x];
    result_.clear();
    met_.clear();
    nodes_.clear();
    for (Node& each : current_) {
      met_.insert(key_of(each));
      (each.done.has(slot) ? result_ : nodes_).push_back(each);
    }
    std::size_t met = result_.size() + nodes_.size();
    for (std::size_t at = 0; at < nodes_.size(); ++at) {
      if (met >= kMet * width_ && (!result_.empty() || met >= kMetStuck * width_)) return;
      for (const Local y : open_) {
        if (rules_.pure(y) || nodes_[at].done.has(slots_.slot[y])) continue;
        ++steps_;
        Node next = nodes_[at];
        if (!rules_.step(next.state, y)) continue;
        next.done |= bit(y);
        moment_.rank = rank_;
        moment_.done = next.done;
        if (rules_.lost(nodes_[at].state, next.state, y, moment_)) continue;
        looks_.clear();
        for (const Local z : open_) {
          if (!rules_.pure(z) || next.done.has(slots_.slot[z]) || !rules_.legal(next.state, z)) continue;
          next.done |= bit(z);
          looks_.push_back(z);
        }
        if (!met_.insert(key_of(next)).second) continue;
        ++met;
        if (witness_) {
          next.tail = chains_.extend(next.tail, y);
          for (const Local z : looks_) next.tail = chains_.extend(next.tail, z);
        }
        (next.done.has(slot) ? result_ : nodes_).push_back(std::move(next));
      }
    }
  }

  [[nodiscard]] std::uint64_t key_of(const Node& node) const {
    return mix(mix(rules_.hash(node.state), node.done.words()[0]), node.done.words()[1]);
  }

  void keep_best() {
    if (result_.size() <= width_) return;
    const std::int64_t weight = kWeights[attempts_ % kWeights.size()];
    ranking_.clear();
    for (std::uint32_t at = 0; at < result_.size(); ++at) {
      const Node& node = result_[at];
      std::int64_t cost = 0;
      for (const Local y : open_) {
        const std::int64_t ahead = turn_[y] == kPending ? kLate : std::int64_t{turn_[y]} - passed_;
        if (node.done.has(slots_.slot[y])) {
          if (!rules_.pure(y)) cost += ahead;
        } else if (ahead < kSoon && (rules_.pure(y) || !rules_.legal(node.state, y))) {
          cost += weight * (kSoon - ahead);
        }
        ++steps_;
      }
      ranking_.emplace_back(cost, at);
    }
    std::nth_element(ranking_.begin(), ranking_.begin() + static_cast<std::ptrdiff_t>(width_), ranking_.end());
    ranking_.resize(width_);
    kept_.clear();
    for (const auto& [cost, at] : ranking_) kept_.push_back(std::move(result_[at]));
    std::swap(result_, kept_);
  }

  void note() {
    if (checkpoints_.size() >= kCheckpoints) {
      // Of those long past, every other one.
      std::size_t kept = 0;
      for (std::size_t at = 0; at < checkpoints_.size(); ++at) {
        if (at < kCheckpoints / 2 && at % 2 == 1) continue;
        if (kept != at) checkpoints_[kept] = std::move(checkpoints_[at]);
        ++kept;
      }
      checkpoints_.resize(kept);
    }
    checkpoints_.push_back({rank_, passed_, open_, current_});
    if (chains_.worth_collecting(std::size_t{1} << 20)) collect();
  }

  void collect() {
    std::vector<std::uint32_t*> tails;
    for (Node& each : current_) tails.push_back(&each.tail);
    for (Checkpoint& checkpoint : checkpoints_) {
      for (Node& each : checkpoint.nodes) tails.push_back(&each.tail);
    }
    chains_.collect(tails, [](std::uint32_t* each) -> std::uint32_t& { return *each; });
  }

  void go_back() {
    stuck_at_ = std::max(stuck_at_, passed_);
    ++attempts_;
    width_ = std::min(2 * width_, kMostWidth);
    const std::uint32_t to = passed_ > back_ ? passed_ - back_ : 0;
    if (attempts_ % 2 == 0) back_ *= 2;
    while (checkpoints_.size() > 1 && checkpoints_.back().passed > to) checkpoints_.pop_back();
    const Checkpoint& checkpoint = checkpoints_.back();
    rank_ = checkpoint.rank;
    passed_ = checkpoint.passed;
    open_ = checkpoint.open;
    current_ = checkpoint.nodes;
  }

  [[nodiscard]] bool may_grow(core::Budget& budget) const {
    constexpr std::size_t kAhead = std::size_t{1} << 14;
    const std::size_t bytes = chains_.growth(kAhead);
    return bytes < (std::size_t{1} << 20) || budget.allows(bytes);
  }

  const history::Subhistory& part_;
  Rules rules_;
  bool witness_;
  algo::FixedSlots slots_;
  GuidedMoment moment_{&part_, &slots_};
  std::vector<std::uint32_t> turn_;  // by operation: how many responses come before its own
  std::vector<Local> open_;
  std::vector<Node> current_, nodes_, result_, kept_;
  std::vector<Local> looks_;
  std::vector<std::pair<std::int64_t, std::uint32_t>> ranking_;
  absl::flat_hash_set<std::uint64_t> met_;
  std::vector<Checkpoint> checkpoints_;
  algo::SharedChains<Local> chains_;
  history::Rank rank_ = 0;
  std::uint32_t passed_ = 0, furthest_ = 0, stuck_at_ = 0, attempts_ = 0;
  std::uint32_t back_ = kApart;
  std::size_t width_ = kFirstWidth;
  std::uint64_t steps_ = 0;
  bool found_ = false;
  Reason reason_ = Reason::none;
};

}  // namespace linchpin::types

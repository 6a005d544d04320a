// Refutes a history by a window of it, for a search that keeps few configurations and is stuck.
//
// Idea: look at some responses before the place where the search is stuck, and some behind it, and forget what came
// before: start in *any* state, where operations that are open may have taken effect already. If no configuration
// passes the window so, none does with a past. Nothing is left out; where the window has a way through, the next is
// four times as long, and the last is the whole history from its true start. So a search that narrows, which refutes
// only what it did not cut, and this one, which finds no witness, answer each other's question.
//
// A domain of algo::Frontier brings for it: `anywhere()`, one configuration that stands for every state with what is
// open done or not; and a constructor from a window and another of its kind, with which it may share what is read. What
// may have been done before the window is not `alike` what is called in it, for which it would have to go first.
// Cost: exponential at worst, in what is open. Memory: a second frontier, from the first window on. Source: own:
// docs/design/search.md, few configurations. Tests: windows_test.cpp, and those of the domains that have it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "algo/frontier/walk.hpp"

namespace linchpin::algo {

template <class Domain>
class Windows {
 public:
  explicit Windows(const history::Subhistory& part) : part_(part) {}

  /// The search cannot pass the response of that rank, nor could it `attempts` times before, and has made so many
  /// steps. Takes the turn where that is often enough.
  void is_stuck(const Frontier<Domain>& search, history::Rank at, std::uint32_t attempts, std::uint64_t steps) {
    if (attempts == 0) turn_began_ = steps;
    if (at > stuck_) {
      stuck_ = at;
      if (stuck_ > place_ + kBeyond) responses_ = 0;
    }
    if (attempts + 1 < kPatience || idle_) return;
    const std::uint64_t its_turn = std::max(kLeastTurn, steps - turn_began_);
    turn_began_ = steps;
    if (!walk_) walk_.emplace(search.window().slots(), Order{.due = part_.response}, false, search.domain());
    turn_ends_ = walk_->steps() + its_turn;
    has_turn_ = true;
    if (responses_ == 0) look_at(kFirstResponses);
  }
  /// Whether it is to go on, instead of the search.
  [[nodiscard]] bool has_turn() const { return has_turn_; }
  void set_budget(core::Budget& budget) {
    if (walk_) walk_->frontier.set_budget(budget);
  }
  /// @pre has_turn()
  void step() {
    if (walk_->steps() >= turn_ends_) {
      has_turn_ = false;
      return;
    }
    if (walk_->step(part_)) {
      if (walk_->frontier.left_out()) {  // there was too much to go through
        idle_ = true;
        has_turn_ = false;
        return;
      }
      if (walk_->frontier.refuted()) {
        refuted_ = true;
        return;
      }
    }
    if (walk_->rank < std::min(part_.ranks(), place_ + kBeyond)) return;
    if (!whole_) return look_at(4 * responses_);
    idle_ = true;
    has_turn_ = false;
  }
  [[nodiscard]] bool refuted() const { return refuted_; }
  /// Where. @pre refuted()
  [[nodiscard]] history::Rank rank() const { return walk_->rank; }
  [[nodiscard]] std::uint64_t steps() const { return walk_ ? walk_->steps() : 0; }
  [[nodiscard]] bool may_grow(core::Budget& budget) const { return !walk_ || walk_->frontier.may_grow(budget); }

 private:
  static constexpr std::uint32_t kPatience = 3;         // attempts of the search, before the first window
  static constexpr std::uint32_t kFirstResponses = 16;  // before the place
  static constexpr std::uint32_t kBeyond = 32;          // events behind it
  static constexpr std::uint64_t kLeastTurn = 4096;     // steps

  /// Begins a window with so many responses before the place.
  void look_at(std::uint32_t responses) {
    responses_ = responses;
    place_ = stuck_;
    history::Rank rank = stuck_;
    for (std::uint32_t left = responses; rank > 0 && left > 0; --rank) {
      if (part_.events()[rank - 1].is_response() && --left == 0) break;
    }
    whole_ = rank == 0;
    std::vector<std::uint32_t> open;
    Frontier<Domain>& frontier = walk_->frontier;
    for (std::uint32_t x = 0; x < part_.size() && part_.call[x] < rank; ++x) {
      if (part_.response[x] >= rank && !frontier.domain().skipped(x)) open.push_back(x);
    }
    walk_->rank = rank;
    frontier.go_to(open, {});
    frontier.current().push_back(whole_ ? frontier.domain().start() : frontier.domain().anywhere());
  }

  const history::Subhistory& part_;
  std::optional<Walk<Domain>> walk_;     // from the first window on
  history::Rank stuck_ = 0, place_ = 0;  // where the search is stuck, and was when the window was chosen
  std::uint32_t responses_ = 0;          // of the window, before the place; 0: it is to be chosen anew
  bool whole_ = false;                   // the window has its true past
  bool has_turn_ = false, idle_ = false, refuted_ = false;
  std::uint64_t turn_began_ = 0;  // steps of the search
  std::uint64_t turn_ends_ = 0;   // steps
};

}  // namespace linchpin::algo

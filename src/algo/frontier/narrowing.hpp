// What a search that keeps only a few configurations after each response has to know: how many, and where to go back to
// when none of these goes on.
//
// Idea: of the configurations that are possible, many lead to a witness, so a few of these are kept, the most promising
// by a domain's `cost`. Where none of them passes a response, the search goes back some responses and keeps twice as
// many from there; every other time it goes back twice as far, and to where the domain says the cause may lie (`cause`,
// the rank of an event, if it has it). Beyond that place it keeps few again. Whether something
// was cut is remembered: a response that cannot be passed refutes the history only if nothing was. The widths and the
// way back double without end, so every search comes to an answer.
// A domain that has `costs` instead, by several weights, keeps as many by each. It keeps more seldom, and leaves more
// to chance with every attempt: what was kept wrongly long ago, others that were kept beside it would not have mended.
// Memory: the configurations of 128 checkpoints, and of one in 512 responses before these. Source: own:
// docs/design/search.md, few configurations. Tests: tests/cross/narrow_test.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "algo/frontier/frontier.hpp"
#include "history/events.hpp"
#include "linchpin/hash.hpp"

namespace linchpin::algo {

template <class Domain>
class Narrowing {
 public:
  using Configurations = std::vector<typename Domain::Configuration>;
  /// The search as it stood between two events.
  struct Checkpoint {
    history::Rank rank = 0;           ///< of the next event
    std::uint32_t passed = 0;         ///< responses
    bool cut = false;                 ///< something was left out on the way
    std::vector<std::uint32_t> open;  ///< the operations that are open
    Configurations configurations;
  };

  /// Keeps `width` configurations at first. The start of the search is noted.
  Narrowing(const Configurations& start, std::size_t width) : first_width_(width), width_(width) {
    checkpoints_.push_back({.open = {}, .configurations = start});
  }

  /// How much is tried during a response.
  [[nodiscard]] Effort effort() const {
    return {.passed = kPassed * width_,
            .met = kMet * width_,
            .met_before_passed = kMetBeforeStuck * width_,
            .kept = width_};
  }
  /// Keeps the most promising configurations, after a response.
  void keep_best(Frontier<Domain>& frontier) {
    cut_ = cut_ || frontier.left_out();
    if (frontier.current().size() <= width_) return;
    cut_ = true;
    frontier.domain().weigh(attempts_, frontier.passed());
    if constexpr (kByChance) {
      constexpr std::size_t kWeights = std::tuple_size_v<decltype(frontier.domain().costs(frontier.current().front()))>;
      frontier.template narrow_by<kWeights>(width_, [&](const auto& each) {
        auto costs = frontier.domain().costs(each);
        if (attempts_ > 0) leave_to_chance(costs, frontier.domain().hash(each));
        return costs;
      });
    } else {
      frontier.narrow(width_, [&](const auto& each) { return frontier.domain().cost(each); });
    }
  }
  /// A response was passed, `rank` is next: notes where the search stands, from time to time.
  void note(history::Rank rank, const Frontier<Domain>& frontier) {
    const std::uint32_t passed = frontier.passed();
    if (attempts_ > 0 && passed > stuck_at_ + kSafely) {
      width_ = first_width_;
      back_ = kApart;
      attempts_ = 0;
    }
    if (passed < checkpoints_.back().passed + kApart) return;
    if (!cut_) checkpoints_.clear();
    checkpoints_.push_back({.rank = rank,
                            .passed = passed,
                            .cut = cut_,
                            .open = frontier.window().open(),
                            .configurations = frontier.current()});
    if (checkpoints_.size() % kNear == 0) thin_out();
  }
  /// Whether no configuration passing a response may be for what was left out.
  [[nodiscard]] bool has_cut(const Frontier<Domain>& frontier) const { return cut_ || frontier.left_out(); }
  /// No configuration passes the response: to where to go on from, wider. Returns the rank. @pre has_cut()
  history::Rank go_back(Frontier<Domain>& frontier) {
    stuck_at_ = std::max(stuck_at_, frontier.passed());
    ++attempts_;
    if (!kByChance || attempts_ == 1 || attempts_ % 4 == 0) width_ = std::min(2 * width_, kMostWidth);
    const std::uint32_t to = frontier.passed() > back_ ? frontier.passed() - back_ : 0;
    while (checkpoints_.size() > 1 && checkpoints_.back().passed > to) checkpoints_.pop_back();
    if (kByChance ? attempts_ % 3 == 2 : attempts_ % 2 == 0) {
      back_ = std::min(2 * back_, kMostBack);
      if constexpr (requires { frontier.domain().cause(frontier.current()); }) {
        const history::Rank cause = frontier.domain().cause(frontier.current());
        const auto far_enough = [&](const Checkpoint& each) { return each.rank + kApart <= cause || !each.cut; };
        while (checkpoints_.size() > 1 && !far_enough(checkpoints_.back())) checkpoints_.pop_back();
      }
    }
    const Checkpoint& checkpoint = checkpoints_.back();
    cut_ = checkpoint.cut;
    frontier.go_to(checkpoint.open, checkpoint.configurations, checkpoint.passed);
    return checkpoint.rank;
  }

  /// How often it went back from about the place it got to last.
  [[nodiscard]] std::uint32_t attempts() const { return attempts_; }

  /// Calls `visit(configurations)` for all that the search may go back to.
  template <class Visit>
  void each(Visit&& visit) {
    for (Checkpoint& checkpoint : checkpoints_) visit(checkpoint.configurations);
  }

 private:
  static constexpr std::size_t kPassed = 2;  // for each that is kept
  static constexpr std::size_t kMet = 8;
  static constexpr std::size_t kMetBeforeStuck = 128;  // where none has passed
  static constexpr std::uint32_t kApart = 16;          // responses between two checkpoints
  static constexpr std::uint32_t kSafely = 48;         // so many responses further, few are kept again
  static constexpr std::size_t kNear = 64;             // checkpoints that are all kept
  static constexpr std::uint32_t kFar = 512;           // responses between two further back
  static constexpr std::uint64_t kChance = 64;         // of a cost, doubled with every attempt
  static constexpr std::uint32_t kMostChance = 4;      // times
  static constexpr std::size_t kMostWidth = std::size_t{1} << 40;
  static constexpr std::uint32_t kMostBack = std::uint32_t{1} << 30;

  static constexpr bool kByChance = requires(Domain & domain, const typename Domain::Configuration& each) {
    domain.costs(each);
  };

  /// Adds to the costs of a configuration something that differs from attempt to attempt.
  template <class Costs>
  void leave_to_chance(Costs& costs, std::uint64_t hash) const {
    std::uint64_t drawn = mix(hash, attempts_);
    for (std::int64_t& cost : costs) {
      drawn = mix(drawn, 0);
      cost += static_cast<std::int64_t>(drawn % (kChance << std::min(attempts_, kMostChance)));
    }
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

  const std::size_t first_width_;
  std::size_t width_;
  bool cut_ = false;
  std::uint32_t attempts_ = 0;  // to pass the place at which it is stuck
  std::uint32_t stuck_at_ = 0;
  std::uint32_t back_ = kApart;
  std::vector<Checkpoint> checkpoints_;  // ascending; the first one with nothing cut
};

}  // namespace linchpin::algo

// A frontier that goes through the events of a part: a search that takes turns with others.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "algo/frontier/frontier.hpp"
#include "algo/frontier/narrowing.hpp"
#include "algo/frontier/walk.hpp"
#include "algo/frontier/windows.hpp"
#include "core/search_task.hpp"
#include "history/subhistory.hpp"

namespace linchpin::algo {

/// When the event of a rank was.
[[nodiscard]] inline Tick tick(const history::Subhistory& part, history::Rank rank) {
  const history::Event event = part.events()[rank];
  const OperationIndex i = part.operation[event.operation()];
  return event.is_response() ? part.history->response(i) : part.history->call(i);
}

/// What a domain may add: `order(tail)`, the operations of a chain whose links are no operations; `describe(c)`, the
/// state of c; `states(current)` for people; `forget(current, each_kept)` what none of them needs; `weigh` and `cost`
/// or `costs` where it can be narrowed, and `cause` (narrowing.hpp); then `anywhere`, if it can do without a past
/// (windows.hpp). `describe` says besides that all possible configurations follow from those that are kept, by
/// operations that are open (core::CertainMoment), unless `may_be_certain` says no. `kLooksAhead`: it heeds what is
/// called later, so that no beginning is refuted by itself. `kSkipsIdle`: what is skipped is legal anywhere, and also
/// operations that returned are.
template <class Domain>
class FrontierSearch final : public core::SearchTask {
  using Configuration = typename Domain::Configuration;

 public:
  /// @param part  outlives the search
  template <class... Arguments>
  FrontierSearch(const history::Subhistory& part, bool witness, Arguments&&... arguments)
      : FrontierSearch(std::size_t{part.size()}, part, witness, std::forward<Arguments>(arguments)...) {}
  /// With slots of its own.
  template <class Given, class... Arguments>
  FrontierSearch(const Given& slots, const history::Subhistory& part, bool witness, Arguments&&... arguments)
      : part_(part),
        witness_(witness),
        walk_(slots, Order{.due = part.response}, witness, std::forward<Arguments>(arguments)...),
        end_(part.ranks()) {}
  FrontierSearch(const FrontierSearch&) = delete;
  FrontierSearch& operator=(const FrontierSearch&) = delete;

  /// Keeps so many configurations at first (narrowing.hpp). @pre nothing was run
  void narrow(std::size_t width) {
    narrowing_.emplace(frontier().current(), width);
    if constexpr (kForgets) windows_.emplace(part_);
  }
  /// Only the events between two moments at which nothing is open, from the given configurations. @pre nothing was run
  void set_range(history::Rank first, history::Rank last, std::vector<Configuration> start) {
    walk_.rank = first;
    end_ = last;
    if (start.empty()) status_ = Status::refuted;
    walk_.frontier.current() = std::move(start);
  }
  [[nodiscard]] const Frontier<Domain>& frontier() const { return walk_.frontier; }
  [[nodiscard]] Domain& domain() { return walk_.frontier.domain(); }

  bool run(std::uint64_t steps, core::Budget& budget) override {
    const std::uint64_t stop_at = steps_made() + steps;
    walk_.frontier.set_budget(budget);
    while (status_ == Status::searching) {
      if (steps_made() >= stop_at) return false;
      if (budget.spent() || !may_grow(budget)) {
        status_ = Status::gave_up;
        reason_ = budget.reason();
      } else if (windows_have_turn()) {
        look_at_window(budget);
      } else if (walk_.rank == end_) {
        status_ = Status::found;
      } else {
        advance();
      }
    }
    return true;
  }

  [[nodiscard]] core::Outcome outcome() const override {
    core::Outcome outcome;
    if (status_ == Status::found) {
      outcome.verdict = Verdict::linearizable;
      if (witness_) outcome.witness = order(frontier().current().front(), walk_.rank);
      return outcome;
    }
    outcome.verdict = status_ == Status::refuted ? Verdict::violation : Verdict::unknown;
    if (status_ != Status::refuted) outcome.reason = reason_;
    const bool went_back = status_ != Status::refuted && dead_end_.passed > frontier().passed();
    for (history::Rank rank = went_back ? dead_end_.rank : refuted_at(); rank < end_ && !outcome.blocked; ++rank) {
      if (part_.events()[rank].is_response()) outcome.blocked = part_.events()[rank].operation();
    }
    if (went_back) {
      if (witness_) outcome.longest = order(dead_end_.furthest.front(), dead_end_.rank);
      return outcome;
    }
    if (witness_) outcome.longest = order(frontier().furthest(), walk_.rank);
    if constexpr (requires { Domain::kLooksAhead; }) {
      if (status_ == Status::refuted) {
        outcome.core.resize(part_.size());
        std::iota(outcome.core.begin(), outcome.core.end(), 0U);
      }
    }
    if constexpr (requires { frontier().domain().states(frontier().current()); }) {
      outcome.states = frontier().domain().states(frontier().current());
    }
    if constexpr (kDescribes) {
      if (status_ == Status::refuted) outcome.certain = certain_moment();
    }
    return outcome;
  }

  [[nodiscard]] std::uint32_t passed() const override { return std::max(dead_end_.passed, frontier().passed()); }

 private:
  enum class Status : std::uint8_t { searching, found, refuted, gave_up };
  /// A response that was not passed, where the search went back.
  struct DeadEnd {
    std::uint32_t passed = 0;  // responses before it
    history::Rank rank = 0;
    std::vector<Configuration> furthest;  // one; none: it did not go back
  };
  static constexpr bool kNarrows = requires(Domain & domain) { domain.weigh(0U, 0U); };
  static constexpr bool kForgets = requires(Domain & domain) { domain.anywhere(); };
  static constexpr bool kDescribes = requires(const Domain& domain, const Configuration& each) {
    domain.describe(each);
  };

  [[nodiscard]] bool windows_have_turn() const {
    if constexpr (kForgets) return windows_ && windows_->has_turn();
    return false;
  }
  void look_at_window(core::Budget& budget) {
    if constexpr (kForgets) {
      windows_->set_budget(budget);
      windows_->step();
      if (windows_->refuted()) status_ = Status::refuted;
    }
  }
  /// The rank of the event that it did not get past.
  [[nodiscard]] history::Rank refuted_at() const {
    if constexpr (kForgets) {
      if (windows_ && windows_->refuted()) return windows_->rank();
    }
    return walk_.rank;
  }
  [[nodiscard]] std::uint64_t steps_made() const {
    if constexpr (kForgets) {
      if (windows_) return walk_.steps() + windows_->steps();
    }
    return walk_.steps();
  }
  [[nodiscard]] bool may_grow(core::Budget& budget) const {
    if constexpr (kForgets) {
      if (windows_ && !windows_->may_grow(budget)) return false;
    }
    return frontier().may_grow(budget);
  }

  void advance() {
    if constexpr (kDescribes) {
      const history::Rank rank = walk_.rank;
      bool between = !frontier().busy() && frontier().current().size() == 1;
      if constexpr (requires { frontier().domain().may_be_certain(); }) {
        between = between && frontier().domain().may_be_certain();
      }
      if (between && rank > 0 && tick(part_, rank - 1) < tick(part_, rank)) {
        certain_ = rank;
        certainly_ = frontier().current().front();
      }
    }
    if (walk_.step(part_, narrowing_ ? narrowing_->effort() : Effort())) after_response();
  }
  void after_response() {
    Frontier<Domain>& frontier = walk_.frontier;
    if (frontier.refuted()) {
      if constexpr (kNarrows) {
        if (narrowing_ && narrowing_->has_cut(frontier)) {
          if (frontier.passed() >= dead_end_.passed) {
            dead_end_ = {.passed = frontier.passed(), .rank = walk_.rank, .furthest = {frontier.furthest()}};
          }
          if constexpr (kForgets) windows_->is_stuck(frontier, walk_.rank, narrowing_->attempts(), walk_.steps());
          walk_.rank = narrowing_->go_back(frontier);
          return;
        }
      }
      status_ = Status::refuted;
      return;
    }
    if constexpr (kNarrows) {
      if (narrowing_) {
        narrowing_->keep_best(frontier);
        narrowing_->note(walk_.rank, frontier);
      }
    }
    const auto each_kept = [this](auto&& visit) {
      if (narrowing_) narrowing_->each(visit);
      visit(dead_end_.furthest);
    };
    frontier.collect_links(each_kept);
    if constexpr (requires { frontier.domain().forget(frontier.current(), each_kept); }) {
      frontier.domain().forget(frontier.current(), each_kept);
    }
  }

  /// What took effect, between events up to that rank.
  [[nodiscard]] std::vector<std::uint32_t> order(const Configuration& configuration, history::Rank rank) const {
    std::vector<std::uint32_t> order;
    if constexpr (requires { frontier().domain().order(configuration.tail); }) {
      order = frontier().domain().order(configuration.tail);
    } else {
      order = frontier().window().chains().from_start(configuration.tail);
    }
    if constexpr (requires { Domain::kSkipsIdle; }) add_idle(order, rank);
    return order;
  }
  /// What is skipped and returned before the rank, each before the first operation that follows it in time.
  void add_idle(std::vector<std::uint32_t>& order, history::Rank rank) const {
    std::vector<std::uint32_t> idle, all;
    for (std::uint32_t x = 0; x < part_.size(); ++x) {
      if (part_.response[x] < rank && frontier().domain().skipped(x)) idle.push_back(x);
    }
    if (idle.empty()) return;
    std::sort(idle.begin(), idle.end(), [this](auto a, auto b) { return part_.response[a] < part_.response[b]; });
    auto next = idle.begin();
    for (const std::uint32_t x : order) {
      while (next != idle.end() && part_.response[*next] < part_.call[x]) all.push_back(*next++);
      all.push_back(x);
    }
    all.insert(all.end(), next, idle.end());
    order = std::move(all);
  }

  [[nodiscard]] core::CertainMoment certain_moment() const {
    core::CertainMoment moment{.rank = certain_, .done = {}, .state = frontier().domain().describe(certainly_)};
    for (std::uint32_t local = 0; local < part_.size() && part_.call[local] < certain_; ++local) {
      if (part_.response[local] < certain_ || frontier().domain().skipped(local)) continue;
      if ((certainly_.mask & frontier().window().bit(local)).any()) moment.done.push_back(local);
    }
    return moment;
  }

  const history::Subhistory& part_;
  bool witness_;
  Walk<Domain> walk_;
  history::Rank certain_ = 0;  // the last moment with one configuration; 0: there was none
  Configuration certainly_{};
  history::Rank end_;  // stop before this event
  DeadEnd dead_end_;   // the furthest
  std::optional<Narrowing<Domain>> narrowing_;
  std::conditional_t<kForgets, std::optional<Windows<Domain>>, std::monostate> windows_;
  Status status_ = Status::searching;
  Reason reason_ = Reason::none;
};

}  // namespace linchpin::algo

// A frontier that goes through the events of a part: a search that takes turns with others.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "algo/frontier/frontier.hpp"
#include "algo/frontier/narrowing.hpp"
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
/// where it can be narrowed, and `cause` (narrowing.hpp). `describe` says besides that all possible configurations
/// follow from those that are kept, by operations that are open (core::CertainMoment).
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
        frontier_(slots, Order{.due = part.response}, witness, std::forward<Arguments>(arguments)...),
        end_(part.ranks()) {}
  FrontierSearch(const FrontierSearch&) = delete;
  FrontierSearch& operator=(const FrontierSearch&) = delete;

  /// Keeps so many configurations at first (narrowing.hpp). @pre nothing was run
  void narrow(std::size_t width) { narrowing_.emplace(frontier_.current(), width); }
  /// Only the events between two moments at which nothing is open, from the given configurations. @pre nothing was run
  void set_range(history::Rank first, history::Rank last, std::vector<Configuration> start) {
    rank_ = first;
    end_ = last;
    if (start.empty()) status_ = Status::refuted;
    frontier_.current() = std::move(start);
  }
  [[nodiscard]] const Frontier<Domain>& frontier() const { return frontier_; }
  [[nodiscard]] Domain& domain() { return frontier_.domain(); }

  bool run(std::uint64_t steps, core::Budget& budget) override {
    const std::uint64_t stop_at = frontier_.steps() + passed_over_ + steps;
    while (status_ == Status::searching) {
      if (frontier_.steps() + passed_over_ >= stop_at) return false;
      if (budget.spent() || !frontier_.may_grow(budget)) {
        status_ = Status::gave_up;
        reason_ = budget.reason();
      } else if (frontier_.busy()) {
        frontier_.step();
        after_response();
      } else if (rank_ == end_) {
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
      if (witness_) outcome.witness = order(frontier_.current().front());
      return outcome;
    }
    outcome.verdict = status_ == Status::refuted ? Verdict::violation : Verdict::unknown;
    if (status_ != Status::refuted) outcome.reason = reason_;
    for (history::Rank rank = rank_; rank < end_ && !outcome.blocked; ++rank) {
      if (part_.events()[rank].is_response()) outcome.blocked = part_.events()[rank].operation();
    }
    if (witness_) outcome.longest = order(frontier_.furthest());
    if constexpr (requires { frontier_.domain().states(frontier_.current()); }) {
      outcome.states = frontier_.domain().states(frontier_.current());
    }
    if constexpr (kDescribes) {
      if (status_ == Status::refuted) outcome.certain = certain_moment();
    }
    return outcome;
  }

  [[nodiscard]] std::uint32_t passed() const override { return std::max(furthest_, frontier_.passed()); }

 private:
  enum class Status : std::uint8_t { searching, found, refuted, gave_up };
  static constexpr bool kNarrows = requires(Domain & domain) { domain.weigh(0U, 0U); };
  static constexpr bool kDescribes = requires(const Domain& domain, const Configuration& each) {
    domain.describe(each);
  };

  void advance() {
    const history::Event event = part_.events()[rank_];
    if constexpr (kDescribes) {
      if (frontier_.current().size() == 1 && rank_ > 0 && tick(part_, rank_ - 1) < tick(part_, rank_)) {
        certain_ = rank_;
        certainly_ = frontier_.current().front();
      }
    }
    frontier_.set_moment(rank_);
    if (frontier_.domain().skipped(event.operation())) {
      ++passed_over_;
      ++rank_;
    } else if (event.is_response()) {
      frontier_.respond(event.operation(), narrowing_ ? narrowing_->effort() : Effort());
      after_response();
    } else {
      frontier_.call(event.operation());
      ++rank_;
    }
  }
  void after_response() {
    if (frontier_.busy()) return;
    if (frontier_.refuted()) {
      furthest_ = std::max(furthest_, frontier_.passed());
      if constexpr (kNarrows) {
        if (narrowing_ && narrowing_->has_cut(frontier_)) {
          rank_ = narrowing_->go_back(frontier_);
          return;
        }
      }
      status_ = Status::refuted;
      return;
    }
    ++rank_;
    if constexpr (kNarrows) {
      if (narrowing_) {
        narrowing_->keep_best(frontier_);
        narrowing_->note(rank_, frontier_);
      }
    }
    const auto each_kept = [this](auto&& visit) {
      if (narrowing_) narrowing_->each(visit);
    };
    frontier_.collect_links(each_kept);
    if constexpr (requires { frontier_.domain().forget(frontier_.current(), each_kept); }) {
      frontier_.domain().forget(frontier_.current(), each_kept);
    }
  }

  [[nodiscard]] std::vector<std::uint32_t> order(const Configuration& configuration) const {
    if constexpr (requires { frontier_.domain().order(configuration.tail); }) {
      return frontier_.domain().order(configuration.tail);
    } else {
      return frontier_.window().chains().from_start(configuration.tail);
    }
  }

  [[nodiscard]] core::CertainMoment certain_moment() const {
    core::CertainMoment moment{.rank = certain_, .done = {}, .state = frontier_.domain().describe(certainly_)};
    for (std::uint32_t local = 0; local < part_.size() && part_.call[local] < certain_; ++local) {
      if (part_.response[local] < certain_ || frontier_.domain().skipped(local)) continue;
      if ((certainly_.mask & frontier_.window().bit(local)).any()) moment.done.push_back(local);
    }
    return moment;
  }

  const history::Subhistory& part_;
  bool witness_;
  Frontier<Domain> frontier_;
  history::Rank rank_ = 0;         // of the next event
  std::uint64_t passed_over_ = 0;  // events
  history::Rank certain_ = 0;      // the last moment with one configuration; 0: there was none
  Configuration certainly_{};
  history::Rank end_;           // stop before this event
  std::uint32_t furthest_ = 0;  // responses passed before it went back
  std::optional<Narrowing<Domain>> narrowing_;
  Status status_ = Status::searching;
  Reason reason_ = Reason::none;
};

}  // namespace linchpin::algo

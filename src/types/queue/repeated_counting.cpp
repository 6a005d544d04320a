// Decides queues with a capacity, and queues whose size is told, where values may repeat.
//
// What tells a number changes nothing, so without it a linearizable history stays linearizable. The rest is decided by
// positions (position_search.cpp): that it is not linearizable is final. A linearization of it says which of equal
// values each operation means. Then there are windows for each, and an order that suits them, which is mended until the
// numbers fit (mended_order.hpp), with exchanges of equal values among the changes. In turn with that, sets of contents
// are kept from response to response, of those whose values can leave in the order in which they entered
// (foreseen_sets.hpp). Where neither helps, nothing is decided.
//
// Pending dequeues take what they take in the linearization without the numbers, or nothing.
// Compare: counting.cpp (values that do not repeat). Tests: counted_queue_test.cpp.
#include "types/queue/repeated_counting.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "types/queue/foreseen_sets.hpp"
#include "types/queue/mended_order.hpp"
#include "types/queue/position_search.hpp"
#include "types/queue/specification.hpp"

namespace linchpin::types::queue {

namespace {

/// The numbers mostly need that pending dequeues took effect, which this tries early.
constexpr std::array kTakesForNumbers{Takes::as_returned};

class RepeatedCounting final : public core::SearchTask {
 public:
  RepeatedCounting(const history::Subhistory& part, const core::DeciderOptions& options)
      : part_(part), witness_(options.witness) {
    const CountedHistory history = read_counted(part);
    for (std::uint32_t i = 0; i < part.size(); ++i) {
      const bool dequeues = part.method[i] == Queue::kDequeue || part.method[i] == Queue::kPeek;
      const bool tells = history.act[i] == ActKind::count && !dequeues;
      if (history.act[i] != ActKind::free && !tells) kept_.push_back(i);
    }
    without_numbers_ = history::restrict(part, kept_);
    positions_ = start_positions(without_numbers_, {.witness = true}, {.takes = kTakesForNumbers});
  }
  RepeatedCounting(const RepeatedCounting&) = delete;
  RepeatedCounting& operator=(const RepeatedCounting&) = delete;

  bool run(std::uint64_t steps, core::Budget& budget) override {
    if (ended_) return true;
    if (positions_ != nullptr) {
      if (!positions_->run(steps, budget)) return false;
      if (!take_positions()) return true;
    }
    while (steps > 0 && !ended_) {
      const std::uint64_t turn = std::min(steps, kTurn);
      if (foreseen_ != nullptr && turn_of_foreseen_) {
        foresee(turn, budget);
        steps -= turn;
      } else {
        steps -= std::min(steps, mend(turn, budget));
      }
      turn_of_foreseen_ = !turn_of_foreseen_;
    }
    return ended_;
  }

  [[nodiscard]] core::Outcome outcome() const override { return outcome_; }
  [[nodiscard]] std::uint32_t passed() const override {
    const std::uint32_t foreseen = foreseen_ != nullptr ? foreseen_->passed() : 0;
    return std::max(foreseen, mended_ ? static_cast<std::uint32_t>(mended_->farthest() / 2) : 0);
  }

 private:
  void foresee(std::uint64_t steps, core::Budget& budget) {
    if (!foreseen_->run(steps, budget)) return;
    core::Outcome found = foreseen_->outcome();
    foreseen_.reset();
    if (found.reason == Reason::not_applicable) return;  // mending goes on
    outcome_ = std::move(found);
    ended_ = true;
  }
  /// Returns the steps made.
  std::uint64_t mend(std::uint64_t steps, core::Budget& budget) {
    std::uint64_t made = 0;
    while (made < steps && !ended_) {
      if (mended_->status() != MendedOrder::Status::going) {
        // Only a way to the end says something.
        if (mended_->status() == MendedOrder::Status::found || foreseen_ == nullptr) finish();
        break;
      }
      if (budget.spent() || !mended_->may_grow(budget)) {
        outcome_.reason = budget.reason();
        ended_ = true;
        break;
      }
      made += mended_->advance();
    }
    return std::max<std::uint64_t>(made, 1);
  }

  /// False: they have decided.
  bool take_positions() {
    core::Outcome found = positions_->outcome();
    positions_.reset();
    if (found.verdict != Verdict::linearizable) {
      outcome_.verdict = found.verdict;
      outcome_.reason = found.reason;
      if (found.blocked) outcome_.blocked = kept_[*found.blocked];
      ended_ = true;
      return false;
    }
    for (std::uint32_t& each : found.witness) each = kept_[each];
    algo::ByValue<std::uint32_t> alike;
    std::vector<ValueNumber> order;
    named_ = read_named(part_, found.witness, alike, order);
    if (!named_.obstacle.empty()) {
      outcome_.reason = Reason::not_applicable;
      ended_ = true;
      return false;
    }
    // That order went by responses alone: one from the middle of the windows has more room on both sides.
    CountedHistory narrowed = named_;
    if (narrow_windows(narrowed)) order = order_of_windows(narrowed, OrderedBy::all);
    foreseen_ = start_foreseen_sets(part_, read_counted(part_), {.witness = witness_});
    mended_.emplace(part_, named_, std::move(order), std::move(alike));
    return true;
  }

  void finish() {
    ended_ = true;
    if (mended_->status() == MendedOrder::Status::found) {
      outcome_.verdict = Verdict::linearizable;
      if (witness_) outcome_.witness = mended_->linearization();
    } else {
      outcome_.reason = Reason::not_applicable;
    }
  }

  const history::Subhistory& part_;
  bool witness_;
  std::vector<std::uint32_t> kept_;
  history::Subhistory without_numbers_;
  std::unique_ptr<core::SearchTask> positions_;
  CountedHistory named_;
  static constexpr std::uint64_t kTurn = 65536;  // steps of each of the two in turn
  std::unique_ptr<core::SearchTask> foreseen_;   // null: it has found nothing
  bool turn_of_foreseen_ = true;
  std::optional<MendedOrder> mended_;
  core::Outcome outcome_;
  bool ended_ = false;
};

}  // namespace

core::Applicability repeated_counting_applicable(const history::Subhistory& part) {
  const CountedHistory history = read_counted(part);
  if (history.other_type) return core::not_of_this_type(history.obstacle);
  if (!history.obstacle.empty() && !history.repeats) return {.applies = false, .why = history.obstacle};
  if (!history.counts) return {.applies = false, .why = ""};
  return {.applies = true, .why = "values repeat, and the number of values is told"};
}

std::unique_ptr<core::SearchTask> start_repeated_counting(const history::Subhistory& part,
                                                          const core::DeciderOptions& options) {
  return std::make_unique<RepeatedCounting>(part, options);
}

}  // namespace linchpin::types::queue

// Decides queues with a capacity, and queues whose size is told, where no value is enqueued twice.
//
// First what the criterion of queues without a capacity says about the order of the values (criterion.cpp): a capacity
// only forbids more. Then what counting says (counted_refutation.cpp). Both are necessary conditions; together they
// refute nearly all that is not linearizable. What is left is searched, in turns whose lengths double: with the value
// of an add chosen at once (early_binding.hpp, in two orders of moves), or when it leaves (late_binding.hpp, quick and
// exact), and in two orders of the values taken from their windows and mended (mended_order.hpp). None is the best of
// all: where few operations overlap the first, where many do the second, and the last where sizes are told of a long
// queue.
//
// Tests: counted_queue_test.cpp.
#include "types/queue/counting.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <type_traits>
#include <vector>

#include "types/queue/counted_refutation.hpp"
#include "types/queue/criterion.hpp"
#include "types/queue/early_binding.hpp"
#include "types/queue/late_binding.hpp"
#include "types/queue/mended_order.hpp"
#include "types/queue/reading.hpp"

namespace linchpin::types::queue {

namespace {

/// The order of the values alone is impossible: with a core and a sentence. Tests other than of 0 are left out.
std::optional<core::Outcome> wrong_order(const history::Subhistory& part, const CountedHistory& history) {
  std::vector<std::uint32_t> kept;
  Reading reading;
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    const bool empty = history.act[i] == ActKind::count && history.range[i].most == 0 && history.range[i].least == 0;
    // A refused enqueue at a capacity of 0 says the same as an empty answer, but it is none.
    const bool answers = empty && part.arguments(i).empty();
    if (history.value[i] == ValueNumber::none() && history.act[i] != ActKind::take && !answers) continue;
    kept.push_back(i);
    reading.value_of.push_back(history.value[i]);
  }
  reading.values = static_cast<std::uint32_t>(history.values.size());
  const history::Subhistory ordered = history::restrict(part, kept);
  Values values;
  std::optional<Conflict> conflict = gather(ordered, reading, values);
  if (!conflict) {
    std::vector<PlacedEmpty> empties;
    conflict = find_conflict(values, empties);
    if (!values.unfinished.empty() && !values.left.empty()) conflict.reset();  // a pending dequeue may help
  }
  if (!conflict) return std::nullopt;
  core::Outcome outcome = violation(values, *conflict);
  for (std::uint32_t& each : outcome.core) each = kept[each];
  return outcome;
}

/// Whether counting refutes what was known before the event of the given rank.
bool miscounted_before(const history::Subhistory& part, history::Rank rank) {
  const history::Subhistory known = history::prefix(part, rank);
  CountedHistory history = read_counted(known);
  return (history.obstacle.empty() || history.repeats) && find_miscount(known, history).has_value();
}

/// An operation whose number never fits, with all operations on the values that can be inside during its call. A value
/// that cannot may be erased where no other number is told: what is left fits no worse. Empty: that does not show it.
std::vector<std::uint32_t> core_of_test(const history::Subhistory& part, const CountedHistory& history,
                                        std::uint32_t test) {
  const Moment call = moment_of(part.call[test]);
  const Moment response = moment_of(part.response[test]);
  std::vector<std::uint32_t> core;
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    bool kept = i == test;
    if (history.value[i] != ValueNumber::none()) {
      const CountedValue& value = history.values[history.value[i]];
      kept = value.enters_after < response && value.leaves_by > call;
    } else if (history.act[i] == ActKind::take) {
      kept = true;
    }
    if (kept) core.push_back(i);
  }
  const history::Subhistory small = history::restrict(part, core);
  CountedHistory alone = read_counted(small);
  if (!alone.obstacle.empty() || !find_miscount(small, alone)) core.clear();
  return core;
}

/// The response by which counting has refuted what was known, by bisection; the last is one.
std::optional<std::uint32_t> first_miscount(const history::Subhistory& part, core::Budget& budget) {
  std::vector<history::Rank> ends;
  for (history::Rank rank = 0; rank < part.ranks(); ++rank) {
    if (part.events()[rank].is_response()) ends.push_back(rank);
  }
  if (ends.empty()) return std::nullopt;
  std::size_t low = 0;
  std::size_t high = ends.size() - 1;
  while (low < high && !budget.spent_now()) {
    const std::size_t middle = low + (high - low) / 2;
    if (miscounted_before(part, ends[middle] + 1)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  if (!miscounted_before(part, ends[high] + 1)) return std::nullopt;
  return part.events()[ends[high]].operation();
}

class CountingSearch final : public core::SearchTask {
 public:
  CountingSearch(const history::Subhistory& part, const core::DeciderOptions& options, CountingMembers members)
      : part_(part), witness_(options.witness), history_(read_counted(part)) {
    if (!history_.obstacle.empty()) {
      outcome_.reason = Reason::not_applicable;
      ended_ = true;
      return;
    }
    if (find_miscount(part, history_)) {
      outcome_.verdict = Verdict::violation;
      ended_ = true;
      return;
    }
    choose(members);
  }
  CountingSearch(const CountingSearch&) = delete;
  CountingSearch& operator=(const CountingSearch&) = delete;

  bool run(std::uint64_t steps, core::Budget& budget) override {
    while (!ended_) {
      if (members_.empty()) {
        give_up(Reason::not_applicable);
        break;
      }
      if (steps-- == 0) return false;
      Member& member = members_[active_];
      if (budget.spent() || !member.may_grow(budget)) {
        give_up(budget.reason());
        break;
      }
      advance(member);
    }
    return true;
  }

  [[nodiscard]] core::Outcome outcome() const override { return outcome_; }
  [[nodiscard]] std::uint32_t passed() const override { return static_cast<std::uint32_t>(farthest_ / 2); }

 private:
  static constexpr std::uint64_t kNodesAnOperation = 4;  // in the first turn

  struct Member {
    CountingMembers kind;
    std::unique_ptr<EarlyBinding> early = nullptr;
    std::unique_ptr<LateBinding> late = nullptr;
    std::unique_ptr<MendedOrder> mended = nullptr;

    [[nodiscard]] bool may_grow(core::Budget& budget) const {
      if (early != nullptr) return early->may_grow(budget);
      if (late != nullptr) return late->may_grow(budget);
      return mended == nullptr || mended->may_grow(budget);
    }
  };

  void choose(CountingMembers members) {
    using enum CountingMembers;
    constexpr std::size_t kFew = 32;
    const bool may_be_late = history_.unfinished.empty() && !history_.looked();
    std::array order = {order_of_all, early_leaving, late_quick, order_of_removes, early_own, late};
    if (history::most_open(part_.events()) > kFew) std::swap(order[1], order[2]);
    for (const CountingMembers each : order) {
      const bool is_late = each == late_quick || each == late;
      const bool is_ordered = each == order_of_all || each == order_of_removes;
      if (members != all && members != each) continue;
      if ((is_late && !may_be_late) || (is_ordered && !history_.unfinished.empty())) continue;
      members_.push_back({.kind = each});
    }
    turn_ = left_ = kNodesAnOperation * std::max<std::uint64_t>(part_.size(), 64);
  }

  enum class Status : std::uint8_t { going, found, nowhere };
  /// A node of a search, or an event of a path.
  Status step(Member& member) {
    using enum CountingMembers;
    const auto status_of = [](const auto& search) {
      using Of = std::remove_cvref_t<decltype(search.status())>;
      return search.status() == Of::going   ? Status::going
             : search.status() == Of::found ? Status::found
                                            : Status::nowhere;
    };
    switch (member.kind) {
      case late:
      case late_quick:
        if (member.late == nullptr) {
          member.late = std::make_unique<LateBinding>(part_, history_, member.kind == late_quick);
        }
        member.late->advance();
        return status_of(*member.late);
      case order_of_all:
      case order_of_removes:
        if (member.mended == nullptr) {
          const OrderedBy by = member.kind == order_of_all ? OrderedBy::all : OrderedBy::removes;
          member.mended = std::make_unique<MendedOrder>(part_, history_, order_of_windows(history_, by));
        }
        if (member.mended->status() == MendedOrder::Status::going)
          left_ -= std::min(left_ - 1, member.mended->advance() - 1);
        farthest_ = std::max(farthest_, member.mended->farthest());
        return status_of(*member.mended);
      default:
        if (member.early == nullptr) {
          using First = EarlyBinding::First;
          member.early =
              std::make_unique<EarlyBinding>(part_, history_, member.kind == early_own ? First::own : First::leaving);
        }
        member.early->advance();
        farthest_ = std::max(farthest_, member.early->farthest());
        return status_of(*member.early);
    }
  }

  void advance(Member& member) {
    using enum CountingMembers;
    const Status status = step(member);
    if (status == Status::found) {
      outcome_.verdict = Verdict::linearizable;
      if (witness_) {
        outcome_.witness = member.early != nullptr  ? member.early->order()
                           : member.late != nullptr ? member.late->order()
                                                    : member.mended->linearization();
      }
      ended_ = true;
    } else if (status == Status::nowhere && member.kind != late && member.early == nullptr) {
      members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(active_));  // proves nothing
      next_turn(active_);
    } else if (status == Status::nowhere) {
      outcome_.verdict = Verdict::violation;
      ended_ = true;
    } else if (--left_ == 0) {
      next_turn(active_ + 1);
    }
  }

  void next_turn(std::size_t member) {
    active_ = member;
    if (active_ >= members_.size()) {
      active_ = 0;
      turn_ *= 2;
    }
    left_ = turn_;
  }

  void give_up(Reason reason) {
    outcome_.reason = reason;
    ended_ = true;
  }

  const history::Subhistory& part_;
  bool witness_;
  CountedHistory history_;  // its windows narrowed
  std::vector<Member> members_;
  std::size_t active_ = 0;
  std::uint64_t turn_ = 0, left_ = 0;  // nodes of a turn, and still to come in this one
  Moment farthest_ = 0;
  core::Outcome outcome_;
  bool ended_ = false;
};

}  // namespace

core::Applicability counts_applicable(const history::Subhistory& part) {
  const CountedHistory history = read_counted(part);
  if (history.other_type) return core::not_of_this_type(history.obstacle);
  if ((!history.obstacle.empty() && !history.repeats) || !history.counts) return {.applies = false, .why = ""};
  return {.applies = true, .why = "the number of values is told"};
}

core::Outcome refute_by_counts(const history::Subhistory& part, const core::DeciderOptions& options,
                               core::Budget& budget) {
  CountedHistory history = read_counted(part);
  if ((!history.obstacle.empty() && !history.repeats) || !history.counts) return core::not_applicable();
  if (!history.repeats) {
    if (auto outcome = wrong_order(part, history)) return std::move(*outcome);
  }
  if (budget.spent_now()) return {.reason = budget.reason()};
  if (auto miscount = find_miscount(part, history)) {
    core::Outcome outcome{.verdict = Verdict::violation, .sentence = std::move(miscount->sentence)};
    if (miscount->test != kNone && !history.repeats) outcome.core = core_of_test(part, history, miscount->test);
    if (outcome.core.empty() && options.witness) outcome.blocked = first_miscount(part, budget);
    return outcome;
  }
  return core::not_applicable();
}

core::Applicability counting_applicable(const history::Subhistory& part) {
  const CountedHistory history = read_counted(part);
  if (history.other_type) return core::not_of_this_type(history.obstacle);
  if (!history.obstacle.empty()) return {.applies = false, .why = history.obstacle};
  if (history.broken) return {.applies = false, .why = "a value is dequeued twice, or was never enqueued"};
  return {.applies = true, .why = "no value is enqueued twice, and the number of values is told"};
}

std::unique_ptr<core::SearchTask> start_counting(const history::Subhistory& part, const core::DeciderOptions& options) {
  return std::make_unique<CountingSearch>(part, options, CountingMembers::all);
}

core::Outcome decide_counting(const history::Subhistory& part, const core::DeciderOptions& options,
                              core::Budget& budget, CountingMembers members) {
  CountingSearch search(part, options, members);
  search.run(UINT64_MAX, budget);
  return search.outcome();
}

}  // namespace linchpin::types::queue

#include "types/deque/check.hpp"

#include <algorithm>

#include "base/none.hpp"
#include "history/events.hpp"
#include "types/deque/two_ends.hpp"
#include "types/stack_run.hpp"

namespace linchpin::types::deque {

using algo::Bitset;
using algo::ValueNumber;
using algo::ValueSpan;
using history::Rank;

namespace {

constexpr std::uint32_t kPlaces = 3;  // in a gap: before, at, and after what uses it

/// Where the event of that rank comes, if each gap has so many places.
Rank spread(Rank rank) { return Rank(kPlaces * rank.number()); }

}  // namespace

/// The gaps, with that after every event, outside the covers of all values or of those of one end's stack.
Bitset DequeCheck::open_gaps(bool all_values, std::uint32_t at_back) const {
  const std::uint32_t gaps = history_.ranks.number() + 1;
  std::vector<std::int32_t> change(gaps + 1, 0);
  for (ValueNumber v = 0; v < history_.values; ++v) {
    const ValueSpan& span = container_.span[v];
    if (!span.present() || span.coreless()) continue;
    if (!all_values && (passes(v) || pushed_at_back(v) != (at_back != 0))) continue;
    ++change[span.first_response.number()];
    --change[span.last_call.number()];
  }
  Bitset open(gaps, true);
  std::int32_t inside = 0;
  std::uint32_t since = 0;
  for (std::uint32_t gap = 0; gap < gaps; ++gap) {
    const bool was = inside != 0;
    inside += change[gap];
    if (!was && inside != 0) since = gap;
    if (was && inside == 0) open.erase_range(since, gap - 1);
  }
  return open;
}

DequeCheck::Result DequeCheck::run(core::Budget& budget, bool record_witness) {
  fault_ = container_.sum_up(history_);
  if (fault_) return Result::value_fault;
  if (budget.spent_now()) return Result::spent;
  Flows flows;
  stacked_ = {0, 0};
  for (ValueNumber v = 0; v < history_.values; ++v) {
    const ValueSpan& span = container_.span[v];
    if (!span.present()) continue;
    if (passes(v)) {
      flows.add(pushed_at_back(v) ? 1 : 0,
                {.value = v,
                 .push = algo::gaps_between(span.add_call, std::min(history_.response[span.add], history_.ranks + 1)),
                 .pop = algo::gaps_between(history_.call[span.remove], span.remove_response)});
    } else {
      ++stacked_[pushed_at_back(v) ? 1 : 0];
    }
  }
  for (std::uint32_t i = 0; container_.any_look && i < history_.size(); ++i) {
    if (history_.kind[i] != ActKind::look) continue;
    const ValueNumber value = history_.value[i];
    if (passes(value) || pushed_at_back(value) != (at_back_[i] != 0)) return Result::beyond;
  }

  std::vector<Cut> cuts;
  if (container_.any_empty) {
    const Bitset open = open_gaps(true, 0);
    for (std::uint32_t i = 0; i < history_.size(); ++i) {
      if (history_.kind[i] != ActKind::empty) continue;
      const std::uint32_t gap = open.next(history_.call[i].number());
      if (gap >= history_.response[i].number()) {
        empty_ = i;
        place_ = algo::gaps_between(history_.call[i], history_.response[i]);
        return Result::covered_empty;
      }
      cuts.push_back({gap, i});
    }
    std::stable_sort(cuts.begin(), cuts.end(), [](const Cut& a, const Cut& b) { return a.gap < b.gap; });
  }

  if (!flows.empty()) {
    switch (flows.settle({open_gaps(false, 0), open_gaps(false, 1)}, cuts, budget)) {
      case Flows::Fault::none: break;
      case Flows::Fault::spent: return Result::spent;
      case Flows::Fault::no_gap: place_ = flows.place(); return Result::no_gap;
      case Flows::Fault::crossed: place_ = flows.place(); return Result::crossed;
      case Flows::Fault::overtaken: place_ = flows.place(); return Result::overtaken;
    }
  }
  if (!record_witness) {
    for (const std::uint32_t at_back : {0U, 1U}) {
      const Result result = check_stack(at_back, {}, budget, nullptr);
      if (result != Result::linearizable) return result;
    }
    return Result::linearizable;
  }

  // The steps of the flows and the empty answers, and the gaps at which each end's stack has to be empty for them.
  std::array<std::vector<Step>, 4> lists;
  std::array<std::vector<std::uint32_t>, 2> used_gaps;
  auto next_cut = cuts.begin();
  const auto cut_until = [&](std::size_t count) {
    for (; next_cut < cuts.begin() + static_cast<std::ptrdiff_t>(count); ++next_cut) {
      lists[2].push_back({std::uint64_t{next_cut->gap} * kPlaces + 1, next_cut->operation});
      for (std::vector<std::uint32_t>& gaps : used_gaps) gaps.push_back(next_cut->gap);
    }
  };
  if (!flows.empty()) {
    for (const Flows::Step& step : flows.linearize()) {
      cut_until(step.part);
      if (step.gap == history_.ranks.number()) continue;  // a pending pop that need not have happened
      const ValueSpan& span = container_.span[step.value];
      lists[2].push_back({std::uint64_t{step.gap} * kPlaces + 1, step.pops ? span.remove : span.add});
      used_gaps[step.at_back ? 1 : 0].push_back(step.gap);
    }
  }
  cut_until(cuts.size());
  for (const std::uint32_t at_back : {0U, 1U}) {
    std::vector<std::uint32_t>& gaps = used_gaps[at_back];
    std::sort(gaps.begin(), gaps.end());
    gaps.erase(std::unique(gaps.begin(), gaps.end()), gaps.end());
    const Result result = check_stack(at_back, gaps, budget, &lists[at_back]);
    if (result != Result::linearizable) return result;
  }
  for (std::uint32_t i = 0; i < history_.size(); ++i) {
    if (history_.kind[i] != ActKind::free) continue;
    lists[3].push_back({std::uint64_t{history_.call[i].number()} * kPlaces, i});  // a thief that gave up
  }
  merge(lists);
  return Result::linearizable;
}

/// Ranks are multiplied by three, so that a found-empty has two of its own in each gap.
DequeCheck::Stack DequeCheck::stack_of(std::uint32_t at_back, std::span<const std::uint32_t> used_gaps) const {
  Stack stack;
  algo::ByValue<ValueNumber> number(history_.values, ValueNumber::none());
  const auto add = [&](ActKind kind, ValueNumber value, Rank call, Rank response, std::uint32_t operation) {
    stack.history.kind.push_back(kind);
    stack.history.value.push_back(value);
    stack.call.push_back(call);
    stack.response.push_back(response);
    stack.operation.push_back(operation);
  };
  auto gap = used_gaps.begin();
  for (std::uint32_t i = 0; i < history_.size(); ++i) {
    if (history_.kind[i] > ActKind::take) continue;
    const ValueNumber value = history_.value[i];
    if (!container_.span[value].present() || passes(value) || pushed_at_back(value) != (at_back != 0)) continue;
    for (; gap != used_gaps.end() && *gap < history_.call[i].number(); ++gap) {
      add(ActKind::empty, ValueNumber::none(), Rank(kPlaces * *gap + 1), Rank(kPlaces * *gap + 2), kNone);
    }
    if (number[value] == ValueNumber::none()) number[value] = ValueNumber(stack.history.values++);
    const Rank response = history_.response[i];
    add(history_.kind[i], number[value], spread(history_.call[i]),
        response == Rank::none() ? Rank::none() : spread(response), i);
  }
  for (; gap != used_gaps.end(); ++gap) {
    add(ActKind::empty, ValueNumber::none(), Rank(kPlaces * *gap + 1), Rank(kPlaces * *gap + 2), kNone);
  }
  stack.history.call = stack.call;
  stack.history.response = stack.response;
  stack.history.ranks = spread(history_.ranks);
  return stack;
}

DequeCheck::Result DequeCheck::check_stack(std::uint32_t at_back, std::span<const std::uint32_t> used_gaps,
                                           core::Budget& budget, std::vector<Step>* steps) {
  if (stacked_[at_back] == 0) return Result::linearizable;
  Stack stack = stack_of(at_back, used_gaps);
  const StackRun run = run_stack(stack.history, steps != nullptr, budget);
  if (run.result == StackRun::Result::spent) return Result::spent;
  if (run.result == StackRun::Result::violation) {
    end_ = at_back;
    for (const std::uint32_t i : run.core) core_.push_back(stack.operation[i]);
    return Result::not_nested;
  }
  if (steps == nullptr) return Result::linearizable;
  // Each step as early as its call and the steps before it allow.
  std::uint32_t gap = 0;
  bool used = false;  // in this gap the stack was found empty before
  const auto reach = [&](std::uint32_t other) {
    if (other <= gap) return;
    gap = other;
    used = false;
  };
  for (const std::uint32_t i : run.witness) {
    reach(stack.call[i].number() / kPlaces);
    if (stack.operation[i] == kNone) {
      used = true;
    } else {
      steps->push_back({std::uint64_t{gap} * kPlaces + (used ? 2 : 0), stack.operation[i]});
    }
  }
  return Result::linearizable;
}

void DequeCheck::merge(const std::array<std::vector<Step>, 4>& lists) {
  order_.clear();
  std::size_t steps = 0;
  for (const std::vector<Step>& list : lists) steps += list.size();
  order_.reserve(steps);
  std::array<std::size_t, 4> at{};
  while (order_.size() < steps) {
    std::uint64_t earliest = UINT64_MAX;
    std::size_t next = 0;
    for (std::size_t i = 0; i < lists.size(); ++i) {
      if (at[i] == lists[i].size() || lists[i][at[i]].when >= earliest) continue;
      earliest = lists[i][at[i]].when;
      next = i;
    }
    order_.push_back(lists[next][at[next]++].operation);
  }
}

/// What is about the place: the operations of all values that may be inside within the radius, and empty answers.
std::vector<std::uint32_t> DequeCheck::about(std::uint32_t radius) const {
  const std::uint32_t least = std::min(place_.first, place_.last), most = std::max(place_.first, place_.last);
  const Rank from(least > radius ? least - radius : 0);
  const Rank to = Rank(most) < Rank::none() - radius ? Rank(most) + radius : Rank::none();
  std::vector<std::uint32_t> operations;
  for (std::uint32_t i = 0; i < history_.size(); ++i) {
    const ActKind kind = history_.kind[i];
    if (kind == ActKind::empty) {
      if (history_.call[i] <= to && history_.response[i] > from) operations.push_back(i);
    } else if (kind <= ActKind::take) {
      const ValueSpan& span = container_.span[history_.value[i]];
      if (span.present() && span.add_call <= to && span.remove_response > from) operations.push_back(i);
    }
  }
  return operations;
}

std::vector<std::uint32_t> DequeCheck::core(core::Budget& budget) const {
  if (fault_) return fault_->operations;
  if (!core_.empty()) {
    std::vector<std::uint32_t> operations = core_;
    std::sort(operations.begin(), operations.end());
    return operations;
  }
  for (std::uint32_t radius = 0;; radius = 8 * radius + 8) {
    std::vector<std::uint32_t> operations = about(radius);
    if (radius >= history_.ranks.number()) return operations;
    algo::ContainerPart part(history_, operations);
    const std::vector<std::uint8_t> at_back = ends_of(at_back_, operations);
    DequeCheck check(part.history(), at_back);
    switch (check.run(budget, false)) {
      case Result::linearizable:
      case Result::beyond: break;
      case Result::spent: radius = history_.ranks.number(); break;
      default: return operations;
    }
  }
}

}  // namespace linchpin::types::deque

#include "types/queue/ordered_counts.hpp"

#include <algorithm>
#include <bit>

namespace linchpin::types::queue {

OrderedCounts::OrderedCounts(const history::Subhistory& part, const CountedHistory& history)
    : part_(part), history_(history), slot_(part.size(), 0) {
  for (ByMoment* const each : {&adds_open_, &adds_due_, &removes_open_, &removes_due_}) {
    each->assign(static_cast<std::size_t>(history.end), 0);
  }
  std::uint64_t used = 0;
  for (const history::Event event : part.events()) {
    const std::uint32_t op = event.operation();
    if (history.act[op] != ActKind::count || part.pending(op)) continue;
    if (event.is_response()) {
      used &= ~slot_[op];
    } else if (used == ~std::uint64_t{0}) {
      too_wide_ = true;
      return;
    } else {
      slot_[op] = std::uint64_t{1} << std::countr_one(used);
      used |= slot_[op];
    }
  }
}

void OrderedCounts::put(ByMoment& open, Moment after, ByMoment& due, Moment until, std::int32_t by) const {
  if (after < history_.end) open[static_cast<std::size_t>(after)] += by;
  if (until < history_.end) due[static_cast<std::size_t>(until)] += by;
}

bool OrderedCounts::pass(Standing& standing, Chains* chains) {
  const auto at = static_cast<std::size_t>(standing.at);
  const history::Event event = part_.events()[rank_of(standing.at)];
  const std::uint32_t op = event.operation();
  const bool is_test = slot_[op] != 0;
  if (adds_due_[at] > 0) {
    standing.adds_due += adds_due_[at];
    if (!require(standing, Step::add, 0, chains)) return false;
  }
  if (removes_due_[at] > 0) {
    standing.removes_due += removes_due_[at];
    if (!require(standing, Step::remove, 0, chains)) return false;
  }
  if (is_test && event.is_response()) {
    if (!require(standing, Step::test, op, chains)) return false;
    std::erase(standing.tests, op);
    for (Configuration& each : standing.configurations) each.met &= ~slot_[op];
  }
  standing.adds_open += adds_open_[at];
  standing.removes_open += removes_open_[at];
  ++standing.at;
  if (is_test && !event.is_response()) {
    standing.tests.push_back(op);
    now_ = standing.at;
    chains_ = chains;
    for (Configuration& each : standing.configurations) meet(standing, each);
  }
  return true;
}

bool OrderedCounts::require(Standing& standing, Step step, std::uint32_t test, Chains* chains) {
  step_ = step;
  test_ = test;
  now_ = standing.at;
  chains_ = chains;
  const std::vector<Configuration>& all = standing.configurations;
  if (std::all_of(all.begin(), all.end(), [&](const Configuration& each) { return satisfied(standing, each); })) {
    return true;
  }
  std::uint64_t open = 0;
  for (const std::uint32_t each : standing.tests) open |= slot_[each];
  next_.clear();
  for (const Configuration& each : all) {
    if (satisfied(standing, each)) {
      keep(each);
      continue;
    }
    finish(standing, each);
    if ((open & ~each.met) == 0) continue;
    visit(standing, each, true);
    visit(standing, each, false);
  }
  if (next_.empty()) return false;
  std::swap(standing.configurations, next_);
  return true;
}

bool OrderedCounts::satisfied(const Standing& standing, const Configuration& each) const {
  switch (step_) {
    case Step::add: return each.adds >= standing.adds_due;
    case Step::remove: return each.removes >= standing.removes_due;
    default: return (each.met & slot_[test_]) != 0;
  }
}

/// Goes straight to what is due; the other way only where there is no room, or nothing there.
void OrderedCounts::finish(const Standing& standing, Configuration each) {
  const bool up = step_ == Step::add;
  while (!satisfied(standing, each)) {
    if (step_ == Step::test) return;
    if (!move(standing, each, up) && (!move(standing, each, !up) || !move(standing, each, up))) return;
  }
  keep(each);
}

/// One way as far as it goes, and from each place at which a test is newly met straight on, or back the other way.
void OrderedCounts::visit(const Standing& standing, const Configuration& from, bool up) {
  Configuration there = from;
  while (true) {
    const std::uint64_t met = there.met;
    if (!move(standing, there, up)) return;
    if (there.met == met) continue;
    finish(standing, there);
    Configuration back = there;
    while (true) {
      const std::uint64_t met_before = back.met;
      if (!move(standing, back, !up)) break;
      if (back.met != met_before) finish(standing, back);
    }
  }
}

/// One add, or one remove, with the tests that it leads to; false: there is none that may come.
bool OrderedCounts::move(const Standing& standing, Configuration& each, bool up) {
  if (up) {
    if (each.adds >= standing.adds_open || each.count() >= history_.capacity) return false;
    ++each.adds;
  } else {
    if (each.removes >= standing.removes_open || each.count() == 0) return false;
    ++each.removes;
  }
  extend(each, up ? Step::add : Step::remove, 0);
  meet(standing, each);
  return true;
}

void OrderedCounts::meet(const Standing& standing, Configuration& each) {
  for (const std::uint32_t test : standing.tests) {
    if ((each.met & slot_[test]) != 0 || !history_.range[test].holds(each.count())) continue;
    each.met |= slot_[test];
    extend(each, Step::test, test);
  }
}

void OrderedCounts::extend(Configuration& each, Step step, std::uint32_t test) {
  if (chains_ != nullptr) each.tail = chains_->extend(each.tail, {step, test, now_});
}

void OrderedCounts::keep(const Configuration& each) {
  const auto better = [](const Configuration& a, const Configuration& b) {
    return a.count() == b.count() && a.adds <= b.adds && (b.met & ~a.met) == 0;
  };
  for (const Configuration& other : next_) {
    if (better(other, each)) return;
  }
  std::erase_if(next_, [&](const Configuration& other) { return better(each, other); });
  if (next_.size() < kMost) next_.push_back(each);
}

}  // namespace linchpin::types::queue

// The predicates of Check-PQ-Conc by looking for the linearization: a walk over the sets of operations that can have
// taken effect, each visited once. What a predicate asks of the order is asked when an operation joins such a set.
#include <functional>

#include <absl/container/flat_hash_set.h>

#include "research/check_pq/predicates.hpp"

namespace linchpin::research::check_pq {

namespace {

using Set = std::uint64_t;

/// The operations of a projection, by bit.
class Operations {
 public:
  explicit Operations(const Projection& e) : execution_(*e.execution) {
    for (const std::uint32_t v : e.values) {
      add({Step::Kind::put, v}, execution_.values[v].put);
      if (execution_.values[v].rm) add({Step::Kind::rm, v}, *execution_.values[v].rm);
    }
    for (const std::uint32_t o : e.empties) add({Step::Kind::rm_empty, o}, execution_.empties[o].interval);
  }

  /// The operations for which `which` holds.
  template <class Which>
  [[nodiscard]] Set all(Which&& which) const {
    Set set = 0;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (which(steps_[i])) set |= Set{1} << i;
    }
    return set;
  }
  [[nodiscard]] Set one(const Step& step) const {
    return all([&](const Step& other) { return other == step; });
  }
  [[nodiscard]] Set puts_of_priority(std::uint32_t x) const {
    return all([&](const Step& s) { return s.kind == Step::Kind::put && execution_.same(s.which, x); });
  }
  [[nodiscard]] Set removes_of_priority(std::uint32_t x) const {
    return all([&](const Step& s) { return s.kind == Step::Kind::rm && execution_.same(s.which, x); });
  }
  /// Whether every value that `counts` and is put in the set is removed there.
  template <class Counts>
  [[nodiscard]] bool matched(Set set, Counts&& counts) const {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if ((set >> i & 1U) == 0 || steps_[i].kind != Step::Kind::put || !counts(steps_[i].which)) continue;
      if ((set & one({Step::Kind::rm, steps_[i].which})) == 0) return false;
    }
    return true;
  }

  /// Whether the operation `last` can come after a set of others, in an order in which `allowed(set, step)` holds as
  /// each of them, and `last`, joins the set of those before it.
  template <class Allowed>
  [[nodiscard]] bool can_reach(const Step& last, Allowed&& allowed) const {
    absl::flat_hash_set<Set> seen;
    const std::function<bool(Set)> walk = [&](Set done) {
      if (!seen.insert(done).second) return false;
      for (std::size_t i = 0; i < steps_.size(); ++i) {
        if ((done >> i & 1U) != 0 || (before_[i] & ~done) != 0 || !allowed(done, steps_[i])) continue;
        if (steps_[i] == last || walk(done | Set{1} << i)) return true;
      }
      return false;
    };
    return walk(0);
  }

 private:
  void add(const Step& step, const Interval& interval) {
    Set before = 0;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (intervals_[i].happens_before(interval)) before |= Set{1} << i;
      if (interval.happens_before(intervals_[i])) before_[i] |= Set{1} << steps_.size();
    }
    steps_.push_back(step);
    intervals_.push_back(interval);
    before_.push_back(before);
  }

  const Execution& execution_;
  std::vector<Step> steps_;
  std::vector<Interval> intervals_;
  std::vector<Set> before_;
};

}  // namespace

bool ByDefinition::empty_remove(const Projection& e, std::uint32_t o) const {
  const Operations operations(e);
  const Step last{Step::Kind::rm_empty, o};
  return operations.can_reach(last, [&](Set u, const Step& step) {
    return step != last || operations.matched(u, [](std::uint32_t) { return true; });
  });
}

bool ByDefinition::unmatched_max_priority(const Projection& e, std::uint32_t x) const {
  if (!e.maximal(x) || (text_ == Text::mended && e.execution->values[x].rm)) return false;
  const Operations operations(e);
  const Step last{Step::Kind::put, x};
  const Set others = operations.puts_of_priority(x) & ~operations.one(last);
  return operations.can_reach(last, [&](Set u, const Step& step) { return step != last || (others & ~u) == 0; });
}

bool ByDefinition::matched_max_priority(const Projection& e, std::uint32_t x) const {
  const Execution& execution = *e.execution;
  if (!e.maximal(x) || !execution.values[x].rm) return false;
  for (const std::uint32_t d : e.values) {
    if (execution.same(d, x) && !execution.values[d].rm) return false;
  }
  const Operations operations(e);
  const Step put{Step::Kind::put, x}, rm{Step::Kind::rm, x};
  const Set puts = operations.puts_of_priority(x) & ~operations.one(put);
  const Set removes = operations.removes_of_priority(x) & ~operations.one(rm);
  return operations.can_reach(rm, [&](Set before, const Step& step) {
    if (step == put) return (puts & ~before) == 0;
    if (step != rm) return true;
    return (operations.one(put) & ~before) == 0 && (text_ == Text::printed || (removes & ~before) == 0) &&
           operations.matched(before, [&](std::uint32_t d) { return execution.smaller(d, x); });
  });
}

}  // namespace linchpin::research::check_pq

#include "research/schedules/strong_hitting.hpp"

#include <algorithm>

namespace linchpin::research {

namespace {

/// The condition of the definition for x_0 = tuple[0], the others being the later elements.
bool hits_first(const OperationPoset& poset, std::span<const std::uint32_t> schedule,
                std::span<const std::uint32_t> tuple) {
  const auto from = std::find(schedule.begin(), schedule.end(), tuple[0]);
  return std::all_of(from, schedule.end(), [&](std::uint32_t y) {
    return std::any_of(tuple.begin(), tuple.end(), [&](std::uint32_t x) { return poset.before_or_equal(x, y); });
  });
}

bool extend(const OperationPoset& poset, std::vector<bool>& done, Schedule& prefix,
            const std::function<bool(const Schedule&)>& visit) {
  if (prefix.size() == poset.size()) return visit(prefix);
  for (std::uint32_t next = 0; next < poset.size(); ++next) {
    if (done[next]) continue;
    bool free = true;
    for (std::uint32_t other = 0; other < next && free; ++other) free = done[other] || !poset.before(other, next);
    if (!free) break;  // nor is any later one: what keeps this one waiting was called, and returned, before them
    done[next] = true;
    prefix.push_back(next);
    const bool going = extend(poset, done, prefix, visit);
    prefix.pop_back();
    done[next] = false;
    if (!going) return false;
  }
  return true;
}

/// Tuples of distinct operations from their last element on, in depth-first order.
class TupleSearch {
 public:
  TupleSearch(const OperationPoset& poset, const std::vector<std::uint32_t>& others, core::Budget& budget)
      : poset_(poset), others_(others), budget_(budget) {}

  /// A tuple of `length` elements that none of the schedules hits.
  std::optional<std::vector<std::uint32_t>> find(std::uint32_t length) {
    tuple_.clear();
    std::vector<std::uint32_t> all(others_.size() / std::max<std::size_t>(poset_.size(), 1));
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    if (!grow(length, all)) return std::nullopt;
    return std::vector<std::uint32_t>(tuple_.rbegin(), tuple_.rend());
  }

 private:
  bool grow(std::uint32_t missing, const std::vector<std::uint32_t>& hitting) {
    if (missing == 0) return hitting.empty();
    std::vector<std::uint32_t> still;
    for (std::uint32_t x = 0; x < poset_.size(); ++x) {
      if (budget_.spent() || std::find(tuple_.begin(), tuple_.end(), x) != tuple_.end()) continue;
      tuple_.push_back(x);
      const std::vector<std::uint32_t> forward(tuple_.rbegin(), tuple_.rend());
      still.clear();
      for (const std::uint32_t which : hitting) {
        const auto schedule = std::span(others_).subspan(std::size_t{which} * poset_.size(), poset_.size());
        if (hits_first(poset_, schedule, forward)) still.push_back(which);
      }
      if (grow(missing - 1, still)) return true;
      tuple_.pop_back();
    }
    return false;
  }

  const OperationPoset& poset_;
  const std::vector<std::uint32_t>& others_;  // one schedule after the other
  core::Budget& budget_;
  std::vector<std::uint32_t> tuple_;  // last element first
};

bool missed(const OperationPoset& poset, const std::vector<Schedule>& family, std::uint32_t d,
            std::vector<std::uint32_t>& tuple) {
  if (tuple.size() == d) {
    return std::none_of(family.begin(), family.end(),
                        [&](const Schedule& schedule) { return strongly_hits(poset, schedule, tuple); });
  }
  for (std::uint32_t x = 0; x < poset.size(); ++x) {
    if (std::find(tuple.begin(), tuple.end(), x) != tuple.end()) continue;
    tuple.push_back(x);
    if (missed(poset, family, d, tuple)) return true;
    tuple.pop_back();
  }
  return false;
}

}  // namespace

bool strongly_hits(const OperationPoset& poset, const Schedule& schedule, std::span<const std::uint32_t> tuple) {
  for (std::size_t i = 0; i < tuple.size(); ++i) {
    if (!hits_first(poset, schedule, tuple.subspan(i))) return false;
  }
  return true;
}

std::optional<std::vector<std::uint32_t>> missed_tuple(const OperationPoset& poset, const std::vector<Schedule>& family,
                                                       std::uint32_t d) {
  std::vector<std::uint32_t> tuple;
  if (missed(poset, family, d, tuple)) return tuple;
  return std::nullopt;
}

bool for_each_schedule(const OperationPoset& poset, const std::function<bool(const Schedule&)>& visit) {
  std::vector<bool> done(poset.size(), false);
  Schedule prefix;
  return extend(poset, done, prefix, visit);
}

std::optional<LinearizabilityDepth> linearizability_depth(const OperationPoset& poset,
                                                          const std::function<bool(const Schedule&)>& is_witness,
                                                          std::size_t most_schedules, core::Budget& budget) {
  std::vector<std::uint32_t> others;  // the schedules that are no witness, one after the other
  bool any_witness = false;
  const bool complete = for_each_schedule(poset, [&](const Schedule& schedule) {
    if (is_witness(schedule)) {
      any_witness = true;
    } else {
      if (others.size() >= most_schedules * poset.size()) return false;
      others.insert(others.end(), schedule.begin(), schedule.end());
    }
    return !budget.spent();
  });
  if (!complete || !any_witness) return std::nullopt;
  TupleSearch search(poset, others, budget);
  // Proposition 4.3: n operations in the order of a witness are a tuple that only this witness hits.
  for (std::uint32_t d = 1; d <= poset.size(); ++d) {
    auto tuple = search.find(d);
    if (budget.spent()) return std::nullopt;
    if (tuple) return LinearizabilityDepth{.depth = d, .tuple = std::move(*tuple)};
  }
  return std::nullopt;
}

}  // namespace linchpin::research

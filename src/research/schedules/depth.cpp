#include "research/schedules/depth.hpp"

#include <algorithm>
#include <memory>

#include <absl/container/flat_hash_set.h>

#include "base/none.hpp"
#include "research/schedules/published.hpp"
#include "research/schedules/witness_search.hpp"

namespace linchpin::research {

namespace {

WitnessDepth by_enumeration(const OperationPoset& poset, std::uint32_t most, StateSets& sets, core::Budget& budget) {
  WitnessDepth result;
  WitnessSearch search(poset, 0, sets);
  for (std::uint32_t d = 1; d <= most; ++d) {
    const std::uint64_t before = search.tried();
    const auto status = search.find(d, sets.initial(), budget);
    result.tried.push_back(search.tried() - before);
    if (status == WitnessSearch::Status::stopped) break;
    result.searched = d;
    if (status == WitnessSearch::Status::found) {
      result.depth = d;
      result.witness = sets.effective(sets.initial(), search.path());
      break;
    }
  }
  return result;
}

/// As the paper has it: each distinct schedule is made, then executed from the beginning.
WitnessDepth by_insertion(const OperationPoset& poset, std::uint32_t most, StateSets& sets, core::Budget& budget) {
  WitnessDepth result;
  absl::flat_hash_set<std::uint64_t> prints;
  Schedule schedule;
  for (std::uint32_t d = 1; d <= most && !result.depth; ++d) {
    result.tried.push_back(0);
    const bool all = for_each_index(poset, d, [&](std::uint32_t chain, std::span<const std::uint32_t> tuple) {
      published_schedule(poset, chain, tuple, schedule);
      if (!prints.insert(fingerprint(schedule)).second) return !budget.spent();
      ++result.tried.back();
      if (!is_witness(sets, schedule)) return !budget.spent();
      result.depth = d;
      result.witness = sets.effective(sets.initial(), schedule);
      return false;
    });
    if (!all && !result.depth) break;
    result.searched = d;
  }
  return result;
}

/// Whole segments one after the other, for growing d; what was reached before is kept.
class SegmentWalk {
 public:
  SegmentWalk(const history::Subhistory& part, StateSets& sets, core::Budget& budget)
      : sets_(sets), budget_(budget), starts_(segment_starts(part)) {
    for (std::size_t i = 0; i < starts_.size(); ++i) {
      const std::uint32_t last = i + 1 < starts_.size() ? starts_[i + 1] : part.size();
      posets_.push_back(OperationPoset::of(part, starts_[i], last));
    }
    for (std::size_t i = 0; i < starts_.size(); ++i) {
      searches_.push_back(std::make_unique<WitnessSearch>(posets_[i], starts_[i], sets));
    }
    reached_.resize(starts_.size() + 1);
    reached_[0].push_back({.end = {.states = sets.initial(), .depth = 0, .path = {}}, .from = 0});
    searched_from_.assign(starts_.size(), 0);
  }

  /// Whether there is a witness for d; only after the same for all smaller ones.
  bool witness(std::uint32_t d) {
    for (std::size_t i = 0; i < posets_.size(); ++i) {
      for (std::size_t from = 0; from < reached_[i].size(); ++from) {
        const bool fresh = from >= searched_from_[i];
        for (std::uint32_t each = fresh ? 1 : d; each <= d; ++each) {
          ends_.clear();
          const auto status = searches_[i]->collect(each, reached_[i][from].end.states, ends_, budget_);
          for (WitnessSearch::End& end : ends_) reached_[i + 1].push_back({.end = std::move(end), .from = from});
          if (status == WitnessSearch::Status::stopped) return false;
          if (i + 1 == posets_.size() && !reached_[i + 1].empty()) return true;
        }
      }
      searched_from_[i] = reached_[i].size();
    }
    return !reached_.back().empty();
  }

  [[nodiscard]] std::uint64_t tried() const {
    std::uint64_t sum = 0;
    for (const auto& search : searches_) sum += search->tried();
    return sum;
  }

  /// @pre witness
  void trace(WitnessDepth& result) {
    std::vector<std::uint32_t> order;
    std::size_t from = 0;
    for (std::size_t i = posets_.size(); i-- > 0;) {
      const Reached& reached = reached_[i + 1][from];
      result.segments.push_back(
          {.first = starts_[i], .last = starts_[i] + posets_[i].size(), .depth = reached.end.depth});
      order.insert(order.end(), reached.end.path.rbegin(), reached.end.path.rend());
      from = reached.from;
    }
    std::reverse(order.begin(), order.end());
    std::reverse(result.segments.begin(), result.segments.end());
    result.witness = sets_.effective(sets_.initial(), order);
  }

 private:
  struct Reached {
    WitnessSearch::End end;
    std::size_t from = 0;  // of what was reached before this segment
  };

  StateSets& sets_;
  core::Budget& budget_;
  std::vector<std::uint32_t> starts_;
  std::vector<OperationPoset> posets_;
  std::vector<std::unique_ptr<WitnessSearch>> searches_;
  std::vector<std::vector<Reached>> reached_;  // before each segment, and after the last
  std::vector<std::size_t> searched_from_;     // how many of those have been starts for the last d
  std::vector<WitnessSearch::End> ends_;
};

}  // namespace

WitnessDepth witness_depth(const history::Subhistory& part, const OperationPoset& poset, Family family,
                           std::uint32_t most, core::Budget& budget) {
  StateSets sets(part);
  return family == Family::published ? by_insertion(poset, most, sets, budget)
                                     : by_enumeration(poset, most, sets, budget);
}

WitnessDepth witness_depth_by_segment(const history::Subhistory& part, std::uint32_t most, core::Budget& budget) {
  WitnessDepth result;
  StateSets sets(part);
  SegmentWalk walk(part, sets, budget);
  for (std::uint32_t d = 1; d <= most; ++d) {
    const std::uint64_t before = walk.tried();
    const bool found = walk.witness(d);
    result.tried.push_back(walk.tried() - before);
    if (found) {
      result.searched = d;
      result.depth = d;
      walk.trace(result);
      break;
    }
    if (budget.spent_now()) break;
    result.searched = d;
  }
  return result;
}

std::vector<std::uint32_t> segment_starts(const history::Subhistory& part) {
  std::vector<std::uint32_t> starts;
  history::Rank latest = 0;
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    if (i == 0 || latest < part.call[i]) starts.push_back(i);
    latest = std::max(latest, part.response[i]);
  }
  return starts;
}

bool is_witness(StateSets& sets, const Schedule& schedule) {
  StateSet states = sets.initial();
  for (const std::uint32_t operation : schedule) {
    states = sets.after(states, operation);
    if (states == kNone) return false;
  }
  return true;
}

}  // namespace linchpin::research

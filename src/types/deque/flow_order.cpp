// The steps of flows that fit, in order.
//
// Each flow has a shortest stay: what it certainly stays, or between the first gap of its pop and the last possible
// push before. The stays of opposite directions at most touch, so sorted by push and pop they fall into runs of one
// direction, in windows that at most touch. In a run, "must be pushed first" and "must be popped first" are interval
// orders that have no cycle together, for none has one of two values; any order that extends both, with the earliest
// gaps that it leaves, will do. Cost O(n log n). Proof: docs/design/monitors.md, deques.
#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/assert.hpp"
#include "types/deque/flows.hpp"

namespace linchpin::types::deque {

namespace {

using algo::Bitset;
using algo::Gaps;

struct Stay {
  std::uint32_t part = 0, push = 0, pop = 0;
  std::uint32_t from_back = 0;
  std::uint32_t index = 0;  // among the flows of its direction
};

/// An order of the flows of a run that keeps to both interval orders.
class Queue {
 public:
  /// @param flows  with bounds inside the run's window
  const std::vector<std::uint32_t>& order(const std::vector<Flow>& flows) {
    const auto count = static_cast<std::uint32_t>(flows.size());
    const auto sort = [&](std::vector<std::uint32_t>& list, auto&& key) {
      list.resize(count);
      std::iota(list.begin(), list.end(), 0);
      std::sort(list.begin(), list.end(),
                [&](std::uint32_t a, std::uint32_t b) { return key(flows[a]) < key(flows[b]); });
    };
    order_.clear();
    if (count == 1) {
      order_.push_back(0);
      return order_;
    }
    sort(push_first_, [](const Flow& flow) { return flow.push.first; });
    sort(push_last_, [](const Flow& flow) { return flow.push.last; });
    sort(pop_first_, [](const Flow& flow) { return flow.pop.first; });
    sort(pop_last_, [](const Flow& flow) { return flow.pop.last; });
    free_.assign(count, 0);
    gone_.assign(count, 0);
    ready_.clear();
    std::uint32_t pushes = 0, pops = 0, first_push = 0, first_pop = 0;
    const auto set_free = [&](std::uint32_t index) {
      if (++free_[index] == 2) ready_.push_back(index);
    };
    while (order_.size() < count) {
      while (gone_[push_last_[first_push]] != 0) ++first_push;
      while (gone_[pop_last_[first_pop]] != 0) ++first_pop;
      const std::uint32_t push_by = flows[push_last_[first_push]].push.last;
      const std::uint32_t pop_by = flows[pop_last_[first_pop]].pop.last;
      for (; pushes < count && flows[push_first_[pushes]].push.first <= push_by; ++pushes)
        set_free(push_first_[pushes]);
      for (; pops < count && flows[pop_first_[pops]].pop.first <= pop_by; ++pops) set_free(pop_first_[pops]);
      LINCHPIN_ASSERT(!ready_.empty());
      const std::uint32_t next = ready_.back();
      ready_.pop_back();
      gone_[next] = 1;
      order_.push_back(next);
    }
    return order_;
  }

 private:
  std::vector<std::uint32_t> push_first_, push_last_, pop_first_, pop_last_, order_, ready_;
  std::vector<std::uint8_t> free_, gone_;
};

}  // namespace

std::vector<Flows::Step> Flows::linearize() const {
  std::vector<Stay> stays;
  stays.reserve(flows_[0].size() + flows_[1].size());
  for (const std::uint32_t from_back : {0U, 1U}) {
    for (std::uint32_t i = 0; i < flows_[from_back].size(); ++i) {
      const Flow& flow = flows_[from_back][i];
      const std::uint32_t push =
          flow.certainly_stays() ? flow.push.last : push_gaps_[from_back].previous(flow.pop.first);
      stays.push_back({flow.part, push, flow.pop.first, from_back, i});
    }
  }
  std::sort(stays.begin(), stays.end(), [](const Stay& a, const Stay& b) {
    return std::tie(a.part, a.push, a.pop) < std::tie(b.part, b.push, b.pop);
  });
  std::vector<Step> steps;
  steps.reserve(2 * stays.size());
  Queue queue;
  std::vector<Flow> run;
  std::vector<Gaps> at;  // push and pop, by place in the run's order
  for (std::size_t begin = 0; begin < stays.size();) {
    const Stay& first = stays[begin];
    const std::uint32_t from_back = first.from_back;
    const Bitset& in = push_gaps_[from_back];
    const Bitset& out = pop_gaps_[from_back];
    std::uint32_t window_end = 0;
    run.clear();
    std::size_t end = begin;
    for (; end < stays.size() && stays[end].from_back == from_back && stays[end].part == first.part; ++end) {
      window_end = std::max(window_end, stays[end].pop);
      run.push_back(flows_[from_back][stays[end].index]);
    }
    const Gaps push{in.next(first.push), in.previous(window_end)}, pop{out.next(first.push), out.previous(window_end)};
    for (Flow& flow : run) {
      flow.push = {std::max(flow.push.first, push.first), std::min(flow.push.last, push.last)};
      flow.pop = {std::max(flow.pop.first, pop.first), std::min(flow.pop.last, pop.last)};
    }
    const std::vector<std::uint32_t>& order = queue.order(run);
    at.clear();
    Gaps last;
    for (const std::uint32_t index : order) {
      last.first = std::max(last.first, run[index].push.first);
      last.last = std::max({last.last, run[index].pop.first, out.next(last.first)});
      at.push_back(last);
    }
    for (std::size_t in_next = 0, out_next = 0; out_next < order.size();) {
      const bool pushes = in_next < order.size() && at[in_next].first <= at[out_next].last;
      const std::size_t which = pushes ? in_next++ : out_next++;
      steps.push_back({.gap = pushes ? at[which].first : at[which].last,
                       .value = run[order[which]].value,
                       .pops = !pushes,
                       .at_back = pushes == (from_back == 1),
                       .part = first.part});
    }
    begin = end;
  }
  return steps;
}

}  // namespace linchpin::types::deque

#include "types/deque/flows.hpp"

#include <algorithm>

#include "base/none.hpp"

namespace linchpin::types::deque {

using algo::Bitset;

namespace {

/// Flows do not pass an empty answer.
void clip(Flow& flow, const std::vector<Cut>& cuts) {
  const std::uint32_t last_call = std::max(flow.push.first, flow.pop.first);
  const auto next = std::partition_point(cuts.begin(), cuts.end(), [&](const Cut& cut) { return cut.gap < last_call; });
  flow.part = static_cast<std::uint32_t>(next - cuts.begin());
  if (next != cuts.begin()) {
    const std::uint32_t gap = std::prev(next)->gap;
    flow.push.first = std::max(flow.push.first, gap);
    flow.pop.first = std::max(flow.pop.first, gap);
  }
  if (next != cuts.end()) {
    flow.push.last = std::min(flow.push.last, next->gap);
    flow.pop.last = std::min(flow.pop.last, next->gap);
  }
}

bool moved(const Flow& before, const Flow& after) {
  return before.push.first != after.push.first || before.push.last != after.push.last ||
         before.pop.first != after.pop.first || before.pop.last != after.pop.last;
}

}  // namespace

bool Flows::tighten(std::uint32_t from_back, Flow& flow) {
  const Bitset& in = push_gaps_[from_back];
  const Bitset& out = pop_gaps_[from_back];
  const auto up = [](const Bitset& open, std::uint32_t gap) { return open.next(gap); };
  const std::uint32_t push_first = up(in, flow.push.first);
  const std::uint32_t pop_last = out.previous(flow.pop.last);
  const bool none = push_first == kNone || pop_last == kNone;
  const std::uint32_t push_last = none ? kNone : in.previous(std::min(flow.push.last, pop_last));
  if (none || push_last == kNone || push_first > push_last) {
    place_ = flow.push;
    if (pop_last == kNone || pop_last < flow.pop.first) place_ = flow.pop;
    return false;
  }
  const std::uint32_t pop_first = up(out, std::max(flow.pop.first, push_first));
  if (pop_first > pop_last) {  // also where there is none
    place_ = flow.pop;
    return false;
  }
  flow.push = {push_first, push_last};
  flow.pop = {pop_first, pop_last};
  return true;
}

Flows::Fault Flows::settle(std::array<Bitset, 2> open, const std::vector<Cut>& cuts, core::Budget& budget) {
  if (empty()) return Fault::none;
  gaps_ = open[0].size();
  push_gaps_ = open;
  pop_gaps_ = {open[1], open[0]};
  for (std::vector<Flow>& flows : flows_) {
    for (Flow& flow : flows) clip(flow, cuts);
  }
  for (bool again = true, first = true; again; first = false) {
    again = first && !flows_[0].empty() && !flows_[1].empty();
    for (const std::uint32_t direction : {0U, 1U}) {
      const std::uint32_t other = 1 - direction;
      for (Flow& flow : flows_[direction]) {
        if (budget.spent()) return Fault::spent;
        const Flow before = flow;
        if (!tighten(direction, flow)) return Fault::no_gap;
        again = again || (moved(before, flow) && !flows_[other].empty());
      }
      if (flows_[other].empty()) continue;
      for (const Flow& flow : flows_[direction]) {
        if (flow.push.last + 1 >= flow.pop.first) continue;
        push_gaps_[other].erase_range(flow.push.last + 1, flow.pop.first - 1);
        pop_gaps_[other].erase_range(flow.push.last + 1, flow.pop.first - 1);
      }
    }
  }
  if (crossed()) return Fault::crossed;
  for (const std::vector<Flow>& flows : flows_) {
    if (overtaken(flows)) return Fault::overtaken;
  }
  return Fault::none;
}

/// Whether between two neighbouring gaps values of both directions are certainly inside.
bool Flows::crossed() {
  if (flows_[0].empty() || flows_[1].empty()) return false;
  std::array<std::vector<std::int32_t>, 2> change;
  for (const std::uint32_t direction : {0U, 1U}) {
    change[direction].assign(gaps_, 0);
    for (const Flow& flow : flows_[direction]) {
      if (!flow.certainly_stays()) continue;
      ++change[direction][flow.push.last];
      --change[direction][flow.pop.first];
    }
  }
  std::array<std::int32_t, 2> inside{0, 0};
  for (std::uint32_t gap = 0; gap < gaps_; ++gap) {
    for (const std::uint32_t direction : {0U, 1U}) inside[direction] += change[direction][gap];
    if (inside[0] == 0 || inside[1] == 0) continue;
    place_ = {gap, gap};
    return true;
  }
  return false;
}

/// Whether one value must be pushed before another one and popped after it.
bool Flows::overtaken(const std::vector<Flow>& flows) {
  if (flows.size() < 2) return false;
  // One more than the latest first gap of a push, of the values popped before each gap; 0: there is none.
  std::vector<std::uint32_t> latest(gaps_ + 1, 0);
  for (const Flow& flow : flows) {
    std::uint32_t& known = latest[flow.pop.last + 1];
    known = std::max(known, flow.push.first + 1);
  }
  for (std::uint32_t gap = 1; gap <= gaps_; ++gap) latest[gap] = std::max(latest[gap], latest[gap - 1]);
  for (const Flow& flow : flows) {
    if (latest[flow.pop.first] <= flow.push.last + 1) continue;
    for (const Flow& other : flows) {
      if (other.pop.last < flow.pop.first && other.push.first > flow.push.last) {
        place_ = {other.pop.last, other.pop.last};
        return true;
      }
    }
  }
  return false;
}

}  // namespace linchpin::types::deque

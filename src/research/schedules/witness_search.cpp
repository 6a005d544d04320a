#include "research/schedules/witness_search.hpp"

#include <limits>

#include "linchpin/hash.hpp"

namespace linchpin::research {

namespace {

constexpr std::int64_t kStepsBetweenLooks = 4096;
constexpr std::size_t kLargeGrowth = std::size_t{1} << 20;
constexpr std::size_t kMemoEntry = sizeof(std::pair<std::uint64_t, std::uint32_t>) + 1;

}  // namespace

bool WitnessSearch::finish(std::uint32_t delays) {
  ++tried_;
  if (ends_ == nullptr) return true;
  // As a standing beyond all operations, an end is known like any other point.
  if (!known({.position = poset_.size(), .list = {}, .fresh = false, .budget = 0})) {
    ends_->push_back({.states = states_.back(), .depth = delays + 1, .path = path_});
  }
  return false;
}

bool WitnessSearch::known(const Standing& standing) {
  std::uint64_t hash = mix(states_.back(), standing.position);
  // At the end the chain does not matter any more.
  const bool at_end = standing.position == poset_.size();
  hash = mix(hash, at_end ? 0 : (std::uint64_t{chain_} << 1) | (standing.fresh ? 1 : 0));
  for (const Delayed& each : standing.list)
    hash = mix(hash, (std::uint64_t{each.operation} << 1) | (each.paid ? 1 : 0));
  const auto [found, fresh] = memo_.try_emplace(hash, standing.budget);
  if (fresh) return false;
  if (found->second >= standing.budget) return true;
  found->second = standing.budget;
  return false;
}

bool WitnessSearch::allowed(core::Budget& budget) {
  const std::size_t entries = memo_.size() + kStepsBetweenLooks;
  const std::size_t growth =
      (entries * 8 > memo_.capacity() * 7 ? 2 * memo_.capacity() * kMemoEntry : 0) + sets_.growth();
  return growth <= kLargeGrowth || budget.allows(growth);
}

void WitnessSearch::begin(std::uint32_t d, StateSet start) {
  states_.assign(1, start);
  path_.clear();
  delays_ = d - 1;
  chain_ = 0;
  enumeration_.start(chain_, delays_);
}

WitnessSearch::Status WitnessSearch::run(std::int64_t& steps, core::Budget& budget) {
  if (poset_.size() == 0) return Status::found;
  while (chain_ < poset_.chains) {
    if (steps <= 0 || budget.spent() || !allowed(budget)) return Status::stopped;
    std::int64_t some = std::min(steps, kStepsBetweenLooks);
    steps -= some;
    const auto status = enumeration_.run(some);
    steps += std::max<std::int64_t>(some, 0);
    if (status == Enumeration<WitnessSearch>::Status::stopped) return Status::found;
    if (status == Enumeration<WitnessSearch>::Status::paused) continue;
    retract(0);
    if (++chain_ < poset_.chains) enumeration_.start(chain_, delays_);
  }
  return Status::none;
}

WitnessSearch::Status WitnessSearch::find(std::uint32_t d, StateSet start, core::Budget& budget) {
  ends_ = nullptr;
  begin(d, start);
  std::int64_t steps = std::numeric_limits<std::int64_t>::max();
  return run(steps, budget);
}

WitnessSearch::Status WitnessSearch::collect(std::uint32_t d, StateSet start, std::vector<End>& ends,
                                             core::Budget& budget) {
  ends_ = &ends;
  begin(d, start);
  std::int64_t steps = std::numeric_limits<std::int64_t>::max();
  return run(steps, budget);
}

}  // namespace linchpin::research

// A core of a stack history that is not linearizable: few values that block each other.
//
// What remains after elimination is a core, but it can be huge. Closure: start with one remaining value; for each
// member take one operation that is still blocked, and add a chain of remaining covers over its range, the
// furthest-reaching first, unless the members already cover it. When every member has a blocked operation inside the
// set, the set is stuck by itself. Several seeds are tried, and one is abandoned when it outgrows the best. Cost:
// O(size of the closure * log n) a seed. Minimal cores have no constant bound on their size.
#include <algorithm>

#include "base/none.hpp"
#include "types/stack/check.hpp"

namespace linchpin::types {

namespace {

constexpr std::uint32_t kSeeds = 64;

/// The chain of remaining covers, but that of `without`, over all of the range; nothing where it has a hole.
bool chain_over(const StackElimination& elimination, const StackSegments& segments, algo::Gaps range,
                std::uint32_t without, std::vector<std::uint32_t>& chain) {
  for (std::uint32_t s = range.first; s <= range.last;) {
    const std::uint32_t x = elimination.furthest_without(s, without);
    if (x == kNone) return false;
    chain.push_back(x);
    s = segments.end[x] + 1;
  }
  return true;
}

}  // namespace

std::vector<algo::ValueNumber> StackCheck::values_of(const std::vector<std::uint32_t>& covers) const {
  std::vector<algo::ValueNumber> values;
  values.reserve(covers.size());
  for (const std::uint32_t k : covers) values.push_back(segments_->value_of[k]);
  return values;
}

std::vector<algo::ValueNumber> StackCheck::empty_chain() const {
  std::vector<std::uint32_t> chain;
  chain_over(*elimination_, *segments_, segments_of(empty_), kNone, chain);
  return values_of(chain);
}

std::vector<algo::ValueNumber> StackCheck::residual_core() const {
  const StackSegments& segments = *segments_;
  const std::uint32_t m = segments.values;
  std::vector<std::uint32_t> best, members, chain, shortest;
  std::vector<std::uint32_t> seen(m, 0);
  std::uint32_t seeds = 0;
  for (std::uint32_t seed = 0; seed < m && seeds < kSeeds && best.size() != 2; ++seed) {
    if (!elimination_->remains(seed)) continue;
    ++seeds;
    members.assign(1, seed);
    seen[seed] = seeds;
    bool good = true;
    for (std::size_t i = 0; i < members.size() && good; ++i) {
      const std::uint32_t k = members[i];
      // Of the operations of k that are blocked: one that the members cover, else the one with the shortest chain.
      bool found = false, inside = false;
      const auto consider = [&](algo::Gaps range) {
        if (inside) return;
        std::uint32_t reach = range.first;
        for (bool grown = true; grown && reach <= range.last && members.size() <= kSeeds;) {
          grown = false;
          for (const std::uint32_t x : members) {
            if (x == k || segments.start[x] >= reach || segments.end[x] < reach) continue;
            reach = segments.end[x] + 1;
            grown = true;
          }
        }
        if (reach > range.last) {
          inside = found = true;
          shortest.clear();
          return;
        }
        chain.clear();
        if (!chain_over(*elimination_, segments, range, k, chain)) return;
        if (!found || chain.size() < shortest.size()) shortest = chain;
        found = true;
      };
      if (!elimination_->push_safe(k)) consider({segments.push_first[k], segments.start[k]});
      if (!elimination_->pop_safe(k)) consider({segments.end[k] + 1, segments.pop_last[k]});
      for (std::uint32_t look = looks_.size() == 0 ? 0 : looks_.begin[k];
           looks_.size() > 0 && look < looks_.begin[k + 1]; ++look) {
        if (!elimination_->look_safe(look)) consider({looks_.first[look], looks_.last[look]});
      }
      for (const std::uint32_t x : shortest) {
        if (seen[x] == seeds) continue;
        seen[x] = seeds;
        members.push_back(x);
      }
      good = best.empty() || members.size() < best.size();
    }
    if (good) best = members;
  }
  return values_of(best);
}

std::vector<std::uint32_t> StackCheck::core() const {
  if (fault_) return fault_->operations;
  const std::vector<algo::ValueNumber> values = empty_ != kNone ? empty_chain() : residual_core();
  std::vector<std::uint32_t> operations;
  if (empty_ != kNone) operations.push_back(empty_);
  for (const algo::ValueNumber v : values) {
    operations.push_back(container_.span[v].add);
    if (container_.span[v].remove != kNone) operations.push_back(container_.span[v].remove);
    if (!looks_by_value_) continue;
    const auto looks = looks_by_value_->of(v);
    operations.insert(operations.end(), looks.begin(), looks.end());
  }
  std::sort(operations.begin(), operations.end());
  return operations;
}

}  // namespace linchpin::types

#include "research/value_blocks/ordering.hpp"

#include <algorithm>

#include "research/value_blocks/blocks.hpp"

namespace linchpin::research::value_blocks {

std::vector<std::uint32_t> order(Execution execution, const std::vector<Chain>& chains,
                                 const std::vector<std::uint32_t>& resolved_by) {
  // A false CAS is now an operation on the value that resolves it, like a read.
  for (std::size_t i = 0; i < resolved_by.size(); ++i) {
    execution.by_value[resolved_by[i]].push_back(execution.false_cases[i]);
  }
  std::vector<Interval> intervals;
  intervals.reserve(chains.size());
  for (const Chain& chain : chains) intervals.push_back(make_interval(execution, calls_of(execution, chain)));
  std::vector<std::uint32_t> ordered;
  ordered.reserve(execution.calls.size());
  std::vector<bool> done(execution.calls.size(), false);
  const auto take = [&](std::uint32_t call) {
    if (!done[call]) ordered.push_back(call);
    done[call] = true;
  };
  for (const Block& block : make_blocks(intervals)) {
    for (const std::size_t chain : block) {
      for (const std::uint32_t value : chains[chain]) {
        take(execution.write_of[value]);
        std::vector<std::uint32_t> others = execution.by_value[value];
        std::sort(others.begin(), others.end());  // by start
        for (const std::uint32_t call : others) {
          const Call& other = execution.calls[call];
          if (other.kind != CallKind::true_cas) take(call);  // which comes with the value that it writes
        }
      }
    }
  }
  return ordered;
}

}  // namespace linchpin::research::value_blocks

#include "research/value_blocks/resolvers.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include "base/none.hpp"

namespace linchpin::research::value_blocks {

namespace {

using history::Rank;

/// Figure 16 for one false CAS.
class Traversal {
 public:
  Traversal(const Execution& execution, const std::vector<Chain>& chains, const std::vector<Interval>& intervals,
            const Call& false_cas, Chains reading)
      : execution_(execution), chains_(chains), intervals_(intervals), false_cas_(false_cas), reading_(reading) {}

  std::vector<std::uint32_t> through(const std::vector<Block>& blocks) {
    for (const Block& block : blocks) {
      const auto returns_before = [&](std::size_t chain) { return first_return(chains_[chain]) < false_cas_.start; };
      if (std::any_of(block.begin(), block.end(), returns_before)) available_.clear();
      Rank earliest_block_lin = 0;
      for (const std::size_t chain : block) {
        collect(chains_[chain]);
        // Forward: its end; reverse: its start.
        earliest_block_lin = std::max(earliest_block_lin, intervals_[chain].last_call());
      }
      if (false_cas_.end < earliest_block_lin) break;
    }
    std::erase(available_, false_cas_.value);
    std::sort(available_.begin(), available_.end());
    available_.erase(std::unique(available_.begin(), available_.end()), available_.end());
    return std::move(available_);
  }

 private:
  [[nodiscard]] Rank first_return(const Chain& chain) const {
    Rank first = history::Rank::none();
    for (const std::uint32_t value : chain) {
      for (const std::uint32_t call : execution_.by_value[value]) first = std::min(first, execution_.calls[call].end);
    }
    return first;
  }
  [[nodiscard]] bool written_in_time(std::uint32_t value) const {
    return execution_.write(value).start < false_cas_.end;
  }

  void collect(const Chain& chain) {
    for (std::size_t i = first_possible(chain); i < chain.size(); ++i) {
      if (written_in_time(chain[i])) available_.push_back(chain[i]);
    }
    // "All writes in the current block": of a chain its first value, if it is not a true CAS that writes it.
    const bool by_write = execution_.write(chain[0]).kind == CallKind::write;
    if (reading_ == Chains::as_printed && by_write && written_in_time(chain[0])) available_.push_back(chain[0]);
  }

  /// The first value of the chain that may still be in memory.
  [[nodiscard]] std::size_t first_possible(const Chain& chain) const {
    for (std::size_t i = chain.size(); i-- > 1;) {
      const auto& calls = execution_.by_value[chain[i]];
      const bool reached = std::any_of(calls.begin(), calls.end(), [&](std::uint32_t call) {
        return reading_ == Chains::as_described ? execution_.calls[call].end < false_cas_.start
                                                : execution_.calls[call].start < false_cas_.end;
      });
      if (reached) return i;
    }
    return 0;
  }

  const Execution& execution_;
  const std::vector<Chain>& chains_;
  const std::vector<Interval>& intervals_;
  const Call& false_cas_;
  Chains reading_;
  std::vector<std::uint32_t> available_;
};

/// Figure 17: a value that a false CAS missed after it was written is no resolver of a later one.
void propagate_false_cases(const Execution& execution, std::vector<std::vector<std::uint32_t>>& resolvers) {
  for (const std::uint32_t blocking : execution.false_cases) {
    const Call& earlier = execution.calls[blocking];
    const bool written = execution.write_of[earlier.value] != kNone;
    if (!written || earlier.start < execution.write(earlier.value).end) continue;
    for (std::size_t i = 0; i < resolvers.size(); ++i) {
      if (execution.calls[execution.false_cases[i]].start > earlier.end) std::erase(resolvers[i], earlier.value);
    }
  }
}

}  // namespace

std::vector<std::vector<std::uint32_t>> resolvers(const Execution& execution, const std::vector<Chain>& chains,
                                                  const std::vector<Interval>& intervals,
                                                  const std::vector<Block>& blocks, Chains reading) {
  std::vector<std::vector<std::uint32_t>> found;
  found.reserve(execution.false_cases.size());
  for (const std::uint32_t each : execution.false_cases) {
    found.push_back(Traversal(execution, chains, intervals, execution.calls[each], reading).through(blocks));
  }
  propagate_false_cases(execution, found);
  return found;
}

std::optional<std::size_t> exclusion_check(const Execution& execution,
                                           std::vector<std::vector<std::uint32_t>>& resolvers) {
  std::map<std::size_t, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < resolvers.size(); ++i) {
    const Call& false_cas = execution.calls[execution.false_cases[i]];
    const auto returned = [&](const Call& call) { return call.writes() && call.end < false_cas.start; };
    groups[static_cast<std::size_t>(std::count_if(execution.calls.begin(), execution.calls.end(), returned))].push_back(
        i);
  }
  for (const auto& [number, group] : groups) {
    std::vector<std::uint32_t> common = resolvers[group[0]];
    for (const std::size_t each : group) {
      std::vector<std::uint32_t> both;
      std::set_intersection(common.begin(), common.end(), resolvers[each].begin(), resolvers[each].end(),
                            std::back_inserter(both));
      common = std::move(both);
      if (common.empty()) return each;
    }
    for (const std::size_t each : group) resolvers[each] = common;
  }
  return std::nullopt;
}

}  // namespace linchpin::research::value_blocks

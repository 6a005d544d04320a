#include "research/value_blocks/decider.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>

#include <fmt/format.h>

#include "base/none.hpp"
#include "research/value_blocks/blocks.hpp"
#include "research/value_blocks/chains.hpp"
#include "research/value_blocks/ordering.hpp"
#include "research/value_blocks/resolvers.hpp"

namespace linchpin::research {

namespace value_blocks {

namespace {

core::Applicability applicable(const history::Subhistory& part) {
  auto reading = std::make_shared<Reading>(read_execution(part));
  if (reading->other_type) return core::not_of_this_type(std::move(reading->obstacle));
  if (!reading->obstacle.empty()) return {false, std::move(reading->obstacle)};
  return {.applies = true,
          .why = "no value is written twice and no false CAS overlaps a write",
          .reading = std::move(reading)};
}

class Algorithm {
 public:
  Algorithm(const history::Subhistory& part, const Execution& execution, Chains reading)
      : part_(part), execution_(execution), reading_(reading) {}

  /// What refutes the execution, or nothing; then `order` is what section 2.6 makes of it.
  std::optional<Fault> run(std::vector<std::uint32_t>& order_of_calls) {
    if (auto fault = basic_checks()) return fault;
    if (auto fault = true_cas_fault(part_, execution_)) return fault;
    chains_ = make_chains(execution_);
    for (const Chain& chain : chains_) {
      if (auto fault = intra_group_fault(chain)) return fault;
    }
    for (const Chain& chain : chains_) intervals_.push_back(make_interval(execution_, calls_of(execution_, chain)));
    if (auto fault = inter_group_fault()) return fault;
    std::vector<std::vector<std::uint32_t>> resolved =
        resolvers(execution_, chains_, intervals_, make_blocks(intervals_), reading_);
    if (const auto none = exclusion_check(execution_, resolved)) return no_resolver(*none);
    std::vector<std::uint32_t> resolved_by;
    resolved_by.reserve(resolved.size());
    for (const auto& values : resolved) resolved_by.push_back(values[0]);
    order_of_calls = order(execution_, chains_, resolved_by);
    return std::nullopt;
  }

 private:
  [[nodiscard]] std::string name(std::uint32_t call) const {
    return part_.history->describe(part_.operation[execution_.calls[call].local]);
  }
  [[nodiscard]] std::string value_name(std::uint32_t value) const {
    return part_.history->pool().to_text(execution_.values[value]);
  }
  [[nodiscard]] std::string chain_name(const Chain& chain) const {
    std::string text;
    for (const std::uint32_t value : chain) text += (text.empty() ? "" : " -> ") + value_name(value);
    return text;
  }

  /// Section 2.3.2: one write for each value, and no read that returns before it starts.
  [[nodiscard]] std::optional<Fault> basic_checks() const {
    for (std::uint32_t value = 0; value < execution_.values.size(); ++value) {
      for (const std::uint32_t call : execution_.by_value[value]) {
        const std::uint32_t write = execution_.write_of[value];
        if (write == kNone) {
          return Fault{{call}, fmt::format("{}, but nobody writes {}", name(call), value_name(value))};
        }
        if (execution_.calls[call].end < execution_.calls[write].start) {
          return Fault{{write, call}, fmt::format("{} returned before {} was called", name(call), name(write))};
        }
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<Fault> intra_group_fault(const Chain& chain) const {
    const std::optional<std::size_t> at = intra_group_check(execution_, chain);
    if (!at) return std::nullopt;
    return Fault{calls_of(execution_, chain),
                 fmt::format("{} is in memory directly before {}, but an operation on {} returned before one on {} was "
                             "called",
                             value_name(chain[*at]), value_name(chain[*at + 1]), value_name(chain[*at + 1]),
                             value_name(chain[*at]))};
  }

  [[nodiscard]] std::optional<Fault> inter_group_fault() const {
    const std::optional<Clash> clash = interval_check(intervals_);
    if (!clash) return std::nullopt;
    const Chain& forward = chains_[clash->forward];
    const Chain& other = chains_[clash->other];
    Chain both = forward;
    both.insert(both.end(), other.begin(), other.end());
    return Fault{calls_of(execution_, both),
                 fmt::format("{} is in memory throughout its interval, which leaves no moment for {}",
                             chain_name(forward), chain_name(other))};
  }

  /// What else there is may have explained it, so that all of it is needed.
  [[nodiscard]] Fault no_resolver(std::size_t which) const {
    Fault fault{std::vector<std::uint32_t>(execution_.calls.size()),
                fmt::format("no value resolves {} and those with it between the same writes",
                            name(execution_.false_cases[which]))};
    std::iota(fault.calls.begin(), fault.calls.end(), 0U);
    return fault;
  }

  const history::Subhistory& part_;
  const Execution& execution_;
  Chains reading_;
  std::vector<Chain> chains_;
  std::vector<Interval> intervals_;  // of chains
};

template <Chains chains>
core::Outcome decide(const history::Subhistory& part, const core::DeciderOptions& options, core::Budget& /*budget*/) {
  const auto reading = core::reading_of<Reading>(part, options, applicable);
  if (reading == nullptr) return core::not_applicable();
  const Execution& execution = reading->execution;
  core::Outcome outcome;
  std::vector<std::uint32_t> order_of_calls;
  if (std::optional<Fault> fault = Algorithm(part, execution, chains).run(order_of_calls)) {
    outcome.verdict = Verdict::violation;
    outcome.sentence = std::move(fault->sentence);
    for (const std::uint32_t call : fault->calls) outcome.core.push_back(execution.calls[call].local);
    std::sort(outcome.core.begin(), outcome.core.end());
    return outcome;
  }
  outcome.verdict = Verdict::linearizable;
  if (!options.witness) return outcome;
  for (const std::uint32_t call : order_of_calls) outcome.witness.push_back(execution.calls[call].local);
  return outcome;
}

constexpr std::array kValueBlocks{
    core::Decider{.name = "value-blocks",
                  .kind = core::Kind::published,
                  .about = {.types = "register, cas-register",
                            .when = "on request; no value is written twice, initial=undefined, no failed cas overlaps "
                                    "a write; accepts some violations",
                            .method = "value blocks, and resolvers of failed compare-and-sets",
                            .cost = "O(n^3)",
                            .source = "Daychman, 2023"},
                  .applicable = &applicable,
                  .at_once = &decide<Chains::as_described>},
    core::Decider{.name = "value-blocks-as-printed",
                  .kind = core::Kind::published,
                  .about = {.types = "register, cas-register",
                            .when = "on request; the same, wrong about failed cas too",
                            .method = "the same, with Figure 16 by its letter",
                            .cost = "O(n^3)",
                            .source = "Daychman, 2023"},
                  .applicable = &applicable,
                  .at_once = &decide<Chains::as_printed>},
};

}  // namespace

}  // namespace value_blocks

std::span<const core::Decider> value_block_deciders() { return value_blocks::kValueBlocks; }

}  // namespace linchpin::research

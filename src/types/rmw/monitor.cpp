// Decides histories of a register with an atomic exchange in which no value is produced twice and none is the initial
// value.
//
// An exchange moves from the value that it returned to the value that it wrote; algo/chains.hpp orders chains of moves.
// An exchange whose result is lost is a write. Cost O(n). Compare: decide/search (any history).
// Tests: rmw_monitor_test.cpp.
#include "types/rmw/monitor.hpp"

#include <fmt/format.h>

#include "algo/chains.hpp"
#include "types/rmw/specification.hpp"

namespace linchpin::types::rmw {

namespace {

using algo::ChainRole;
using algo::ChainStep;
using history::Subhistory;

std::optional<ChainStep> step_of(const Subhistory& part, std::uint32_t i) {
  const Value result = part.result(i);
  const bool pending = part.pending(i);
  switch (part.method[i]) {
    case ReadModifyWrite::kReadModifyWrite: {
      const Value to = part.arguments(i)[0];
      if (result.is_unknown()) return ChainStep{.role = ChainRole::writes, .to = to};
      if (result != to) return ChainStep{.role = ChainRole::moves, .from = result, .to = to};
      return ChainStep{.role = pending ? ChainRole::ignored : ChainRole::reads, .from = result};
    }
    case ReadModifyWrite::kRead:
      if (pending) return ChainStep{.role = ChainRole::ignored};
      if (result.is_unknown()) return ChainStep{.role = ChainRole::free};
      return ChainStep{.role = ChainRole::reads, .from = result};
    default:
      if (!part.view(i).acknowledged()) return std::nullopt;
      return ChainStep{.role = ChainRole::writes, .to = part.arguments(i)[0]};
  }
}

/// What every operation does; or why that is not certain.
std::string read_steps(const Subhistory& part, const ReadModifyWrite& /*specification*/,
                       std::vector<ChainStep>& steps) {
  steps.reserve(part.size());
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    const std::optional<ChainStep> step = step_of(part, i);
    if (!step) {
      return fmt::format("{} does not tell what it did", part.history->describe(part.operation[i]));
    }
    steps.push_back(*step);
  }
  return {};
}

}  // namespace

core::Applicability applicable(const Subhistory& part) {
  const auto* const specification = part.specification->get_if<ReadModifyWrite>();
  if (specification == nullptr) return core::not_of_this_type("not a register with an exchange");
  std::vector<ChainStep> steps;
  if (std::string why = read_steps(part, *specification, steps); !why.empty()) return {false, std::move(why)};
  if (std::string why = algo::not_unique(part, steps, specification->initial_value); !why.empty()) {
    return {false, std::move(why)};
  }
  return {true, "no value is written twice"};
}

core::Outcome decide(const Subhistory& part, const core::DeciderOptions& options, core::Budget& budget) {
  const auto& specification = *part.specification->get_if<ReadModifyWrite>();
  std::vector<ChainStep> steps;
  if (!read_steps(part, specification, steps).empty()) {
    return {.verdict = Verdict::unknown, .reason = Reason::not_applicable};
  }
  if (budget.spent_now()) return {.verdict = Verdict::unknown, .reason = budget.reason()};
  return algo::decide_chains(part, steps, specification.initial_value, options.witness);
}

}  // namespace linchpin::types::rmw

// Decides register histories in which no value is written twice and none is the initial value.
//
// A write and the reads of its value form a chain of length one; algo/chains.hpp orders chains. Cost O(n). Sources and
// criterion there. Compare: decide/search (any history). Tests: register_monitor_test.cpp.
#include "types/register/monitor.hpp"

#include <fmt/format.h>

#include "algo/chains.hpp"
#include "types/register/specification.hpp"

namespace linchpin::types::register_ {

namespace {

using algo::ChainRole;
using algo::ChainStep;
using history::Subhistory;

std::optional<ChainStep> step_of(const Subhistory& part, std::uint32_t i) {
  const Value result = part.result(i);
  if (part.method[i] == Register::kWrite) {
    if (!part.view(i).acknowledged()) return std::nullopt;
    return ChainStep{.role = ChainRole::writes, .to = part.arguments(i)[0]};
  }
  if (part.pending(i)) return ChainStep{.role = ChainRole::ignored};
  // An unknown result: any value, but not an undefined register.
  if (result.is_unknown()) return ChainStep{.role = ChainRole::differs};
  return ChainStep{.role = ChainRole::reads, .from = result};
}

/// What every operation does; or why that is not certain.
std::string read_steps(const Subhistory& part, const Register& /*specification*/, std::vector<ChainStep>& steps) {
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
  const auto* const specification = part.specification->get_if<Register>();
  if (specification == nullptr) return core::not_of_this_type("not a register");
  std::vector<ChainStep> steps;
  if (std::string why = read_steps(part, *specification, steps); !why.empty()) return {false, std::move(why)};
  if (std::string why = algo::not_unique(part, steps, specification->initial_value); !why.empty()) {
    return {false, std::move(why)};
  }
  return {true, "no value is written twice"};
}

core::Outcome decide(const Subhistory& part, const core::DeciderOptions& options, core::Budget& budget) {
  const auto& specification = *part.specification->get_if<Register>();
  std::vector<ChainStep> steps;
  if (!read_steps(part, specification, steps).empty()) {
    return {.verdict = Verdict::unknown, .reason = Reason::not_applicable};
  }
  if (budget.spent_now()) return {.verdict = Verdict::unknown, .reason = budget.reason()};
  return algo::decide_chains(part, steps, specification.initial_value, options.witness);
}

}  // namespace linchpin::types::register_

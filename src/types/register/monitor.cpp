// Decides register histories in which no value is written twice and none is the initial value.
//
// A write and the reads of its value form a chain of length one; algo/chains.hpp orders chains. Cost O(n). Sources and
// criterion there. Compare: decide/search (any history). Tests: register_monitor_test.cpp.
#include "types/register/monitor.hpp"

#include "algo/chains.hpp"
#include "types/chain_monitor.hpp"
#include "types/register/specification.hpp"

namespace linchpin::types::register_ {

namespace {

using algo::ChainRole;
using algo::ChainStep;
using history::Subhistory;

std::optional<ChainStep> step_of(const Subhistory& part, std::uint32_t i, const Register& /*specification*/) {
  const Value result = part.result(i);
  if (part.method[i] == Register::kWrite) {
    if (!part.view(i).acknowledged(0)) return std::nullopt;
    return ChainStep{.role = ChainRole::writes, .to = part.arguments(i)[0]};
  }
  if (part.pending(i)) return ChainStep{.role = ChainRole::ignored};
  // An unknown result: any value, but not an undefined register.
  if (result.is_unknown()) return ChainStep{.role = ChainRole::differs};
  return ChainStep{.role = ChainRole::reads, .from = result};
}

constexpr ChainMonitor<Register> kChains{
    .other_type = "not a register",
    .applies = "no value is written twice",
    .initial = [](const Register& specification) { return specification.initial_value; },
    .obstacle = nullptr,
    .step_of = &step_of};

}  // namespace

core::Applicability applicable(const Subhistory& part) { return kChains.applicable(part); }

std::optional<algo::ValueSteps> steps(const Subhistory& part) { return kChains.steps(part); }

core::Outcome decide(const Subhistory& part, const core::DeciderOptions& options, core::Budget& budget) {
  return kChains.decide(part, options, budget);
}

}  // namespace linchpin::types::register_

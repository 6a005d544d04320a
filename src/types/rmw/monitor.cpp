// Decides histories of a register with an atomic exchange in which no value is produced twice and none is the initial
// value.
//
// An exchange moves from the value that it returned to the value that it wrote; algo/chains.hpp orders chains of moves.
// An exchange whose result is lost is a write. Cost O(n). Compare: decide/search (any history).
// Tests: rmw_monitor_test.cpp.
#include "types/rmw/monitor.hpp"

#include "algo/chains.hpp"
#include "types/chain_monitor.hpp"
#include "types/rmw/specification.hpp"

namespace linchpin::types::rmw {

namespace {

using algo::ChainRole;
using algo::ChainStep;
using history::Subhistory;

std::optional<ChainStep> step_of(const Subhistory& part, std::uint32_t i, const ReadModifyWrite& /*specification*/) {
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
      if (!part.view(i).acknowledged(0)) return std::nullopt;
      return ChainStep{.role = ChainRole::writes, .to = part.arguments(i)[0]};
  }
}

constexpr ChainMonitor<ReadModifyWrite> kChains{
    .other_type = "not a register with an exchange",
    .applies = "no value is written twice",
    .initial = [](const ReadModifyWrite& specification) { return specification.initial_value; },
    .obstacle = nullptr,
    .step_of = &step_of};

}  // namespace

core::Applicability applicable(const Subhistory& part) { return kChains.applicable(part); }

std::optional<algo::ValueSteps> steps(const Subhistory& part) { return kChains.steps(part); }

core::Outcome decide(const Subhistory& part, const core::DeciderOptions& options, core::Budget& budget) {
  return kChains.decide(part, options, budget);
}

}  // namespace linchpin::types::rmw

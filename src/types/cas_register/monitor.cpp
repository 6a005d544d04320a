// Decides histories of a compare-and-set register in which no value is produced twice and none is the initial value.
//
// A successful cas moves from one value to another, a failed one says that the value was another one (or nothing, with
// failed-cas=drop). algo/chains.hpp orders chains of moves; failed ones are settled by removal rules and by layers
// (algo/differing_steps.hpp), which is exact where none of those left overlaps a write. Where one does and fits into no
// order found, this does not decide: the question is NP-complete. Cost O(n log n). Compare: decide/search (any
// history). Tests: cas_register_monitor_test.cpp, tests/cross/monitors_test.cpp.
#include "types/cas_register/monitor.hpp"

#include "algo/chains.hpp"
#include "types/cas_register/specification.hpp"
#include "types/chain_monitor.hpp"

namespace linchpin::types::cas_register {

namespace {

using algo::ChainRole;
using algo::ChainStep;
using history::Subhistory;

/// A cas or a compare_exchange that found what it expected.
ChainStep success(const Subhistory& part, std::uint32_t i) {
  const Value from = part.arguments(i)[0];
  const Value to = part.arguments(i)[1];
  if (from == to) return {.role = part.pending(i) ? ChainRole::ignored : ChainRole::reads, .from = from};
  return {.role = ChainRole::moves, .from = from, .to = to};
}

std::optional<ChainStep> step_of(const Subhistory& part, std::uint32_t i, const CasRegister& specification) {
  const Value result = part.result(i);
  const bool pending = part.pending(i);
  switch (part.method[i]) {
    case CasRegister::kWrite:
      if (!part.view(i).acknowledged(0)) return std::nullopt;
      return ChainStep{.role = ChainRole::writes, .to = part.arguments(i)[0]};
    case CasRegister::kRead:
      if (pending) return ChainStep{.role = ChainRole::ignored};
      // An unknown result: any value, but not an undefined register.
      if (result.is_unknown()) return ChainStep{.role = ChainRole::differs};
      return ChainStep{.role = ChainRole::reads, .from = result};
    case CasRegister::kCas:
      if (says_false(part.view(i))) {
        if (pending) return ChainStep{.role = ChainRole::ignored};
        if (!specification.failure_tells) return ChainStep{.role = ChainRole::free};
        return ChainStep{.role = ChainRole::differs, .from = part.arguments(i)[0]};
      }
      if (!part.view(i).acknowledged() || (result.is_unknown() && !pending)) return std::nullopt;
      return success(part, i);
    default:
      if (result.is_unknown() && !pending) return std::nullopt;
      if (result.is_unknown() || result == part.arguments(i)[0]) return success(part, i);
      if (pending) return ChainStep{.role = ChainRole::ignored};
      return ChainStep{.role = ChainRole::reads, .from = result};
  }
}

constexpr ChainMonitor<CasRegister> kChains{
    .other_type = "not a compare-and-set register",
    .applies = "no value is written twice",
    .initial = [](const CasRegister& specification) { return specification.initial_value; },
    .obstacle = nullptr,
    .step_of = &step_of};

}  // namespace

core::Applicability applicable(const Subhistory& part) { return kChains.applicable(part); }

std::optional<algo::ValueSteps> steps(const Subhistory& part) { return kChains.steps(part); }

core::Outcome decide(const Subhistory& part, const core::DeciderOptions& options, core::Budget& budget) {
  return kChains.decide(part, options, budget);
}

}  // namespace linchpin::types::cas_register

// Decides the history of one index of an array in which no value is stored twice.
//
// An element is a compare-and-set register; algo/chains.hpp orders chains. Precondition: one index (split first), no
// value is stored twice nor is the initial one, a completed cas tells whether it took effect. Cost O(n), O(n log n)
// with failures. Compare: decide/search (any history). Tests: array_monitor_test.cpp.
#include "types/array/monitor.hpp"

#include "algo/chains.hpp"
#include "types/array/specification.hpp"
#include "types/chain_monitor.hpp"

namespace linchpin::types::array {

namespace {

using algo::ChainRole;
using algo::ChainStep;
using history::Subhistory;

std::optional<ChainStep> step_of(const Subhistory& part, std::uint32_t i, const Array& /*specification*/) {
  const Operation operation = part.view(i);
  const bool pending = part.pending(i);
  switch (part.method[i]) {
    case Array::kRead:
      if (pending) return ChainStep{.role = ChainRole::ignored};
      if (operation.result_unknown()) return ChainStep{.role = ChainRole::free};
      return ChainStep{.role = ChainRole::reads, .from = operation.result};
    case Array::kWrite:
      if (!operation.acknowledged(1)) return std::nullopt;
      return ChainStep{.role = ChainRole::writes, .to = operation.argument(1)};
    default: {
      const Value from = operation.argument(1), to = operation.argument(2);
      if (says_false(operation)) {
        return pending ? ChainStep{.role = ChainRole::ignored} : ChainStep{.role = ChainRole::differs, .from = from};
      }
      if (!operation.acknowledged() || (operation.result_unknown() && !pending)) return std::nullopt;
      if (from != to) return ChainStep{.role = ChainRole::moves, .from = from, .to = to};
      return pending ? ChainStep{.role = ChainRole::ignored} : ChainStep{.role = ChainRole::reads, .from = from};
    }
  }
}

std::string obstacle(const Subhistory& part, std::uint32_t i, const Array& /*specification*/) {
  return part.arguments(i)[0] != part.arguments(0)[0] ? "there are several indices" : "";
}

constexpr ChainMonitor<Array> kChains{.other_type = "not an array",
                                      .applies = "no value is written twice",
                                      .initial = [](const Array& specification) { return specification.initial_value; },
                                      .obstacle = &obstacle,
                                      .step_of = &step_of};

}  // namespace

core::Applicability applicable(const Subhistory& part) { return kChains.applicable(part); }

std::optional<algo::ValueSteps> steps(const Subhistory& part) { return kChains.steps(part); }

core::Outcome decide(const Subhistory& part, const core::DeciderOptions& options, core::Budget& budget) {
  return kChains.decide(part, options, budget);
}

}  // namespace linchpin::types::array

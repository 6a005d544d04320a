// Decides the history of one key of a map in which no value is stored twice.
//
// A key is a register whose initial value is "absent": put writes, a successful cas, replace or put_if_absent moves,
// get reads; algo/chains.hpp orders chains. Precondition: one key (split first), no append, no removal that found
// something (it would store "absent" again), the options absent=nil and results=ack. Cost O(n log n).
// Compare: decide/search (any history). Tests: map_monitor_test.cpp.
#include "types/map/monitor.hpp"

#include "algo/chains.hpp"
#include "types/chain_monitor.hpp"
#include "types/map/specification.hpp"

namespace linchpin::types::map {

namespace {

using algo::ChainRole;
using algo::ChainStep;
using history::Subhistory;

constexpr Value kAbsent = Value::nil();

ChainStep reads(Value value) { return {.role = ChainRole::reads, .from = value}; }
ChainStep differs(Value value) { return {.role = ChainRole::differs, .from = value}; }
ChainStep ignored() { return {.role = ChainRole::ignored}; }

ChainStep looks(const Subhistory& part, std::uint32_t i) {
  if (part.pending(i)) return ignored();
  if (part.result(i).is_unknown()) return {.role = ChainRole::free};
  return reads(part.result(i));
}

/// cas(k, old, new) and replace(k, old, new).
std::optional<ChainStep> compares(const Subhistory& part, std::uint32_t i) {
  const Value result = part.result(i), from = part.arguments(i)[1], to = part.arguments(i)[2];
  if (result == Value::boolean(false)) return part.pending(i) ? ignored() : differs(from);
  if (!part.view(i).acknowledged() || (result.is_unknown() && !part.pending(i))) return std::nullopt;
  if (from == to) return part.pending(i) ? ignored() : reads(from);
  return ChainStep{.role = ChainRole::moves, .from = from, .to = to};
}

std::optional<ChainStep> step_of(const Subhistory& part, std::uint32_t i, const Map& /*specification*/) {
  const Value result = part.result(i);
  const bool pending = part.pending(i);
  const bool yes = result == Value::boolean(true);
  const bool no = result == Value::boolean(false);
  switch (part.method[i]) {
    case Map::kGet: return looks(part, i);
    case Map::kContains:
      if (pending || result.is_unknown()) return looks(part, i);
      return yes ? std::optional(differs(kAbsent)) : no ? std::optional(reads(kAbsent)) : std::nullopt;
    case Map::kPut:
      if (!part.view(i).acknowledged(1)) return std::nullopt;  // the previous value
      return ChainStep{.role = ChainRole::writes, .to = part.arguments(i)[1]};
    case Map::kPutIfAbsent:
      if (pending != result.is_unknown() || result.is_none() || part.view(i).says_ok()) return std::nullopt;
      if (no) return differs(kAbsent);
      if (!pending && !yes && !result.is_nil()) return reads(result);
      return ChainStep{.role = ChainRole::moves, .from = kAbsent, .to = part.arguments(i)[1]};
    case Map::kCas: return compares(part, i);
    case Map::kReplace: return part.arguments(i).size() == 3 ? compares(part, i) : std::nullopt;
    case Map::kRemove:
      // Whatever it found, nothing is there afterwards.
      if (!no) return ChainStep{.role = ChainRole::writes, .to = kAbsent};
      return pending ? ignored() : reads(kAbsent);
    default: return std::nullopt;
  }
}

std::string obstacle(const Subhistory& part, std::uint32_t i, const Map& specification) {
  if (specification.empty_string_is_absent) return "an empty string stands for an absent key";
  if (specification.previous_results) return "results are previous values";
  if (part.method[i] >= Map::kSize) return "an operation concerns all keys";
  if (part.arguments(i)[0] != part.arguments(0)[0]) return "there are several keys";
  return {};
}

constexpr ChainMonitor<Map> kChains{.other_type = "not a map",
                                    .applies = "one key, and no value is stored twice",
                                    .initial = [](const Map&) { return kAbsent; },
                                    .obstacle = &obstacle,
                                    .step_of = &step_of};

}  // namespace

core::Applicability applicable(const Subhistory& part) { return kChains.applicable(part); }

std::optional<algo::ValueSteps> steps(const Subhistory& part) { return kChains.steps(part); }

core::Outcome decide(const Subhistory& part, const core::DeciderOptions& options, core::Budget& budget) {
  return kChains.decide(part, options, budget);
}

}  // namespace linchpin::types::map

#include "types/stack/monitor.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "algo/shrink_core.hpp"
#include "base/none.hpp"
#include "types/container_binding.hpp"
#include "types/pending_removes.hpp"
#include "types/stack/acts.hpp"
#include "types/stack/check.hpp"
#include "types/stack/specification.hpp"

namespace linchpin::types {

namespace {

core::Applicability bind(const history::Subhistory& part, algo::ContainerHistory& out) {
  const Stack* const stack = part.specification->get_if<Stack>();
  if (stack == nullptr) return core::not_of_this_type("the type is not a stack");
  if (stack->heights != Stack::Heights::no) return {false, "results carry heights, which the monitor does not follow"};
  return bind_container(part, kStackMethods, out);
}

/// Two values whose operations block each other: `lower` was pushed first for certain, or looks contradict each other.
std::string describe_pair(const history::Subhistory& part, const StackCheck& check) {
  const StackSegments& segments = check.segments();
  const auto value = [&](std::uint32_t k) {
    return value_text(part, check.history(), check.container().span[segments.value_of[k]].add);
  };
  const auto within = [&](std::uint32_t first, std::uint32_t last, std::uint32_t k) {
    return segments.start[k] < first && last <= segments.end[k];
  };
  for (const std::uint32_t lower : {0U, 1U}) {
    const std::uint32_t upper = 1 - lower;
    if (!within(segments.push_first[upper], segments.start[upper], lower)) continue;
    const algo::ValueSpan& span = check.container().span[segments.value_of[lower]];
    if (span.remove != kNone && within(segments.end[lower] + 1, segments.pop_last[lower], upper)) {
      return fmt::format("{} returned {} although {}, pushed after it, was on top during the whole call",
                         method_text(part, span.remove), value(lower), value(upper));
    }
    for (std::uint32_t look = 0; look < check.looks().size(); ++look) {
      if (check.looks().owner[look] == lower && within(check.looks().first[look], check.looks().last[look], upper)) {
        return fmt::format("{} returned {} although {}, pushed after it, was above it during the whole call",
                           method_text(part, check.looks().operation[look]), value(lower), value(upper));
      }
    }
  }
  return fmt::format("{} and {} were both in the stack and each must have lain above the other", value(0), value(1));
}

/// Why the core, decided by itself in `check`, is no stack.
std::string describe(const history::Subhistory& part, const StackCheck& check, StackCheck::Result result) {
  switch (result) {
    case StackCheck::Result::value_fault: return describe_fault(part, check.history(), *check.fault(), kStackMethods);
    case StackCheck::Result::covered_empty: {
      std::vector<algo::ValueSpan> chain;
      for (const algo::ValueNumber v : check.empty_chain()) chain.push_back(check.container().span[v]);
      return describe_empty(part, check.history(), check.empty(), chain, kStackMethods, "stack");
    }
    default: break;
  }
  const StackSegments& segments = check.segments();
  if (segments.values == 2) return describe_pair(part, check);
  std::string values;
  for (std::uint32_t k = 0; k < segments.values && k < 8; ++k) {
    if (k > 0) values += k + 1 == segments.values ? " and " : ", ";
    values += value_text(part, check.history(), check.container().span[segments.value_of[k]].add);
  }
  if (segments.values > 8) values += " and others";
  return fmt::format(
      "{} cannot be nested: each has an operation during which some other of them was certainly in the way", values);
}

ContainerRun decide_container(algo::ContainerHistory& history, bool want_witness, bool hasty, core::Budget& budget) {
  const auto run = [&](algo::ContainerHistory& candidate, const algo::ContainerPart*) {
    StackCheck check(candidate);
    ContainerRun outcome;
    switch (check.run(budget, want_witness)) {
      case StackCheck::Result::linearizable:
        outcome.result = ContainerRun::Result::linearizable;
        if (want_witness) outcome.witness = check.witness();
        return outcome;
      case StackCheck::Result::spent: return outcome;
      case StackCheck::Result::value_fault: outcome.final = true; break;
      default: break;
    }
    outcome.result = ContainerRun::Result::violation;
    outcome.core = check.core();
    return outcome;
  };
  return PendingRemoves(history, run, hasty).decide();
}

}  // namespace

core::Applicability stack_monitor_applicable(const history::Subhistory& part) {
  auto reading = std::make_shared<algo::ContainerHistory>();
  core::Applicability applicability = bind(part, *reading);
  if (applicability.applies) applicability.reading = std::move(reading);
  return applicability;
}

core::Outcome stack_monitor_decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                   core::Budget& budget) {
  const auto reading = core::reading_of<algo::ContainerHistory>(part, options, stack_monitor_applicable);
  if (reading == nullptr) return core::not_applicable();
  algo::ContainerHistory& history = *reading;
  rebind(part, history);
  core::Outcome outcome;
  ContainerRun run = decide_container(history, options.witness, false, budget);
  if (settled(run, "pops", budget, outcome)) return outcome;
  const algo::ShrunkCore core = algo::shrink_core(
      history, std::move(run.core), 200'000 + std::size_t{part.size()}, [&](algo::ContainerPart& candidate) {
        return decide_container(candidate.history(), false, true, budget).result == ContainerRun::Result::violation;
      });
  outcome.core = core.operations;
  outcome.core_minimal = core.minimal;
  // Told on the core alone, where pending pops do not blur the picture.
  const history::Subhistory small = history::restrict(part, outcome.core);
  algo::ContainerHistory small_history;
  if (bind(small, small_history).applies) {
    StackCheck check(small_history);
    const StackCheck::Result why = check.run(budget, false);
    if (why != StackCheck::Result::spent) outcome.sentence = describe(small, check, why);
    if (std::any_of(small_history.kind.begin(), small_history.kind.end(),
                    [](ActKind kind) { return kind == ActKind::lost_take; })) {
      outcome.sentence += ", and no choice of values for the pending pops mends it";
    }
  }
  return outcome;
}

}  // namespace linchpin::types

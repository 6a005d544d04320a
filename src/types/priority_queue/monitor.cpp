#include "types/priority_queue/monitor.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "algo/shrink_core.hpp"
#include "base/none.hpp"
#include "types/container_binding.hpp"
#include "types/pending_removes.hpp"
#include "types/priority_queue/acts.hpp"
#include "types/priority_queue/check.hpp"
#include "types/priority_queue/classes.hpp"
#include "types/priority_queue/specification.hpp"

namespace linchpin::types {

namespace {

core::Applicability bind(const history::Subhistory& part, algo::ContainerHistory& out) {
  const auto* const type = part.specification->get_if<PriorityQueue>();
  if (type == nullptr) return core::not_of_this_type("the type is not a priority queue");
  if (type->capacity) {
    if (std::string why = may_be_full(part, kPriorityQueueMethods, *type->capacity); !why.empty())
      return {false, std::move(why)};
  }
  return bind_container(part, kPriorityQueueMethods, out);
}

ContainerRun decide_container(algo::ContainerHistory& history, const PriorityClasses& classes, bool fifo_ties,
                              bool want_witness, bool hasty, core::Budget& budget) {
  const auto run = [&](algo::ContainerHistory& candidate, const algo::ContainerPart* part) {
    const PriorityClasses own =
        part == nullptr ? PriorityClasses() : priority_classes(*part, candidate.values, classes);
    PriorityQueueCheck check(candidate, part == nullptr ? classes : own, fifo_ties);
    ContainerRun outcome;
    switch (check.run(budget, want_witness)) {
      case PriorityQueueCheck::Result::linearizable:
        if (want_witness) {
          auto witness = check.witness();
          if (!witness) return outcome;
          outcome.witness = std::move(*witness);
        }
        outcome.result = ContainerRun::Result::linearizable;
        return outcome;
      case PriorityQueueCheck::Result::spent: return outcome;
      case PriorityQueueCheck::Result::value_fault: outcome.final = true; break;
      default: break;
    }
    outcome.result = ContainerRun::Result::violation;
    outcome.core = check.core();
    return outcome;
  };
  return PendingRemoves(history, run, hasty).decide();
}

/// Why the core, decided by itself in `check`, is no priority queue.
std::string describe(const history::Subhistory& part, const PriorityQueueCheck& check,
                     PriorityQueueCheck::Result result) {
  const algo::ContainerHistory& history = check.history();
  const auto span = [&](algo::ValueNumber v) { return check.container().span[v]; };
  const auto value = [&](algo::ValueNumber v) {
    const auto arguments = part.arguments(span(v).add);
    std::string text = value_text(part, history, span(v).add);
    if (arguments.size() > 1) text += " (priority " + part.history->pool().to_text(arguments.back()) + ")";
    return text;
  };
  const auto listed = [&](const std::vector<algo::ValueNumber>& values) {
    constexpr std::size_t kMost = 8;
    std::string text;
    for (std::size_t i = 0; i < values.size() && i < kMost; ++i) {
      if (i > 0) text += i + 1 == values.size() ? " and " : ", ";
      text += value(values[i]);
    }
    return values.size() > kMost ? fmt::format("{} and {} others", text, values.size() - kMost) : text;
  };
  if (result == PriorityQueueCheck::Result::value_fault) {
    return describe_fault(part, history, *check.fault(), kPriorityQueueMethods);
  }
  if (result == PriorityQueueCheck::Result::covered_empty) {
    std::vector<algo::ValueSpan> spans;
    for (const algo::ValueNumber v : check.chain()) spans.push_back(span(v));
    return describe_empty(part, history, check.failed(), spans, kPriorityQueueMethods, "queue");
  }
  if (result == PriorityQueueCheck::Result::overtaken) {
    const std::vector<algo::ValueNumber> chain = check.chain();
    const std::string said =
        fmt::format("{} returned {}", method_text(part, check.failed()), value(history.value[check.failed()]));
    if (chain.size() == 1) {
      return fmt::format("{} although {}, which goes first, was in the queue {}: inserted before, {}", said,
                         value(chain[0]),
                         span(chain[0]).first_response < part.call[check.failed()]
                             ? "during the whole call"
                             : fmt::format("whenever {} can have been", value(history.value[check.failed()])),
                         span(chain[0]).remove != kNone ? "polled after" : "not polled by then");
    }
    // The latest first, as the literature lists them.
    return fmt::format(
        "{} although it is covered by {}: at each moment of the call one of these, which go first, was in the queue",
        said, listed({chain.rbegin(), chain.rend()}));
  }
  const std::vector<algo::ValueNumber>& cycle = check.cycle();
  std::string text = "equal priorities leave in the order of insertion";
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const algo::ValueNumber u = cycle[i], v = cycle[(i + 1) % cycle.size()];
    const bool inserted = span(u).first_response < span(v).add_call;
    text += fmt::format("{} {} {} {}", i == 0 ? "," : " and", value(u),
                        inserted ? "was inserted before" : "can be polled only before", value(v));
  }
  std::vector<algo::ValueNumber> others;
  for (algo::ValueNumber v = 0; v < history.values; ++v) {
    if (span(v).present() && std::find(cycle.begin(), cycle.end(), v) == cycle.end()) others.push_back(v);
  }
  if (others.empty()) return text;
  return fmt::format("{}, since {} {} first while in the queue", text, listed(others),
                     others.size() == 1 ? "goes" : "go");
}

}  // namespace

core::Applicability priority_queue_monitor_applicable(const history::Subhistory& part) {
  auto reading = std::make_shared<algo::ContainerHistory>();
  core::Applicability applicability = bind(part, *reading);
  if (applicability.applies) applicability.reading = std::move(reading);
  return applicability;
}

core::Outcome priority_queue_monitor_decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                            core::Budget& budget) {
  const auto reading = core::reading_of<algo::ContainerHistory>(part, options, priority_queue_monitor_applicable);
  if (reading == nullptr) return core::not_applicable();
  algo::ContainerHistory& history = *reading;
  rebind(part, history);
  core::Outcome outcome;
  const auto& specification = *part.specification->get_if<PriorityQueue>();
  const bool fifo = specification.fifo_ties;
  const PriorityClasses classes = priority_classes(part, history, specification.order);
  ContainerRun run = decide_container(history, classes, fifo, options.witness, false, budget);
  if (settled(run, "removes", budget, outcome)) return outcome;
  const algo::ShrunkCore core = algo::shrink_core(
      history, std::move(run.core), 200'000 + std::size_t{part.size()}, [&](algo::ContainerPart& candidate) {
        const PriorityClasses own = priority_classes(candidate, candidate.history().values, classes);
        return decide_container(candidate.history(), own, fifo, false, true, budget).result ==
               ContainerRun::Result::violation;
      });
  outcome.core = core.operations;
  outcome.core_minimal = core.minimal;
  // Told on the core alone, where pending removes do not blur the picture.
  const history::Subhistory small = history::restrict(part, outcome.core);
  algo::ContainerHistory small_history;
  if (bind(small, small_history).applies) {
    const PriorityClasses own = priority_classes(small, small_history, specification.order);
    PriorityQueueCheck check(small_history, own, fifo);
    const PriorityQueueCheck::Result why = check.run(budget, false);
    if (why != PriorityQueueCheck::Result::spent) outcome.sentence = describe(small, check, why);
    if (std::any_of(small_history.kind.begin(), small_history.kind.end(),
                    [](ActKind kind) { return kind == ActKind::lost_take; })) {
      outcome.sentence += ", and no choice of values for the pending removes mends it";
    }
  }
  return outcome;
}

}  // namespace linchpin::types

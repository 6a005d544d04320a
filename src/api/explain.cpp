// The facade's explain_verdict: from a verdict to the data that text, JSON and pages draw.
#include "linchpin/explain.hpp"

#include <algorithm>
#include <iterator>
#include <new>
#include <numeric>
#include <optional>

#include "api/misread_operation.hpp"
#include "api/specifications.hpp"
#include "api/weaker_order.hpp"
#include "core/budget.hpp"
#include "explain/attempts.hpp"
#include "explain/linearization.hpp"

namespace linchpin {

namespace {

/// The attempts at ordering the parts that matter.
void explain_parts(const Violation& violation, const Specification& specification, Ties ties,
                   const ExplainOptions& options, core::Budget& budget, ObjectExplanation& out) {
  const auto& [history, operations] = *violation.parts;
  std::vector<OperationIndex> all(history->size());
  std::iota(all.begin(), all.end(), OperationIndex(0));
  auto blocking = explain::find_blocking(*history, all, specification, ties, options.most_attempts, budget);
  if (!blocking) return;
  const OperationIndex blocked = operations[blocking->blocked.number()];
  if (!std::binary_search(violation.core.begin(), violation.core.end(), blocked)) return;
  out.blocked = blocked;
  out.attempts = std::move(blocking->attempts);
  out.attempts_in_all = blocking->attempts_in_all;
  for (Attempt& attempt : out.attempts) {
    for (Step& step : attempt.order.steps) step.operation = operations[step.operation.number()];
    if (attempt.then_blocked) attempt.then_blocked = operations[(*attempt.then_blocked).number()];
  }
}

void explain_violation(const History& history, const Violation& violation, const Specification& specification,
                       Ties ties, const ExplainOptions& options, core::Budget& budget, ObjectExplanation& out) {
  out.sentence = violation.sentence;
  out.core = violation.core;
  out.context = violation.context;
  for (std::vector<OperationIndex>* const operations : {&out.core, &out.context}) {
    std::stable_sort(operations->begin(), operations->end(),
                     [&](OperationIndex a, OperationIndex b) { return history.call(a) < history.call(b); });
  }
  out.start = violation.start;
  out.minimal = violation.minimal;
  if (!violation.blocked) return;  // nothing is blocked that could be shown without what the core leaves out
  if (violation.parts) return explain_parts(violation, specification, ties, options, budget, out);
  const auto from = violation.start ? specification_from(*violation.start) : nullptr;
  std::vector<OperationIndex> refuted;
  std::merge(violation.core.begin(), violation.core.end(), violation.context.begin(), violation.context.end(),
             std::back_inserter(refuted));
  auto blocking = explain::find_blocking(history, refuted, from != nullptr ? *from : specification, ties,
                                         options.most_attempts, budget);
  if (blocking && std::binary_search(violation.core.begin(), violation.core.end(), blocking->blocked)) {
    out.blocked = blocking->blocked;
    out.attempts = std::move(blocking->attempts);
    out.attempts_in_all = blocking->attempts_in_all;
  }
}

/// Where times do not count, an order need not have points that ascend: each is shown within its operation.
void show_in_intervals(const History& history, Linearization& linearization) {
  for (Step& step : linearization.steps) {
    const Tick call = history.call(step.operation), response = history.response(step.operation);
    step.point = history.pending(step.operation) ? call : std::midpoint(call, response);
  }
}

}  // namespace

Result<Explanation> explain_verdict(const History& history, const HistoryVerdict& verdict, const CheckOptions& options,
                                    const ExplainOptions& wanted) try {
  core::Budget budget(options.limits);
  const auto asked_for = specifications_of(history, options);
  if (!asked_for) return asked_for.error();
  const std::optional<WeakerOrder> weaker = weaken(history, *asked_for);
  const History& decided = weaker ? weaker->history : history;  // with other times, maybe
  const Specifications& specifications = weaker ? weaker->specifications : *asked_for;
  Explanation explanation{.verdict = verdict.verdict, .objects = {}};
  for (const ObjectVerdict& object : verdict.objects) {
    const Specification& specification = *specifications[object.object.number()];
    ObjectExplanation out{.object = object.object, .verdict = object.verdict};
    if (object.violation) {
      explain_violation(decided, *object.violation, specification, options.ties, wanted, budget, out);
    } else if (object.witness) {
      out.linearization = explain::follow(decided, object.witness->order, specification, wanted);
      out.omitted = object.witness->omitted;
    } else if (!object.longest.empty()) {
      out.linearization = explain::follow(decided, object.longest, specification, wanted);
    }
    const auto& asked = *(*asked_for)[object.object.number()];
    if (out.linearization && level_of(asked) != types::Level::strict) {
      show_in_intervals(history, *out.linearization);
    }
    explanation.objects.push_back(std::move(out));
  }
  return explanation;
} catch (const Misread& misread) {
  return error_of(misread, history, options);
} catch (const std::bad_alloc&) {
  return Error{.code = ErrorCode::too_large,
               .source = history.source(),
               .message = "there is not enough memory to explain its verdict",
               .hint = "the verdict itself stands: linchpin check"};
}

}  // namespace linchpin

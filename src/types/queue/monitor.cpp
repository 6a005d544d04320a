// Decides queue histories in which no value is enqueued twice.
//
// The history is read value by value (reading.cpp), and the values are compared with each other (criterion.cpp). If
// they do not fit, pending dequeues may have taken some of them (pending_dequeues.cpp). Precondition: no value enqueued
// twice. Cost O(n), memory about 40 bytes an operation. Compare: decide/search (any history). Tests:
// queue_monitor_test.cpp.
#include "types/queue/monitor.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include "types/queue/criterion.hpp"
#include "types/queue/pending_dequeues.hpp"
#include "types/queue/reading.hpp"
#include "types/queue/specification.hpp"

namespace linchpin::types::queue {

using core::Applicability;
using core::Outcome;

Applicability applicable(const Subhistory& part) {
  auto reading = std::make_shared<Reading>();
  Applicability applicability = read(part, *reading);
  if (applicability.applies) applicability.reading = std::move(reading);
  return applicability;
}

Outcome decide(const Subhistory& part, const core::DeciderOptions& options, core::Budget& budget) {
  const auto reading = core::reading_of<Reading>(part, options, applicable);
  if (reading == nullptr) return core::not_applicable();
  Values values;
  if (const auto conflict = gather(part, *reading, values)) return violation(values, *conflict);
  if (budget.spent_now()) return {.verdict = Verdict::unknown, .reason = budget.reason()};
  std::vector<PlacedEmpty> empties;
  if (const auto conflict = find_conflict(values, empties)) {
    if (!values.unfinished.empty() && !values.left.empty()) return settle(values, options.witness, budget);
    return violation(values, *conflict);
  }
  if (!options.witness) return {.verdict = Verdict::linearizable};
  if (budget.spent_now()) return {.verdict = Verdict::unknown, .reason = budget.reason()};
  return {.verdict = Verdict::linearizable, .witness = linearize(values, find_passage(values), empties)};
}

}  // namespace linchpin::types::queue

// Histories that a generator makes, some with one result or argument changed, some with promised results.
#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "generate/simulation.hpp"
#include "generate/stream.hpp"
#include "generate/violation.hpp"
#include "linchpin/history.hpp"

namespace linchpin::test {

struct DrawnOptions {
  bool change = false;    ///< one result or argument, which may make a violation of it
  bool promises = false;  ///< of the last operations of processes some are pending, with the result they would have had
};

/// The history of a plan; nothing where it cannot be made. Without a change it is linearizable.
inline std::optional<History> drawn(const generate::Plan& plan, const DrawnOptions& options) {
  auto simulation = generate::Simulation::make(plan);
  if (!simulation) return std::nullopt;
  auto rows = generate::all_rows(*simulation);
  if (!rows) return std::nullopt;
  generate::Random random(plan.seed);
  if (options.change) (void)generate::change_one(*rows, random.below(rows->size()), random, simulation->pool());
  if (options.promises) {
    std::set<ProcessId> met;  // from the last one back: a process does nothing behind what is pending
    std::stable_sort(rows->begin(), rows->end(), [](const auto& a, const auto& b) { return a.call < b.call; });
    for (auto row = rows->rbegin(); row != rows->rend(); ++row) {
      if (met.insert(row->process).second && random.below(2) == 0) row->response = kPending;
    }
  }
  auto history = generate::to_history(simulation->plan(), simulation->specification(), simulation->pool(), *rows);
  return history ? std::optional(std::move(*history)) : std::nullopt;
}

}  // namespace linchpin::test

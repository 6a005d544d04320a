// The units of a check, which are independent of each other. They run in parallel and in rounds; one refuted unit is
// enough for a violation.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/decider.hpp"
#include "decide/search/search_task.hpp"

namespace linchpin::decide {

/// One sub-history to decide: an object, or one of its keys (locality, P-compositionality).
struct Unit {
  history::Subhistory part;
  const core::Decider* decider = nullptr;  ///< nothing: the search portfolio
  bool forced = false;                     ///< the decider was asked for: nothing else may decide
  std::string why;
  core::Reading reading;  ///< what the decider read to tell that it applies
  core::Outcome outcome;
  bool decided = false;
  bool skipped = false;  ///< left undecided because another unit is refuted
  /// Deciders whose answers did not hold, with those that then had none; the others are tried one by one.
  std::vector<const core::Decider*> refused = {};
};

struct UnitOptions {
  core::DeciderOptions decider;
  bool all = false;      ///< go on after a violation
  unsigned threads = 0;  ///< 0: one a core
  std::function<void(std::size_t, std::size_t)>
      progress;  ///< operations done and in all; called from the caller's thread
};

/// Makes the units of one object: the whole if a monitor takes it, else a unit a key where the type splits.
/// `forced`: the only decider to use, or nothing to choose.
[[nodiscard]] std::vector<Unit> make_units(history::Subhistory whole, const core::Decider* forced);

/// Takes a unit's answer back, its evidence having been refused. What is left is tried when the units run again: the
/// other monitors that apply, then each general search by itself. Where nothing is left, or the decider was asked for,
/// the unit is decided: unknown, internal.
void take_back(Unit& unit);

/// Lets the units that were skipped run again.
void resume(std::vector<Unit>& units);

/// Decides the units until all are decided, one is refuted (unless `all`), or the budget is spent. Deciders run first;
/// searches take turns in rounds with budgets that double, so that one key that is refuted quickly decides although
/// others are hard. Where fewer units are left than threads, each may use several. The verdicts do not depend on the
/// number of threads (a spent budget excepted).
void run_units(std::vector<Unit>& units, const UnitOptions& options, core::Budget& budget);

}  // namespace linchpin::decide

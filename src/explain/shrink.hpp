// From a violation to a small core: operations that are not linearizable on their own, and prove that the whole is not.
//
// What may be dropped. An arbitrary operation may not: without a write, a later read can become a violation that was
// none. These may, because they keep every linearizable history linearizable:
//   - the operations called after a response up to which the rest is refuted already, what is open then being taken as
//     pending (prefixes of linearizable histories are linearizable);
//   - any pure operation;
//   - every operation of a value, where the type is closed under erasing values (Specification::erasable);
//   - what returned before the first change that is kept, and leaves the initial state as it is: then nothing else had
//     changed it. This is accepted in a monitor's core only;
//   - everything before a quiet point, if what is kept of it can reach there every state that the whole could. The last
//     operations that changed anything are kept, to show the state. This comes last: what is kept then is about states,
//     and a value may be missing that was there before;
//   - parts of transactions, in all of them, as far as their type says (fewer_parts.hpp). What is left is a history of
//     its own, and a core of it one of the whole;
//   - everything before a moment from which one state can be started from (late_start.hpp), for types that can start
//     there: counters, locks and registers, of which hardly anything else can be dropped, and containers;
//   - everything before a moment at which it is known how often each value is inside, of queues, stacks and deques that
//     may start so, with other values left out (unordered_start.hpp).
// Each step is decided again, by whichever method applies, and undone when the rest is no longer refuted; groups of
// values and of pure operations are tried in halves, quarters, and so on to single ones.
//
// A monitor's core is made smaller in the same way if it came about by such steps. If not (two reads of a log that
// contradict each other, whatever was appended; the chain of a compare-and-set), the monitor proves that these
// operations are a violation, and they stay as they are.
//
// In the end all subsets of the small core are tested (subsets.hpp). If an operation is impossible in the core, it is
// the core by itself, and the others are the context that shows it. The test also says whether any operation of the
// core could be left out. Tests: shrink_test.cpp, tests/cross/cores_test.cpp; bench/cores.cpp has figures.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/decider.hpp"
#include "explain/late_start.hpp"

namespace linchpin::explain {

struct Core {
  std::vector<std::uint32_t> locals;  ///< ascending
  /// Ascending: what shows that the one operation of `locals` is impossible; with it, they are what was refuted.
  std::vector<std::uint32_t> context = {};
  bool minimal = false;  ///< as `Violation::minimal`
  /// What was refuted in the end: core and context, those that had not returned by then being pending. To tell why.
  history::Subhistory refuted;
  /// Set: the operations of `refuted`, of which only some parts are left. They are as many as core and context.
  std::shared_ptr<const History> fewer_parts = {};
  /// What came before a quiet point was dropped: words about values that were never there would be wrong.
  bool from_state = false;
  /// The core is a monitor's own, untouched: so are its words.
  bool untouched = false;
  /// The core is not linearizable from there on (its `locals` are where the core was begun, of which some may be gone).
  std::optional<LateStart> start = {};
};

/// The core of an outcome as it comes: the monitor's, or everything called before the response that blocks.
[[nodiscard]] std::vector<std::uint32_t> whole_core(const history::Subhistory& part, const core::Outcome& outcome);

/// Called now and then with (operations left, operations at first).
using ShrinkProgress = std::function<void(std::size_t, std::size_t)>;

/// Whether no operation of a core can be spared (`Violation::minimal`), by test; false where it is too large for that.
/// @param from  the part's type, or the same starting where the core starts
[[nodiscard]] bool nothing_to_spare(const history::Subhistory& part, const std::vector<std::uint32_t>& locals,
                                    const Specification& from, core::Budget& budget);

/// A smaller core, as small as the budget allows: about as many steps again as a few decisions of the core.
[[nodiscard]] Core shrink(const history::Subhistory& part, const core::Outcome& outcome, const ShrinkProgress& progress,
                          core::Budget& budget);

}  // namespace linchpin::explain

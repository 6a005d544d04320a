// Containers with pending removes whose result is unknown: each took one value that nobody else removes, or did not
// happen.
//
// They may not simply be dropped: after push(1) and push(2) on a stack, a pop that returns 1 is legal only if a pending
// pop took 2.
//  1. With all of them dropped the history is linearizable: it is.
//  2. No pending remove, or no value that nobody removes, or a fault of a single value: a violation is final.
//  3. Branch on cores: some value of a core must change, so a value of the core that stays inside is given to one of
//  the
//     free pending removes, and the history decided again. A core without such a value refutes its branch.
// Step 3 is exact: an assignment that makes the history linearizable and extends the current one assigns some value of
// the core that is still free, and that branch is taken. A remove called after the core is over does not change it.
// Cores are remembered: most branches are refuted by deciding a few operations again, and only where no known core
// stands in the way is the whole history decided. A branch that is refuted without its own choice refutes its parent
// too (conflict-directed backjumping). Latest removes are tried first: they can do least elsewhere. Refuted, all cores
// met on the way make one core together with the pending removes: the same branches refute it.
//  4. Counting. Where branching has not come to an end soon, values that must have left are counted: a core that no
//     choice has touched, with one value that stays inside, says that a pending remove called before the core was over
//     took it. That value is then left out altogether, which can only help, and the next core looked for. More such
//     values than pending removes called in time, or a core without any value that stays: a violation. Branching alone
//     would try all the ways of handing out too few removes.
// Cost: exponential only in the number of pending removes, in practice a few runs; beyond a bound on the effort:
// unknown. Tests: stack_monitor_test.cpp, priority_queue_monitor_test.cpp; docs/design/pending.md has the bad families.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "algo/container.hpp"
#include "core/decider.hpp"

namespace linchpin::types {

/// What a monitor says about a history in which pending removes of unknown result count for nothing.
struct ContainerRun {
  enum class Result : std::uint8_t { linearizable, violation, unknown };
  Result result = Result::unknown;
  std::vector<std::uint32_t> witness;  ///< where wanted
  std::vector<std::uint32_t> core;     ///< whole values, not linearizable on their own, not yet shrunk
  bool final = false;                  ///< a violation that pending removes do not mend
};

/// Puts the answer of a run into `outcome`, but for a violation, whose core is still to be shrunk. Whether that is all.
/// @param removes  what the type calls them: "pops"
[[nodiscard]] bool settled(ContainerRun& run, std::string_view removes, const core::Budget& budget,
                           core::Outcome& outcome);

class PendingRemoves {
 public:
  /// Decides a history; `part` is the part of the whole that it belongs to, null for the whole.
  using Run = std::function<ContainerRun(algo::ContainerHistory&, const algo::ContainerPart* part)>;

  /// Whether a pending remove may have taken a value: one whose result is known can have taken no other.
  using MayTake = std::function<bool(std::uint32_t operation, algo::ValueNumber value)>;

  /// `run` may mark operations of the history that it is given as dropped.
  /// @param hasty     gives up soon: where unknown is no loss
  /// @param may_take  none: any may have taken any
  PendingRemoves(algo::ContainerHistory& history, Run run, bool hasty, MayTake may_take = {})
      : history_(history), run_(std::move(run)), may_take_(std::move(may_take)), hasty_(hasty) {}

  /// The core ascends and may be shrunk.
  [[nodiscard]] ContainerRun decide();

 private:
  using Values = std::vector<algo::ValueNumber>;
  struct Core {
    std::vector<std::uint32_t> operations;  // without pending removes
    Values values;                          // ascending
  };

  /// Decides under the current assignment and its extensions. After a violation `conflict` holds the values whose
  /// assignment it rests on.
  ContainerRun branch(Values& conflict);
  /// A violation if too few pending removes were called in time for the values that must have been taken; else unknown.
  ContainerRun count_forced();
  /// A violation of a known core, or the answer on the whole.
  ContainerRun decide_here();
  bool afford(std::size_t operations);
  /// The last response in it, or call, where that is later.
  [[nodiscard]] history::Rank end_of(const std::vector<std::uint32_t>& core) const;
  void learn(const std::vector<std::uint32_t>& core);

  algo::ContainerHistory& history_;
  Run run_;
  MayTake may_take_;
  bool hasty_;
  std::vector<Core> known_;
  std::vector<std::uint32_t> core_;
  std::vector<std::uint32_t> lost_;  // pending removes, by call
  Values taken_;                     // by index in lost_: the value assigned, or none
  std::size_t effort_ = 0;           // operations that may still be looked at
};

}  // namespace linchpin::types

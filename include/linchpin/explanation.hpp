// What an explanation of a verdict says (linchpin/explain.hpp makes one).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "linchpin/history.hpp"
#include "linchpin/verdict.hpp"

namespace linchpin {

/// An operation taking effect.
struct Step {
  OperationIndex operation = 0;
  /// When: a tick of the operation's interval, never before the step before it. Steps at one tick are in order.
  Tick point = 0;
  /// The object's state after it; empty where `Linearization::states` says that it was not worked out.
  std::string state;
};

/// Operations one after the other, from the initial state on.
struct Linearization {
  std::string initial;  ///< the state before the first step
  std::vector<Step> steps;
  std::size_t states = 0;  ///< the first so many steps have their state
};

/// One way to begin, up to a moment at which the blocked operation might take effect: every operation of the core (and
/// its context) that returned before its call did, and perhaps some that overlap it.
struct Attempt {
  Linearization order;
  std::string state;                 ///< where it leads: that of the last step, or the initial one
  std::vector<std::string> results;  ///< what the blocked operation could have returned there, as far as known
  /// Set where the blocked operation is legal: the operation that cannot be placed any more if it takes effect there.
  std::optional<OperationIndex> then_blocked;
  std::string refusal;  ///< why not there, after the operation's name: "would return 1", "is not possible"
};

/// The explanation of an object's verdict.
struct ObjectExplanation {
  ObjectIndex object = 0;
  Verdict verdict = Verdict::unknown;
  std::string sentence;  ///< of a violation, in the type's own words: one or two sentences

  /// Of a violation: operations that are not linearizable on their own, in the order of their calls.
  std::vector<OperationIndex> core;
  std::optional<CoreStart> start;  ///< from which state on, where that is not the initial one
  bool minimal = false;            ///< as `Violation::minimal`
  /// By call: what shows that the one operation of the core is impossible. The attempts have it, too.
  std::vector<OperationIndex> context;
  /// The operation of the core at whose return no order is left. Unset where the core was too large to look,
  /// and where its operations contradict each other whatever else happened.
  std::optional<OperationIndex> blocked;
  /// The states that were possible while it was open, each with an order that leads there and the reason why it is
  /// refused; one for each state, shortest orders first.
  std::vector<Attempt> attempts;
  std::size_t attempts_in_all = 0;  ///< how many states there were, of which `attempts` has the first

  /// Of a linearizable object: where each operation took effect. Of an unknown one: as far as it got.
  std::optional<Linearization> linearization;
  std::vector<OperationIndex> omitted;  ///< pending operations that took no effect, ascending
};

struct Explanation {
  Verdict verdict = Verdict::unknown;
  std::vector<ObjectExplanation> objects;  ///< one for each object of the verdict
};

struct ExplainOptions {
  std::size_t most_attempts = 16;
  std::size_t most_states = 10'000;                     ///< steps of a linearization that have their state
  std::size_t most_state_bytes = std::size_t{4} << 20;  ///< of all states of a linearization together
};

}  // namespace linchpin

// Verdicts and the evidence that they carry.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "linchpin/history.hpp"

namespace linchpin {

enum class Verdict : std::uint8_t { linearizable, violation, unknown };
/// Why a verdict is unknown.
enum class Reason : std::uint8_t {
  none,
  time,
  memory,
  cancelled,
  not_applicable,
  internal,  ///< evidence was refused, and nothing else decided: a defect of this library, please report it
};

[[nodiscard]] std::string_view name(Verdict verdict);
[[nodiscard]] std::string_view name(Reason reason);

/// Evidence of linearizability: a legal order that respects happens-before.
struct Witness {
  std::vector<OperationIndex> order;    ///< every operation that took effect, first to last
  std::vector<OperationIndex> omitted;  ///< pending operations that did not, ascending
};

/// A state to start from instead of the type's initial one.
struct CoreStart {
  /// Where the core begins: it has nothing but operations that were open just before this tick or were called later.
  Tick tick = 0;
  /// What everything before that tick leads to: each linearization of it continues one that ends in this state, with
  /// operations of the core still to take effect.
  std::string state;
  std::string type;  ///< the object's type with the option that starts it there: "counter initial=412"
};

/// Operations with only those of their parts that matter: what some reads and writes of transactions did to some keys.
struct OperationParts {
  std::shared_ptr<const History> history;
  std::vector<OperationIndex> operations;  ///< by operation of `history`: whose parts these are
};

/// Evidence against it.
struct Violation {
  /// Operations, ascending, that are not linearizable on their own; empty when none could be had within the budget.
  std::vector<OperationIndex> core;
  std::optional<CoreStart> start;  ///< set: the core is not linearizable from this state on
  /// None of the core can be spared, by test of all its subsets: each smaller one is linearizable from the same state
  /// on, or has an operation that is impossible in it, for want of what was left out (the removal of a value without
  /// its insertion). And the core has no impossible operation, unless it is that operation alone. Impossible is what
  /// returned and is in no linearizable subset. False too where that was not tested: of more than a dozen operations.
  bool minimal = false;
  /// Operations, ascending and none of the core, that the core does not need to be refuted but a reader does to see
  /// why: the core is one operation that is impossible among them, in whatever order they take effect, and whichever of
  /// them do.
  std::vector<OperationIndex> context;
  /// Set: what was refuted in the end are these parts of core and context. So are the operations, then, with all that
  /// they did; but what is said of them is about these parts.
  std::optional<OperationParts> parts;
  /// The operation that could not be placed: no linearization of what came before reaches past its response.
  std::optional<OperationIndex> blocked;
  /// A longest partial linearization found before `blocked`: it explains and does not prove.
  std::vector<OperationIndex> longest;
  std::vector<std::string> states;  ///< some states that were possible just before `blocked`
  std::string sentence;             ///< why, in the type's own words
};

/// Why the order that a store claims (CheckOptions::order_by) is none in which the operations can have taken effect.
/// That proves no violation: another order may do, and the verdict says whether one does.
struct RefusedOrder {
  std::string sentence;
  /// The two operations that real time orders the other way, or the one that the order cannot place.
  std::vector<OperationIndex> operations;
};

/// A decider's answer whose evidence the independent code refused: it was not taken for an answer, unless `why` says
/// that only the core was made too small.
struct RefusedEvidence {
  std::string decider;
  Verdict claimed = Verdict::unknown;
  std::string why;  ///< "operation 3 stands after one that was called after its response"
};

/// The verdict on one object.
struct ObjectVerdict {
  ObjectIndex object = 0;
  std::string name;  ///< the object's
  std::string type;  ///< with its options
  Verdict verdict = Verdict::unknown;
  Reason reason = Reason::none;
  std::string decider;  ///< which method decided
  std::string why;      ///< why that method was taken
  std::size_t operations = 0;
  std::size_t pending = 0;
  std::optional<Witness> witness;
  std::optional<Violation> violation;
  /// For unknown: how far it got. The longest partial linearization, and the operation at whose response it stopped.
  std::vector<OperationIndex> longest;
  std::optional<OperationIndex> reached;
  std::optional<RefusedOrder> refused_order;  ///< set: an order was asked for and refused
  /// What did not hold, in the order in which it was tried; empty but for defects of this library.
  std::vector<RefusedEvidence> refused_evidence;
  std::optional<bool> witness_checked;  ///< true: it holds; unset: not asked for, no witness, or no time for it
  std::optional<bool> core_checked;  ///< true: it holds; unset: not asked for, no core, or the check ran out of budget
};

/// The verdict on a whole history: a violation if any object has one, else unknown if any is, else linearizable.
struct HistoryVerdict {
  Verdict verdict = Verdict::unknown;
  Reason reason = Reason::none;
  std::size_t operations = 0;
  std::size_t pending = 0;
  double seconds = 0;          ///< wall clock, without reading
  std::size_t peak_bytes = 0;  ///< of the process, at the end
  std::vector<ObjectVerdict> objects;
};

}  // namespace linchpin

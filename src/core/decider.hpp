// Deciders: ways to answer the one question, each with inputs that it accepts and a cost.
//
// A decider is a pure function of (sub-history, budget): re-entrant, no global state. It says whether it applies and
// why; src/decide/choose.cpp takes the cheapest that does. Outcomes speak in local indices of the sub-history.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/budget.hpp"
#include "history/subhistory.hpp"
#include "linchpin/verdict.hpp"

namespace linchpin::core {

struct Applicability {
  bool applies = false;
  std::string why;          ///< "no value is enqueued twice", or what stands in the way: "value 7 is enqueued twice"
  bool other_type = false;  ///< the decider is for other types: nothing that a user wants to hear
  std::shared_ptr<void> reading = nullptr;  ///< what was read to tell, which `decide` need not read again; may be null
};

/// For a decider of another type than the part's: "not a queue".
[[nodiscard]] inline Applicability not_of_this_type(std::string why) {
  return {.applies = false, .why = std::move(why), .other_type = true};
}

/// A moment of a violation at which only one configuration matters: of the operations open just before the event of
/// `rank`, when the clock went on, `done` took effect. Whatever else is possible then follows from it, by the others
/// that are open, and but for equal operations in each other's place. The core may start here (explain/late_start.hpp).
struct CertainMoment {
  history::Rank rank = 0;  ///< 0: none is known
  std::vector<std::uint32_t> done;
  std::string state;  ///< as the specification describes it
};

struct Outcome {
  Verdict verdict = Verdict::unknown;
  Reason reason = Reason::none;        ///< for unknown
  std::vector<std::uint32_t> witness;  ///< for linearizable, when asked for: what took effect, in order
  std::vector<std::uint32_t> core;     ///< for violation: operations that are not linearizable on their own, ascending
  bool core_minimal = false;
  std::optional<std::uint32_t> blocked;  ///< the operation that could not be placed, or at whose response it stopped
  std::vector<std::uint32_t> longest;    ///< a longest partial linearization
  CertainMoment certain;                 ///< for violation, where known: the last before `blocked` returned
  std::vector<std::string> states;       ///< some states possible just before `blocked`
  std::string sentence;                  ///< a violation in the type's words; may be empty
};

struct DeciderOptions {
  bool witness = true;
  /// What `applicable` of this decider gave for this very part, for `decide` to use up; null: it reads the part itself.
  /// The part may have been moved in between: a reading keeps no pointer to it.
  std::shared_ptr<void> reading = nullptr;
};

class SearchTask;  // core/search_task.hpp

/// A decider's row in docs/deciding.md, which is written from it. Paths of files become links there.
struct Description {
  std::string_view types;   ///< of objects that it decides: "queue", "one key of a map"
  std::string_view when;    ///< its condition
  std::string_view method;  ///< how it decides
  std::string_view cost;    ///< for n operations of which at most k overlap
  std::string_view source;  ///< whose method it is, or which file describes it
};

struct Decider {
  std::string_view name;  ///< for --decider, for example "queue-monitor"
  Description about;
  Applicability (*applicable)(const history::Subhistory& part);
  Outcome (*decide)(const history::Subhistory& part, const DeciderOptions& options, Budget& budget);
  /// For a search of unforeseeable cost, that can take turns with others; the part must outlive the task.
  std::unique_ptr<SearchTask> (*start)(const history::Subhistory& part, const DeciderOptions& options) = nullptr;
};

/// The monitors of the types, cheapest first (src/types/monitors.cpp).
[[nodiscard]] std::span<const Decider> monitors();
/// Deciders that refute or say nothing, for whatever no monitor decides: tried before a search.
[[nodiscard]] std::span<const Decider> necessary_conditions();
/// Monitors lifted to values that repeat, one a type: they take turns with the searches (src/types/monitors.cpp).
[[nodiscard]] std::span<const Decider> lifts();

}  // namespace linchpin::core

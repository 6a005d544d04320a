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
#include <typeinfo>
#include <utility>
#include <vector>

#include "base/assert.hpp"
#include "core/budget.hpp"
#include "history/subhistory.hpp"
#include "linchpin/verdict.hpp"

namespace linchpin::core {

/// What a decider read of a part to tell whether it applies, for its own `decide` to use up; or nothing.
class Reading {
 public:
  Reading() = default;
  template <class T>
  Reading(std::shared_ptr<T> read)  // NOLINT(google-explicit-constructor): `.reading = std::move(read)` says enough
      : read_(std::move(read)), type_(&typeid(T)) {}

  /// Null where there is none. @pre It is that decider's own.
  template <class T>
  [[nodiscard]] std::shared_ptr<T> as() const {
    if (read_ == nullptr) return nullptr;
    LINCHPIN_ASSERT(*type_ == typeid(T));
    return std::static_pointer_cast<T>(read_);
  }

 private:
  std::shared_ptr<void> read_;
  const std::type_info* type_ = nullptr;
};

struct Applicability {
  bool applies = false;
  std::string why;          ///< "no value is enqueued twice", or what stands in the way: "value 7 is enqueued twice"
  bool other_type = false;  ///< the decider is for other types: nothing that a user wants to hear
  Reading reading = {};     ///< what was read to tell, which `decide` need not read again
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
  std::string level;                     ///< of transactions: the weakest that the violation breaks; told before these

  /// It names operations of a part of that size only.
  void check_invariants(std::size_t size) const;
};

struct DeciderOptions {
  bool witness = true;
  /// What `applicable` of this decider gave for this very part, for `decide` to use up; else it reads the part itself.
  /// The part may have been moved in between: a reading keeps no pointer to it.
  Reading reading = {};
  unsigned way = 0;  ///< in which a search goes about it, below Decider::ways
};

[[nodiscard]] inline Outcome unknown(Reason reason) { return {.verdict = Verdict::unknown, .reason = reason}; }

/// For a decider that does not apply after all.
[[nodiscard]] inline Outcome not_applicable() { return unknown(Reason::not_applicable); }

/// What `applicable` of this decider has read of the part, or reads now; null where the decider does not apply.
template <class T, class Applicable>
[[nodiscard]] std::shared_ptr<T> reading_of(const history::Subhistory& part, const DeciderOptions& options,
                                            const Applicable& applicable) {
  if (std::shared_ptr<T> read_before = options.reading.as<T>()) return read_before;
  return applicable(part).reading.template as<T>();
}

class SearchTask;  // core/search_task.hpp

/// A decider's row in docs/deciding.md, which is written from it. Paths of files become links there.
struct Description {
  std::string_view types;   ///< of objects that it decides: "queue", "one key of a map"
  std::string_view when;    ///< its condition
  std::string_view method;  ///< how it decides
  std::string_view cost;    ///< for n operations of which at most k overlap
  std::string_view source;  ///< whose method it is, or which file describes it
};

/// What a decider is for, which says when it has its turn.
enum class Kind : std::uint8_t {
  monitor,              ///< decides a type, or a kind of its histories, at a foreseeable cost or by a search of its own
  necessary_condition,  ///< refutes or says nothing
  lift,                 ///< a type's monitor for values that repeat: takes turns with the searches
  search,               ///< decides any type
  published,            ///< on request: a method as it was published, or one of the user's own
};

struct Decider {
  std::string_view name;  ///< for --decider, for example "queue-monitor"
  Kind kind = Kind::monitor;
  bool by_key = false;  ///< better off with one key at a time, where the type has keys
  Description about;
  Applicability (*applicable)(const history::Subhistory& part);
  /// Decides in one go; null: what `start` gives is run to its end.
  Outcome (*at_once)(const history::Subhistory& part, const DeciderOptions& options, Budget& budget) = nullptr;
  /// For a search of unforeseeable cost, that can take turns with others; the part must outlive the task.
  std::unique_ptr<SearchTask> (*start)(const history::Subhistory& part, const DeciderOptions& options) = nullptr;
  /// How many ways `start` has to go about it, all as good: on one history one of them is lucky, on another another.
  unsigned ways = 1;

  [[nodiscard]] Outcome decide(const history::Subhistory& part, const DeciderOptions& options, Budget& budget) const;
};

/// The monitors of the types, cheapest first (src/types/monitors.cpp).
[[nodiscard]] std::span<const Decider> monitors();
/// Deciders that refute or say nothing, for whatever no monitor decides: tried before a search.
[[nodiscard]] std::span<const Decider> necessary_conditions();
/// Monitors lifted to values that repeat, one a type: they take turns with the searches (src/types/monitors.cpp).
[[nodiscard]] std::span<const Decider> lifts();

}  // namespace linchpin::core

// What a type says so that its monitor, for histories in which no value repeats, decides those in which some do.
//
// Which of several additions of a value a removal took, or a look saw, is a choice; each full choice gives every
// addition a name of its own and makes the history one that the monitor decides. A violation the monitor finds rests on
// a few of the choices: no choice that contains them is worth looking at (a nogood). The search ends with a choice that
// is linearizable, whose witness is one of the history, or with nogoods that leave none.
//
// This is exact because the specification is closed under erasing all operations of a name, and under dropping looks
// and operations that found nothing: what is wrong with a few names is wrong whatever the others do. A type says what
// each of its operations adds, takes and looks at. The search is in decide/lift/lift.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/decider.hpp"
#include "core/search_task.hpp"

namespace linchpin::core {

/// What an operation does.
enum class LiftRole : std::uint8_t {
  dropped,      ///< pending, and without effect
  adds,         ///< `value`, which is its first argument
  takes,        ///< `value`; unknown: any, or nothing
  looks,        ///< sees `value`
  misses,       ///< sees that `value` is not there
  finds_empty,  ///< sees that nothing is there
};

struct LiftAct {
  LiftRole role = LiftRole::dropped;
  Value value = Value::none();
  bool by_argument = false;  ///< the value is its first argument, not its result
  bool at_front = false;     ///< where there are two ends: at which one it is
};

/// Which of several equal values is guessed first.
enum class LiftGuess : std::uint8_t {
  oldest,   ///< the one added first
  newest,   ///< the one added last
  nearest,  ///< the one that is nearest to the end at which the operation is: of a deque
};

/// A history read so, or what stands in the way.
struct LiftHistory {
  std::string obstacle;           ///< empty: it could be read
  bool other_type = false;        ///< the obstacle is the type
  std::vector<LiftAct> acts;      ///< by local index
  bool overwrites = false;        ///< an addition takes the place of the last one, and nothing is taken: a register
  Value initial = Value::none();  ///< what a look sees before any addition; none: nothing that has a name
  bool has_priorities = false;    ///< a value is its own priority where an addition names none
  LiftGuess first_guess = LiftGuess::oldest;
  std::string_view added, taken;  ///< "pushed", "popped"
};

/// What such a type's decider needs to know besides.
struct LiftMethod {
  LiftHistory (*read)(const history::Subhistory& part);
  const Decider* monitor;
  std::uint32_t least_window = 64;  ///< choices that are first looked at together; at least two, and even
};

[[nodiscard]] Applicability lift_applies(const LiftHistory& history);
/// Looks on until it is decided or the budget is spent.
[[nodiscard]] Outcome decide_lift(const history::Subhistory& part, const LiftMethod& method,
                                  const DeciderOptions& options, Budget& budget);
/// The same, as long as there is hope: the first guess, and where that fails the search if few choices are open or so
/// many operations overlap that nothing else can be expected to decide. Else unknown, not applicable.
[[nodiscard]] std::unique_ptr<SearchTask> start_lift(const history::Subhistory& part, const LiftMethod& method,
                                                     const DeciderOptions& options);

/// The decider of a type that reads its histories with `read` and has `monitor`; with another window for tests.
template <LiftHistory (*read)(const history::Subhistory&), const Decider& monitor, std::uint32_t least_window = 64>
struct LiftDecider {
  static constexpr LiftMethod method{read, &monitor, least_window};
  static Applicability applicable(const history::Subhistory& part) { return lift_applies(read(part)); }
  static Outcome decide(const history::Subhistory& part, const DeciderOptions& options, Budget& budget) {
    return decide_lift(part, method, options, budget);
  }
  static std::unique_ptr<SearchTask> start(const history::Subhistory& part, const DeciderOptions& options) {
    return start_lift(part, method, options);
  }
  static constexpr Decider named(
      std::string_view name, std::string_view types,
      std::string_view when =
          "values repeat, each a few times; else as for the monitor, but results of removals may be lost") {
    return {
        .name = name,
        .kind = Kind::lift,
        .about = {.types = types,
                  .when = when,
                  .method = "the monitor for values that do not repeat, under choices of which equal value is meant",
                  .cost = "a run of the monitor, and a small one for each conflict; exponential at worst in how often "
                          "values repeat",
                  .source = "own: src/decide/lift/lift.cpp"},
        .applicable = applicable,
        .at_once = decide,
        .start = start};
  }
};

}  // namespace linchpin::core

// The search for a matching of removals and looks with additions that the monitor accepts.
//
// Counting: before an operation that found nothing, no more of a value may have been added than can have been taken.
// First guess: of the equal values that are left the oldest, or the newest for a stack; one run of the monitor. It is
// often a witness already.
// Search. The choices (choices.hpp) are extended in the order of the responses. Conflicts are mostly between operations
// that are close in time, so the monitor is not run on all but on windows of choices: 64 of them, of which each
// overlaps half of the next, then 256, 1024, ...; each as soon as all in it are chosen, and not again while it stays as
// it was. A window holds the names its choices are about with all that was done to them, names that nothing can take
// any more, and what found nothing. Only when all is chosen the whole is decided. So a conflict costs a run on as few
// operations as show it, and the whole is rarely run twice.
// Nogoods. The monitor's core, closed to whole names, is decided again on its own: only what it refutes is learned. A
// name that stays inside blames all removals that could have taken it and were called before the core was over: a
// prefix of a linearizable history is linearizable.
// A monitor that may be a search (of deques) may not know: what it does not refute in a few steps is left as it is
// until all is chosen, and only the whole is searched for as long as it takes. Cost: a run of the monitor for each
// doubling of the window, and for each conflict one of a window and a few tiny ones; exponentially many conflicts at
// worst. Where a value occurs often a nogood excludes little. Source: counterexample-guided abstraction refinement, the
// assignment of equal values being the abstraction. Compare: decide/search (any history). Tests:
// src/types/lifts_test.cpp.
#include "core/lift.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "base/none.hpp"
#include "decide/lift/choices.hpp"
#include "decide/lift/matching.hpp"
#include "decide/lift/named_history.hpp"
#include "decide/lift/violation.hpp"
#include "linchpin/hash.hpp"

namespace linchpin::decide::lift {

namespace {

using core::Outcome;
using history::Rank;
using history::Subhistory;
using Literal = Choices::Literal;
using Locals = std::vector<std::uint32_t>;

constexpr std::uint32_t kWindowGrowth = 4;
constexpr std::uint32_t kWindowGrowthOfSearch = 16;  // where the monitor is a search, and a run of it dear
constexpr std::uint64_t kCostOfRun = 32;             // in operations, besides those it is about
constexpr std::uint64_t kOperationsAStep = 8;        // that the monitor reads while a search takes a step
constexpr std::uint64_t kLooksAStep = 16;            // that choosing takes of options and literals in that time
constexpr std::uint64_t kFewOptions = 16;            // a variable, on average: then the search is worth while
constexpr std::uint64_t kManyOptions = 64;
constexpr std::uint64_t kMostOptions = std::uint64_t{1} << 24;  // in all
constexpr double kSecondsAnOption = 1e-7;                       // to set them up
constexpr std::uint64_t kLeastSearchSteps = 131'072;            // where the monitor is a search
constexpr std::uint64_t kSearchStepsAnOperation = 64;           // besides
constexpr std::uint32_t kManyInFlight = 20;                     // or when so many overlap that nothing else may decide
constexpr std::size_t kFewNames = 32;                           // in a core that is made smaller one by one

void sort_unique(Locals& locals) {
  std::sort(locals.begin(), locals.end());
  locals.erase(std::unique(locals.begin(), locals.end()), locals.end());
}

class Lift final : public core::SearchTask {
 public:
  Lift(const Subhistory& part, const core::LiftMethod& method, const core::DeciderOptions& options, bool patient)
      : part_(part),
        monitor_(*method.monitor),
        searches_(monitor_.start != nullptr),
        least_window_(method.least_window),
        options_(options),
        patient_(patient),
        read_(method.read(part)) {}

  bool run(std::uint64_t steps, core::Budget& budget) override {
    steps_ = static_cast<std::int64_t>(std::min<std::uint64_t>(steps, INT64_MAX));
    budget_ = &budget;
    if (!decided_ && matching_ == std::nullopt) begin();
    while (!decided_ && steps_ > 0) {
      go_on();
      count_looks();
    }
    return decided_;
  }

  Outcome outcome() const override { return outcome_; }
  std::uint32_t passed() const override {
    if (decided_) return part_.size();
    if (!choices_ || choices_->variables() == 0) return 0;
    return static_cast<std::uint32_t>(std::uint64_t{part_.size()} * choices_->frontier() / choices_->variables());
  }

 private:
  /// Names that are not linearizable together.
  struct Nogood {
    Locals adds;    // with what took them
    Locals looks;   // at these
    Locals others;  // what found nothing, or something missing
  };
  void give_up(Reason reason) {
    decided_ = true;
    outcome_ = {.verdict = Verdict::unknown, .reason = reason};
  }
  void not_worth_while() {
    give_up(Reason::not_applicable);
    outcome_.sentence = "there are too many choices of which equal value is meant";
  }

  void begin() {
    if (!read_.obstacle.empty()) return give_up(Reason::not_applicable);
    matching_.emplace(part_, read_);
    if (const auto fault = matching_->guess(guess_)) return refute(*fault);
    if (const auto remainder = matching_->remainder()) return refute(*remainder);
    named_.emplace(part_, read_);
    written_.assign(guess_.size(), kNone);
    mark_.assign(part_.size(), 0);
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      const std::uint32_t value = matching_->value_of(i);
      if (read_.acts.kind[i] == ActKind::missing && matching_->add_count(value) == 1) {
        named_->missed(i, matching_->first_add(value));
      }
    }
    Locals locals = everything();
    const Subhistory whole = named_->restrict(locals);
    const Outcome outcome = decide(whole, options_.witness);
    const bool knows = outcome.verdict != Verdict::unknown || budget_->reason() != Reason::none;
    if ((!knows && searches_) || !settle(whole, outcome)) begin_search();
  }

  void begin_search() {
    const std::uint64_t options = matching_->options(), variables = guess_.size();
    const bool weak = options <= kFewOptions * variables;
    if (!patient_ && !weak &&
        (options > kManyOptions * variables || !(searches_ || history::most_open(part_.events()) > kManyInFlight))) {
      return not_worth_while();
    }
    if (options > kMostOptions) return not_worth_while();
    if (!budget_->allows(Choices::bytes(options)) ||
        !budget_->allows_step(kSecondsAnOption * static_cast<double>(options))) {
      return give_up(budget_->reason());
    }
    Choices::Problem problem;
    problem.resources = read_.overwrites ? 0 : part_.size();
    problem.last_first = read_.first_guess == core::LiftGuess::newest || read_.overwrites;
    problem.resource.reserve(options);
    problem.home.assign(variables, kNone);
    for (std::uint32_t x = 0; x < variables; ++x) {
      const Matching::Variable& variable = matching_->variables()[x];
      const std::uint32_t first = problem.begin.back();
      problem.first_choice.push_back(first + guess_[x]);
      if (part_.pending(variable.operation)) problem.home[x] = first;
      for (std::uint32_t option = 0; option < variable.options(); ++option) {
        problem.resource.push_back(variable.takes ? matching_->add_of(variable, option) : kNone);
      }
      problem.begin.push_back(static_cast<std::uint32_t>(problem.resource.size()));
      first_option_.push_back(first);
    }
    choices_.emplace(std::move(problem));
    for (std::uint64_t size = least_window_; size < variables;
         size *= searches_ ? kWindowGrowthOfSearch : kWindowGrowth) {
      windows_.push_back({.size = static_cast<std::uint32_t>(size)});
      windows_.back().fine.assign(2 * variables / size + 1, 0);
    }
  }

  /// Counts what choosing cost as steps.
  void count_looks() {
    if (!choices_) return;
    const std::uint64_t steps = (choices_->looked_at() - counted_) / kLooksAStep;
    steps_ -= static_cast<std::int64_t>(steps);
    counted_ += steps * kLooksAStep;
  }

  void go_on() {
    if (budget_->spent()) return give_up(budget_->reason());
    if (choices_->refuted()) return refute();
    --steps_;
    const std::uint32_t lowest = choices_->lowest_frontier();
    for (Windows& windows : windows_) {
      windows.passed = std::min(windows.passed, windows.within(lowest));
      if (windows.passed < windows.within(choices_->frontier())) return look_at(windows);
    }
    if (!choices_->complete()) {
      choices_->extend();
      return;
    }
    go_on_with_whole();
  }

  /// All is chosen. A monitor that is a search goes on with it from turn to turn.
  void go_on_with_whole() {
    if (!whole_) whole_.emplace(named_->restrict(everything()));
    Outcome outcome;
    if (!searches_) {
      outcome = decide(*whole_, options_.witness);
    } else {
      if (search_ == nullptr) search_ = monitor_.start(*whole_, {.witness = options_.witness});
      if (!search_->run(static_cast<std::uint64_t>(steps_), *budget_)) {
        steps_ = 0;
        return;
      }
      steps_ -= static_cast<std::int64_t>(whole_->size() / kOperationsAStep);
      outcome = search_->outcome();
    }
    if (!settle(*whole_, outcome)) learn(*whole_, outcome);
    search_.reset();
    whole_.reset();
  }

  // The history under the present choices ---------------------------------------------------------------------------

  [[nodiscard]] std::uint32_t option_of(std::uint32_t x) const {
    return choices_ ? choices_->chosen(x) - first_option_[x] : guess_[x];
  }
  /// The addition that the operation got; kNone: nothing.
  [[nodiscard]] std::uint32_t source_of(std::uint32_t operation) const {
    const std::uint32_t x = matching_->variable_of(operation);
    return matching_->add_of(matching_->variables()[x], option_of(x));
  }
  [[nodiscard]] bool is_variable(std::uint32_t operation) const { return matching_->variable_of(operation) != kNone; }
  /// What took the addition; kNone.
  [[nodiscard]] std::uint32_t taker_of(std::uint32_t add) const {
    const std::uint32_t x = read_.overwrites ? kNone : choices_->holder(add);
    return x == kNone ? kNone : matching_->variables()[x].operation;
  }

  /// Adds the operation to those at hand, under its present name.
  void take(std::uint32_t i, Locals& locals) {
    if (mark_[i] == stamp_) return;
    mark_[i] = stamp_;
    locals.push_back(i);
    const std::uint32_t x = matching_->variable_of(i);
    if (x == kNone || written_[x] == option_of(x)) return;
    written_[x] = option_of(x);
    if (const std::uint32_t add = source_of(i); add != kNone) {
      named_->got(i, add);
    } else {
      named_->got_nothing(i);
    }
  }

  /// All operations, but pending ones without effect.
  Locals everything() {
    ++stamp_;
    Locals locals;
    for (const Matching::Variable& variable : matching_->variables()) {
      const std::uint32_t add = source_of(variable.operation);
      if (add != kNone) take(add, locals);
      if (add != kNone || !part_.pending(variable.operation)) take(variable.operation, locals);
    }
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      if (!part_.pending(i)) take(i, locals);
    }
    sort_in_order(locals);
    return locals;
  }

  void sort_in_order(Locals& locals) {
    if (8 * locals.size() < part_.size()) {
      std::sort(locals.begin(), locals.end());
      return;
    }
    locals.clear();
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      if (mark_[i] == stamp_) locals.push_back(i);
    }
  }

  void take_name(std::uint32_t x, Locals& locals) {
    const Matching::Variable& variable = matching_->variables()[x];
    const std::uint32_t add = source_of(variable.operation);
    if (add == kNone) {
      if (!part_.pending(variable.operation)) take(variable.operation, locals);
      return;
    }
    if (!variable.takes && !read_.overwrites) {
      const std::uint32_t taker = taker_of(add);
      if (taker == kNone && !choices_->unreachable(add)) return;  // who will take it is still open
      if (taker != kNone) take(taker, locals);
    }
    take(add, locals);
    take(variable.operation, locals);
  }

  /// The names of the choices first .. last - 1, and what stays or sees nothing in their time.
  Locals window(std::uint32_t first, std::uint32_t last) {
    ++stamp_;
    Locals locals;
    for (std::uint32_t x = first; x < last; ++x) take_name(x, locals);
    const std::uint32_t begins = matching_->variables()[first].operation,
                        ends = matching_->variables()[last - 1].operation;
    const Rank from = part_.pending(begins) ? 0 : part_.response[begins];
    const Rank to = part_.pending(ends) ? 0 : part_.response[ends];
    const auto start = std::lower_bound(part_.call.begin(), part_.call.end(), from) - part_.call.begin();
    for (auto i = static_cast<std::uint32_t>(start); i < part_.size() && part_.call[i] < to; ++i) {
      if (part_.pending(i)) continue;
      if (read_.acts.kind[i] == ActKind::empty) {
        if (part_.response[i] <= to) take(i, locals);
      } else if (read_.acts.kind[i] == ActKind::add) {
        const std::uint32_t taker = taker_of(i);
        if (taker != kNone && !part_.pending(taker)) continue;
        if (taker != kNone) take(taker, locals);
        if (taker != kNone || read_.overwrites || choices_->unreachable(i)) take(i, locals);
      }
    }
    sort_in_order(locals);
    return locals;
  }

  // Deciding and learning -------------------------------------------------------------------------------------------

  Outcome decide(const Subhistory& part, bool witness) {
    steps_ -= static_cast<std::int64_t>((part.size() + kCostOfRun) / kOperationsAStep);
    if (!searches_) return monitor_.decide(part, {.witness = witness}, *budget_);
    const std::unique_ptr<core::SearchTask> search = monitor_.start(part, {.witness = witness});
    const std::uint64_t most = kLeastSearchSteps + kSearchStepsAnOperation * part.size();
    if (!search->run(most, *budget_)) steps_ -= static_cast<std::int64_t>(most);
    return search->outcome();
  }

  /// Takes a verdict on the whole: true if that decides, and also where the monitor does not know.
  bool settle(const Subhistory& whole, const Outcome& outcome) {
    if (outcome.verdict == Verdict::violation) return false;
    if (outcome.verdict == Verdict::unknown) {
      give_up(outcome.reason);
      return true;
    }
    decided_ = true;
    outcome_ = {.verdict = Verdict::linearizable};
    for (const std::uint32_t local : outcome.witness) outcome_.witness.push_back(whole.operation[local].number());
    return true;
  }

  struct Windows {
    std::uint32_t size = 0;
    std::uint32_t passed = 0;              // so many are linearizable, each by itself
    std::vector<std::uint64_t> fine = {};  // by window: the hash of what was last found linearizable in it
    [[nodiscard]] std::uint32_t first(std::uint32_t window) const { return window * (size / 2); }
    /// How many end at or before the frontier.
    [[nodiscard]] std::uint32_t within(std::uint32_t frontier) const {
      return frontier < size ? 0 : (frontier - size) / (size / 2) + 1;
    }
  };

  void look_at(Windows& windows) {
    const std::uint32_t first = windows.first(windows.passed);
    const Locals locals = window(first, first + windows.size);
    std::uint64_t hash = 1;
    for (const std::uint32_t i : locals) hash = mix(hash, is_variable(i) ? mix(i, source_of(i)) : i);
    steps_ -= static_cast<std::int64_t>(locals.size() / (4 * kOperationsAStep));
    if (windows.fine[windows.passed] != hash) {
      const Subhistory sub = named_->restrict(locals);
      const Outcome outcome = decide(sub, false);
      if (outcome.verdict == Verdict::violation) return learn(sub, outcome);
      if (budget_->reason() != Reason::none) return give_up(budget_->reason());
      windows.fine[windows.passed] = hash;
    }
    ++windows.passed;
  }

  void add_to(Nogood& nogood, std::uint32_t i) const {
    switch (read_.acts.kind[i]) {
      case ActKind::add: nogood.adds.push_back(i); return;
      case ActKind::take:
      case ActKind::lost_take:
      case ActKind::look: {
        const std::uint32_t add = source_of(i);
        if (add == kNone) {
          nogood.others.push_back(i);
        } else {
          nogood.adds.push_back(add);
          if (read_.acts.kind[i] == ActKind::look) nogood.looks.push_back(i);
        }
        return;
      }
      default: nogood.others.push_back(i);
    }
  }

  Locals operations_of(const Nogood& nogood) {
    ++stamp_;
    Locals locals;
    for (const std::uint32_t add : nogood.adds) {
      take(add, locals);
      if (const std::uint32_t taker = taker_of(add); taker != kNone) take(taker, locals);
    }
    for (const std::uint32_t look : nogood.looks) take(look, locals);
    for (const std::uint32_t other : nogood.others) take(other, locals);
    sort_in_order(locals);
    return locals;
  }

  bool violates(const Nogood& nogood) {
    const Locals locals = operations_of(nogood);
    return !locals.empty() && decide(named_->restrict(locals), false).verdict == Verdict::violation;
  }

  /// Learns from a violation in `sub`.
  void learn(const Subhistory& sub, const Outcome& outcome) {
    Nogood nogood;
    for (const std::uint32_t local : outcome.core) add_to(nogood, sub.operation[local].number());
    sort_unique(nogood.adds);
    if (!violates(nogood)) {
      if (budget_->reason() != Reason::none) return give_up(budget_->reason());
      nogood = {};
      for (const OperationIndex i : sub.operation) add_to(nogood, i.number());
      sort_unique(nogood.adds);
    }
    if (!outcome.core_minimal && nogood.adds.size() > 1 && nogood.adds.size() <= kFewNames) drop_names(nogood);
    LiftLeaf leaf{.values = {}, .others = nogood.others};
    for (const Locals* const operations : {&nogood.adds, &nogood.looks}) {
      for (const std::uint32_t i : *operations) leaf.values.push_back(matching_->value_of(i));
    }
    sort_unique(leaf.values);
    leaves_.push_back(std::move(leaf));
    choices_->refute(clause_of(nogood), static_cast<std::uint32_t>(leaves_.size() - 1));
  }

  void drop_names(Nogood& nogood) {
    for (std::size_t k = nogood.adds.size(); k-- > 0 && nogood.adds.size() > 1;) {
      Nogood smaller = nogood;
      const std::uint32_t dropped = nogood.adds[k];
      smaller.adds.erase(smaller.adds.begin() + static_cast<std::ptrdiff_t>(k));
      std::erase_if(smaller.looks, [&](std::uint32_t look) { return source_of(look) == dropped; });
      if (violates(smaller)) nogood = std::move(smaller);
    }
  }

  /// That not all of the choices hold on which the nogood rests.
  std::vector<Literal> clause_of(const Nogood& nogood) {
    Rank over = 0;  // what is called later changes nothing
    for (const std::uint32_t i : operations_of(nogood)) {
      if (!part_.pending(i)) {
        over = std::max(over, part_.response[i]);
      } else if (is_take(read_.acts.kind[i])) {
        over = Rank::none();
      } else {
        over = std::max(over, part_.call[i]);
      }
    }
    std::vector<Literal> clause;
    const auto not_chosen = [&](std::uint32_t operation) {
      clause.push_back(Literal::rejected(choices_->chosen(matching_->variable_of(operation))));
    };
    for (const std::uint32_t add : nogood.adds) {
      if (read_.overwrites) continue;
      if (const std::uint32_t taker = taker_of(add); taker != kNone) {
        not_chosen(taker);
        continue;
      }
      for (const std::uint32_t option : choices_->options_of(add)) {
        const std::uint32_t taker = matching_->variables()[choices_->variable_of(option)].operation;
        if (part_.call[taker] < over) clause.push_back(Literal::chosen(option));
      }
    }
    for (const std::uint32_t look : nogood.looks) not_chosen(look);
    for (const std::uint32_t other : nogood.others) {
      if (is_variable(other)) not_chosen(other);
    }
    return clause;
  }

  // No choice is left ------------------------------------------------------------------------------------------------

  template <class Found>
  void refute(const Found& found) {
    decided_ = true;
    outcome_ = violation_of(part_, read_, *matching_, found);
  }

  void refute() {
    decided_ = true;
    outcome_ = violation_of(part_, read_, *matching_, choices_->refutation(), leaves_);
  }

  const Subhistory& part_;
  const core::Decider& monitor_;
  const bool searches_;  // the monitor is a search, which may not end; the type has no other for values that repeat
  const std::uint32_t least_window_;
  core::DeciderOptions options_;
  const bool patient_;
  const core::LiftHistory read_;
  core::Budget* budget_ = nullptr;
  std::int64_t steps_ = 0;
  std::uint64_t counted_ = 0;  // of what the choices looked at
  bool decided_ = false;
  Outcome outcome_;

  std::optional<Matching> matching_;
  std::optional<NamedHistory> named_;
  std::optional<Subhistory> whole_;           // once all is chosen
  std::unique_ptr<core::SearchTask> search_;  // of the whole
  std::optional<Choices> choices_;            // once the first guess has failed
  std::vector<std::uint32_t> guess_;          // by variable: an option of it
  std::vector<std::uint32_t> first_option_;   // by variable: the number of its first option in choices_
  std::vector<std::uint32_t> written_;        // by variable: the option by which it is named now
  std::vector<Windows> windows_;              // smallest first
  std::vector<LiftLeaf> leaves_;
  std::vector<std::uint32_t> mark_;  // by operation: the stamp of those at hand
  std::uint32_t stamp_ = 0;
};

}  // namespace

}  // namespace linchpin::decide::lift

namespace linchpin::core {

Applicability lift_applies(const LiftHistory& history) {
  if (history.other_type) return not_of_this_type(history.obstacle);
  if (!history.obstacle.empty()) return {.applies = false, .why = history.obstacle};
  return {.applies = true, .why = fmt::format("each value {} is matched with one {}", history.taken, history.added)};
}

Outcome decide_lift(const history::Subhistory& part, const LiftMethod& method, const DeciderOptions& options,
                    Budget& budget) {
  decide::lift::Lift lift(part, method, options, true);
  lift.run(UINT64_MAX, budget);
  return lift.outcome();
}

std::unique_ptr<SearchTask> start_lift(const history::Subhistory& part, const LiftMethod& method,
                                       const DeciderOptions& options) {
  return std::make_unique<decide::lift::Lift>(part, method, options, false);
}

}  // namespace linchpin::core

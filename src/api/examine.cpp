#include "api/examine.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "api/specifications.hpp"
#include "evidence/core.hpp"
#include "evidence/start.hpp"

namespace linchpin {

namespace {

// A core is decided again as long as this, or this part of the time spent so far, unless that is asked for thoroughly.
constexpr double kBriefSeconds = 0.1;
constexpr double kBriefShare = 0.15;
constexpr double kForever = 1e9;
// And a witness as long as this, or as long as all took so far, once operations leave many states possible.
constexpr double kBriefStates = 1;
// A core proves nothing where what it leaves out matters. So all is decided again where it is short, for so many steps.
constexpr std::size_t kShort = 1000;
constexpr std::size_t kBriefSteps = 4000, kThoroughSteps = 40'000;

/// The unit's witness, of the operations that `own` has, ascending: numbers are places in `own`.
Witness renumbered(const decide::Unit& unit, const std::vector<OperationIndex>& own) {
  Witness witness;
  std::vector<bool> taken(own.size(), false);
  for (const std::uint32_t local : unit.outcome.witness) {
    const auto found = std::lower_bound(own.begin(), own.end(), unit.part.operation[local]);
    const auto place = static_cast<std::size_t>(found - own.begin());
    witness.order.push_back(OperationIndex(place));
    taken[place] = true;
  }
  for (OperationIndex i = 0; i < own.size(); ++i) {
    if (!taken[i.number()]) witness.omitted.push_back(i);
  }
  return witness;
}

}  // namespace

Examiner::Examiner(const History& history, const CheckOptions& options, core::Budget& budget)
    : history_(history), options_(options), budget_(budget), witnesses_(history, options.ties) {}

std::optional<std::string> Examiner::examine(ObjectVerdict& verdict, const Specification& specification) {
  if (verdict.witness) {
    const auto why = witnesses_.refute(verdict.object, specification, *verdict.witness, budget_, for_states());
    if (!why) return std::nullopt;
    verdict.witness_checked = why->empty();
    return why->empty() ? std::nullopt : why;
  }
  if (!verdict.violation || verdict.violation->core.empty()) return std::nullopt;
  return examine_core(*verdict.violation, verdict.object, specification, verdict.core_checked);
}

double Examiner::for_states() const {
  return options_.verify == Verify::briefly ? std::max(kBriefStates, budget_.seconds()) : kForever;
}

std::optional<std::string> Examiner::examine_core(const Violation& violation, ObjectIndex object,
                                                  const Specification& specification, std::optional<bool>& checked) {
  const bool brief = options_.verify == Verify::briefly;
  core::Budget some(budget_, brief ? std::max(kBriefSeconds, kBriefShare * budget_.seconds()) : kForever);
  std::shared_ptr<const Specification> from;
  std::optional<bool> stands = true;  // the start
  Tick until = kPending;
  if (violation.start) {
    from = specification_from(*violation.start);
    if (from == nullptr) {
      checked = false;
      return "the core starts in a state that the type cannot start in";
    }
    stands = evidence::leads_to(history_, object, specification, options_.ties, violation.core, violation.start->tick,
                                *from, some);
    until = evidence::known_until(history_, object, specification, violation.core, violation.start->tick, *from);
  }
  const auto linearizable =
      evidence::linearizable_alone(history_, violation.core, from != nullptr ? *from : specification, options_.ties,
                                   some, evidence::kMostSteps, until);
  if (linearizable == std::optional(true)) {
    checked = false;
    return "the operations of the core are linearizable";
  }
  if (stands == std::optional(false)) {
    checked = false;
    return "what comes before the core does not lead to the state in which it starts";
  }
  if (linearizable && stands) checked = true;
  const auto whole = evidence::operations_at_stake(history_, object, specification, violation.core, kShort);
  if (!whole || whole->size() == violation.core.size()) return std::nullopt;
  if (evidence::linearizable_alone(history_, *whole, specification, options_.ties, some,
                                   brief ? kBriefSteps : kThoroughSteps) == std::optional(true)) {
    checked = false;
    return "the operations of the core are not linearizable on their own, but all together are";
  }
  return std::nullopt;
}

bool Examiner::holds(const decide::Unit& unit, const Specification& specification) {
  std::vector<OperationIndex> own = unit.part.operation;
  std::sort(own.begin(), own.end());
  const History alone = history_.restricted_to(own);
  evidence::WitnessChecker checker(alone, options_.ties);
  const auto why = checker.refute(unit.part.object, specification, renumbered(unit, own), budget_, for_states());
  return !why || why->empty();
}

bool Examiner::take_back(const ObjectVerdict& refused, const Specification& specification,
                         std::span<decide::Unit> units) {
  bool any = false;
  for (decide::Unit& unit : units) {
    if (unit.outcome.verdict != refused.verdict) continue;
    if (refused.verdict == Verdict::linearizable && units.size() > 1 && holds(unit, specification)) continue;
    decide::take_back(unit);
    any = true;
    if (refused.verdict == Verdict::violation) break;  // the evidence is the first one's
  }
  return any;
}

}  // namespace linchpin

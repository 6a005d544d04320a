// What linchpin/depth.hpp declares: from a history to the depth of each object.
#include "linchpin/depth.hpp"

#include <algorithm>
#include <new>
#include <optional>

#include "api/misread_operation.hpp"
#include "api/specifications.hpp"
#include "api/weaker_order.hpp"
#include "core/budget.hpp"
#include "decide/choose.hpp"
#include "decide/units.hpp"
#include "history/subhistory.hpp"
#include "research/schedules/depth.hpp"
#include "research/schedules/schedule_count.hpp"
#include "research/schedules/strong_hitting.hpp"

namespace linchpin {

namespace {

/// More schedules that are no witness are not kept for the linearizability depth.
constexpr std::size_t kMostOtherSchedules = 2'000'000;

void decide_object(const history::Subhistory& part, core::Budget& budget, ObjectDepth& object) {
  std::vector<decide::Unit> units = decide::make_units(part, nullptr);
  decide::run_units(units, {.decider = {.witness = false}, .all = false, .threads = 1, .progress = {}}, budget);
  object.verdict = Verdict::linearizable;
  for (const decide::Unit& unit : units) {
    if (unit.outcome.verdict == Verdict::linearizable) continue;
    if (object.verdict != Verdict::violation) object.verdict = unit.outcome.verdict;
    if (object.verdict == Verdict::unknown) object.reason = unit.outcome.reason;
  }
  if (object.verdict == Verdict::violation) object.reason = Reason::none;
}

void take_witness(const history::Subhistory& part, const research::WitnessDepth& found, ObjectDepth& object) {
  Witness witness;
  std::vector<bool> taken(part.size(), false);
  for (const std::uint32_t local : found.witness) {
    taken[local] = true;
    witness.order.push_back(part.operation[local]);
  }
  for (std::uint32_t local = 0; local < part.size(); ++local) {
    if (!taken[local]) witness.omitted.push_back(part.operation[local]);
  }
  std::sort(witness.omitted.begin(), witness.omitted.end());
  object.witness = std::move(witness);
  for (const research::SegmentDepth& segment : found.segments) {
    object.segments.push_back(
        {.first = part.operation[segment.first], .operations = segment.last - segment.first, .depth = segment.depth});
  }
}

ObjectDepth measure(const history::Subhistory& part, const DepthOptions& options, core::Budget& budget) {
  const research::OperationPoset poset = research::OperationPoset::of(part);
  const auto family =
      options.family == ScheduleFamily::published ? research::Family::published : research::Family::enumerated;
  const std::uint32_t deepest = std::max(1U, part.size());  // Proposition 4.3: n operations always do
  const std::uint32_t most = options.most == 0 ? deepest : options.most;
  ObjectDepth object;
  object.operations = part.size();
  object.pending = part.pending_count;
  object.chains = poset.chains;
  object.concurrency = poset.concurrency();
  object.concurrent_pairs = poset.concurrent_pairs();
  {
    // Half of what is left of the time: hard for the deciders need not be hard for the schedules.
    constexpr double kYear = 365.0 * 24 * 3600;
    const double left = options.limits.time ? options.limits.time->count() - budget.seconds() : kYear;
    core::Budget half(budget, std::min(left, kYear) / 2);
    decide_object(part, half, object);
  }
  if (object.verdict != Verdict::violation) {
    const research::WitnessDepth found =
        options.by_segment ? research::witness_depth_by_segment(part, std::min(most, deepest), budget)
                           : research::witness_depth(part, poset, family, std::min(most, deepest), budget);
    object.depth = found.depth;
    object.searched = found.searched;
    object.levels.resize(found.tried.size());
    for (std::size_t i = 0; i < found.tried.size(); ++i) object.levels[i].tried = found.tried[i];
    if (found.depth) {
      object.verdict = Verdict::linearizable;
      object.reason = Reason::none;
      take_witness(part, found, object);
    } else if (budget.spent_now()) {
      object.reason = budget.reason();
    }
  }
  if (options.count && !options.by_segment) {
    const std::uint32_t counted =
        options.count_to > 0 ? options.count_to : static_cast<std::uint32_t>(object.levels.size());
    const auto sizes = research::family_sizes(poset, family, counted, options.most_counted, budget);
    object.levels.resize(std::max(object.levels.size(), sizes.size()));
    for (std::size_t i = 0; i < sizes.size(); ++i) object.levels[i].schedules = sizes[i];
  }
  if (options.count_all) {
    research::StateSets sets(part);
    object.schedules = research::count_schedules(poset, budget);
    object.witnesses = research::count_witnesses(poset, sets, budget);
  }
  if (options.linearizability && object.verdict == Verdict::linearizable) {
    research::StateSets sets(part);
    const auto depth = research::linearizability_depth(
        poset, [&](const research::Schedule& schedule) { return research::is_witness(sets, schedule); },
        kMostOtherSchedules, budget);
    if (depth) {
      object.linearizability_depth = depth->depth;
      for (const std::uint32_t local : depth->tuple) object.tuple.push_back(part.operation[local]);
    }
  }
  return object;
}

CheckOptions check_options(const DepthOptions& options) {
  CheckOptions check;
  check.type = options.type;
  check.specification = options.specification;
  return check;
}

}  // namespace

Result<HistoryDepth> measure_depth(const History& history, const DepthOptions& options) try {
  core::Budget budget(options.limits);
  const auto specifications = specifications_of(history, check_options(options));
  if (!specifications) return specifications.error();
  const std::optional<WeakerOrder> weaker = weaken(history, *specifications);
  const auto parts = history::split_by_object(weaker ? weaker->history : history,
                                              weaker ? weaker->specifications : *specifications, options.ties);
  if (!parts) return parts.error();
  HistoryDepth depth;
  depth.verdict = Verdict::linearizable;
  for (ObjectIndex i = 0; i < parts->size(); ++i) {
    ObjectDepth object = measure((*parts)[i.number()], options, budget);
    object.object = i;
    object.name = history.objects()[i.number()].name;
    object.type = (*specifications)[i.number()]->name();
    if (object.verdict == Verdict::violation) {
      depth.verdict = Verdict::violation;
    } else if (object.verdict == Verdict::unknown && depth.verdict == Verdict::linearizable) {
      depth.verdict = Verdict::unknown;
    }
    depth.objects.push_back(std::move(object));
  }
  depth.seconds = budget.seconds();
  return depth;
} catch (const Misread& misread) {
  return error_of(misread, history, check_options(options));
} catch (const std::bad_alloc&) {
  return Error{.code = ErrorCode::too_large,
               .source = history.source(),
               .message = "there is not enough memory to measure its depth",
               .hint = "set a limit of memory, with which the verdict is unknown instead"};
}

}  // namespace linchpin

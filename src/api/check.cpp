// The facade's body: from a history to verdicts with evidence.
#include "linchpin/check.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "api/examine.hpp"
#include "api/misread_operation.hpp"
#include "api/specifications.hpp"
#include "api/weaker_order.hpp"
#include "core/budget.hpp"
#include "core/reading_limits.hpp"
#include "decide/choose.hpp"
#include "decide/supplied/supplied_order.hpp"
#include "decide/units.hpp"
#include "explain/shortened.hpp"
#include "explain/shrink.hpp"
#include "explain/tell.hpp"
#include "history/operation_error.hpp"
#include "history/subhistory.hpp"

namespace linchpin {

namespace {

std::vector<OperationIndex> to_history(const history::Subhistory& part, std::span<const std::uint32_t> locals) {
  std::vector<OperationIndex> operations;
  operations.reserve(locals.size());
  for (const std::uint32_t local : locals) operations.push_back(part.operation[local]);
  return operations;
}

/// Not so where the operations are too many for the framework to find an order of them.
bool has_witness(const decide::Unit& unit) {
  return !unit.outcome.witness.empty() || unit.part.pending_count == unit.part.size();
}

/// The linearizations of an object's keys, merged. Each operation of a key is given the time at which it can act there:
/// the latest call so far. In the order of that time, the keys' orders keep happens-before between keys as well.
Witness merge_witnesses(std::span<const decide::Unit> units) {
  Witness witness;
  if (units.size() == 1) {
    witness.order = to_history(units[0].part, units[0].outcome.witness);
  } else {
    const History& history = *units[0].part.history;
    struct Next {  // what a key does next
      Tick time;
      std::size_t unit;
      std::size_t position;
    };
    const auto operation = [&](std::size_t unit, std::size_t position) {
      return units[unit].part.operation[units[unit].outcome.witness[position]];
    };
    const auto later = [](const Next& a, const Next& b) { return std::tie(a.time, a.unit) > std::tie(b.time, b.unit); };
    std::vector<Next> heap;
    std::size_t size = 0;
    for (std::size_t unit = 0; unit < units.size(); ++unit) {
      size += units[unit].outcome.witness.size();
      if (!units[unit].outcome.witness.empty()) heap.push_back({history.call(operation(unit, 0)), unit, 0});
    }
    std::make_heap(heap.begin(), heap.end(), later);
    witness.order.reserve(size);
    while (!heap.empty()) {
      std::pop_heap(heap.begin(), heap.end(), later);
      Next& next = heap.back();
      witness.order.push_back(operation(next.unit, next.position));
      if (++next.position == units[next.unit].outcome.witness.size()) {
        heap.pop_back();
        continue;
      }
      next.time = std::max(next.time, history.call(operation(next.unit, next.position)));
      std::push_heap(heap.begin(), heap.end(), later);
    }
  }
  std::vector<bool> taken;  // by local
  for (const decide::Unit& unit : units) {
    if (unit.outcome.witness.size() == unit.part.size()) continue;
    taken.assign(unit.part.size(), false);
    for (const std::uint32_t local : unit.outcome.witness) taken[local] = true;
    for (std::uint32_t local = 0; local < taken.size(); ++local) {
      if (!taken[local]) witness.omitted.push_back(unit.part.operation[local]);
    }
  }
  std::sort(witness.omitted.begin(), witness.omitted.end());
  return witness;
}

OperationParts parts_that_matter(const history::Subhistory& part, const explain::Core& core) {
  OperationParts parts{
      .history = std::make_shared<const History>(core.fewer_parts->restricted_to(core.refuted.operation)),
      .operations = {}};
  std::vector<std::uint32_t> locals;
  std::merge(core.locals.begin(), core.locals.end(), core.context.begin(), core.context.end(),
             std::back_inserter(locals));
  for (const std::uint32_t local : locals) parts.operations.push_back(part.operation[local]);
  return parts;
}

/// As people read it: of the unit's key, where that is not all of the object.
std::string state_of(const decide::Unit& unit, std::string state, bool one_of_several_keys) {
  const std::optional<Value> key = one_of_several_keys ? unit.part.specification->key(unit.part.view(0)) : std::nullopt;
  return key ? fmt::format("{} of the key {}", state, unit.part.history->pool().to_text(*key)) : state;
}

Violation violation_of(const decide::Unit& unit, bool one_of_several_keys, const CheckOptions& options,
                       core::Budget& budget) {
  const core::Outcome& outcome = unit.outcome;
  Violation violation;
  violation.longest = to_history(unit.part, outcome.longest);
  explain::Told told;
  if (options.shrink) {
    const explain::Core core = explain::shrink(unit.part, outcome, options.shrinking, budget);
    told = explain::tell(unit.part, core, outcome, unit.forced ? unit.decider : nullptr, options.ties, budget);
    violation.core = to_history(unit.part, core.locals);
    violation.context = to_history(unit.part, core.context);
    violation.minimal = core.minimal;
    if (core.fewer_parts != nullptr) violation.parts = parts_that_matter(unit.part, core);
    if (core.start) {
      violation.start = {.tick = core.start->tick,
                         .state = state_of(unit, core.start->state, one_of_several_keys),
                         .type = std::string(core.start->from->name())};
    }
  } else {
    told = explain::tell(unit.part, outcome);
    const std::vector<std::uint32_t> core = explain::whole_core(unit.part, outcome);
    violation.core = to_history(unit.part, core);
    violation.minimal = explain::nothing_to_spare(unit.part, core, *unit.part.specification, budget);
  }
  std::sort(violation.core.begin(), violation.core.end());
  std::sort(violation.context.begin(), violation.context.end());
  if (told.blocked) violation.blocked = unit.part.operation[*told.blocked];
  violation.states = std::move(told.states);
  std::vector<OperationIndex> shown = violation.core;
  shown.insert(shown.end(), violation.context.begin(), violation.context.end());
  violation.sentence = explain::with_short_texts(*unit.part.history, shown, std::move(told.sentence));
  return violation;
}

/// One unit again instead of an object's units, whose answers hold one by one and not together.
decide::Unit join(const History& history, const Specifications& specifications, ObjectIndex object,
                  std::span<const decide::Unit> units, Ties ties) {
  decide::Unit whole = units.front();
  for (const decide::Unit& unit : units) {
    whole.refused.insert(whole.refused.end(), unit.refused.begin(), unit.refused.end());
  }
  auto parts = history::split_by_object(history, specifications, ties);
  std::shared_ptr<const history::Subhistory> recorded;  // of a key alone it would lack the others
  if (units.size() == 1) recorded = std::move(whole.part.recorded);
  whole.part = std::move((*parts)[object.number()]);  // as it was split before, without an error
  whole.part.recorded = std::move(recorded);
  decide::take_back(whole);
  return whole;
}

/// The verdict on one object from the verdicts on its units.
ObjectVerdict combine(const History& history, ObjectIndex object, const Specification& specification,
                      std::span<const decide::Unit> units, const CheckOptions& options, core::Budget& budget) {
  ObjectVerdict verdict;
  verdict.object = object;
  verdict.name = history.objects()[object.number()].name;
  verdict.type = specification.name();
  for (const decide::Unit& unit : units) {
    verdict.operations += unit.part.size();
    verdict.pending += unit.part.pending_count;
  }
  const auto is = [](Verdict wanted) {
    return [wanted](const decide::Unit& unit) { return unit.outcome.verdict == wanted; };
  };
  auto deciding = std::find_if(units.begin(), units.end(), is(Verdict::violation));
  if (deciding == units.end()) deciding = std::find_if(units.begin(), units.end(), is(Verdict::unknown));
  const bool linearizable = deciding == units.end();
  if (linearizable) deciding = units.begin();
  const decide::Unit& unit = *deciding;
  verdict.verdict = linearizable ? Verdict::linearizable : unit.outcome.verdict;
  verdict.decider = unit.decider == nullptr ? std::string("search") : std::string(unit.decider->name);
  verdict.why = unit.why;
  if (units.size() > 1) verdict.why = fmt::format("split into {} keys; {}", units.size(), unit.why);
  if (unit.skipped) verdict.why += "; left undecided because another part is refuted";
  switch (verdict.verdict) {
    case Verdict::linearizable:
      if (options.witness && std::all_of(units.begin(), units.end(), has_witness)) {
        verdict.witness = merge_witnesses(units);
      }
      break;
    case Verdict::violation: verdict.violation = violation_of(unit, units.size() > 1, options, budget); break;
    case Verdict::unknown:
      verdict.reason = unit.refused.empty() ? unit.outcome.reason : Reason::internal;
      verdict.longest = to_history(unit.part, unit.outcome.longest);
      if (unit.outcome.blocked) verdict.reached = unit.part.operation[*unit.outcome.blocked];
      break;
  }
  return verdict;
}

/// What a refused core was made smaller from, if it was: where that is decided again and refuted, the answer is right
/// all the same.
std::optional<Violation> core_as_it_came(const ObjectVerdict& refused, std::span<const decide::Unit> units,
                                         const Specification& specification, const CheckOptions& options,
                                         Examiner& examiner, core::Budget& budget) {
  if (!refused.violation || !options.shrink) return std::nullopt;
  CheckOptions unshrunk = options;
  unshrunk.shrink = false;
  const History& history = *units.front().part.history;
  ObjectVerdict whole = combine(history, refused.object, specification, units, unshrunk, budget);
  if (examiner.examine(whole, specification) || whole.core_checked != true) return std::nullopt;
  return std::move(whole.violation);
}

/// The field to order by; null: none is asked for, or there is nothing to order.
Result<const Field*> field_of(const History& history, const CheckOptions& options, const core::Decider* forced) {
  if (options.order_by.empty()) return nullptr;
  if (forced != nullptr && forced != &decide::supplied_order()) {
    return Error{.code = ErrorCode::bad_option,
                 .message = fmt::format("{} does not look at a supplied order", forced->name),
                 .hint = fmt::format("leave the decider out, or ask for {}", decide::supplied_order().name)};
  }
  const Field* const field = history.find_field(options.order_by);
  if (field == nullptr && history.size() == 0) return nullptr;
  if (field != nullptr) {
    for (OperationIndex i = 0; i < history.size(); ++i) {
      const Value::Kind kind = field->values[i.number()].kind();
      if (kind == Value::Kind::none || kind == Value::Kind::integer || kind == Value::Kind::big_integer) continue;
      return history::error_at(history, i, ErrorCode::bad_number,
                               fmt::format("the {} of {} is {}", options.order_by, history.describe(i),
                                           history.pool().to_text(field->values[i.number()])),
                               "an order is that of integers; an operation without one leaves the field out");
    }
    return field;
  }
  std::string known;
  for (const Field& each : history.fields()) known.append(known.empty() ? "" : ", ").append(each.name);
  return Error{.code = ErrorCode::missing_field,
               .source = history.source(),
               .message = fmt::format("no operation has a field '{}' to order by", options.order_by),
               .hint = known.empty() ? "docs/formats/ says how operations carry fields"
                                     : fmt::format("the operations have {}", known)};
}

/// The part as a unit decided by its supplied order; nothing where that is refused, which `refused` then says.
std::optional<decide::Unit> follow_order(history::Subhistory& part, const core::Decider* forced,
                                         std::optional<RefusedOrder>& refused, core::Budget& budget) {
  const core::Decider& decider = decide::supplied_order();
  decide::SuppliedOrder order = decide::follow_supplied_order(part, budget);
  const bool out_of_budget = order.outcome.verdict == Verdict::unknown && order.against.empty();
  if (!order.against.empty()) refused = {order.outcome.sentence, to_history(part, order.against)};
  if (forced == nullptr && refused) return std::nullopt;
  decide::Unit unit;
  unit.part = std::move(part);
  unit.decider = &decider;
  unit.forced = forced != nullptr;
  unit.decided = !out_of_budget || unit.forced;
  unit.why = refused                                       ? "the order is refused"
             : order.outcome.verdict == Verdict::violation ? "decided by versions: what operations returned tells them"
                                                           : decider.applicable(unit.part).why;
  unit.outcome = std::move(order.outcome);
  return unit;
}

}  // namespace

/// `check`, where there is memory enough.
static Result<HistoryVerdict> check_in_memory(const History& recorded, const CheckOptions& options) {
  core::Budget budget(options.limits);
  const auto asked_for = specifications_of(recorded, options);
  if (!asked_for) return asked_for.error();
  const std::optional<WeakerOrder> weaker = weaken(recorded, *asked_for);
  const History& history = weaker ? weaker->history : recorded;
  const Specifications& specifications = weaker ? weaker->specifications : *asked_for;
  const core::Decider* forced = nullptr;
  if (!options.decider.empty()) {
    forced = decide::find_decider(options.decider);
    if (forced == nullptr) {
      return Error{.code = ErrorCode::bad_option,
                   .message = fmt::format("there is no decider '{}'", options.decider),
                   .hint = fmt::format("the deciders are {}", decide::decider_names())};
    }
  }
  auto parts = history::split_by_object(history, specifications, options.ties);
  if (!parts) return parts.error();
  if (weaker) remember_recorded(*parts, recorded, *asked_for, options.ties);

  const auto order_by = field_of(history, options, forced);
  if (!order_by) return order_by.error();

  std::vector<decide::Unit> units;
  std::vector<std::size_t> first_unit = {0};
  std::vector<std::optional<RefusedOrder>> refused(parts->size());
  for (history::Subhistory& part : *parts) {
    part.order = *order_by;
    if (part.order != nullptr) {
      if (auto unit = follow_order(part, forced, refused[part.object.number()], budget)) {
        units.push_back(std::move(*unit));
        first_unit.push_back(units.size());
        continue;
      }
      part.order = nullptr;
    }
    for (decide::Unit& unit : decide::make_units(std::move(part), forced)) units.push_back(std::move(unit));
    first_unit.push_back(units.size());
  }
  const std::size_t objects = history.objects().size();
  HistoryVerdict verdict;
  verdict.operations = history.size();
  verdict.pending = history.pending_count();
  verdict.verdict = Verdict::linearizable;
  verdict.objects.resize(objects);
  std::vector<std::vector<RefusedEvidence>> refused_evidence(objects);
  std::optional<Examiner> examiner;
  if (options.verify != Verify::never) examiner.emplace(history, options, budget);
  for (bool again = true; std::exchange(again, false);) {
    decide::run_units(units,
                      {.decider = {.witness = options.witness},
                       .all = options.all,
                       .threads = options.threads,
                       .progress = options.progress},
                      budget);
    for (ObjectIndex object = 0; object < objects; ++object) {
      const std::size_t row = object.number();
      const std::span own = std::span(units).subspan(first_unit[row], first_unit[row + 1] - first_unit[row]);
      const Specification& specification = *specifications[row];
      ObjectVerdict& latest = verdict.objects[row];
      latest = combine(history, object, specification, own, options, budget);
      if (!examiner) continue;
      std::optional<std::string> why = examiner->examine(latest, specification);
      if (!why) continue;
      refused_evidence[row].push_back({latest.decider, latest.verdict, std::move(*why)});
      if (auto whole = core_as_it_came(latest, own, specification, options, *examiner, budget)) {
        refused_evidence[row].back().why += "; the core from which it was made smaller is refuted, so the answer stays";
        latest.violation = std::move(whole);
        latest.core_checked = true;
        continue;
      }
      again = true;
      if (examiner->take_back(latest, specification, own)) continue;
      const std::size_t first = first_unit[row];
      units[first] = join(history, specifications, object, own, options.ties);
      units.erase(units.begin() + static_cast<std::ptrdiff_t>(first) + 1,
                  units.begin() + static_cast<std::ptrdiff_t>(first_unit[row + 1]));
      for (std::size_t next = row + 1; next <= objects; ++next) first_unit[next] -= own.size() - 1;
    }
    if (again) decide::resume(units);
  }
  for (ObjectIndex object = 0; object < objects; ++object) {
    ObjectVerdict& latest = verdict.objects[object.number()];
    latest.refused_order = std::move(refused[object.number()]);
    latest.refused_evidence = std::move(refused_evidence[object.number()]);
    if (latest.verdict == Verdict::violation) {
      verdict.verdict = Verdict::violation;
    } else if (latest.verdict == Verdict::unknown && verdict.verdict == Verdict::linearizable) {
      verdict.verdict = Verdict::unknown;
      verdict.reason = latest.reason;
    }
  }
  if (verdict.verdict == Verdict::violation) verdict.reason = Reason::none;
  verdict.seconds = budget.seconds();
  verdict.peak_bytes = core::peak_resident_bytes();
  return verdict;
}

namespace {

/// What is left to say when the allocator refused: which thread it refused does not matter, oneTBB hands it over.
HistoryVerdict unknown_for_want_of_memory(const History& history, const CheckOptions& options) {
  HistoryVerdict verdict;
  verdict.reason = Reason::memory;
  verdict.operations = history.size();
  verdict.pending = history.pending_count();
  verdict.objects.resize(history.objects().size());
  for (ObjectIndex object = 0; object < history.objects().size(); ++object) {
    ObjectVerdict& own = verdict.objects[object.number()];
    own.object = object;
    own.name = history.objects()[object.number()].name;
    own.type = options.specification != nullptr
                   ? std::string(options.specification->name())
                   : (options.type ? *options.type : history.objects()[object.number()].type).to_string();
    own.reason = Reason::memory;
    own.decider = "search";
    own.why = "there was no memory left";
  }
  for (OperationIndex i = 0; i < history.size(); ++i) {
    ObjectVerdict& own = verdict.objects[history.object(i).number()];
    ++own.operations;
    if (history.pending(i)) ++own.pending;
  }
  return verdict;
}

}  // namespace

Result<HistoryVerdict> check(const History& history, const CheckOptions& options) {
  const core::Budget budget(options.limits);
  std::optional<Result<HistoryVerdict>> verdict;
  try {
    verdict = check_in_memory(history, options);
  } catch (const Misread& misread) {
    return error_of(misread, history, options);
  } catch (const std::bad_alloc&) {
  }
  const bool refused = !verdict;
  if (refused || (*verdict && (*verdict)->reason == Reason::memory)) core::return_freed_memory();
  if (refused) {
    verdict = unknown_for_want_of_memory(history, options);
    (*verdict)->seconds = budget.seconds();
    (*verdict)->peak_bytes = core::peak_resident_bytes();
  }
  return std::move(*verdict);
}

}  // namespace linchpin

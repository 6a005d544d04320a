#include "decide/framework/standardise.hpp"

#include <algorithm>

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include "base/none.hpp"

namespace linchpin::decide {

namespace {

using history::Rank;
using history::Subhistory;

/// The operations of one value, by their places in the bound history.
struct Matched {
  std::vector<std::size_t> adds, removes, others;  // completed ones, and the add in any case
  std::vector<std::size_t> pending_removes;
};

std::string text(const BoundHistory& bound, std::size_t at) {
  const Subhistory& part = *bound.part;
  return part.history->describe(part.operation[bound.operations[at].local]);
}

StandardFault fault(const BoundHistory& bound, std::initializer_list<std::size_t> places, std::string sentence) {
  StandardFault found{.locals = {}, .sentence = std::move(sentence)};
  for (const std::size_t at : places) found.locals.push_back(bound.operations[at].local);
  return found;
}

/// A moment is named by the rank of the event before it.
Moments moments(Rank call, Rank response) { return {.first = call.number(), .last = response.number() - 1}; }

std::vector<Matched> match(const BoundHistory& bound) {
  std::vector<Matched> matched(bound.values);
  for (std::size_t at = 0; at < bound.operations.size(); ++at) {
    const BoundOperation& operation = bound.operations[at];
    if (operation.value == kNone) continue;
    Matched& value = matched[operation.value];
    switch (operation.kind) {
      case ActKind::add: value.adds.push_back(at); break;
      case ActKind::take: (operation.pending() ? value.pending_removes : value.removes).push_back(at); break;
      default: value.others.push_back(at);
    }
  }
  return matched;
}

/// Tightens the intervals of one value; nothing where its operations can be left out.
std::optional<StandardFault> tighten(const BoundHistory& bound, const Matched& matched,
                                     std::optional<ContainerHistory::ValueOperations>& out) {
  const auto& operations = bound.operations;
  const auto is_look = [&](std::size_t at) { return operations[at].kind == ActKind::look; };
  const auto look = std::find_if(matched.others.begin(), matched.others.end(), is_look);
  const bool observed = look != matched.others.end() || !matched.removes.empty();
  if (matched.adds.empty()) {
    if (!observed) return std::nullopt;  // only misses, and pending removes that cannot have happened
    const std::size_t at = look != matched.others.end() ? *look : matched.removes[0];
    return fault(bound, {at}, fmt::format("{}, but nothing adds this value", text(bound, at)));
  }
  const std::size_t add = matched.adds[0];
  if (matched.removes.size() > 1) {
    return fault(bound, {add, matched.removes[0], matched.removes[1]},
                 fmt::format("{} and {} removed one value, which was added once", text(bound, matched.removes[0]),
                             text(bound, matched.removes[1])));
  }
  if (operations[add].pending() && !observed) return std::nullopt;

  // Of pending removes the first called can do all that the others can.
  std::optional<std::size_t> remove;
  if (!matched.removes.empty()) remove = matched.removes[0];
  if (!remove && !matched.pending_removes.empty()) remove = matched.pending_removes[0];
  const Rank end = bound.ranks;
  std::size_t earliest = add, latest = add;
  const auto include = [&](std::size_t at) {
    if (operations[at].response < operations[earliest].response) earliest = at;
    if (operations[at].call > operations[latest].call) latest = at;
  };
  for (const std::size_t at : matched.others) {
    if (is_look(at)) include(at);
  }
  if (remove) include(*remove);
  if (operations[earliest].response < operations[add].call) {
    return fault(bound, {add, earliest},
                 fmt::format("{} returned before {} was called", text(bound, earliest), text(bound, add)));
  }
  const Rank remove_response = !remove || operations[*remove].pending() ? end + 1 : operations[*remove].response;
  if (operations[latest].call > remove_response) {
    return fault(bound, {add, *remove, latest},
                 fmt::format("{} was called after {} had returned", text(bound, latest), text(bound, *remove)));
  }
  // What nobody removes is removed after everything; what may be overwritten, once its operations have begun.
  const Rank last_call = remove ? operations[*remove].call : bound.overwrites ? operations[add].call : end;
  out.emplace();
  out->value = operations[add].value;
  out->added = bound.part->view(operations[add].local);
  out->operations = {{ActKind::add, moments(operations[add].call, operations[earliest].response)},
                     {ActKind::take, moments(std::max(last_call, operations[latest].call), remove_response)}};
  for (const std::size_t at : matched.others) {
    Rank from = operations[at].call, to = operations[at].response;
    if (is_look(at)) {
      from = std::max(from, operations[add].call);
      to = std::min(to, remove_response);
    }
    out->operations.push_back({operations[at].kind, moments(from, to)});
  }
  return std::nullopt;
}

/// An operation that saw nothing inside, with a least chain of values that fill all of its moments.
StandardFault never_empty(const BoundHistory& bound, std::size_t empty, const ContainerHistory& history,
                          const std::vector<Matched>& matched, const std::vector<std::uint32_t>& value_of) {
  StandardFault found{
      .locals = {bound.operations[empty].local},
      .sentence = fmt::format("{} saw nothing inside, but at each moment of it a value was", text(bound, empty))};
  for (std::uint32_t moment = bound.operations[empty].call.number();
       moment < bound.operations[empty].response.number();) {
    std::uint32_t furthest = kNone;
    for (const std::uint32_t value : history.values()) {
      if (!history.inside(value, moment)) continue;
      if (furthest == kNone || history.remove(value).moments.first > history.remove(furthest).moments.first) {
        furthest = value;
      }
    }
    for (const auto* const places :
         {&matched[value_of[furthest]].adds, &matched[value_of[furthest]].removes, &matched[value_of[furthest]].others,
          &matched[value_of[furthest]].pending_removes}) {
      for (const std::size_t at : *places) found.locals.push_back(bound.operations[at].local);
    }
    moment = history.remove(furthest).moments.first;
  }
  return found;
}

/// In a container that overwrites: a value was there for good before the operation was called that saw nothing.
std::optional<StandardFault> written_before(const BoundHistory& bound, std::size_t empty,
                                            const ContainerHistory& history, const std::vector<Matched>& matched,
                                            const std::vector<std::uint32_t>& value_of) {
  for (const std::uint32_t value : history.values()) {
    if (history.add(value).moments.last >= bound.operations[empty].call.number()) continue;
    const Matched& written = matched[value_of[value]];
    StandardFault found = fault(bound, {empty, written.adds[0]},
                                fmt::format("{} was called when the value of {} had been there", text(bound, empty),
                                            text(bound, written.adds[0])));
    for (const std::size_t at : written.others) found.locals.push_back(bound.operations[at].local);
    return found;
  }
  return std::nullopt;
}

}  // namespace

void BoundHistory::make_ranks_dense() {
  std::vector<Rank> present;
  for (const BoundOperation& operation : operations) {
    present.push_back(operation.call);
    if (!operation.pending()) present.push_back(operation.response);
  }
  std::sort(present.begin(), present.end());
  const auto dense = [&](Rank rank) {
    const auto place = std::lower_bound(present.begin(), present.end(), rank) - present.begin();
    return Rank(static_cast<std::uint32_t>(place));
  };
  for (BoundOperation& operation : operations) {
    operation.call = dense(operation.call);
    if (!operation.pending()) operation.response = dense(operation.response);
  }
  ranks = Rank(present.size());
}

Binding bind(const Subhistory& part, const ContainerRules& rules) {
  Binding binding;
  BoundHistory& bound = binding.history;
  bound.part = &part;
  bound.ranks = part.ranks();
  bound.overwrites = rules.overwrites();
  absl::flat_hash_map<std::uint64_t, std::uint32_t> numbers;
  std::vector<bool> added;
  const auto obstacle = [&](std::uint32_t i, std::string_view why) {
    binding.obstacle = fmt::format("{} {}", part.history->describe(part.operation[i]), why);
    return binding;
  };
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    const bool pending = part.pending(i);
    const Act act = rules.act(part.view(i), pending);
    const bool changes = act.kind == ActKind::add || is_take(act.kind);
    if (pending && !changes && act.kind != ActKind::unclear) continue;
    const bool lost = act.kind == ActKind::lost_take || (act.kind == ActKind::take && act.value.is_unknown());
    const bool overwritten_and_taken = bound.overwrites && is_take(act.kind);
    const bool understood =
        !overwritten_and_taken && (act.kind <= ActKind::empty || act.kind == ActKind::missing || lost);
    if (!understood) return obstacle(i, "does not tell what it did to which value");
    BoundOperation operation{.kind = lost ? ActKind::take : act.kind,
                             .local = i,
                             .value = kNone,
                             .call = part.call[i],
                             .response = part.response[i]};
    if (act.kind != ActKind::empty && !(pending && lost)) {
      if (act.value.is_none() || act.value.is_nil() || act.value.is_unknown()) {
        return obstacle(i, "does not tell which value it is about");
      }
      const auto [entry, fresh] = numbers.try_emplace(act.value.bits(), static_cast<std::uint32_t>(numbers.size()));
      operation.value = entry->second;
      if (fresh) added.push_back(false);
      if (act.kind == ActKind::add) {
        if (added[operation.value]) {
          binding.obstacle = fmt::format("value {} is added twice", part.history->pool().to_text(act.value));
          return binding;
        }
        added[operation.value] = true;
      }
    }
    if (act.kind == ActKind::add && operation.value == kNone) {
      return obstacle(i, "does not tell which value it is about");
    }
    bound.operations.push_back(operation);
  }
  bound.values = static_cast<std::uint32_t>(numbers.size());
  return binding;
}

Standardised standardise(const BoundHistory& bound) {
  Standardised result;
  const std::vector<Matched> matched = match(bound);
  std::vector<ContainerHistory::ValueOperations> values;
  for (const Matched& each : matched) {
    std::optional<ContainerHistory::ValueOperations> value;
    if ((result.fault = tighten(bound, each, value))) return result;
    if (!value) continue;
    result.value_of.push_back(value->value);
    values.push_back(std::move(*value));
  }
  result.history.emplace(std::move(values), bound.ranks.number() + 1);
  for (std::size_t at = 0; at < bound.operations.size(); ++at) {
    const BoundOperation& operation = bound.operations[at];
    if (operation.kind != ActKind::empty) continue;
    if (bound.overwrites) {
      result.fault = written_before(bound, at, *result.history, matched, result.value_of);
      if (result.fault) return result;
      continue;
    }
    if (result.history->may_find_empty(moments(operation.call, operation.response))) continue;
    result.fault = never_empty(bound, at, *result.history, matched, result.value_of);
    return result;
  }
  return result;
}

}  // namespace linchpin::decide

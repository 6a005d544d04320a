#include "evidence/start.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "evidence/core.hpp"
#include "evidence/counted_start.hpp"
#include "evidence/semantics.hpp"

namespace linchpin::evidence {

namespace {

/// The open operations that took effect, ascending, and the state. All that returned took effect.
using Configuration = std::pair<std::vector<OperationIndex>, StateId>;
using Configurations = std::set<Configuration>;

struct Event {
  Tick tick;
  int kind;  // at one tick the lower comes first
  bool response;
  OperationIndex operation;
};

/// Calls and responses before the tick, in order.
std::vector<Event> events_before(const History& history, ObjectIndex object, Ties ties, Tick end) {
  std::vector<Event> events;
  for (OperationIndex i = 0; i < history.size(); ++i) {
    if (history.object(i) != object || history.call(i) >= end) continue;
    events.push_back({history.call(i), 1, false, i});
    if (history.pending(i) || history.response(i) >= end) continue;
    const bool first = ties == Ties::response_first && history.call(i) < history.response(i);
    events.push_back({history.response(i), first ? 0 : 2, true, i});
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const Event& a, const Event& b) { return std::tie(a.tick, a.kind) < std::tie(b.tick, b.kind); });
  return events;
}

class Configurer {
 public:
  Configurer(const History& history, const Specification& specification, core::Budget& budget)
      : binding_(history, specification), states_(specification.make_states()), budget_(budget) {}

  StateTable& states() { return *states_; }

  /// Adds what `configurations` lead to when some of `open` take effect. False when the cap or the budget ends it.
  bool close(Configurations& configurations, const std::vector<OperationIndex>& open) {
    std::vector<Configuration> todo(configurations.begin(), configurations.end());
    std::vector<StateId> successors;
    while (!todo.empty()) {
      const Configuration from = std::move(todo.back());
      todo.pop_back();
      for (const OperationIndex i : open) {
        const auto place = std::lower_bound(from.first.begin(), from.first.end(), i);
        if (place != from.first.end() && *place == i) continue;
        if (++steps_ > kMostSteps || budget_.spent()) return false;
        successors.clear();
        states_->successors(from.second, binding_.view(i), successors);
        for (const StateId state : successors) {
          Configuration next{from.first, state};
          next.first.insert(next.first.begin() + (place - from.first.begin()), i);
          if (configurations.insert(next).second) todo.push_back(std::move(next));
        }
      }
    }
    return true;
  }

 private:
  Binding binding_;
  std::unique_ptr<StateTable> states_;
  core::Budget& budget_;
  std::size_t steps_ = 0;
};

/// Only those in which the operation took effect, from then on taken for granted.
Configurations with(const Configurations& all, OperationIndex i) {
  Configurations kept;
  for (const Configuration& each : all) {
    Configuration next = each;
    if (std::erase(next.first, i) > 0) kept.insert(std::move(next));
  }
  return kept;
}

/// Whether `a` does what `b` does, or may do so, its result being lost.
bool may_do(const Operation& a, const Operation& b) {
  return a.method == b.method && (a.result == b.result || a.result_unknown()) && a.process == b.process &&
         std::equal(a.arguments.begin(), a.arguments.end(), b.arguments.begin(), b.arguments.end());
}

/// Whether the operations of `there` can take the places of those of `here`, all being open: each of another one, which
/// may do the same and need not return earlier. Those left over must be pending: they may as well be left out.
bool may_stand_for(const History& history, const Binding& binding, const std::vector<OperationIndex>& here,
                   std::vector<OperationIndex> there) {
  if (here.size() > there.size()) return false;
  // The one that returns last is the hardest to stand for; of those that can, the first to return does, so that pending
  // ones are left over.
  std::vector<OperationIndex> hardest_first = here;
  const auto later = [&](OperationIndex a, OperationIndex b) { return history.response(a) > history.response(b); };
  std::sort(hardest_first.begin(), hardest_first.end(), later);
  std::sort(there.rbegin(), there.rend(), later);
  for (const OperationIndex i : hardest_first) {
    const auto fits = std::find_if(there.begin(), there.end(), [&](OperationIndex k) {
      return history.response(k) >= history.response(i) && may_do(binding.view(k), binding.view(i));
    });
    if (fits == there.end()) return false;
    there.erase(fits);
  }
  return std::all_of(there.begin(), there.end(), [&](OperationIndex k) { return history.pending(k); });
}

std::size_t number_of_operations(const History& history, ObjectIndex object) {
  std::size_t number = 0;
  for (OperationIndex i = 0; i < history.size(); ++i) number += history.object(i) == object ? 1 : 0;
  return number;
}

/// Of all operations of the object.
std::optional<bool> all_lead_to(const History& history, ObjectIndex object, const Specification& specification,
                                Ties ties, std::span<const OperationIndex> core, Tick tick, const Specification& from,
                                core::Budget& budget) {
  const Binding binding(history, specification);
  const auto in_core = [&](OperationIndex i) { return std::binary_search(core.begin(), core.end(), i); };
  const auto pure = [&](OperationIndex i) { return specification.pure(binding.view(i)); };
  Tick last_call = tick;
  for (const OperationIndex i : core) {
    if (history.object(i) != object || (!history.pending(i) && history.response(i) < tick)) return false;
    last_call = std::max(last_call, history.call(i));
  }
  // What is called at the last tick of all may be cut off: a prefix of a linearizable history is linearizable.
  for (OperationIndex i = 0; i < history.size(); ++i) {
    const bool between = history.object(i) == object && history.call(i) >= tick && history.call(i) < last_call;
    if (between && !in_core(i) && !pure(i)) return false;
  }

  Configurer configurer(history, specification, budget);
  StateTable& states = configurer.states();
  Configurations possible = {{{}, states.initial()}};
  std::vector<OperationIndex> open;
  for (const Event& event : events_before(history, object, ties, tick)) {
    if (!event.response) {
      open.push_back(event.operation);
      continue;
    }
    // Nothing needs to take effect before a response that calls for it.
    if (std::any_of(possible.begin(), possible.end(), [&](const Configuration& each) {
          return !std::binary_search(each.first.begin(), each.first.end(), event.operation);
        })) {
      if (!configurer.close(possible, open)) return std::nullopt;
    }
    possible = with(possible, event.operation);
    std::erase(open, event.operation);
  }
  if (!configurer.close(possible, open)) return std::nullopt;

  // The start among them: everything open took effect that the core does not have, pure operations aside.
  std::vector<OperationIndex> ahead, gone;  // open: of the core; not of it, and no pure ones
  for (const OperationIndex i : open) {
    if (in_core(i)) {
      ahead.push_back(i);
    } else if (!pure(i)) {
      gone.push_back(i);
    }
  }
  const auto start_states = from.make_states();
  const std::string wanted = start_states->describe(start_states->initial(), history.pool());
  const auto start = std::find_if(possible.begin(), possible.end(), [&](const Configuration& each) {
    return states.describe(each.second, history.pool()) == wanted;
  });
  if (start == possible.end()) return false;
  std::sort(gone.begin(), gone.end());
  Configurations reached = {{gone, start->second}};
  if (!configurer.close(reached, ahead)) return std::nullopt;
  for (const Configuration& each : possible) {
    const bool covered = std::any_of(reached.begin(), reached.end(), [&](const Configuration& one) {
      if (one.second != each.second) return false;
      std::vector<OperationIndex> here, there;  // took effect only in the one, only in the other
      for (const OperationIndex i : open) {
        const bool in_one = std::binary_search(one.first.begin(), one.first.end(), i);
        const bool in_other = std::binary_search(each.first.begin(), each.first.end(), i);
        if (in_one == in_other || (pure(i) && (in_one || !in_core(i)))) continue;  // one obstacle less
        (in_one ? here : there).push_back(i);
      }
      return may_stand_for(history, binding, here, there);
    });
    if (!covered) return false;
  }
  return true;
}

}  // namespace

std::optional<bool> leads_to(const History& history, ObjectIndex object, const Specification& specification, Ties ties,
                             std::span<const OperationIndex> core, Tick tick, const Specification& from,
                             core::Budget& budget) {
  if (starts_unordered(from)) return counts_lead_to(history, object, specification, core, tick, from);
  if (specification.has_keys()) {
    // Keys have nothing to do with each other: those of the core's may be a history of their own.
    const auto own = *operations_at_stake(history, object, specification, core, history.size());
    if (own.size() == number_of_operations(history, object)) {
      return all_lead_to(history, object, specification, ties, core, tick, from, budget);
    }
    std::vector<OperationIndex> renumbered;
    for (const OperationIndex i : core) {
      const auto place = std::lower_bound(own.begin(), own.end(), i);
      if (place == own.end() || *place != i) return false;
      renumbered.push_back(OperationIndex(static_cast<std::size_t>(place - own.begin())));
    }
    const auto of_key =
        all_lead_to(history.restricted_to(own), object, specification, ties, renumbered, tick, from, budget);
    if (of_key != std::optional(false)) return of_key;
  }
  return all_lead_to(history, object, specification, ties, core, tick, from, budget);
}

Tick known_until(const History& history, ObjectIndex object, const Specification& specification,
                 std::span<const OperationIndex> core, Tick tick, const Specification& from) {
  const Binding binding(history, specification);
  const auto own = *operations_at_stake(history, object, specification, core, history.size());
  std::optional<std::set<std::uint64_t>> values;
  if (starts_unordered(from)) values = values_that_matter(history, specification, core, from);
  const auto left_out = [&](const Operation& operation) {
    const std::optional<Value> value = values ? specification.erasable(operation) : std::nullopt;
    return value && !values->contains(value->bits());
  };
  Tick until = kPending;
  for (const OperationIndex i : own) {
    const Operation operation = binding.view(i);
    if (history.call(i) < tick || specification.pure(operation) || left_out(operation)) continue;
    if (!std::binary_search(core.begin(), core.end(), i)) until = std::min(until, history.call(i));
  }
  return until;
}

}  // namespace linchpin::evidence

#include "evidence/start.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "evidence/configurations.hpp"
#include "evidence/core.hpp"
#include "evidence/counted_start.hpp"
#include "evidence/semantics.hpp"

namespace linchpin::evidence {

namespace {

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

std::vector<OperationIndex> operations_of(const History& history, ObjectIndex object) {
  std::vector<OperationIndex> operations;
  for (OperationIndex i = 0; i < history.size(); ++i) {
    if (history.object(i) == object) operations.push_back(i);
  }
  return operations;
}

/// Of these operations, ascending, as if there were no others.
std::optional<bool> all_lead_to(const History& history, std::span<const OperationIndex> operations,
                                const Specification& specification, Ties ties, std::span<const OperationIndex> core,
                                Tick tick, const Specification& from, core::Budget& budget) {
  const Binding binding(history, specification);
  const auto in_core = [&](OperationIndex i) { return std::binary_search(core.begin(), core.end(), i); };
  const auto pure = [&](OperationIndex i) { return specification.pure(binding.view(i)); };
  Tick last_call = tick;
  for (const OperationIndex i : core) {
    const bool known = std::binary_search(operations.begin(), operations.end(), i);
    if (!known || (!history.pending(i) && history.response(i) < tick)) return false;
    last_call = std::max(last_call, history.call(i));
  }
  // What is called at the last tick of all may be cut off: a prefix of a linearizable history is linearizable.
  for (const OperationIndex i : operations) {
    const bool between = history.call(i) >= tick && history.call(i) < last_call;
    if (between && !in_core(i) && !pure(i)) return false;
  }

  Configurations configurations(history, operations, specification, ties, budget);
  const auto possible = configurations.before(tick);
  if (!possible) return std::nullopt;
  const std::vector<OperationIndex> open = configurations.open();

  using Configuration = Configurations::Configuration;
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
  const auto start = std::find_if(possible->begin(), possible->end(), [&](const Configuration& each) {
    return configurations.states().describe(each.state, history.pool()) == wanted;
  });
  if (start == possible->end()) return false;
  const auto reached = configurations.from(configurations.with(gone, start->state), ahead);
  if (!reached) return std::nullopt;
  for (const Configuration& each : *possible) {
    const bool covered = std::any_of(reached->begin(), reached->end(), [&](const Configuration& one) {
      if (one.state != each.state) return false;
      std::vector<OperationIndex> here, there;  // took effect only in the one, only in the other
      for (const OperationIndex i : open) {
        const bool in_one = configurations.has(one, i);
        const bool in_other = configurations.has(each, i);
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
  const std::vector<OperationIndex> all = operations_of(history, object);
  if (specification.has_keys()) {
    // Keys have nothing to do with each other: those of the core's may be a history of their own.
    const auto own = *operations_at_stake(history, object, specification, core, history.size());
    if (own.size() < all.size()) {
      const auto of_key = all_lead_to(history, own, specification, ties, core, tick, from, budget);
      if (of_key != std::optional(false)) return of_key;
    }
  }
  return all_lead_to(history, all, specification, ties, core, tick, from, budget);
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

#include "types/deque/acts.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "algo/dense_values.hpp"
#include "base/none.hpp"
#include "types/deque/specification.hpp"
#include "types/deque/two_ends.hpp"

namespace linchpin::types::deque {

namespace {

core::Applicability no(std::string why) { return {.applies = false, .why = std::move(why)}; }

/// Why what is pushed cannot be followed.
std::string unclear_push(Value value) {
  if (value.is_unknown()) return "it is not known what was pushed";
  return value.is_nil() ? "nil is pushed, which a pop returns when it finds nothing" : "nothing is pushed";
}

}  // namespace

core::Applicability read(const history::Subhistory& part, Acts& acts) {
  const bool stealing = part.specification->get_if<WorkStealingDeque>() != nullptr;
  if (core::Applicability room = always_has_room(part); !stealing && !room.applies) return room;
  const std::uint32_t n = part.size();
  const ValuePool& pool = part.history->pool();
  const auto pushes = [&](std::uint32_t local) { return kContainerMethods.adds(part.method[local]); };
  algo::DenseValues dense;
  for (std::uint32_t i = 0; i < n; ++i) {
    if (pushes(i)) dense.observe(part.arguments(i)[0]);
  }
  dense.prepare();
  acts = {};
  acts.of.resize(n);
  std::vector<Value> value(n);  // what is pushed, popped or seen
  for (std::uint32_t i = 0; i < n; ++i) {
    const Operation operation = part.view(i);
    const bool gave_up = stealing && WorkStealingDeque::gave_up(operation);
    const Act act = act_of(kContainerMethods, operation, part.pending(i));
    acts.of[i] = end_act({act});
    acts.of[i].value = algo::ValueNumber::none();
    value[i] = act.value;
    if (gave_up) acts.of[i].kind = part.pending(i) ? ActKind::omitted : ActKind::free;
    if (!pushes(i)) continue;
    if (act.kind == ActKind::never) return no("a push did not happen");
    if (act.kind == ActKind::unclear) return no(unclear_push(act.value));
    const auto [number, fresh] = dense.add(act.value);
    if (!fresh) return no("value " + pool.to_text(act.value) + " is pushed twice");
    acts.of[i].value = number;
    acts.push.push_back(i);
  }
  acts.pop.assign(acts.push.size(), kNone);
  acts.peeks.assign(acts.push.size(), {kNone, kNone, kNone, kNone});
  algo::ByValue<bool> seen(acts.push.size(), false);
  bool counts = false;  // something depends on values that nobody names
  const auto never = [&](std::vector<std::uint32_t> operations, std::string why) {
    acts.wrong = std::move(operations);
    acts.why = std::move(why);
  };
  for (std::uint32_t i = 0; i < n; ++i) {
    EndAct& act = acts.of[i];
    if (pushes(i) || act.kind == ActKind::omitted) continue;
    const bool pending = part.pending(i);
    if (act.kind == ActKind::lost_take) {
      if (!pending) return no("the result of a pop is unknown");
      acts.lost_takes = true;
      continue;
    }
    if (pending) return no("a pending pop has a result");
    counts = counts || act.kind == ActKind::count;
    if (act.kind == ActKind::never) never({i}, "no deque gives such a result");
    if (act.kind != ActKind::take && act.kind != ActKind::look) continue;
    const algo::ValueNumber number = dense.find(value[i]);
    if (number == algo::ValueNumber::none()) {
      never({i}, "nobody had pushed " + pool.to_text(value[i]));
      continue;
    }
    act.value = number;
    seen[number] = true;
    if (act.kind == ActKind::look) {
      std::uint32_t* const extremes = acts.peeks[number].data() + 2 * act.end;
      if (extremes[0] == kNone || part.response[i] < part.response[extremes[0]]) extremes[0] = i;
      extremes[1] = i;  // in the order of calls
      continue;
    }
    if (acts.pop[number] != kNone) {
      never({acts.push[number], acts.pop[number], i}, pool.to_text(value[i]) + " is pushed once and popped twice");
    }
    acts.pop[number] = i;
  }
  for (algo::ValueNumber number = 0; number < acts.push.size(); ++number) {
    if (!part.pending(acts.push[number])) continue;
    if (counts) return no("a push is pending where the number of values is told");
    if (!seen[number]) acts.of[acts.push[number]].kind = ActKind::omitted;
  }
  if (acts.lost_takes && counts) return no("a pop is pending where the number of values is told");
  std::sort(acts.wrong.begin(), acts.wrong.end());
  return {.applies = true, .why = "no value is pushed twice"};
}

}  // namespace linchpin::types::deque

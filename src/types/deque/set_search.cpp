// Decides deque histories in which values may repeat, or a capacity may have been reached. Compare: monitor.cpp,
// pair_search.cpp (unique values).
//
// The search over sets of contents (shared/content_set_search.hpp, deque_frontier.hpp).
// Precondition: no pop that returned with its result lost, nil is not pushed, at most 1,024 operations open at once.
#include "types/deque/set_search.hpp"

#include <string>
#include <utility>

#include "types/deque/ends_frontier.hpp"
#include "types/deque/two_ends.hpp"
#include "types/shared/staying.hpp"
#include "types/shared/unknown_past.hpp"

namespace linchpin::types::deque {

namespace {

/// What a push does that finds no room, or finds some.
void bound(EndActs& acts, const history::Subhistory& part, std::int64_t capacity) {
  for (std::uint32_t local = 0; local < part.size(); ++local) {
    EndAct& act = acts.of[local];
    if (act.kind != ActKind::add) continue;
    if (capacity == 0) act.kind = ActKind::never;
    if (0 < capacity && capacity <= EndAct::kAnyNumber) act.most = static_cast<std::uint32_t>(capacity - 1);
    if (!part.pending(local) && part.result(local).is_unknown()) acts.obstacle = "a push returned with its result lost";
  }
}

EndActs read_acts(const history::Subhistory& part) {
  const BoundedDeque* const bounded =
      always_has_room(part).applies ? nullptr : part.specification->get_if<BoundedDeque>();
  EndActs acts = read_end_acts(part, [bounded](const Operation& operation, bool pending) {
    if (bounded != nullptr && BoundedDeque::refused(operation)) {
      return ToldAct{{.kind = ActKind::count, .least = bounded->capacity, .most = bounded->capacity}};
    }
    return ToldAct{act_of(kContainerMethods, operation, pending)};
  });
  if (bounded != nullptr) bound(acts, part, bounded->capacity);
  acts.feel_height = true;  // ends that meet feel how many values there are
  return acts;
}

std::unique_ptr<core::SearchTask> start(const history::Subhistory& part, const core::DeciderOptions& options,
                                        const DequeSetEffort& effort) {
  EndActs acts = read_acts(part);
  const algo::FixedSlots slots = end_slots(part, acts);
  std::vector<bool> staying =
      long_staying_pushes(part, acts, [&](std::uint32_t local) { return acts.of[local].end == 0; });
  return algo::with_slots(slots.used, [&]<class Mask>() -> std::unique_ptr<core::SearchTask> {
    return std::make_unique<ContentSetSearch<EndsFrontier<Mask>, UnknownPast<Deques<Mask>>>>(
        part, options, effort, std::move(acts), slots, std::move(staying), std::vector<std::uint8_t>(), effort.apart);
  });
}

}  // namespace

core::Applicability sets_applicable(const history::Subhistory& part) {
  core::Applicability room = always_has_room(part);
  if (room.other_type) return room;
  const EndActs acts = read_acts(part);
  if (!acts.obstacle.empty()) return {.applies = false, .why = acts.obstacle};
  if (!acts.repeated && room.applies) return {.applies = false, .why = "no value is pushed twice"};
  if (end_slots(part, acts).used > algo::kMostOpen) return {.applies = false, .why = algo::kTooManyOpen};
  const std::string cause = room.applies ? "values repeat" : std::move(room.why);
  return {.applies = true, .why = cause + ": one set of contents for each set of done operations"};
}

std::unique_ptr<core::SearchTask> start_sets(const history::Subhistory& part, const core::DeciderOptions& options) {
  return start(part, options, DequeSetEffort{{.past_share = 4}});
}

core::Outcome sets_decide(const history::Subhistory& part, const core::DeciderOptions& options, core::Budget& budget,
                          const DequeSetEffort& effort) {
  const auto search = start(part, options, effort);
  search->run(UINT64_MAX / 2, budget);
  return search->outcome();
}

}  // namespace linchpin::types::deque

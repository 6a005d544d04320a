// Decides stack histories in which values may repeat. Compare: monitor.cpp (unique values, O(n log n)), decide/search.
//
// The search over sets of contents (shared/content_set_search.hpp), with sets of stacks (stack_frontier.hpp).
// Precondition: no pop that returned with its result lost, nil is not pushed, at most 1,024 operations open at once.
// Where values stay long, it shows late in which order they were pushed: there, more is kept.
#include "types/stack/set_search.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "types/shared/stack_frontier.hpp"
#include "types/shared/staying.hpp"
#include "types/shared/unknown_past.hpp"
#include "types/stack/acts.hpp"
#include "types/stack/specification.hpp"

namespace linchpin::types {

namespace {

template <class Mask>
using Search = ContentSetSearch<OneFrontier<Stacks<Mask>>, UnknownPast<Stacks<Mask>>>;

/// The act of an operation, with the height where its result tells that.
ToldAct told_by(const Stack& stack, const Operation& operation, bool pending) {
  const std::int64_t pushed = stack.heights == Stack::Heights::before ? 0 : 1;  // what a height counts of its own value
  if (operation.method == Stack::kPush && stack.returns_height(operation)) {
    const Value value = operation.argument(0);
    const ActKind kind = names_something(value) ? ActKind::add : ActKind::unclear;
    return {{.kind = kind, .value = value}, operation.pool->integer_of(operation.result) - pushed};
  }
  const auto pair = stack.popped_pair(operation);
  if (pair && !pair->value.is_nil()) {
    const ActKind kind = pair->value.is_none() ? ActKind::never : ActKind::take;
    return {{.kind = kind, .value = pair->value}, pair->height + pushed};
  }
  if (operation.method == Stack::kPop && stack.found_empty(operation)) {
    return {{.kind = pair && pair->height != 0 ? ActKind::never : ActKind::empty}};
  }
  return {act_of(kStackMethods, operation, pending)};
}

EndActs read_acts(const history::Subhistory& part) {
  const Stack& stack = *part.specification->get_if<Stack>();
  return read_end_acts(part,
                       [&](const Operation& operation, bool pending) { return told_by(stack, operation, pending); });
}

/// By section of responses, how often the width is doubled.
std::vector<std::uint8_t> wider_sections(const history::Subhistory& part, const EndActs& acts, unsigned wider) {
  constexpr std::uint32_t kSection = Search<algo::NarrowMask>::kApart;
  constexpr std::size_t kLong = 32;  // sections that a value stays
  std::vector<std::int64_t> least;   // by section: the height, as far as what has returned tells
  std::int64_t height = 0;
  std::size_t responses = 0;
  for (const history::Event event : part.events()) {
    if (!event.is_response()) continue;
    const EndAct& act = acts.of[event.operation()];
    if (!act.pure()) height += act.pops() ? -1 : 1;
    const std::size_t section = responses++ / kSection;
    if (section == least.size()) least.push_back(height);
    least[section] = std::min(least[section], height);
  }
  std::vector<std::uint8_t> times(least.size(), 0);
  for (std::size_t section = 0; section < least.size(); ++section) {
    std::size_t until = section + 1;
    while (until < least.size() && until - section <= kLong && least[until] >= least[section]) ++until;
    const std::size_t stays = until - section - 1;
    times[section] = static_cast<std::uint8_t>(stays >= kLong ? wider : stays >= kLong / 4 ? wider / 2 : 0);
  }
  return times;
}

}  // namespace

core::Applicability stack_sets_applicable(const history::Subhistory& part) {
  if (part.specification->get_if<Stack>() == nullptr) return core::not_of_this_type("the type is not a stack");
  const EndActs acts = read_acts(part);
  if (!acts.obstacle.empty()) return {.applies = false, .why = acts.obstacle};
  if (end_slots(part, acts).used > algo::kMostOpen) return {.applies = false, .why = algo::kTooManyOpen};
  constexpr std::string_view kHow = "one set of stacks for each set of done operations";
  if (part.specification->get_if<Stack>()->heights != Stack::Heights::no) {
    return {.applies = true, .why = fmt::format("results carry heights: {}", kHow)};
  }
  return {.applies = true, .why = fmt::format("{}{}", acts.repeated ? "values repeat: " : "", kHow)};
}

namespace {

/// @pre stack_sets_applicable(part)
std::unique_ptr<core::SearchTask> start(const history::Subhistory& part, const core::DeciderOptions& options,
                                        const StackSetEffort& effort) {
  EndActs acts = read_acts(part);
  const algo::FixedSlots slots = end_slots(part, acts);
  const auto never_at_front = [](std::uint32_t) { return false; };
  std::vector<bool> staying =
      acts.repeated ? long_staying_pushes(part, acts, never_at_front) : std::vector<bool>(part.size());
  // The fewer values there are, the less there is to be taken for each other.
  const auto values = static_cast<unsigned>(std::min<std::size_t>(acts.values.size(), effort.wider + 1));
  std::vector<std::uint8_t> wider = wider_sections(part, acts, std::max(values, 1U) - 1);
  return algo::with_slots(slots.used, [&]<class Mask>() -> std::unique_ptr<core::SearchTask> {
    return std::make_unique<Search<Mask>>(part, options, effort, std::move(acts), slots, std::move(staying),
                                          std::move(wider));
  });
}

}  // namespace

std::unique_ptr<core::SearchTask> start_stack_sets(const history::Subhistory& part,
                                                   const core::DeciderOptions& options) {
  // Of each way. No width is the best on every history, and on which one is, they do not agree.
  constexpr std::array<std::size_t, kContentSetWays> kWidths{12, 16, 8, 24};
  StackSetEffort effort;
  effort.width = kWidths[options.way % kContentSetWays];
  return start(part, options, effort);
}

core::Outcome stack_sets_decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                core::Budget& budget, const StackSetEffort& effort) {
  const auto search = start(part, options, effort);
  search->run(UINT64_MAX / 2, budget);
  return search->outcome();
}

}  // namespace linchpin::types

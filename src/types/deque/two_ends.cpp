#include "types/deque/two_ends.hpp"

#include <fmt/format.h>

#include "base/none.hpp"

namespace linchpin::types::deque {

namespace {

/// A look that the monitor does not follow; kNone: none. It follows looks at the end at which the value was
/// pushed and popped. A value that nobody popped counts as popped after the end, where it was pushed.
std::uint32_t strange_look(const TwoEnds& ends) {
  constexpr std::uint8_t kPushedAtBack = 1, kPoppedAtFront = 2, kPoppedAtBack = 4;
  const algo::ContainerHistory& history = ends.history;
  algo::ByValue<std::uint8_t> ends_of_value;
  for (std::uint32_t i = 0; i < history.size(); ++i) {
    if (history.kind[i] == ActKind::look) {
      ends_of_value.assign(history.values, 0);
      break;
    }
  }
  if (ends_of_value.empty()) return kNone;
  for (std::uint32_t i = 0; i < history.size(); ++i) {
    const bool back = ends.at_back[i] != 0;
    if (history.kind[i] == ActKind::add && back) ends_of_value[history.value[i]] |= kPushedAtBack;
    if (history.kind[i] == ActKind::take) ends_of_value[history.value[i]] |= back ? kPoppedAtBack : kPoppedAtFront;
  }
  for (std::uint32_t i = 0; i < history.size(); ++i) {
    if (history.kind[i] != ActKind::look) continue;
    const std::uint8_t known = ends_of_value[history.value[i]];
    const bool pushed_at_back = (known & kPushedAtBack) != 0;
    const bool passes = (known & (pushed_at_back ? kPoppedAtFront : kPoppedAtBack)) != 0;
    if (passes || (ends.at_back[i] != 0) != pushed_at_back) return i;
  }
  return kNone;
}

}  // namespace

std::vector<std::uint8_t> ends_of(std::span<const std::uint8_t> at_back, std::span<const std::uint32_t> operations) {
  std::vector<std::uint8_t> ends;
  ends.reserve(operations.size());
  for (const std::uint32_t i : operations) ends.push_back(at_back[i]);
  return ends;
}

core::Applicability always_has_room(const history::Subhistory& part) {
  if (const auto* const bounded = part.specification->get_if<BoundedDeque>()) {
    core::Applicability room{.why = may_be_full(part, kContainerMethods, bounded->capacity)};
    room.applies = room.why.empty();
    return room;
  }
  if (part.specification->get_if<Deque>() == nullptr) return core::not_of_this_type("not a deque");
  return {.applies = true, .why = {}};
}

core::Applicability bind(const history::Subhistory& part, TwoEnds& out) {
  const bool stealing = part.specification->get_if<WorkStealingDeque>() != nullptr;
  if (core::Applicability room = always_has_room(part); !stealing && !room.applies) return room;
  core::Applicability applicability = bind_container(part, kContainerMethods, out.history);
  if (!applicability.applies) return applicability;
  const std::uint32_t size = part.size();
  out.at_back.resize(size);
  out.promised.assign(part.pending_count == 0 ? 0 : size, algo::ValueNumber::none());
  static_assert(Deque::kPushBack % 2 == 1 && Deque::kPopBack % 2 == 1 && Deque::kPeekBack % 2 == 1);
  for (std::uint32_t i = 0; i < size; ++i) {
    const bool pushes_or_pops = part.method[i] <= Deque::kPopBack;
    out.at_back[i] = pushes_or_pops || out.history.kind[i] == ActKind::look ? part.method[i] % 2 : 0;
    if (stealing && WorkStealingDeque::gave_up(part.view(i))) {
      out.history.kind[i] = part.pending(i) ? ActKind::omitted : ActKind::free;
      out.history.value[i] = algo::ValueNumber::none();
      continue;
    }
    if (out.history.kind[i] != ActKind::take || !part.pending(i)) continue;
    out.history.kind[i] = ActKind::lost_take;
    out.promised[i] = out.history.value[i];
    out.history.value[i] = algo::ValueNumber::none();
  }
  if (const std::uint32_t look = strange_look(out); look != kNone) {
    return {false, fmt::format("{} looks at a value from an end at which it was not pushed or not popped, which the "
                               "monitor does not follow",
                               part.history->describe(part.operation[look]))};
  }
  return applicability;
}

}  // namespace linchpin::types::deque

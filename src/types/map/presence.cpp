// Decides the history of one key of a map whose values do not matter, only whether there is one.
//
// put_if_absent, remove and contains with yes-or-no results, a get that found nothing, and replace(k, v), which changes
// no presence, make the key one bit; algo/bits.hpp linearizes bits, however often it turns. Precondition: one key
// (split first), results that tell which of the two happened, no value that is shown; the options absent=nil and
// results=ack. Cost O(n log k), k = concurrency. Source and proof: algo/bits.hpp. Compare: map-key-monitor (values that
// are stored once), decide/search (any history). Tests: map_monitor_test.cpp, tests/cross/monitors_test.cpp.
#include "types/map/presence.hpp"

#include <fmt/format.h>

#include "types/bit_monitor.hpp"
#include "types/map/specification.hpp"

namespace linchpin::types::map {

namespace {

using algo::BitRole;
using history::Subhistory;

/// What the operation does to the key's presence; nothing where that is not certain, or a value matters.
std::optional<BitRole> presence_role(const Subhistory& part, std::uint32_t i) {
  const Value result = part.result(i);
  const bool pending = part.pending(i);
  const bool yes = result == Value::boolean(true), no = result == Value::boolean(false);
  // An acknowledgement, too, leaves open what the operation found.
  const bool says_little = result.is_unknown() || result.is_none() || result.is_nil() || part.view(i).says_ok();
  const auto tells = [&](BitRole done, BitRole not_done) -> std::optional<BitRole> {
    if (yes) return done;
    return no ? std::optional(not_done) : std::nullopt;
  };
  switch (part.method[i]) {
    case Map::kContains:
      if (pending) return BitRole::ignored;
      return result.is_unknown() ? std::optional(BitRole::free) : tells(BitRole::sees_on, BitRole::sees_off);
    case Map::kGet:
      if (pending) return BitRole::ignored;
      return result.is_nil() ? std::optional(BitRole::sees_off) : std::nullopt;
    case Map::kPutIfAbsent:
      if (part.arguments(i)[1].is_nil()) return std::nullopt;  // stores nothing
      // What it would return: that it stored, or the value that keeps it from storing.
      if (pending) return yes || says_little ? BitRole::turns_on : BitRole::ignored;
      return result.is_nil() ? std::optional(BitRole::turns_on) : tells(BitRole::turns_on, BitRole::sees_on);
    case Map::kRemove:
      if (pending && says_little) return BitRole::turns_off;
      if (pending && no) return BitRole::ignored;
      // A value that it would return has to be there.
      return tells(BitRole::turns_off, BitRole::sees_off);
    case Map::kReplace:
      if (part.arguments(i).size() != 2 || part.arguments(i)[1].is_nil()) return std::nullopt;
      return pending ? std::optional(BitRole::ignored) : tells(BitRole::sees_on, BitRole::sees_off);
    default: return std::nullopt;
  }
}

}  // namespace

core::Applicability presence_applicable(const Subhistory& part) {
  const Map* const specification = part.specification->get_if<Map>();
  if (specification == nullptr) return core::not_of_this_type("not a map");
  // The monitor of values has said what stands in the way of both.
  if (specification->empty_string_is_absent || specification->previous_results) return {.applies = false, .why = {}};
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    if (part.method[i] >= Map::kSize || part.arguments(i)[0] != part.arguments(0)[0])
      return {.applies = false, .why = {}};
    if (presence_role(part, i)) continue;
    return {false,
            fmt::format("{} does not only tell whether the key was there", part.history->describe(part.operation[i]))};
  }
  return {true, "one key, and only whether it is there matters"};
}

core::Outcome presence_decide(const Subhistory& part, const core::DeciderOptions& options, core::Budget& budget) {
  return decide_bits(bit_operations(part, presence_role), options, budget, [&](std::uint32_t i, bool must_be_there) {
    return fmt::format(
        "{} needs the key {} to be {} at some moment, but it is {} {}: nothing that could change this takes effect "
        "before the return",
        part.history->describe(part.operation[i]), part.history->pool().to_text(part.arguments(i)[0]),
        must_be_there ? "there" : "absent", must_be_there ? "absent" : "there",
        algo::turns(*presence_role(part, i)) ? "by then" : "all the time");
  });
}

}  // namespace linchpin::types::map

// What the operations of a stack or a deque need and what they change, for the searches over sets of contents.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "algo/dense_values.hpp"
#include "algo/frontier/slots.hpp"
#include "history/subhistory.hpp"
#include "linchpin/act.hpp"

namespace linchpin::types {

using End = std::uint8_t;  ///< 0: the front; 1: the back, where a stack has its top

struct EndAct {
  static constexpr std::uint32_t kAnyNumber = 0xffffffffU;

  ActKind kind = ActKind::never;
  End end = 0;
  algo::ValueNumber value = 0;
  /// How many values have to be inside before the operation, at least and at most.
  std::uint32_t least = 0;
  std::uint32_t most = kAnyNumber;

  /// It leaves what is inside as it is.
  [[nodiscard]] bool pure() const { return kind != ActKind::add && !pops(); }
  [[nodiscard]] bool pops() const { return is_take(kind); }
  /// Whether it is done at one of the ends.
  [[nodiscard]] bool has_end() const { return !pure() || kind == ActKind::look; }
  [[nodiscard]] bool fits(std::uint32_t inside) const { return least <= inside && inside <= most; }
  /// Whether it can tell a content from the same one with something pushed and popped again around it.
  [[nodiscard]] bool feels_height() const { return most != kAnyNumber && (kind == ActKind::count || !pure()); }
  /// Legal wherever something is inside.
  [[nodiscard]] bool idle() const {
    return kind == ActKind::free || (kind == ActKind::count && least <= 1 && most == kAnyNumber);
  }
  bool operator==(const EndAct&) const = default;
};

struct EndActs {
  std::vector<EndAct> of;  ///< by local index
  algo::ByValue<Value> values;
  bool feel_height = false;  ///< some act does
  bool repeated = false;     ///< some value is pushed twice
  std::string obstacle;      ///< why these histories are not understood; empty when they are
};

/// A slot for each operation but those that are pending and pure, which are never needed.
[[nodiscard]] inline algo::FixedSlots end_slots(const history::Subhistory& part, const EndActs& acts) {
  return algo::fixed_slots(part, [&](std::uint32_t local) { return !part.pending(local) || !acts.of[local].pure(); });
}

/// An act, and how many values have to be inside before it where its result tells that besides the value.
struct ToldAct {
  Act act;
  std::optional<std::int64_t> inside = {};
};

/// The act in short; one that needs more or fewer values than there can be is legal nowhere.
[[nodiscard]] inline EndAct end_act(const ToldAct& told) {
  EndAct act{.kind = told.act.kind, .end = static_cast<End>(told.act.at_front ? 0 : 1)};
  const auto countable = [](std::int64_t number) { return 0 <= number && number < EndAct::kAnyNumber; };
  if (told.act.kind == ActKind::empty) act.most = 0;
  if (told.act.kind == ActKind::count) {
    if (!countable(told.act.least)) return {};
    act.least = static_cast<std::uint32_t>(told.act.least);
    if (countable(told.act.most)) act.most = static_cast<std::uint32_t>(told.act.most);
  }
  if (told.inside) {
    if (!countable(*told.inside)) return {};
    act.least = act.most = static_cast<std::uint32_t>(*told.inside);
  }
  return act;
}

/// Reads the operations of a part. O(n).
/// @param told  (operation, pending): a ToldAct
template <class Told>
[[nodiscard]] EndActs read_end_acts(const history::Subhistory& part, const Told& told) {
  EndActs acts;
  std::vector<Value> value(part.size(), Value::none());
  algo::DenseValues numbers;
  for (std::uint32_t local = 0; local < part.size(); ++local) {
    const Operation operation = part.view(local);
    const ToldAct read = told(operation, part.pending(local));
    const EndAct act = end_act(read);
    if (act.kind == ActKind::unclear) {
      acts.obstacle = fmt::format("{} is pushed", operation.pool->to_text(read.act.value));
    } else if (act.kind == ActKind::lost_take && !part.pending(local)) {
      acts.obstacle = "a pop returned with its result lost";
    }
    acts.of.push_back(act);
    acts.feel_height = acts.feel_height || act.feels_height();
    if (act.has_end() && act.kind != ActKind::lost_take) value[local] = read.act.value;
    numbers.observe(value[local]);
  }
  numbers.prepare();
  algo::ByValue<bool> pushed;
  for (std::uint32_t local = 0; local < part.size(); ++local) {
    if (value[local].is_none()) continue;
    const auto [number, fresh] = numbers.add(value[local]);
    if (fresh) acts.values.push_back(value[local]);
    acts.of[local].value = number;
    if (acts.of[local].kind != ActKind::add) continue;
    if (!(number < pushed.size())) pushed.resize(acts.values.size(), false);
    acts.repeated = acts.repeated || pushed[number];
    pushed[number] = true;
  }
  return acts;
}

}  // namespace linchpin::types

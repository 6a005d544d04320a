#include "types/bag/values.hpp"

#include <utility>

#include <fmt/format.h>

#include "algo/dense_values.hpp"
#include "types/bag/acts.hpp"

namespace linchpin::types::bag {

std::string read(const Subhistory& part, Values& out) {
  const std::uint32_t count = part.size();
  history::Acts acts = read_acts(part);
  out.part = &part;
  out.end = part.ranks();
  out.value_of.assign(count, ValueNumber::none());
  const auto text = [&](std::uint32_t i) { return part.history->describe(part.operation[i]); };
  algo::DenseValues dense;
  const auto concerns_one = [&](std::uint32_t i) {
    return acts.kind[i] <= ActKind::take || acts.kind[i] == ActKind::missing;
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    const ActKind kind = acts.kind[i];
    if (kind >= ActKind::count && kind != ActKind::free) {
      return fmt::format("{} does not tell what it did to which value", text(i));
    }
    if (kind == ActKind::lost_take) {
      if (!part.pending(i)) return fmt::format("{} does not tell what it did to which value", text(i));
      ++out.lost;
    }
    if (concerns_one(i)) dense.observe(acts.value[i]);
    if (kind == ActKind::empty) ++out.empties;
    if (kind == ActKind::add && acts.value[i].is_nil()) return "nil is added and is also the answer of an empty bag";
  }
  dense.prepare();
  std::uint32_t missing = kNone;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!concerns_one(i)) {
      if (acts.kind[i] == ActKind::empty && missing == kNone) missing = i;
      continue;
    }
    const auto [id, fresh] = dense.add(acts.value[i]);
    if (fresh) out.ranks.emplace_back();
    out.value_of[i] = id;
    ValueRanks& ranks = out.ranks[id];
    if (acts.kind[i] == ActKind::add) ++ranks.added;
    if (acts.kind[i] == ActKind::missing) ranks.missed = true;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    if (acts.kind[i] != ActKind::add || !out.ranks[out.value_of[i]].repeats()) continue;
    out.any_repeats = true;
    const std::string twice = fmt::format("value {} is added twice", part.history->pool().to_text(acts.value[i]));
    if (missing != kNone) return fmt::format("{}, and {} found nothing inside", twice, text(missing));
    if (!out.ranks[out.value_of[i]].missed) continue;
    return fmt::format("{}, and something found it missing", twice);
  }
  out.kind = std::move(acts.kind);
  return {};
}

}  // namespace linchpin::types::bag

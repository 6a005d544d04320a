#include "types/bag/values.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "algo/dense_values.hpp"
#include "types/answers.hpp"
#include "types/bag/specification.hpp"

namespace linchpin::types::bag {

namespace {

bool names_a_value(const Subhistory& part, std::uint32_t i) {
  return part.method[i] == Bag::kAdd || part.method[i] == Bag::kRemove || part.method[i] == Bag::kContains;
}

/// What the operation did; nothing where that is not certain.
std::optional<BagRole> role_of(const Subhistory& part, std::uint32_t i) {
  const Operation operation = part.view(i);
  const bool pending = part.pending(i);
  const bool yes = says_true(operation), no = says_false(operation), unknown = operation.result_unknown();
  switch (part.method[i]) {
    case Bag::kAdd: return operation.acknowledged(0) ? std::optional(BagRole::adds) : std::nullopt;
    case Bag::kRemove:
      if (no) return pending ? BagRole::ignored : BagRole::misses;
      return yes || (pending && unknown) ? std::optional(BagRole::removes) : std::nullopt;
    case Bag::kContains:
      if (pending) return BagRole::ignored;
      if (unknown) return BagRole::free;
      return yes ? std::optional(BagRole::sees) : no ? std::optional(BagRole::misses) : std::nullopt;
    case Bag::kTake:
      if (unknown) return pending ? std::optional(BagRole::lost) : std::nullopt;
      if (operation.result.is_nil()) return pending ? BagRole::ignored : BagRole::finds_empty;
      return BagRole::removes;
    case Bag::kSize:
    case Bag::kIsEmpty:
      if (pending) return BagRole::ignored;
      if (unknown) return BagRole::free;
      return (part.method[i] == Bag::kIsEmpty ? yes : returns_number(operation, 0))
                 ? std::optional(BagRole::finds_empty)
                 : std::nullopt;
    default: return std::nullopt;
  }
}

}  // namespace

std::string read(const Subhistory& part, Values& out) {
  const std::uint32_t count = part.size();
  out.part = &part;
  out.end = part.ranks();
  out.role.resize(count);
  out.value_of.assign(count, kNone);
  const auto text = [&](std::uint32_t i) { return part.history->describe(part.operation[i]); };
  algo::DenseValues dense;
  const auto value = [&](std::uint32_t i) { return names_a_value(part, i) ? part.arguments(i)[0] : part.result(i); };
  const auto concerns_one = [&](std::uint32_t i) {
    return out.role[i] != BagRole::finds_empty && out.role[i] != BagRole::lost && out.role[i] != BagRole::ignored &&
           out.role[i] != BagRole::free;
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::optional<BagRole> role = role_of(part, i);
    if (!role) return fmt::format("{} does not tell what it did to which value", text(i));
    out.role[i] = *role;
    if (concerns_one(i)) dense.observe(value(i));
    if (*role == BagRole::finds_empty) ++out.empties;
    if (*role == BagRole::lost) ++out.lost;
    if (*role == BagRole::adds && value(i).is_nil()) return "nil is added and is also the answer of an empty bag";
  }
  dense.prepare();
  std::uint32_t missing = kNone;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!concerns_one(i)) {
      if (out.role[i] == BagRole::finds_empty && missing == kNone) missing = i;
      continue;
    }
    const auto [id, fresh] = dense.add(value(i));
    if (fresh) out.ranks.emplace_back();
    out.value_of[i] = id;
    ValueRanks& ranks = out.ranks[id];
    if (out.role[i] == BagRole::adds) ++ranks.added;
    if (out.role[i] == BagRole::misses) ranks.missed = true;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    if (out.role[i] != BagRole::adds || !out.ranks[out.value_of[i]].repeats()) continue;
    out.any_repeats = true;
    const std::string twice = fmt::format("value {} is added twice", part.history->pool().to_text(value(i)));
    if (missing != kNone) return fmt::format("{}, and {} found nothing inside", twice, text(missing));
    if (!out.ranks[out.value_of[i]].missed) continue;
    return fmt::format("{}, and something found it missing", twice);
  }
  return {};
}

}  // namespace linchpin::types::bag

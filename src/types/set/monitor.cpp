// Decides set histories: each element is a bit, and algo/bits.hpp linearizes bits, all elements in one sweep.
//
// An add that returned true turned its element's bit on; one that returned false saw it on. Precondition: add, remove
// and contains only, with results that tell which of the two happened; elements may repeat without limit. No split by
// key is needed first. Cost O(n log k), k = concurrency. Source and proof: algo/bits.hpp.
// Compare: decide/search (any history). Tests: set_monitor_test.cpp.
#include "types/set/monitor.hpp"

#include <fmt/format.h>

#include "algo/dense_values.hpp"
#include "types/bit_monitor.hpp"
#include "types/set/specification.hpp"

namespace linchpin::types::set {

namespace {

using algo::BitRole;
using history::Subhistory;

/// What the operation does to its element's bit; nothing where that is not certain.
std::optional<BitRole> role_of(const Subhistory& part, std::uint32_t i) {
  const Value result = part.result(i);
  const bool pending = part.pending(i);
  const bool no = result == Value::boolean(false);
  const bool yes = result == Value::boolean(true);
  if (pending && (no || part.method[i] == Set::kContains)) return BitRole::ignored;
  if (!yes && !no && !result.is_unknown()) return std::nullopt;
  switch (part.method[i]) {
    case Set::kAdd:
      if (yes || pending) return BitRole::turns_on;
      if (no) return BitRole::sees_on;
      return std::nullopt;
    case Set::kRemove:
      if (yes || pending) return BitRole::turns_off;
      if (no) return BitRole::sees_off;
      return std::nullopt;
    case Set::kContains: return yes ? BitRole::sees_on : no ? BitRole::sees_off : BitRole::free;
    default: return std::nullopt;
  }
}

}  // namespace

core::Applicability applicable(const Subhistory& part) {
  if (part.specification->get_if<Set>() == nullptr) return core::not_of_this_type("not a set");
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    if (part.method[i] > Set::kContains) {
      return {false, fmt::format("{} sees or changes all elements", part.history->describe(part.operation[i]))};
    }
    if (!role_of(part, i)) {
      return {false,
              fmt::format("{} does not tell whether the element was there", part.history->describe(part.operation[i]))};
    }
  }
  return {true, "each operation concerns one element and tells whether it was there"};
}

core::Outcome decide(const Subhistory& part, const core::DeciderOptions& options, core::Budget& budget) {
  algo::BitOperations operations = bit_operations(part, role_of);
  if (!part.key) {
    algo::DenseValues dense;
    for (std::uint32_t i = 0; i < part.size(); ++i) dense.observe(part.arguments(i)[0]);
    dense.prepare();
    operations.bit.reserve(part.size());
    for (std::uint32_t i = 0; i < part.size(); ++i) {
      operations.bit.push_back(dense.add(part.arguments(i)[0]).first.number());
    }
    operations.bits = dense.count();
  }
  return decide_bits(operations, options, budget, [&](std::uint32_t i, bool must_be_there) {
    const std::string element = part.history->pool().to_text(part.arguments(i)[0]);
    return fmt::format("{} needs {} to be {} the set, but it was {} {}: no {}({}) could take effect in time",
                       part.history->describe(part.operation[i]), element, must_be_there ? "in" : "out of",
                       must_be_there ? "out" : "in",
                       algo::turns(*role_of(part, i)) ? "at the return" : "during the whole call",
                       must_be_there ? "add" : "remove", element);
  });
}

}  // namespace linchpin::types::set

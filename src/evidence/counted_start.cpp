#include "evidence/counted_start.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "core/data_type.hpp"
#include "evidence/semantics.hpp"

namespace linchpin::evidence {

namespace {

/// Of the option; nothing where it is not given.
std::optional<std::vector<Value>> values_at_first(const Specification& from) {
  const auto type = TypeName::parse(from.name());
  const core::DataType* const data_type = type ? core::find_data_type(type->name) : nullptr;
  if (data_type == nullptr || data_type->unordered_option.empty()) return std::nullopt;
  core::TypeOptions given(*type);
  if (!given.text(data_type->unordered_option)) return std::nullopt;
  return given.values(data_type->unordered_option);
}

/// Than the value that it is about. An answer that may be any, of what need not have happened at all, tells nothing.
bool tells_more(const History& history, OperationIndex i, const Operation& operation,
                const Specification& specification) {
  return specification.sensitive(operation) && !(history.pending(i) && operation.result_unknown());
}

}  // namespace

bool starts_unordered(const Specification& from) { return values_at_first(from).has_value(); }

std::optional<std::set<std::uint64_t>> values_that_matter(const History& history, const Specification& specification,
                                                          std::span<const OperationIndex> core,
                                                          const Specification& from) {
  const Binding binding(history, specification);
  std::set<std::uint64_t> values;
  const auto at_first = values_at_first(from);
  for (const Value value : *at_first) values.insert(value.bits());
  for (const OperationIndex i : core) {
    const Operation operation = binding.view(i);
    if (tells_more(history, i, operation, specification)) return std::nullopt;
    if (const auto value = specification.erasable(operation)) values.insert(value->bits());
  }
  return values;
}

bool counts_lead_to(const History& history, ObjectIndex object, const Specification& specification,
                    std::span<const OperationIndex> core, Tick tick, const Specification& from) {
  // Empty at first, and the same type but for what is inside.
  const auto type = TypeName::parse(from.name());
  if (specification.name() != type->name || specification.methods().data() != from.methods().data()) return false;
  const Binding binding(history, specification);
  const auto returned = [&](OperationIndex i) { return !history.pending(i) && history.response(i) < tick; };
  const auto matter = values_that_matter(history, specification, core, from);
  struct Inside {
    std::int64_t wanted = 0;  // more than what is counted
    bool later = false;
  };
  std::map<std::uint64_t, Inside> inside;  // by value
  const auto at_first = values_at_first(from);
  for (const Value value : *at_first) ++inside[value.bits()].wanted;
  Tick last_call = tick;
  for (const OperationIndex i : core) {
    if (history.object(i) != object || returned(i)) return false;
    const Operation operation = binding.view(i);
    const bool open = history.call(i) < tick;  // at the tick
    if (open && (specification.pure(operation) || tells_more(history, i, operation, specification))) return false;
    last_call = std::max(last_call, history.call(i));
  }

  for (OperationIndex i = 0; i < history.size(); ++i) {
    const Operation operation = binding.view(i);
    if (history.object(i) != object || specification.pure(operation)) continue;
    // What is called at the last tick of all may be cut off: a prefix of a linearizable history is linearizable.
    const bool past = returned(i), cut_off = !past && history.call(i) >= last_call && history.call(i) >= tick;
    if (std::binary_search(core.begin(), core.end(), i) || cut_off) continue;
    const std::optional<Value> value = specification.erasable(operation);
    if (!value || (past && tells_more(history, i, operation, specification))) return false;
    Inside& own = inside[value->bits()];
    if (!past) {
      own.later = true;
    } else if (operation.arguments.size() == 1 && operation.argument(0) == *value) {
      --own.wanted;
    } else if (operation.arguments.empty() && !operation.result_unknown()) {
      ++own.wanted;
    } else {
      return false;
    }
  }
  // A value that is left out is so as a whole, and what is left may not tell of it.
  return std::all_of(inside.begin(), inside.end(), [&](const auto& each) {
    const auto& [wanted, later] = each.second;
    return (wanted == 0 && !later) || (matter && !matter->contains(each.first));
  });
}

}  // namespace linchpin::evidence

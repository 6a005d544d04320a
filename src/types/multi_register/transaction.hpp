// What transactions on registers have in common, whether their store tells versions or not: parts, which the result
// completes.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "base/names.hpp"
#include "linchpin/specification_interface.hpp"

namespace linchpin::types::multi_register {

/// A part as it is written: [read key value] or [write key value], with more fields where a type has them.
struct PartFields {
  bool writes = false;
  std::span<const Value> fields;
  [[nodiscard]] Value value() const { return fields.size() > 2 ? fields[2] : Value::nil(); }
};

/// Nothing: it is none, or has more fields than `most`. Only a read may leave its value out.
inline std::optional<PartFields> fields_of(Value part, std::size_t most, const ValuePool& pool) {
  if (!part.is_list()) return std::nullopt;
  const std::span<const Value> fields = pool.elements_of(part);
  if (fields.size() < 2 || fields.size() > most || !fields[0].is_string()) return std::nullopt;
  const std::string_view name = pool.text_of(fields[0]);
  const bool reads = base::is_listed("r read get", name);
  const bool writes = base::is_listed("w write put set", name);
  if ((fields.size() == 2 && !reads) || (!reads && !writes)) return std::nullopt;
  return PartFields{writes, fields};
}

/// Calls `visitor` for each part, completed by the result, until it says no. False when it did, or when the result does
/// not complete the arguments. `parse(part)` reads a part, or says that it is none; `complete(micro, asked, answer)`
/// gives the micro-operation that was answered what was asked and the answer say, or says that they contradict each
/// other. An answer that was lost is taken for what was asked.
template <class Parse, class Complete, class Visitor>
bool visit_parts(const Operation& operation, Parse&& parse, Complete&& complete, Visitor&& visitor) {
  const ValuePool& pool = *operation.pool;
  const std::span<const Value> asked = pool.elements_of(operation.argument(0));
  const bool completed = operation.result.is_list();
  if (!completed && !operation.acknowledged()) return false;
  const std::span<const Value> answered = completed ? pool.elements_of(operation.result) : asked;
  if (answered.size() != asked.size()) return false;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const auto wanted = parse(asked[i]);
    auto micro = answered[i].is_unknown() ? wanted : parse(answered[i]);
    if (!wanted || !micro || wanted->writes != micro->writes || wanted->key != micro->key) return false;
    if (wanted->writes && wanted->value != micro->value) return false;
    if (!complete(*micro, *wanted, answered[i]) || !visitor(*micro)) return false;
  }
  return true;
}

}  // namespace linchpin::types::multi_register

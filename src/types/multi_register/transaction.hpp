// What transactions on registers have in common, whether their store tells versions or not: how parts are written.
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

/// The version that a part ends with, whatever it is; nothing: it is no part, or has none.
inline std::optional<Value> version_of(Value part, const ValuePool& pool) {
  if (!part.is_list() || pool.elements_of(part).size() != 4 || !fields_of(part, 4, pool)) return std::nullopt;
  return pool.elements_of(part)[3];
}

}  // namespace linchpin::types::multi_register

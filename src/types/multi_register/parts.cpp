#include "types/multi_register/parts.hpp"

#include <utility>

#include "types/multi_register/specification.hpp"

namespace linchpin::types::multi_register {

std::optional<std::vector<core::Part>> parts_of(const Specification& specification, const Operation& operation) {
  if (specification.get_if<MultiRegister>() == nullptr) return std::nullopt;  // versions are no values
  std::vector<core::Part> parts;
  const bool complete = MultiRegister::visit(operation, [&](const MultiRegister::MicroOperation& micro) {
    if (micro.value.is_none()) return false;
    if (micro.writes || !micro.value.is_nil()) parts.push_back({micro.writes, micro.key, micro.value});
    return true;
  });
  return complete ? std::optional(std::move(parts)) : std::nullopt;
}

Value operation_of(std::span<const core::Part> parts, const ValuePool& from, ValuePool& pool) {
  std::vector<Value> list;
  for (const core::Part& part : parts) {
    list.push_back(
        pool.list({pool.string(part.changes ? "w" : "r"), pool.import(part.key, from), pool.import(part.value, from)}));
  }
  return pool.list(list);
}

bool starts_anywhere(const Specification& specification) {
  const auto* const registers = specification.get_if<MultiRegister>();
  return registers != nullptr && !registers->initial_value;
}

}  // namespace linchpin::types::multi_register

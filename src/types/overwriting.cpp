#include "core/overwriting.hpp"

#include "types/array/specification.hpp"
#include "types/cas_register/specification.hpp"
#include "types/map/specification.hpp"
#include "types/register/specification.hpp"

namespace linchpin::core {

std::optional<Value> overwrites(const Specification& specification, const Operation& operation) {
  if (const auto* const type = specification.get_if<types::Register>()) return type->overwrites(operation);
  if (const auto* const type = specification.get_if<types::CasRegister>()) return type->overwrites(operation);
  if (const auto* const type = specification.get_if<types::Map>()) return type->overwrites(operation);
  if (const auto* const type = specification.get_if<types::Array>()) return type->overwrites(operation);
  return std::nullopt;
}

}  // namespace linchpin::core

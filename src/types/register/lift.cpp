#include "types/register/lift.hpp"

#include <fmt/format.h>

#include "types/register/specification.hpp"

namespace linchpin::types::register_ {

core::LiftHistory read_lift(const history::Subhistory& part) {
  const Register* const specification = part.specification->get_if<Register>();
  if (specification == nullptr) return {.obstacle = "not a register", .other_type = true};
  core::LiftHistory read{
      .overwrites = true, .initial = specification->initial_value, .added = "written", .taken = "read"};
  read.acts.resize(part.size());
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    const Value result = part.result(i);
    if (part.method[i] == Register::kWrite) {
      const Value value = part.arguments(i)[0];
      if (value.is_unknown() || value.is_none() || !part.view(i).acknowledged(0)) {
        read.obstacle = fmt::format("{} does not tell what it did", part.history->describe(part.operation[i]));
        break;
      }
      read.acts[i] = {.role = core::LiftRole::adds, .value = value, .by_argument = true};
    } else if (!part.pending(i)) {
      if (result.is_unknown()) {
        read.obstacle = fmt::format("{} has lost its result", part.history->describe(part.operation[i]));
        break;
      }
      read.acts[i] = {.role = core::LiftRole::looks, .value = result};
    }
  }
  return read;
}

}  // namespace linchpin::types::register_

#include "types/stack/lift.hpp"

#include "types/container_lift.hpp"
#include "types/stack/acts.hpp"
#include "types/stack/specification.hpp"

namespace linchpin::types {

core::LiftHistory read_stack(const history::Subhistory& part) {
  const Stack* const stack = part.specification->get_if<Stack>();
  if (stack == nullptr) return {.obstacle = "not a stack", .other_type = true};
  if (stack->heights != Stack::Heights::no) return {.obstacle = "results carry heights"};
  core::LiftHistory read = read_container(part, kStackMethods);
  read.first_guess = core::LiftGuess::newest;
  return read;
}

}  // namespace linchpin::types

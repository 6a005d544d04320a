#include "types/stack/lift.hpp"

#include "types/container_lift.hpp"
#include "types/stack/specification.hpp"

namespace linchpin::types {

core::LiftHistory read_stack(const history::Subhistory& part) {
  const Stack* const stack = part.specification->get_if<Stack>();
  if (stack == nullptr) return {.obstacle = "not a stack", .other_type = true};
  if (stack->heights != Stack::Heights::no) return {.obstacle = "results carry heights"};
  core::LiftHistory read = read_container(
      part, {Stack::kPush, Stack::kPop, Stack::kPeek, Stack::kSize, Stack::kIsEmpty, "pushed"}, "popped");
  read.first_guess = core::LiftGuess::newest;
  return read;
}

}  // namespace linchpin::types

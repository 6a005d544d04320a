#include "types/container_lift.hpp"

#include <fmt/format.h>

namespace linchpin::types {

core::LiftHistory read_container(const history::Subhistory& part, const ContainerMethods& methods,
                                 std::string_view removed) {
  core::LiftHistory read{.added = methods.added, .taken = removed};
  read.acts.resize(part.size());
  const auto refuse = [&](std::uint32_t i, std::string_view why) {
    read.obstacle = fmt::format("{} {}", part.history->describe(part.operation[i]), why);
  };
  for (std::uint32_t i = 0; i < part.size() && read.obstacle.empty(); ++i) {
    core::LiftAct& act = read.acts[i];
    const std::uint16_t method = part.method[i];
    if (method == methods.add) {
      act = {.role = core::LiftRole::adds, .value = part.arguments(i)[0], .by_argument = true};
      if (act.value.is_nil() || act.value.is_unknown() || act.value.is_none()) {
        refuse(i, "adds nothing that a result can name");
      } else if (!part.view(i).acknowledged(0)) {
        refuse(i, "has a result that is no acknowledgement");
      }
      continue;
    }
    const Value result = part.result(i);
    const bool pending = part.pending(i);
    if (method == methods.remove && result.is_unknown()) {
      act = {.role = core::LiftRole::takes, .value = result};
    } else if (pending && (method != methods.remove || result.is_nil())) {
      act.role = core::LiftRole::dropped;
    } else if (result.is_unknown() || result.is_none()) {
      refuse(i, "has lost its result");
    } else if (method == methods.size || method == methods.is_empty) {
      act.role = core::LiftRole::finds_empty;
      const bool nothing = method == methods.size ? result == Value::integer(0) : result == Value::boolean(true);
      if (!nothing) refuse(i, "says how many values there are");
    } else if (result.is_nil()) {
      act.role = core::LiftRole::finds_empty;
    } else {
      act = {.role = method == methods.remove ? core::LiftRole::takes : core::LiftRole::looks, .value = result};
    }
  }
  return read;
}

}  // namespace linchpin::types

#include "types/regularity.hpp"

#include <memory>

#include "algo/regularity.hpp"
#include "types/array/monitor.hpp"
#include "types/cas_register/monitor.hpp"
#include "types/map/monitor.hpp"
#include "types/register/monitor.hpp"
#include "types/rmw/monitor.hpp"

namespace linchpin::types {

namespace {

std::optional<algo::ValueSteps> read(const history::Subhistory& part) {
  for (const auto& steps : {register_::steps, cas_register::steps, rmw::steps, array::steps, map::steps}) {
    if (std::optional<algo::ValueSteps> found = steps(part)) return found;
  }
  return std::nullopt;
}

}  // namespace

core::Applicability has_values_seen(const history::Subhistory& part) {
  std::optional<algo::ValueSteps> found = read(part);
  if (!found) return core::not_of_this_type("not one register, element or key");
  return {.applies = true,
          .why = "what is seen must have been written, and not be gone",
          .reading = std::make_shared<algo::ValueSteps>(std::move(*found))};
}

core::Outcome refute_by_values_seen(const history::Subhistory& part, const core::DeciderOptions& options,
                                    core::Budget& budget) {
  const auto values = core::reading_of<algo::ValueSteps>(part, options, has_values_seen);
  if (values == nullptr) return core::not_applicable();
  if (budget.spent_now()) return {.reason = budget.reason()};
  return algo::refute_regularity(part, *values);
}

}  // namespace linchpin::types

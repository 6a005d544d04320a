#include <fmt/format.h>

#include "algo/chains.hpp"
#include "algo/dense_values.hpp"

namespace linchpin::algo {

std::string number_chains(const history::Subhistory& part, std::span<const ChainStep> steps, Value initial,
                          ChainReading& reading, bool initial_returns) {
  DenseValues dense;
  dense.observe(initial);
  for (const ChainStep& step : steps) {
    if (produces(step.role)) dense.observe(step.to);
  }
  dense.prepare();
  dense.add(initial);
  reading.initial = initial;
  reading.role.reserve(steps.size());
  reading.from.reserve(steps.size());
  reading.to.reserve(steps.size());
  for (const ChainStep& step : steps) {
    reading.role.push_back(step.role);
    reading.to.push_back(ValueNumber::none());
    if (!produces(step.role)) continue;
    const auto [number, fresh] = dense.add(step.to);
    if (!fresh && !(initial_returns && number == 0)) {
      return fmt::format("value {} is {}", part.history->pool().to_text(step.to),
                         step.to == initial ? "the initial value and is written again" : "written twice");
    }
    reading.to.back() = number;
  }
  for (const ChainStep& step : steps) {
    const bool has_from = observes(step.role) || step.role == ChainRole::differs;
    reading.from.push_back(has_from ? dense.find(step.from) : ValueNumber::none());
  }
  reading.values = dense.count();
  return {};
}

}  // namespace linchpin::algo

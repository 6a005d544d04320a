// The frame of the monitors that read a history as chains of values (algo/chains.hpp): registers of all kinds, and maps
// with one key. A type says what each operation does to the value; everything else is the same.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "algo/chains.hpp"
#include "core/decider.hpp"

namespace linchpin::types {

template <class S>
struct ChainMonitor {
  std::string_view other_type;  ///< "not a register"
  std::string_view applies;     ///< "no value is written twice"
  Value (*initial)(const S& specification);
  /// Why no history of this specification, or this operation, can be read so; empty: it can. May be null.
  std::string (*obstacle)(const history::Subhistory& part, std::uint32_t i, const S& specification);
  /// What the operation does; nothing where that is not certain.
  std::optional<algo::ChainStep> (*step_of)(const history::Subhistory& part, std::uint32_t i, const S& specification);

  [[nodiscard]] core::Applicability applicable(const history::Subhistory& part) const {
    const S* const specification = part.specification->get_if<S>();
    if (specification == nullptr) return core::not_of_this_type(std::string(other_type));
    std::vector<algo::ChainStep> steps;
    if (std::string why = read(part, *specification, steps); !why.empty()) return {false, std::move(why)};
    if (std::string why = algo::not_unique(part, steps, initial(*specification)); !why.empty()) {
      return {false, std::move(why)};
    }
    return {true, std::string(applies)};
  }

  [[nodiscard]] core::Outcome decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                     core::Budget& budget) const {
    const S& specification = *part.specification->get_if<S>();
    std::vector<algo::ChainStep> steps;
    core::Outcome outcome;
    if (!read(part, specification, steps).empty()) {
      outcome.reason = Reason::not_applicable;
    } else if (budget.spent_now()) {
      outcome.reason = budget.reason();
    } else {
      outcome = algo::decide_chains(part, steps, initial(specification), options.witness);
    }
    return outcome;
  }

 private:
  /// What every operation does; or why that is not certain.
  std::string read(const history::Subhistory& part, const S& specification, std::vector<algo::ChainStep>& steps) const {
    steps.reserve(part.size());
    for (std::uint32_t i = 0; i < part.size(); ++i) {
      if (obstacle != nullptr) {
        if (std::string why = obstacle(part, i, specification); !why.empty()) return why;
      }
      const std::optional<algo::ChainStep> step = step_of(part, i, specification);
      if (!step) return fmt::format("{} does not tell what it did", part.history->describe(part.operation[i]));
      steps.push_back(*step);
    }
    return {};
  }
};

}  // namespace linchpin::types

// What the monitors have in common that read a history as chains of values (algo/chains.hpp): registers of all kinds,
// and maps with one key. A type says what each operation does to the value; everything else is the same.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "algo/chains.hpp"
#include "algo/regularity.hpp"
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
    auto reading = std::make_shared<algo::ChainReading>();
    if (std::string why = read(part, *specification, *reading); !why.empty()) return {false, std::move(why)};
    return {.applies = true, .why = std::string(applies), .reading = std::move(reading)};
  }

  [[nodiscard]] core::Outcome decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                     core::Budget& budget) const {
    const auto reading = core::reading_of<algo::ChainReading>(
        part, options, [this](const history::Subhistory& unread) { return applicable(unread); });
    if (reading == nullptr) return core::not_applicable();
    const S& specification = *part.specification->get_if<S>();
    if (budget.spent_now()) return {.reason = budget.reason()};
    const auto step = [&](std::uint32_t i) { return *step_of(part, i, specification); };
    return algo::decide_chains(part, *reading, step, options.witness);
  }

  /// What each operation does, where the history is of this kind.
  [[nodiscard]] std::optional<algo::ValueSteps> steps(const history::Subhistory& part) const {
    const S* const specification = part.specification->get_if<S>();
    if (specification == nullptr) return std::nullopt;
    algo::ValueSteps values{.steps = {}, .initial = initial(*specification)};
    values.steps.reserve(part.size());
    for (std::uint32_t i = 0; i < part.size(); ++i) {
      if (obstacle != nullptr && !obstacle(part, i, *specification).empty()) return std::nullopt;
      values.steps.push_back(step_of(part, i, *specification));
    }
    return values;
  }

 private:
  /// What every operation does; or why that is not certain, or cannot be read as chains.
  std::string read(const history::Subhistory& part, const S& specification, algo::ChainReading& reading) const {
    std::vector<algo::ChainStep> steps;
    steps.reserve(part.size());
    for (std::uint32_t i = 0; i < part.size(); ++i) {
      if (obstacle != nullptr) {
        if (std::string why = obstacle(part, i, specification); !why.empty()) return why;
      }
      const std::optional<algo::ChainStep> step = step_of(part, i, specification);
      if (!step) return fmt::format("{} does not tell what it did", part.history->describe(part.operation[i]));
      steps.push_back(*step);
    }
    return algo::number_chains(part, steps, initial(specification), reading);
  }
};

}  // namespace linchpin::types

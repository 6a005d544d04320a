// Decides the history of one key of a map in which no value is stored twice, and which is removed any number of times.
//
// The values, or the contents that appends make (appended.cpp), are chains, which algo/chains_with_absence.hpp puts in
// order. Precondition: one key; each value stored once; results that tell what was there, or nothing at all, or (of
// contains, a failed put_if_absent or cas, and remove) that something was. Cost O(n log n).
// Compare: monitor.cpp, append_monitor.cpp (nothing is removed), presence.cpp (no values), decide/search.
// Tests: map_removal_test.cpp.
#include "types/map/removal_monitor.hpp"

#include <memory>
#include <utility>

#include <fmt/format.h>

#include "algo/chains_with_absence.hpp"
#include "types/map/steps.hpp"
#include "types/map/text_violations.hpp"

namespace linchpin::types::map {

namespace {

using algo::ChainRole;
using algo::ChainStep;
using history::Subhistory;

struct Reading {
  bool own_obstacle = false;  // what stands in the way does not in that of the other monitors
  bool texts = false;         // are appended
  Appended appended;          // then; the chains are its own
  algo::ChainReading chains;
  std::vector<bool> finds;  // by operation: a removal that says that there was something
};

std::string read_values(const Subhistory& part, const Map& map, Reading& reading) {
  std::vector<ChainStep> steps;
  steps.reserve(part.size());
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    if (std::string why = more_than_one_key(part, i, map); !why.empty()) return why;
    const std::optional<ChainStep> step = step_of(part, i, map);
    if (!step) return fmt::format("{} does not tell what it did", part.history->describe(part.operation[i]));
    steps.push_back(*step);
  }
  return algo::number_chains(part, steps, kAbsent, reading.chains, true);
}

std::string read(const Subhistory& part, const Map& map, Reading& reading) {
  std::string why = read_appended(part, map, true, reading.appended);
  reading.texts = why != kNothingAppended;
  if (!reading.texts) why = read_values(part, map, reading);
  if (!why.empty()) return why;
  const algo::ChainReading& chains = reading.texts ? reading.appended.chains : reading.chains;
  reading.finds.assign(part.size(), false);
  for (std::uint32_t i = 0; i < chains.role.size(); ++i) {
    const Operation operation = part.view(i);
    reading.finds[i] = operation.method == Map::kRemove && map.answers(operation) && says_true(operation);
    if (part.pending(i) && chains.role[i] == ChainRole::moves && chains.to[i] == 0) {
      reading.own_obstacle = true;
      return fmt::format("{} may have removed the value", part.history->describe(part.operation[i]));
    }
  }
  return {};
}

}  // namespace

core::Applicability removal_applicable(const Subhistory& part) {
  const Map* const map = part.specification->get_if<Map>();
  if (map == nullptr) return core::not_of_this_type("not a map");
  auto reading = std::make_shared<Reading>();
  // The monitors of values and of texts have said what stands in the way of all.
  if (std::string why = read(part, *map, *reading); !why.empty()) {
    return {.applies = false, .why = reading->own_obstacle ? std::move(why) : std::string()};
  }
  return {.applies = true, .why = "one key, and no value is stored twice", .reading = std::move(reading)};
}

core::Outcome removal_decide(const Subhistory& part, const core::DeciderOptions& options, core::Budget& budget) {
  const Map& map = *part.specification->get_if<Map>();
  const auto reading = core::reading_of<Reading>(part, options, removal_applicable);
  if (reading == nullptr) return core::not_applicable();
  if (budget.spent_now()) return {.reason = budget.reason()};
  if (!reading->texts) {
    const auto step = [&](std::uint32_t i) { return *step_of(part, i, map); };
    return algo::decide_chains_with_absence(part, reading->chains, reading->finds, step, budget);
  }
  const Appended& appended = reading->appended;
  if (!appended.contradiction.operations.empty()) return tell_contradiction(part, appended);
  const auto step = [&](std::uint32_t i) { return text_step(part, i, map); };
  algo::ChainConflict conflict;
  core::Outcome outcome =
      algo::decide_chains_with_absence(part, reading->appended.chains, reading->finds, step, budget, &conflict);
  return tell_texts(part, appended, conflict, std::move(outcome));
}

}  // namespace linchpin::types::map

// Decides the history of one key of a map to which texts are appended.
//
// appended.cpp reads it as chains of contents, algo/chains.hpp decides, text_violations.cpp tells violations.
// Precondition: one key; texts that are written once and can be cut in one way; no removal.
// Cost O(n + length of all texts that differ).
// Compare: monitor.cpp (no appends), decide/search (any history). Tests: map_append_test.cpp.
#include "types/map/append_monitor.hpp"

#include <memory>
#include <numeric>
#include <utility>

#include "core/core_proof.hpp"
#include "types/map/text_violations.hpp"

namespace linchpin::types::map {

using algo::ChainConflict;
using history::Subhistory;

namespace {

bool violates(const Subhistory& part, const Map& map) {
  Appended appended;
  if (!read_appended(part, map, false, appended).empty()) return false;
  if (!appended.contradiction.operations.empty()) return true;
  const auto step = [&](std::uint32_t i) { return text_step(part, i, map); };
  return algo::decide_chains(part, appended.chains, step, false).verdict == Verdict::violation;
}

}  // namespace

core::Applicability append_applicable(const Subhistory& part) {
  const Map* const map = part.specification->get_if<Map>();
  if (map == nullptr) return core::not_of_this_type("not a map");
  auto appended = std::make_shared<Appended>();
  std::string why = read_appended(part, *map, false, *appended);
  // Where nothing is appended, the monitor of values has said what stands in the way.
  if (why == kNothingAppended) return {.applies = false, .why = {}};
  if (!why.empty()) return {.applies = false, .why = std::move(why)};
  return {.applies = true,
          .why = "one key, and the texts that it shows are made of parts that are written once",
          .reading = std::move(appended)};
}

core::Outcome append_decide(const Subhistory& part, const core::DeciderOptions& options, core::Budget& budget) {
  const Map& map = *part.specification->get_if<Map>();
  const auto appended = core::reading_of<Appended>(part, options, append_applicable);
  if (appended == nullptr) return core::not_applicable();
  if (budget.spent_now()) return {.reason = budget.reason()};
  if (!appended->contradiction.operations.empty()) return tell_contradiction(part, *appended);
  const auto step = [&](std::uint32_t i) { return text_step(part, i, map); };
  ChainConflict conflict;
  core::Outcome outcome = algo::decide_chains(part, appended->chains, step, options.witness, &conflict);
  outcome = tell_texts(part, *appended, conflict, std::move(outcome));
  const auto violates_alone = [&](const Subhistory& some) { return violates(some, map); };
  if (outcome.verdict == Verdict::violation && !core::core_proves(part, outcome.core, violates_alone)) {
    outcome.core.resize(part.size());
    std::iota(outcome.core.begin(), outcome.core.end(), 0U);
  }
  return outcome;
}

}  // namespace linchpin::types::map

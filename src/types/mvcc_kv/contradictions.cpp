#include "types/mvcc_kv/contradictions.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include "types/mvcc_kv/effects.hpp"
#include "types/mvcc_kv/refusals.hpp"
#include "types/mvcc_kv/specification.hpp"

namespace linchpin::types::mvcc_kv {

using history::Subhistory;

std::string text(const Subhistory& part, std::uint32_t i) { return part.history->describe(part.operation[i]); }

core::Outcome violation(std::vector<std::uint32_t> core, std::optional<std::uint32_t> blocked, std::string sentence) {
  std::sort(core.begin(), core.end());
  core.erase(std::unique(core.begin(), core.end()), core.end());
  return {.verdict = Verdict::violation, .core = std::move(core), .blocked = blocked, .sentence = std::move(sentence)};
}

void add_grants(const Subhistory& part, std::vector<std::uint32_t>& core) {
  absl::flat_hash_set<std::uint64_t> leases;
  for (const std::uint32_t i : core) {
    const Operation operation = part.view(i);
    for_each_act(operation, answer_of(operation), [&](const Act& act, Value) {
      if (act.verb == Verb::put && !act.lease.is_nil()) leases.insert(act.lease.bits());
    });
  }
  if (leases.empty()) return;
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    if (part.method[i] == kGrant && leases.contains(part.view(i).argument(0).bits())) core.push_back(i);
  }
  std::sort(core.begin(), core.end());
  core.erase(std::unique(core.begin(), core.end()), core.end());
}

std::optional<core::Outcome> contradiction(const Subhistory& part, const Reading& reading) {
  if (reading.impossible) {
    const auto& [i, why] = *reading.impossible;
    return violation({i}, i, fmt::format("{} {}", text(part, i), why));
  }
  if (reading.clash) {
    const auto& [a, b, why] = *reading.clash;
    return violation({a, b}, b, fmt::format("{} and {} {}", text(part, a), text(part, b), why));
  }
  if (const auto found = find_unrefusable(part, reading)) {
    std::vector<std::uint32_t> core = found->shown_by;
    core.push_back(found->operation);
    return violation(std::move(core), found->operation, fmt::format("{} {}", text(part, found->operation), found->why));
  }
  for (const At& each : reading.too_late) {
    if (first_compaction(reading, each.revision) < reading.compactions.size()) continue;
    return violation(
        {each.operation}, each.operation,
        fmt::format("{}, but nobody compacted to revision {} or beyond", text(part, each.operation), each.revision));
  }
  return std::nullopt;
}

std::optional<core::Outcome> contradiction(const Subhistory& part, const Times& times, const Sightings& sightings) {
  if (times.clash) {
    const auto [returned, called] = *times.clash;
    return violation({returned, called}, called,
                     fmt::format("{} returned before {} was called, but comes behind it by what they tell",
                                 text(part, returned), text(part, called)));
  }
  if (sightings.clash()) {
    const auto& [a, b, why] = *sightings.clash();
    return violation({a, b}, b, fmt::format("{} and {}: {}", text(part, a), text(part, b), why));
  }
  return std::nullopt;
}

core::Applicability may_contradict(const Subhistory& part) {
  if (part.specification->get_if<MvccKv>() == nullptr) return core::not_of_this_type("not a store of versions");
  return {.applies = true,
          .why = "answers may exclude each other by what they tell",
          .reading = std::make_shared<Reading>(read(part))};
}

core::Outcome refute_by_contradiction(const Subhistory& part, const core::DeciderOptions& options,
                                      core::Budget& budget) {
  const auto reading = core::reading_of<Reading>(part, options, may_contradict);
  if (reading == nullptr || budget.spent_now()) return core::not_applicable();
  std::optional<core::Outcome> found = contradiction(part, *reading);
  if (!found) found = contradiction(part, find_times(part, *reading), Sightings(part, *reading));
  if (!found) return core::not_applicable();
  add_grants(part, found->core);
  return std::move(*found);
}

}  // namespace linchpin::types::mvcc_kv

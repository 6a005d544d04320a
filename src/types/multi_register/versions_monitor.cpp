// Decides transactions on registers whose versions are known, strictly serializable or at a weaker level.
//
// The versions say in which order the writers of a key took effect, and between which of them each reader did
// (versions.cpp). So all dependencies are known: from a version to the next, from who made a version to who saw it, and
// from there to who made the next one. If they have no cycle with the order that the level keeps, any order that keeps
// them replays: on each key the writers stand in the order of their versions, and each reader behind the one whose
// version it saw and before the next. A cycle is named after the weakest level that it breaks (shared/cycle.cpp).
// A pending transaction of which nobody saw a version may be left out: versions need not be dense.
// Precondition: versions_.obstacle is empty. Cost O(n log n) for sorting the versions, and else linear.
// Source: Adya, Weak Consistency (1999), section 4; the treatment of pending transactions and the cores are own.
// Compare: monitor.cpp (without versions, where it is NP-complete), decide/search. Tests: versions_monitor_test.cpp.
#include "types/multi_register/versions_monitor.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/none.hpp"
#include "types/letter.hpp"
#include "types/multi_register/versions.hpp"
#include "types/shared/cycle.hpp"

namespace linchpin::types::multi_register {

namespace {

using dependencies::Cycle;
using dependencies::Dependency;
using dependencies::Edge;
using dependencies::Graph;
using history::Subhistory;

Graph graph_of(const Subhistory& part, const Versions& versions) {
  Graph graph{.transactions = part.size(), .nodes = part.size(), .edges = {}};
  graph.edges.reserve(versions.made.size() + 2 * versions.saw.size());
  const auto add = [&](std::uint32_t from, std::uint32_t to, std::uint32_t key, Dependency kind) {
    if (from != to) graph.edges.push_back({from, to, key, kind});
  };
  std::vector<std::uint32_t> first(versions.keys.size(), kNone);  // by key: its first version
  for (std::uint32_t m = 0; m < versions.made.size(); ++m) {
    const Made& made = versions.made[m];
    if (first[made.key] == kNone) {
      first[made.key] = m;
    } else {
      add(versions.made[m - 1].transaction, made.transaction, made.key, Dependency::write);
    }
  }
  for (const Saw& saw : versions.saw) {
    if (saw.made != kNone) add(versions.made[saw.made].transaction, saw.transaction, saw.key, Dependency::read);
    const std::uint32_t next = saw.made == kNone ? first[saw.key] : saw.made + 1;
    if (next < versions.made.size() && versions.made[next].key == saw.key) {
      add(saw.transaction, versions.made[next].transaction, saw.key, Dependency::anti);
    }
  }
  return graph;
}

std::string clause(const Subhistory& part, const Versions& versions, const Edge& edge, const std::string& from,
                   const std::string& to) {
  const std::string key = edge.key == kNone ? "" : part.history->pool().to_text(versions.keys[edge.key]);
  switch (edge.kind) {
    case Dependency::write: return fmt::format("{} wrote {} before {}", from, key, to);
    case Dependency::read: return fmt::format("{} read from {} what {} wrote", to, key, from);
    case Dependency::anti: return fmt::format("{} read {} before {} wrote it", from, key, to);
    case Dependency::process: return fmt::format("{} returned before its process called {}", from, to);
    default: return fmt::format("{} returned before {} was called", from, to);
  }
}

/// Adds who saw the versions of those that are pending, and who certainly made the first version of these keys: so the
/// keys cannot have begun with what was seen.
void add_support(const Subhistory& part, const Versions& versions, std::vector<std::uint32_t>& core) {
  const auto add = [&](std::uint32_t t) {
    if (std::find(core.begin(), core.end(), t) == core.end()) core.push_back(t);
  };
  for (std::size_t i = 0; i < core.size(); ++i) {  // NOLINT(modernize-loop-convert): it grows
    const std::uint32_t t = core[i];
    const Made* first = nullptr;  // of the key
    for (const Made& made : versions.made) {
      if (first != nullptr && first->key != made.key) first = nullptr;
      if (first == nullptr && !part.pending(made.transaction)) first = &made;
      if (made.transaction != t || made.told_by == kNone) continue;
      add(made.told_by);
      if (first != nullptr) add(first->transaction);
    }
  }
}

core::Outcome violation(const Subhistory& part, const Versions& versions, const Cycle& cycle) {
  std::string clauses, names;
  std::vector<std::uint32_t> core;
  for (std::size_t i = 0; i < cycle.edges.size(); ++i) {
    const Edge& edge = cycle.edges[i];
    const char* const comma = i == 0 ? "" : ", ";
    clauses += comma + clause(part, versions, edge, letter(i), letter((i + 1) % cycle.edges.size()));
    names += fmt::format("{}{} is {}", comma, letter(i), part.history->describe(part.operation[edge.from]));
    core.push_back(edge.from);
  }
  add_support(part, versions, core);
  std::sort(core.begin(), core.end());
  return {.verdict = Verdict::violation,
          .core = std::move(core),
          .blocked = cycle.edges.front().from,
          .sentence = fmt::format("{}; {}", clauses, names),
          .level = cycle.name};
}

}  // namespace

core::Applicability versions_applicable(const Subhistory& part) {
  const VersionedRegisters* const registers = without_sessions<VersionedRegisters>(*part.specification);
  if (registers == nullptr) return core::not_of_this_type("not registers with versions");
  auto versions = std::make_shared<Versions>(read_versions(part, *registers));
  if (!versions->obstacle.empty()) return {.applies = false, .why = std::move(versions->obstacle)};
  return {.applies = true, .why = "it is known who made each version", .reading = std::move(versions)};
}

core::Outcome decide_versions(const Subhistory& part, const core::DeciderOptions& options, core::Budget& budget) {
  const auto versions = core::reading_of<Versions>(part, options, versions_applicable);
  if (versions == nullptr) return core::not_applicable();
  if (versions->contradiction) {
    Versions::Contradiction& found = *versions->contradiction;
    return {.verdict = Verdict::violation,
            .core = std::move(found.transactions),
            .blocked = found.blocked,
            .sentence = std::move(found.sentence)};
  }
  Graph graph = graph_of(part, *versions);
  const Sessions* const sessions = sessions_of<VersionedRegisters>(*part.specification);
  if (sessions != nullptr) dependencies::add_sessions(part, versions->kept, *sessions, graph);
  dependencies::Order order = dependencies::sort_out(part, versions->kept, graph, budget);
  if (order.spent) return core::unknown(budget.reason());
  if (order.complete) {
    return {.verdict = Verdict::linearizable,
            .witness = options.witness ? std::move(order.order) : std::vector<std::uint32_t>()};
  }
  const Level level = sessions != nullptr ? Level::session : part.specification->get_if<VersionedRegisters>()->level;
  const Cycle cycle = dependencies::find_cycle(part, versions->kept, graph, order, level, budget);
  if (cycle.edges.empty()) return core::unknown(budget.reason());
  return violation(part, *versions, cycle);
}

}  // namespace linchpin::types::multi_register

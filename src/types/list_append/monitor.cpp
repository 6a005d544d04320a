// Decides strict serializability of list-append transactions, which is the linearizability of this object; or, where
// the history's times are such that all overlap (api/weaker_order.hpp), serializability with or without sessions.
//
// Lists only grow, so the longest list read of each key says in which order its elements were appended (lists.cpp), and
// with it which transaction comes before which (graph.cpp). If these dependencies and real time have no cycle, any
// order that keeps them replays (shared/order.cpp). A cycle is named after the weakest level of isolation that it
// breaks (shared/cycle.cpp). The proof: docs/design/monitors.md. Precondition: no element is appended to a key twice;
// where a pending transaction was seen to have taken effect, it is not known what it would have read. Cost
// O(micro-operations + length of all lists); a violation needs the strongly connected components, too. Sources: Adya,
// Weak Consistency (1999); Kingsbury and Alvaro, Elle (2020), whose cycles these are; that they are all that can be
// wrong, real time without edges, and the cores are this project's. Compare: decide/search (any history). Tests:
// list_append_monitor_test.cpp.
#include "types/list_append/monitor.hpp"

#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "types/letter.hpp"
#include "types/list_append/graph.hpp"
#include "types/list_append/shortcuts.hpp"
#include "types/list_append/specification.hpp"
#include "types/shared/cycle.hpp"

namespace linchpin::types::list_append {

namespace {

using dependencies::Cycle;
using dependencies::Dependency;
using dependencies::Edge;
using history::Subhistory;

std::string clause(const Subhistory& part, const Reading& reading, const Edge& edge, const std::string& from,
                   const std::string& to) {
  const std::string key = edge.key == kNone ? "" : part.history->pool().to_text(reading.keys[edge.key]);
  switch (edge.kind) {
    case Dependency::write: return fmt::format("{} appended to {} before {}", from, key, to);
    case Dependency::read: return fmt::format("{} read from {} what {} appended", to, key, from);
    case Dependency::anti: return fmt::format("{} read {} without what {} appended", from, key, to);
    case Dependency::process: return fmt::format("{} returned before its process called {}", from, to);
    default: return fmt::format("{} returned before {} was called", from, to);
  }
}

/// "A read x without what B appended, B returned before A was called; A is txn([[r x nil]]), B is ..."
std::string sentence(const Subhistory& part, const Reading& reading, const Cycle& cycle) {
  std::string clauses, names;
  for (std::size_t i = 0; i < cycle.edges.size(); ++i) {
    const Edge& edge = cycle.edges[i];
    const char* const comma = i == 0 ? "" : ", ";
    clauses += comma + clause(part, reading, edge, letter(i), letter((i + 1) % cycle.edges.size()));
    names += fmt::format("{}{} is {}({})", comma, letter(i),
                         part.history->method_name(part.history->method(part.operation[edge.from])),
                         part.history->pool().to_text(part.arguments(edge.from)[0]));
  }
  return fmt::format("{}; {}", clauses, names);
}

core::Outcome violation(const Subhistory& part, const Reading& reading, const Showing& showing, const Cycle& cycle) {
  std::uint32_t blocked = cycle.edges.front().from;
  for (const Edge& edge : cycle.edges) {
    if (edge.kind == Dependency::read) blocked = edge.to;
    if (edge.kind == Dependency::anti) blocked = edge.from;
  }
  return {.verdict = Verdict::violation,
          .core = showing.core_of(cycle.edges),
          .blocked = blocked,
          .sentence = sentence(part, reading, cycle),
          .level = cycle.name};
}

}  // namespace

core::Applicability applicable(const Subhistory& part) {
  if (without_sessions<ListAppend>(*part.specification) == nullptr) return core::not_of_this_type("not list-append");
  auto reading = std::make_shared<Reading>(read(part));
  if (!reading->obstacle.empty()) return {false, std::move(reading->obstacle)};
  return {.applies = true, .why = "no element is appended to a key twice", .reading = std::move(reading)};
}

core::Outcome decide(const Subhistory& part, const core::DeciderOptions& options, core::Budget& budget) {
  const auto reading = core::reading_of<Reading>(part, options, applicable);
  if (reading == nullptr) return core::not_applicable();
  if (reading->malformed) {
    const std::uint32_t t = *reading->malformed;
    return {
        .verdict = Verdict::violation,
        .core = {t},
        .core_minimal = true,
        .blocked = t,
        .sentence = fmt::format("{} returned what does not complete it", part.history->describe(part.operation[t]))};
  }
  if (budget.spent_now()) return core::unknown(budget.reason());
  Lists lists;
  if (Anomaly anomaly = find_lists(part, *reading, lists); !anomaly.name.empty()) {
    return {.verdict = Verdict::violation,
            .core = std::move(anomaly.transactions),
            .blocked = anomaly.blocked,
            .sentence = std::move(anomaly.sentence)};
  }
  if (budget.spent_now()) return core::unknown(budget.reason());
  dependencies::Graph graph = make_graph(part, *reading, lists);
  const Sessions* const sessions = sessions_of<ListAppend>(*part.specification);
  if (sessions != nullptr) dependencies::add_sessions(part, lists.kept, *sessions, graph);
  dependencies::Order order = dependencies::sort_out(part, lists.kept, graph, budget);
  if (order.spent) return core::unknown(budget.reason());
  if (order.complete) {
    return {.verdict = Verdict::linearizable,
            .witness = options.witness ? std::move(order.order) : std::vector<std::uint32_t>()};
  }
  const Level level = sessions != nullptr ? Level::session : part.specification->get_if<ListAppend>()->level;
  const Cycle cycle = dependencies::find_cycle(part, lists.kept, graph, order, level, budget);
  if (cycle.edges.empty()) return core::unknown(budget.reason());
  const Showing showing(*reading, lists);
  return violation(part, *reading, showing, shorten(part, *reading, lists, showing, cycle));
}

}  // namespace linchpin::types::list_append

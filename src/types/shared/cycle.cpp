// Finds a short cycle of the weakest level that has one.
//
// Every cycle lies in a strongly connected component of all dependencies, so the levels are tried only on those, which
// are small as a rule. Real time is a chain of auxiliary nodes, one for each run of responses. Searches are breadth
// first from each transaction of a component until enough was visited; the name is that of the cycle found. Cost:
// linear in the edges for the components, and at most kMostVisits edges a level.
#include "types/shared/cycle.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <utility>

#include <absl/container/flat_hash_map.h>

#include "types/shared/components.hpp"

namespace linchpin::types::dependencies {

namespace {

constexpr std::size_t kMostVisits = 20'000'000;
constexpr std::size_t kMoreStarts = 64;  // after the first cycle found
constexpr std::size_t kMostMet = 128;

/// All edges among what was not placed, with those of processes and of real time where these count.
Graph with_times(const history::Subhistory& part, const std::vector<bool>& kept, const Graph& graph, const Order& order,
                 Level level) {
  Graph all{.transactions = graph.transactions, .nodes = graph.nodes, .edges = {}};
  for (const Edge& edge : graph.edges) {
    if (!order.placed[edge.from] && !order.placed[edge.to]) all.edges.push_back(edge);
  }
  if (level != Level::strict) return all;
  // Of each process, what others of it may follow without one between them: several where they touch at a tick.
  absl::flat_hash_map<ProcessId, std::vector<std::uint32_t>> last;
  std::uint32_t barrier = kNone;
  bool passed = false;  // something was called after it
  for (const history::Event event : part.events()) {
    const std::uint32_t t = event.operation();
    if (order.placed[t] || !kept[t]) continue;
    const ProcessId process = part.history->process(part.operation[t]);
    if (event.is_response()) {
      if (process != kNoProcess) {
        std::erase_if(last[process], [&](std::uint32_t before) { return part.happens_before(before, t); });
      }
      if (barrier == kNone || passed) {
        const std::uint32_t before = std::exchange(barrier, all.nodes++);
        if (before != kNone) all.edges.push_back({before, barrier, kNone, Dependency::relay});
        passed = false;
      }
      all.edges.push_back({t, barrier, kNone, Dependency::realtime});
      continue;
    }
    if (barrier != kNone) all.edges.push_back({barrier, t, kNone, Dependency::relay});
    passed = true;
    if (process == kNoProcess) continue;
    std::vector<std::uint32_t>& before = last[process];
    for (const std::uint32_t each : before) {
      if (part.happens_before(each, t)) all.edges.push_back({each, t, kNone, Dependency::process});
    }
    before.push_back(t);
  }
  return all;
}

class Search {
 public:
  Search(Graph graph, Level level, core::Budget& budget) : graph_(std::move(graph)), budget_(budget) {
    if (level == Level::session) last_time_ = Dependency::process;
    if (level == Level::plain) last_time_ = kNoTime;
    const Components components = find_components(graph_.nodes, graph_.edges);
    std::erase_if(graph_.edges, [&](const Edge& edge) { return components.of[edge.from] != components.of[edge.to]; });
  }

  Cycle run() {
    constexpr std::array kTimes{std::pair(kNoTime, ""), std::pair(Dependency::process, "-process"),
                                std::pair(Dependency::realtime, "-realtime")};
    for (const auto& [time, suffix] : kTimes) {
      for (const Kind& kind :
           {Kind{"G0", false, 0}, Kind{"G1c", true, 0}, Kind{"G-single", true, 1}, Kind{"G2", true, kNone}}) {
        std::vector<Edge> edges = shortest(kind, time);
        if (!edges.empty()) return {std::string(kind.name) + suffix, edges, all_met(edges)};
        if (budget_.spent_now()) return {};
      }
      if (time == last_time_) break;
    }
    return {};
  }

 private:
  static constexpr Dependency kNoTime = Dependency::relay;

  struct Kind {
    const char* name;
    bool reads;               // and anti-dependencies, as many as
    std::uint32_t most_anti;  // 0, 1 or kNone: any number
  };

  static bool allowed(const Kind& kind, Dependency time, Dependency dependency) {
    switch (dependency) {
      case Dependency::write:
      case Dependency::relay: return true;
      case Dependency::read: return kind.reads;
      case Dependency::anti: return kind.most_anti != 0;
      default: return dependency == time;
    }
  }

  /// A node, and whether the one anti-dependency was used on the way.
  [[nodiscard]] std::uint32_t place(std::uint32_t node, bool used) const { return 2 * node + (used ? 1 : 0); }

  std::vector<Edge> shortest(const Kind& kind, Dependency time) {
    edges_.clear();
    for (const Edge& edge : graph_.edges) {
      if (allowed(kind, time, edge.kind)) edges_.push_back(edge);
    }
    const Components components = find_components(graph_.nodes, edges_);
    std::erase_if(edges_, [&](const Edge& edge) { return components.of[edge.from] != components.of[edge.to]; });
    if (edges_.empty()) return {};
    const Targets targets(graph_.nodes, edges_);
    reached_.assign(2 * std::size_t{graph_.nodes}, kNone);
    by_.assign(reached_.size(), kNone);
    std::vector<Edge> best;
    met_.clear();
    std::size_t visits = 0, more = 0;
    const bool last_kind = time == last_time_ && kind.most_anti == kNone;
    for (std::uint32_t start = 0; start < graph_.transactions; ++start) {
      if (components.size[components.of[start]] == 1) continue;
      std::vector<Edge> found = from(start, kind, targets, visits);
      if (met_.size() < kMostMet) met_.insert(met_.end(), found.begin(), found.end());
      if (!found.empty() && (best.empty() || found.size() < best.size())) best = std::move(found);
      if (best.size() == 2 || (!best.empty() && ++more > kMoreStarts)) break;
      if (budget_.spent() || (visits > kMostVisits && (!last_kind || !best.empty()))) break;
    }
    return best;
  }

  [[nodiscard]] std::vector<std::uint32_t> all_met(const std::vector<Edge>& cycle) const {
    std::vector<std::uint32_t> all;
    all.reserve(std::max(cycle.size(), kMostMet));
    for (const Edge& edge : cycle) all.push_back(edge.from);
    for (const Edge& edge : met_) {
      if (all.size() < kMostMet && std::find(all.begin(), all.end(), edge.from) == all.end()) all.push_back(edge.from);
    }
    return all;
  }

  /// A shortest cycle through `start`; auxiliary nodes do not count.
  std::vector<Edge> from(std::uint32_t start, const Kind& kind, const Targets& targets, std::size_t& visits) {
    std::deque<std::uint32_t> due{place(start, false)};
    while (!due.empty()) {
      const std::uint32_t at = due.front();
      due.pop_front();
      const bool used = at % 2 != 0;
      for (std::uint32_t i = targets.begin[at / 2]; i < targets.begin[at / 2 + 1]; ++i) {
        const std::uint32_t number = targets.edge[i];
        const Edge& edge = edges_[number];
        ++visits;
        const bool counts = edge.kind == Dependency::anti && kind.most_anti == 1;
        if (counts && used) continue;
        if (edge.to == start) return walk_back(start, at, number);
        const std::uint32_t next = place(edge.to, used || counts);
        if (reached_[next] == start) continue;
        reached_[next] = start;
        by_[next] = number;
        if (edge.to < graph_.transactions) {
          due.push_back(next);
        } else {
          due.push_front(next);
        }
      }
    }
    return {};
  }

  /// The cycle that ends with an edge from `at` to `start`, each edge joined with the relays that follow it.
  [[nodiscard]] std::vector<Edge> walk_back(std::uint32_t start, std::uint32_t at, std::uint32_t last) const {
    std::vector<Edge> edges;
    std::uint32_t to = kNone;  // behind relays
    for (std::uint32_t number = last;;) {
      Edge edge = edges_[number];
      if (to == kNone) to = edge.to;
      if (edge.kind != Dependency::relay) {
        edge.to = std::exchange(to, kNone);
        edges.push_back(edge);
      }
      if (edge.from == start) break;
      number = by_[at];
      at = place(edges_[number].from, at % 2 != 0 && edges_[number].kind != Dependency::anti);
    }
    std::reverse(edges.begin(), edges.end());
    return edges;
  }

  Graph graph_;                                  // only edges within components
  Dependency last_time_ = Dependency::realtime;  // the strongest that counts
  core::Budget& budget_;
  std::vector<Edge> edges_;             // of the level
  std::vector<Edge> met_;               // of cycles that were found
  std::vector<std::uint32_t> reached_;  // by place: from which start
  std::vector<std::uint32_t> by_;       // by place: the edge
};

}  // namespace

Cycle find_cycle(const history::Subhistory& part, const std::vector<bool>& kept, const Graph& graph, const Order& order,
                 Level level, core::Budget& budget) {
  return Search(with_times(part, kept, graph, order, level), level, budget).run();
}

}  // namespace linchpin::types::dependencies

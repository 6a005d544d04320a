// Whoever appended to a key stands somewhere in its longest list, or behind it; whoever read it saw a part of that
// list. So of any two transactions that touch a key the list shows which comes first: by its appends and theirs (ww),
// by what it read and they appended (rw), or the other way round (wr). That is the path along the list between them as
// one step, of the kind with which the path begins or ends; it is no new dependency, and breaks the same level.
//
// Among the transactions that were met these steps are all known. A breadth-first search from each finds a shortest
// cycle, in which as many steps are anti-dependencies as its name allows.
#include "types/list_append/shortcuts.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linchpin::types::list_append {

namespace {

using dependencies::Cycle;
using dependencies::Dependency;
using dependencies::Edge;
using history::Subhistory;

constexpr std::size_t kMost = 128;
constexpr std::uint32_t kBehind = 0xfffffffeU;  // appended, and nobody read it

/// What one transaction did to one key.
struct OnKey {
  std::uint32_t key = 0;
  std::uint32_t run = kNone;   ///< of its appends; kNone: it has none
  std::uint32_t next = kNone;  ///< the run behind what it read from others; kNone: it read nothing
};

/// The run of the transaction's appends to the key in its longest list, or kBehind.
std::uint32_t run_of(const Lists& lists, std::uint32_t transaction, std::uint32_t key) {
  const auto first = lists.writer.begin() + lists.runs[key], last = lists.writer.begin() + lists.runs[key + 1];
  const auto run = std::find(first, last, transaction);
  return run == last ? kBehind : static_cast<std::uint32_t>(run - lists.writer.begin());
}

/// How much of the longest list of the edge's key shows that its first transaction appended before the second: up to
/// what the second appended, or all, if nobody read that.
std::size_t shows_order(const Lists& lists, const Edge& edge) {
  const auto begin = lists.run.begin() + lists.begin[edge.key], end = lists.run.begin() + lists.begin[edge.key + 1];
  const std::uint32_t run = run_of(lists, edge.to, edge.key);
  if (run == kBehind) return static_cast<std::size_t>(end - begin);
  return static_cast<std::size_t>(std::lower_bound(begin, end, run) - begin) + 1;
}

/// A transaction of the cycle that shows the order of a write edge, or else the reader of the longest list.
std::uint32_t who_shows(const Reading& reading, const Lists& lists, const Cycle& cycle, const Edge& edge) {
  const std::size_t least = shows_order(lists, edge);
  for (const Edge& each : cycle.edges) {
    auto read = std::lower_bound(reading.reads.begin(), reading.reads.end(), each.from,
                                 [](const Read& of, std::uint32_t t) { return of.transaction < t; });
    for (; read != reading.reads.end() && read->transaction == each.from; ++read) {
      if (read->key == edge.key && read->list.size() >= least) return each.from;
    }
  }
  return lists.reader[edge.key];
}

/// It may be weaker than that of the cycle from which the transactions are, if the search for that one was cut short.
std::string name_of(const std::vector<Edge>& edges) {
  const auto of = [&](Dependency kind) {
    return std::count_if(edges.begin(), edges.end(), [kind](const Edge& edge) { return edge.kind == kind; });
  };
  std::string name = of(Dependency::read) > 0 ? "G1c" : "G0";
  if (of(Dependency::anti) > 0) name = of(Dependency::anti) == 1 ? "G-single" : "G2";
  if (of(Dependency::realtime) > 0) return name + "-realtime";
  return of(Dependency::process) > 0 ? name + "-process" : name;
}

class Shortcuts {
 public:
  Shortcuts(const Subhistory& part, const Reading& reading, const Lists& lists, const Cycle& cycle)
      : part_(part), reading_(reading), lists_(lists), cycle_(cycle), nodes_(cycle.met) {
    const std::string_view name = cycle.name;
    reads_ = !name.starts_with("G0");
    anti_ = name.starts_with("G2") ? kMost : name.starts_with("G-single") ? 1 : 0;
    if (name.ends_with("-process")) time_ = Dependency::process;
    if (name.ends_with("-realtime")) time_ = Dependency::realtime;
    for (const std::uint32_t t : nodes_) touches_.push_back(touches_of(t));
  }

  Cycle shorten() {
    Cycle best = cycle_;
    std::size_t least = core_of(reading_, lists_, best).size();
    for (std::size_t start = 0; start < nodes_.size() && least > 2; ++start) {
      Cycle found{.edges = from(start)};
      if (found.edges.empty()) continue;
      const std::size_t size = core_of(reading_, lists_, found).size();
      if (size >= least) continue;
      found.name = name_of(found.edges);
      best = std::move(found);
      least = size;
    }
    return best;
  }

 private:
  [[nodiscard]] std::vector<OnKey> touches_of(std::uint32_t t) const {
    std::vector<OnKey> touches;
    const auto touch = [&](std::uint32_t key) -> OnKey& {
      const auto at =
          std::find_if(touches.begin(), touches.end(), [key](const OnKey& each) { return each.key == key; });
      return at != touches.end() ? *at : touches.emplace_back(OnKey{.key = key});
    };
    const auto before = [](const auto& each, std::uint32_t transaction) { return each.transaction < transaction; };
    auto append = std::lower_bound(reading_.appends.begin(), reading_.appends.end(), t, before);
    for (; append != reading_.appends.end() && append->transaction == t; ++append) {
      if (append->first) touch(append->key).run = run_of(lists_, t, append->key);
    }
    auto read = std::lower_bound(reading_.reads.begin(), reading_.reads.end(), t, before);
    for (; read != reading_.reads.end() && read->transaction == t; ++read) {
      const std::size_t size = read->list.size() - read->own;
      const std::uint32_t next =
          size == 0 ? lists_.runs[read->key] : lists_.run[lists_.begin[read->key] + size - 1] + 1;
      touch(read->key).next = next;
    }
    return touches;
  }

  /// A step from the one to the other that is an anti-dependency, or is none.
  [[nodiscard]] std::optional<Edge> step(std::size_t from, std::size_t to, bool anti) const {
    Edge edge{.from = nodes_[from], .to = nodes_[to]};
    if (!anti && time_ != Dependency::relay && part_.happens_before(edge.from, edge.to)) {
      const auto process = [&](std::uint32_t t) { return part_.history->process(part_.operation[t]); };
      const bool of_process = process(edge.from) != kNoProcess && process(edge.from) == process(edge.to);
      if (time_ == Dependency::realtime || of_process) {
        edge.kind = time_;
        return edge;
      }
    }
    for (const OnKey& first : touches_[from]) {
      for (const OnKey& second : touches_[to]) {
        if (first.key != second.key) continue;
        edge.key = first.key;
        if (anti) {
          edge.kind = Dependency::anti;
          // What it read ends before the run of the other. Behind the list stands what nobody read.
          if (first.next != kNone && second.run != kNone && first.next <= second.run) return edge;
          continue;
        }
        edge.kind = Dependency::read;
        if (reads_ && first.run < kBehind && second.next != kNone && first.run < second.next) return edge;
        edge.kind = Dependency::write;
        if (first.run < kBehind && second.run != kNone && first.run < second.run) return edge;
      }
    }
    return std::nullopt;
  }

  /// A shortest cycle through the transaction. Places are transactions, with how many anti-dependencies led there where
  /// these are counted.
  [[nodiscard]] std::vector<Edge> from(std::size_t start) const {
    struct Reached {
      std::size_t by = kMost * 2;
      Edge edge;
      bool is = false;
    };
    std::vector<Reached> reached(2 * nodes_.size());
    std::deque<std::size_t> due{2 * start};
    while (!due.empty()) {
      const std::size_t at = due.front();
      due.pop_front();
      const bool used = at % 2 != 0;
      for (std::size_t to = 0; to < nodes_.size(); ++to) {
        for (const bool anti : {false, true}) {
          if (to == at / 2 || (anti && (anti_ == 0 || (anti_ == 1 && used)))) continue;
          const std::size_t next = 2 * to + (used || (anti && anti_ == 1) ? 1 : 0);
          if (to != start && reached[next].is) continue;
          const std::optional<Edge> edge = step(at / 2, to, anti);
          if (!edge) continue;
          if (to != start) {
            reached[next] = {.by = at, .edge = *edge, .is = true};
            due.push_back(next);
            continue;
          }
          std::vector<Edge> edges{*edge};
          for (std::size_t place = at; place != 2 * start; place = reached[place].by) {
            edges.push_back(reached[place].edge);
          }
          std::reverse(edges.begin(), edges.end());
          return edges;
        }
      }
    }
    return {};
  }

  const Subhistory& part_;
  const Reading& reading_;
  const Lists& lists_;
  const Cycle& cycle_;
  std::vector<std::uint32_t> nodes_;  // that were met
  bool reads_ = true;
  std::size_t anti_ = 0;                 // how many anti-dependencies there may be
  Dependency time_ = Dependency::relay;  // relay: none counts
  std::vector<std::vector<OnKey>> touches_;
};

}  // namespace

std::vector<std::uint32_t> core_of(const Reading& reading, const Lists& lists, const Cycle& cycle) {
  std::vector<std::uint32_t> core;
  for (const Edge& edge : cycle.edges) {
    core.push_back(edge.from);
    if (edge.kind == Dependency::write) core.push_back(who_shows(reading, lists, cycle, edge));
  }
  std::sort(core.begin(), core.end());
  core.erase(std::unique(core.begin(), core.end()), core.end());
  return core;
}

Cycle shorten(const Subhistory& part, const Reading& reading, const Lists& lists, const Cycle& cycle) {
  if (cycle.met.size() > kMost) return cycle;
  return Shortcuts(part, reading, lists, cycle).shorten();
}

}  // namespace linchpin::types::list_append

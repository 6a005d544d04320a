// Whoever appended to a key stands somewhere in its longest list, or behind it; whoever read it saw a part of that
// list. So of any two transactions that touch a key the list shows which comes first: by its appends and theirs (ww),
// by what it read and they appended (rw), or the other way round (wr). That is the path along the list between them as
// one step, of the kind with which the path begins or ends; it is no new dependency, and breaks the same level.
//
// Among the transactions that are looked at these steps are all known. They are not listed: from a transaction they
// lead to all writers of a key from some place in its list on, or to all readers, or to all that were called from some
// moment on. Whoever stands behind a place that was met needs no second look, so a search takes no longer than the
// transactions have reads and appends. An order of two appends costs the core who shows it as well, if it is not the
// cycle itself: such a step counts twice. From each transaction a cheapest cycle is found so, in which as many steps
// are anti-dependencies as its name allows.
#include "types/list_append/shortcuts.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>

namespace linchpin::types::list_append {

namespace {

using dependencies::Cycle;
using dependencies::Dependency;
using dependencies::Edge;
using history::Subhistory;

constexpr std::size_t kMost = 4096;  // transactions that are looked at
constexpr std::size_t kHandful = 6;  // a core with which a short search will do
constexpr std::size_t kShortSearch = 2'000'000, kLongSearch = 50'000'000;

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
  Shortcuts(const Subhistory& part, const Reading& reading, const Lists& lists, const Showing& showing,
            const Cycle& cycle)
      : part_(part), reading_(reading), lists_(lists), showing_(showing), cycle_(cycle), nodes_(cycle.met) {
    const std::string_view name = cycle.name;
    reads_ = !name.starts_with("G0");
    anti_ = name.starts_with("G2") ? kMost : name.starts_with("G-single") ? 1 : 0;
    if (name.ends_with("-process")) time_ = Dependency::process;
    if (name.ends_with("-realtime")) time_ = Dependency::realtime;
    add_those_open_meanwhile();
    for (std::uint32_t node = 0; node < nodes_.size(); ++node) place_[nodes_[node]] = node;
    touches_.resize(nodes_.size());
    find_appends();
    find_reads();
    draw_lines();
  }

  Cycle shorten() {
    Cycle best = cycle_;
    std::size_t least = showing_.core_of(best.edges).size();
    for (std::uint32_t start = 0; start < nodes_.size() && least > 2; ++start) {
      if (steps_ > (least <= kHandful ? kShortSearch : kLongSearch)) break;
      Cycle found{.edges = from(start, least)};
      if (found.edges.empty()) continue;
      const std::size_t size = showing_.core_of(found.edges).size();
      if (size >= least) continue;
      found.name = name_of(found.edges);
      best = std::move(found);
      least = size;
    }
    return best;
  }

 private:
  /// What one transaction did to one key.
  struct OnKey {
    std::uint32_t line = 0;      ///< of the key
    std::uint32_t run = kNone;   ///< of its appends; kNone: it has none
    std::uint32_t next = kNone;  ///< the run behind what it read from others; kNone: it read nothing
  };
  /// A node, and its place in a line.
  struct At {
    std::uint32_t place = 0;
    std::uint32_t node = 0;
  };
  using Row = std::vector<At>;  // ascending by place
  /// A key: who appended to it, by their runs, and who read it, by the next ones.
  struct Line {
    std::uint32_t key = 0;
    Row writers, readers;
  };
  /// How much of a row is not met yet, without anti-dependency and with one.
  using Rest = std::array<std::size_t, 2>;
  struct Reached {
    std::uint32_t by = kNone;  // state
    Edge edge = {};
  };

  void add_those_open_meanwhile() {
    history::Rank begin = history::Rank::none(), end = 0;
    for (const Edge& edge : cycle_.edges) {
      begin = std::min(begin, part_.call[edge.from]);
      end = std::max(end, part_.pending(edge.from) ? part_.call[edge.from] : part_.response[edge.from]);
    }
    const auto first = std::lower_bound(part_.call.begin(), part_.call.end(), begin);
    const auto last = std::upper_bound(first, part_.call.end(), end);
    if (static_cast<std::size_t>(last - first) + nodes_.size() > kMost) return;
    std::vector<std::uint32_t> met = nodes_;
    std::sort(met.begin(), met.end());
    for (auto t = static_cast<std::uint32_t>(first - part_.call.begin()); t < last - part_.call.begin(); ++t) {
      if (lists_.kept[t] && !std::binary_search(met.begin(), met.end(), t)) nodes_.push_back(t);
    }
  }

  OnKey& touch(std::uint32_t node, std::uint32_t key) {
    const auto [line, fresh] = line_.try_emplace(key, static_cast<std::uint32_t>(lines_.size()));
    if (fresh) lines_.push_back({.key = key, .writers = {}, .readers = {}});
    std::vector<OnKey>& touches = touches_[node];
    const auto at = std::find_if(touches.begin(), touches.end(),
                                 [&line = line](const OnKey& each) { return each.line == line->second; });
    return at != touches.end() ? *at : touches.emplace_back(OnKey{.line = line->second});
  }

  void find_appends() {
    const auto before = [](const auto& each, std::uint32_t transaction) { return each.transaction < transaction; };
    for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
      auto append = std::lower_bound(reading_.appends.begin(), reading_.appends.end(), nodes_[node], before);
      for (; append != reading_.appends.end() && append->transaction == nodes_[node]; ++append) {
        if (append->first) touch(node, append->key).run = kBehind;
      }
    }
    for (const Line& line : lines_) {
      for (std::uint32_t run = lists_.runs[line.key]; run < lists_.runs[line.key + 1]; ++run) {
        const auto node = place_.find(lists_.writer[run]);
        if (node != place_.end()) touch(node->second, line.key).run = run;
      }
    }
  }

  void find_reads() {
    const auto before = [](const auto& each, std::uint32_t transaction) { return each.transaction < transaction; };
    for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
      auto read = std::lower_bound(reading_.reads.begin(), reading_.reads.end(), nodes_[node], before);
      for (; read != reading_.reads.end() && read->transaction == nodes_[node]; ++read) {
        const std::size_t size = read->list.size() - read->own;
        const std::uint32_t next =
            size == 0 ? lists_.runs[read->key] : lists_.run[lists_.begin[read->key] + size - 1] + 1;
        touch(node, read->key).next = next;
      }
    }
  }

  void draw_lines() {
    for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
      for (const OnKey& each : touches_[node]) {
        if (each.run != kNone) lines_[each.line].writers.push_back({each.run, node});
        if (each.next != kNone) lines_[each.line].readers.push_back({each.next, node});
      }
    }
    const auto by_place = [](const At& a, const At& b) { return a.place < b.place; };
    for (Line& line : lines_) {
      std::sort(line.writers.begin(), line.writers.end(), by_place);
      std::sort(line.readers.begin(), line.readers.end(), by_place);
    }
    if (time_ == Dependency::relay) return;
    absl::flat_hash_map<ProcessId, std::uint32_t> clocks;
    for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
      const ProcessId process = process_of(node);
      if (time_ == Dependency::process && process == kNoProcess) {
        clock_.push_back(kNone);
        continue;
      }
      const ProcessId whose = time_ == Dependency::process ? process : kNoProcess;
      const auto [clock, fresh] = clocks.try_emplace(whose, static_cast<std::uint32_t>(clocks_.size()));
      if (fresh) clocks_.emplace_back();
      clock_.push_back(clock->second);
      clocks_[clock->second].push_back({part_.call[nodes_[node]].number(), node});
    }
    for (Row& calls : clocks_) std::sort(calls.begin(), calls.end(), by_place);
  }

  [[nodiscard]] ProcessId process_of(std::uint32_t node) const {
    return part_.history->process(part_.operation[nodes_[node]]);
  }

  /// A step that costs no reader of its own, an anti-dependency or none; or one between two appends.
  enum class Kind : std::uint8_t { direct, anti, writes };
  [[nodiscard]] std::optional<Edge> step(std::uint32_t from, std::uint32_t to, Kind kind) const {
    Edge edge{.from = nodes_[from], .to = nodes_[to]};
    if (kind == Kind::direct && time_ != Dependency::relay && clock_[from] != kNone && clock_[from] == clock_[to] &&
        part_.happens_before(edge.from, edge.to)) {
      edge.kind = time_;
      return edge;
    }
    for (const OnKey& first : touches_[from]) {
      for (const OnKey& second : touches_[to]) {
        if (first.line != second.line) continue;
        edge.key = lines_[first.line].key;
        // What it read ends before the run of the other. Behind the list stands what nobody read.
        const bool anti = first.next != kNone && second.run != kNone && first.next <= second.run;
        const bool read = reads_ && first.run < kBehind && second.next != kNone && first.run < second.next;
        const bool write = first.run < kBehind && second.run != kNone && first.run < second.run;
        if (kind == Kind::anti ? anti : kind == Kind::direct ? read : write) {
          edge.kind = kind == Kind::anti     ? Dependency::anti
                      : kind == Kind::direct ? Dependency::read
                                             : Dependency::write;
          return edge;
        }
      }
    }
    return std::nullopt;
  }

  /// A cheapest cycle through the transaction, if its core may have fewer than `least`. States are nodes, with whether
  /// an anti-dependency led there where these are counted.
  [[nodiscard]] std::vector<Edge> from(std::uint32_t start, std::size_t least) {
    begin(start);
    std::vector<std::uint32_t> met{2 * start}, before;  // with the cost so far, and with one less
    for (std::size_t cost = 1; !(met.empty() && before.empty()) && (cost + 1) / 2 < least; ++cost) {
      met_.clear();
      for (const std::uint32_t state : met) {
        const std::uint32_t node = state / 2, used = state % 2;
        if (const auto last = step(node, start, Kind::direct)) return back(state, *last);
        const bool may_use = anti_ > 1 || (anti_ == 1 && used == 0);
        if (may_use) {
          // Who reads a key and then appends to it is not before itself.
          if (const auto last = step(node, start, Kind::anti); last && node != start) return back(state, *last);
        }
        take_direct_steps(state);
        if (may_use) take_anti_steps(state);
      }
      for (const std::uint32_t state : before) {
        if (const auto last = step(state / 2, start, Kind::writes)) return back(state, *last);
        take_writes(state);
      }
      before = std::exchange(met, met_);
    }
    return {};
  }

  void begin(std::uint32_t start) {
    reached_.assign(2 * nodes_.size(), {});
    reached_[2 * start].by = reached_[2 * start + 1].by = 2 * start;  // it is looked for by itself
    writers_.clear();
    readers_.clear();
    for (const Line& line : lines_) {
      writers_.push_back({line.writers.size(), line.writers.size()});
      readers_.push_back({line.readers.size(), line.readers.size()});
    }
    later_.clear();
    for (const Row& calls : clocks_) later_.push_back({calls.size(), calls.size()});
    steps_ += nodes_.size();
  }

  /// To everybody in the row from the place on.
  void sweep(const Row& row, std::size_t& rest, std::uint32_t place, std::uint32_t state, std::uint32_t used,
             Edge edge) {
    for (; rest > 0 && row[rest - 1].place >= place; --rest) {
      ++steps_;
      const std::uint32_t node = row[rest - 1].node, next = 2 * node + used;
      // Whoever was reached without an anti-dependency need not be reached with one.
      if (reached_[next].by != kNone || reached_[2 * node].by != kNone) continue;
      edge.from = nodes_[state / 2];
      edge.to = nodes_[node];
      reached_[next] = {state, edge};
      met_.push_back(next);
    }
  }
  void take_direct_steps(std::uint32_t state) {
    const std::uint32_t node = state / 2, used = state % 2;
    if (time_ != Dependency::relay && clock_[node] != kNone && !part_.pending(nodes_[node])) {
      const std::uint32_t clock = clock_[node];
      sweep(clocks_[clock], later_[clock][used], part_.response[nodes_[node]].number(), state, used, {.kind = time_});
    }
    if (!reads_) return;
    for (const OnKey& each : touches_[node]) {
      if (each.run >= kBehind) continue;
      const Line& line = lines_[each.line];
      sweep(line.readers, readers_[each.line][used], each.run + 1, state, used,
            {.key = line.key, .kind = Dependency::read});
    }
  }
  void take_anti_steps(std::uint32_t state) {
    const std::uint32_t used = anti_ == 1 ? 1 : state % 2;
    for (const OnKey& each : touches_[state / 2]) {
      if (each.next == kNone) continue;
      const Line& line = lines_[each.line];
      sweep(line.writers, writers_[each.line][used], each.next, state, used,
            {.key = line.key, .kind = Dependency::anti});
    }
  }
  void take_writes(std::uint32_t state) {
    const std::uint32_t used = state % 2;
    for (const OnKey& each : touches_[state / 2]) {
      if (each.run >= kBehind) continue;
      const Line& line = lines_[each.line];
      sweep(line.writers, writers_[each.line][used], each.run + 1, state, used,
            {.key = line.key, .kind = Dependency::write});
    }
  }

  /// The steps to the state, and the last one.
  [[nodiscard]] std::vector<Edge> back(std::uint32_t state, const Edge& last) const {
    std::vector<Edge> edges{last};
    for (; reached_[state].by != state; state = reached_[state].by) edges.push_back(reached_[state].edge);
    std::reverse(edges.begin(), edges.end());
    return edges;
  }

  const Subhistory& part_;
  const Reading& reading_;
  const Lists& lists_;
  const Showing& showing_;
  const Cycle& cycle_;
  std::vector<std::uint32_t> nodes_;  // transactions: those that were met first
  absl::flat_hash_map<std::uint32_t, std::uint32_t> place_;
  bool reads_ = true;
  std::size_t anti_ = 0;                                    // how many anti-dependencies there may be
  Dependency time_ = Dependency::relay;                     // relay: none counts
  std::vector<std::vector<OnKey>> touches_;                 // by node
  absl::flat_hash_map<std::uint32_t, std::uint32_t> line_;  // by key
  std::vector<Line> lines_;
  std::vector<Row> clocks_;           // calls that real time or a process orders
  std::vector<std::uint32_t> clock_;  // by node; kNone: no process is known
  // Of one search.
  std::vector<Reached> reached_;  // by state
  std::vector<Rest> writers_, readers_, later_;
  std::vector<std::uint32_t> met_;  // the next states
  std::size_t steps_ = 0;           // of all searches
};

}  // namespace

Cycle shorten(const Subhistory& part, const Reading& reading, const Lists& lists, const Showing& showing,
              const Cycle& cycle) {
  if (cycle.met.size() > kMost) return cycle;
  return Shortcuts(part, reading, lists, showing, cycle).shorten();
}

}  // namespace linchpin::types::list_append

// Decides streams whose appends tell their tails.
//
// Every operation that succeeded has a place: it looks at a tail, or is the append that starts at one. So the order of
// all of these is known, and checked by their times. A hole between two places is filled by appends of unknown fate: of
// those that were called before everything from the hole's end on returned, depth first, each that fits and is admitted
// (equal requests are one). All ways to fill a hole are kept as configurations (state, lost appends used), and those
// that a hash refutes are dropped. Lost appends that match a position have one place, so they never branch. Without, a
// hole is a subset sum, and the question NP-complete: then the number of configurations is bounded, and the search
// takes over. Cost O(n log n) and the records for one configuration. Compare: decide/search (any history). Tests:
// stream_monitor_test.cpp.
#include "types/stream/monitor.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include "base/none.hpp"
#include "core/core_proof.hpp"
#include "types/stream/places.hpp"
#include "types/stream/specification.hpp"

namespace linchpin::types::stream {

namespace {

using history::Rank;
using history::Subhistory;

constexpr std::size_t kMostConfigurations = 20'000;

/// One way to have reached a tail.
struct Configuration {
  Stream::State state;
  std::vector<std::uint32_t> used;  ///< of the lost appends without a position to match, ascending
  std::uint32_t last = kNone;       ///< step

  template <class H>
  friend H AbslHashValue(H hash, const Configuration& each) {
    return H::combine(std::move(hash), each.state.hash(), each.used);
  }
  bool operator==(const Configuration& other) const { return state == other.state && used == other.used; }
};

class Layers {
 public:
  Layers(const Subhistory& part, const Places& places, bool witness)
      : part_(part), places_(places), witness_(witness), now_(1) {}

  enum class End : std::uint8_t { reached, blocked, given_up };

  /// To the end, or until no configuration is left.
  End run(core::Budget& budget) {
    for (at_ = 0; at_ < places_.known.size(); ++at_) {
      if (budget.spent()) return End::given_up;
      if (!fill(budget)) return End::given_up;
      if (now_.empty()) return End::blocked;
      hole_ = false;
      look_or_append();
      if (now_.empty()) return End::blocked;
      if (now_.size() == 1 && !places_.known[at_].appends) certain_ = at_;
      hole_ = true;
    }
    return End::reached;
  }

  /// Where it was blocked, as an index of `known`; and whether no configuration got there, or it refused all.
  [[nodiscard]] std::size_t blocked_at() const { return at_; }
  [[nodiscard]] bool in_hole() const { return hole_; }
  /// The last look at which there was but one configuration; nothing: the beginning.
  [[nodiscard]] std::optional<std::size_t> certain() const { return certain_; }

  [[nodiscard]] std::vector<std::uint32_t> order() const {
    std::vector<std::uint32_t> path;
    for (std::uint32_t step = now_.front().last; step != kNone; step = steps_[step].before) {
      path.push_back(steps_[step].operation);
    }
    std::reverse(path.begin(), path.end());
    return merged(path);
  }

 private:
  struct Step {
    std::uint32_t before, operation;
  };

  void take(Configuration& configuration, std::uint32_t i) {
    if (!witness_) return;
    steps_.push_back({configuration.last, i});
    configuration.last = static_cast<std::uint32_t>(steps_.size() - 1);
  }

  bool fill(core::Budget& budget) {
    const std::uint64_t tail = places_.known[at_].tail;
    const auto there = [&](const Configuration& each) { return each.state.tail == tail; };
    if (std::all_of(now_.begin(), now_.end(), there)) return true;
    absl::flat_hash_set<Configuration> seen;
    std::vector<Configuration> reached;
    while (!now_.empty()) {
      if (budget.spent() || seen.size() > kMostConfigurations) return false;
      Configuration from = std::move(now_.back());
      now_.pop_back();
      if (from.state.tail > tail || !seen.insert(from).second) continue;
      if (from.state.tail == tail) {
        reached.push_back(std::move(from));
      } else {
        extend(from, tail);
      }
    }
    now_ = std::move(reached);
    return true;
  }

  /// By each lost append that fits between the configuration and the tail.
  void extend(const Configuration& from, std::uint64_t tail) {
    std::set<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>> tried;  // requests, by their bits
    const auto attempt = [&](std::uint32_t i, bool marked) {
      const Operation operation = part_.view(i);
      if (Stream::records(operation) > tail - from.state.tail || !Stream::admits(from.state, operation)) return;
      if (!tried
               .emplace(operation.argument(0).bits(), Stream::token(operation).bits(),
                        Stream::new_token(operation).bits())
               .second) {
        return;
      }
      Configuration next{.state = Stream::after(from.state, operation), .used = from.used, .last = from.last};
      if (marked) next.used.insert(std::lower_bound(next.used.begin(), next.used.end(), i), i);
      take(next, i);
      now_.push_back(std::move(next));
    };
    const Rank until = places_.first_return[at_];
    // First those that match this tail: they were never used, and of no use at another.
    auto at = std::lower_bound(places_.lost_at.begin(), places_.lost_at.end(), std::pair(from.state.tail, 0U));
    for (; at != places_.lost_at.end() && at->first == from.state.tail && part_.call[at->second] < until; ++at) {
      attempt(at->second, false);
    }
    for (const std::uint32_t i : places_.lost) {
      if (part_.call[i] > until) break;
      if (!std::binary_search(from.used.begin(), from.used.end(), i)) attempt(i, true);
    }
  }

  void look_or_append() {
    const Placed& placed = places_.known[at_];
    const Operation operation = part_.view(placed.operation);
    if (placed.appends) {
      std::erase_if(now_, [&](const Configuration& each) { return !Stream::admits(each.state, operation); });
      for (Configuration& each : now_) {
        each.state = Stream::after(each.state, operation);
        take(each, placed.operation);
      }
      return;
    }
    const std::optional<std::uint64_t> content = Stream::seen(operation)->content;
    std::erase_if(now_, [&](const Configuration& each) { return content && *content != each.state.content; });
    for (Configuration& each : now_) take(each, placed.operation);
  }

  /// The path, and what is legal anywhere, each of these at its call.
  [[nodiscard]] std::vector<std::uint32_t> merged(const std::vector<std::uint32_t>& path) const {
    // A gap for each operation of the path: the latest call up to it. They never fall.
    std::vector<std::pair<Rank, std::uint32_t>> order;
    order.reserve(places_.free.size() + path.size());
    Rank gap = 0;
    for (const std::uint32_t i : path) {
      gap = std::max(gap, part_.call[i]);
      order.emplace_back(gap, i);
    }
    for (const std::uint32_t i : places_.free) order.emplace_back(part_.call[i], i);
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::uint32_t> all;
    all.reserve(order.size());
    for (const auto& [rank, i] : order) all.push_back(i);
    return all;
  }

  const Subhistory& part_;
  const Places& places_;
  bool witness_;
  std::vector<Configuration> now_;
  std::vector<Step> steps_;
  std::size_t at_ = 0;
  bool hole_ = true;
  std::optional<std::size_t> certain_;
};

core::Outcome violation(std::vector<std::uint32_t> core, std::optional<std::uint32_t> blocked, std::string sentence) {
  std::sort(core.begin(), core.end());
  core.erase(std::unique(core.begin(), core.end()), core.end());
  return {.verdict = Verdict::violation, .core = std::move(core), .blocked = blocked, .sentence = std::move(sentence)};
}

/// Two operations, or one, that contradict each other by themselves; nothing where there are none.
std::optional<core::Outcome> contradiction(const Subhistory& part, const Places& places) {
  const auto text = [&](std::uint32_t i) { return part.history->describe(part.operation[i]); };
  if (places.impossible) {
    return violation({*places.impossible}, places.impossible,
                     fmt::format("{} is impossible in any state of the stream", text(*places.impossible)));
  }
  if (places.together) {
    const auto [a, b] = *places.together;
    return violation({a, b}, b, fmt::format("{} and {} start at one place", text(a), text(b)));
  }
  for (std::size_t k = 0; k < places.known.size(); ++k) {
    const std::uint32_t i = places.known[k].operation, before = places.latest_caller[k];
    if (before == kNone || part.response[i] > places.latest_call[k]) continue;
    return violation({i, before}, before,
                     fmt::format("{} returned before {} was called, but the stream only grows", text(i), text(before)));
  }
  return std::nullopt;
}

bool violates(const Subhistory& part, core::Budget& budget) {
  const Places places = read_places(part);
  if (!places.obstacle.empty()) return false;
  if (contradiction(part, places)) return true;
  return Layers(part, places, false).run(budget) == Layers::End::blocked;
}

/// What is known from `first` to the blocked place on, the lost appends that may fill a hole before it, and what
/// returns first of all from there on.
std::vector<std::uint32_t> concerned(const Subhistory& part, const Places& places, std::size_t first,
                                     std::size_t last) {
  std::vector<std::uint32_t> core;
  for (std::size_t k = first; k <= last; ++k) core.push_back(places.known[k].operation);
  core.push_back(places.first_returner[last]);
  const Rank until = places.first_return[last];
  const auto in_time = [&](std::uint32_t i) { return part.call[i] < until; };
  for (const std::uint32_t i : places.lost) {
    if (in_time(i)) core.push_back(i);
  }
  const std::uint64_t from = places.known[first].tail, to = places.known[last].tail;
  for (const auto& [tail, i] : places.lost_at) {
    if (in_time(i) && (first == 0 || tail >= from) && tail < to) core.push_back(i);
  }
  return core;
}

core::Outcome blocked_outcome(const Subhistory& part, const Places& places, const Layers& layers,
                              core::Budget& budget) {
  const std::size_t last = layers.blocked_at();
  const Placed& placed = places.known[last];
  const std::string text = part.history->describe(part.operation[placed.operation]);
  const std::string sentence =
      layers.in_hole()
          ? fmt::format("{} needs the tail {}, which no appends that were called in time lead to", text, placed.tail)
          : fmt::format("{} does not fit the stream up to the tail {}, whichever lost appends took effect", text,
                        placed.tail);
  core::Outcome outcome =
      violation(concerned(part, places, layers.certain().value_or(0), last), placed.operation, sentence);
  const auto violates_alone = [&](const Subhistory& some) { return violates(some, budget); };
  if (core::core_proves(part, outcome.core, violates_alone)) return outcome;
  outcome = violation(concerned(part, places, 0, last), placed.operation, sentence);
  if (core::core_proves(part, outcome.core, violates_alone)) return outcome;
  std::vector<std::uint32_t> all(part.size());
  std::iota(all.begin(), all.end(), 0U);
  return violation(std::move(all), placed.operation, sentence);
}

}  // namespace

core::Applicability applicable(const Subhistory& part) {
  if (part.specification->get_if<Stream>() == nullptr) return core::not_of_this_type("not a stream");
  auto places = std::make_shared<Places>(read_places(part));
  if (!places->obstacle.empty()) return {false, std::move(places->obstacle)};
  return {.applies = true, .why = "appends tell their tails, or that they failed", .reading = std::move(places)};
}

core::Outcome decide(const Subhistory& part, const core::DeciderOptions& options, core::Budget& budget) {
  const auto places = core::reading_of<Places>(part, options, applicable);
  if (places == nullptr) return core::not_applicable();
  if (budget.spent_now()) return {.verdict = Verdict::unknown, .reason = budget.reason()};
  if (std::optional<core::Outcome> found = contradiction(part, *places)) return std::move(*found);
  Layers layers(part, *places, options.witness);
  switch (layers.run(budget)) {
    case Layers::End::reached:
      return {.verdict = Verdict::linearizable,
              .witness = options.witness ? layers.order() : std::vector<std::uint32_t>()};
    case Layers::End::blocked: return blocked_outcome(part, *places, layers, budget);
    case Layers::End::given_up: break;
  }
  return {.verdict = Verdict::unknown, .reason = budget.spent_now() ? budget.reason() : Reason::not_applicable};
}

}  // namespace linchpin::types::stream

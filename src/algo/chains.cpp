#include "algo/chains.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "algo/dense_values.hpp"

namespace linchpin::algo {

namespace {

using core::Outcome;
using history::kNoRank;
using history::Rank;
using history::Subhistory;

constexpr std::uint32_t kNobody = 0xffffffffU;

bool produces(ChainRole role) { return role == ChainRole::writes || role == ChainRole::moves; }
bool observes(ChainRole role) { return role == ChainRole::reads || role == ChainRole::moves; }

void observe_all(DenseValues& dense, std::span<const ChainStep> steps, Value initial) {
  dense.observe(initial);
  for (const ChainStep& step : steps) {
    if (produces(step.role)) dense.observe(step.to);
  }
  dense.prepare();
  dense.add(initial);
}

/// What is known about one value.
struct State {
  std::uint32_t producer = kNobody;  // the operation; kNobody: initial, or nobody
  std::uint32_t leaver = kNobody;    // the operation that moves from it
  Rank first_read = kNoRank;         // least response of a read
  Rank last_read = 0;                // greatest call of a read; only where there is one
  std::uint32_t chain = kNobody;
  std::uint32_t stage = 0;  // in the chain, from 0
  bool observed = false;
};

struct Chain {
  std::uint32_t first = kNobody;  // its first value
  // Ranks of events, shifted by 2: the initial value is written at time 1, before all events.
  std::int64_t least_response = std::numeric_limits<std::int64_t>::max();
  std::int64_t greatest_call = -1;
  [[nodiscard]] bool spans() const { return least_response < greatest_call; }
};

constexpr std::int64_t kBefore = 1;
std::int64_t shifted(Rank rank) { return rank == kNoRank ? std::numeric_limits<std::int64_t>::max() : rank + 2LL; }

class Chains {
 public:
  Chains(const Subhistory& part, std::span<const ChainStep> steps, Value initial)
      : part_(part), steps_(steps), initial_defined_(!initial.is_none()), initial_value_(initial) {}

  Outcome decide(bool witness) {
    if (auto found = gather()) return *found;
    if (auto found = build_chains()) return *found;
    if (auto found = compare_chains()) return *found;
    if (!witness && late_.empty()) return {.verdict = Verdict::linearizable};
    std::vector<std::uint32_t> order = linearize();
    if (!late_.empty() && !fit_late(order)) return {.verdict = Verdict::unknown, .reason = Reason::not_applicable};
    return {.verdict = Verdict::linearizable, .witness = std::move(order)};
  }

 private:
  std::string text(std::uint32_t i) const { return part_.history->describe(part_.operation[i]); }
  std::string text_of_value(Value value) const { return part_.history->pool().to_text(value); }
  Value value_of(std::uint32_t state) const {
    return states_[state].producer == kNobody ? initial_value_ : steps_[states_[state].producer].to;
  }
  bool is_first(std::uint32_t state) const {
    return states_[state].producer == kNobody || steps_[states_[state].producer].role == ChainRole::writes;
  }
  std::uint32_t operation_at(Rank rank) const { return part_.events[rank].operation(); }

  /// Numbers the values, drops what pending operations cannot have done, and reads the history value by value.
  std::optional<Outcome> gather() {
    DenseValues dense;
    observe_all(dense, steps_, initial_value_);
    const std::uint32_t count = part_.size();
    from_.assign(count, kNobody);
    to_.assign(count, kNobody);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (produces(steps_[i].role)) to_[i] = dense.add(steps_[i].to).first;
    }
    states_.resize(dense.count());
    for (std::uint32_t i = 0; i < count; ++i) {
      if (to_[i] != kNobody) states_[to_[i]].producer = i;
    }
    std::vector<std::uint32_t> waiting;
    reason_.assign(dense.count(), kNobody);
    for (std::uint32_t i = 0; i < count; ++i) {
      const ChainRole role = steps_[i].role;
      if (role == ChainRole::differs || role == ChainRole::free) {
        late_.push_back(i);
        from_late_.push_back(role == ChainRole::differs ? dense.find(steps_[i].from) : kNobody);
        continue;
      }
      if (!observes(role)) continue;
      const std::uint32_t from = dense.find(steps_[i].from);
      const bool known = from != kNobody && (from != 0 || initial_defined_);
      if (part_.pending(i)) {
        from_[i] = known ? from : kNobody;
        continue;
      }
      if (!known) return never_produced(i);
      from_[i] = from;
      if (!states_[from].observed) {
        states_[from].observed = true;
        reason_[from] = i;
        waiting.push_back(from);
      }
    }
    // A pending operation took effect iff what it produced was observed, and then it observed in its turn.
    while (!waiting.empty()) {
      const std::uint32_t producer = states_[waiting.back()].producer;
      waiting.pop_back();
      if (producer == kNobody || !part_.pending(producer) || steps_[producer].role != ChainRole::moves) continue;
      const std::uint32_t from = from_[producer];
      if (from == kNobody) return never_produced(producer);
      if (states_[from].observed) continue;
      states_[from].observed = true;
      reason_[from] = producer;
      waiting.push_back(from);
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      if (!part_.pending(i) || !produces(steps_[i].role) || states_[to_[i]].observed) continue;
      states_[to_[i]].producer = kNobody;
      from_[i] = to_[i] = kNobody;
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      if (from_[i] == kNobody) continue;
      State& state = states_[from_[i]];
      if (steps_[i].role == ChainRole::reads) {
        state.first_read = std::min(state.first_read, part_.response[i]);
        state.last_read = std::max(state.last_read, part_.call[i]);
        ++reads_;
      } else if (state.leaver == kNobody) {
        state.leaver = i;
      } else {
        std::vector<std::uint32_t> core{i, state.leaver};
        // The chain may be a cycle: only the producer, which shows that the value was there once.
        if (state.producer != kNobody) core.push_back(state.producer);
        return violation(core, fmt::format("{} and {} both changed the value {}, which is there only once",
                                           text(state.leaver), text(i), text_of_value(steps_[i].from)));
      }
    }
    return std::nullopt;
  }

  Outcome never_produced(std::uint32_t i) {
    const Value value = steps_[i].from;
    return violation(
        {i}, fmt::format("{}: {} is never written and is not the initial value", text(i), text_of_value(value)));
  }

  /// Numbers chains and stages, and checks each chain inside.
  std::optional<Outcome> build_chains() {
    std::size_t reached = 0, produced = 0;
    for (std::uint32_t state = 0; state < states_.size(); ++state) {
      const bool exists = states_[state].producer != kNobody || (state == 0 && initial_defined_);
      if (!exists) continue;
      ++produced;
      if (!is_first(state)) continue;
      if (auto found = build_chain(state, reached)) return found;
    }
    if (reached == produced) return std::nullopt;
    // Values on a cycle of moves: every one is produced from another.
    std::uint32_t state = 0;
    while (states_[state].producer == kNobody || states_[state].chain != kNobody) ++state;
    std::vector<bool> seen(states_.size(), false);
    while (!seen[state]) {
      seen[state] = true;
      state = from_[states_[state].producer];
    }
    std::vector<std::uint32_t> core;
    std::string names;
    for (std::uint32_t each = state;;) {
      core.push_back(states_[each].producer);
      names.insert(0, fmt::format("{}{}", text(states_[each].producer), names.empty() ? "" : ", "));
      each = from_[states_[each].producer];
      if (each == state) break;
    }
    return violation(core,
                     fmt::format("each found the value that another of them left, and none the first: {}", names));
  }

  std::optional<Outcome> build_chain(std::uint32_t first, std::size_t& reached) {
    const auto number = static_cast<std::uint32_t>(chains_.size());
    Chain chain{.first = first};
    std::int64_t latest = -1;  // greatest call of the earlier positions
    std::uint32_t stage = 0;
    for (std::uint32_t state = first; state != kNobody;) {
      State& here = states_[state];
      here.chain = number;
      here.stage = stage++;
      ++reached;
      if (here.producer == kNobody) {
        chain.least_response = kBefore;
        chain.greatest_call = std::max<std::int64_t>(chain.greatest_call, 0);
      } else {
        const std::uint32_t i = here.producer;
        if (static_cast<std::int64_t>(part_.response[i]) < latest) return out_of_order(i, latest);
        latest = std::max<std::int64_t>(latest, part_.call[i]);
        chain.least_response = std::min(chain.least_response, shifted(part_.response[i]));
      }
      if (here.first_read != kNoRank) {
        if (static_cast<std::int64_t>(here.first_read) < latest) {
          return out_of_order(operation_at(here.first_read), latest);
        }
        latest = std::max<std::int64_t>(latest, here.last_read);
        chain.least_response = std::min(chain.least_response, shifted(here.first_read));
      }
      state = here.leaver == kNobody ? kNobody : to_[here.leaver];
    }
    if (latest >= 0) chain.greatest_call = std::max(chain.greatest_call, shifted(static_cast<Rank>(latest)));
    chains_.push_back(chain);
    return std::nullopt;
  }

  Outcome out_of_order(std::uint32_t early, std::int64_t latest) {
    const std::uint32_t late = operation_at(static_cast<Rank>(latest));
    std::vector<std::uint32_t> core{early, late};
    add_producers(core, produces(steps_[early].role) ? to_[early] : from_[early]);
    return violation(
        core, fmt::format("{} returned before {} was called, and can only come after it", text(early), text(late)));
  }

  /// The operations that made the value: the chain up to it.
  void add_producers(std::vector<std::uint32_t>& core, std::uint32_t state) const {
    while (states_[state].producer != kNobody) {
      core.push_back(states_[state].producer);
      if (is_first(state)) return;
      state = from_[states_[state].producer];
    }
  }

  std::uint32_t chain_at(Rank rank) const {
    const std::uint32_t i = operation_at(rank);
    const std::uint32_t state = to_[i] != kNobody ? to_[i] : from_[i];
    return state == kNobody ? kNobody : states_[state].chain;
  }

  /// Two chains that must precede each other: one is open, certainly there from its least response to its greatest
  /// call, while the other is. Notes the order of the chains on the way.
  std::optional<Outcome> compare_chains() {
    order_.reserve(chains_.size());
    std::uint32_t open = kNobody;
    if (initial_defined_) {
      order_.push_back(0);
      // Without reads of the initial value its chain ends before all events.
      if (chains_[0].spans()) open = 0;
    }
    for (Rank rank = 0; rank < part_.events.size(); ++rank) {
      const std::uint32_t number = chain_at(rank);
      if (number == kNobody) continue;
      const Chain& chain = chains_[number];
      if (part_.events[rank].is_response()) {
        if (chain.least_response != shifted(rank)) continue;
        if (!chain.spans()) {
          if (open != kNobody && chains_[open].least_response < chain.greatest_call) return crossing(open, number);
          continue;
        }
        if (open != kNobody) return crossing(open, number);
        open = number;
        order_.push_back(number);
      } else if (chain.greatest_call == shifted(rank)) {
        if (open == number) open = kNobody;
        if (!chain.spans()) order_.push_back(number);
      }
    }
    return std::nullopt;
  }

  Outcome crossing(std::uint32_t a, std::uint32_t b) {
    std::vector<std::uint32_t> core;
    std::string sentence;
    const auto name = [&](std::uint32_t chain) { return text_of_value(value_of(chains_[chain].first)); };
    const auto least = [&](std::uint32_t chain) {
      return operation_at(static_cast<Rank>(chains_[chain].least_response - 2));
    };
    const auto greatest = [&](std::uint32_t chain) {
      return operation_at(static_cast<Rank>(chains_[chain].greatest_call - 2));
    };
    for (const std::uint32_t chain : {a, b}) {
      std::uint32_t furthest = chains_[chain].first;
      const auto take = [&](std::uint32_t i) {
        core.push_back(i);
        const std::uint32_t state = to_[i] != kNobody ? to_[i] : from_[i];
        if (states_[state].stage > states_[furthest].stage) furthest = state;
      };
      if (chains_[chain].least_response > kBefore) take(least(chain));
      take(greatest(chain));
      add_producers(core, furthest);
    }
    if (chains_[a].least_response == kBefore) {
      sentence = fmt::format("{} returned before {} was called, which belongs to the initial value {}", text(least(b)),
                             text(greatest(a)), name(a));
    } else {
      sentence = fmt::format(
          "the values {} and {} cannot follow each other: {} returned before {} was called, and {} "
          "returned before {} was called",
          name(a), name(b), text(least(a)), text(greatest(b)), text(least(b)), text(greatest(a)));
    }
    return violation(core, std::move(sentence));
  }

  std::vector<std::uint32_t> linearize() const {
    // Reads by value, each group by call.
    std::vector<std::uint32_t> begin(states_.size() + 1, 0);
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      if (from_[i] != kNobody && steps_[i].role == ChainRole::reads) ++begin[from_[i] + 1];
    }
    for (std::size_t state = 1; state < begin.size(); ++state) begin[state] += begin[state - 1];
    std::vector<std::uint32_t> reads(reads_), next(begin.begin(), begin.end() - 1);
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      if (from_[i] != kNobody && steps_[i].role == ChainRole::reads) reads[next[from_[i]]++] = i;
    }
    std::vector<std::uint32_t> order;
    order.reserve(part_.size());
    for (const std::uint32_t chain : order_) {
      for (std::uint32_t state = chains_[chain].first; state != kNobody;) {
        const State& here = states_[state];
        if (here.producer != kNobody) order.push_back(here.producer);
        order.insert(order.end(), reads.begin() + begin[state], reads.begin() + begin[state + 1]);
        state = here.leaver == kNobody ? kNobody : to_[here.leaver];
      }
    }
    return order;
  }

  /// Fits the steps that change nothing into the order, each as early as it can; false where one does not fit.
  /// Slot p is the moment after the first p operations of the order.
  bool fit_late(std::vector<std::uint32_t>& order) const {
    const std::size_t size = order.size();
    std::vector<std::size_t> place(part_.size(), 0);  // 1 + position; for late ones the slot
    std::vector<std::size_t> begins(states_.size(), size + 1), ends(states_.size(), size + 1);
    std::size_t defined = initial_defined_ ? 0 : size + 1;  // the first slot with a defined value
    std::uint32_t current = initial_defined_ ? 0 : kNobody;
    if (initial_defined_) begins[0] = 0;
    for (std::size_t p = 0; p < size; ++p) {
      const std::uint32_t i = order[p];
      place[i] = p + 1;
      if (!produces(steps_[i].role)) continue;
      if (current != kNobody) ends[current] = p + 1;
      current = to_[i];
      begins[current] = p + 1;
      defined = std::min(defined, p + 1);
    }
    std::vector<std::size_t> last(late_.size(), size);  // the last slot allowed by what is called after the return
    std::vector<std::uint32_t> index(part_.size(), kNobody);
    for (std::uint32_t k = 0; k < late_.size(); ++k) index[late_[k]] = k;
    std::size_t least = size + 1;
    for (Rank rank = static_cast<Rank>(part_.events.size()); rank-- > 0;) {
      const history::Event event = part_.events[rank];
      const std::uint32_t i = event.operation();
      if (event.is_response()) {
        if (index[i] != kNobody) last[index[i]] = least - 1;
      } else if (index[i] == kNobody && place[i] > 0) {
        least = std::min(least, place[i]);
      }
    }
    std::vector<std::pair<std::size_t, std::uint32_t>> fitted;
    std::size_t slot = 0;  // no earlier than all that has returned
    for (const history::Event event : part_.events) {
      const std::uint32_t i = event.operation();
      if (event.is_response()) {
        slot = std::max(slot, place[i]);
        continue;
      }
      const std::uint32_t k = index[i];
      if (k == kNobody) continue;
      std::size_t chosen = slot;
      if (steps_[i].role == ChainRole::differs) {
        chosen = std::max(chosen, defined);
        const std::uint32_t value = from_late_[k];
        if (value != kNobody && begins[value] <= chosen && chosen < ends[value]) chosen = ends[value];
      }
      if (chosen > last[k]) return false;
      place[i] = chosen;
      fitted.emplace_back(chosen, i);
    }
    std::stable_sort(fitted.begin(), fitted.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::uint32_t> merged;
    merged.reserve(size + fitted.size());
    std::size_t next = 0;
    for (std::size_t p = 0; p <= size; ++p) {
      for (; next < fitted.size() && fitted[next].first == p; ++next) merged.push_back(fitted[next].second);
      if (p < size) merged.push_back(order[p]);
    }
    order = std::move(merged);
    return true;
  }

  /// Adds to the core, for every pending operation, who saw what it did.
  Outcome violation(std::vector<std::uint32_t> core, std::string sentence) const {
    for (std::size_t k = 0; k < core.size(); ++k) {
      const std::uint32_t i = core[k];
      if (part_.pending(i) && to_[i] != kNobody && reason_[to_[i]] != kNobody) core.push_back(reason_[to_[i]]);
    }
    std::sort(core.begin(), core.end());
    core.erase(std::unique(core.begin(), core.end()), core.end());
    return {.verdict = Verdict::violation, .core = std::move(core), .sentence = std::move(sentence)};
  }

  const Subhistory& part_;
  std::span<const ChainStep> steps_;
  bool initial_defined_;
  Value initial_value_;
  std::vector<std::uint32_t> from_, to_;  // by operation: values; kNobody: none, or dropped
  std::vector<State> states_;             // value 0 is the initial one, or stands for "undefined"
  std::vector<std::uint32_t> reason_;     // by value: an operation that observed it
  std::vector<std::uint32_t> late_;       // operations that differ or are free, by call
  std::vector<std::uint32_t> from_late_;  // beside late_: the value
  std::vector<Chain> chains_;             // the first is the initial value's, where that is defined
  std::vector<std::uint32_t> order_;      // chains
  std::size_t reads_ = 0;
};

}  // namespace

std::string not_unique(const Subhistory& part, std::span<const ChainStep> steps, Value initial) {
  DenseValues dense;
  observe_all(dense, steps, initial);
  for (const ChainStep& step : steps) {
    if (!produces(step.role) || dense.add(step.to).second) continue;
    return fmt::format("value {} is {}", part.history->pool().to_text(step.to),
                       step.to == initial ? "the initial value and is written again" : "written twice");
  }
  return {};
}

Outcome decide_chains(const Subhistory& part, std::span<const ChainStep> steps, Value initial, bool witness) {
  return Chains(part, steps, initial).decide(witness);
}

}  // namespace linchpin::algo

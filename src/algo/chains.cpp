#include "algo/chains.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "algo/differing_steps.hpp"
#include "algo/fit_steps.hpp"
#include "base/numbered_subset.hpp"

namespace linchpin::algo {

namespace {

using core::Outcome;
using history::Rank;
using history::Subhistory;

/// What is known about one value.
struct State {
  std::uint32_t producer = kNone;  // the operation; kNone: initial, or nobody
  std::uint32_t leaver = kNone;    // the operation that moves from it
  Rank first_read = Rank::none();  // least response of a read
  Rank last_read = 0;              // greatest call of a read; only where there is one
  std::uint32_t stage = kNone;     // in its chain, from 0; kNone: not reached from a first value
};

struct Chain {
  ValueNumber first = ValueNumber::none();  // its first value
  ChainTime least_response = kNever;
  ChainTime greatest_call = 0;
  [[nodiscard]] bool spans() const { return least_response < greatest_call; }
};

constexpr ValueNumber kNoValue = ValueNumber::none();
constexpr ChainTime kBefore = 1;         // when the initial value is written
constexpr std::uint32_t kMostNamed = 4;  // values of a chain in a sentence
ChainTime moment(Rank rank) { return rank == Rank::none() ? kNever : rank.number() + 2; }

class Chains {
 public:
  Chains(const Subhistory& part, ChainReading& reading, const std::function<ChainStep(std::uint32_t)>& step_of,
         ChainConflict* conflict)
      : part_(part),
        step_of_(step_of),
        conflict_(conflict),
        initial_defined_(!reading.initial.is_none()),
        initial_value_(reading.initial),
        role_(std::move(reading.role)),
        from_(std::move(reading.from)),
        to_(std::move(reading.to)),
        states_(reading.values) {}

  Outcome decide(bool witness) {
    if (auto found = gather()) return *found;
    if (auto found = build_chains()) return *found;
    if (auto found = compare_chains()) return *found;
    std::uint32_t open = kNone;
    if (!late_.empty()) {
      if (auto found = settle_late(open)) return *found;
    }
    if (!witness && open == kNone) return {.verdict = Verdict::linearizable};
    std::vector<std::uint32_t> order = linearize();
    if (!late_.empty() && !fit_steps(part_, to_, initial_defined_, late(), order)) {
      Outcome undecided{.verdict = Verdict::unknown, .reason = Reason::not_applicable};
      if (open != kNone)
        undecided.sentence = fmt::format("{} overlaps a write, and may have failed for it", text(open));
      return undecided;
    }
    return {.verdict = Verdict::linearizable, .witness = std::move(order)};
  }

 private:
  std::string text(std::uint32_t i) const { return part_.history->describe(part_.operation[i]); }
  std::string text_of_value(Value value) const { return part_.history->pool().to_text(value); }
  Value value_of(ValueNumber state) const {
    return states_[state].producer == kNone ? initial_value_ : step_of_(states_[state].producer).to;
  }
  bool is_first(ValueNumber state) const {
    return states_[state].producer == kNone || role_[states_[state].producer] == ChainRole::writes;
  }
  /// The value that a move left behind; none where nobody moves from this one.
  ValueNumber after(const State& state) const { return state.leaver == kNone ? kNoValue : to_[state.leaver]; }
  /// The value that the operation produces, or else the one it saw.
  ValueNumber shown_by(std::uint32_t i) const { return to_[i] != kNoValue ? to_[i] : from_[i]; }
  std::uint32_t operation_at(Rank rank) const { return part_.events()[rank].operation(); }

  /// Numbers the values, drops what pending operations cannot have done, and reads the history value by value.
  std::optional<Outcome> gather() {
    const std::uint32_t count = part_.size();
    bool any_pending = false;
    std::size_t late = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (to_[i] != kNoValue) states_[to_[i]].producer = i;
      firsts_ += role_[i] == ChainRole::writes ? 1 : 0;
      late += role_[i] == ChainRole::differs || role_[i] == ChainRole::free ? 1 : 0;
      any_pending = any_pending || part_.pending(i);
    }
    late_.reserve(late);
    from_late_.reserve(late);
    std::vector<ValueNumber> waiting;
    if (any_pending) reason_.assign(states_.size(), kNone);
    for (std::uint32_t i = 0; i < count; ++i) {
      const ChainRole role = role_[i];
      const ValueNumber from = std::exchange(from_[i], kNoValue);
      if (role == ChainRole::differs || role == ChainRole::free) {
        late_.push_back(i);
        from_late_.push_back(from);
        continue;
      }
      if (!observes(role)) continue;
      const bool known = from != kNoValue && (from != 0 || initial_defined_);
      if (part_.pending(i)) {
        from_[i] = known ? from : kNoValue;
        continue;
      }
      if (!known) return never_produced(i);
      from_[i] = from;
      if (any_pending && reason_[from] == kNone) {
        reason_[from] = i;
        waiting.push_back(from);
      }
    }
    // A pending operation took effect iff what it produced was observed, and then it observed in its turn.
    while (!waiting.empty()) {
      const std::uint32_t producer = states_[waiting.back()].producer;
      waiting.pop_back();
      if (producer == kNone || !part_.pending(producer) || role_[producer] != ChainRole::moves) continue;
      const ValueNumber from = from_[producer];
      if (from == kNoValue) return never_produced(producer);
      if (reason_[from] != kNone) continue;
      reason_[from] = producer;
      waiting.push_back(from);
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      if (!part_.pending(i) || !produces(role_[i]) || reason_[to_[i]] != kNone) continue;
      states_[to_[i]].producer = kNone;
      from_[i] = to_[i] = kNoValue;
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      if (from_[i] == kNoValue) continue;
      State& state = states_[from_[i]];
      if (role_[i] == ChainRole::reads) {
        state.first_read = std::min(state.first_read, part_.response[i]);
        state.last_read = std::max(state.last_read, part_.call[i]);
        ++reads_;
      } else if (state.leaver == kNone) {
        state.leaver = i;
      } else {
        std::vector<std::uint32_t> core{i, state.leaver};
        if (conflict_ != nullptr)
          *conflict_ = {.kind = ChainConflict::Kind::left_twice, .least = state.leaver, .greatest = i};
        // The chain may be a cycle: only the producer, which shows that the value was there once.
        if (state.producer != kNone) core.push_back(state.producer);
        return violation(core, fmt::format("{} and {} both changed the value {}, which is there only once",
                                           text(state.leaver), text(i), text_of_value(step_of_(i).from)));
      }
    }
    return std::nullopt;
  }

  Outcome never_produced(std::uint32_t i) {
    const Value value = step_of_(i).from;
    return violation(
        {i}, fmt::format("{}: nobody had written {}, and it is not the initial value", text(i), text_of_value(value)));
  }

  /// Numbers chains and stages, and checks each chain inside.
  std::optional<Outcome> build_chains() {
    std::size_t reached = 0, produced = 0;
    chains_.reserve(firsts_ + 1);
    for (ValueNumber state = 0; state < states_.size(); ++state) {
      const bool exists = states_[state].producer != kNone || (state == 0 && initial_defined_);
      if (!exists) continue;
      ++produced;
      if (!is_first(state)) continue;
      if (auto found = build_chain(state, reached)) return found;
    }
    if (reached == produced) return std::nullopt;
    // Values on a cycle of moves: every one is produced from another.
    ValueNumber state = 0;
    while (states_[state].producer == kNone || states_[state].stage != kNone) ++state;
    ByValue<bool> seen(states_.size(), false);
    while (!seen[state]) {
      seen[state] = true;
      state = from_[states_[state].producer];
    }
    std::vector<std::uint32_t> core;
    std::string names;
    for (ValueNumber each = state;;) {
      core.push_back(states_[each].producer);
      names.insert(0, fmt::format("{}{}", text(states_[each].producer), names.empty() ? "" : ", "));
      each = from_[states_[each].producer];
      if (each == state) break;
    }
    return violation(core,
                     fmt::format("each found the value that another of them left, and none the first: {}", names));
  }

  std::optional<Outcome> build_chain(ValueNumber first, std::size_t& reached) {
    Chain chain{.first = first};
    ChainTime latest = 0;  // greatest call of the earlier positions
    std::uint32_t stage = 0;
    for (ValueNumber state = first; state != kNoValue;) {
      State& here = states_[state];
      here.stage = stage++;
      ++reached;
      if (here.producer == kNone) {
        chain.least_response = kBefore;
      } else {
        const std::uint32_t i = here.producer;
        if (moment(part_.response[i]) < latest) return out_of_order(i, latest);
        latest = std::max(latest, moment(part_.call[i]));
        chain.least_response = std::min(chain.least_response, moment(part_.response[i]));
      }
      if (here.first_read != Rank::none()) {
        if (moment(here.first_read) < latest) return out_of_order(operation_at(here.first_read), latest);
        latest = std::max(latest, moment(here.last_read));
        chain.least_response = std::min(chain.least_response, moment(here.first_read));
      }
      state = after(here);
    }
    chain.greatest_call = latest;
    chains_.push_back(chain);
    return std::nullopt;
  }

  Outcome out_of_order(std::uint32_t early, ChainTime latest) {
    const std::uint32_t late = operation_shown(latest);
    std::vector<std::uint32_t> core{early, late};
    if (conflict_ != nullptr) {
      *conflict_ = {.kind = ChainConflict::Kind::out_of_order, .least = early, .greatest = late};
    } else {
      add_producers(core, produces(role_[early]) ? to_[early] : from_[early]);
    }
    return violation(
        core, fmt::format("{} returned before {} was called, and can only come after it", text(early), text(late)));
  }

  /// The operations that made the value: the chain up to it.
  void add_producers(std::vector<std::uint32_t>& core, ValueNumber state) const {
    while (states_[state].producer != kNone) {
      core.push_back(states_[state].producer);
      if (is_first(state)) return;
      state = from_[states_[state].producer];
    }
  }

  /// Two chains that must precede each other: one is open, certainly there from its least response to its greatest
  /// call, while the other is. Notes the order of the chains on the way.
  std::optional<Outcome> compare_chains() {
    order_.reserve(chains_.size());
    std::uint32_t open = kNone;
    if (initial_defined_) {
      order_.push_back(0);
      // Without reads of the initial value its chain ends before all events.
      if (chains_[0].spans()) open = 0;
    }
    // The other ends of chains, in the order of their times: 2 * chain + (is it the greatest call).
    base::NumberedSubset times(moment(part_.ranks()));
    const auto for_each_end = [&](auto&& body) {
      for (std::uint32_t number = 0; number < chains_.size(); ++number) {
        const Chain& chain = chains_[number];
        if (chain.least_response > kBefore && chain.least_response != kNever) body(chain.least_response, 2 * number);
        if (chain.greatest_call > kBefore) body(chain.greatest_call, 2 * number + 1);
      }
    };
    for_each_end([&](ChainTime time, std::uint32_t) { times.insert(time); });
    std::vector<std::uint32_t> ends(times.number());
    for_each_end([&](ChainTime time, std::uint32_t end) { ends[times.below(time)] = end; });
    for (const std::uint32_t end : ends) {
      const std::uint32_t number = end / 2;
      const Chain& chain = chains_[number];
      if (end % 2 == 0) {
        if (!chain.spans()) {
          if (open != kNone && chains_[open].least_response < chain.greatest_call) return crossing(open, number);
          continue;
        }
        if (open != kNone) return crossing(open, number);
        open = number;
        order_.push_back(number);
      } else {
        if (open == number) open = kNone;
        if (!chain.spans()) order_.push_back(number);
      }
    }
    return std::nullopt;
  }

  Outcome crossing(std::uint32_t a, std::uint32_t b) {
    std::vector<std::uint32_t> core;
    std::string sentence;
    const auto name = [&](std::uint32_t chain) {  // a block of values that stay together, as "1 -> 2 -> 3"
      std::string values;
      for (ValueNumber state = chains_[chain].first; state != kNoValue;) {
        if (states_[state].stage == kMostNamed) return values + " -> ...";
        if (!values.empty()) values += " -> ";
        values += text_of_value(value_of(state));
        state = after(states_[state]);
      }
      return values;
    };
    const auto least = [&](std::uint32_t chain) { return operation_shown(chains_[chain].least_response); };
    const auto greatest = [&](std::uint32_t chain) { return operation_shown(chains_[chain].greatest_call); };
    for (const std::uint32_t chain : {a, b}) {
      ValueNumber furthest = chains_[chain].first;
      const auto take = [&](std::uint32_t i) {
        core.push_back(i);
        const ValueNumber state = shown_by(i);
        if (states_[state].stage > states_[furthest].stage) furthest = state;
      };
      if (chains_[chain].least_response > kBefore) take(least(chain));
      take(greatest(chain));
      if (conflict_ == nullptr) add_producers(core, furthest);
    }
    if (conflict_ != nullptr) {
      *conflict_ = {.kind = ChainConflict::Kind::crossing,
                    .least = chains_[a].least_response > kBefore ? least(a) : kNone,
                    .greatest = greatest(a),
                    .other_least = least(b),
                    .other_greatest = greatest(b)};
    }
    const bool initial = chains_[a].least_response == kBefore;
    if (initial && states_[chains_[a].first].leaver != kNone) {
      sentence = fmt::format(
          "{0} begins with the initial value, so that {1} cannot come before it; but {2} had returned before {3} was "
          "called",
          name(a), name(b), text(least(b)), text(greatest(a)));
    } else if (initial) {
      sentence = fmt::format("{} saw the initial value {}, but {} had returned before it was called", text(greatest(a)),
                             name(a), text(least(b)));
    } else {
      sentence = fmt::format(
          "{0} must come before {1}, because {2} returned before {3} was called; and {1} before {0}, because {4} "
          "returned "
          "before {5} was called",
          name(a), name(b), text(least(a)), text(greatest(b)), text(least(b)), text(greatest(a)));
    }
    return violation(core, std::move(sentence));
  }

  /// When every value was written, as far as its own chain tells.
  ByValue<WrittenValue> written_values() const {
    ByValue<WrittenValue> written(states_.size());
    std::vector<ValueNumber> stages;
    for (std::uint32_t number = 0; number < chains_.size(); ++number) {
      stages.clear();
      ChainTime latest = 0;
      for (ValueNumber state = chains_[number].first; state != kNoValue;) {
        const State& here = states_[state];
        WrittenValue& value = written[state];
        if (here.producer != kNone) latest = std::max(latest, moment(part_.call[here.producer]));
        value = {.after = latest, .chain = number, .stage = here.stage};
        if (here.first_read != Rank::none()) latest = std::max(latest, moment(here.last_read));
        stages.push_back(state);
        state = value.next = after(here);
      }
      ChainTime earliest = kNever;
      for (std::size_t k = stages.size(); k-- > 0;) {
        const State& here = states_[stages[k]];
        if (here.first_read != Rank::none()) earliest = std::min(earliest, moment(here.first_read));
        earliest = here.producer == kNone ? kBefore : std::min(earliest, moment(part_.response[here.producer]));
        written[stages[k]].before = earliest;
      }
    }
    return written;
  }

  [[nodiscard]] std::vector<LateStep> late() const {
    std::vector<LateStep> steps;
    steps.reserve(late_.size());
    for (std::size_t k = 0; k < late_.size(); ++k) {
      steps.push_back({late_[k], role_[late_[k]] == ChainRole::differs, from_late_[k]});
    }
    return steps;
  }

  /// Looks for a step that can have differed in no order, and else sorts the chains so that all fit that are known to;
  /// `open` is one that is not known to.
  std::optional<Outcome> settle_late(std::uint32_t& open) {
    const ByValue<WrittenValue> written = written_values();
    std::vector<ChainInterval> intervals;
    intervals.reserve(chains_.size());
    for (const Chain& chain : chains_) intervals.push_back({chain.least_response, chain.greatest_call});
    std::vector<DifferingStep> steps;
    steps.reserve(late_.size());
    for (std::size_t k = 0; k < late_.size(); ++k) {
      const std::uint32_t i = late_[k];
      if (role_[i] != ChainRole::differs) continue;
      steps.push_back({i, from_late_[k], moment(part_.call[i]), moment(part_.response[i])});
    }
    ChainTime dropped = kNever;
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      if (produces(role_[i]) && to_[i] == kNoValue) dropped = std::min(dropped, moment(part_.call[i]));
    }
    const DifferingAnswer answer = settle_differing(written, intervals, steps, dropped);
    switch (answer.kind) {
      case DifferingAnswer::Kind::open: open = answer.open; break;
      case DifferingAnswer::Kind::fits: break;
      default: return never_differs(answer, written);
    }
    if (answer.layer.size() == chains_.size()) {
      std::stable_sort(order_.begin(), order_.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return answer.layer[a] < answer.layer[b]; });
    }
    return std::nullopt;
  }

  /// The operation of a value or a later one of its chain that returned first, or of an earlier one that was called
  /// last.
  std::uint32_t operation_shown(ChainTime time) const { return operation_at(Rank(time - 2)); }

  /// Chains whose writes alone could come between the value and a step that differs from it, though something of them
  /// returned before something of the value's chain was called: both are taken.
  template <typename Take>
  void keep_earlier_chains(ValueNumber value, std::uint32_t step, const Take& take) const {
    const std::uint32_t producer = states_[value].producer;
    if (producer == kNone) return;
    ValueNumber own = value;
    while (!is_first(own)) own = from_[states_[own].producer];
    const auto chain_of = [&](ValueNumber first) {
      return std::find_if(chains_.begin(), chains_.end(), [&](const Chain& chain) { return chain.first == first; });
    };
    const auto mine = chain_of(own);
    if (mine == chains_.end() || mine->greatest_call <= kBefore) return;
    bool any = false;
    for (const Chain& other : chains_) {
      const std::uint32_t writer = states_[other.first].producer;
      if (other.first == own || writer == kNone) continue;
      const bool could_follow =
          part_.response[writer] > part_.call[producer] && part_.call[writer] < part_.response[step];
      if (!could_follow || other.least_response >= mine->greatest_call) continue;
      take(operation_shown(other.least_response));
      any = true;
    }
    if (any) take(operation_shown(mine->greatest_call));
  }

  Outcome never_differs(const DifferingAnswer& answer, const ByValue<WrittenValue>& written) {
    std::vector<std::uint32_t> core = answer.steps;
    if (answer.kind == DifferingAnswer::Kind::undefined) {
      return violation(core, fmt::format("{}, but nothing was written by then", text(core[0])));
    }
    const auto take = [&](std::uint32_t i) {
      core.push_back(i);
      add_producers(core, shown_by(i));
    };
    for (const ValueNumber value : answer.values) {
      if (written[value].before > kBefore) take(operation_shown(written[value].before));
      keep_earlier_chains(value, answer.steps[0], take);
    }
    const auto name = [&](ValueNumber value) { return text_of_value(value_of(value)); };
    if (answer.kind == DifferingAnswer::Kind::forced) {
      const ValueNumber value = answer.values[0];
      const std::uint32_t last = operation_shown(chains_[answer.chain].greatest_call);
      take(last);
      if (written[value].next != kNoValue) take(operation_shown(written[written[value].next].after));
      const bool to_come = part_.call[last] > part_.call[answer.steps[0]];
      const std::string why =
          to_come ? fmt::format("it was before, no write can take effect in it, and {} was still to come", text(last))
                  : fmt::format("it was before, as {} shows, and no write can take effect from then to the return",
                                text(last));
      return violation(core, fmt::format("{} found another value than {}, but {} was there during the whole call: {}",
                                         text(answer.steps[0]), name(value), name(value), why));
    }
    if (answer.values.size() == 1) {
      return violation(core,
                       fmt::format("{} found another value than {}, but nothing else can have been written after {} "
                                   "and before the return",
                                   text(answer.steps[0]), name(answer.values[0]), name(answer.values[0])));
    }
    std::string block, failures;
    for (std::size_t k = 0; k < answer.values.size(); ++k) {
      block += fmt::format("{}{}", k == 0 ? "" : ", ", name(answer.values[k]));
      failures += fmt::format("{}{}", k == 0 ? "" : ", ", text(answer.steps[k]));
    }
    return violation(
        core,
        fmt::format("no write can take effect during any of {}: all saw the value that came last in the block [{}], "
                    "whose order is free, and each value of the block is excluded by one of them",
                    failures, block));
  }

  std::vector<std::uint32_t> linearize() const {
    // Reads by value, each group by call.
    std::vector<std::uint32_t> reads(reads_);
    ByValue<std::uint32_t> end(reads_ > 0 ? states_.size() : 0, 0);
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      if (from_[i] != kNoValue && role_[i] == ChainRole::reads) ++end[from_[i]];
    }
    std::uint32_t sum = 0;
    for (std::uint32_t& entry : end) sum += std::exchange(entry, sum);  // first where each group begins
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      if (from_[i] != kNoValue && role_[i] == ChainRole::reads) reads[end[from_[i]]++] = i;
    }
    std::vector<std::uint32_t> order;
    order.reserve(part_.size());
    for (const std::uint32_t chain : order_) {
      for (ValueNumber state = chains_[chain].first; state != kNoValue;) {
        const State& here = states_[state];
        if (here.producer != kNone) order.push_back(here.producer);
        if (here.first_read != Rank::none()) {
          order.insert(order.end(), reads.begin() + (state == 0 ? 0 : end[ValueNumber(state.number() - 1)]),
                       reads.begin() + end[state]);
        }
        state = after(here);
      }
    }
    return order;
  }

  /// Adds to the core, for every pending operation, who saw what it did.
  Outcome violation(std::vector<std::uint32_t> core, std::string sentence) const {
    for (std::size_t k = 0; k < core.size(); ++k) {
      const std::uint32_t i = core[k];
      if (part_.pending(i) && to_[i] != kNoValue && reason_[to_[i]] != kNone) core.push_back(reason_[to_[i]]);
    }
    std::sort(core.begin(), core.end());
    core.erase(std::unique(core.begin(), core.end()), core.end());
    return {.verdict = Verdict::violation, .core = std::move(core), .sentence = std::move(sentence)};
  }

  const Subhistory& part_;
  const std::function<ChainStep(std::uint32_t)>& step_of_;
  ChainConflict* conflict_;
  bool initial_defined_;
  Value initial_value_;
  std::vector<ChainRole> role_;
  std::vector<ValueNumber> from_, to_;  // by operation; none: there is none, or it was dropped
  ByValue<State> states_;               // value 0 is the initial one, or stands for "undefined"
  ByValue<std::uint32_t> reason_;       // an operation that observed it; empty where none is pending
  std::vector<std::uint32_t> late_;     // operations that differ or are free, by call
  std::vector<ValueNumber> from_late_;  // beside late_: the value
  std::vector<Chain> chains_;           // the first is the initial value's, where that is defined
  std::vector<std::uint32_t> order_;    // chains
  std::size_t reads_ = 0, firsts_ = 0;  // how many there are; of first values at most
};

}  // namespace

Outcome decide_chains(const Subhistory& part, ChainReading& reading,
                      const std::function<ChainStep(std::uint32_t)>& step_of, bool witness, ChainConflict* conflict) {
  return Chains(part, reading, step_of, conflict).decide(witness);
}

}  // namespace linchpin::algo

#include "algo/chains_with_absence.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "algo/absence_sweep.hpp"
#include "algo/fit_steps.hpp"

namespace linchpin::algo {

namespace {

using core::Outcome;
using history::Rank;
using history::Subhistory;

constexpr ValueNumber kNoStored = ValueNumber::none();
constexpr Rank kMostRanks = Rank(1U << 30U);

/// What is known about one value that is not absent.
struct StoredValue {
  std::uint32_t maker = kNone;     // the operation that stores it; kNone: it is dropped
  std::uint32_t leaver = kNone;    // the operation that moves from it
  Rank first_read = Rank::none();  // least response of a read
  Rank last_read = 0;              // greatest call of a read; only where there is one
  bool reached = false;
};

class ChainsWithAbsence {
 public:
  ChainsWithAbsence(const Subhistory& part, ChainReading& reading, const std::vector<bool>& finds,
                    const std::function<ChainStep(std::uint32_t)>& step_of, ChainConflict* conflict)
      : part_(part),
        finds_(finds),
        step_of_(step_of),
        conflict_(conflict),
        role_(std::move(reading.role)),
        from_(std::move(reading.from)),
        to_(std::move(reading.to)),
        states_(reading.values) {}

  Outcome decide(core::Budget& budget) {
    if (part_.ranks() >= kMostRanks) return core::not_applicable();
    if (auto found = gather()) return std::move(*found);
    if (auto found = build_chains()) return std::move(*found);
    add_single();
    if (auto found = place()) return std::move(*found);
    if (budget.spent_now()) return {.reason = budget.reason()};
    AbsenceSweep sweep(units_, false);
    if (const auto failed = sweep.run()) return cannot_be(*failed);
    std::vector<std::uint32_t> order = linearize(sweep.order);
    if (!fits(order)) {
      AbsenceSweep hoarding(units_, true);
      if (hoarding.run()) return undecided();
      order = linearize(hoarding.order);
      if (!fits(order)) return undecided();
    }
    return {.verdict = Verdict::linearizable, .witness = std::move(order)};
  }

 private:
  [[nodiscard]] std::string text(std::uint32_t i) const { return part_.history->describe(part_.operation[i]); }
  [[nodiscard]] std::string text_of(Value value) const { return part_.history->pool().to_text(value); }
  [[nodiscard]] std::uint32_t operation_at(Rank rank) const { return part_.events()[rank].operation(); }
  static Outcome undecided() {
    return {.verdict = Verdict::unknown,
            .reason = Reason::not_applicable,
            .sentence = "what says only that something was there does not fit into the order that was found"};
  }

  /// Who stores, reads and leaves each value; what pending operations cannot have done is dropped.
  std::optional<Outcome> gather() {
    std::vector<ValueNumber> waiting;
    seen_by_.assign(states_.size(), kNone);
    const auto see = [&](ValueNumber value, std::uint32_t i) {
      if (value == 0 || seen_by_[value] != kNone) return;
      seen_by_[value] = i;
      waiting.push_back(value);
    };
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      if (produces(role_[i]) && to_[i] != 0) states_[to_[i]].maker = i;
      if (part_.pending(i)) continue;
      if (observes(role_[i])) {
        if (from_[i] == kNoStored) return never_stored(i);
        see(from_[i], i);
      }
      if (produces(role_[i])) see(to_[i], i);
    }
    while (!waiting.empty()) {
      const std::uint32_t i = states_[waiting.back()].maker;
      waiting.pop_back();
      if (!part_.pending(i) || role_[i] != ChainRole::moves) continue;
      if (from_[i] == kNoStored) return never_stored(i);
      see(from_[i], i);
    }
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      if (part_.pending(i) && produces(role_[i]) && to_[i] != 0 && seen_by_[to_[i]] == kNone) {
        states_[to_[i]].maker = kNone;
        role_[i] = ChainRole::ignored;
      }
    }
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      if (!observes(role_[i]) || from_[i] == 0) continue;
      StoredValue& state = states_[from_[i]];
      if (role_[i] == ChainRole::reads) {
        state.first_read = std::min(state.first_read, part_.response[i]);
        state.last_read = std::max(state.last_read, part_.call[i]);
      } else if (state.leaver == kNone) {
        state.leaver = i;
      } else {
        tell({.kind = ChainConflict::Kind::left_twice, .least = state.leaver, .greatest = i});
        return violation({i, state.leaver, state.maker},
                         fmt::format("{} and {} both changed the value {}, which is there only once",
                                     text(state.leaver), text(i), text_of(step_of_(i).from)));
      }
    }
    return std::nullopt;
  }

  Outcome never_stored(std::uint32_t i) {
    return violation({i}, fmt::format("{}: nobody can have stored {}", text(i), text_of(step_of_(i).from)));
  }

  std::optional<Outcome> build_chains() {
    std::size_t kept = 0, reached = 0;
    for (ValueNumber value = 1; value < states_.size(); ++value) {
      const std::uint32_t maker = states_[value].maker;
      if (maker == kNone) continue;
      ++kept;
      if (role_[maker] == ChainRole::moves && from_[maker] != 0) continue;
      AbsenceUnit unit{.chain = true, .from_absent = role_[maker] == ChainRole::moves, .first = value};
      if (auto found = build_chain(unit, reached)) return found;
      units_.push_back(unit);
    }
    if (reached == kept) return std::nullopt;
    ValueNumber value = 1;
    while (states_[value].maker == kNone || states_[value].reached) ++value;
    std::vector<std::uint32_t> core;
    while (!states_[value].reached) {
      states_[value].reached = true;
      value = from_[states_[value].maker];
    }
    const ValueNumber last = value;
    do {
      core.push_back(states_[value].maker);
      value = from_[states_[value].maker];
    } while (value != last);
    return violation(std::move(core), "each found the value that another of them left, and none the first");
  }

  std::optional<Outcome> build_chain(AbsenceUnit& unit, std::size_t& reached) {
    Rank latest = 0;  // greatest call of the earlier positions
    const auto stand = [&](std::uint32_t i, Rank response, Rank call) -> std::optional<Outcome> {
      if (response < latest) return out_of_order(i, operation_at(latest));
      latest = std::max(latest, call);
      unit.least_response = std::min(unit.least_response, response);
      return std::nullopt;
    };
    for (ValueNumber value = unit.first; value != kNoStored;) {
      StoredValue& state = states_[value];
      state.reached = true;
      ++reached;
      if (auto found = stand(state.maker, part_.response[state.maker], part_.call[state.maker])) return found;
      if (state.first_read != Rank::none()) {
        if (auto found = stand(operation_at(state.first_read), state.first_read, state.last_read)) return found;
      }
      value = kNoStored;
      if (state.leaver == kNone) continue;
      if (to_[state.leaver] != 0) {
        value = to_[state.leaver];
        continue;
      }
      const std::uint32_t i = state.leaver;
      if (auto found = stand(i, part_.response[i], part_.call[i])) return found;
      unit.to_absent = true;
    }
    unit.greatest_call = latest;
    if (unit.least_response < unit.greatest_call) {
      unit.kind = AbsenceUnit::Kind::zone;
      return std::nullopt;
    }
    if (unit.from_absent) {
      unit.kind = unit.to_absent ? AbsenceUnit::Kind::zero : AbsenceUnit::Kind::up;
    } else {
      unit.kind = unit.to_absent ? AbsenceUnit::Kind::reset : AbsenceUnit::Kind::set;
    }
    return std::nullopt;
  }

  Outcome out_of_order(std::uint32_t early, std::uint32_t late) {
    std::vector<std::uint32_t> core{early, late};
    tell({.kind = ChainConflict::Kind::out_of_order, .least = early, .greatest = late});
    if (conflict_ == nullptr) {
      add_makers(core, early);
      add_makers(core, late);
    }
    return violation(std::move(core), fmt::format("{} returned before {} was called, and can only come after it",
                                                  text(early), text(late)));
  }

  /// Who stored what the operation stores or saw, and the values before it in its chain.
  void add_makers(std::vector<std::uint32_t>& core, std::uint32_t i) const {
    ValueNumber value = produces(role_[i]) && to_[i] != 0 ? to_[i] : from_[i];
    while (value != 0 && value != kNoStored) {
      core.push_back(states_[value].maker);
      value = role_[states_[value].maker] == ChainRole::moves ? from_[states_[value].maker] : kNoStored;
    }
  }

  /// What only removes, and what found nothing.
  void add_single() {
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      const bool removes = role_[i] == ChainRole::writes && to_[i] == 0;
      const bool nothing = role_[i] == ChainRole::reads && from_[i] == 0;
      if (!removes && !nothing) continue;
      units_.push_back({.kind = removes ? AbsenceUnit::Kind::reset : AbsenceUnit::Kind::zero,
                        .operation = i,
                        .least_response = part_.response[i],
                        .greatest_call = part_.call[i]});
    }
  }

  /// When each unit can be, outside the zones.
  std::optional<Outcome> place() {
    std::vector<std::uint32_t> zones;
    for (std::uint32_t number = 0; number < units_.size(); ++number) {
      if (units_[number].kind == AbsenceUnit::Kind::zone) zones.push_back(number);
    }
    std::sort(zones.begin(), zones.end(),
              [&](std::uint32_t a, std::uint32_t b) { return units_[a].least_response < units_[b].least_response; });
    for (std::size_t k = 1; k < zones.size(); ++k) {
      if (units_[zones[k]].least_response < units_[zones[k - 1]].greatest_call) return crossing(zones[k - 1], zones[k]);
    }
    const auto zone_at = [&](Rank moment) {
      const auto next = std::upper_bound(zones.begin(), zones.end(), moment, [&](Rank rank, std::uint32_t zone) {
        return rank < units_[zone].least_response;
      });
      if (next == zones.begin() || units_[*(next - 1)].greatest_call <= moment) return kNone;
      return *(next - 1);
    };
    for (std::uint32_t number = 0; number < units_.size(); ++number) {
      AbsenceUnit& unit = units_[number];
      if (unit.kind == AbsenceUnit::Kind::zone) {
        unit.opens = unit.least_response - 1;
        unit.closes = unit.greatest_call;
        continue;
      }
      unit.opens = unit.greatest_call;
      unit.closes = unit.least_response == Rank::none() ? Rank::none() : unit.least_response - 1;
      const std::uint32_t first = zone_at(unit.opens);
      if (first != kNone) unit.opens = units_[first].greatest_call;
      if (unit.closes == Rank::none()) continue;
      const std::uint32_t last = zone_at(unit.closes);
      if (last != kNone) unit.closes = units_[last].least_response - 1;
      if (unit.closes == Rank::none() || unit.opens > unit.closes) return crossing(first, number);
    }
    return std::nullopt;
  }

  Outcome crossing(std::uint32_t zone, std::uint32_t other) {
    const AbsenceUnit& a = units_[zone];
    const AbsenceUnit& b = units_[other];
    const auto least = [&](const AbsenceUnit& unit) {
      return unit.chain ? operation_at(unit.least_response) : unit.operation;
    };
    const auto greatest = [&](const AbsenceUnit& unit) {
      return unit.chain ? operation_at(unit.greatest_call) : unit.operation;
    };
    tell({.kind = ChainConflict::Kind::crossing,
          .least = least(a),
          .greatest = greatest(a),
          .other_least = least(b),
          .other_greatest = greatest(b)});
    std::vector<std::uint32_t> core{least(a), greatest(a), least(b), greatest(b)};
    if (conflict_ == nullptr) {
      for (const AbsenceUnit* const unit : {&a, &b}) {
        if (!unit->chain) continue;
        add_makers(core, least(*unit));
        add_makers(core, greatest(*unit));
      }
    }
    const std::string value = text_of(step_of_(states_[a.first].maker).to);
    if (!b.chain) {
      return violation(std::move(core),
                       fmt::format("{} cannot take effect between {} and {}: from {} on one value followed the other "
                                   "and nothing came between",
                                   text(b.operation), text(least(a)), text(greatest(a)), value));
    }
    return violation(std::move(core),
                     fmt::format("{} and {} were there at once: the one from {} to {}, the other from {} to {}", value,
                                 text_of(step_of_(states_[b.first].maker).to), text(least(a)), text(greatest(a)),
                                 text(least(b)), text(greatest(b))));
  }

  Outcome cannot_be(std::uint32_t number) {
    const AbsenceUnit& unit = units_[number];
    const std::uint32_t i = unit.chain ? states_[unit.first].maker : unit.operation;
    std::vector<std::uint32_t> all(part_.size());
    std::iota(all.begin(), all.end(), 0);
    Outcome outcome = violation(std::move(all),
                                fmt::format("{} needs nothing to be there, but something is there all the time, or "
                                            "comes again before: nothing is left that can remove it before the return",
                                            text(i)));
    outcome.blocked = i;
    return outcome;
  }

  [[nodiscard]] std::vector<std::uint32_t> linearize(const std::vector<std::uint32_t>& units) const {
    // Reads by value, each group by call.
    std::vector<std::uint32_t> begin(states_.size() + 1, 0);
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      if (role_[i] == ChainRole::reads && from_[i] != 0) ++begin[from_[i].number() + 1];
    }
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<std::uint32_t> reads(begin.back()), next(begin.begin(), begin.end() - 1);
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      if (role_[i] == ChainRole::reads && from_[i] != 0) reads[next[from_[i].number()]++] = i;
    }
    std::vector<std::uint32_t> order;
    order.reserve(part_.size());
    for (const std::uint32_t number : units) {
      const AbsenceUnit& unit = units_[number];
      if (!unit.chain) {
        order.push_back(unit.operation);
        continue;
      }
      for (ValueNumber value = unit.first; value != kNoStored;) {
        const StoredValue& state = states_[value];
        order.push_back(state.maker);
        order.insert(order.end(), reads.begin() + begin[value.number()], reads.begin() + begin[value.number() + 1]);
        value = kNoStored;
        if (state.leaver == kNone) continue;
        if (to_[state.leaver] == 0) {
          order.push_back(state.leaver);
        } else {
          value = to_[state.leaver];
        }
      }
    }
    return order;
  }

  /// Puts what only looks at whether something is there into the order; false where it does not fit.
  bool fits(std::vector<std::uint32_t>& order) const {
    bool present = false;
    for (const std::uint32_t i : order) {
      if (!finds_.empty() && finds_[i] && !present) return false;
      if (produces(role_[i])) present = to_[i] != 0;
    }
    std::vector<LateStep> late;
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      if (role_[i] == ChainRole::differs || role_[i] == ChainRole::free) {
        late.push_back({i, role_[i] == ChainRole::differs, from_[i]});
      }
    }
    return late.empty() || fit_steps(part_, to_, true, late, order);
  }

  void tell(const ChainConflict& conflict) {
    if (conflict_ != nullptr) *conflict_ = conflict;
  }

  [[nodiscard]] Outcome violation(std::vector<std::uint32_t> core, std::string sentence) const {
    std::sort(core.begin(), core.end());
    core.erase(std::unique(core.begin(), core.end()), core.end());
    // What a pending operation did shows only in what others saw: then all of it is the core, to be made smaller.
    if (std::any_of(core.begin(), core.end(), [&](std::uint32_t i) { return part_.pending(i); })) {
      core.resize(part_.size());
      std::iota(core.begin(), core.end(), 0);
    }
    return {.verdict = Verdict::violation, .core = std::move(core), .sentence = std::move(sentence)};
  }

  const Subhistory& part_;
  const std::vector<bool>& finds_;
  const std::function<ChainStep(std::uint32_t)>& step_of_;
  ChainConflict* conflict_;
  std::vector<ChainRole> role_;
  std::vector<ValueNumber> from_, to_;  // by operation; none: there is none
  ByValue<StoredValue> states_;         // 0: absent
  ByValue<std::uint32_t> seen_by_;      // an operation that shows that it was there
  std::vector<AbsenceUnit> units_;
};

}  // namespace

Outcome decide_chains_with_absence(const Subhistory& part, ChainReading& reading, const std::vector<bool>& finds,
                                   const std::function<ChainStep(std::uint32_t)>& step_of, core::Budget& budget,
                                   ChainConflict* conflict) {
  return ChainsWithAbsence(part, reading, finds, step_of, conflict).decide(budget);
}

}  // namespace linchpin::algo

#include "decide/framework/decider.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/none.hpp"
#include "decide/framework/standardise.hpp"

namespace linchpin::decide {

namespace {

using core::Outcome;
using history::Rank;
using history::Subhistory;

/// What the framework may spend on one history, in operations looked at, runs being taken as quadratic.
constexpr std::uint64_t kDecidingEffort = 4'000'000'000;
constexpr std::uint64_t kWitnessEffort = 400'000'000;
constexpr std::uint64_t kShrinkingEffort = 100'000'000;

std::uint64_t cost_of(const BoundHistory& bound) { return bound.operations.size() * (bound.operations.size() / 8 + 8); }

class Framework {
 public:
  Framework(const Subhistory& part, const ContainerRules& rules, core::Budget& budget)
      : part_(part), rules_(rules), budget_(budget) {}

  Outcome decide(bool want_witness) {
    Binding binding = bind(part_, rules_);
    if (!binding.obstacle.empty()) return core::not_applicable();
    BoundHistory bound = std::move(binding.history);
    Answer answer = decide(bound, kDecidingEffort);
    Outcome outcome;
    switch (answer.verdict) {
      case Verdict::unknown:
        outcome.reason = budget_.reason() == Reason::none ? Reason::not_applicable : budget_.reason();
        return outcome;
      case Verdict::linearizable:
        outcome.verdict = Verdict::linearizable;
        if (want_witness) outcome.witness = pin_down(std::move(bound));
        return outcome;
      case Verdict::violation: break;
    }
    shrink(bound, answer);
    outcome.verdict = Verdict::violation;
    outcome.core = std::move(answer.locals);
    outcome.sentence = std::move(answer.sentence);
    return outcome;
  }

 private:
  struct Answer {
    Verdict verdict = Verdict::unknown;
    std::vector<std::uint32_t> locals;  // for violation: ascending
    std::string sentence;
  };

  /// Tries the pending removes of unknown values with every value that is left; a history that is linearizable comes
  /// back with the choice made.
  Answer decide(BoundHistory& bound, std::uint64_t effort) {
    std::vector<std::size_t> lost;
    for (std::size_t at = 0; at < bound.operations.size(); ++at) {
      if (bound.operations[at].lost()) lost.push_back(at);
    }
    Answer refuted{.verdict = Verdict::violation, .locals = {}, .sentence = {}};
    Answer answer = choose(bound, lost, 0, effort, refuted);
    if (answer.verdict != Verdict::violation) return answer;
    for (const std::size_t at : lost) refuted.locals.push_back(bound.operations[at].local);
    std::sort(refuted.locals.begin(), refuted.locals.end());
    refuted.locals.erase(std::unique(refuted.locals.begin(), refuted.locals.end()), refuted.locals.end());
    if (!lost.empty()) refuted.sentence += ", and no choice of values for the pending removes mends it";
    return refuted;
  }

  Answer choose(BoundHistory& bound, const std::vector<std::size_t>& lost, std::size_t next, std::uint64_t& effort,
                Answer& refuted) {
    if (next == lost.size()) {
      if (cost_of(bound) > effort || budget_.spent_now()) return {};
      effort -= cost_of(bound);
      Answer answer = run(bound);
      refuted.locals.insert(refuted.locals.end(), answer.locals.begin(), answer.locals.end());
      if (refuted.sentence.empty()) refuted.sentence = answer.sentence;
      return answer;
    }
    Answer answer = choose(bound, lost, next + 1, effort, refuted);  // it did not happen
    if (answer.verdict != Verdict::violation) return answer;
    std::vector<bool> left(bound.values, false);
    for (const BoundOperation& operation : bound.operations) {
      if (operation.value != kNone && operation.kind == ActKind::add) left[operation.value] = true;
    }
    for (const BoundOperation& operation : bound.operations) {
      const bool removes = operation.value != kNone && operation.kind == ActKind::take;
      if (removes && !operation.pending()) left[operation.value] = false;
    }
    for (std::size_t earlier = 0; earlier < next; ++earlier) {
      const std::uint32_t value = bound.operations[lost[earlier]].value;
      if (value != kNone) left[value] = false;
    }
    BoundOperation& remove = bound.operations[lost[next]];
    for (std::uint32_t value = 0; value < bound.values; ++value) {
      if (!left[value]) continue;
      remove.value = value;
      answer = choose(bound, lost, next + 1, effort, refuted);
      if (answer.verdict != Verdict::violation) return answer;
    }
    remove.value = kNone;
    return answer;
  }

  /// One run: standard form, then value by value.
  Answer run(const BoundHistory& bound) const {
    const BoundHistory known = bound.only([](const BoundOperation& operation) { return !operation.lost(); });
    Standardised standard = standardise(known);
    if (standard.fault) return {Verdict::violation, standard.fault->locals, standard.fault->sentence};
    rules_.decrease(*standard.history);
    if (standard.history->values().empty()) return {Verdict::linearizable, {}, {}};
    std::vector<bool> stuck(bound.values, false);
    for (const std::uint32_t value : standard.history->values()) stuck[standard.value_of[value]] = true;
    Answer answer{.verdict = Verdict::violation, .locals = {}, .sentence = {}};
    std::vector<Value> values;
    for (const BoundOperation& operation : known.operations) {
      if (operation.value == kNone || !stuck[operation.value]) continue;
      answer.locals.push_back(operation.local);
      if (operation.kind == ActKind::add)
        values.push_back(rules_.act(part_.view(operation.local), operation.pending()).value);
    }
    answer.sentence = describe(values);
    return answer;
  }

  [[nodiscard]] std::string describe(const std::vector<Value>& values) const {
    const ValuePool& pool = part_.history->pool();
    if (values.size() == 1) return fmt::format("the operations on {} fit into no order", pool.to_text(values[0]));
    std::string names;
    for (std::size_t i = 0; i < values.size() && i < 8; ++i) {
      if (i > 0) names += i + 1 == values.size() ? " and " : ", ";
      names += pool.to_text(values[i]);
    }
    if (values.size() > 8) names += " and others";
    return fmt::format("{} block each other: each has an operation for which another of them leaves no moment", names);
  }

  /// Drops values of a core one by one as long as the rest is refuted. Pending removes stay: they could take any value.
  void shrink(const BoundHistory& bound, Answer& answer) {
    std::uint64_t effort = kShrinkingEffort;
    const auto part_of_core = [&](const std::vector<std::uint32_t>& locals) {
      return bound.only([&](const BoundOperation& operation) {
        return std::binary_search(locals.begin(), locals.end(), operation.local);
      });
    };
    const BoundHistory core = part_of_core(answer.locals);
    std::vector<std::uint32_t> values;
    values.reserve(core.operations.size());
    for (const BoundOperation& operation : core.operations) {
      if (operation.value != kNone) values.push_back(operation.value);
    }
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    for (const std::uint32_t value : values) {
      BoundHistory rest =
          part_of_core(answer.locals).only([&](const BoundOperation& operation) { return operation.value != value; });
      const std::uint64_t cost = cost_of(rest);
      if (cost > effort) return;
      effort -= cost;
      Answer smaller = decide(rest, effort);
      if (smaller.verdict == Verdict::violation) answer = std::move(smaller);
    }
  }

  /// A witness by self-reduction: pending operations are left out where they can be, and every other operation is given
  /// the first half of its moments, or else the second, as long as the history stays linearizable, until its call and
  /// its response are neighbours. Nothing where that is too expensive.
  std::vector<std::uint32_t> pin_down(BoundHistory bound) {
    const auto runs = [&] {
      std::uint64_t each = 2;
      for (std::size_t size = bound.operations.size(); size > 0; size /= 2) ++each;
      return each * bound.operations.size();
    };
    if (runs() * cost_of(bound) > kWitnessEffort) return {};
    std::erase_if(bound.operations, [](const BoundOperation& operation) { return operation.lost(); });
    for (std::size_t at = bound.operations.size(); at-- > 0;) {
      if (!bound.operations[at].pending()) continue;
      BoundHistory without = bound;
      without.operations.erase(without.operations.begin() + static_cast<std::ptrdiff_t>(at));
      if (run(without).verdict == Verdict::linearizable) bound = std::move(without);
    }
    // Events in order: an operation's place, twice.
    std::vector<std::size_t> events;
    std::vector<std::pair<Rank, std::size_t>> ranked;
    for (std::size_t at = 0; at < bound.operations.size(); ++at) {
      ranked.emplace_back(bound.operations[at].call, at);
      ranked.emplace_back(bound.operations[at].response, at);  // none: at the end
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    events.reserve(ranked.size());
    for (const auto& [rank, at] : ranked) events.push_back(at);
    const auto number = [&](const std::vector<std::size_t>& order) {
      std::vector<bool> called(bound.operations.size(), false);
      for (std::size_t rank = 0; rank < order.size(); ++rank) {
        BoundOperation& operation = bound.operations[order[rank]];
        (called[order[rank]] ? operation.response : operation.call) = static_cast<Rank>(rank);
        called[order[rank]] = true;
      }
      bound.ranks = static_cast<Rank>(order.size());
    };
    std::vector<bool> pinned(bound.operations.size(), false);
    std::vector<std::size_t> others, places, tried;
    for (std::size_t at = 0; at < bound.operations.size(); ++at) {
      // Where its point may lie among the events of the others: not between the neighbours of one that is pinned.
      others.clear();
      places.clear();
      std::size_t seen = 0;
      for (const std::size_t other : events) {
        const bool inside_a_pair = !others.empty() && others.back() == other && pinned[other];
        if (seen == 1 && !inside_a_pair) places.push_back(others.size());
        if (other != at) {
          others.push_back(other);
        } else {
          ++seen;
        }
      }
      std::size_t low = 0, high = places.size() - 1;
      const auto between = [&](std::size_t first, std::size_t last) -> const std::vector<std::size_t>& {
        tried = others;
        tried.insert(tried.begin() + static_cast<std::ptrdiff_t>(places[last]), at);
        tried.insert(tried.begin() + static_cast<std::ptrdiff_t>(places[first]), at);
        return tried;
      };
      while (low < high) {
        if (budget_.spent_now()) return {};
        const std::size_t middle = low + (high - low) / 2;
        number(between(low, middle));
        if (run(bound).verdict == Verdict::linearizable) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      events = between(low, low);
      pinned[at] = true;
    }
    std::vector<std::uint32_t> order;
    for (std::size_t rank = 0; rank < events.size(); rank += 2) order.push_back(bound.operations[events[rank]].local);
    return order;
  }

  const Subhistory& part_;
  const ContainerRules& rules_;
  core::Budget& budget_;
};

const ContainerRules* rules_of(const Subhistory& part) {
  const auto* const specification = dynamic_cast<const ContainerSpecification*>(part.specification);
  return specification == nullptr ? nullptr : &specification->rules();
}

core::Applicability applicable(const Subhistory& part) {
  const ContainerRules* const rules = rules_of(part);
  if (rules == nullptr) return core::not_of_this_type("the type has no rules for decrease-and-conquer");
  std::string obstacle = bind(part, *rules).obstacle;
  if (!obstacle.empty()) return {false, std::move(obstacle)};
  return {true, "no value is added twice"};
}

constexpr core::Decider kFramework{
    .name = "decrease-and-conquer",
    .about = {.types = "containers of your own, with two functions more (include/linchpin/framework.hpp)",
              .when = "no value is added twice",
              .method = "values that may be dropped without changing the answer are dropped one by one",
              .cost = "a run a value",
              .source = "decrease and conquer: docs/design/framework.md"},
    .applicable = &applicable,
    .at_once = [](const Subhistory& part, const core::DeciderOptions& options, core::Budget& budget) {
      return decrease_and_conquer(part, *rules_of(part), options, budget);
    }};

}  // namespace

core::Outcome decrease_and_conquer(const Subhistory& part, const ContainerRules& rules,
                                   const core::DeciderOptions& options, core::Budget& budget) {
  return Framework(part, rules, budget).decide(options.witness);
}

const core::Decider& container_framework() { return kFramework; }

}  // namespace linchpin::decide

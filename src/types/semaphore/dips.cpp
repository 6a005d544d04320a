// Decides semaphore histories by where the count comes down to zero. Compare: decide/search (any history).
//
// Idea: go through the events with the window of open operations; a configuration is a mask over those that are done
// (which gives the count). Operations that saw zero are done as soon as the count is zero. Before a response x that a
// configuration has not done, few continuations matter:
//
//   dip             decrements by response until the count is zero; fails where there are too few
//   x increments    x, or dip and x
//   x decrements    with a count: x, or dip (x is its first); at zero: the increment that responds first, and x
//   x saw zero      dip
//
// An increment and a decrement in one block that only lead up and down again can be moved behind x together with what
// saw zero around them, and so can decrements that do not lead to zero; of increments, as of decrements, the one that
// responds first goes first. So nothing is open but whether to go down to zero now. A configuration is dropped that
// another one leads to by increments and decrements; while nobody waits for zero one is left, mostly. The last moment
// at which there was but one is where a core may start. Precondition: no count but of zero, no decrement that returned
// with its result lost, at most 1,024 operations open. Cost: O(k) a configuration and response; about k configurations
// in practice (no bound proved). Memory O(n) with a witness. Source: docs/design/search.md, dips. Tests:
// semaphore_dips_test.cpp, tests/cross.
#include "types/semaphore/dips.hpp"

#include <algorithm>
#include <array>

#include "algo/frontier/slots.hpp"
#include "algo/shared_chains.hpp"
#include "types/semaphore/specification.hpp"

namespace linchpin::types::semaphore {

namespace {

enum class Act : std::uint8_t { increment, decrement, zero, free, never, unclear };

Act act_of(const Operation& operation) {
  switch (operation.method) {
    case Semaphore::kIncrement: return operation.acknowledged() ? Act::increment : Act::never;
    case Semaphore::kDecrement:
      if (says_false(operation)) return Act::zero;
      return operation.acknowledged() ? Act::decrement : Act::never;
    default:
      if (operation.result_unknown()) return Act::free;
      if (!is_integer(operation.result)) return Act::never;
      return returns_number(operation, 0) ? Act::zero : Act::unclear;
  }
}

/// Pending, and without effect.
bool needless(const history::Subhistory& part, std::uint32_t local) {
  return part.pending(local) && act_of(part.view(local)) >= Act::zero;
}

std::uint32_t slots_needed(const history::Subhistory& part) {
  return history::most_open(part.events(), [&](std::uint32_t local) { return !needless(part, local); });
}

template <class Mask>
class Dips {
 public:
  explicit Dips(const history::Subhistory& part, bool witness) : part_(part), witness_(witness), slots_(part.size()) {
    for (std::uint32_t local = 0; local < part.size(); ++local) act_.push_back(act_of(part.view(local)));
    current_.push_back({.mask = {}, .count = part.specification->get_if<Semaphore>()->initial_value});
  }

  core::Outcome run(core::Budget& budget) {
    core::Outcome outcome;
    const std::vector<history::Event>& events = part_.events();
    for (history::Rank rank = 0; rank < part_.ranks(); ++rank) {
      const history::Event event = events[rank];
      const std::uint32_t local = event.operation();
      if (current_.size() == 1 && rank > 0 && tick(rank - 1) < tick(rank)) {
        certain_ = rank;
        certainly_ = current_.front();
      }
      if (part_.pending(local) && act_[local] >= Act::zero) continue;  // never needed
      if (budget.spent() || !may_grow(budget)) {
        outcome.reason = budget.reason();
        outcome.blocked = local;
        return outcome;
      }
      if (!event.is_response()) {
        open(local);
      } else if (!respond(local)) {
        outcome.verdict = Verdict::violation;
        outcome.blocked = local;
        outcome.certain = certain_moment();
        if (witness_) outcome.longest = chains_.from_start(current_.back().tail);
        return outcome;
      }
    }
    outcome.verdict = Verdict::linearizable;
    if (witness_) outcome.witness = chains_.from_start(current_.front().tail);
    return outcome;
  }

 private:
  struct Configuration {
    Mask mask;
    std::int64_t count = 0;
    std::uint32_t tail = algo::kNoLink;  // what was done last

    [[nodiscard]] bool has(const Mask& bit) const { return (mask & bit).any(); }
  };

  [[nodiscard]] Mask bit(std::uint32_t local) const { return slots_.bit(local); }

  void open(std::uint32_t local) {
    slots_.open(local);
    std::vector<std::uint32_t>& list = open_[static_cast<std::size_t>(act_[local])];
    // By response, pending ones last in the order of their calls: kNoRank is the greatest rank.
    list.insert(
        std::upper_bound(list.begin(), list.end(), local,
                         [&](std::uint32_t a, std::uint32_t b) { return part_.response[a] < part_.response[b]; }),
        local);
    for (Configuration& each : current_) {
      if (act_[local] == Act::free || (act_[local] == Act::zero && each.count == 0)) take(each, local);
    }
  }
  [[nodiscard]] const std::vector<std::uint32_t>& opened(Act act) const { return open_[static_cast<std::size_t>(act)]; }

  void take(Configuration& configuration, std::uint32_t local) {
    configuration.mask |= bit(local);
    configuration.count += act_[local] == Act::increment ? 1 : act_[local] == Act::decrement ? -1 : 0;
    if (witness_) configuration.tail = chains_.extend(configuration.tail, local);
    if (configuration.count != 0 || act_[local] != Act::decrement) return;
    for (const std::uint32_t zero : opened(Act::zero)) {
      if (!configuration.has(bit(zero))) take(configuration, zero);
    }
  }
  /// Down to zero; false: there are too few decrements.
  bool dip(Configuration& configuration) {
    for (const std::uint32_t local : opened(Act::decrement)) {
      if (configuration.count == 0) break;
      if (!configuration.has(bit(local))) take(configuration, local);
    }
    return configuration.count == 0;
  }

  bool respond(std::uint32_t local) {
    result_.clear();
    for (const Configuration& each : current_) {
      if (each.has(bit(local))) {
        result_.push_back(each);
        continue;
      }
      Configuration low = each;
      switch (act_[local]) {
        case Act::increment: {
          Configuration direct = each;
          take(direct, local);
          result_.push_back(direct);
          if (each.count == 0 || !dip(low)) break;
          take(low, local);
          result_.push_back(low);
          break;
        }
        case Act::decrement:
          if (each.count == 0) {
            const auto& increments = opened(Act::increment);
            const auto first = std::find_if(increments.begin(), increments.end(),
                                            [&](std::uint32_t other) { return !each.has(bit(other)); });
            if (first == increments.end()) break;
            take(low, *first);
            take(low, local);
            result_.push_back(low);
          } else {
            Configuration direct = each;
            take(direct, local);
            result_.push_back(direct);
            if (dip(low)) result_.push_back(low);
          }
          break;
        case Act::zero:
          if (dip(low)) result_.push_back(low);
          break;
        default: break;
      }
    }
    if (result_.empty()) return false;
    for (Configuration& each : result_) each.mask &= ~bit(local);
    std::sort(result_.begin(), result_.end(), [](const auto& a, const auto& b) { return a.mask < b.mask; });
    result_.erase(
        std::unique(result_.begin(), result_.end(), [](const auto& a, const auto& b) { return a.mask == b.mask; }),
        result_.end());
    if (result_.size() > 1) drop_what_follows();
    std::swap(current_, result_);
    slots_.close(local);
    std::erase(open_[static_cast<std::size_t>(act_[local])], local);
    if (chains_.worth_collecting(std::size_t{1} << 18)) {
      chains_.collect(current_, [](Configuration& each) -> std::uint32_t& { return each.tail; });
    }
    return true;
  }

  /// Drops what another configuration leads to: without a new look at zero, by increments and then decrements.
  void drop_what_follows() {
    Mask zeros;
    for (const std::uint32_t zero : opened(Act::zero)) zeros |= bit(zero);
    const auto leads_to = [&zeros](const Mask& a, const Mask& b) {
      return a != b && (a & ~b).none() && (b & ~a & zeros).none();
    };
    // What is dropped follows from one that is not.
    std::erase_if(result_, [&, all = result_](const Configuration& each) {
      return std::any_of(all.begin(), all.end(), [&](const Configuration& a) { return leads_to(a.mask, each.mask); });
    });
  }

  [[nodiscard]] Tick tick(history::Rank rank) const {
    const history::Event event = part_.events()[rank];
    const OperationIndex i = part_.operation[event.operation()];
    return event.is_response() ? part_.history->response(i) : part_.history->call(i);
  }
  [[nodiscard]] core::CertainMoment certain_moment() const {
    core::CertainMoment moment{
        .rank = certain_, .done = {}, .state = Semaphore::describe(certainly_.count, part_.history->pool())};
    for (std::uint32_t local = 0; local < part_.size() && part_.call[local] < certain_; ++local) {
      const bool open = part_.response[local] >= certain_ && !(part_.pending(local) && act_[local] >= Act::zero);
      if (open && certainly_.has(bit(local))) moment.done.push_back(local);
    }
    return moment;
  }

  bool may_grow(core::Budget& budget) const {
    constexpr std::size_t kAhead = 4096;
    const std::size_t growth = chains_.growth(kAhead);
    return growth < (std::size_t{1} << 20) || budget.allows(growth);
  }

  const history::Subhistory& part_;
  bool witness_;
  std::vector<Act> act_;
  algo::Slots<Mask> slots_;
  std::array<std::vector<std::uint32_t>, 6> open_;  // by act; increments and decrements by response
  std::vector<Configuration> current_, result_;     // distinct masks
  history::Rank certain_ = 0;                       // when there was one configuration; 0: never
  Configuration certainly_;
  algo::SharedChains<std::uint32_t> chains_;
};

}  // namespace

core::Applicability applicable(const history::Subhistory& part) {
  const Semaphore* const semaphore = part.specification->get_if<Semaphore>();
  if (semaphore == nullptr) return core::not_of_this_type("not a semaphore");
  if (semaphore->initial_value < 0) return {.applies = false, .why = "the count begins below zero"};
  for (std::uint32_t local = 0; local < part.size(); ++local) {
    if (part.pending(local)) continue;
    const Operation operation = part.view(local);
    if (act_of(operation) == Act::unclear) return {.applies = false, .why = "counts above zero were read"};
    if (operation.method == Semaphore::kDecrement && operation.result_unknown()) {
      return {.applies = false, .why = "a decrement returned with its result lost"};
    }
  }
  if (slots_needed(part) > algo::kMostOpen) return {.applies = false, .why = algo::kTooManyOpen};
  return {.applies = true, .why = "counts matter only where they are zero"};
}

core::Outcome decide(const history::Subhistory& part, const core::DeciderOptions& options, core::Budget& budget) {
  return algo::with_slots(slots_needed(part),
                          [&]<class Mask>() { return Dips<Mask>(part, options.witness).run(budget); });
}

}  // namespace linchpin::types::semaphore

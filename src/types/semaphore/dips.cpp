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
#include <optional>

#include "algo/frontier/frontier_search.hpp"
#include "base/none.hpp"
#include "linchpin/act.hpp"
#include "types/semaphore/specification.hpp"

namespace linchpin::types::semaphore {

namespace {

/// Of a semaphore as a container of what can be had: an increment adds, a decrement takes, and who gets nothing or
/// reads a count of zero sees that it is empty.
ActKind act_of(const Operation& operation) {
  switch (operation.method) {
    case Semaphore::kIncrement: return operation.acknowledged() ? ActKind::add : ActKind::never;
    case Semaphore::kDecrement:
      if (says_false(operation)) return ActKind::empty;
      return operation.acknowledged() ? ActKind::take : ActKind::never;
    default:
      if (operation.result_unknown()) return ActKind::free;
      if (!is_integer(operation.result)) return ActKind::never;
      return returns_number(operation, 0) ? ActKind::empty : ActKind::unclear;
  }
}

bool changes(ActKind kind) { return kind == ActKind::add || kind == ActKind::take; }

/// Pending, and without effect.
bool needless(const history::Subhistory& part, std::uint32_t local) {
  return part.pending(local) && !changes(act_of(part.view(local)));
}

std::uint32_t slots_needed(const history::Subhistory& part) {
  return history::most_open(part.events(), [&](std::uint32_t local) { return !needless(part, local); });
}

/// A domain of algo::Frontier.
template <class OfSlots>
class Dips {
 public:
  using Mask = OfSlots;
  using Link = std::uint32_t;
  using Window = algo::Window<Mask>;
  struct Configuration {
    Mask mask;
    std::int64_t count = 0;
    std::uint32_t tail = kNone;  // what was done last

    [[nodiscard]] bool has(const Mask& bit) const { return (mask & bit).any(); }
  };
  static constexpr bool kMerges = false;  // `prune` does
  static constexpr algo::Expand kFirst = algo::Expand::first_met;

  Dips(Window& window, const history::Subhistory& part) : window_(window), part_(part) {
    std::array<std::optional<Value>, static_cast<std::size_t>(ActKind::unclear) + 1> answers;
    for (std::uint32_t local = 0; local < part.size(); ++local) {
      act_.push_back(act_of(part.view(local)));
      if (!changes(act_[local]) || part.result(local).is_unknown()) continue;
      std::optional<Value>& answer = answers[static_cast<std::size_t>(act_[local])];
      answers_alike_ = answers_alike_ && (!answer || *answer == part.result(local));
      answer = part.result(local);
    }
  }

  [[nodiscard]] Configuration start() const {
    return {.mask = {}, .count = part_.specification->get_if<Semaphore>()->initial_value};
  }
  [[nodiscard]] bool skipped(std::uint32_t local) const { return part_.pending(local) && !changes(act_[local]); }
  [[nodiscard]] bool impossible(std::uint32_t local) const {
    return act_[local] == ActKind::never || act_[local] == ActKind::unclear;
  }
  /// The lists below are by response.
  [[nodiscard]] bool alike(std::uint32_t, std::uint32_t) const { return false; }
  /// Where some increments or decrements return ok and others true, say, who checks a core does not take one for
  /// another.
  [[nodiscard]] bool may_be_certain() const { return answers_alike_; }
  [[nodiscard]] std::string describe(const Configuration& each) const {
    return Semaphore::describe(each.count, part_.history->pool());
  }

  void open(std::uint32_t local) {
    std::vector<std::uint32_t>& list = open_[static_cast<std::size_t>(act_[local])];
    // By response, pending ones last in the order of their calls: none is the greatest rank.
    list.insert(
        std::upper_bound(list.begin(), list.end(), local,
                         [&](std::uint32_t a, std::uint32_t b) { return part_.response[a] < part_.response[b]; }),
        local);
  }
  void close(std::uint32_t local) { std::erase(open_[static_cast<std::size_t>(act_[local])], local); }

  void call(std::uint32_t local, std::vector<Configuration>& current) {
    for (Configuration& each : current) {
      if (act_[local] == ActKind::free || (act_[local] == ActKind::empty && each.count == 0)) take(each, local);
    }
  }

  template <class Meet>
  void expand(const Configuration& from, std::uint32_t local, Meet&& meet) {
    ++window_.steps;
    Configuration direct = from;
    Configuration low = from;
    switch (act_[local]) {
      case ActKind::add:
        take(direct, local);
        meet(direct);
        if (from.count == 0 || !dip(low)) break;
        take(low, local);
        meet(low);
        break;
      case ActKind::take:
        if (from.count == 0) {
          const auto& increments = opened(ActKind::add);
          const auto first = std::find_if(increments.begin(), increments.end(),
                                          [&](std::uint32_t other) { return !from.has(window_.bit(other)); });
          if (first == increments.end()) break;
          take(low, *first);
          take(low, local);
          meet(low);
        } else {
          take(direct, local);
          meet(direct);
          if (dip(low)) meet(low);
        }
        break;
      case ActKind::empty:
        if (dip(low)) meet(low);
        break;
      default: break;
    }
  }

  /// Drops what another configuration leads to: without a new look at zero, by increments and then decrements.
  bool prune(std::uint32_t, std::vector<Configuration>& passed) {
    std::sort(passed.begin(), passed.end(), [](const auto& a, const auto& b) { return a.mask < b.mask; });
    passed.erase(
        std::unique(passed.begin(), passed.end(), [](const auto& a, const auto& b) { return a.mask == b.mask; }),
        passed.end());
    if (passed.size() == 1) return true;
    Mask zeros;
    for (const std::uint32_t zero : opened(ActKind::empty)) zeros |= window_.bit(zero);
    const auto leads_to = [&zeros](const Mask& a, const Mask& b) {
      return a != b && (a & ~b).none() && (b & ~a & zeros).none();
    };
    // What is dropped follows from one that is not.
    std::erase_if(passed, [&, all = passed](const Configuration& each) {
      return std::any_of(all.begin(), all.end(), [&](const Configuration& a) { return leads_to(a.mask, each.mask); });
    });
    return true;
  }

 private:
  [[nodiscard]] const std::vector<std::uint32_t>& opened(ActKind kind) const {
    return open_[static_cast<std::size_t>(kind)];
  }

  void take(Configuration& configuration, std::uint32_t local) {
    configuration.mask |= window_.bit(local);
    configuration.count += act_[local] == ActKind::add ? 1 : act_[local] == ActKind::take ? -1 : 0;
    configuration.tail = window_.extended(configuration.tail, local);
    if (configuration.count != 0 || act_[local] != ActKind::take) return;
    for (const std::uint32_t zero : opened(ActKind::empty)) {
      if (!configuration.has(window_.bit(zero))) take(configuration, zero);
    }
  }
  /// Down to zero; false: there are too few decrements.
  bool dip(Configuration& configuration) {
    for (const std::uint32_t local : opened(ActKind::take)) {
      if (configuration.count == 0) break;
      if (!configuration.has(window_.bit(local))) take(configuration, local);
    }
    return configuration.count == 0;
  }

  Window& window_;
  const history::Subhistory& part_;
  std::vector<ActKind> act_;
  bool answers_alike_ = true;
  /// By kind of act; increments and decrements by response.
  std::array<std::vector<std::uint32_t>, static_cast<std::size_t>(ActKind::unclear) + 1> open_;
};

}  // namespace

core::Applicability applicable(const history::Subhistory& part) {
  const Semaphore* const semaphore = part.specification->get_if<Semaphore>();
  if (semaphore == nullptr) return core::not_of_this_type("not a semaphore");
  if (semaphore->initial_value < 0) return {.applies = false, .why = "the count begins below zero"};
  for (std::uint32_t local = 0; local < part.size(); ++local) {
    if (part.pending(local)) continue;
    const Operation operation = part.view(local);
    if (act_of(operation) == ActKind::unclear) return {.applies = false, .why = "counts above zero were read"};
    if (operation.method == Semaphore::kDecrement && operation.result_unknown()) {
      return {.applies = false, .why = "a decrement returned with its result lost"};
    }
  }
  if (slots_needed(part) > algo::kMostOpen) return {.applies = false, .why = algo::kTooManyOpen};
  return {.applies = true, .why = "counts matter only where they are zero"};
}

core::Outcome decide(const history::Subhistory& part, const core::DeciderOptions& options, core::Budget& budget) {
  return algo::with_slots(slots_needed(part), [&]<class Mask>() {
    algo::FrontierSearch<Dips<Mask>> search(part, options.witness, part);
    search.run(UINT64_MAX / 2, budget);
    return search.outcome();
  });
}

}  // namespace linchpin::types::semaphore

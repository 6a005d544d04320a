#include "types/deque/monitor.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "algo/shrink_core.hpp"
#include "base/none.hpp"
#include "types/container_binding.hpp"
#include "types/deque/check.hpp"
#include "types/deque/two_ends.hpp"
#include "types/pending_removes.hpp"

namespace linchpin::types::deque {

using core::Applicability;
using core::Outcome;
using history::Subhistory;

namespace {

/// A part of a deque's history: which operations of the whole its own are.
struct PartOfEnds {
  const TwoEnds& ends;
  const algo::ContainerPart* part = nullptr;  // null: the whole

  [[nodiscard]] std::uint32_t operation(std::uint32_t local) const {
    return part == nullptr ? local : part->operations()[local];
  }
  [[nodiscard]] algo::ValueNumber value(algo::ValueNumber own) const {
    return part == nullptr ? own : part->original_value(own);
  }
};

ContainerRun decide_container(algo::ContainerHistory& history, const PartOfEnds& whole, bool want_witness, bool hasty,
                              core::Budget& budget) {
  const std::vector<std::uint8_t> at_back =
      whole.part == nullptr ? whole.ends.at_back : ends_of(whole.ends.at_back, whole.part->operations());
  const auto run = [&](algo::ContainerHistory& candidate, const algo::ContainerPart* part) {
    std::vector<std::uint8_t> of_part;
    if (part != nullptr) of_part = ends_of(at_back, part->operations());
    DequeCheck check(candidate, part != nullptr ? of_part : at_back);
    ContainerRun outcome;
    switch (check.run(budget, want_witness)) {
      case DequeCheck::Result::linearizable:
        outcome.result = ContainerRun::Result::linearizable;
        if (want_witness) outcome.witness = check.witness();
        return outcome;
      case DequeCheck::Result::beyond:
      case DequeCheck::Result::spent: return outcome;
      case DequeCheck::Result::value_fault: outcome.final = true; break;
      default: break;
    }
    outcome.core = check.core(budget);
    outcome.result = ContainerRun::Result::violation;
    return outcome;
  };
  const auto may_take = [&](std::uint32_t operation, algo::ValueNumber value) {
    const algo::ValueNumber promised = whole.ends.promised[whole.operation(operation)];
    return promised == algo::ValueNumber::none() || promised == whole.value(value);
  };
  return PendingRemoves(history, run, hasty, may_take).decide();
}

/// The words for a core that was decided by itself.
class Sentence {
 public:
  Sentence(const Subhistory& part, const DequeCheck& check) : part_(part), check_(check) {
    const algo::ContainerValues& container = check.container();
    for (algo::ValueNumber v = 0; v < container.span.size(); ++v) {
      if (container.span[v].present()) values_.push_back(v);
    }
  }

  [[nodiscard]] std::string text(DequeCheck::Result result) const {
    switch (result) {
      case DequeCheck::Result::value_fault:
        return describe_fault(part_, check_.history(), *check_.fault(), kContainerMethods);
      case DequeCheck::Result::covered_empty:
        return describe_empty(part_, check_.history(), check_.empty(), covers(), kContainerMethods, "deque");
      case DequeCheck::Result::not_nested: {
        const std::string_view end = check_.end() == 0 ? "front" : "back";
        return fmt::format("{} went in and out at the {} as values of a stack do, and cannot be nested", names(), end);
      }
      default: break;
    }
    if (values_.size() == 2) return about_two();
    return fmt::format(
        "{} cannot all have been in the deque in any order: each two of them that are inside together "
        "have an order in which they leave",
        names());
  }

 private:
  /// Two values of which at least one is pushed at one end and popped at the other.
  [[nodiscard]] std::string about_two() const {
    const bool swap = !check_.passes(values_[0]);
    const algo::ValueNumber passing = values_[swap ? 1 : 0], other = values_[swap ? 0 : 1];
    const bool from_back = check_.pushed_at_back(passing);
    if (!check_.passes(other)) {
      const std::uint32_t pop = check_.container().span[passing].remove;
      if (from_back == check_.pushed_at_back(other)) {
        const bool stays = check_.container().span[other].remove == kNone;
        const std::string end =
            stays ? " and was not popped" : fmt::format(": it could leave there only after {}", name(passing));
        return fmt::format("{} returned {} although {}, pushed at the {} before it, was in its way{}",
                           method_text(part_, pop), name(passing), name(other), end_name(from_back), end);
      }
      return fmt::format("{} returned {} although {} was in the way during the whole call", method_text(part_, pop),
                         name(passing), name(other));
    }
    if (from_back != check_.pushed_at_back(other)) {
      return fmt::format(
          "{} was on its way from the front to the back while {} was on its way from the back to the "
          "front: they cannot pass each other",
          name(from_back ? other : passing), name(from_back ? passing : other));
    }
    const bool first = check_.container().span[passing].add_call < check_.container().span[other].add_call;
    const algo::ValueNumber before = first ? passing : other, after = first ? other : passing;
    return fmt::format("{} was pushed at the {} before {}, and popped at the {} after it", name(before),
                       end_name(from_back), name(after), end_name(!from_back));
  }
  [[nodiscard]] static std::string_view end_name(bool back) { return back ? "back" : "front"; }
  [[nodiscard]] std::string name(algo::ValueNumber value) const {
    return value_text(part_, check_.history(), check_.container().span[value].add);
  }
  [[nodiscard]] std::string names() const {
    constexpr std::size_t kMost = 8;
    std::string text;
    for (std::size_t i = 0; i < values_.size() && i < kMost; ++i) {
      if (i > 0) text += i + 1 == values_.size() ? " and " : ", ";
      text += name(values_[i]);
    }
    if (values_.size() > kMost) text += " and others";
    return text;
  }
  /// The values whose covers hold all gaps of the empty answer.
  [[nodiscard]] std::vector<algo::ValueSpan> covers() const {
    std::vector<algo::ValueSpan> chain;
    for (const algo::ValueNumber value : values_) chain.push_back(check_.container().span[value]);
    std::sort(chain.begin(), chain.end(),
              [](const algo::ValueSpan& a, const algo::ValueSpan& b) { return a.first_response < b.first_response; });
    return chain;
  }

  const Subhistory& part_;
  const DequeCheck& check_;
  std::vector<algo::ValueNumber> values_;
};

/// Told on the core alone, where pending pops do not blur the picture.
std::string describe(const Subhistory& part, std::span<const std::uint32_t> core, core::Budget& budget) {
  const Subhistory small = history::restrict(part, core);
  TwoEnds ends;
  if (!bind(small, ends).applies) return {};
  DequeCheck check(ends.history, ends.at_back);
  const DequeCheck::Result why = check.run(budget, false);
  if (why == DequeCheck::Result::spent || why == DequeCheck::Result::linearizable) return {};
  std::string sentence = Sentence(small, check).text(why);
  if (std::find(ends.history.kind.begin(), ends.history.kind.end(), ActKind::lost_take) != ends.history.kind.end()) {
    sentence += ", and no choice of values for the pending pops mends it";
  }
  return sentence;
}

}  // namespace

Applicability monitor_applicable(const Subhistory& part) {
  auto reading = std::make_shared<TwoEnds>();
  Applicability applicability = bind(part, *reading);
  if (applicability.applies) applicability.reading = std::move(reading);
  return applicability;
}

Outcome monitor_decide(const Subhistory& part, const core::DeciderOptions& options, core::Budget& budget) {
  const auto reading = core::reading_of<TwoEnds>(part, options, monitor_applicable);
  if (reading == nullptr) return core::not_applicable();
  algo::ContainerHistory& history = reading->history;
  rebind(part, history);
  Outcome outcome;
  ContainerRun run = decide_container(history, {*reading}, options.witness, false, budget);
  if (settled(run, "pops", budget, outcome)) return outcome;
  const std::size_t effort = effort_of_shrinking(run.core.size());
  const algo::ShrunkCore core =
      algo::shrink_core(history, std::move(run.core), effort, [&](algo::ContainerPart& candidate) {
        return decide_container(candidate.history(), {*reading, &candidate}, false, true, budget).result ==
               ContainerRun::Result::violation;
      });
  outcome.core = core.operations;
  outcome.core_minimal = core.minimal;
  outcome.sentence = describe(part, outcome.core, budget);
  return outcome;
}

}  // namespace linchpin::types::deque

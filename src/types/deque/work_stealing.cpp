#include "types/deque/work_stealing.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "algo/shrink_core.hpp"
#include "base/none.hpp"
#include "types/container_binding.hpp"
#include "types/deque/steals.hpp"
#include "types/deque/two_ends.hpp"

namespace linchpin::types::deque {

using core::Applicability;
using core::Outcome;
using history::Subhistory;

namespace {

Applicability has_no_program(std::string why) { return {.applies = false, .why = std::move(why)}; }

Applicability bind_program(const Subhistory& part, TwoEnds& out) {
  if (part.specification->get_if<WorkStealingDeque>() == nullptr) return core::not_of_this_type("no work stealing");
  Applicability applicability = bind(part, out);
  if (!applicability.applies) return applicability;
  const auto text = [&](std::uint32_t i) { return part.history->describe(part.operation[i]); };
  const algo::ContainerHistory& history = out.history;
  algo::ByValue<std::uint8_t> removed(history.values, 0);
  std::uint32_t last = kNone;  // of the owner
  bool any_empty = false, owner_pops = false, steals = false;
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    const ActKind kind = history.kind[i];
    if (part.method[i] == Deque::kPushBack || part.method[i] == Deque::kPopBack) {
      if (last != kNone && !part.happens_before(last, i)) {
        return has_no_program(fmt::format("{} and {} overlap: the deque has no single owner", text(last), text(i)));
      }
      last = i;
    }
    if (part.method[i] == Deque::kPushFront) return has_no_program(text(i) + " pushes at the front");
    if (kind == ActKind::look) return has_no_program(text(i) + " looks, which the monitor does not follow");
    if (kind == ActKind::take) removed[history.value[i]] = 1;
    if (kind == ActKind::empty && out.at_back[i] == 0) any_empty = true;
    if (kind != ActKind::lost_take) continue;
    if (out.at_back[i] != 0) {
      owner_pops = true;
    } else if (out.promised[i] != algo::ValueNumber::none()) {
      return has_no_program("a pending steal has a result");
    } else {
      steals = true;
    }
  }
  if (any_empty && owner_pops) return has_no_program("a pop of the owner is pending where a thief found nothing");
  if (any_empty && steals) {
    for (std::uint32_t i = 0; i < part.size(); ++i) {
      if (history.kind[i] != ActKind::add || removed[history.value[i]] != 0) continue;
      return has_no_program("steals are pending where a thief found nothing and a value stays");
    }
  }
  return applicability;
}

std::string describe_steals(const Subhistory& part, std::span<const std::uint32_t> core) {
  const Subhistory small = history::restrict(part, core);
  TwoEnds ends;
  if (!bind_program(small, ends).applies) return {};
  Steals steals(ends.history, ends.at_back);
  const Steals::Result why = steals.run(false);
  if (why == Steals::Result::linearizable) return {};
  if (why == Steals::Result::value_fault) {
    return describe_fault(small, ends.history, *steals.fault(), kContainerMethods);
  }
  const auto name = [&](algo::ValueNumber value) {
    return value_text(small, ends.history, steals.container().span[value].add);
  };
  const std::uint32_t blocked = steals.blocked();
  const std::string method = method_text(small, blocked);
  const algo::ValueNumber other = steals.in_the_way();
  switch (why) {
    case Steals::Result::stuck:
      return fmt::format(
          "{} was pushed behind {}, and the owner took {} from the back while {} had not been taken "
          "there: it cannot leave at the front before {}",
          name(ends.history.value[blocked]), name(other), name(other), name(ends.history.value[blocked]), name(other));
    case Steals::Result::not_nested:
      return fmt::format("{} returned {} although {} was behind it", method, name(ends.history.value[blocked]),
                         name(other));
    case Steals::Result::not_empty:
      return fmt::format(
          "{} returned empty although {}, which the owner pushed before and popped later, was in the "
          "deque",
          method, name(other));
    case Steals::Result::owner_late:
      return fmt::format("{} returned empty before anybody called the steal that took {}", method, name(other));
    case Steals::Result::out_of_order:
      return fmt::format("{} returned {} although {} was in front of it and not yet stolen", method,
                         name(ends.history.value[blocked]), name(other));
    case Steals::Result::covered_empty: {
      std::vector<algo::ValueSpan> chain;
      for (const algo::ValueSpan& span : steals.container().span) {
        if (span.present()) chain.push_back(span);
      }
      std::sort(chain.begin(), chain.end(),
                [](const algo::ValueSpan& a, const algo::ValueSpan& b) { return a.first_response < b.first_response; });
      return describe_empty(small, ends.history, blocked, chain, kContainerMethods, "deque");
    }
    default: break;
  }
  return fmt::format("{} cannot have returned this: a value was in front that nobody can have taken", method);
}

}  // namespace

Applicability work_stealing_applicable(const Subhistory& part) {
  auto reading = std::make_shared<TwoEnds>();
  Applicability applicability = bind_program(part, *reading);
  if (applicability.applies) {
    applicability.why = "no value is pushed twice, and the owner's operations follow each other";
    applicability.reading = std::move(reading);
  }
  return applicability;
}

Outcome work_stealing_decide(const Subhistory& part, const core::DeciderOptions& options, core::Budget& budget) {
  const auto reading = core::reading_of<TwoEnds>(part, options, work_stealing_applicable);
  if (reading == nullptr) return core::not_applicable();
  rebind(part, reading->history);
  Steals steals(reading->history, reading->at_back);
  if (steals.run(options.witness) == Steals::Result::linearizable) {
    return {.verdict = Verdict::linearizable, .witness = steals.witness()};
  }
  if (budget.spent_now()) return {.reason = budget.reason()};
  Outcome outcome{.verdict = Verdict::violation};
  std::vector<std::uint32_t> core = steals.core();
  const std::size_t effort = effort_of_shrinking(core.size());
  const algo::ShrunkCore shrunk =
      algo::shrink_core(reading->history, std::move(core), effort, [&](algo::ContainerPart& candidate) {
        const std::vector<std::uint8_t> at_back = ends_of(reading->at_back, candidate.operations());
        return !budget.spent() && Steals(candidate.history(), at_back).run(false) != Steals::Result::linearizable;
      });
  outcome.core = shrunk.operations;
  outcome.core_minimal = shrunk.minimal && !budget.spent();
  outcome.sentence = describe_steals(part, outcome.core);
  return outcome;
}

}  // namespace linchpin::types::deque

// One history against every decider that applies to it and against the reference, with all evidence re-checked.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/data_type.hpp"
#include "cross/type_variants.hpp"
#include "decide/choose.hpp"
#include "decide/projections.hpp"
#include "decide/search/search_task.hpp"
#include "evidence/core.hpp"
#include "evidence/witness.hpp"
#include "history/subhistory.hpp"
#include "linchpin/check.hpp"
#include "reference/reference.hpp"
#include "research/check_pq/decider.hpp"
#include "research/plain/plain.hpp"
#include "research/published/wgl.hpp"
#include "support/held.hpp"
#include "support/what_a_core_may_need.hpp"

namespace linchpin::cross {

inline std::string text_of(const History& history) {
  std::string text;
  for (OperationIndex i = 0; i < history.size(); ++i) {
    text +=
        fmt::format("  {} [{}, {}] {}\n", history.process_name(history.process(i)), history.call(i),
                    history.pending(i) ? std::string("-") : std::to_string(history.response(i)), history.describe(i));
  }
  return text;
}

/// The history is a violation, too, without what the core (ascending) does not need.
inline void expect_proof(const history::Subhistory& part, const std::vector<std::uint32_t>& core,
                         const std::string& label) {
  const history::Subhistory rest = history::restrict(part, test::what_a_core_may_need(part, core));
  ASSERT_FALSE(reference::linearizable(rest)) << "a core that proves nothing by " << label;
}

/// Why `order` is no partial linearization, one that could go on; empty: it is. What is left out may follow, and the
/// specification accepts the rest in this order.
inline std::string refute_partial(const history::Subhistory& part, const std::vector<std::uint32_t>& order) {
  std::vector<bool> taken(part.size(), false);
  const auto states = part.specification->make_states();
  std::set<StateId> reached{states->initial()};
  for (const std::uint32_t local : order) {
    if (local >= part.size()) return fmt::format("{} of {} operations", local, part.size());
    if (taken[local]) return fmt::format("{} twice", local);
    taken[local] = true;
    for (std::uint32_t before = 0; before < part.size(); ++before) {
      if (!taken[before] && part.happens_before(before, local)) return fmt::format("{} before {}", local, before);
    }
    std::set<StateId> after;
    std::vector<StateId> next;
    for (const StateId state : reached) {
      next.clear();
      states->successors(state, part.view(local), next);
      after.insert(next.begin(), next.end());
    }
    if (after.empty()) return fmt::format("{} is illegal there", local);
    reached = std::move(after);
  }
  return {};
}

/// Every decider that applies says what the reference says, and so does `check`; `label` is told where one does not.
inline void expect_agreement(const History& history, const std::shared_ptr<const Specification>& specification,
                             Ties ties, const std::string& label) {
  const std::vector specifications{specification};
  const auto parts = history::split_by_object(history, specifications, ties);
  ASSERT_TRUE(parts) << parts.error().to_string() << label;
  const history::Subhistory& part = (*parts)[0];
  const bool expected = reference::linearizable(part);
  const Verdict verdict = expected ? Verdict::linearizable : Verdict::violation;
  core::Budget budget({});
  const auto expect_outcome = [&](const core::Decider& decider, const core::Outcome& outcome) {
    ASSERT_EQ(outcome.verdict, verdict) << decider.name << " disagrees with the reference\n" << label;
    ASSERT_EQ(refute_partial(part, outcome.longest), "") << decider.name << "\n" << label;
    if (outcome.verdict == Verdict::linearizable) {
      Witness witness;
      std::vector<bool> taken(part.size(), false);
      for (const std::uint32_t local : outcome.witness) {
        witness.order.push_back(part.operation[local]);
        taken[local] = true;
      }
      for (std::uint32_t local = 0; local < part.size(); ++local) {
        if (!taken[local]) witness.omitted.push_back(part.operation[local]);
      }
      ASSERT_EQ(evidence::refute_witness(history, 0, *specification, witness, ties), "") << decider.name << "\n"
                                                                                         << label;
    } else if (!outcome.core.empty()) {
      const history::Subhistory core = history::restrict(part, outcome.core);
      ASSERT_FALSE(reference::linearizable(core)) << decider.name << " gave a core that is linearizable\n" << label;
      expect_proof(part, outcome.core, std::string(decider.name) + "\n" + label);
    }
  };
  for (const std::span<const core::Decider> list : {decide::searches(), research::published_searches()}) {
    for (const core::Decider& decider : list) {
      // Without a memory every order of what overlaps is tried.
      const bool too_many = decider.name == "wg" && part.size() > 8;
      if (!decider.by_key && !too_many) expect_outcome(decider, decider.decide(part, {.witness = true}, budget));
    }
  }
  for (const std::span<const core::Decider> list :
       {core::monitors(), core::necessary_conditions(), std::span(&decide::key_projections(), 1), core::lifts(),
        research::plain_deciders(), research::check_pq_deciders()}) {
    for (const core::Decider& decider : list) {
      if (!decider.applicable(part).applies) continue;
      for (unsigned way = 0; way < decider.ways; ++way) {
        const core::Outcome outcome = decider.decide(part, {.witness = true, .way = way}, budget);
        if (outcome.verdict == Verdict::unknown && outcome.reason == Reason::not_applicable) continue;
        expect_outcome(decider, outcome);
      }
    }
  }
  // The whole pipeline: choice, keys, shrinking, verification.
  CheckOptions options;
  options.specification = specification;
  options.ties = ties;
  options.verify = Verify::thoroughly;
  options.threads = 1;
  const auto checked = check(history, options);
  ASSERT_TRUE(checked) << label;
  ASSERT_EQ(checked->verdict, verdict) << "check disagrees, by " << checked->objects[0].decider << "\n" << label;
  ASSERT_EQ(test::what_did_not_hold(*checked), "") << label;
  if (expected) {
    ASSERT_EQ(checked->objects[0].witness_checked, true) << checked->objects[0].decider << "\n" << label;
  } else {
    ASSERT_FALSE(checked->objects[0].violation->core.empty()) << label;
    ASSERT_EQ(checked->objects[0].core_checked, true) << checked->objects[0].decider << "\n" << label;
  }
}

}  // namespace linchpin::cross

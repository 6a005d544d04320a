#include "research/planted/planted.hpp"

#include <array>

namespace linchpin::research {

namespace {

core::Applicability without_looking(const history::Subhistory& /*part*/) {
  return {.applies = true, .why = "it does not look at the history"};
}

core::Outcome say_linearizable(const history::Subhistory& part, const core::DeciderOptions& /*options*/,
                               core::Budget& /*budget*/) {
  core::Outcome outcome;
  outcome.verdict = Verdict::linearizable;
  for (std::uint32_t local = part.size(); local-- > 0;) {
    if (!part.pending(local)) outcome.witness.push_back(local);
  }
  return outcome;
}

core::Outcome say_violation(const history::Subhistory& part, const core::DeciderOptions& /*options*/,
                            core::Budget& /*budget*/) {
  core::Outcome outcome;
  outcome.verdict = Verdict::violation;
  if (part.size() > 0) outcome.core = {0};
  outcome.sentence = "nothing was looked at";
  return outcome;
}

constexpr std::array kPlanted{
    core::Decider{.name = "planted-witness",
                  .kind = core::Kind::published,
                  .about = {.types = "all",
                            .when = "on request",
                            .method = "wrong on purpose: the opposite order of the calls is said to be a linearization",
                            .cost = "O(n)",
                            .source = "docs/design/evidence.md"},
                  .applicable = &without_looking,
                  .at_once = &say_linearizable},
    core::Decider{.name = "planted-core",
                  .kind = core::Kind::published,
                  .about = {.types = "all",
                            .when = "on request",
                            .method = "wrong on purpose: the first operation is said to be a violation",
                            .cost = "O(1)",
                            .source = "docs/design/evidence.md"},
                  .applicable = &without_looking,
                  .at_once = &say_violation},
};

}  // namespace

std::span<const core::Decider> planted_deciders() { return kPlanted; }

}  // namespace linchpin::research

// Whether the evidence of a verdict held at once.
#pragma once

#include <string>

#include <fmt/format.h>

#include "linchpin/verdict.hpp"

namespace linchpin::test {

/// What did not hold; empty: nothing. An answer that was taken back counts too: the one given instead may be right, and
/// yet a decider is wrong.
[[nodiscard]] inline std::string what_did_not_hold(const ObjectVerdict& object) {
  std::string text;
  for (const RefusedEvidence& each : object.refused_evidence) {
    text += fmt::format("{} claimed {}, but {}; ", each.decider, name(each.claimed), each.why);
  }
  if (!object.witness_checked.value_or(true)) text += fmt::format("the witness of {}; ", object.decider);
  if (!object.core_checked.value_or(true)) text += fmt::format("the core of {}; ", object.decider);
  return text;
}

[[nodiscard]] inline std::string what_did_not_hold(const HistoryVerdict& verdict) {
  std::string text;
  for (const ObjectVerdict& object : verdict.objects) text += what_did_not_hold(object);
  return text;
}

}  // namespace linchpin::test

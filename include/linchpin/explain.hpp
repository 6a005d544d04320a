// Why a verdict is what it is, as data: the text timeline, the JSON output and the HTML page all draw this.
//
//   auto verdict = linchpin::check(history, options);
//   auto explanation = linchpin::explain_verdict(history, *verdict, options);
//   for (const auto& object : explanation->objects) std::puts(object.sentence.c_str());
//
// Operations are indices into the history. Explanations are for people; what proves a verdict is its evidence.
#pragma once

#include "linchpin/check.hpp"
#include "linchpin/error.hpp"
#include "linchpin/explanation.hpp"
#include "linchpin/history.hpp"
#include "linchpin/verdict.hpp"

namespace linchpin {

/// Explains a verdict on this history that `check` gave with the same `options` (of which the type, the specification,
/// the ties and the limits matter). Errors: those of `check`.
/// Cost: one replay of each witness, up to `most_states` steps; a search of each core, capped.
[[nodiscard]] Result<Explanation> explain_verdict(const History& history, const HistoryVerdict& verdict,
                                                  const CheckOptions& options = {}, const ExplainOptions& wanted = {});

}  // namespace linchpin

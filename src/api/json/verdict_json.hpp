// A verdict as JSON, with its evidence and its explanation: what `check --json` and `stress --json` print.
// docs/json.md lists the fields; they may be added to, never renamed.
#pragma once

#include <nlohmann/json.hpp>

#include "linchpin/check.hpp"

namespace linchpin::api {

/// Adds the fields of the verdict to an object; `options` are those that the history was checked with.
void add_verdict(nlohmann::ordered_json& json, const History& history, const HistoryVerdict& verdict,
                 const CheckOptions& options);

}  // namespace linchpin::api

// A verdict as JSON, with its evidence and its explanation: what `linchpin check --json` prints (docs/json.md).
#pragma once

#include <string>

#include "linchpin/check.hpp"
#include "linchpin/error.hpp"

namespace linchpin {

/// One object on one line, of UTF-8. `file` is what the history was read from, `index` is 0, `saved` is null. `options`
/// are those that `check` was given. Errors: unsupported, of a library that was built without JSON.
[[nodiscard]] Result<std::string> verdict_json(const History& history, const HistoryVerdict& verdict,
                                               const CheckOptions& options = {});

}  // namespace linchpin

// Answers whose evidence did not hold. That is a defect of this program, and the user is asked to report it.
#pragma once

#include <optional>

#include "app/origin.hpp"
#include "linchpin/history.hpp"
#include "linchpin/verdict.hpp"

namespace linchpin::app {

/// Says on standard error which answers were taken back, if any, and keeps the history in a new file among the
/// system's temporary ones, for a report. With `type`, that is the history's.
void report_refused_evidence(const Origin& origin, const History& history, const HistoryVerdict& verdict,
                             const std::optional<TypeName>& type);

}  // namespace linchpin::app

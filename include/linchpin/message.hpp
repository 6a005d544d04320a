// A verdict as a text of a few lines, for test frameworks and small programs.
#pragma once

#include <string>

#include "linchpin/check.hpp"

namespace linchpin {

/// "not linearizable: ..." with the type's own sentence and the operations that show it, each with a picture of its
/// interval among the others'; or what was decided, or why nothing was. `options` are those that `check` was given.
[[nodiscard]] std::string message_of(const History& history, const HistoryVerdict& verdict,
                                     const CheckOptions& options = {});

/// The answers on an object that were taken back because their evidence did not hold; empty where there are none.
[[nodiscard]] std::string refused_text(const ObjectVerdict& object);

}  // namespace linchpin

// Operations of a history as a small table with a picture of their intervals.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "linchpin/history.hpp"
#include "linchpin/verdict.hpp"

namespace linchpin::app {

/// "7", or "-" for the response of a pending operation.
[[nodiscard]] std::string tick_text(Tick tick);

/// One line an operation: its process, call, response, the operation, and for a few operations its interval beside the
/// others', [--] for one that returned and [--> for one that is pending. `marked` is pointed at with "<--". The
/// intervals of those in `context` (ascending) are drawn in round brackets, (..). Long lists are shortened to what
/// matters among the operations, and to what `sentence` names.
[[nodiscard]] std::string operation_table(const History& history, std::span<const OperationIndex> operations,
                                          std::optional<OperationIndex> marked, std::size_t indent,
                                          std::span<const OperationIndex> context = {}, std::string_view sentence = {});

/// The operations of a violation's core, `core` or as many of it as are shown, with its context.
[[nodiscard]] std::string core_table(const History& history, const Violation& violation,
                                     std::span<const OperationIndex> core, std::size_t indent);

}  // namespace linchpin::app

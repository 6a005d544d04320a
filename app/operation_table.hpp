// Operations of a history as a small table with a picture of their intervals.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "linchpin/history.hpp"

namespace linchpin::app {

/// "7", or "-" for the response of a pending operation.
[[nodiscard]] std::string tick_text(Tick tick);

/// One line an operation: its process, call, response, the operation, and for a few operations its interval beside the
/// others', [--] for one that returned and [--> for one that is pending. `marked` is pointed at with "<--".
[[nodiscard]] std::string operation_table(const History& history, std::span<const OperationIndex> operations,
                                          std::optional<OperationIndex> marked, std::size_t indent);

}  // namespace linchpin::app

// An error about one operation of a history, at the place in the file where the operation was read.
#pragma once

#include <string>

#include "linchpin/error.hpp"
#include "linchpin/history.hpp"

namespace linchpin::history {

/// The message names the operation by its number where the history has no places.
[[nodiscard]] Error error_at(const History& history, OperationIndex i, ErrorCode code, std::string message,
                             std::string hint);

}  // namespace linchpin::history

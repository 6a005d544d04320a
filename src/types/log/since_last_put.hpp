// Refutes logs by what one operation saw and what can have been written since the log was last overwritten for certain.
#pragma once

#include <optional>

#include "history/subhistory.hpp"
#include "types/log/once_written.hpp"

namespace linchpin::types::log_ {

[[nodiscard]] std::optional<Contradiction> find_unexplained(const history::Subhistory& part);

}  // namespace linchpin::types::log_

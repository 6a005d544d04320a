// How much memory this process may take before the system would end it.
#pragma once

#include <cstddef>
#include <optional>

namespace linchpin::app {

/// Nine tenths of what is free for this process, in bytes resident: of the machine's available memory, and of its
/// control group's limit if it has one. Nothing where the system does not tell (it has no /proc).
[[nodiscard]] std::optional<std::size_t> available_memory();

}  // namespace linchpin::app

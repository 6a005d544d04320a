// How much memory this process may take before the system would end it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

namespace linchpin::app {

/// Nine tenths of what is free for this process, in bytes resident: the least of the machine's available memory, of
/// what the limits of its control groups leave (versions 1 and 2, its own group's and those of all above), and of what
/// RLIMIT_AS (`ulimit -v`) and RLIMIT_DATA leave. Nothing where the system does not tell (it has no /proc).
/// @param root  where /proc and /sys are looked for
[[nodiscard]] std::optional<std::size_t> available_memory(const std::filesystem::path& root = "/");

}  // namespace linchpin::app

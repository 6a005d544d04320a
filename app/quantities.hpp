// Durations and sizes as people write them on a command line.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace linchpin::app {

/// "10", "2.5", "500ms", "90s", "2m", "1h"; nothing for anything else, for a negative one, and for none at all.
[[nodiscard]] std::optional<std::chrono::duration<double>> parse_duration(std::string_view text);

/// "1000000", "512M", "4G", "1.5GiB", "64KB": powers of 1024 whatever the spelling; nothing for anything else and for
/// 0.
[[nodiscard]] std::optional<std::size_t> parse_bytes(std::string_view text);

/// 1234567 as "1,234,567".
[[nodiscard]] std::string grouped(std::size_t number);

/// "1 operation", "2 operations".
[[nodiscard]] std::string counted(std::size_t number, std::string_view noun);

}  // namespace linchpin::app

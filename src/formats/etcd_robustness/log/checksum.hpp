// CRC-32C, the checksum of write-ahead logs: the polynomial of Castagnoli, reflected. Tested in log_test.cpp.
#pragma once

#include <cstdint>
#include <string_view>

namespace linchpin::formats::etcd_robustness::log {

/// The checksum of what `before` is the checksum of, followed by the bytes; 0 is that of nothing. About 1 GB a second.
[[nodiscard]] std::uint32_t checksum(std::uint32_t before, std::string_view bytes);

}  // namespace linchpin::formats::etcd_robustness::log

// Reading that can be told to stop waiting.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <stop_token>

namespace linchpin::base {

/// What there is to read, at most `size` bytes, once there is something; 0 at the end. A FIFO that nobody has opened
/// for writing yet is waited for, even if it was opened with O_NONBLOCK. -1: an error, with errno; ECANCELED where
/// `stop` came first, of which it takes notice within a twentieth of a second.
[[nodiscard]] ssize_t read_some(int descriptor, char* buffer, std::size_t size, const std::stop_token& stop);

}  // namespace linchpin::base

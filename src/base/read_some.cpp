#include "base/read_some.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace linchpin::base {

ssize_t read_some(int descriptor, char* buffer, std::size_t size, const std::stop_token& stop) {
  constexpr int kMilliseconds = 50;
  constexpr int kForEver = -1;
  while (true) {
    if (stop.stop_requested()) {
      errno = ECANCELED;
      return -1;
    }
    pollfd waiting{.fd = descriptor, .events = POLLIN, .revents = 0};
    const int ready = poll(&waiting, 1, stop.stop_possible() ? kMilliseconds : kForEver);
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    const ssize_t got = ready < 0 ? -1 : read(descriptor, buffer, size);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    return got;
  }
}

}  // namespace linchpin::base

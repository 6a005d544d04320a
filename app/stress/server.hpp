// Servers that a stress run starts for itself on the loopback interface, and connections to them.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "app/child_process.hpp"

namespace linchpin::app {

/// Different ports of the loopback interface that nobody listens on now. Throws std::runtime_error.
[[nodiscard]] std::vector<std::uint16_t> free_ports(std::size_t count);

/// A connection over TCP. Everything throws std::runtime_error when it fails, which may be after a request has been
/// carried out: whoever asked cannot know.
class Connection {
 public:
  /// @param patience  how long to wait for something to come
  explicit Connection(std::uint16_t port, std::chrono::milliseconds patience = std::chrono::seconds(5));
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void send(std::string_view text) const;
  /// Up to "\r\n", without it.
  std::string line();
  std::string bytes(std::size_t count);

 private:
  void receive();
  int socket_;
  std::string received_;
};

void wait_a_moment();

/// Calls `ready` until it returns true without throwing. False: the process has ended, or time is up.
template <class Ready>
bool wait_until(ChildProcess& process, Ready ready) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (process.running() && std::chrono::steady_clock::now() < end) {
    try {
      if (ready()) return true;
    } catch (const std::exception&) {  // not yet
    }
    wait_a_moment();
  }
  return false;
}

}  // namespace linchpin::app

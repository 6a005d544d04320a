#include "app/stress/server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>
#include <thread>

namespace linchpin::app {

namespace {

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what + ": " + std::generic_category().message(errno));
}

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

}  // namespace

std::vector<std::uint16_t> free_ports(std::size_t count) {
  std::vector<std::uint16_t> ports;
  std::vector<int> sockets;  // all open at a time, so that no port comes twice
  for (std::size_t i = 0; i < count; ++i) {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    if (socket < 0 || bind(socket, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
      fail("cannot find a free port");
    }
    sockets.push_back(socket);
    ports.push_back(ntohs(address.sin_port));
  }
  for (const int socket : sockets) close(socket);
  return ports;
}

Connection::Connection(std::uint16_t port, std::chrono::milliseconds patience)
    : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  const sockaddr_in address = loopback(port);
  if (socket_ < 0 || connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    const int error = errno;
    if (socket_ >= 0) close(socket_);
    errno = error;
    fail("cannot connect");
  }
  const int on = 1;
  setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  const timeval most{.tv_sec = patience.count() / 1000, .tv_usec = patience.count() % 1000 * 1000};
  setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
}

Connection::~Connection() { close(socket_); }

void Connection::send(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t sent = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent < 0) fail("cannot send");
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
}

void Connection::receive() {
  char buffer[4096];
  const ssize_t got = recv(socket_, buffer, sizeof buffer, 0);
  if (got < 0) fail("cannot receive");
  if (got == 0) throw std::runtime_error("the server has closed the connection");
  received_.append(buffer, static_cast<std::size_t>(got));
}

std::string Connection::line() {
  std::size_t end = 0;
  while ((end = received_.find("\r\n")) == std::string::npos) receive();
  std::string line = received_.substr(0, end);
  received_.erase(0, end + 2);
  return line;
}

std::string Connection::bytes(std::size_t count) {
  while (received_.size() < count) receive();
  std::string bytes = received_.substr(0, count);
  received_.erase(0, count);
  return bytes;
}

void wait_a_moment() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }

}  // namespace linchpin::app

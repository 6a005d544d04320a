// Servers of Redis on the loopback interface, and connections to them.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/child_process.hpp"
#include "app/stress/server.hpp"
#include "linchpin/error.hpp"

namespace linchpin::app {

/// What Redis answers: a text, a number as text, nil, or a list of answers.
struct RedisAnswer {
  bool nil = false;
  std::string text;
  std::vector<RedisAnswer> list;
};

/// The few words of RESP that are needed: https://redis.io/docs/latest/develop/reference/protocol-spec/
/// Everything throws std::runtime_error when it fails, which may be after a command has been carried out.
class RedisClient {
 public:
  using Command = std::vector<std::string>;

  explicit RedisClient(std::uint16_t port, std::chrono::milliseconds patience = std::chrono::seconds(5))
      : connection_(port, patience) {}

  RedisAnswer ask(const Command& command) { return ask_together(std::vector<Command>{command}).front(); }
  /// An answer each; the commands are sent together.
  std::vector<RedisAnswer> ask_together(const std::vector<Command>& commands);

 private:
  RedisAnswer answer();
  Connection connection_;
};

/// A server that keeps everything in memory, started with `more` options. Returns when it answers; throws
/// std::runtime_error where it does not.
[[nodiscard]] std::unique_ptr<ChildProcess> start_redis(const TemporaryFolder& folder, std::uint16_t port,
                                                        const std::vector<std::string>& more = {});

/// The error of a plan where Redis is not installed.
[[nodiscard]] std::optional<Error> redis_is_missing();

}  // namespace linchpin::app

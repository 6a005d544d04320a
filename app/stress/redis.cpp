// Redis: a register under a key of its own each round, written on the primary, and read there or on a replica.
#include <array>
#include <exception>
#include <stdexcept>

#include <fmt/format.h>

#include "app/stress/implementation.hpp"
#include "app/stress/redis_client.hpp"

namespace linchpin::app {

namespace {

class Servers {
 public:
  explicit Servers(bool replica) : ports_(free_ports(2)) {
    primary_ = start_redis(folder_, ports_[0], {"--repl-diskless-sync", "yes", "--repl-diskless-sync-delay", "0"});
    if (!replica) return;
    replica_ = start_redis(folder_, ports_[1], {"--replicaof", "127.0.0.1", std::to_string(ports_[0])});
    const auto linked = [&] {
      const std::string state = RedisClient(ports_[1]).ask({"INFO", "replication"}).text;
      return state.find("master_link_status:up") != std::string::npos;
    };
    if (!wait_until(*replica_, linked)) throw std::runtime_error("the replica does not come up");
  }

  [[nodiscard]] std::uint16_t writes() const { return ports_[0]; }
  [[nodiscard]] std::uint16_t reads() const { return replica_ == nullptr ? ports_[0] : ports_[1]; }

 private:
  TemporaryFolder folder_;
  std::vector<std::uint16_t> ports_;
  std::unique_ptr<ChildProcess> primary_, replica_;
};

struct Register {
  const Servers* servers;
  std::string key;
};

/// The calling thread's connection.
RedisClient& client(std::uint16_t port) {
  struct Known {
    std::uint16_t port = 0;
    std::unique_ptr<RedisClient> client;
  };
  static thread_local std::array<Known, 2> known;
  Known& slot = known[0].port == port || known[0].client == nullptr ? known[0] : known[1];
  if (slot.port != port) slot = {.port = port, .client = std::make_unique<RedisClient>(port)};
  return *slot.client;
}

Result<Plan> plan_redis_reading(bool replica) {
  if (auto missing = redis_is_missing()) return *missing;
  try {
    const auto servers = std::make_shared<const Servers>(replica);
    Operations<Register> operations;
    operations.add("write", [](Register& object, Fresh value) {
      client(object.servers->writes()).ask({"SET", object.key, std::to_string(value.number)});
    });
    operations.add("read", [](Register& object) -> std::optional<std::int64_t> {
      const RedisAnswer answer = client(object.servers->reads()).ask({"GET", object.key});
      return answer.nil ? std::nullopt : std::optional<std::int64_t>(std::stoll(answer.text));
    });
    return plan_of(
        "register",
        [servers, round = 0]() mutable {
          return std::make_unique<Register>(Register{servers.get(), fmt::format("register-{}", ++round)});
        },
        operations);
  } catch (const std::exception& exception) {
    return Error{.code = ErrorCode::io, .message = exception.what()};
  }
}

}  // namespace

Result<Plan> plan_redis() { return plan_redis_reading(false); }
Result<Plan> plan_redis_replica() { return plan_redis_reading(true); }

}  // namespace linchpin::app

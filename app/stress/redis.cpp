// Redis: a register under a key of its own each round, written on the primary, and read there or on a replica.
#include <stdexcept>

#include <fmt/format.h>

#include "app/stress/implementation.hpp"
#include "app/stress/server.hpp"

namespace linchpin::app {

namespace {

/// The few words of RESP that are needed here: https://redis.io/docs/latest/develop/reference/protocol-spec/
class Client {
 public:
  explicit Client(std::uint16_t port) : connection_(port) {}

  /// The answer's text; nothing for a nil.
  std::optional<std::string> ask(const std::vector<std::string>& words) {
    std::string request = fmt::format("*{}\r\n", words.size());
    for (const std::string& word : words) request += fmt::format("${}\r\n{}\r\n", word.size(), word);
    connection_.send(request);
    const std::string answer = connection_.line();
    if (answer.starts_with('-')) throw std::runtime_error(answer);
    if (!answer.starts_with('$')) return answer.substr(1);
    const int size = std::stoi(answer.substr(1));
    if (size < 0) return std::nullopt;
    std::string text = connection_.bytes(static_cast<std::size_t>(size));
    connection_.bytes(2);
    return text;
  }

 private:
  Connection connection_;
};

class Servers {
 public:
  explicit Servers(bool replica) : ports_(free_ports(2)) {
    primary_ = start(ports_[0], {"--repl-diskless-sync", "yes", "--repl-diskless-sync-delay", "0"});
    if (!replica) return;
    replica_ = start(ports_[1], {"--replicaof", "127.0.0.1", std::to_string(ports_[0])});
    const auto linked = [&] {
      return Client(ports_[1]).ask({"INFO", "replication"})->find("master_link_status:up") != std::string::npos;
    };
    if (!wait_until(*replica_, linked)) throw std::runtime_error("the replica does not come up");
  }

  [[nodiscard]] std::uint16_t writes() const { return ports_[0]; }
  [[nodiscard]] std::uint16_t reads() const { return replica_ == nullptr ? ports_[0] : ports_[1]; }

 private:
  std::unique_ptr<ChildProcess> start(std::uint16_t port, const std::vector<std::string>& more) {
    std::vector<std::string> words{"redis-server", "--port", std::to_string(port), "--bind", "127.0.0.1",
                                   "--save",       "",       "--appendonly",       "no",     "--dir",
                                   folder_.path()};
    words.insert(words.end(), more.begin(), more.end());
    auto process = std::make_unique<ChildProcess>(words, folder_.path() + "/log");
    if (!wait_until(*process, [&] { return Client(port).ask({"PING"}) == "PONG"; })) {
      throw std::runtime_error("redis-server does not come up");
    }
    return process;
  }

  TemporaryFolder folder_;
  std::vector<std::uint16_t> ports_;
  std::unique_ptr<ChildProcess> primary_, replica_;
};

struct Register {
  const Servers* servers;
  std::string key;
};

/// The calling thread's connection.
Client& client(std::uint16_t port) {
  struct Known {
    std::uint16_t port = 0;
    std::unique_ptr<Client> client;
  };
  static thread_local std::array<Known, 2> known;
  Known& slot = known[0].port == port || known[0].client == nullptr ? known[0] : known[1];
  if (slot.port != port) slot = {.port = port, .client = std::make_unique<Client>(port)};
  return *slot.client;
}

Result<Plan> plan_redis_reading(bool replica) {
  if (!is_installed("redis-server")) {
    return Error{.code = ErrorCode::unsupported,
                 .message = "redis-server is not installed",
                 .hint = "on Debian: apt install redis-server"};
  }
  try {
    const auto servers = std::make_shared<const Servers>(replica);
    Operations<Register> operations;
    operations.add("write", [](Register& object, Fresh value) {
      client(object.servers->writes()).ask({"SET", object.key, std::to_string(value.number)});
    });
    operations.add("read", [](Register& object) -> std::optional<std::int64_t> {
      const auto text = client(object.servers->reads()).ask({"GET", object.key});
      return text ? std::optional<std::int64_t>(std::stoll(*text)) : std::nullopt;
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

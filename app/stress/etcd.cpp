// etcd: three members, a register under a key of its own each round, written through the first and read through
// another.
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/stress/implementation.hpp"
#include "app/stress/server.hpp"

namespace linchpin::app {

namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string to_base64(std::string_view text) {
  std::string coded;
  for (std::size_t i = 0; i < text.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, text.size() - i);
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k) bits = bits << 8U | (k < count ? static_cast<unsigned char>(text[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) coded += k <= count ? kDigits[(bits >> (18 - 6 * k)) & 63U] : '=';
  }
  return coded;
}

std::string from_base64(std::string_view coded) {
  std::string text;
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : coded) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) break;
    bits = bits << 6U | static_cast<std::uint32_t>(digit);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    text += static_cast<char>(bits >> static_cast<unsigned>(held) & 0xffU);
  }
  return text;
}

/// The JSON gateway of etcd's API: https://etcd.io/docs/v3.4/dev-guide/api_grpc_gateway/
class Client {
 public:
  explicit Client(std::uint16_t port) : connection_(port) {}

  nlohmann::json ask(const std::string& path, const nlohmann::json& request) {
    const std::string body = request.dump();
    connection_.send(
        fmt::format("POST {} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n{}", path, body.size(), body));
    const std::string status = connection_.line();
    std::optional<std::size_t> size;
    for (std::string line = connection_.line(); !line.empty(); line = connection_.line()) {
      if (line.starts_with("Content-Length: ")) size = std::stoul(line.substr(16));
    }
    const std::string answer = size ? connection_.bytes(*size) : chunks();
    if (status.find(" 200 ") == std::string::npos) throw std::runtime_error(answer);
    return nlohmann::json::parse(answer);
  }

 private:
  std::string chunks() {
    std::string all;
    for (;;) {
      const std::size_t size = std::stoul(connection_.line(), nullptr, 16);
      all += connection_.bytes(size);
      connection_.bytes(2);
      if (size == 0) return all;
    }
  }
  Connection connection_;
};

class Cluster {
 public:
  Cluster() : ports_(free_ports(2 * kMembers)) {
    const auto url = [&](std::size_t i) { return fmt::format("http://127.0.0.1:{}", ports_[i]); };
    std::string members;
    for (std::size_t i = 0; i < kMembers; ++i) {
      members += fmt::format("{}m{}={}", i == 0 ? "" : ",", i, url(kMembers + i));
    }
    for (std::size_t i = 0; i < kMembers; ++i) {
      const std::string name = fmt::format("m{}", i);
      processes_.push_back(std::make_unique<ChildProcess>(std::vector<std::string>{"etcd",
                                                                                   "--name",
                                                                                   name,
                                                                                   "--data-dir",
                                                                                   folder_.path() + "/" + name,
                                                                                   "--listen-client-urls",
                                                                                   url(i),
                                                                                   "--advertise-client-urls",
                                                                                   url(i),
                                                                                   "--listen-peer-urls",
                                                                                   url(kMembers + i),
                                                                                   "--initial-advertise-peer-urls",
                                                                                   url(kMembers + i),
                                                                                   "--initial-cluster",
                                                                                   members,
                                                                                   "--heartbeat-interval",
                                                                                   "200",
                                                                                   "--election-timeout",
                                                                                   "2000",
                                                                                   "--log-level",
                                                                                   "error"},
                                                          folder_.path() + "/log"));
    }
    for (std::size_t i = 0; i < kMembers; ++i) {
      const auto answers = [&] {
        Client(port(i)).ask("/v3/kv/put", {{"key", to_base64("ready")}, {"value", to_base64("yes")}});
        return true;
      };
      if (!wait_until(*processes_[i], answers)) throw std::runtime_error("etcd does not come up");
    }
  }

  [[nodiscard]] std::uint16_t port(std::size_t member) const { return ports_[member]; }

 private:
  static constexpr std::size_t kMembers = 3;
  TemporaryFolder folder_;
  std::vector<std::uint16_t> ports_;  // for clients, then for other members
  std::vector<std::unique_ptr<ChildProcess>> processes_;
};

struct Register {
  const Cluster* cluster;
  std::string key;
};

/// The calling thread's connection to a member.
Client& client(const Cluster& cluster, std::size_t member) {
  struct Known {
    std::uint16_t port = 0;
    std::unique_ptr<Client> client;
  };
  static thread_local std::array<Known, 3> known;
  Known& slot = known[member];
  if (slot.port != cluster.port(member)) {
    slot = {.port = cluster.port(member), .client = std::make_unique<Client>(cluster.port(member))};
  }
  return *slot.client;
}

Result<Plan> plan_etcd_reading(bool serializable) {
  if (!is_installed("etcd")) {
    return Error{.code = ErrorCode::unsupported,
                 .message = "etcd is not installed",
                 .hint = "on Debian: apt install etcd-server"};
  }
  try {
    const auto cluster = std::make_shared<const Cluster>();
    Operations<Register> operations;
    operations.add("write", [](Register& object, Fresh value) {
      client(*object.cluster, 0)
          .ask("/v3/kv/put", {{"key", object.key}, {"value", to_base64(std::to_string(value.number))}});
    });
    operations.add("read", [serializable](Register& object) -> std::optional<std::int64_t> {
      const auto answer =
          client(*object.cluster, 1).ask("/v3/kv/range", {{"key", object.key}, {"serializable", serializable}});
      if (!answer.contains("kvs")) return std::nullopt;
      return std::stoll(from_base64(answer["kvs"][0]["value"].get<std::string>()));
    });
    return plan_of(
        "register",
        [cluster, round = 0]() mutable {
          return std::make_unique<Register>(Register{cluster.get(), to_base64(fmt::format("register-{}", ++round))});
        },
        operations);
  } catch (const std::exception& exception) {
    return Error{.code = ErrorCode::io, .message = exception.what()};
  }
}

}  // namespace

Result<Plan> plan_etcd() { return plan_etcd_reading(false); }
Result<Plan> plan_etcd_serializable() { return plan_etcd_reading(true); }

}  // namespace linchpin::app

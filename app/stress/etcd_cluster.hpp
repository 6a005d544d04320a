// Three members of etcd on the loopback interface, and clients of their JSON gateway.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/child_process.hpp"
#include "app/stress/disturbance.hpp"
#include "app/stress/server.hpp"
#include "base/base64.hpp"
#include "linchpin/error.hpp"

namespace linchpin::app {

// As the gateway wants keys and values.
using base::from_base64;
using base::to_base64;

/// The JSON gateway of etcd's API: https://etcd.io/docs/v3.4/dev-guide/api_grpc_gateway/
class EtcdClient {
 public:
  /// Throws std::runtime_error where nobody listens, as everything here does when it fails.
  explicit EtcdClient(std::uint16_t port, std::chrono::milliseconds patience = std::chrono::seconds(5))
      : connection_(port, patience) {}

  /// The answer. What throws may have been carried out.
  nlohmann::json ask(const std::string& path, const nlohmann::json& request);

 private:
  std::string chunks();
  Connection connection_;
};

class EtcdCluster {
 public:
  static constexpr std::size_t kMembers = 3;

  /// Returns when each member answers. Throws std::runtime_error.
  EtcdCluster();

  [[nodiscard]] std::uint16_t port(std::size_t member) const { return ports_[member]; }
  /// From now on members are stopped for a while, or killed and started again, one at a time.
  void disturb();
  /// Lets the members come to rest, ends them, and copies their logs to DIRECTORY/server-m0 and so on. Nothing can be
  /// asked afterwards. Throws std::runtime_error.
  void leave_logs(const std::string& directory);

 private:
  [[nodiscard]] std::unique_ptr<ChildProcess> start(std::size_t member) const;

  TemporaryFolder folder_;
  std::vector<std::uint16_t> ports_;  // for clients, then for other members
  std::vector<std::unique_ptr<ChildProcess>> processes_;
  std::optional<Disturbance> disturbance_;  // ends before the processes
};

/// The error of a plan where etcd is not installed.
[[nodiscard]] std::optional<Error> etcd_is_missing();

}  // namespace linchpin::app

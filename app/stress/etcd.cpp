// etcd: three members, a register under a key of its own each round, written through the first and read through
// another.
#include <array>
#include <exception>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/stress/etcd_cluster.hpp"
#include "app/stress/implementation.hpp"

namespace linchpin::app {

namespace {

struct EtcdRegister {
  const EtcdCluster* cluster;
  std::string key;
};

/// The calling thread's connection to a member.
EtcdClient& client(const EtcdCluster& cluster, std::size_t member) {
  struct Known {
    std::uint16_t port = 0;
    std::unique_ptr<EtcdClient> client;
  };
  static thread_local std::array<Known, 3> known;
  Known& slot = known[member];
  if (slot.port != cluster.port(member)) {
    slot = {.port = cluster.port(member), .client = std::make_unique<EtcdClient>(cluster.port(member))};
  }
  return *slot.client;
}

Result<Plan> plan_etcd_reading(bool serializable) {
  if (auto missing = etcd_is_missing()) return *missing;
  try {
    const auto cluster = std::make_shared<const EtcdCluster>();
    Operations<EtcdRegister> operations;
    operations.add("write", [](EtcdRegister& object, Fresh value) {
      client(*object.cluster, 0)
          .ask("/v3/kv/put", {{"key", object.key}, {"value", to_base64(std::to_string(value.number))}});
    });
    operations.add("read", [serializable](EtcdRegister& object) -> std::optional<std::int64_t> {
      const auto answer =
          client(*object.cluster, 1).ask("/v3/kv/range", {{"key", object.key}, {"serializable", serializable}});
      if (!answer.contains("kvs")) return std::nullopt;
      return std::stoll(from_base64(answer["kvs"][0]["value"].get<std::string>()));
    });
    return plan_of(
        "register",
        [cluster, round = 0]() mutable {
          return std::make_unique<EtcdRegister>(
              EtcdRegister{cluster.get(), to_base64(fmt::format("register-{}", ++round))});
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

#include "app/stress/etcd_cluster.hpp"

#include <csignal>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>

#include "app/stress/etcd_report.hpp"

namespace linchpin::app {

nlohmann::json EtcdClient::ask(const std::string& path, const nlohmann::json& request) {
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

std::string EtcdClient::chunks() {
  std::string all;
  for (;;) {
    const std::size_t size = std::stoul(connection_.line(), nullptr, 16);
    all += connection_.bytes(size);
    connection_.bytes(2);
    if (size == 0) return all;
  }
}

EtcdCluster::EtcdCluster() : ports_(free_ports(2 * kMembers)) {
  for (std::size_t i = 0; i < kMembers; ++i) processes_.push_back(start(i));
  for (std::size_t i = 0; i < kMembers; ++i) {
    // A read, which leaves the store at its first revision.
    const auto answers = [&] {
      EtcdClient(port(i)).ask("/v3/kv/range", {{"key", to_base64("ready")}});
      return true;
    };
    if (!wait_until(*processes_[i], answers)) throw std::runtime_error("etcd does not come up");
  }
}

std::unique_ptr<ChildProcess> EtcdCluster::start(std::size_t member) const {
  const auto url = [&](std::size_t i) { return fmt::format("http://127.0.0.1:{}", ports_[i]); };
  std::string members;
  for (std::size_t i = 0; i < kMembers; ++i) {
    members += fmt::format("{}m{}={}", i == 0 ? "" : ",", i, url(kMembers + i));
  }
  const std::string name = fmt::format("m{}", member), clients = url(member), peers = url(kMembers + member);
  const std::vector<std::string> arguments{"etcd",
                                           "--name",
                                           name,
                                           "--data-dir",
                                           folder_.path() + "/" + name,
                                           "--listen-client-urls",
                                           clients,
                                           "--advertise-client-urls",
                                           clients,
                                           "--listen-peer-urls",
                                           peers,
                                           "--initial-advertise-peer-urls",
                                           peers,
                                           "--initial-cluster",
                                           members,
                                           "--heartbeat-interval",
                                           "200",
                                           "--election-timeout",
                                           "2000",
                                           "--log-level",
                                           "error"};
  return std::make_unique<ChildProcess>(arguments, folder_.path() + "/log");
}

void EtcdCluster::disturb() {
  disturbance_.emplace(Disturbance::Servers{.count = kMembers,
                                            .stop = [this](std::size_t i) { processes_[i]->signal(SIGSTOP); },
                                            .go_on = [this](std::size_t i) { processes_[i]->signal(SIGCONT); },
                                            .restart =
                                                [this](std::size_t i) {
                                                  processes_[i].reset();
                                                  processes_[i] = start(i);
                                                }});
}

void EtcdCluster::leave_logs(const std::string& directory) {
  disturbance_.reset();
  // A leader tells the others with its next heartbeat what is committed.
  std::this_thread::sleep_for(std::chrono::seconds(1));
  for (const auto& process : processes_) process->signal(SIGTERM);
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  for (const auto& process : processes_) {
    while (process->running() && std::chrono::steady_clock::now() < patience) wait_a_moment();
  }
  processes_.clear();
  for (std::size_t i = 0; i < kMembers; ++i) {
    const std::string name = fmt::format("m{}", i);
    copy_etcd_log(folder_.path() + "/" + name, directory, name);
  }
}

std::optional<Error> etcd_is_missing() {
  if (is_installed("etcd")) return std::nullopt;
  return Error{
      .code = ErrorCode::unsupported, .message = "etcd is not installed", .hint = "on Debian: apt install etcd-server"};
}

}  // namespace linchpin::app

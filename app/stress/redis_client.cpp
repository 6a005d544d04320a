#include "app/stress/redis_client.hpp"

#include <stdexcept>

#include <fmt/format.h>

namespace linchpin::app {

std::vector<RedisAnswer> RedisClient::ask_together(const std::vector<Command>& commands) {
  std::string request;
  for (const Command& words : commands) {
    request += fmt::format("*{}\r\n", words.size());
    for (const std::string& word : words) request += fmt::format("${}\r\n{}\r\n", word.size(), word);
  }
  connection_.send(request);
  std::vector<RedisAnswer> answers(commands.size());
  for (RedisAnswer& each : answers) each = answer();
  return answers;
}

RedisAnswer RedisClient::answer() {
  const std::string line = connection_.line();
  if (line.empty() || line.starts_with('-')) throw std::runtime_error(line);
  if (!line.starts_with('$') && !line.starts_with('*')) return {.text = line.substr(1)};
  const int size = std::stoi(line.substr(1));
  if (size < 0) return {.nil = true};
  RedisAnswer answered;
  if (line.starts_with('*')) {
    for (int i = 0; i < size; ++i) answered.list.push_back(answer());
    return answered;
  }
  answered.text = connection_.bytes(static_cast<std::size_t>(size));
  connection_.bytes(2);
  return answered;
}

std::unique_ptr<ChildProcess> start_redis(const TemporaryFolder& folder, std::uint16_t port,
                                          const std::vector<std::string>& more) {
  std::vector<std::string> words{"redis-server", "--port", std::to_string(port), "--bind", "127.0.0.1",
                                 "--save",       "",       "--appendonly",       "no",     "--dir",
                                 folder.path()};
  words.insert(words.end(), more.begin(), more.end());
  auto process = std::make_unique<ChildProcess>(words, folder.path() + "/log");
  if (!wait_until(*process, [&] { return RedisClient(port).ask({"PING"}).text == "PONG"; })) {
    throw std::runtime_error("redis-server does not come up");
  }
  return process;
}

std::optional<Error> redis_is_missing() {
  if (is_installed("redis-server")) return std::nullopt;
  return Error{.code = ErrorCode::unsupported,
               .message = "redis-server is not installed",
               .hint = "on Debian: apt install redis-server"};
}

}  // namespace linchpin::app

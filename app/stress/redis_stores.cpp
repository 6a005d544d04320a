// Redis under pauses: one server, which is stopped for a while under load, and clients that wait 200 ms for an answer.
// What they had sent by then is carried out later, or it was already.
//
//   redis-versions  each key by itself: puts that name the version which they follow, over WATCH and MULTI
//   redis-lists     transactions that append to lists and read them, over MULTI
#include <atomic>
#include <csignal>
#include <exception>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/stress/disturbance.hpp"
#include "app/stress/implementation.hpp"
#include "app/stress/redis_client.hpp"

namespace linchpin::app {

namespace {

using stress_plan::Turn;

constexpr std::chrono::milliseconds kRedisPatience{200};

class Server {
 public:
  Server()
      : port_(free_ports(1)[0]),
        process_(start_redis(folder_, port_)),
        // Without a file to start again from: it is stopped only.
        disturbance_({.count = 1,
                      .stop = [this](std::size_t) { process_->signal(SIGSTOP); },
                      .go_on = [this](std::size_t) { process_->signal(SIGCONT); },
                      .restart = {}}) {}

  [[nodiscard]] std::uint16_t port() const { return port_; }

 private:
  TemporaryFolder folder_;
  std::uint16_t port_;
  std::unique_ptr<ChildProcess> process_;
  Disturbance disturbance_;  // ends before the process
};

/// A round's keys, and what the threads of the round know of them.
class RedisStore {
 public:
  RedisStore(std::shared_ptr<const Server> server, std::string prefix)
      : number_(++last_number), server_(std::move(server)), prefix_(std::move(prefix)) {}

  [[nodiscard]] std::string key(std::int64_t number) const { return fmt::format("{}k{}", prefix_, number); }

  /// The calling thread's version of each key, as it last saw it; none: 0.
  std::map<std::int64_t, std::int64_t>& versions() const { return session().versions; }

  /// A connection of the calling thread, before the operation begins.
  void connect() const {
    Session& own = session();
    if (own.client == nullptr) own.client = std::make_unique<RedisClient>(server_->port(), kRedisPatience);
  }
  /// Throws what is of unknown fate.
  std::vector<RedisAnswer> ask(const std::vector<RedisClient::Command>& commands) const {
    Session& own = session();
    try {
      return own.client->ask_together(commands);
    } catch (...) {
      own.client.reset();  // an answer may still be on its way
      throw;
    }
  }

 private:
  struct Session {
    std::uint64_t store = 0;
    std::unique_ptr<RedisClient> client;
    std::map<std::int64_t, std::int64_t> versions;
  };
  Session& session() const {
    static thread_local Session known;
    if (known.store != number_) known = {.store = number_, .client = nullptr, .versions = {}};
    return known;
  }

  static inline std::atomic<std::uint64_t> last_number = 0;
  std::uint64_t number_;
  std::shared_ptr<const Server> server_;
  std::string prefix_;
};

template <class Function>
stress_plan::Action action(std::string method, Function function) {
  return {.methods = {std::move(method)}, .weight = 1, .adds = false, .run = [function](void* object, Turn& turn) {
            const RedisStore& store = *static_cast<const RedisStore*>(object);
            store.connect();
            function(store, turn);
          }};
}

// --- redis-versions: a key holds "VERSION VALUE" ---

struct Versioned {
  std::int64_t version = 0;  ///< 0: not there
  std::string value;
};

Versioned versioned(const RedisAnswer& answer) {
  if (answer.nil) return {};
  const std::size_t blank = answer.text.find(' ');
  return {.version = std::stoll(answer.text.substr(0, blank)), .value = answer.text.substr(blank + 1)};
}

void get_redis_version(const RedisStore& store, Turn& turn) {
  const std::int64_t key = turn.key().number;
  turn.log().call(turn.method(), key);
  const Versioned held = versioned(store.ask({{"GET", store.key(key)}})[0]);
  store.versions()[key] = held.version;
  if (held.version == 0) return turn.log().returned("ErrNoKey");
  turn.log().returned(fmt::format("[{} {}]", held.value, held.version));
}

/// Puts if the version is the one that the client saw last. Whoever is quicker moves the version on, so a transaction
/// that is refused because the key was touched has met another version.
void put_redis_version(const RedisStore& store, Turn& turn) {
  const std::int64_t key = turn.key().number, value = turn.fresh().number, version = store.versions()[key];
  const std::string name = store.key(key);
  turn.log().call(turn.method(), key, value, version);
  const Versioned held = versioned(store.ask({{"WATCH", name}, {"GET", name}})[1]);
  if (held.version != version) {
    store.ask({{"UNWATCH"}});
    store.versions()[key] = held.version;
    return turn.log().returned(held.version == 0 ? "ErrNoKey" : "ErrVersion");
  }
  const RedisAnswer done = store.ask({{"MULTI"}, {"SET", name, fmt::format("{} {}", version + 1, value)}, {"EXEC"}})[2];
  store.versions()[key] = version + 1;  // or beyond
  turn.log().returned(done.nil ? "ErrVersion" : "OK");
}

// --- redis-lists ---

/// Up to four appends and reads, carried out together.
void append_to_redis_lists(const RedisStore& store, Turn& turn) {
  std::vector<RedisClient::Command> commands{{"MULTI"}};
  std::vector<std::string> asked;  // of an append; of a read the part without its list
  const std::size_t parts = 1 + turn.random() % 4;
  std::string call;
  for (std::size_t i = 0; i < parts; ++i) {
    const bool appends = turn.random() % 2 == 0;
    const std::int64_t key = turn.key().number;
    if (appends) {
      const std::int64_t element = turn.fresh().number;
      commands.push_back({"RPUSH", store.key(key), std::to_string(element)});
      asked.push_back(fmt::format("[append {} {}]", key, element));
    } else {
      commands.push_back({"LRANGE", store.key(key), "0", "-1"});
      asked.push_back(fmt::format("[r {} ", key));
    }
    call += fmt::format("{}{}{}", i == 0 ? "" : " ", asked.back(), appends ? "" : "nil]");
  }
  commands.push_back({"EXEC"});
  turn.log().call(turn.method(), fmt::format("[{}]", call));
  const RedisAnswer results = store.ask(commands).back();
  std::string completed;
  for (std::size_t i = 0; i < parts; ++i) {
    completed += fmt::format("{}{}", i == 0 ? "" : " ", asked[i]);
    if (commands[i + 1].front() != "LRANGE") continue;
    completed += '[';
    const std::vector<RedisAnswer>& elements = results.list.at(i).list;
    for (std::size_t k = 0; k < elements.size(); ++k)
      completed += fmt::format("{}{}", k == 0 ? "" : " ", elements[k].text);
    completed += "]]";
  }
  turn.log().returned(fmt::format("[{}]", completed));
}

/// A plan whose rounds have keys of their own on one server.
Result<Plan> plan_of_redis_stores(std::string type, std::vector<stress_plan::Action> actions) {
  if (auto missing = redis_is_missing()) return *missing;
  try {
    return Plan{.type = std::move(type),
                .make = [server = std::make_shared<const Server>(), round = 0]() mutable -> std::shared_ptr<void> {
                  return std::make_shared<RedisStore>(server, fmt::format("r{}-", ++round));
                },
                .actions = std::move(actions),
                .notation = true};
  } catch (const std::exception& exception) {
    return Error{.code = ErrorCode::io, .message = exception.what()};
  }
}

}  // namespace

Result<Plan> plan_redis_versions() {
  return plan_of_redis_stores("versioned-map", {action("get", get_redis_version), action("put", put_redis_version)});
}
Result<Plan> plan_redis_lists() { return plan_of_redis_stores("list-append", {action("txn", append_to_redis_lists)}); }

}  // namespace linchpin::app

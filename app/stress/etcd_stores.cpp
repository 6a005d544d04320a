// etcd under pauses: three members, of which one after the other is stopped for a while or killed and started again,
// and clients that wait 200 ms for an answer and then go on with another member.
//
//   etcd-mvcc      the store with its revisions, as etcd promises it; a cluster of its own each round, since the first
//                  revision has to be known
//   etcd-versions  each key by itself: puts that name the version which they follow
//   etcd-lists     transactions that append to lists: a read of all lists, then a transaction that compares revisions
#include <array>
#include <atomic>
#include <exception>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/stress/etcd_cluster.hpp"
#include "app/stress/implementation.hpp"

namespace linchpin::app {

namespace {

using nlohmann::json;
using stress_plan::Turn;

constexpr std::chrono::milliseconds kPatience{200};

/// A number of an answer, which the gateway writes as text, and leaves out where it is 0.
std::int64_t number(const json& answer, const char* name) {
  const auto at = answer.find(name);
  if (at == answer.end()) return 0;
  return at->is_string() ? std::stoll(at->get<std::string>()) : at->get<std::int64_t>();
}
std::int64_t revision(const json& answer) { return number(answer.at("header"), "revision"); }
std::string text(const json& content, const char* name) {
  return content.contains(name) ? from_base64(content.at(name).get<std::string>()) : std::string();
}
json list(const json& answer, const char* name) { return answer.contains(name) ? answer.at(name) : json::array(); }

/// Calls `f` for each, with a blank between what it returns.
template <class Range, class F>
std::string joined(const Range& range, F&& f) {
  std::string all;
  for (const auto& each : range) {
    if (!all.empty()) all += ' ';
    all += f(each);
  }
  return all;
}

/// One thread's side: its connections, and what it knows of the store.
class Session {
 public:
  explicit Session(const EtcdCluster& cluster) : cluster_(&cluster) {}

  /// Finds a member that listens, from a random one on, before the operation begins.
  void connect(Turn& turn) {
    member_ = turn.random() % EtcdCluster::kMembers;
    for (std::size_t i = 0; i < EtcdCluster::kMembers; ++i, member_ = (member_ + 1) % EtcdCluster::kMembers) {
      try {
        if (clients_[member_] == nullptr) {
          clients_[member_] = std::make_unique<EtcdClient>(cluster_->port(member_), kPatience);
        }
        return;
      } catch (const std::exception&) {  // it is being started again
      }
    }
    throw std::runtime_error("no member listens");
  }
  /// Throws what is of unknown fate.
  json ask(const std::string& path, const json& request) {
    try {
      if (clients_[member_] == nullptr) throw std::runtime_error("the connection is gone");
      return clients_[member_]->ask(path, request);
    } catch (...) {
      clients_[member_].reset();  // an answer may still be on its way
      throw;
    }
  }

  std::map<std::int64_t, std::int64_t> mods;  ///< of keys: the revision of the last put that it saw, 0: not there
  std::map<std::int64_t, std::int64_t> versions;
  std::int64_t lease = 0;     ///< its own; 0: none
  std::int64_t revision = 0;  ///< the last that it was told

 private:
  const EtcdCluster* cluster_;
  std::size_t member_ = 0;
  std::array<std::unique_ptr<EtcdClient>, EtcdCluster::kMembers> clients_;
};

/// What the threads of a round share.
class Store {
 public:
  Store(std::shared_ptr<EtcdCluster> cluster, std::string prefix)
      : number_(++last_number), cluster_(std::move(cluster)), prefix_(std::move(prefix)) {}

  [[nodiscard]] std::string key(std::int64_t number) const { return to_base64(name(number)); }
  [[nodiscard]] std::string name(std::int64_t number) const { return fmt::format("{}k{:02}", prefix_, number); }

  /// The calling thread's.
  Session& session() const {
    struct Known {
      std::uint64_t store = 0;
      std::unique_ptr<Session> session;
    };
    static thread_local Known known;
    if (known.store != number_) known = {.store = number_, .session = std::make_unique<Session>(*cluster_)};
    return *known.session;
  }

 private:
  static inline std::atomic<std::uint64_t> last_number = 0;
  std::uint64_t number_;
  std::shared_ptr<EtcdCluster> cluster_;
  std::string prefix_;
};

/// An action that runs `function(store, session, turn)` when a member was found that listens.
template <class Function>
stress_plan::Action action(std::string method, double weight, Function function) {
  return {.methods = {std::move(method)}, .weight = weight, .adds = false, .run = [function](void* object, Turn& turn) {
            const Store& store = *static_cast<const Store*>(object);
            Session& session = store.session();
            session.connect(turn);
            function(store, session, turn);
          }};
}

// --- etcd-mvcc ---

/// [key value mod version create lease]
std::string entry(const json& content) {
  return fmt::format("[{} {} {} {} {} {}]", text(content, "key"), text(content, "value"),
                     number(content, "mod_revision"), number(content, "version"), number(content, "create_revision"),
                     number(content, "lease"));
}
std::string entries(const json& answer) {
  return fmt::format("[{}] {}", joined(list(answer, "kvs"), entry), number(answer, "count"));
}

void remember(Session& session, std::int64_t key, const json& answer) {
  const json contents = list(answer, "kvs");
  session.mods[key] = contents.empty() ? 0 : number(contents[0], "mod_revision");
}

void range_one(const Store& store, Session& session, Turn& turn) {
  const std::int64_t key = turn.key().number;
  turn.log().call(turn.method(), store.name(key));
  const json answer = session.ask("/v3/kv/range", {{"key", store.key(key)}});
  session.revision = revision(answer);
  turn.log().returned(fmt::format("[{} {}]", session.revision, entries(answer)));
  remember(session, key, answer);
}

void range_some(const Store& store, Session& session, Turn& turn) {
  const std::int64_t key = turn.key().number, end = key + 1 + static_cast<std::int64_t>(turn.random() % 4);
  turn.log().call(turn.method(), store.name(key), store.name(end));
  const json answer = session.ask("/v3/kv/range", {{"key", store.key(key)}, {"range_end", store.key(end)}});
  turn.log().returned(fmt::format("[{} {}]", revision(answer), entries(answer)));
}

/// As it was a few revisions ago, or as it is where the session knows of none.
void range_before(const Store& store, Session& session, Turn& turn) {
  const std::int64_t key = turn.key().number;
  const std::int64_t then = session.revision - static_cast<std::int64_t>(turn.random() % 8);
  if (then < 1) return range_one(store, session, turn);
  turn.log().call(turn.method(), store.name(key), std::nullopt, fmt::format("[revision {}]", then));
  const json answer = session.ask("/v3/kv/range", {{"key", store.key(key)}, {"revision", then}});
  turn.log().returned(fmt::format("[{} {}]", revision(answer), entries(answer)));
}

void put(const Store& store, Session& session, Turn& turn) {
  const std::int64_t key = turn.key().number, value = turn.fresh().number;
  json request = {{"key", store.key(key)}, {"value", to_base64(std::to_string(value))}};
  if (session.lease != 0 && turn.random() % 4 == 0) {
    request["lease"] = std::to_string(session.lease);
    turn.log().call(turn.method(), store.name(key), value, session.lease);
  } else {
    turn.log().call(turn.method(), store.name(key), value);
  }
  session.mods[key] = revision(session.ask("/v3/kv/put", request));
  turn.log().returned(session.mods[key]);
}

void erase(const Store& store, Session& session, Turn& turn) {
  const std::int64_t key = turn.key().number;
  turn.log().call(turn.method(), store.name(key));
  const json answer = session.ask("/v3/kv/deleterange", {{"key", store.key(key)}});
  turn.log().returned(fmt::format("[{} {}]", revision(answer), number(answer, "deleted")));
  session.mods[key] = 0;
}

/// Puts if the key is as it was last seen, and looks otherwise.
void put_if_unchanged(const Store& store, Session& session, Turn& turn) {
  const std::int64_t key = turn.key().number, value = turn.fresh().number, mod = session.mods[key];
  const std::string name = store.name(key);
  turn.log().call(turn.method(), fmt::format("[[mod {} {}]]", name, mod), fmt::format("[[put {} {}]]", name, value),
                  fmt::format("[[range {}]]", name));
  const json answer = session.ask(
      "/v3/kv/txn",
      {{"compare",
        {{{"key", store.key(key)}, {"target", "MOD"}, {"result", "EQUAL"}, {"mod_revision", std::to_string(mod)}}}},
       {"success", {{{"request_put", {{"key", store.key(key)}, {"value", to_base64(std::to_string(value))}}}}}},
       {"failure", {{{"request_range", {{"key", store.key(key)}}}}}}});
  if (answer.value("succeeded", false)) {
    session.mods[key] = revision(answer);
    return turn.log().returned(fmt::format("[{} true [nil]]", revision(answer)));
  }
  const json& shown = answer.at("responses").at(0).at("response_range");
  turn.log().returned(fmt::format("[{} false [[{}]]]", revision(answer), entries(shown)));
  remember(session, key, shown);
}

/// A lease of the thread's own, which nobody else uses: granted, or revoked with the keys under it.
void grant_or_revoke(const Store& /*store*/, Session& session, Turn& turn) {
  if (session.lease == 0) {
    const std::int64_t lease = turn.fresh().number;
    turn.log().call(turn.method(0), lease);
    const json answer = session.ask("/v3/lease/grant", {{"TTL", "3600"}, {"ID", std::to_string(lease)}});
    turn.log().returned(revision(answer));
    session.lease = lease;
    return;
  }
  const std::int64_t lease = std::exchange(session.lease, 0);
  turn.log().call(turn.method(1), lease);
  turn.log().returned(revision(session.ask("/v3/lease/revoke", {{"ID", std::to_string(lease)}})));
}

// --- etcd-versions ---

void get_version(const Store& store, Session& session, Turn& turn) {
  const std::int64_t key = turn.key().number;
  turn.log().call(turn.method(), key);
  const json contents = list(session.ask("/v3/kv/range", {{"key", store.key(key)}}), "kvs");
  session.versions[key] = contents.empty() ? 0 : number(contents[0], "version");
  if (contents.empty()) return turn.log().returned("ErrNoKey");
  turn.log().returned(fmt::format("[{} {}]", text(contents[0], "value"), session.versions[key]));
}

void put_version(const Store& store, Session& session, Turn& turn) {
  const std::int64_t key = turn.key().number, value = turn.fresh().number, version = session.versions[key];
  turn.log().call(turn.method(), key, value, version);
  const json answer = session.ask(
      "/v3/kv/txn",
      {{"compare",
        {{{"key", store.key(key)}, {"target", "VERSION"}, {"result", "EQUAL"}, {"version", std::to_string(version)}}}},
       {"success", {{{"request_put", {{"key", store.key(key)}, {"value", to_base64(std::to_string(value))}}}}}},
       {"failure", {{{"request_range", {{"key", store.key(key)}}}}}}});
  if (answer.value("succeeded", false)) {
    session.versions[key] = version + 1;
    return turn.log().returned("OK");
  }
  const json contents = list(answer.at("responses").at(0).at("response_range"), "kvs");
  session.versions[key] = contents.empty() ? 0 : number(contents[0], "version");
  turn.log().returned(contents.empty() ? "ErrNoKey" : "ErrVersion");
}

// --- etcd-lists ---

/// Up to four appends and reads. The lists are read together; where something is appended, a second transaction puts
/// the longer lists if nobody touched any of these keys meanwhile, and does nothing otherwise.
void append_to_lists(const Store& store, Session& session, Turn& turn) {
  struct Part {
    bool appends = false;
    std::int64_t key = 0, element = 0;
  };
  std::vector<Part> parts(1 + turn.random() % 4);
  for (Part& part : parts) {
    part = {.appends = turn.random() % 2 == 0, .key = turn.key().number};
    if (part.appends) part.element = turn.fresh().number;
  }
  const auto asked = [](const Part& part) {
    return part.appends ? fmt::format("[append {} {}]", part.key, part.element) : fmt::format("[r {} nil]", part.key);
  };
  turn.log().call(turn.method(), fmt::format("[{}]", joined(parts, asked)));

  struct List {
    std::string elements;
    std::int64_t mod = 0;
    bool longer = false;
  };
  std::map<std::int64_t, List> lists;
  for (const Part& part : parts) lists[part.key];
  json ranges = json::array();
  for (const auto& [key, content] : lists) ranges.push_back({{"request_range", {{"key", store.key(key)}}}});
  const json answer = session.ask("/v3/kv/txn", {{"success", ranges}});
  std::size_t i = 0;
  for (auto& [key, content] : lists) {
    const json contents = list(answer.at("responses").at(i++).at("response_range"), "kvs");
    if (contents.empty()) continue;
    content = {.elements = text(contents[0], "value"), .mod = number(contents[0], "mod_revision")};
  }

  const std::string completed = joined(parts, [&](const Part& part) {
    List& content = lists[part.key];
    if (!part.appends) return fmt::format("[r {} [{}]]", part.key, content.elements);
    if (!content.elements.empty()) content.elements += ' ';
    content.elements += std::to_string(part.element);
    content.longer = true;
    return asked(part);
  });
  json compares = json::array(), puts = json::array();
  for (const auto& [key, content] : lists) {
    compares.push_back({{"key", store.key(key)},
                        {"target", "MOD"},
                        {"result", "EQUAL"},
                        {"mod_revision", std::to_string(content.mod)}});
    if (!content.longer) continue;
    puts.push_back({{"request_put", {{"key", store.key(key)}, {"value", to_base64(content.elements)}}}});
  }
  const bool done =
      puts.empty() || session.ask("/v3/kv/txn", {{"compare", compares}, {"success", puts}}).value("succeeded", false);
  if (!done) return turn.log().returned(false);
  turn.log().returned(fmt::format("[{}]", completed));
}

std::shared_ptr<EtcdCluster> start() {
  auto cluster = std::make_shared<EtcdCluster>();
  cluster->disturb();
  return cluster;
}

/// A plan whose rounds have stores of their own in one cluster.
Result<Plan> plan_of_stores(std::string type, std::vector<stress_plan::Action> actions) {
  if (auto missing = etcd_is_missing()) return *missing;
  try {
    return Plan{.type = std::move(type),
                .make = [cluster = start(), round = 0]() mutable -> std::shared_ptr<void> {
                  return std::make_shared<Store>(cluster, fmt::format("r{}-", ++round));
                },
                .actions = std::move(actions),
                .notation = true};
  } catch (const std::exception& exception) {
    return Error{.code = ErrorCode::io, .message = exception.what()};
  }
}

Result<void> leave_logs(EtcdCluster& cluster, const std::string& directory) {
  try {
    cluster.leave_logs(directory);
    return {};
  } catch (const std::exception& exception) {
    return Error{.code = ErrorCode::io,
                 .source = directory,
                 .message = fmt::format("the members' logs could not be copied: {}", exception.what()),
                 .hint = "is there space? --save writes what clients saw"};
  }
}

}  // namespace

/// Each round has a cluster of its own, the last of which is left when the run is over.
Result<Recorded> record_etcd_mvcc() {
  if (auto missing = etcd_is_missing()) return *missing;
  const auto last = std::make_shared<std::shared_ptr<EtcdCluster>>();
  stress_plan::Action leases = action("grant", 0.3, grant_or_revoke);
  leases.methods.emplace_back("revoke");
  Plan plan{.type = "mvcc-kv",
            .make = [last]() -> std::shared_ptr<void> {
              *last = start();
              return std::make_shared<Store>(*last, "");
            },
            .actions = {action("range", 3, range_one), action("range", 1, range_some),
                        action("range", 0.5, range_before), action("put", 3, put), action("delete", 0.7, erase),
                        action("txn", 1.5, put_if_unchanged), std::move(leases)},
            .notation = true};
  return Recorded{.plan = std::move(plan), .leave_logs = [last](const std::string& directory) -> Result<void> {
                    if (*last == nullptr) return Error{.code = ErrorCode::io, .message = "no round was begun"};
                    return leave_logs(**last, directory);
                  }};
}
Result<Plan> plan_etcd_mvcc() {
  auto recorded = record_etcd_mvcc();
  if (!recorded) return recorded.error();
  return std::move(recorded->plan);
}
Result<Plan> plan_etcd_versions() {
  return plan_of_stores("versioned-map", {action("get", 1, get_version), action("put", 1, put_version)});
}
Result<Plan> plan_etcd_lists() { return plan_of_stores("list-append", {action("txn", 1, append_to_lists)}); }

}  // namespace linchpin::app

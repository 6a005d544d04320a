// Numbers of fields: etcd's api/etcdserverpb/raft_internal.proto and rpc.proto.
#include "formats/etcd_robustness/log/request.hpp"

#include "formats/etcd_robustness/log/wire.hpp"

namespace linchpin::formats::etcd_robustness::log {

namespace {

using Kind = LoggedRequest::Kind;

/// False: it asks for more than an act says.
bool read_put(std::string_view bytes, Act& act) {
  act.verb = Act::Verb::put;
  bool plain = true;
  Message message(bytes);
  while (message.next()) {
    switch (message.field()) {
      case 1: act.key = message.bytes(); break;
      case 2: act.value = message.bytes(); break;
      case 3: act.lease = message.integer(); break;
      case 5:
      case 6: plain = plain && message.number() == 0; break;  // ignore_value, ignore_lease
      default: break;                                         // prev_kv
    }
  }
  return plain && !message.fault();
}

bool read_delete(std::string_view bytes, Act& act) {
  act.verb = Act::Verb::erase;
  Message message(bytes);
  while (message.next()) {
    if (message.field() == 1) act.key = message.bytes();
    if (message.field() == 2) act.end = message.bytes();
  }
  return !message.fault();
}

/// A range at a revision may be refused, and the transaction with it.
bool read_range(std::string_view bytes, Act& act) {
  act.verb = Act::Verb::range;
  Message message(bytes);
  while (message.next()) {
    switch (message.field()) {
      case 1: act.key = message.bytes(); break;
      case 2: act.end = message.bytes(); break;
      case 3: act.limit = message.integer(); break;
      case 4: act.revision = message.integer(); break;
      default: break;  // how it is sorted and what is left out
    }
  }
  return act.revision == 0 && !message.fault();
}

bool read_act(std::string_view bytes, std::vector<Act>& acts) {
  Act& act = acts.emplace_back();
  bool known = false;
  Message message(bytes);
  while (message.next()) {
    switch (message.field()) {
      case 1: known = read_range(message.bytes(), act); break;
      case 2: known = read_put(message.bytes(), act); break;
      case 3: known = read_delete(message.bytes(), act); break;
      default: known = false; break;  // a transaction in a transaction
    }
  }
  return known && !message.fault();
}

bool read_compare(std::string_view bytes, Compare& compare) {
  constexpr std::uint64_t kEqual = 0, kVersion = 0, kMod = 2;
  std::uint64_t result = kEqual, target = kVersion;
  std::int64_t version = 0, mod = 0;
  bool one_key = true;
  Message message(bytes);
  while (message.next()) {
    switch (message.field()) {
      case 1: result = message.number(); break;
      case 2: target = message.number(); break;
      case 3: compare.key = message.bytes(); break;
      case 4: version = message.integer(); break;
      case 6: mod = message.integer(); break;
      case 64: one_key = one_key && message.bytes().empty(); break;
      default: break;
    }
  }
  compare.target = target == kMod ? Compare::Target::mod : Compare::Target::version;
  compare.number = target == kMod ? mod : version;
  return result == kEqual && (target == kMod || target == kVersion) && one_key && !message.fault();
}

bool read_transaction(std::string_view bytes, LoggedRequest& request) {
  bool known = true;
  Message message(bytes);
  while (message.next()) {
    switch (message.field()) {
      case 1: known = read_compare(message.bytes(), request.compares.emplace_back()) && known; break;
      case 2: known = read_act(message.bytes(), request.success) && known; break;
      case 3: known = read_act(message.bytes(), request.failure) && known; break;
      default: break;
    }
  }
  return known && !message.fault();
}

std::int64_t integer_in(std::string_view bytes, std::uint64_t field, bool& fault) {
  std::int64_t number = 0;
  Message message(bytes);
  while (message.next()) {
    if (message.field() == field) number = message.integer();
  }
  fault = fault || message.fault();
  return number;
}

/// The requests of etcd's second version, by which members of 3.4 tell one another of themselves. They have a store of
/// their own.
bool is_of_version_two(std::string_view data) {
  std::string_view method, path;
  Message message(data);
  while (message.next()) {
    if (message.field() == 2) method = message.bytes();
    if (message.field() == 3) path = message.bytes();
  }
  if (message.fault() || !path.starts_with('/')) return false;
  for (const std::string_view known : {"GET", "PUT", "POST", "DELETE", "QGET", "SYNC"}) {
    if (method == known) return true;
  }
  return false;
}

Value key_range(std::string_view verb, const Act& act, ValuePool& pool) {
  std::vector<Value> words{pool.string(verb), pool.string(act.key)};
  if (!act.end.empty() || act.limit != 0) words.push_back(act.end.empty() ? Value::nil() : pool.string(act.end));
  if (act.limit != 0) words.push_back(pool.list({pool.string("limit"), pool.integer(act.limit)}));
  return pool.list(words);
}

/// As the tests write values down: long ones by their FNV-1a hash of 32 bits.
Value value_word(std::string_view value, ValuePool& pool) {
  constexpr std::size_t kLong = 20;
  if (value.size() < kLong) return pool.string(value);
  std::uint32_t hash = 2166136261U;
  for (const char byte : value) hash = (hash ^ static_cast<unsigned char>(byte)) * 16777619U;
  return pool.integer(hash);
}

Value act_words(const Act& act, ValuePool& pool) {
  if (act.verb == Act::Verb::range) return key_range("range", act, pool);
  if (act.verb == Act::Verb::erase) return key_range("delete", act, pool);
  std::vector<Value> words{pool.string("put"), pool.string(act.key), value_word(act.value, pool)};
  if (act.lease != 0) words.push_back(pool.integer(act.lease));
  return pool.list(words);
}

}  // namespace

LoggedRequest request_of_entry(std::string_view data) {
  LoggedRequest request;
  if (is_of_version_two(data)) return request;
  std::size_t parts = 0;
  bool fault = false;
  const auto begin = [&](Kind kind) {
    request.kind = kind;
    ++parts;
  };
  Message message(data);
  while (message.next()) {
    const std::uint64_t field = message.field();
    switch (field) {
      case 1:     // its number
      case 100:   // who asked
      case 11:    // how long leases still live
      case 1300:  // versions and names of members
      case 1301:
      case 1302:
      case 9900: break;
      case 3: begin(Kind::none); break;  // a range
      case 4:
        begin(Kind::transaction);
        request.by_itself = true;
        if (!read_put(message.bytes(), request.success.emplace_back())) request.kind = Kind::odd;
        break;
      case 5:
        begin(Kind::transaction);
        request.by_itself = true;
        if (!read_delete(message.bytes(), request.success.emplace_back())) request.kind = Kind::odd;
        break;
      case 6:
        begin(Kind::transaction);
        if (!read_transaction(message.bytes(), request)) request.kind = Kind::odd;
        break;
      case 7:
        begin(Kind::compact);
        request.number = integer_in(message.bytes(), 1, fault);
        break;
      case 8:
        begin(Kind::grant);
        request.time_to_live = integer_in(message.bytes(), 1, fault);
        request.number = integer_in(message.bytes(), 2, fault);
        break;
      case 9:
        begin(Kind::revoke);
        request.number = integer_in(message.bytes(), 1, fault);
        break;
      default: begin(Kind::changing); break;
    }
  }
  if (message.fault() || fault || parts > 1) request.kind = Kind::changing;
  return request;
}

std::string_view method_of(LoggedRequest::Kind kind) {
  switch (kind) {
    case Kind::transaction: return "txn";
    case Kind::grant: return "grant";
    case Kind::revoke: return "revoke";
    case Kind::compact: return "compact";
    default: return {};
  }
}

std::optional<std::vector<Value>> arguments_of(const LoggedRequest& request, ValuePool& pool) {
  if (method_of(request.kind).empty()) return std::nullopt;
  if (request.kind != Kind::transaction) return std::vector<Value>{pool.integer(request.number)};
  std::vector<Value> compares, success, failure;
  for (const Compare& each : request.compares) {
    const bool version = each.target == Compare::Target::version && each.number > 0;
    compares.push_back(
        pool.list({pool.string(version ? "version" : "mod"), pool.string(each.key), pool.integer(each.number)}));
  }
  for (const Act& each : request.success) success.push_back(act_words(each, pool));
  for (const Act& each : request.failure) failure.push_back(act_words(each, pool));
  return std::vector<Value>{pool.list(compares), pool.list(success), pool.list(failure)};
}

}  // namespace linchpin::formats::etcd_robustness::log

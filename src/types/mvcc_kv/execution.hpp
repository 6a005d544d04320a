// What a request does to a store of versions, and whether it can have been answered so: the meaning of the type, once
// for the specification and once, on contents of its own, for the monitor.
//
// A Store has:
//   std::int64_t revision() const;  void advance();                 the current revision, and the next
//   std::int64_t compacted() const; void compact(std::int64_t);     older revisions than that are gone
//   const Content* find(Value key) const;                           nothing: the key is not there
//   void assign(Value key, const Content&);  void erase(Value key);
//   void visit(key, end, pool, f) const                             f(key, content) in the order of the keys
//   bool has_lease(Value) const;  void add_lease(Value);  void drop_lease(Value);
//   bool at(std::int64_t revision, f) const                         f(store as it was then), and what f returns
// What is left in a store after a request that it refused is anything. Tests: mvcc_kv_test.cpp.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "linchpin/specification_interface.hpp"
#include "types/answers.hpp"
#include "types/mvcc_kv/request.hpp"

namespace linchpin::types::mvcc_kv {

enum Methods : std::uint16_t { kRange, kPut, kDelete, kTxn, kGrant, kRevoke, kCompact, kDefragment };

/// What is under a key.
struct Content {
  Value value;
  std::int64_t mod = 0;      ///< the revision of the last put
  std::int64_t version = 0;  ///< how many puts since it was created
  std::int64_t create = 0;   ///< the revision of the first of these
  Value lease = Value::nil();

  [[nodiscard]] std::uint64_t hash() const {
    const auto bits = [](std::int64_t number) { return static_cast<std::uint64_t>(number); };
    return mix(mix(mix(mix(value.hash(), bits(mod)), bits(version)), bits(create)), lease.hash());
  }
  bool operator==(const Content&) const = default;
};

/// Whether the key is in [key, end); an end of one byte 0 is behind every key.
inline bool in_range(Value key, Value first, Value end, const ValuePool& pool) {
  if (pool.compare(key, first) < 0) return false;
  return (end.is_string() && pool.text_of(end) == std::string_view("\0", 1)) || pool.compare(key, end) < 0;
}

namespace detail {

inline bool told_number(Value told, std::int64_t number, const ValuePool& pool) {
  return told.is_nil() || (is_integer(told) && pool.integer_of(told) == number);
}

/// Whether [key value mod version create lease], of which anything behind the key may be missing or nil, shows it.
inline bool shows(Value entry, Value key, const Content& content, bool keys_only, const ValuePool& pool) {
  if (!entry.is_list()) return false;
  const auto fields = pool.elements_of(entry);
  if (fields.empty() || fields.size() > 6 || fields[0] != key) return false;
  const auto at = [&](std::size_t i) { return i < fields.size() ? fields[i] : Value::nil(); };
  if (!at(1).is_nil() && (keys_only || at(1) != content.value)) return false;
  const bool leased = at(5).is_nil() || (no_lease(at(5)) ? content.lease.is_nil() : at(5) == content.lease);
  return leased && told_number(at(2), content.mod, pool) && told_number(at(3), content.version, pool) &&
         told_number(at(4), content.create, pool);
}

/// Whether a range shows these entries, and so many keys in all; nil: it is not told.
template <class Store>
bool shows_range(const Store& store, const Act& act, Value entries, Value count, const ValuePool& pool) {
  if (!entries.is_nil() && !entries.is_list()) return false;
  const bool listed = entries.is_list() && !act.count_only;
  const std::span<const Value> told = entries.is_list() ? pool.elements_of(entries) : std::span<const Value>();
  if (act.count_only && !told.empty()) return false;
  std::int64_t found = 0;
  bool fits = true;
  const auto look = [&](Value key, const Content& content) {
    const auto at = static_cast<std::size_t>(found++);
    if (!listed || (act.limit > 0 && found > act.limit)) return;
    fits = fits && at < told.size() && shows(told[at], key, content, act.keys_only, pool);
  };
  if (act.end.is_nil()) {
    if (const Content* const content = store.find(act.key)) look(act.key, *content);
  } else {
    store.visit(act.key, act.end, pool, look);
  }
  const std::int64_t shown = act.limit > 0 ? std::min(found, act.limit) : found;
  if (listed && told.size() != static_cast<std::size_t>(shown)) return false;
  return fits && told_number(count, found, pool);
}

template <class Store>
bool holds(const Store& store, const Compare& compare, const ValuePool& pool) {
  const Content* const there = store.find(compare.key);
  const auto related = [&](std::strong_ordering order) {
    switch (compare.relation) {
      case Relation::equal: return order == 0;
      case Relation::unequal: return order != 0;
      case Relation::less: return order < 0;
      default: return order > 0;
    }
  };
  const auto number = [&](std::int64_t content) { return related(content <=> pool.integer_of(compare.value)); };
  const Content content = there != nullptr ? *there : Content{};
  switch (compare.target) {
    case Target::mod: return number(content.mod);
    case Target::version: return number(content.version);
    case Target::create: return number(content.create);
    case Target::lease: return related(pool.compare(content.lease, compare.value));
    default: return there != nullptr && related(pool.compare(content.value, compare.value));  // no value, no relation
  }
}

/// Puts and deletes of one request, which together make one revision.
template <class Store>
class Changes {
 public:
  explicit Changes(Store& store) : store_(store), next_(store.revision() + 1) {}

  /// False: the lease is not there, and nothing was done.
  bool put(const Act& act) {
    if (!act.lease.is_nil() && !store_.has_lease(act.lease)) return false;
    const Content* const there = store_.find(act.key);
    Content content{.value = act.value, .mod = next_, .version = 1, .create = next_, .lease = act.lease};
    if (there != nullptr) {
      content.version = there->version + 1;
      content.create = there->create;
    }
    store_.assign(act.key, content);
    changed_ = true;
    return true;
  }
  /// How many keys there were.
  std::int64_t erase(const Act& act, const ValuePool& pool) {
    gone_.clear();
    if (act.end.is_nil()) {
      if (store_.find(act.key) != nullptr) gone_.push_back(act.key);
    } else {
      store_.visit(act.key, act.end, pool, [&](Value key, const Content&) { gone_.push_back(key); });
    }
    for (const Value key : gone_) store_.erase(key);
    changed_ = changed_ || !gone_.empty();
    return static_cast<std::int64_t>(gone_.size());
  }
  void erase_leased(Value lease) {
    gone_.clear();
    store_.visit_all([&](Value key, const Content& content) {
      if (content.lease == lease) gone_.push_back(key);
    });
    for (const Value key : gone_) store_.erase(key);
    changed_ = changed_ || !gone_.empty();
  }
  /// The end of the request. Whether it can have told this revision.
  bool finish(const Answer& answer) {
    if (changed_) store_.advance();
    return !answer.revision || *answer.revision == store_.revision();
  }

 private:
  Store& store_;
  std::int64_t next_;
  bool changed_ = false;
  std::vector<Value> gone_;
};

template <class Store>
bool range(const Store& store, const Operation& operation, const Answer& answer) {
  const Act act = range_of(operation);
  const ValuePool& pool = *operation.pool;
  const bool future = act.revision > store.revision();
  const bool gone = act.revision > 0 && act.revision < store.compacted();
  if (answer.kind == Answer::Kind::unknown) return true;
  if (answer.kind == Answer::Kind::future) return future;
  if (answer.kind == Answer::Kind::compacted) return gone;
  if (!answer.executed() || future || gone) return false;
  if (answer.revision && *answer.revision != store.revision()) return false;
  const auto shown = [&](const auto& then) { return shows_range(then, act, answer.at(0), answer.at(1), pool); };
  if (answer.rest.size() > 2) return false;
  return act.revision == 0 || act.revision == store.revision() ? shown(store) : store.at(act.revision, shown);
}

template <class Store>
bool put(Store& store, const Operation& operation, const Answer& answer) {
  const Act act = put_of(operation);
  const Content* const there = store.find(act.key);
  const bool was_there = there != nullptr;
  const Content before = was_there ? *there : Content{};
  Changes<Store> changes(store);
  const bool done = changes.put(act);
  if (answer.kind == Answer::Kind::refused) return !done;
  if (!answer.executed() || answer.rest.size() > 1) return false;
  if (!answer.rest.empty()) {
    // The content before, which only a put that was done shows.
    const Value shown = answer.rest[0];
    const bool fits = was_there ? shows(shown, act.key, before, false, *operation.pool) : shown.is_nil();
    if (!done || !fits) return false;
  }
  return changes.finish(answer);
}

template <class Store>
bool erase(Store& store, const Operation& operation, const Answer& answer) {
  if (!answer.executed() || answer.rest.size() > 1) return false;
  Changes<Store> changes(store);
  const std::int64_t gone = changes.erase(delete_of(operation), *operation.pool);
  return told_number(answer.at(0), gone, *operation.pool) && changes.finish(answer);
}

template <class Store>
bool transact(Store& store, const Operation& operation, const Answer& answer) {
  const ValuePool& pool = *operation.pool;
  if (!answer.executed() || answer.rest.size() > 2) return false;
  const auto compares = pool.elements_of(operation.argument(0));
  const bool success = std::all_of(compares.begin(), compares.end(),
                                   [&](Value each) { return holds(store, *parse_compare(each, pool), pool); });
  if (!answer.at(0).is_nil() && answer.at(0) != Value::boolean(success)) return false;
  const auto acts = pool.elements_of(operation.argument(success ? 1 : 2));
  const Value results = answer.at(1);
  if (!results.is_nil() && !results.is_list()) return false;
  const auto told = results.is_list() ? pool.elements_of(results) : std::span<const Value>();
  if (results.is_list() && told.size() != acts.size()) return false;
  Changes<Store> changes(store);
  for (std::size_t i = 0; i < acts.size(); ++i) {
    const Act act = *parse_act(acts[i], pool);
    const Value result = results.is_list() ? told[i] : Value::nil();
    switch (act.verb) {
      case Verb::put:
        changes.put(act);
        if (!result.is_nil()) return false;
        break;
      case Verb::erase:
        if (!told_number(result, changes.erase(act, pool), pool)) return false;
        break;
      case Verb::range: {
        if (result.is_nil()) break;
        if (!result.is_list()) return false;
        const auto parts = pool.elements_of(result);
        if (parts.empty() || parts.size() > 2) return false;
        if (!shows_range(store, act, parts[0], parts.size() > 1 ? parts[1] : Value::nil(), pool)) return false;
        break;
      }
    }
  }
  return changes.finish(answer);
}

template <class Store>
bool compact(Store& store, const Operation& operation, const Answer& answer) {
  const std::int64_t wanted = operation.pool->integer_of(operation.argument(0));
  const bool gone = wanted <= store.compacted(), future = !gone && wanted > store.revision();
  if (answer.kind == Answer::Kind::compacted) return gone;
  if (answer.kind == Answer::Kind::future) return future;
  if (!answer.executed()) return false;
  if (!gone && !future) store.compact(wanted);
  return answer.kind == Answer::Kind::unknown || (!gone && !future);
}

}  // namespace detail

/// Executes the operation. False: it is illegal here. @pre its arguments are valid
template <class Store>
bool execute(Store& store, const Operation& operation) {
  const Answer answer = answer_of(operation);
  switch (operation.method) {
    case kRange: return detail::range(store, operation, answer);
    case kPut: return detail::put(store, operation, answer);
    case kDelete: return detail::erase(store, operation, answer);
    case kTxn: return detail::transact(store, operation, answer);
    case kGrant: {
      const bool there = store.has_lease(operation.argument(0));
      if (answer.kind == Answer::Kind::refused) return there;
      if (!answer.executed() || !answer.rest.empty()) return false;
      if (there && answer.kind != Answer::Kind::unknown) return false;
      if (!there) store.add_lease(operation.argument(0));
      return !answer.revision || *answer.revision == store.revision();
    }
    case kRevoke: {
      const bool there = store.has_lease(operation.argument(0));
      if (answer.kind == Answer::Kind::refused) return !there;
      if (!answer.executed() || !answer.rest.empty()) return false;
      detail::Changes<Store> changes(store);
      if (there) {
        changes.erase_leased(operation.argument(0));
        store.drop_lease(operation.argument(0));
      }
      return changes.finish(answer);
    }
    case kCompact: return detail::compact(store, operation, answer);
    default: return answer.executed();  // defragment: the revision that it tells is a member's
  }
}

}  // namespace linchpin::types::mvcc_kv

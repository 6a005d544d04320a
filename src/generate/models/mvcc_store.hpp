// A store of versions on ordinary containers: what each request returns, with all that can be told. Its keys and leases
// are integers. The specification is not used, so that histories made with this store also test it.
// Tests: src/types/mvcc_kv/mvcc_kv_monitor_test.cpp, methods_test.cpp.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "linchpin/value.hpp"

namespace linchpin::generate {

class MvccStore {
 public:
  using Key = std::int64_t;
  struct Content {
    Value value;
    std::int64_t mod = 0, version = 0, create = 0, lease = 0;
  };
  struct Range {
    Key first = 0;
    std::optional<Key> end = std::nullopt;  ///< none: one key
    std::int64_t limit = 0, revision = 0;
    bool keys_only = false, count_only = false;
  };
  struct Put {
    Key key = 0;
    Value value;
    std::int64_t lease = 0;
  };

  explicit MvccStore(ValuePool& pool, std::size_t remembered = 16) : pool_(&pool), remembered_(remembered) {
    past_.emplace_back(1, keys_);
  }

  [[nodiscard]] std::int64_t revision() const { return revision_; }
  [[nodiscard]] std::int64_t compacted() const { return compacted_; }
  [[nodiscard]] const std::set<std::int64_t>& leases() const { return leases_; }
  [[nodiscard]] Content content(Key key) const {
    const auto at = keys_.find(key);
    return at != keys_.end() ? at->second : Content{};
  }
  /// The oldest revision of which ranges can be answered.
  [[nodiscard]] std::int64_t oldest() const { return past_.front().first; }

  /// [revision entries count], compacted or future.
  Value range(const Range& asked) {
    if (asked.revision > revision_) return pool_->string("future");
    if (asked.revision > 0 && asked.revision < compacted_) return pool_->string("compacted");
    if (asked.revision == 0 || asked.revision == revision_) return with_revision(entries(asked, keys_));
    const Keys* then = &keys_;
    for (const auto& [revision, keys] : past_) {
      if (revision <= asked.revision) then = &keys;
    }
    return with_revision(entries(asked, *then));
  }
  /// The revision. A lease that is not there: nothing happens.
  Value put(const Put& put) {
    begin();
    change(put);
    return finish();
  }
  /// [revision count]
  Value erase(Key first, std::optional<Key> end) {
    begin();
    const std::int64_t gone = drop(first, end);
    const Value revision = finish();
    return pool_->list({revision, Value::integer(gone)});
  }
  Value grant(std::int64_t lease) {
    if (!leases_.insert(lease).second) return Value::boolean(false);
    return pool_->integer(revision_);
  }
  Value revoke(std::int64_t lease) {
    begin();
    if (leases_.erase(lease) == 0) return Value::boolean(false);
    for (auto key = keys_.begin(); key != keys_.end();) {
      const bool attached = key->second.lease == lease;
      changed_ = changed_ || attached;
      key = attached ? keys_.erase(key) : std::next(key);
    }
    return finish();
  }
  Value compact(std::int64_t revision) {
    if (revision <= compacted_) return pool_->string("compacted");
    if (revision > revision_) return pool_->string("future");
    compacted_ = revision;
    return pool_->string("ok");
  }

  // A transaction: begin, its changes and looks, finish.
  void begin() { changed_ = false; }
  void change(const Put& put) {
    if (put.lease != 0 && !leases_.contains(put.lease)) return;
    const auto [at, fresh] = keys_.try_emplace(put.key);
    Content& content = at->second;
    if (fresh) content.create = revision_ + 1;
    content.value = put.value;
    content.mod = revision_ + 1;
    ++content.version;
    content.lease = put.lease;
    changed_ = true;
  }
  std::int64_t drop(Key first, std::optional<Key> end) {
    std::int64_t gone = 0;
    auto key = keys_.lower_bound(first);
    while (key != keys_.end() && (end ? key->first < *end : key->first == first)) {
      key = keys_.erase(key);
      ++gone;
    }
    changed_ = changed_ || gone > 0;
    return gone;
  }
  /// [entries count] of the current contents.
  Value look(const Range& asked) { return pool_->list(entries(asked, keys_)); }
  Value finish() {
    if (changed_) {
      past_.emplace_back(++revision_, keys_);
      if (past_.size() > remembered_) past_.pop_front();
    }
    return pool_->integer(revision_);
  }

 private:
  using Keys = std::map<Key, Content>;

  std::vector<Value> entries(const Range& asked, const Keys& keys) {
    std::vector<Value> shown;
    std::int64_t found = 0;
    for (auto key = keys.lower_bound(asked.first);
         key != keys.end() && (asked.end ? key->first < *asked.end : key->first == asked.first); ++key) {
      ++found;
      if (asked.count_only || (asked.limit > 0 && found > asked.limit)) continue;
      const Content& content = key->second;
      shown.push_back(pool_->list({Value::integer(key->first), asked.keys_only ? Value::nil() : content.value,
                                   Value::integer(content.mod), Value::integer(content.version),
                                   Value::integer(content.create), Value::integer(content.lease)}));
    }
    return {pool_->list(shown), Value::integer(found)};
  }
  Value with_revision(const std::vector<Value>& shown) {
    return pool_->list({Value::integer(revision_), shown[0], shown[1]});
  }

  ValuePool* pool_;
  std::size_t remembered_;
  std::int64_t revision_ = 1, compacted_ = 0;
  Keys keys_;
  std::set<std::int64_t> leases_;
  std::deque<std::pair<std::int64_t, Keys>> past_;  // the contents from a revision on
  bool changed_ = false;
};

}  // namespace linchpin::generate

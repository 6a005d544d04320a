// The model of mvcc-kv.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "generate/model.hpp"
#include "generate/models/mvcc_store.hpp"
#include "types/mvcc_kv/specification.hpp"

namespace linchpin::generate {

/// Ranges of one key and of several, one in eight at an old revision; transactions that put a key if its last revision
/// is still the one that was seen, one in eight of which come too late; one put in four under a lease, where there are
/// leases.
class MvccKvModel final : public Model {
 public:
  using Type = types::MvccKv;
  static constexpr std::array<Weighted, 8> methods{{{types::mvcc_kv::kRange, 4, true},
                                                    {types::mvcc_kv::kPut, 4},
                                                    {types::mvcc_kv::kDelete, 1},
                                                    {types::mvcc_kv::kTxn, 2},
                                                    {types::mvcc_kv::kGrant, 0},
                                                    {types::mvcc_kv::kRevoke, 0},
                                                    {types::mvcc_kv::kCompact, 0},
                                                    {types::mvcc_kv::kDefragment, 0, true}}};
  MvccKvModel(const Type& /*type*/, const Plan& /*plan*/, ValuePool& pool) : pool_(pool), store_(pool) {}

  /// Where nobody knows whether a lease was granted, or what was compacted, hardly anything is known.
  [[nodiscard]] Fate fate(std::uint16_t method) const override {
    return method == types::mvcc_kv::kGrant || method == types::mvcc_kv::kCompact ? Fate::is_lost : Fate::either;
  }

  void prepare(Step& step, Draw& draw) override {
    const Value key = draw.key();
    const auto behind = [&](std::int64_t by) { return Value::integer(key.integer() + by); };
    switch (step.method) {
      case types::mvcc_kv::kRange: prepare_range(step, draw, key); break;
      case types::mvcc_kv::kPut: {
        const Value value = draw.value();
        if (const std::int64_t lease = some_lease(draw); lease != 0 && draw.random.chance(0.25)) {
          step.takes({key, value, Value::integer(lease)});
        } else {
          step.takes({key, value});
        }
        break;
      }
      case types::mvcc_kv::kDelete:
        if (draw.random.chance(0.75)) {
          step.takes({key});
        } else {
          step.takes({key, behind(2)});
        }
        break;
      case types::mvcc_kv::kTxn: prepare_transaction(step, draw, key); break;
      case types::mvcc_kv::kGrant: step.takes({Value::integer(++granted_)}); break;
      case types::mvcc_kv::kRevoke: {
        const std::int64_t lease = some_lease(draw);
        step.takes({Value::integer(lease != 0 ? lease : granted_ + 1000)});
        break;
      }
      case types::mvcc_kv::kCompact:
        step.takes({Value::integer(std::max<std::int64_t>(1, store_.revision() - 2))});
        break;
      default: step.takes({}); break;
    }
  }

  void apply(Step& step, ProcessId, Draw&, ValuePool& pool) override {
    const auto integer = [&](std::size_t i) { return step.arguments[i].integer(); };
    switch (step.method) {
      case types::mvcc_kv::kRange: step.result = store_.range(range_); break;
      case types::mvcc_kv::kPut:
        step.result = store_.put({integer(0), step.arguments[1], step.count > 2 ? integer(2) : 0});
        break;
      case types::mvcc_kv::kDelete:
        step.result = store_.erase(integer(0), step.count > 1 ? std::optional(integer(1)) : std::nullopt);
        break;
      case types::mvcc_kv::kTxn: step.result = transact(); break;
      case types::mvcc_kv::kGrant: step.result = store_.grant(integer(0)); break;
      case types::mvcc_kv::kRevoke: step.result = store_.revoke(integer(0)); break;
      case types::mvcc_kv::kCompact: step.result = store_.compact(integer(0)); break;
      default: step.result = pool.string("ok"); break;
    }
  }

 private:
  Value word(std::string_view text) { return pool_.string(text); }

  void prepare_range(Step& step, Draw& draw, Value key) {
    range_ = {.first = key.integer()};
    if (draw.random.chance(0.4)) range_.end = key.integer() + 3;
    std::vector<Value> options;
    if (range_.end && draw.random.chance(0.25)) {
      range_.limit = 2;
      options.insert(options.end(), {word("limit"), Value::integer(2)});
    }
    if (store_.revision() > 1 && draw.random.chance(1.0 / 8)) {
      const auto back = static_cast<std::int64_t>(1 + draw.random.below(3));
      range_.revision = std::max(store_.oldest(), store_.revision() - back);
      options.insert(options.end(), {word("revision"), Value::integer(range_.revision)});
    }
    if (draw.random.chance(1.0 / 8)) {
      range_.keys_only = draw.random.chance(0.5);
      range_.count_only = !range_.keys_only;
      options.push_back(word(range_.keys_only ? "keys" : "count"));
    }
    const Value end = range_.end ? Value::integer(*range_.end) : Value::nil();
    if (!options.empty()) {
      step.takes({key, end, pool_.list(options)});
    } else if (range_.end) {
      step.takes({key, end});
    } else {
      step.takes({key});
    }
  }

  void prepare_transaction(Step& step, Draw& draw, Value key) {
    const MvccStore::Content content = store_.content(key.integer());
    transaction_ = {.key = key.integer(), .mod = content.mod, .put = {key.integer(), draw.value()}};
    if (draw.random.chance(1.0 / 8)) transaction_.mod = content.mod > 0 ? content.mod - 1 : store_.revision();
    transaction_.looks = draw.random.chance(0.5);
    std::vector<Value> success{pool_.list({word("put"), key, transaction_.put.value})};
    const Value look = pool_.list({word("range"), key});
    if (transaction_.looks) success.push_back(look);
    if (const Value other = draw.key(); other != key && draw.random.chance(0.25)) {
      transaction_.deletes = other.integer();
      success.push_back(pool_.list({word("delete"), other}));
    }
    step.takes({pool_.list({pool_.list({word("mod"), key, Value::integer(transaction_.mod)})}), pool_.list(success),
                pool_.list({look})});
  }

  Value transact() {
    const bool holds = store_.content(transaction_.key).mod == transaction_.mod;
    std::vector<Value> results;
    store_.begin();
    if (holds) {
      store_.change(transaction_.put);
      results.push_back(Value::nil());
    }
    if (!holds || transaction_.looks) results.push_back(store_.look({.first = transaction_.key}));
    if (holds && transaction_.deletes) {
      results.push_back(Value::integer(store_.drop(*transaction_.deletes, std::nullopt)));
    }
    const Value revision = store_.finish();
    return pool_.list({revision, Value::boolean(holds), pool_.list(results)});
  }

  /// A lease that was granted a while ago; 0: there is none.
  std::int64_t some_lease(Draw& draw) {
    std::vector<std::int64_t> old;
    for (const std::int64_t lease : store_.leases()) {
      if (lease + 2 <= granted_) old.push_back(lease);
    }
    return old.empty() ? 0 : old[draw.random.below(old.size())];
  }

  struct Transaction {
    std::int64_t key = 0, mod = 0;
    MvccStore::Put put;
    bool looks = false;
    std::optional<std::int64_t> deletes = std::nullopt;
  };

  ValuePool& pool_;
  MvccStore store_;
  MvccStore::Range range_;
  Transaction transaction_;
  std::int64_t granted_ = 0;
};

}  // namespace linchpin::generate

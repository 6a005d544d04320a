// Random histories of a store of versions for tests: requests of all kinds against a store on ordinary containers,
// whose answers are cut, lost or damaged.
#pragma once

#include <optional>
#include <vector>

#include "generate/models/mvcc_store.hpp"
#include "support/sketch.hpp"
#include "types/mvcc_kv/specification.hpp"

namespace linchpin::test {

/// What a random history of a store of versions has.
struct MvccShape {
  std::size_t operations = 6, most_open = 3;
  std::int64_t keys = 2;
  double pending = 0, lost = 0;  ///< of requests: that never return; that return without an answer
  bool leases = false, compactions = false, old_ranges = false, transactions = true, repeated_values = false;
};

class MvccDraw {
 public:
  MvccDraw(Random& random, const MvccShape& shape) : random_(random), shape_(shape), store_(pool_, 64) {}

  Sketch sketch() {
    while (made_.size() < shape_.operations || returning() > 0) {
      const std::size_t what = below(random_, 3);
      if (what == 0 && made_.size() < shape_.operations && returning() < shape_.most_open) {
        call();
      } else if (!open_.empty()) {
        const std::size_t which = below(random_, open_.size());
        Open& open = open_[which];
        if (what == 1 && !open.applied) {
          apply(open);
        } else if (what == 2 && !open.pending) {
          if (!open.applied) apply(open);
          made_[open.index].response = now_++;
          open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(which));
        }
      }
    }
    for (SketchedOperation& each : made_) {
      if (each.response == kPending) each.result = Value::unknown();
    }
    return made_;
  }

 private:
  struct Open {
    std::size_t index = 0;
    bool applied = false, pending = false;
  };
  using Store = generate::MvccStore;
  using Method = types::mvcc_kv::Methods;

  [[nodiscard]] std::size_t returning() const {
    return static_cast<std::size_t>(
        std::count_if(open_.begin(), open_.end(), [](const Open& open) { return !open.pending; }));
  }
  Value word(const char* text) { return pool_.string(text); }
  std::int64_t key() { return static_cast<std::int64_t>(1 + below(random_, static_cast<std::size_t>(shape_.keys))); }
  Value value() {
    return Value::integer(shape_.repeated_values ? 1 + static_cast<std::int64_t>(below(random_, 2)) : ++fresh_);
  }
  bool maybe(double probability) { return chance(random_, probability); }

  void call() {
    open_.push_back({made_.size(), false, maybe(shape_.pending)});
    made_.push_back({.method = 0, .arguments = {}, .result = Value::unknown(), .call = now_++, .response = kPending});
    ask(made_.back());
  }

  /// What is asked is known when it is called, from what was there then.
  void ask(SketchedOperation& made) {
    const std::int64_t k = key();
    const std::size_t what = below(random_, 16);
    if (what < 5) {
      ask_range(made, k);
    } else if (what < 9 || (what < 12 && !shape_.transactions)) {
      made.method = Method::kPut;
      made.arguments = {Value::integer(k), value()};
      if (shape_.leases && maybe(0.5)) made.arguments.push_back(Value::integer(lease()));
    } else if (what == 9) {
      made.method = Method::kDelete;
      made.arguments = {Value::integer(k)};
      if (maybe(0.25)) made.arguments.push_back(Value::integer(k + 2));
    } else if (what < 13) {
      ask_transaction(made, k);
    } else if (shape_.leases && what < 15) {
      const bool grants = granted_ == 0 || maybe(0.4);
      made.method = grants ? Method::kGrant : Method::kRevoke;
      made.arguments = {Value::integer(grants && !maybe(0.1) ? ++granted_ : lease())};
    } else if (shape_.compactions && what < 16) {
      made.method = Method::kCompact;
      const std::int64_t to = store_.revision() + static_cast<std::int64_t>(below(random_, 4)) - 2;
      made.arguments = {Value::integer(to)};
    } else {
      made.method = Method::kDefragment;
    }
  }
  std::int64_t lease() { return static_cast<std::int64_t>(1 + below(random_, static_cast<std::size_t>(granted_) + 1)); }

  void ask_range(SketchedOperation& made, std::int64_t k) {
    made.method = Method::kRange;
    made.arguments = {Value::integer(k), maybe(0.5) ? Value::integer(k + 2) : Value::nil()};
    std::vector<Value> options;
    if (maybe(0.1)) options.insert(options.end(), {word("limit"), Value::integer(1)});
    if (maybe(0.1)) options.push_back(word(maybe(0.5) ? "keys" : "count"));
    if (shape_.old_ranges && maybe(0.5)) {
      const auto ahead = static_cast<std::int64_t>(below(random_, 4)) - 2;
      options.insert(options.end(),
                     {word("revision"), Value::integer(std::max<std::int64_t>(1, store_.revision() + ahead))});
    }
    if (!options.empty()) made.arguments.push_back(pool_.list(options));
  }

  void ask_transaction(SketchedOperation& made, std::int64_t k) {
    made.method = Method::kTxn;
    const Store::Content content = store_.content(k);
    std::vector<Value> compares, branches[2];
    if (maybe(0.8)) {
      const std::size_t target = below(random_, 6);
      const std::int64_t stale = maybe(0.2) ? -1 : 0;
      if (target < 3)
        compares.push_back(pool_.list({word("mod"), Value::integer(k), Value::integer(content.mod + stale)}));
      if (target == 3) {
        compares.push_back(pool_.list(
            {word("version"), Value::integer(k), word(maybe(0.5) ? "=" : ">"), Value::integer(content.version)}));
      }
      if (target == 4) {
        compares.push_back(pool_.list(
            {word("create"), Value::integer(k), word(maybe(0.5) ? "=" : "!="), Value::integer(content.create)}));
      }
      if (target == 5 && content.mod != 0) {
        compares.push_back(pool_.list({word("value"), Value::integer(k), word(maybe(0.5) ? "=" : "<"), content.value}));
      }
    }
    for (auto& branch : branches) {
      const std::int64_t other = key();
      if (maybe(0.7)) branch.push_back(pool_.list({word("put"), Value::integer(k), value()}));
      if (maybe(0.3)) branch.push_back(pool_.list({word("range"), Value::integer(k), Value::integer(k + 2)}));
      if (other != k && maybe(0.4)) branch.push_back(pool_.list({word("delete"), Value::integer(other)}));
      if (&branch == &branches[1] && maybe(0.5)) branch.clear();
    }
    made.arguments = {pool_.list(compares), pool_.list(branches[0]), pool_.list(branches[1])};
  }

  void apply(Open& open) {
    open.applied = true;
    SketchedOperation& made = made_[open.index];
    if (open.pending && maybe(0.5)) return;
    made.result = answer(made);
    if (open.pending) return;
    if (maybe(shape_.lost)) {
      made.result = maybe(0.7) || !says_done(made) ? Value::unknown() : word("ok");
    } else if (made.result.is_list() && maybe(shape_.lost / 2)) {
      made.result = pool_.elements_of(made.result)[0];  // the revision only
    }
  }
  [[nodiscard]] bool says_done(const SketchedOperation& made) const {
    return made.result.is_integer() || made.result.is_list();
  }

  Value answer(const SketchedOperation& made) {
    const auto integer = [&](std::size_t i) { return made.arguments[i].integer(); };
    const auto end = [&](std::span<const Value> arguments) {
      return arguments.size() > 1 && !arguments[1].is_nil() ? std::optional(arguments[1].integer()) : std::nullopt;
    };
    switch (made.method) {
      case Method::kRange: return store_.range(range_of(made.arguments));
      case Method::kPut: {
        const std::int64_t lease = made.arguments.size() > 2 ? integer(2) : 0;
        const bool refused = lease != 0 && !store_.leases().contains(lease) && maybe(0.2);
        if (refused) return Value::boolean(false);
        return store_.put({integer(0), made.arguments[1], lease});
      }
      case Method::kDelete: return store_.erase(integer(0), end(made.arguments));
      case Method::kTxn: return transact(made);
      case Method::kGrant: return store_.grant(integer(0));
      case Method::kRevoke: {
        const Value revoked = store_.revoke(integer(0));
        return revoked.is_boolean() && maybe(0.7) ? pool_.integer(store_.revision()) : revoked;
      }
      case Method::kCompact: return store_.compact(integer(0));
      default: return word("ok");
    }
  }

  Store::Range range_of(std::span<const Value> arguments) {
    const Operation operation{.method = Method::kRange, .arguments = arguments, .result = {}, .pool = &pool_};
    const types::mvcc_kv::Act act = types::mvcc_kv::range_of(operation);
    return {.first = act.key.integer(),
            .end = act.end.is_nil() ? std::nullopt : std::optional(act.end.integer()),
            .limit = act.limit,
            .revision = act.revision,
            .keys_only = act.keys_only,
            .count_only = act.count_only};
  }

  Value transact(const SketchedOperation& made) {
    bool holds = true;
    for (const Value each : pool_.elements_of(made.arguments[0])) holds = holds && compare(pool_.elements_of(each));
    store_.begin();
    std::vector<Value> results;
    for (const Value each : pool_.elements_of(made.arguments[holds ? 1 : 2])) {
      const auto parts = pool_.elements_of(each);
      const std::string_view verb = pool_.text_of(parts[0]);
      if (verb == "put") {
        store_.change({parts[1].integer(), parts[2]});
        results.push_back(Value::nil());
      } else if (verb == "delete") {
        results.push_back(Value::integer(store_.drop(parts[1].integer(), std::nullopt)));
      } else {
        results.push_back(store_.look(range_of(parts.subspan(1))));
      }
    }
    const Value revision = store_.finish();
    return pool_.list({revision, Value::boolean(holds), pool_.list(results)});
  }
  bool compare(std::span<const Value> parts) {
    const Store::Content content = store_.content(parts[1].integer());
    const std::string_view target = pool_.text_of(parts[0]);
    const std::string_view relation = parts.size() > 3 ? pool_.text_of(parts[2]) : "=";
    std::int64_t there = target == "mod" ? content.mod : target == "version" ? content.version : content.create;
    if (target == "value") {
      if (content.mod == 0) return false;
      there = content.value.integer();
    }
    const std::int64_t wanted = parts.back().integer();
    return relation == "="    ? there == wanted
           : relation == "!=" ? there != wanted
           : relation == "<"  ? there < wanted
                              : there > wanted;
  }

  Random& random_;
  MvccShape shape_;
  ValuePool& pool_ = sketch_pool();
  Store store_;
  Sketch made_;
  std::vector<Open> open_;
  Tick now_ = 0;
  std::int64_t fresh_ = 0, granted_ = 0;
};

/// The value with one number in it moved by one, or one boolean turned.
inline Value damaged(Random& random, Value value) {
  ValuePool& pool = sketch_pool();
  if (value.is_integer()) return Value::integer(value.integer() + (below(random, 2) == 0 ? 1 : -1));
  if (value.is_boolean()) return Value::boolean(!value.boolean());
  if (!value.is_list() || pool.elements_of(value).empty()) return value;
  const auto elements = pool.elements_of(value);
  std::vector<Value> changed(elements.begin(), elements.end());
  Value& one = changed[below(random, changed.size())];
  one = damaged(random, one);
  return pool.list(changed);
}

/// The value without the creation in a share of its entries, [key value mod version create lease].
inline Value without_creations(Random& random, Value value, double share) {
  ValuePool& pool = sketch_pool();
  if (!value.is_list()) return value;
  const auto elements = pool.elements_of(value);
  const bool entry = elements.size() >= 5 && !elements[4].is_list();
  std::vector<Value> changed(elements.begin(), elements.end());
  if (entry && chance(random, share)) changed.resize(4);
  for (Value& each : changed) each = without_creations(random, each, share);
  return pool.list(changed);
}

/// A random history of random shape, half of them damaged. In half of them answers tell versions of keys and not their
/// creation, as reports of etcd's tests do.
/// @param bursts  most requests are lost, and are about one or two keys
inline Sketch random_mvcc(Random& random, std::size_t most, bool bursts = false) {
  const auto some = [&](double probability) { return chance(random, probability); };
  MvccShape shape{.operations = 1 + below(random, most),
                  .most_open = 1 + below(random, 4),
                  .keys = static_cast<std::int64_t>(1 + below(random, 3)),
                  .pending = std::array{0.0, 0.2, 0.4}[below(random, 3)],
                  .lost = std::array{0.0, 0.0, 0.15, 0.4}[below(random, 4)],
                  .leases = some(0.3),
                  .compactions = some(0.25),
                  .old_ranges = some(0.35),
                  .transactions = some(0.7),
                  .repeated_values = some(0.4)};
  if (bursts) {
    shape.keys = static_cast<std::int64_t>(1 + below(random, 2));
    shape.pending = 0.6;
    shape.transactions = some(0.3);
  }
  Sketch sketch = MvccDraw(random, shape).sketch();
  if (const double share = std::array{0.0, 0.0, 0.5, 1.0}[below(random, 4)]; share > 0) {
    for (SketchedOperation& each : sketch) each.result = without_creations(random, each.result, share);
  }
  if (some(0.5)) {
    if (some(0.5)) mutate(random, sketch, {});
    SketchedOperation& chosen = sketch[below(random, sketch.size())];
    if (some(0.6) && chosen.response != kPending) chosen.result = damaged(random, chosen.result);
  }
  return sketch;
}

}  // namespace linchpin::test

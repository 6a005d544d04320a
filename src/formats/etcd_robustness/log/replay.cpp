#include "formats/etcd_robustness/log/replay.hpp"

#include <algorithm>
#include <limits>

namespace linchpin::formats::etcd_robustness::log {

namespace {

constexpr std::int64_t kGreatest = std::numeric_limits<std::int64_t>::max() - 1;

Truth both(Truth left, Truth right) {
  if (left == Truth::no || right == Truth::no) return Truth::no;
  return left == Truth::yes && right == Truth::yes ? Truth::yes : Truth::unknown;
}
Truth either(Truth left, Truth right) {
  if (left == Truth::yes || right == Truth::yes) return Truth::yes;
  return left == Truth::no && right == Truth::no ? Truth::no : Truth::unknown;
}

}  // namespace

void Replay::forget() {
  keys_.clear();
  under_.clear();
  vague_.clear();
  all_keys_ = false;
  leases_.clear();
  all_leases_ = false;
  revision_.reset();
}

Replay::Key Replay::find(std::string_view key) const {
  const auto at = keys_.find(key);
  if (at != keys_.end()) return at->second;
  Key unseen;
  if (all_keys_) unseen.there = Truth::no;
  return unseen;
}

void Replay::set(std::string_view name, const Key& key) {
  if (key.there == Truth::no && all_keys_) {
    keys_.erase(name);
  } else {
    keys_[name] = key;
  }
  key.lease ? void(vague_.erase(name)) : void(vague_.insert(name));
  if (key.lease && *key.lease != 0) under_[*key.lease].push_back(name);
}

Truth Replay::holds(const Compare& compare) const {
  const Key key = find(compare.key);
  const std::optional<std::int64_t>& number = compare.target == Compare::Target::mod ? key.mod : key.version;
  if (key.there == Truth::no) return truth(compare.number == 0);
  if (key.there == Truth::yes) {
    if (number) return truth(*number == compare.number);
    return compare.number == 0 ? Truth::no : Truth::unknown;
  }
  return Truth::unknown;
}

Truth Replay::has_lease(std::int64_t lease) const {
  const auto at = leases_.find(lease);
  if (at != leases_.end()) return at->second;
  return all_leases_ ? Truth::no : Truth::unknown;
}

/// An end of one byte 0 is behind every key.
bool Replay::in(std::string_view key, const Act& act) {
  if (act.end.empty()) return key == act.key;
  return key >= act.key && (act.end == std::string_view("\0", 1) || key < act.end);
}

Truth Replay::erase(const Act& act, std::optional<std::int64_t>& found) {
  Truth any = Truth::no;
  found = 0;
  const auto take = [&](Truth there) {
    any = either(any, there);
    if (there == Truth::unknown) found.reset();
    if (there == Truth::yes && found) ++*found;
  };
  if (act.end.empty()) {
    take(find(act.key).there);
    set(act.key, absent());
    return any;
  }
  if (!all_keys_) take(Truth::unknown);
  for (auto at = keys_.lower_bound(act.key); at != keys_.end() && in(at->first, act);) {
    const auto& [name, key] = *at++;
    take(key.there);
    set(name, absent());
  }
  return any;
}

/// Whether it changed something; its revision, if it makes one, is `next`. A put whose lease may be missing is not done
/// here.
Truth Replay::run(const std::vector<Act>& acts, std::optional<std::int64_t> next, Outcome& outcome) {
  Truth any = Truth::no;
  for (const Act& act : acts) {
    if (act.verb == Act::Verb::erase) any = either(any, erase(act, outcome.deleted.emplace_back()));
    if (act.verb != Act::Verb::put) continue;
    const Key before = find(act.key);
    Key key{.there = Truth::yes, .mod = next, .version = {}, .lease = act.lease};
    if (before.there == Truth::no) key.version = 1;
    if (before.there == Truth::yes && before.version) key.version = *before.version + 1;
    set(act.key, key);
    any = Truth::yes;
  }
  return any;
}

/// It is not known whether these were done.
void Replay::blur(const std::vector<Act>& acts) {
  for (const Act& act : acts) {
    if (act.verb == Act::Verb::put || (act.verb == Act::Verb::erase && act.end.empty())) {
      set(act.key, Key{.there = Truth::unknown, .mod = {}, .version = {}, .lease = {}});
    } else if (act.verb == Act::Verb::erase) {
      for (auto at = keys_.lower_bound(act.key); at != keys_.end() && in(at->first, act); ++at) {
        if (at->second.there != Truth::no) at->second.there = Truth::unknown;
      }
    }
  }
}

void Replay::transaction(const LoggedRequest& request, const Told* told, Outcome& outcome) {
  Truth succeeded = Truth::yes;
  for (const Compare& compare : request.compares) succeeded = both(succeeded, holds(compare));
  outcome.succeeded = succeeded;
  Truth leased = Truth::yes;  // whether all leases are there
  const auto look = [&](const std::vector<Act>& acts) {
    for (const Act& act : acts) {
      if (act.verb == Act::Verb::put && act.lease != 0) leased = both(leased, has_lease(act.lease));
    }
  };
  if (succeeded != Truth::no) look(request.success);
  if (succeeded != Truth::yes) look(request.failure);
  if (request.by_itself && leased == Truth::no) return settle(Truth::no, told, outcome);
  const bool learns = leased == Truth::unknown || succeeded == Truth::unknown;
  if (leased == Truth::unknown && told != nullptr && told->changed) leased = Truth::yes;
  const Truth branch = succeeded == Truth::unknown && told != nullptr ? truth(told->succeeded) : succeeded;
  if (leased != Truth::yes || branch == Truth::unknown) {
    blur(request.success);
    blur(request.failure);
    return settle(Truth::unknown, told, outcome);
  }
  std::optional<std::int64_t> next;
  if (revision_ && *revision_ < kGreatest) next = *revision_ + 1;
  if (!next && told != nullptr && told->changed) next = told->revision;
  settle(run(branch == Truth::yes ? request.success : request.failure, next, outcome), told, outcome);
  if (learns) {
    outcome.changed = Truth::unknown;
    outcome.revision.reset();
  }
}

/// The revision after a request that changed something or not.
void Replay::settle(Truth changed, const Told* told, Outcome& outcome) {
  outcome.changed = changed;
  if (changed == Truth::unknown) {
    revision_.reset();
  } else if (changed == Truth::yes && revision_) {
    *revision_ < kGreatest ? void(++*revision_) : revision_.reset();
  }
  outcome.revision = revision_;
  if (told == nullptr) return;
  outcome.contradicts = (changed != Truth::unknown && changed != truth(told->changed)) ||
                        (outcome.succeeded != Truth::unknown && outcome.succeeded != truth(told->succeeded)) ||
                        (revision_ && *revision_ != told->revision);
  revision_ = told->revision;
}

Truth Replay::revoke(std::int64_t lease) {
  const Truth there = has_lease(lease);
  leases_[lease] = Truth::no;
  if (there == Truth::no) return Truth::no;
  Truth any = all_keys_ ? Truth::no : Truth::unknown;
  const auto take = [&](std::string_view name) {
    const Key key = find(name);
    const Truth under = key.lease ? truth(*key.lease == lease) : Truth::unknown;
    const Truth gone = both(key.there, under);
    any = either(any, gone);
    if (gone == Truth::yes) set(name, absent());
    if (gone == Truth::unknown) keys_[name].there = Truth::unknown;
  };
  if (const auto at = under_.find(lease); at != under_.end()) {
    std::vector<std::string_view> names = std::move(at->second);
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    for (const std::string_view name : names) take(name);
    // Those that may still be there are met again when the lease is revoked again.
    std::erase_if(names, [&](std::string_view name) { return find(name).lease != lease; });
    under_[lease] = std::move(names);
  }
  for (const std::string_view name : vague_) take(name);
  return there == Truth::yes ? any : both(any, Truth::unknown);
}

Outcome Replay::apply(const LoggedRequest& request, const Told* told) {
  using Kind = LoggedRequest::Kind;
  Outcome outcome;
  if (request.kind == Kind::changing) changing_ = true;
  if (request.kind == Kind::odd || changing_) {
    forget();
    return outcome;
  }
  switch (request.kind) {
    case Kind::transaction:
      transaction(request, told, outcome);
      outcome.effect = outcome.changed;
      break;
    case Kind::grant: {
      const Truth there = has_lease(request.number);
      if (there != Truth::unknown) outcome.effect = truth(there == Truth::no);
      leases_[request.number] = Truth::yes;
      settle(Truth::no, nullptr, outcome);
      break;
    }
    case Kind::revoke:
      outcome.effect = has_lease(request.number);
      settle(revoke(request.number), nullptr, outcome);
      break;
    default: settle(Truth::no, nullptr, outcome); break;
  }
  return outcome;
}

}  // namespace linchpin::formats::etcd_robustness::log

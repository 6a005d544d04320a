// What the entries of a log did to the store, one after the other, as far as that is certain. Where the log does not
// begin at the beginning, or has what is not followed here, some things are unknown until a client was told.
// Tested in log_test.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include "formats/etcd_robustness/log/request.hpp"

namespace linchpin::formats::etcd_robustness::log {

enum class Truth : std::uint8_t { no, yes, unknown };
[[nodiscard]] constexpr Truth truth(bool yes) { return yes ? Truth::yes : Truth::no; }

/// What a client was told of a transaction.
struct Told {
  std::int64_t revision = 0;
  bool succeeded = true;  ///< the branch
  bool changed = true;    ///< it made the revision
};

struct Outcome {
  /// Whether it did anything: made a revision, granted a lease, revoked one that was there, with keys or without.
  Truth effect = Truth::unknown;
  Truth changed = Truth::unknown;                    ///< whether it made a revision
  std::optional<std::int64_t> revision;              ///< the store's after it
  Truth succeeded = Truth::unknown;                  ///< the branch of a transaction
  std::vector<std::optional<std::int64_t>> deleted;  ///< of that branch: how many keys each delete found
  bool contradicts = false;                          ///< it cannot have been told so
  [[nodiscard]] bool known() const {
    return effect != Truth::unknown && changed != Truth::unknown && revision.has_value();
  }
};

class Replay {
 public:
  /// @param from_the_start  the store is empty; else nothing is known of it
  explicit Replay(bool from_the_start) { from_the_start ? void(revision_ = 1) : forget(); }

  /// Executes the request. What is told settles only what is not known: the outcome is without it.
  /// O(log keys) for each key that it changes or may change, and for each whose lease is not known where it revokes
  /// one. Where the log does not begin at the beginning, a range takes as long for each key in it that was ever named.
  Outcome apply(const LoggedRequest& request, const Told* told);
  /// Entries are missing here.
  void forget();

 private:
  struct Key {
    Truth there = Truth::unknown;
    std::optional<std::int64_t> mod, version, lease = 0;  // lease 0: none
  };
  [[nodiscard]] static Key absent() { return {.there = Truth::no, .mod = {}, .version = {}}; }
  using Keys = std::map<std::string_view, Key, std::less<>>;

  [[nodiscard]] Key find(std::string_view key) const;
  void set(std::string_view name, const Key& key);
  [[nodiscard]] Truth holds(const Compare& compare) const;
  [[nodiscard]] Truth has_lease(std::int64_t lease) const;
  [[nodiscard]] static bool in(std::string_view key, const Act& act);
  void transaction(const LoggedRequest& request, const Told* told, Outcome& outcome);
  Truth run(const std::vector<Act>& acts, std::optional<std::int64_t> next, Outcome& outcome);
  void blur(const std::vector<Act>& acts);
  Truth erase(const Act& act, std::optional<std::int64_t>& found);
  Truth revoke(std::int64_t lease);
  void settle(Truth changed, const Told* told, Outcome& outcome);

  Keys keys_;  // without those that are known not to be there, where all others are known
  absl::flat_hash_map<std::int64_t, std::vector<std::string_view>> under_;  // keys that were put under a lease
  absl::flat_hash_set<std::string_view> vague_;                             // keys whose lease is not known
  bool all_keys_ = true;                                                    // a key that is not among them is not there
  std::map<std::int64_t, Truth> leases_;
  bool all_leases_ = true;
  std::optional<std::int64_t> revision_;
  bool changing_ = false;  // from some entry on nothing is certain any more
};

}  // namespace linchpin::formats::etcd_robustness::log

// What an entry of the log asks of the store, from etcd's InternalRaftRequest. Tested in log_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "linchpin/value.hpp"

namespace linchpin::formats::etcd_robustness::log {

struct Compare {
  enum class Target : std::uint8_t { version, mod };
  std::string_view key;
  Target target = Target::mod;
  std::int64_t number = 0;
};

/// A part of a transaction. Ranges read, and change nothing.
struct Act {
  enum class Verb : std::uint8_t { range, put, erase };
  Verb verb = Verb::range;
  std::string_view key, end;  ///< an empty end: one key
  std::string_view value;
  std::int64_t lease = 0;  ///< 0: none
  std::int64_t limit = 0, revision = 0;
};

struct LoggedRequest {
  enum class Kind : std::uint8_t {
    none,         ///< it does not touch keys, leases or revisions
    transaction,  ///< a put or a delete by itself is one, too
    grant,
    revoke,
    compact,
    odd,      ///< it may change anything, in a way that is not followed here
    changing  ///< from here on requests may be refused: an alarm, users and their rights
  };
  Kind kind = Kind::none;
  std::vector<Compare> compares;
  std::vector<Act> success, failure;
  bool by_itself = false;         ///< a put or a delete that is no transaction of etcd
  std::int64_t number = 0;        ///< the lease, or the revision compacted to
  std::int64_t time_to_live = 0;  ///< of a lease that is granted, in seconds
};

/// The views are into `data`. What is no such request is `changing`, for nothing is known of it.
[[nodiscard]] LoggedRequest request_of_entry(std::string_view data);

/// The arguments of the request as the reader of operations gives them for a method `txn`, `grant`, `revoke` or
/// `compact`; nothing: no operation of a report is like that.
[[nodiscard]] std::optional<std::vector<Value>> arguments_of(const LoggedRequest& request, ValuePool& pool);
[[nodiscard]] std::string_view method_of(LoggedRequest::Kind kind);

}  // namespace linchpin::formats::etcd_robustness::log

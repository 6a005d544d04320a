// What one member has in its write-ahead log: the entries that were not replaced, and up to where they are committed.
// Tested in log_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/etcd_robustness/log/records.hpp"
#include "linchpin/error.hpp"

namespace linchpin::formats::etcd_robustness::log {

/// Terms grow with each leader. An index and a term name an entry: whoever has it, has the same one.
struct Entry {
  std::uint64_t index = 0, term = 0;
  bool is_request = false;  ///< else a change of the cluster
  std::string_view data;    ///< empty: a leader's first entry, which asks for nothing
  [[nodiscard]] bool operator==(const Entry&) const = default;
};

struct MemberLog {
  std::string name;            ///< the member's directory
  std::vector<Entry> entries;  ///< ascending by index; where some are missing, a snapshot had them
  std::uint64_t commit = 0;    ///< entries up to this index stay; later ones may be replaced by another leader's
  bool torn = false;           ///< it ends in a record that was not written whole
  bool restored = false;       ///< a snapshot stands before the first request: the store was not empty then

  /// How many of the entries are committed.
  [[nodiscard]] std::size_t committed() const;
};

/// Reads the log. Errors: those of Records; syntax: an entry is no message, entries are missing, or one that was
/// committed was replaced. @param files  in their order, one at least; they outlive the entries
[[nodiscard]] Result<MemberLog> read_member(std::string name, std::span<const LogFile> files);

}  // namespace linchpin::formats::etcd_robustness::log

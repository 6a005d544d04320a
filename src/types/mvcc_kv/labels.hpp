// Requests of unknown fate, those that are equal as one: of equal ones the first called goes first.
// Tests: mvcc_kv_monitor_test.cpp.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "types/mvcc_kv/contents.hpp"
#include "types/mvcc_kv/reading.hpp"
#include "types/mvcc_kv/sightings.hpp"
#include "types/mvcc_kv/times.hpp"

namespace linchpin::types::mvcc_kv {

struct Label {
  std::vector<std::uint32_t> members;                 ///< by call
  std::vector<std::pair<std::uint32_t, Value>> puts;  ///< keys and values that it may put
  std::vector<std::uint32_t> erases;                  ///< keys that it may delete
  std::vector<std::uint32_t> keys;                    ///< that it may touch, ascending
  bool revokes = false;                               ///< a lease
  bool must_happen = false;                           ///< it returned
  std::vector<std::pair<std::uint32_t, std::int64_t>>
      needs;                   ///< keys and revisions of their puts without which it does nothing
  std::size_t last_maker = 0;  ///< index of the last missing revision that it may make, or 0
  /// Where each member has a revision that nobody else can have made: these, ascending. Otherwise empty.
  std::vector<std::int64_t> only;
  /// By index of missing revisions: how many may have been used before it, so that it never runs dry from there on.
  std::vector<std::int32_t> enough;
};

class Labels {
 public:
  Labels(const history::Subhistory& part, const Reading& reading, const Times& times, const Sightings& sightings);

  [[nodiscard]] const std::vector<Label>& all() const { return labels_; }
  /// Revisions that nobody is known to have made, ascending.
  [[nodiscard]] const std::vector<std::int64_t>& missing() const { return missing_; }
  /// By index of missing revisions: the labels that may make it and have a member that was called in time, ascending.
  [[nodiscard]] const std::vector<std::uint32_t>& makers(std::size_t at) const { return makers_[at]; }
  /// False only where a request of the label cannot have made the revision.
  [[nodiscard]] bool may_make(const Label& label, std::int64_t revision) const;
  /// What the request may do, without members.
  [[nodiscard]] Label label_of(const history::Subhistory& part, std::uint32_t i) const;
  /// Whether a request of the label does nothing from here on, whatever happens: a put that it needs is overwritten.
  [[nodiscard]] static bool is_dead(const Label& label, const Contents& contents);
  /// Whether the label cannot run dry from missing revision `at` on, where so many of it were used before.
  [[nodiscard]] static bool inexhaustible(const Label& label, std::size_t at, std::uint32_t used) {
    return at < label.enough.size() && static_cast<std::int64_t>(used) <= label.enough[at];
  }

 private:
  void find_only(const Reading& reading);
  void find_enough(Label& label, const history::Subhistory& part, const Reading& reading, const Times& times) const;
  [[nodiscard]] std::vector<std::uint64_t> essence(const history::Subhistory& part, std::uint32_t i) const;

  void find_leased_keys(const history::Subhistory& part);

  const Sightings& sightings_;
  absl::flat_hash_map<std::uint64_t, std::vector<std::uint32_t>>
      leased_keys_;  // by lease: keys put under it, ascending
  std::vector<Label> labels_;
  std::vector<std::int64_t> missing_;
  std::vector<std::vector<std::uint32_t>> makers_;
};

}  // namespace linchpin::types::mvcc_kv

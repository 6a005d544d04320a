// Requests of unknown fate, those that are equal as one: of equal ones the first called goes first.
// Tests: mvcc_kv_monitor_test.cpp.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "types/mvcc_kv/contents.hpp"
#include "types/mvcc_kv/reading.hpp"
#include "types/mvcc_kv/sightings.hpp"

namespace linchpin::types::mvcc_kv {

struct Label {
  std::vector<std::uint32_t> members;                 ///< by call
  std::vector<std::pair<std::uint32_t, Value>> puts;  ///< keys and values that it may put
  std::vector<std::uint32_t> keys;                    ///< that it may touch
  bool any_key = false;                               ///< or others
  bool must_happen = false;                           ///< it returned
  std::vector<std::pair<std::uint32_t, std::int64_t>>
      needs;                          ///< keys and revisions of their puts without which it does nothing
  std::vector<std::uint32_t> future;  ///< by index of missing revisions: how many it may make from there
};

class Labels {
 public:
  Labels(const history::Subhistory& part, const Reading& reading, const Sightings& sightings);

  [[nodiscard]] const std::vector<Label>& all() const { return labels_; }
  /// Revisions that nobody is known to have made, ascending.
  [[nodiscard]] const std::vector<std::int64_t>& missing() const { return missing_; }
  /// False only where a request of the label cannot have made the revision.
  [[nodiscard]] bool may_make(const Label& label, std::int64_t revision) const;
  /// Whether a request of the label does nothing from here on, whatever happens: a put that it needs is overwritten.
  [[nodiscard]] static bool is_dead(const Label& label, const Contents& contents);
  /// How many of the missing revisions from index `at` on the label may have made, at most.
  [[nodiscard]] std::size_t may_make_from(const Label& label, std::size_t at) const {
    return label.future.empty() ? missing_.size() - at : at < label.future.size() ? label.future[at] : 0;
  }

 private:
  [[nodiscard]] Label label_of(const history::Subhistory& part, std::uint32_t i) const;
  [[nodiscard]] std::vector<std::uint64_t> essence(const history::Subhistory& part, std::uint32_t i) const;

  const Sightings& sightings_;
  std::vector<Label> labels_;
  std::vector<std::int64_t> missing_;
};

}  // namespace linchpin::types::mvcc_kv
